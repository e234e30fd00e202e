// SPDX-License-Identifier: Apache-2.0
// What the tests of the pages docs/adding-a-*.md share: the text of a page and of the headers that it shows, and flows.
#pragma once
#include <gtest/gtest.h>

#include <fstream>
#include <memory>
#include <sstream>
#include <string>

#include "fluvia/backend/backend.hpp"

namespace fluvia::test {

/// The text of a file of the source tree.
inline std::string source_text(const std::string& file) {
  std::ifstream stream(std::string(FLUVIA_SOURCE_DIR) + "/" + file);
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

/// Expects that a page shows a header as it is, between marks of a piece of code.
inline void expect_page_shows(const std::string& page, const std::string& header) {
  const std::string shown = source_text(header);
  ASSERT_FALSE(shown.empty()) << header;
  EXPECT_NE(source_text(page).find("```cpp\n" + shown + "```"), std::string::npos) << page << " beside " << header;
}

/// The solver of a case, at its start.
inline std::unique_ptr<Solver> solver_of(const Case& c) {
  const Grid grid = make_grid(c);
  return make_solver({c, make_units(c, grid.spacing), build_geometry(c, grid)});
}

/// Density and velocity of all nodes.
inline Moments moments_of(const Solver& solver) {
  Moments m;
  solver.moments(0, solver.geometry().nodes.tiles.size(), false, m);
  return m;
}

}  // namespace fluvia::test
