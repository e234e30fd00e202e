// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

namespace fluvia::cuda {

/// What a tile is to the block that stores it, in the order in which a step takes them.
enum class TileRole : std::uint8_t {
  border,    ///< populations leave it to other parts
  interior,  ///< the other own ones
  halo       ///< another part's, of which passes step what they need
};
/// Per tile; empty where all of the domain is one part.
using TileRoles = std::vector<TileRole>;

/// Which tiles a step takes.
enum class StepShare : std::uint8_t { all, border, interior };

}  // namespace fluvia::cuda
