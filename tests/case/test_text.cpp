// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <fstream>

#include "fluvia/base/error.hpp"
#include "fluvia/base/text.hpp"

namespace {

using namespace fluvia;

TEST(Text, EditDistanceCountsEditsAndIgnoresCase) {
  EXPECT_EQ(edit_distance("", ""), 0u);
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
  EXPECT_EQ(edit_distance("teh", "the"), 1u);  // a swap is one edit
  EXPECT_EQ(edit_distance("d3q19", "D3Q19"), 0u);
  EXPECT_EQ(edit_distance("abc", "abc"), 0u);
}

TEST(Text, NearestNameFindsTyposAndNothingFarAway) {
  const std::vector<std::string> names = {"viscosity", "velocity", "tau", "spacing"};
  EXPECT_EQ(nearest_name("viscocity", names), "viscosity");
  EXPECT_EQ(nearest_name("Tau", names), "tau");
  EXPECT_EQ(nearest_name("velocities", names), "velocity");
  EXPECT_EQ(nearest_name("spac", names), "spacing");
  EXPECT_EQ(nearest_name("wavelength", names), "");
  // Two letters off are near from five letters on.
  EXPECT_EQ(nearest_name("inlet", std::vector<std::string>{"inner"}), "inner");
  EXPECT_EQ(nearest_name("wall", std::vector<std::string>{"wave"}), "");
  EXPECT_EQ(nearest_name("", names), "");
  EXPECT_EQ(nearest_name("tau", std::vector<std::string>{}), "");
  EXPECT_EQ(nearest_name(std::string(100000, 'x'), names), "");  // no time wasted on nonsense
  EXPECT_EQ(did_you_mean("tua", names), "; did you mean 'tau'?");
}

TEST(Text, NumbersAndLists) {
  EXPECT_EQ(format_real(0.1), "0.1");
  EXPECT_EQ(format_real(-0.0), "0");
  EXPECT_EQ(format_real(1e-5), "1e-05");
  EXPECT_EQ(format_short(0.0123456), "0.01235");
  EXPECT_EQ(join(std::vector<std::string>{"a", "b"}), "a, b");
  EXPECT_EQ(shorten("a\nb"), "a?b");
  EXPECT_EQ(shorten("abcdef", 3), "abc...");
  EXPECT_EQ(shorten("a\u00e9\u00e9", 4), "a\u00e9...") << "characters stay whole";
}

TEST(Text, MessagesArePrintable) {
  EXPECT_EQ(printable("caf\u00e9 \u2192 \U0001f30a"), "caf\u00e9 \u2192 \U0001f30a");
  EXPECT_EQ(printable("\x1b[31mred\x07\x7f\r\t"), "?[31mred????");
  EXPECT_EQ(printable("\xff\xc3(\xe2\x82"),
            "?"
            "?("
            "??")
      << "no UTF-8";
  EXPECT_EQ(printable("\xc0\xaf\xed\xa0\x80\xf4\x90\x80\x80"), "?????????") << "overlong, surrogate, beyond Unicode";
  EXPECT_EQ(printable("a\xc2\x9b"
                      "31m"),
            "a??31m")
      << "a control character of Latin-1";
  EXPECT_EQ(printable("a\u202eb\u2028c"), "a???b???c");
  EXPECT_EQ(printable("one\n  two\nfluvia: three"), "one\n  two?fluvia: three") << "only Fluvia's own lines";
  EXPECT_EQ(printable(std::string(100, 'x'), 10), "xxxxxxxxxx... (90 more bytes)");
}

TEST(Text, HashIsFnv1a) {
  Fnv1a hash;
  EXPECT_EQ(hash.value(), 0xcbf29ce484222325u);
  hash.add("foobar");
  EXPECT_EQ(hash.value(), 0x85944171f73967e8u);  // test vector of the authors
}

TEST(Text, ReadTextFileNamesWhatIsWrong) {
  const auto folder = std::filesystem::path(testing::TempDir());
  const auto message = [](const std::filesystem::path& file, std::uint64_t limit) -> std::string {
    try {
      return "read: " + read_text_file(file, limit);
    } catch (const Error& error) {
      return error.what();
    }
  };
  const auto file = folder / "fluvia_text.txt";
  std::ofstream(file) << "12345";
  EXPECT_EQ(message(file, 5), "read: 12345");
  EXPECT_EQ(message(file, 4), file.string() + ": 5 bytes is too long for this kind of file (at most 4)");
  EXPECT_EQ(message(folder, 4), folder.string() + ": is a directory, not a regular file");
  EXPECT_EQ(message(folder / "none", 4), (folder / "none").string() + ": no such file");
}

}  // namespace
