// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace fluvia {

/// Where the blocks of a domain are while it is stepped.
enum class BlockPlace {
  resident,  ///< one block, in the memory of the device that steps it
  streamed,  ///< in host memory, from where one after the other is fetched to a GPU, stepped there and written back
  devices,   ///< on devices of this process, a block for each
  ranks      ///< on ranks, a block for each
};
inline constexpr const char* block_place_names[] = {"resident", "streamed", "devices", "ranks"};

/// Into how many blocks (solver/blocks/block.hpp) a domain is cut, and where they are.
struct Domain {
  int blocks = 1;
  BlockPlace place = BlockPlace::resident;
  double border_cost = 0;  ///< by which blocks that are stepped side by side are cut; cut_tiles()

  [[nodiscard]] bool is_whole() const { return blocks == 1; }
  [[nodiscard]] bool is_streamed() const { return place == BlockPlace::streamed; }
  [[nodiscard]] bool is_on_ranks() const { return place == BlockPlace::ranks; }
  /// Blocks that are stepped at a time.
  [[nodiscard]] int side_by_side() const { return is_streamed() ? 1 : blocks; }
};

/// What crosses between blocks: populations that arrive at the nodes which a block steps, or all that is kept of the
/// nodes in its halo, where that is other than populations.
enum class Crosses { populations, nodes };

}  // namespace fluvia
