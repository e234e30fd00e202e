// SPDX-License-Identifier: Apache-2.0
// What a GPU is given of a scalar: ScalarWays by the storage indices of the flow's nodes, so that a thread that steps a
// node finds all that it has to without looking anything up where the way is the same as everywhere. Nodes of solids
// are behind these, ordered by their materials (kernels::CarriedScalar).
#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "fluvia/cuda/kernels/arguments.hpp"
#include "fluvia/initial/scalar_fields.hpp"
#include "fluvia/solver/scalars/scalar_links.hpp"
#include "fluvia/solver/scalars/scalar_nodes.hpp"

namespace fluvia::cuda {

struct ScalarArrays {
  ScalarMethod method;
  std::vector<ScalarAtSurface> surfaces;
  ScalarSolids solids;
  std::vector<kernels::ScalarBlock> blocks;     ///< of the flow, then of solids
  std::vector<std::uint32_t> places;            ///< kernels::CarriedScalar::places
  std::vector<int> regular;                     ///< by direction
  std::vector<ScalarCutLink> cuts;              ///< with numbers of kernels for nodes; in canonical order
  std::vector<ScalarJoint> joints;              ///< with elements of memory for places
  std::vector<ScalarBorder> borders;            ///< likewise, by Block::neighbours; of levels without joints
  std::vector<float> volume, strength;          ///< by number of the node, by storage index; empty: 1 everywhere
  std::vector<double> source;                   ///< by number of the node, what is added in a step; empty: none
  std::vector<std::uint32_t> solid_nodes;       ///< number of each node of solids
  std::vector<std::uint32_t> solid_places;      ///< kernels::CarriedScalar::solid_places
  std::vector<std::uint8_t> material_of_block;  ///< of solids
  std::uint64_t storage_indices = 0;            ///< of the flow
  std::uint32_t besides = 0;                    ///< elements of memory of no node (ScalarWays::besides)

  /// `storage`: the storage index of each of the nodes; `storage_indices`: how many there are. Throws Error(resource)
  /// where places outgrow 32 bits, Error(input) as make_scalar_solids does.
  ScalarArrays(const Problem& problem, std::size_t scalar, const ScalarMethod& of, const ScalarNodes& nodes,
               std::span<const std::uint32_t> storage, std::uint64_t storage_indices);

  /// Lists what passes to other levels of refinement, too, where a block has this scalar, of so many, as a neighbour.
  /// `storage_index_of`: of a node.
  void take_levels(const Block& block, std::size_t scalar, const NodeMap& all,
                   const std::function<std::uint32_t(const Int3&)>& storage_index_of);
  /// Blocks of nodes of the flow, which are the first.
  [[nodiscard]] std::uint64_t flow_blocks() const { return (storage_indices + block_nodes - 1) / block_nodes; }
  /// Those of the solid with this number in ScalarMethod::solids.
  struct Blocks {
    std::uint32_t first, end;
  };
  [[nodiscard]] Blocks blocks_of(std::size_t solid) const;
  /// Room for nodes of solids.
  [[nodiscard]] std::uint64_t solid_room() const { return material_of_block.size() * block_nodes; }
  /// Joints across borders.
  [[nodiscard]] std::uint64_t border_joints() const {
    std::uint64_t count = 0;
    for (const ScalarBorder& border : borders) count += border.joints.size();
    return count;
  }
  /// Numbers of joints between solids and the fluid of other parts.
  [[nodiscard]] std::vector<std::uint32_t> elsewhere() const {
    std::vector<std::uint32_t> numbers;
    for (const ScalarBorder& border : borders)
      numbers.insert(numbers.end(), border.at_solids.begin(), border.at_solids.end());
    return numbers;
  }
  /// How many numbers a copy of the populations has.
  [[nodiscard]] std::uint64_t elements() const { return elements_of_nodes() + besides; }
  /// Numbers of nodes end there.
  [[nodiscard]] std::uint64_t node_numbers() const {
    return solid_room() == 0 ? storage_indices : kernels::first_solid_node(storage_indices) + solid_room();
  }
  /// What they and the populations take with numbers of so many bytes.
  [[nodiscard]] std::uint64_t bytes(int arithmetic_bytes) const;

 private:
  static constexpr std::uint64_t block_nodes = kernels::nodes_per_tile;
  [[nodiscard]] std::uint64_t elements_of_nodes() const { return regular.size() * (storage_indices + solid_room()); }
  void require_numbers() const;
  void number_solids();
  void take_ways(ScalarWays ways, const ScalarNodes& of, std::span<const std::uint32_t> storage);
  void list_places(const ScalarWays& ways, const ScalarNodes& of, std::span<const std::uint32_t> storage);
};

/// Writes what `fields` adds in a step to `source`, by number of the node.
void take_sources(const ScalarFields& fields, const NodeMap& nodes, std::span<const std::uint32_t> storage,
                  std::vector<double>& source);
/// Likewise in solids, whose nodes have these numbers.
void take_solid_sources(const ScalarFields& fields, const ScalarMethod& scalar, const ScalarSolids& solids,
                        std::span<const std::uint32_t> solid_nodes, std::vector<double>& source);

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
