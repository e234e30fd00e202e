// SPDX-License-Identifier: Apache-2.0
// The small plot of the residual on a terminal.
#include "fluvia/cli/terminal/residual_plot.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>

namespace fluvia::test {
namespace {

using cli::ResidualPlot;

TEST(ResidualPlot, FallsWithStarsWhereThereIsAsciiOnly) {
  ResidualPlot plot;
  for (int k = 0; k <= 5; ++k) plot.add(100 * k, std::pow(10.0, -k));
  const std::vector<std::string> expected = {
      "residual over steps 0 to 500",
      "  1e0 |*",
      "      |     *",
      "      |          *",
      "      |              *",
      "      |                   *",
      " 1e-5 |                        *",
  };
  EXPECT_EQ(plot.lines(32, false), expected);
}

TEST(ResidualPlot, HasEightDotsACharacterInBraille) {
  ResidualPlot plot;
  plot.add(0, 1);
  plot.add(39, 1e-2);
  const std::vector<std::string> lines = plot.lines(27, true);
  ASSERT_EQ(lines.size(), std::size_t(ResidualPlot::rows + 1));
  EXPECT_EQ(lines[1], "  1e0 |\u2801") << "the upper left dot";
  EXPECT_EQ(lines[2], "      |");
  EXPECT_EQ(lines[6], " 1e-2 |                   \u2880") << "the lower right dot";
}

TEST(ResidualPlot, HasNoNegativeZero) {
  ResidualPlot plot;
  plot.add(0, 0.6);
  plot.add(1, 0.02);
  EXPECT_TRUE(plot.lines(80, false)[1].starts_with("  1e0 |"));
}

TEST(ResidualPlot, IsNotDrawnWithoutPointsOrRoom) {
  ResidualPlot plot;
  EXPECT_TRUE(plot.lines(80, true).empty());
  plot.add(1, std::numeric_limits<double>::infinity());
  plot.add(2, 0);
  plot.add(3, std::numeric_limits<double>::quiet_NaN());
  plot.add(4, 1);
  EXPECT_TRUE(plot.lines(80, true).empty()) << "one point is no course";
  plot.add(5, 1);
  EXPECT_EQ(plot.lines(80, true).size(), std::size_t(ResidualPlot::rows + 1));
  EXPECT_TRUE(plot.lines(26, true).empty());
}

TEST(ResidualPlot, BeginsAgainWhenTheRunGoesBack) {
  ResidualPlot plot;
  plot.add(100, 1e-3);
  plot.add(200, 1e-4);
  plot.add(150, 1e-3);
  plot.add(250, 1e-3);
  EXPECT_EQ(plot.lines(80, true)[0], "residual over steps 150 to 250");
}

TEST(ResidualPlot, OfALongRunStaysSmall) {
  ResidualPlot plot;
  for (int k = 0; k < 1'000'000; ++k) plot.add(k, 1.0 / (1 + k));
  for (const std::string& line : plot.lines(500, false)) EXPECT_LE(line.size(), 107u);
  EXPECT_TRUE(plot.lines(500, false)[0].starts_with("residual over steps 0 to 99"));
}

TEST(ResidualPlot, AsksTheLocaleForItsAlphabet) {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) ::unsetenv(name);
  EXPECT_FALSE(cli::terminal_shows_utf8());
  ::setenv("LANG", "de_DE.UTF-8", 1);
  EXPECT_TRUE(cli::terminal_shows_utf8());
  ::setenv("LC_CTYPE", "C", 1);
  EXPECT_FALSE(cli::terminal_shows_utf8());
  ::setenv("LC_ALL", "C.utf8", 1);
  EXPECT_TRUE(cli::terminal_shows_utf8());
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) ::unsetenv(name);
}

}  // namespace
}  // namespace fluvia::test
