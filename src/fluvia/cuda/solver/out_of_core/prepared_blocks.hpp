// SPDX-License-Identifier: Apache-2.0
// Domains that exceed the memory of a GPU, in blocks that are streamed (block_streaming.hpp): how many, and what they
// take.
#pragma once
#include <vector>

#include "fluvia/cuda/solver/prepared_case.hpp"

namespace fluvia::cuda {

/// All parts of a domain, in canonical order.
struct PreparedBlocks {
  std::vector<PreparedCase> parts;

  /// Bytes of a slot, which takes the largest part's populations; and of what the parts share besides, the largest of
  /// any.
  [[nodiscard]] std::uint64_t slot_bytes() const;
  [[nodiscard]] std::uint64_t references_bytes() const;
  [[nodiscard]] std::uint64_t exchange_bytes() const;
  /// Bytes of all parts' populations in host memory; each goes to the GPU and back in a step.
  [[nodiscard]] std::uint64_t host_bytes() const;
  /// Bytes on the GPU: of all but slots, and of all.
  [[nodiscard]] std::uint64_t resident_bytes() const;
  [[nodiscard]] std::uint64_t total_bytes() const;
};

/// How many parts there can be; fewer than two if a domain cannot be cut.
int most_blocks_of(const NodeMap& nodes, const Scheme& scheme);

/// First tiles of so many intervals of whole layers of tiles along the last axis, and the end of the last: as equal as
/// layers allow, counted in what a scheme stores.
std::vector<std::uint64_t> cut_layers(const NodeMap& nodes, const Scheme& scheme, int parts);

/// In so many parts, whatever fits.
PreparedBlocks prepare_blocks(const Problem& problem, const Plan& plan, int parts);
/// In as few parts as fit into `memory` bytes of a GPU; if none are few enough, in some that do not, or in none. `plan`
/// says what the domain takes in one piece.
PreparedBlocks prepare_fewest_blocks(const Problem& problem, const Plan& plan, std::uint64_t memory);

/// Sets the plan's bytes to what the solvers will take. `snapshots`: if the case needs them; there are none.
void plan_blocks(const PreparedBlocks& prepared, bool snapshots, Plan& plan);

}  // namespace fluvia::cuda
