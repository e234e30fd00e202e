// SPDX-License-Identifier: Apache-2.0
// The verdict on values of a scalar that nothing brings.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "fluvia/case/case.hpp"
#include "fluvia/run/run.hpp"
#include "support/temporary_folder.hpp"

namespace fluvia::test {
namespace {

/// What the verdict says of the bounds of a dye of 1 that a stream brings into fluid that has none, past a post if
/// there is one; the line of the report, empty without one.
std::string bounds_of_a_dye(bool post, const std::string& more) {
  const TemporaryFolder folder;
  RunOptions options;
  options.output = folder.path() / "out";
  const std::string text = fmt::format(
      "[units]\nsystem = \"lattice\"\nviscosity = 0.02\n[domain]\ndimension = 2\nnodes = [60, 30]\n"
      "periodic = [false, true]\n{}"
      "[[boundary]]\nsurface = \"x_min\"\ntype = \"velocity\"\nspeed = 0.05\n"
      "scalars = {{ dye = {{ value = 1 }} }}\n[[boundary]]\nsurface = \"x_max\"\ntype = \"pressure\"\n"
      "[run]\nsteps = 3000\n[output]\nvtk = \"none\"\n[numerics]\ndevice = \"cpu\"\n"
      "[[scalar]]\nname = \"dye\"\ndiffusivity = 0.003\n{}",
      post ? "[[geometry.shape]]\nkind = \"sphere\"\noperation = \"solid\"\ncenter = [20, 15]\nradius = 5\n" : "",
      more);
  const std::string report = run_case(parse_case(text, "case.toml"), options).report;
  const std::size_t at = report.find("bounds of scalars");
  if (at == std::string::npos) return {};
  const std::size_t line = report.rfind('\n', at) + 1;
  return report.substr(line, report.find("\n  ", at) - line);
}

TEST(ScalarBounds, AreAskedFor) {
  EXPECT_NE(bounds_of_a_dye(false, "").find("good "), std::string::npos) << bounds_of_a_dye(false, "");
  const std::string beside_a_post = bounds_of_a_dye(true, "");
  EXPECT_NE(beside_a_post.find("bad "), std::string::npos) << beside_a_post;
  EXPECT_NE(beside_a_post.find("'dye' goes "), std::string::npos) << beside_a_post;
  // Fluid that is left alone has what it began with, whatever that is.
  EXPECT_NE(bounds_of_a_dye(false, "initial_formula = \"3*sin(x)\"\n").find("good "), std::string::npos);
  EXPECT_EQ(bounds_of_a_dye(false, "source = \"1e-3\"\n"), "") << "there are other values";
}

}  // namespace
}  // namespace fluvia::test
