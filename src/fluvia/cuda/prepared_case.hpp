// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/cuda/layout.hpp"
#include "fluvia/cuda/slabs.hpp"
#include "fluvia/cuda/specification.hpp"
#include "fluvia/solver/site_layout.hpp"
#include "fluvia/solver/solver.hpp"
#include "fluvia/solver/wall_links.hpp"

namespace fluvia::cuda {

/// Everything that a GPU will be given, still on the host: what it takes is known before anything is allocated.
struct PreparedCase {
  Specification specification;
  SpecificationFacts facts;
  BoundarySetup setup;
  DenseLayout dense;  ///< one of the three
  CompactLayout compact;
  SiteLayout sites;
  Slabs slabs;  ///< none if all of the domain is on the GPU
  BoundaryLayout boundaries;
  std::vector<std::uint32_t> first_nodes;  ///< kernels::RoundingArguments::first_nodes
  WallLinks walls;                         ///< by places of the storage; empty if all walls are half-way
  SlidePlan slide;
  std::uint64_t population_elements = 0;  ///< all copies, with the room to slide
  std::uint64_t second_offset = 0;        ///< elements between the two places that populations alternate between; or 0
  std::vector<std::vector<kernels::MonitoredTile>> monitored;  ///< per surface

  [[nodiscard]] std::uint64_t population_bytes() const { return population_elements * facts.storage_bytes; }
  [[nodiscard]] std::uint64_t geometry_bytes() const;
  [[nodiscard]] std::uint64_t boundary_bytes() const;
  /// Buffers for exchange with the host and for sums.
  [[nodiscard]] std::uint64_t other_bytes() const { return references_bytes() + exchange_bytes() + sums_bytes(); }
  [[nodiscard]] std::uint64_t total_bytes() const {
    return population_bytes() + geometry_bytes() + boundary_bytes() + other_bytes();
  }
  [[nodiscard]] std::uint64_t counter_bytes() const;
  /// Keys of the random bits of some steps.
  [[nodiscard]] std::uint64_t key_bytes() const;
  /// What the second cache shall fetch at a time. A slot of a full tile in 16 bits is 128 bytes, of which tiles above
  /// and below read 32; measured, see docs/performance.md.
  [[nodiscard]] std::size_t fetch_bytes() const;
  [[nodiscard]] std::uint64_t references_bytes() const;
  [[nodiscard]] std::uint64_t exchange_bytes() const;
  [[nodiscard]] std::uint64_t sums_bytes() const;
  /// Of the populations at one time: all copies but those that only the steps before and after need.
  [[nodiscard]] std::uint64_t placed_bytes() const {
    return (population_elements - second_offset) * static_cast<std::uint64_t>(facts.storage_bytes);
  }
  [[nodiscard]] std::uint64_t surface_bytes() const { return setup.surfaces.size() * sizeof(core::SurfaceState); }
  /// Of the records of cut links, if velocities in them change from step to step.
  [[nodiscard]] std::uint64_t changing_bytes() const {
    return setup.changing.empty() ? 0 : boundaries.records.size() * sizeof(kernels::BoundaryRecord);
  }
  /// What conditions keep from step to step.
  [[nodiscard]] std::uint64_t memory_bytes() const {
    return boundaries.memory * static_cast<std::uint64_t>(facts.arithmetic_bytes);
  }
  /// What a state that stays while the solver steps on takes of the GPU, with its own way to the host.
  [[nodiscard]] std::uint64_t snapshot_bytes() const {
    return placed_bytes() + surface_bytes() + changing_bytes() + memory_bytes() + references_bytes() + exchange_bytes();
  }
  /// Place of a canonical tile in the order of the GPU.
  [[nodiscard]] std::uint32_t place_of(const NodeMap& nodes, std::uint64_t tile) const;
  std::uint64_t tile_count = 0;
};

/// True if kernels know tiles by their number among those with fluid, false if by their number in the box.
inline bool numbers_fluid_tiles(const Scheme& scheme) {
  return scheme.is_compact() || scheme.addressing == core::Addressing::matrix;
}

/// Steps of a recorded graph, and keys of random bits that the GPU has at a time; even.
inline constexpr int graph_steps = 16;
/// Blocks, and so partial sums, of sums over all nodes.
inline constexpr unsigned sum_blocks = 2048;
/// Tiles that are exchanged with the host at a time.
inline constexpr std::uint64_t chunk_tiles = 4096;

/// `plan` names lattice, collision, equilibrium, scheme and format. Throws Error(input).
PreparedCase prepare_case(const Case& c, const Units& units, const Geometry& geometry, const Plan& plan);

/// Cuts a case whose scheme allows it into so many slabs that take turns on the GPU.
void cut_into_slabs(PreparedCase& prepared, const NodeMap& nodes, std::uint64_t count);
/// The same with the fewest slabs that need no more than `memory` bytes; the most there can be if none are few enough.
/// Leaves cases alone that fit or cannot be cut.
void cut_to_fit(PreparedCase& prepared, const NodeMap& nodes, std::uint64_t memory);

/// Sets the plan's bytes to what the solver will take from a GPU with so many bytes free. `snapshots`: if the case
/// needs them; they are left out if little memory would be left.
void plan_memory(const PreparedCase& prepared, bool snapshots, std::uint64_t free_bytes, Plan& plan);

}  // namespace fluvia::cuda
