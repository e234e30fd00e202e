// SPDX-License-Identifier: Apache-2.0
// The narrowest place that the flow of an opening has to pass.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "fluvia/case/case.hpp"
#include "fluvia/geometry/geometry.hpp"
#include "run/small_cases.hpp"

namespace fluvia::test {
namespace {

GeometryReport report_of(const std::string& text) {
  const Case c = parse_case("[units]\nviscosity = 0.1\n[run]\nsteps = 10\n" + text, "way.toml");
  return build_geometry(c, make_grid(c)).report;
}

std::string pressures_along_x(const std::string& more = "") {
  return "[[boundary]]\nsurface = \"x_min\"\ntype = \"pressure\"\npressure = 1e-4\n"
         "[[boundary]]\nsurface = \"x_max\"\ntype = \"pressure\"\n" +
         more;
}

std::string solid_box(double x, double y, double width, double height) {
  return fmt::format("[[geometry.shape]]\nkind = \"box\"\ncenter = [{}, {}]\nsize = [{}, {}]\n", x, y, width, height);
}

/// A slot of so many nodes between two blocks in a channel of 24.
std::string slot(int width) {
  const double low = (24 - width) / 2, high = low + width;
  return "[domain]\ndimension = 2\nnodes = [40, 24]\n" + solid_box(20, low / 2 - 1, 12, low + 2) +
         solid_box(20, (high + 25) / 2, 12, 25 - high) + pressures_along_x();
}

TEST(NarrowWay, IsAsWideAsTheSlotThatAllHasToPass) {
  for (const int width : {1, 2, 3, 4, 5, 6, 7, 8, 9}) {
    const GeometryReport report = report_of(slot(width));
    EXPECT_EQ(report.narrowest_way, width);
    EXPECT_EQ(report.narrowest_way_of, "what passes 'x_min'");
  }
  for (const int width : {10, 11, 14}) EXPECT_EQ(report_of(slot(width)).narrowest_way, 0) << width;
}

TEST(NarrowWay, IsNoneWhereAWideWayLeadsPast) {
  // Below the block there are 4 nodes, above it 12.
  const std::string box = "[domain]\ndimension = 2\nnodes = [40, 24]\n" + solid_box(20, 8, 12, 8);
  EXPECT_EQ(report_of(box + pressures_along_x()).narrowest_way, 0);
  // The other outlet lies below.
  const std::string below = "[[boundary]]\nsurface = \"y_min\"\ntype = \"pressure\"\n";
  EXPECT_EQ(report_of(box + pressures_along_x(below)).narrowest_way, 0);
}

TEST(NarrowWay, KnowsPlanesOfSymmetryPeriodicFacesAndSlip) {
  const std::string half = "[domain]\ndimension = 2\nnodes = [40, 12]\n" + solid_box(20, 9, 12, 8);
  const auto with = [](const std::string& face, const std::string& type) {
    return "[[boundary]]\nsurface = \"" + face + "\"\ntype = \"" + type + "\"\n";
  };
  EXPECT_EQ(report_of(half + pressures_along_x()).narrowest_way, 5);
  EXPECT_EQ(report_of(half + pressures_along_x(with("y_min", "symmetry"))).narrowest_way, 0) << "its image is 10 wide";
  EXPECT_EQ(report_of("[domain]\ndimension = 2\nnodes = [40, 11]\n" + solid_box(20, 8, 12, 8) +
                      pressures_along_x(with("y_min", "symmetry")))
                .narrowest_way,
            8);
  std::string periodic = half + pressures_along_x();
  periodic.insert(periodic.find("nodes"), "periodic = [false, true]\n");
  EXPECT_EQ(report_of(periodic).narrowest_way, 5);
}

/// What a force drives has no openings, and was trusted in slots of 4 nodes.
TEST(NarrowWay, IsKnownOfWhatAForceDrives) {
  const auto box = [](const std::string& periodic, const std::string& acceleration, const std::string& solids) {
    return "[physics]\nacceleration = " + acceleration +
           "\n[domain]\ndimension = 2\nnodes = [40, 24]\nperiodic = " + periodic + "\n" + solids;
  };
  const auto blocks = [](int width) {
    const double low = (24 - width) / 2, high = low + width;
    return solid_box(20, low / 2 - 1, 12, low + 2) + solid_box(20, (high + 25) / 2, 12, 25 - high);
  };
  for (const int width : {1, 4, 5, 9, 10, 12}) {
    const GeometryReport report = report_of(box("[true, false]", "[1e-5, 0]", blocks(width)));
    EXPECT_EQ(report.narrowest_way, width < 10 ? width : 0);
    EXPECT_EQ(report.narrowest_way_of, width < 10 ? "what flows along x" : "");
  }
  // A plane channel between bodies; nothing that drives along it; a body that it flows around.
  const std::string plates = solid_box(20, 3, 60, 12) + solid_box(20, 19, 60, 10);
  EXPECT_EQ(report_of(box("[true, false]", "[1e-5, 0]", plates)).narrowest_way, 5);
  EXPECT_EQ(report_of(box("[true, true]", "[0, 1e-5]", plates)).narrowest_way, 0);
  EXPECT_EQ(report_of(box("[true, true]", "[1e-5, 0]", solid_box(20, 12, 12, 8))).narrowest_way, 0);
  // Two blocks that are one across the other period.
  const std::string gate = solid_box(20, 4, 12, 10) + solid_box(20, 18.5, 12, 11);
  EXPECT_EQ(report_of(box("[true, true]", "[1e-5, 0]", gate)).narrowest_way, 4);
}

TEST(NarrowWay, OfARoundPipeIsItsDiameter) {
  const auto pipe = [](double radius) {
    return fmt::format(
               "[domain]\nnodes = [16, 20, 20]\n[[geometry.shape]]\nkind = \"box\"\ncenter = "
               "[8, 10, 10]\nsize = [40, 40, 40]\n[[geometry.shape]]\nkind = \"cylinder\"\noperation = "
               "\"fluid\"\nfrom = [-1, 10, 10]\nto = [17, 10, 10]\nradius = {}\n",
               radius) +
           pressures_along_x();
  };
  EXPECT_EQ(report_of(pipe(3.01)).narrowest_way, 6);
  EXPECT_EQ(report_of(pipe(4.01)).narrowest_way, 8);
  EXPECT_EQ(report_of(pipe(5.51)).narrowest_way, 0);
}

/// With "passages good" the flow through 4 nodes was 20% off.
TEST(NarrowWay, IsJudged) {
  const auto judged = [](int width) {
    const std::string text =
        "[units]\nviscosity = 0.1\n[run]\nsteps = 100\n[monitor]\nevery = 10\n[output]\nvtk = "
        "\"none\"\n[checkpoint]\nat_end = false\n" +
        slot(width);
    return finding(run_text(text).results, "passages");
  };
  EXPECT_EQ(judged(4)["judgement"], "bad");
  EXPECT_NE(judged(4)["found"].get<std::string>().find("4 nodes where what passes 'x_min' has to pass (good: 10)"),
            std::string::npos);
  EXPECT_EQ(judged(7)["judgement"], "doubtful");
  EXPECT_EQ(judged(10)["judgement"], "good");
}

TEST(NarrowWay, IsJudgedOfWhatAForceDrives) {
  const auto judged = [](const std::string& domain) {
    return finding(run_text("[units]\nviscosity = 0.1\n[run]\nsteps = 100\n[monitor]\nevery = 10\n[output]\nvtk = "
                            "\"none\"\n[checkpoint]\nat_end = false\n[physics]\nacceleration = [1e-5, 0]\n[domain]\n"
                            "dimension = 2\nperiodic = [true, false]\nnodes = " +
                            domain)
                       .results,
                   "passages");
  };
  const nlohmann::json slot = judged("[8, 24]\n" + solid_box(4, 3, 20, 12) + solid_box(4, 18.5, 20, 11));
  EXPECT_EQ(slot["judgement"], "bad");
  EXPECT_NE(slot["found"].get<std::string>().find("; 4 nodes where what flows along x has to pass (good: 10)"),
            std::string::npos)
      << slot["found"];
  const std::string channel = judged("[8, 7]\n")["found"];
  EXPECT_EQ(channel.find("has to pass"), std::string::npos) << "the walls of the box are said once: " << channel;
  EXPECT_NE(channel.find("7 nodes between the walls along y"), std::string::npos) << channel;
}

}  // namespace
}  // namespace fluvia::test
