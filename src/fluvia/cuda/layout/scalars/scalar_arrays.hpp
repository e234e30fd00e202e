// SPDX-License-Identifier: Apache-2.0
// What a GPU is given of a scalar: ScalarWays by the storage indices of the flow's nodes, so that a thread that steps a
// node finds all that it has to without looking anything up where the way is the same as everywhere.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "fluvia/cuda/kernels/arguments.hpp"
#include "fluvia/initial/scalar_fields.hpp"
#include "fluvia/solver/scalars/scalar_links.hpp"

namespace fluvia::cuda {

struct ScalarArrays {
  ScalarMethod method;
  std::vector<ScalarAtSurface> surfaces;
  std::vector<kernels::ScalarBlock> blocks;
  std::vector<std::uint32_t> places;    ///< kernels::CarriedScalar::places
  std::vector<int> regular;             ///< by direction
  std::vector<ScalarCutLink> cuts;      ///< with storage indices for nodes; in canonical order
  std::vector<ScalarJoint> joints;      ///< with storage indices in places
  std::vector<float> volume, strength;  ///< by storage index; empty: 1 everywhere
  std::vector<double> source;           ///< by storage index, what is added in a step; empty: none
  std::uint64_t storage_indices = 0;

  /// `storage`: the storage index of each fluid node in canonical order; `storage_indices`: how many there are. Throws
  /// Error(resource) where places outgrow 32 bits.
  ScalarArrays(const Problem& problem, std::size_t scalar, const ScalarMethod& of,
               std::span<const std::uint32_t> storage, std::uint64_t storage_indices);

  /// What they and the populations take with numbers of so many bytes.
  [[nodiscard]] std::uint64_t bytes(int arithmetic_bytes) const;
};

/// Writes what `fields` adds in a step to `source`, by storage index.
void take_sources(const ScalarFields& fields, const NodeMap& nodes, std::span<const std::uint32_t> storage,
                  std::vector<double>& source);

/// For each block of 64 storage indices its number among those with cut links of any scalar, or kernels::none; and how
/// many these are.
struct TouchedBlocks {
  std::vector<std::uint32_t> numbers;
  std::uint32_t count = 0;

  TouchedBlocks() = default;
  explicit TouchedBlocks(const std::vector<ScalarArrays>& scalars);
  /// What the velocities of these blocks take with numbers of so many bytes.
  [[nodiscard]] std::uint64_t bytes(std::size_t arithmetic_bytes) const {
    return std::uint64_t{count} * (3 * kernels::nodes_per_tile) * arithmetic_bytes;
  }
};

}  // namespace fluvia::cuda
