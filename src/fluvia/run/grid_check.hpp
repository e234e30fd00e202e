// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "fluvia/run/results.hpp"
#include "fluvia/run/run.hpp"

namespace fluvia {

/// Results on one grid.
struct GridResults {
  double factor = 1;    ///< spacing over that of the run
  double mismatch = 0;  ///< relative difference of the lengths of its box
  std::vector<Quantity> quantities;
};

/// Gives each of `quantities`, found on a grid of factor 1, its grid error, limit and order, from the same quantities
/// on other grids (docs/verdict.md). `rounding`: relative difference of the run's box from what the case asks for.
void add_grid_errors(std::vector<Quantity>& quantities, const std::vector<GridResults>& others, double rounding);

/// Runs the same case on other grids, in folders below that of the run, and adds to the result what follows: the grid
/// error of each quantity, the check "grid error", the verdict. Writes summary.json anew. Throws Error(resource).
void check_grids(const Case& c, const RunOptions& options, RunResult& result);

}  // namespace fluvia
