// SPDX-License-Identifier: Apache-2.0
// Messages between parts of a domain, as kernels/halo_populations.hpp packs them.
#pragma once
#include <functional>
#include <vector>

#include "fluvia/cuda/kernels/arguments.hpp"
#include "fluvia/solver/blocks/block.hpp"
#include "fluvia/solver/links/exchanged_links.hpp"
#include "fluvia/solver/links/node_records.hpp"

namespace fluvia::cuda {

/// The range of a message to or from one neighbour, in a buffer that has all of them; bytes.
struct MessageRange {
  std::uint64_t offset = 0, bytes = 0;
};

/// Arrays behind kernels::MessageBlocks, for populations that leave to all neighbours or arrives from them, and the
/// arrays by which the GPU lists its populations before the first step.
struct HaloPopulationArrays {
  std::vector<kernels::HaloPopulationTile> tiles;
  std::vector<kernels::HaloPopulationRun> runs;
  std::vector<kernels::MessageBlock> blocks;  ///< `message` as an offset in the buffer, without origins
  std::vector<int>
      entries;  ///< entries of all blocks; those of numbers that boundary conditions keep are known already
  std::vector<std::size_t> end_blocks;  ///< by Block::neighbours
  std::vector<MessageRange> messages;   ///< by Block::neighbours

  /// Bytes of all messages together.
  [[nodiscard]] std::uint64_t buffer_bytes() const {
    return messages.empty() ? 0 : messages.back().offset + messages.back().bytes;
  }
  /// Bytes that stay on the GPU: blocks and entries, for each parity of a streaming.
  [[nodiscard]] std::uint64_t bytes(int parities) const {
    return static_cast<std::uint64_t>(parities) * (blocks.size() * sizeof(blocks[0]) + entries.size() * sizeof(int));
  }
};

/// What is kept of a node where whole nodes cross: its numbers, and, of nodes that are stepped and have cut links, what
/// comes back along each of these, in so many elements of the format; 0: nothing is kept besides.
struct KeptOfNode {
  int numbers = 0, elements_of_returned = 0;
};

/// Lists what crosses of whole nodes as halo populations, by the number of each in place of a direction: that of a
/// moment, or, behind these, of an element of what comes back along c_1, c_2, ...
void list_numbers_of_nodes(const NodeMap& nodes, const std::vector<Int3>& velocities, const KeptOfNode& kept,
                           Block& block);

/// Bytes of a population and of a number that boundary conditions keep.
struct ValueBytes {
  int population = 4, number = 4;
};

/// What a part sends to each of its neighbours in a step. `storage_index_of` gives the storage index of a canonical
/// tile, `memory` what boundary conditions keep and another part reads, by neighbour; `behind` bytes that are left at
/// the end of each message, or nothing. The parts on either side of a
/// border list the same halo populations, so that these have the same positions in a message.
HaloPopulationArrays make_leaving(const Block& block, const std::vector<HaloMemory>& memory,
                                  const std::function<std::uint32_t(std::uint32_t)>& storage_index_of,
                                  const ValueBytes& bytes, const std::vector<std::uint64_t>& behind = {});
HaloPopulationArrays make_arriving(const Block& block, const std::vector<HaloMemory>& memory,
                                   const std::function<std::uint32_t(std::uint32_t)>& storage_index_of,
                                   const ValueBytes& bytes, const std::vector<std::uint64_t>& behind = {});

/// Values that arrive from other parts of the same level of refinement and are handed over to another level, by
/// ascending place there: entries of both lists above. A part packs them as soon as they have been unpacked; one whose
/// populations are away then takes them from message to message.
std::vector<kernels::ForwardedValue> find_forwarded(const Block& block, const std::vector<HaloMemory>& memory,
                                                    const ValueBytes& bytes);

/// The populations that planes of symmetry and sheets exchange (solver/links/exchanged_links.hpp): the first and the
/// second ends of all pairs, in one order. They are in no message.
struct ExchangedArrays {
  HaloPopulationArrays first, second;
  [[nodiscard]] std::uint64_t bytes(int parities) const { return first.bytes(parities) + second.bytes(parities); }
};
ExchangedArrays make_exchanged_arrays(std::vector<ExchangedPair> pairs,
                                      const std::function<std::uint32_t(std::uint32_t)>& storage_index_of);

}  // namespace fluvia::cuda
