// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <optional>

#include "fluvia/cuda/layout/block_nodes.hpp"
#include "fluvia/cuda/layout/boundary_arrays.hpp"
#include "fluvia/cuda/layout/halo_population_arrays.hpp"
#include "fluvia/cuda/layout/layout.hpp"
#include "fluvia/cuda/layout/scalars/scalar_arrays.hpp"
#include "fluvia/cuda/layout/scalars/scalar_messages.hpp"
#include "fluvia/cuda/program/specification.hpp"
#include "fluvia/cuda/solver/bodies/body_room.hpp"
#include "fluvia/cuda/solver/node_force_arrays.hpp"
#include "fluvia/solver/links/wall_links.hpp"
#include "fluvia/solver/solver.hpp"

namespace fluvia::cuda {

/// Everything that a GPU will be given, still on the host: what it takes is known before anything is allocated.
struct PreparedCase {
  Specification specification;
  SpecificationFacts facts;
  BoundarySetup setup;
  Block block;                     ///< all of the domain, if there are no others; without lists of what crosses
  std::optional<BlockNodes> part;  ///< what is stored of a domain in parts
  std::unique_ptr<Layout> layout;
  Layout::Extent extent;  ///< that of the layout
  BoundaryArrays boundaries;
  std::vector<std::uint32_t> first_nodes;                      ///< kernels::RoundingArguments::first_nodes
  WallLinks walls;                                             ///< by storage index; empty if all walls are half-way
  NodeForceArrays forces;                                      ///< by storage index; empty if no node has its own
  std::vector<ScalarArrays> scalars;                           ///< in the order of the plan
  NodeMap scalar_map;                                          ///< nodes that a part has scalars of: own ones, its halo
  std::vector<std::uint32_t> scalar_nodes;                     ///< storage index of each node, if there are scalars
  std::uint64_t first_scalar_node = 0;                         ///< the first own one of these
  HaloPopulationArrays scalars_leaving, scalars_arriving;      ///< at the ends of the messages of a part
  TouchedBlocks touched;                                       ///< where surfaces act on scalars
  std::vector<std::vector<kernels::MonitoredTile>> monitored;  ///< per surface
  struct MonitoredTile {
    std::uint32_t tile;    ///< canonical
    std::uint8_t faces;    ///< that share the force of its links, 0: not this one's (solver/links/shared_links.hpp)
    std::int8_t twelfths;  ///< of what passes
  };
  std::vector<std::vector<MonitoredTile>> monitored_tiles;  ///< likewise; a tile for each share
  std::vector<std::uint32_t> storage_indices;               ///< of own tiles
  struct StoredTile {
    std::uint32_t tile, storage_index;
  };
  std::vector<StoredTile> halo;                    ///< tiles of others with nodes that a part steps, too; ascending
  std::vector<kernels::SumPiece> pieces;           ///< of own tiles
  HaloPopulationArrays leaving, arriving;          ///< of a part
  std::vector<kernels::ForwardedValue> forwarded;  ///< of one of a level, if it is streamed
  /// Of own tiles: pairs with both ends in tiles of the border, which its step may let change places, and all others.
  ExchangedArrays exchanged_at_border, exchanged;
  std::vector<NodeArray> arrays;  ///< FlowState::arrays(), but for the row of bodies
  BodyRoom body_room;             ///< for bodies that move; none without them

  [[nodiscard]] std::uint64_t population_bytes() const { return extent.elements * facts.storage_bytes; }
  /// Bytes of host memory where populations wait for the first step.
  [[nodiscard]] std::uint64_t beginning_bytes() const { return extent.beginning * facts.storage_bytes; }
  [[nodiscard]] std::uint64_t geometry_bytes() const;
  [[nodiscard]] std::uint64_t boundary_bytes() const;
  /// Buffers for exchange with the host and other parts, and for sums.
  [[nodiscard]] std::uint64_t other_bytes() const {
    return references_bytes() + exchange_bytes() + summed_tiles_bytes() + sums_bytes() + leaving.buffer_bytes() +
           arriving.buffer_bytes();
  }
  [[nodiscard]] std::uint64_t total_bytes() const {
    return population_bytes() + scalar_bytes() + geometry_bytes() + boundary_bytes() + other_bytes();
  }
  /// What stays on the GPU of a block that is streamed, besides what all of them share.
  [[nodiscard]] std::uint64_t resident_bytes() const {
    return total_bytes() - population_bytes() - references_bytes() - exchange_bytes() +
           forwarded.size() * sizeof(kernels::ForwardedValue);
  }
  /// Bytes of the populations at one time that a part owns.
  [[nodiscard]] std::uint64_t own_population_bytes() const;
  /// Keys of the random bits of some steps.
  [[nodiscard]] std::uint64_t key_bytes() const;
  [[nodiscard]] std::uint64_t wall_bytes() const;
  [[nodiscard]] std::uint64_t body_bytes() const {
    return body_room.device_bytes(static_cast<std::uint64_t>(facts.arithmetic_bytes));
  }
  /// All of the scalars, and in how many parts they are summed at most.
  [[nodiscard]] std::uint64_t scalar_bytes() const;
  [[nodiscard]] std::uint64_t scalar_sums() const;
  [[nodiscard]] std::uint64_t references_bytes() const;
  [[nodiscard]] std::uint64_t exchange_bytes() const;
  [[nodiscard]] std::uint64_t summed_tiles_bytes() const;
  [[nodiscard]] std::uint64_t sums_bytes() const;
  /// Bytes of the populations at one time: all copies but those that only the steps before and after need.
  [[nodiscard]] std::uint64_t stored_bytes() const {
    return (extent.elements - extent.second) * static_cast<std::uint64_t>(facts.storage_bytes);
  }
  [[nodiscard]] std::uint64_t surface_bytes() const { return setup.surfaces.size() * sizeof(core::SurfaceState); }
  /// Bytes of the records of cut links, if velocities in them change from step to step.
  [[nodiscard]] std::uint64_t changing_bytes() const {
    return setup.changing.empty() ? 0 : boundaries.records.size() * sizeof(kernels::BoundaryRecord);
  }
  /// All arrays but populations.
  [[nodiscard]] std::uint64_t kept_bytes() const {
    return kept_numbers(arrays) * static_cast<std::uint64_t>(facts.arithmetic_bytes);
  }
  /// Where passes leave that after each of their steps, the last of which takes turns with what was before the first;
  /// and what surfaces have at these steps, if that changes.
  [[nodiscard]] std::uint64_t stages_bytes() const {
    const auto steps = static_cast<std::uint64_t>(specification.steps_per_pass);
    if (steps == 1) return 0;
    return steps * kept_bytes() + (specification.changes ? steps * (surface_bytes() + changing_bytes()) : 0);
  }
  /// What a state that stays while the solver steps on takes of the GPU, with its own way to the host.
  [[nodiscard]] std::uint64_t snapshot_bytes() const {
    return stored_bytes() + surface_bytes() + changing_bytes() + kept_bytes() + references_bytes() + exchange_bytes();
  }
  std::uint64_t tile_count = 0;
};

/// Steps, or passes of several, in a recorded graph; even.
inline constexpr int graph_passes = 16;
/// Nodes up to which a GPU replays recorded steps, which takes less time than launching their kernels one by one.
inline constexpr std::uint64_t most_graph_nodes = std::uint64_t{1} << 22;
/// Keys of random bits that the GPU has at a time: those of the steps in a graph.
constexpr int most_keys(const Specification& specification) {
  return graph_passes * specification.steps_per_pass;
}
/// Pieces of the tree of tiles that are summed by one block each: about so many, to keep a GPU busy.
inline constexpr std::uint64_t sum_blocks = 4096;
/// Tiles that are exchanged with the host at a time.
inline constexpr std::uint64_t chunk_tiles = 4096;

/// Tiles with monitored links of each surface: as kernels see them, and what is known of each of these.
struct MonitoredLinks {
  std::vector<std::vector<kernels::MonitoredTile>> on_gpu;
  std::vector<std::vector<PreparedCase::MonitoredTile>> tiles;
};
/// Finds them among own tiles. Links that several surfaces share are tiles by themselves.
MonitoredLinks find_monitored(const NodeMap& nodes, const BoundarySetup& setup, const TileRange& own,
                              const std::function<std::uint32_t(std::uint64_t)>& storage_index_of);
/// How many nodes with links each of the tiles has.
std::vector<std::uint32_t> nodes_with_links(const std::vector<kernels::MonitoredTile>& tiles);

/// `plan` names lattice, collision, equilibrium, scheme and format. Of one block, or of the whole domain if it is
/// null. Members of a communicator have a GPU each and prepare without the others. Throws Error(input).
PreparedCase prepare_case(const Problem& problem, const Plan& plan, const Block* block = nullptr);

/// Sets the plan's bytes to what the solver will take from a GPU with so many bytes free. `snapshots`: if the case
/// needs them; they are left out if little memory would be left.
void plan_memory(const PreparedCase& prepared, bool snapshots, std::uint64_t free_bytes, Plan& plan);

}  // namespace fluvia::cuda
