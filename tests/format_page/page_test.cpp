// SPDX-License-Identifier: Apache-2.0
// Built with the format that docs/adding-a-format.md adds, under the name page-half (CMakeLists.txt). It is fp16c by
// another name, so that each number has a known value: that of fp16c.
#include <gtest/gtest.h>

#include <string>

#include "fluvia/base/error.hpp"
#include "fluvia/case/names.hpp"
#include "fluvia/output/checkpoint/checkpoint.hpp"
#include "fluvia/output/checkpoint/checkpoint_formats.hpp"
#include "support/extension_page.hpp"
#include "support/specification.hpp"

namespace {

using namespace fluvia;

Case cavity(const std::string& format, const std::string& scheme, const std::string& rounding) {
  return parse_case(R"([units]
tau = 0.6
[domain]
dimension = 2
nodes = [19, 13]
[[boundary]]
surface = "y_max"
type = "moving_wall"
velocity = [0.1, 0]
[run]
steps = 1
[numerics]
device = "cpu"
threads = 1
format = ")" + format + "\"\nscheme = \"" +
                        scheme + "\"\nrounding = \"" + rounding + "\"\n",
                    "page.toml");
}

TEST(FormatPage, TheExampleIsTheRealHeader) {
  test::expect_page_shows("docs/adding-a-format.md", "src/fluvia/core/format/fp16c.hpp");
}

TEST(FormatPage, WhatIsKnownOfTheFormatFollows) {
  const FormatFacts* const facts = find_format("page-half");
  ASSERT_NE(facts, nullptr);
  EXPECT_EQ(facts->storage_bytes, 2);
  EXPECT_EQ(facts->arithmetic_bytes, 4);
  EXPECT_EQ(facts->precision_bits, 12);
  EXPECT_TRUE(facts->rounds);
  EXPECT_FALSE(facts->gpus_convert);
  EXPECT_EQ(format_with_more_digits("page-half"), "fp32");
  EXPECT_EQ(names::formats, (names::List{"fp64", "fp32", "fp16s", "fp16c", "page-half"}));
  EXPECT_NE(conversion_note("page-half", "fp32").find("had 12 bits"), std::string::npos);
}

TEST(FormatPage, TheFlowHasTheBitsOfItsTwin) {
  for (const char* scheme : {"pull", "aa"})
    for (const char* rounding : {"nearest", "stochastic"}) {
      const auto page = test::solver_of(cavity("page-half", scheme, rounding));
      const auto twin = test::solver_of(cavity("fp16c", scheme, rounding));
      EXPECT_EQ(page->plan().population_bytes, twin->plan().population_bytes);
      page->step(101);
      twin->step(101);
      const Moments found = test::moments_of(*page), expected = test::moments_of(*twin);
      EXPECT_EQ(found.velocity, expected.velocity) << scheme << ' ' << rounding;
      EXPECT_EQ(found.density, expected.density) << scheme << ' ' << rounding;
      double fastest = 0;
      for (const Real3& u : found.velocity) fastest = std::max(fastest, u[0]);
      EXPECT_GT(fastest, 0.05);
    }
}

TEST(FormatPage, CheckpointsConvert) {
  const std::uint16_t stored[] = {0x1234, 0x8001, 0x7fff, 0};
  float values[4];
  std::uint16_t back[4];
  convert_populations("page-half", std::as_bytes(std::span(stored)), "fp32", std::as_writable_bytes(std::span(values)));
  convert_populations("fp32", std::as_bytes(std::span(values)), "fp16c", std::as_writable_bytes(std::span(back)));
  for (int k = 0; k < 4; ++k) EXPECT_EQ(back[k], stored[k]) << k;
}

TEST(FormatPage, KernelsAreMadeForIt) {
  const cuda::Specification s = test::specification("D2Q9", "pull", "page-half");
  EXPECT_NE(cuda::compile_request(s, {cuda::KernelKind::step, 0}).source.find("using Format = fluvia::core::PageHalf;"),
            std::string::npos);
  EXPECT_EQ(cuda::nodes_per_thread(s), 2);
}

TEST(FormatPage, OthersAreRefusedWithTheNames) {
  try {
    (void)cavity("page-third", "pull", "auto");
    FAIL() << "no such format";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("page-half"), std::string::npos) << error.what();
  }
}

}  // namespace
