// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

namespace fluvia::cuda {

/// The role of a tile in the block that stores it, in the order in which a step takes them.
enum class TileRole : std::uint8_t {
  border,    ///< populations leave it to other parts
  interior,  ///< all other own tiles
  halo       ///< tiles of other parts, of which passes step some nodes
};
/// [tile]; empty where all of the domain is one part.
using TileRoles = std::vector<TileRole>;

/// Which tiles a step takes: all, or one of its two shares.
enum class StepShare : std::uint8_t { all, border, interior };

}  // namespace fluvia::cuda
