// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "fluvia/case/case.hpp"
#include "support/temporary_folder.hpp"

namespace fluvia::test {

/// Lower and upper corners of rectangles across x.
using Rectangles = std::vector<std::pair<Real3, Real3>>;

/// The surface 'sheet' of a file with these rectangles, with fluid on both sides; in 2D they reach through the layer of
/// nodes.
inline Case::Stl sheets_across_x(const Rectangles& rectangles, bool flat) {
  static const TemporaryFolder folder;
  std::string text = "solid sheet\n";
  const auto facet = [&](const std::string& vertices) {
    text += "facet normal 1 0 0\nouter loop\n" + vertices + "endloop\nendfacet\n";
  };
  for (const auto& [lower, upper] : rectangles) {
    const double bottom = flat ? -1 : lower[2], top = flat ? 2 : upper[2];
    const auto corner = [x = lower[0]](double y, double z) { return fmt::format("vertex {} {} {}\n", x, y, z); };
    facet(corner(lower[1], bottom) + corner(upper[1], bottom) + corner(upper[1], top));
    facet(corner(lower[1], bottom) + corner(upper[1], top) + corner(lower[1], top));
  }
  Case::Stl sheet;
  sheet.file = folder.write(flat ? "flat.stl" : "deep.stl", text + "endsolid sheet\n").string();
  sheet.name = "sheet";
  sheet.fluid = "both";
  return sheet;
}

}  // namespace fluvia::test
