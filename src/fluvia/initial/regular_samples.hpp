// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "fluvia/base/vector.hpp"

namespace fluvia {

/// Values at the points of a regular lattice, some of which may have none; case units.
struct RegularSamples {
  Real3 first{};                        ///< position of the point (0, 0, 0)
  Real3 spacing{1, 1, 1};               ///< distance between points along each axis, above 0
  std::array<std::int64_t, 3> count{};  ///< points along x, y, z
  int components = 1;                   ///< components of a value: 1 or 3
  std::vector<float> values;            ///< values of all points, x fastest; or of those in `numbers`. NaN: none
  /// Numbers of the points that have values, x fastest, ascending; empty: all.
  std::vector<std::uint64_t> numbers;

  /// The value at a position, linear between the points around, of which some may have no value; along axes with one
  /// point it does not change. None where no point around has a value.
  [[nodiscard]] std::optional<Real3> at(const Real3& position) const noexcept;

 private:
  [[nodiscard]] const float* find(const std::array<std::int64_t, 3>& point) const noexcept;
};

}  // namespace fluvia
