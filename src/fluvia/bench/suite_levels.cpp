// SPDX-License-Identifier: Apache-2.0
// The suite "levels": levels of refinement.
#include <cmath>

#include "fluvia/bench/suites.hpp"

namespace fluvia {

RowList levels_suite(const BenchSettings& settings) {
  constexpr int tile = 4;
  BenchRow base;
  base.collision = "recursive-regularized";
  base.device = settings.device;
  set_cube(base, (settings.size + 8 * tile - 1) / (8 * tile) * 8 * tile);  // so that regions are whole tiles
  RowList both = RowList(base).with(&BenchRow::geometry, "levels");
  // Of 8/8 less 1/8, as much again, and 8/8 of the box's nodes on the coarsest level.
  const int edge = static_cast<int>(std::lround(std::cbrt(2.75) * base.size / tile)) * tile;
  set_cube(base, edge);
  both += RowList(base);
  return both.each(&BenchRow::scheme, schemes_of(settings, core::Addressing::compact))
      .each(&BenchRow::format, {"fp32", "fp64"})
      .each(&BenchRow::threads, thread_counts(settings))
      .each(&BenchRow::devices, settings.devices);
}

}  // namespace fluvia
