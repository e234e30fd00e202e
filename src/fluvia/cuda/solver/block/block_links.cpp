// SPDX-License-Identifier: Apache-2.0
// Cut links of a block that change while it runs.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "fluvia/base/error.hpp"
#include "fluvia/cuda/solver/block/live_copy.hpp"
#include "fluvia/cuda/solver/cuda_solver.hpp"
#include "fluvia/solver/links/link_table.hpp"

namespace fluvia::cuda {

template <class T>
void CudaSolver<T>::take_links(const LinkTable& table) {
  const std::vector<std::uint32_t> tiles = table.changed_since(links_version_);
  if (!tiles.empty()) {
    // Passes have the records of nodes in arrays of their own, and blocks number what they store by themselves.
    if (on_.layout->steps_per_pass() > 1 || on_.layout->completes_in_step())
      throw_input(
          fmt::format("scheme '{}' in passes of {} steps on a GPU cannot take other cut links while it runs; use "
                      "{}scheme \"pull\"",
                      plan_.scheme_name(), on_.layout->steps_per_pass(),
                      on_.layout->completes_in_step() ? "" : "numerics.steps_per_pass = 1 or "));
    if (flow_.streamed() != nullptr || !on_.block.neighbours.empty())
      throw_input("a domain in blocks on GPUs cannot take other cut links while it runs; use one GPU that holds it");
    if (snapshot_room_ && snapshot_room_->in_use)
      throw Error(ExitCode::internal, "cut links were to change while a snapshot is read");
    on_.device.make_current();
    on_.channel.stream.synchronize();
    boundaries_.take_links(table, tiles);
    readers_.take_links(table);
    graph_.reset();  // it has the addresses of what was there
  }
  links_version_ = table.version();
}

template <class T>
void BlockBoundaries<T>::take_links(const LinkTable& table, std::span<const std::uint32_t> tiles) {
  const Geometry& geometry = *on_.shared_geometry;
  const NodeMap& nodes = on_.nodes;
  const std::string& lattice = table.setup().lattice;
  const auto storage_index = [this](std::uint64_t tile) { return on_.storage_index_of(tile); };
  const auto wall_storage_index = [&](const Int3& node) { return on_.layout->wall_storage_index(nodes, node); };
  const bool has_walls = wall_blocks_.bytes() > 0;
  const auto too_sparse = [](std::size_t unused, std::size_t all) { return unused > all / 2; };
  LiveBoundaries::Changes changes;
  std::vector<Range> blocks, words;
  if (live_links_ &&
      !too_sparse(live_links_->boundaries.unused_records(), live_links_->boundaries.arrays().records.size()) &&
      !too_sparse(live_links_->walls.unused_words(), live_links_->walls.words.size())) {
    const BoundarySetup part = table.setup_of(tiles);
    std::vector<std::uint32_t> indices;
    std::vector<std::uint64_t> at_walls;
    for (const std::uint32_t tile : tiles) {
      indices.push_back(storage_index(tile));
      for (std::uint64_t bits = nodes.tiles[tile].mask; has_walls && bits != 0; bits &= bits - 1)
        at_walls.push_back(wall_storage_index(nodes.node_position(nodes.tiles[tile], std::countr_zero(bits))));
    }
    std::sort(indices.begin(), indices.end());
    changes =
        live_links_->boundaries.replace(indices, make_boundary_arrays(part, node_records(part), {}, storage_index));
    if (has_walls) {
      WallLinks& walls = live_links_->walls;
      for (const std::uint64_t block :
           walls.replace(std::move(at_walls), geometry, table.links_of(tiles).walls, wall_storage_index)) {
        blocks.push_back({block, 1});
        if (const std::size_t size = walls.record_words(block); size > 0) words.push_back({walls.first[block], size});
      }
    }
  } else {
    std::vector<NodeRecord> records = node_records(table.setup());
    FitTables fits = plane_fits(table.setup(), records);
    live_links_.emplace(LiveLinks{
        LiveBoundaries(make_boundary_arrays(table.setup(), std::move(records), std::move(fits), storage_index)),
        has_walls
            ? make_wall_links(geometry, lattice, table.walls(), on_.layout->wall_storage_indices(), wall_storage_index)
            : WallLinks{}});
    const BoundaryArrays& all = live_links_->boundaries.arrays();
    changes = {{{0, all.records.size()}}, {{0, all.first_records.size()}}, {{0, all.tiles.size()}}};
    blocks = {{0, live_links_->walls.first.size()}};
    words = {{0, live_links_->walls.words.size()}};
  }
  const auto update = [&](const auto& values, std::vector<Range> changed, std::string_view purpose,
                          DeviceBuffer& copy) {
    update_copy(on_.device, on_.channel.stream, values, std::move(changed), purpose, copy);
  };
  const BoundaryArrays& arrays = live_links_->boundaries.arrays();
  update(arrays.records, std::move(changes.records), "boundary records", records_);
  update(arrays.first_records, std::move(changes.first_records), "boundary nodes", first_records_);
  update(arrays.tiles, std::move(changes.tiles), "boundary tiles", tiles_);
  known_.records = records_.template data<kernels::BoundaryRecord>();
  known_.first_records = first_records_.template data<kernels::Uint32>();
  known_.tiles = tiles_.template data<kernels::BoundaryTile>();
  known_.tile_count = static_cast<std::uint32_t>(arrays.tiles.size());
  carried_ = table.setup().carried;
  forget_values_ahead();
  if (!has_walls) return;
  update(live_links_->walls.first, std::move(blocks), "blocks of walls", wall_blocks_);
  update(live_links_->walls.words, std::move(words), "distances of walls", wall_words_);
  walls_.first = wall_blocks_.template data<core::Uint32>();
  walls_.words = wall_words_.template data<core::Uint32>();
  correction_.weight = supply_weight(geometry, lattice, table.walls());
}

/// Takes the monitored links of surfaces that may move, on which the force on a moving body is measured.
template <class T>
void BlockReaders<T>::take_links(const LinkTable& table) {
  const MonitoredLinks all = find_monitored(on_.nodes, table.setup(), on_.block.tiles,
                                            [this](std::uint64_t tile) { return on_.storage_index_of(tile); });
  std::size_t most = 0;
  for (std::size_t s = 0; s < monitored_.size(); ++s) {
    const std::vector<kernels::MonitoredTile>& tiles = all.on_gpu[s];
    most = std::max(most, tiles.size());
    if (!is_movable(core::boundary_facts(table.setup().surfaces[s].kind))) continue;
    update_copy(on_.device, on_.channel.stream, tiles, {{0, tiles.size()}}, "monitored links", monitored_[s].on_gpu);
    monitored_[s].tiles = all.tiles[s];
    monitored_[s].nodes = nodes_with_links(tiles);
  }
  if (const std::size_t bytes = most * sizeof(kernels::LinkSums); bytes > sums_.bytes())
    sums_ = DeviceBuffer(on_.device, bytes + bytes / 4, "sums");
}

template void CudaSolver<float>::take_links(const LinkTable&);
template void CudaSolver<double>::take_links(const LinkTable&);
template void BlockBoundaries<float>::take_links(const LinkTable&, std::span<const std::uint32_t>);
template void BlockBoundaries<double>::take_links(const LinkTable&, std::span<const std::uint32_t>);
template void BlockReaders<float>::take_links(const LinkTable&);
template void BlockReaders<double>::take_links(const LinkTable&);

}  // namespace fluvia::cuda
