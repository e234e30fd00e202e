// SPDX-License-Identifier: Apache-2.0
// What a flow consists of from step to step, as a list of arrays: code that saves, loads, gathers or copies a state
// goes through the list, and knows no array by its name. docs/adding-a-scalar.md says what a new row takes.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "fluvia/geometry/map/node_map.hpp"

namespace fluvia {

struct BoundarySetup;
struct Distribution;
struct NodeRecord;
struct ScalarMethod;

/// How the numbers of an array are stored.
enum class NumberType : std::uint8_t {
  storage_format,  ///< populations in the storage format of the plan (Plan::format)
  as_computed,     ///< kept, saved, loaded and written in files as kernels compute, fp32 or fp64
  arithmetic       ///< kept as kernels compute, fp32 or fp64; saved, loaded and written in files as fp64
};

/// Which nodes an array has numbers of.
enum class Over : std::uint8_t {
  fluid_nodes,     ///< all, one number of each component a node
  stateful_nodes,  ///< nodes with boundary conditions or sponges that keep numbers, each as many as these need
  level_nodes,     ///< fluid nodes of one level of refinement, in its own canonical order
  solid_nodes,     ///< nodes of solids in which a scalar spreads, in their own order; all with the first tile
  bodies,          ///< no nodes: a number of each component for each body that moves; all with the first tile
  walls  ///< no nodes: likewise for each surface between two levels of refinement on which forces are measured
};

/// Consecutive numbers of one component, in canonical order.
struct EntryRange {
  std::uint64_t first = 0, count = 0;
};

/// Numbers that a flow keeps of its nodes from step to step: one row of FlowState::arrays(). Each component has them in
/// canonical order of the nodes.
struct NodeArray {
  std::string name;  ///< name of the array, and of its dataset in checkpoints
  int components = 1;
  NumberType number = NumberType::arithmetic;
  Over over = Over::fluid_nodes;
  bool exchanged = true;     ///< steps read numbers of nodes that another part of the domain owns, which sends them
  bool checkpointed = true;  ///< a run that goes on from a checkpoint needs it
  bool dispensable = false;  ///< it goes on without, too, as from checkpoints of earlier versions
  std::uint64_t size = 0;    ///< numbers of one component in the whole domain
  /// A tile whose numbers begin at `entry`.
  struct Start {
    std::uint64_t tile, entry;
  };
  std::vector<Start> starts{};  ///< the tiles that have numbers, ascending; empty of Over::fluid_nodes

  /// The numbers of one component in tiles [first_tile, first_tile + tile_count). `nodes`: the map of the whole domain.
  [[nodiscard]] EntryRange entries(const NodeMap& nodes, std::uint64_t first_tile, std::uint64_t tile_count) const;
  /// The format in which numbers are saved, loaded and written, if populations are stored in `storage_format`.
  [[nodiscard]] std::string format(const std::string& storage_format) const;
};

/// One component of one array, for the nodes of tiles [first_tile, first_tile + tile_count).
struct ArrayRange {
  std::size_t array;  ///< row in FlowState::arrays()
  int component;
  std::uint64_t first_tile, tile_count;
};

/// Rows that every flow has. Component i of the populations is direction i of the lattice.
inline constexpr std::size_t flow_populations = 0, condition_numbers = 1;

/// The rows of a state: the populations of each distribution, that of the flow first, and what boundary conditions
/// keep. The only function that knows which rows there are. `records`: node_records(setup).
std::vector<NodeArray> make_node_arrays(const NodeMap& nodes, const std::vector<Distribution>& distributions,
                                        const BoundarySetup& setup, const std::vector<NodeRecord>& records);

/// Appends a row for the populations of each scalar; a solver that steps them saves and loads them.
void append_scalar_arrays(const NodeMap& nodes, const std::vector<ScalarMethod>& scalars,
                          std::vector<NodeArray>& arrays);
/// Appends a row for the populations of a scalar at so many nodes of solids.
void append_solid_array(const ScalarMethod& scalar, std::uint64_t solid_nodes, std::vector<NodeArray>& arrays);
/// Appends a row of so many numbers for each of some bodies, if there are any (solver/bodies/body_state.hpp).
void append_body_array(int bodies, int numbers, std::vector<NodeArray>& arrays);

/// A row for the momentum that surfaces got in the last step between levels of refinement, and its moment about the
/// corner of the box; so many of both together.
NodeArray wall_force_array(std::size_t walls);

/// How many numbers backends keep of all arrays together, except those in the storage format.
std::uint64_t kept_numbers(std::span<const NodeArray> arrays);

}  // namespace fluvia
