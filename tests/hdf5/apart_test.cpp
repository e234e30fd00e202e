// SPDX-License-Identifier: Apache-2.0
#include "fluvia/base/apart.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <cstdint>
#include <new>
#include <numeric>

#include "fluvia/base/error.hpp"
#include "support/temporary_folder.hpp"

namespace fluvia::test {
namespace {

std::string refusal(const std::function<void(ByteSink&)>& read, ExitCode code = ExitCode::input) {
  return error_of(code, [&] { read_apart("some.vtkhdf", "HDF5", read, 1); });
}

TEST(ReadApart, HandsOverWhatWasRead) {
  std::vector<std::uint32_t> numbers(100'000);
  std::iota(numbers.begin(), numbers.end(), 7u);
  const std::vector<std::byte> bytes = read_apart("some.vtkhdf", "HDF5", [&](ByteSink& sink) {
    sink.put(numbers);
    sink.put(numbers);
  });
  ASSERT_EQ(bytes.size(), 8 * numbers.size());
  const auto* got = reinterpret_cast<const std::uint32_t*>(bytes.data());
  EXPECT_TRUE(std::equal(numbers.begin(), numbers.end(), got));
  EXPECT_TRUE(std::equal(numbers.begin(), numbers.end(), got + numbers.size()));
  EXPECT_TRUE(read_apart("some.vtkhdf", "HDF5", [](ByteSink&) {}).empty());
}

TEST(ReadApart, ErrorsArriveAsTheyAre) {
  EXPECT_EQ(refusal([](ByteSink& sink) {
              sink.put(std::vector<int>(1000, 1));
              throw_input("some.vtkhdf: is blue");
            }),
            "some.vtkhdf: is blue");
  EXPECT_EQ(refusal([](ByteSink&) { throw_resource("no disk"); }, ExitCode::resource), "no disk");
  EXPECT_THROW(read_apart("some.vtkhdf", "HDF5", [](ByteSink&) { throw std::bad_alloc(); }), std::bad_alloc);
  EXPECT_CONTAINS(refusal([](ByteSink&) { throw 5; }), "some.vtkhdf: cannot be read");
}

TEST(ReadApart, OutlivesTheEndOfTheProcess) {
  EXPECT_CONTAINS(refusal([](ByteSink&) { std::raise(SIGSEGV); }), "some.vtkhdf: is damaged: HDF5 ended by signal 11");
  EXPECT_CONTAINS(refusal([](ByteSink&) { std::abort(); }), "ended by signal 6");
  EXPECT_CONTAINS(refusal([](ByteSink&) {
                    volatile bool for_ever = true;
                    while (for_ever) {
                    }
                  }),
                  "took more than 1 s");
}

}  // namespace
}  // namespace fluvia::test
