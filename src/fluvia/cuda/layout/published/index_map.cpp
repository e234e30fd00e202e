// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cuda/layout/published/index_map.hpp"

#include <fmt/format.h>

#include "fluvia/base/error.hpp"
#include "fluvia/case/physics/registered_physics.hpp"
#include "fluvia/core/published/half_box.hpp"
#include "fluvia/cuda/layout/boundary_arrays.hpp"
#include "fluvia/solver/links/cut_links.hpp"

namespace fluvia::cuda {

namespace {

/// Where every node is stored, one that is not fluid can be read like any other, but for nothing. Of 256^3 nodes in
/// D3Q19 fp32 with spheres of 40 nodes between, `pull`, which does so, was 2% faster on an H100 than `soa-pull`, which
/// then waited, where 0.9 of the nodes were fluid, and 8% slower where a half was.
bool reads_ahead(const NodeMap& nodes, const Scheme& scheme) {
  using enum core::Addressing;
  constexpr double enough = 0.75;
  return (scheme.addressing == array_of_structures || scheme.addressing == structure_of_arrays) &&
         static_cast<double>(nodes.fluid_nodes) >= enough * static_cast<double>(nodes.box_nodes());
}

}  // namespace

IndexMapLayout::IndexMapLayout(const NodeMap& nodes, Specification& s)
    : threads_(static_cast<unsigned>(s.threads)),
      specification_(s),
      arrays_(make_index_map_arrays(nodes, s.scheme, facts_of_lattice(s.lattice).velocities, s.tile)),
      bytes_(arrays_.bytes()),
      row_(static_cast<unsigned>(arrays_.count.visited / (static_cast<std::uint64_t>(nodes.size[1]) * nodes.size[2]))),
      block_(goes_in_rows(s) ? block_of_rows(threads_, static_cast<unsigned>(s.rows), row_) : Dimensions{}) {
  constexpr unsigned most_blocks = 65535;  // along y
  if (block_.y > 0 && nodes.size[1] > static_cast<int>(most_blocks * block_.y))
    throw_input(fmt::format(
        "numerics.gpu_rows: blocks of {} rows go through at most {} rows of a box along y, this one has {}; "
        "use a scheme whose blocks have none, such as soa-pull or t2c",
        block_.y, most_blocks * block_.y, nodes.size[1]));
  const std::uint64_t tiles = numbers_fluid_tiles(arrays_) ? nodes.tiles.size() : nodes.directory.size();
  box_ = {0, 0, arrays_.tables(nodes), static_cast<std::uint32_t>(tiles), nullptr, nullptr};
  s.reads_ahead = specification_.reads_ahead = reads_ahead(nodes, s.scheme);
}

Layout::Extent IndexMapLayout::extent() const {
  const auto copies = static_cast<std::uint64_t>(specification_.scheme.copies);
  return {copies * arrays_.count.elements, (copies - 1) * arrays_.count.elements};
}

std::uint32_t IndexMapLayout::storage_index_of(const NodeMap& nodes, std::uint64_t tile) const {
  return numbers_fluid_tiles(arrays_) ? static_cast<std::uint32_t>(tile) : Layout::storage_index_of(nodes, tile);
}

std::uint64_t IndexMapLayout::tile_at(const NodeMap& nodes, std::uint64_t storage_index) const {
  return numbers_fluid_tiles(arrays_) ? storage_index : Layout::tile_at(nodes, storage_index);
}

std::uint64_t IndexMapLayout::wall_storage_index(const NodeMap& nodes, const Int3& x) const {
  return stored_node_of(arrays_, nodes, x);
}

std::vector<std::uint32_t> IndexMapLayout::first_nodes(const NodeMap& nodes) const {
  return nodes_of_stored(arrays_, nodes);
}

/// Schemes that complete boundaries in their steps store the nodes of the box, row by row.
void IndexMapLayout::mark_conditions(const BoundaryArrays& boundaries) {
  specification_.conditions = boundaries.conditions;
  if (!completes_in_step()) return;
  const core::IndexTables& tables = box_.tables;
  const int dimension = facts_of(specification_).dimension;
  const Int3 shape = tile_shape(dimension);
  Int3 tiles;
  for (int axis = 0; axis < 3; ++axis)
    tiles[axis] = (static_cast<int>(tables.size[axis]) + shape[axis] - 1) / shape[axis];
  segments_.assign((tables.stored + kernels::segment_nodes - 1) / kernels::segment_nodes, kernels::none);
  for_each_first_record(boundaries, tiles, dimension, [&](const Int3& x, std::uint32_t record) {
    const std::uint64_t stored_node = static_cast<std::uint64_t>(x[0]) +
                                      std::uint64_t{tables.size[0]} * (x[1] + std::uint64_t{tables.size[1]} * x[2]);
    arrays_.types[stored_node] = core::fluid_node | core::node_with_conditions;
    std::uint32_t& block = segments_[stored_node / kernels::segment_nodes];
    if (block == kernels::none) {
      block = static_cast<std::uint32_t>(records_.size() / kernels::segment_nodes);
      records_.resize(records_.size() + kernels::segment_nodes, kernels::none);
    }
    records_[std::size_t{block} * kernels::segment_nodes + stored_node % kernels::segment_nodes] = record;
  });
  bytes_ = arrays_.bytes() + (segments_.size() + records_.size()) * sizeof(std::uint32_t);
}

void IndexMapLayout::place_arrays(ArrayStore& store) {
  core::IndexTables& tables = box_.tables;
  tables.types = store.give(arrays_.types, "types of nodes");
  tables.index = store.give(arrays_.index, "indices of nodes");
  tables.tiles = store.give(arrays_.tiles, "tiles");
  tables.buffers = store.give(arrays_.buffers, "indices of ghost buffers");
  box_.segments = store.give(segments_, "segments with conditions");
  box_.records = store.give(records_, "nodes with conditions");
  arrays_.types = {};
  arrays_.index = arrays_.tiles = arrays_.buffers = {};
  segments_ = records_ = {};
}

kernels::IndexMapBox IndexMapLayout::box(const StepAddresses& at) const {
  kernels::IndexMapBox box = box_;
  box.source = at.source;
  box.target = at.target;
  arrays_.count.ghosts.locate(box.tables, at.update);
  return box;
}

LaunchShape IndexMapLayout::step_shape(const core::IndexTables& tables) const {
  if (!goes_in_rows(specification_)) return blocks_of(threads_, tables.visited);
  return {{(row_ + block_.x - 1) / block_.x, (tables.size[1] + block_.y - 1) / block_.y, tables.size[2]}, block_};
}

void IndexMapLayout::append_step(const StepAddresses& at, StepShare, Program& program) const {
  const kernels::IndexMapBox box = this->box(at);
  unsigned ghost_blocks = 0;  // each has ghost cells across one set of axes
  for (const std::uint64_t cells : arrays_.count.ghosts.cells_across)
    ghost_blocks += blocks_of(threads_, cells).blocks.x;
  if (ghost_blocks > 0)
    program.push_back({.kernel = KernelKind::ghost_cells,
                       .shape = {{ghost_blocks}, {threads_}},
                       .geometry = Argument(box),
                       .takes_physics = false,
                       .part = &StepTimes::ghost});
  program.push_back({.shape = step_shape(box.tables), .geometry = Argument(box)});
}

void TwoKernelLayout::append_step(const StepAddresses& at, StepShare, Program& program) const {
  const kernels::IndexMapBox box = this->box(at);
  program.push_back({.shape = blocks_of(threads_, box.tables.stored), .geometry = Argument(box)});
  program.push_back({.kernel = KernelKind::propagate,
                     .shape = blocks_of(threads_, box.tables.visited),
                     .geometry = Argument(box),
                     .takes_physics = false});
}

namespace {
Specification& with_row_threads(const NodeMap& nodes, Specification& s) {
  s.threads = row_threads(s, (nodes.size[0] + 1) / 2);
  return s;
}
}  // namespace

RowBlockLayout::RowBlockLayout(const NodeMap& nodes, Specification& s)
    : IndexMapLayout(nodes, with_row_threads(nodes, s)) {}

void RowBlockLayout::append_step(const StepAddresses& at, StepShare, Program& program) const {
  const kernels::IndexMapBox box = this->box(at);
  const unsigned rows = threads_ / core::HalfBox::row(box.tables);
  program.push_back(
      {.shape = {{(box.tables.size[1] + rows - 1) / rows, box.tables.size[2]}, {threads_}}, .geometry = Argument(box)});
}

}  // namespace fluvia::cuda
