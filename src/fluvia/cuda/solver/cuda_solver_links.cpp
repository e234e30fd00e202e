// SPDX-License-Identifier: Apache-2.0
// CudaSolver: cut links that change while it runs.
#include <fmt/format.h>

#include "fluvia/base/error.hpp"
#include "fluvia/cuda/solver/cuda_solver_impl.hpp"
#include "fluvia/cuda/solver/live_copy.hpp"
#include "fluvia/solver/links/link_table.hpp"

namespace fluvia::cuda {

template <class T>
void CudaSolver<T>::take_links(const LinkTable& table) {
  const std::vector<std::uint32_t> tiles = table.changed_since(links_version_);
  if (!tiles.empty()) {
    // Passes have the records of nodes in arrays of their own, and parts number what they store by themselves.
    if (layout_->steps_per_pass() > 1 || layout_->completes_in_step())
      throw_input(
          fmt::format("scheme '{}' in passes of {} steps on a GPU cannot take other cut links while it runs; use "
                      "numerics.steps_per_pass = 1 or scheme \"pull\"",
                      plan_.scheme, layout_->steps_per_pass()));
    if (parts_.size() > 1 || visiting_ || !subdomain_.neighbours.empty())
      throw_input("a domain in parts on GPUs cannot take other cut links while it runs; use one GPU that holds it");
    if (snapshot_buffers_ && snapshot_buffers_->in_use)
      throw Error(ExitCode::internal, "cut links were to change while a snapshot is read");
    device_.make_current();
    channel_.stream.synchronize();
    take_boundaries(table, tiles);
    take_monitored(table);
    carried_ = table.setup().carried;
    graph_.reset();  // it has the addresses of what was there
    forget_values_ahead();
  }
  links_version_ = table.version();
}

template <class T>
void CudaSolver<T>::take_boundaries(const LinkTable& table, std::span<const std::uint32_t> tiles) {
  const NodeMap& nodes = geometry_.nodes;
  const auto place = [this](std::uint64_t tile) { return place_of(tile); };
  const auto wall_place = [&](const Int3& node) { return layout_->wall_storage_index(nodes, node); };
  const bool has_walls = wall_blocks_.bytes() > 0;
  const auto too_sparse = [](std::size_t unused, std::size_t all) { return unused > all / 2; };
  LiveBoundaries::Changes changes;
  std::vector<Range> blocks, words;
  if (live_links_ &&
      !too_sparse(live_links_->boundaries.unused_records(), live_links_->boundaries.arrays().records.size()) &&
      !too_sparse(live_links_->walls.unused_words(), live_links_->walls.words.size())) {
    const BoundarySetup part = table.setup_of(tiles);
    std::vector<std::uint32_t> places;
    std::vector<std::uint64_t> at_walls;
    for (const std::uint32_t tile : tiles) {
      places.push_back(place(tile));
      for (std::uint64_t bits = nodes.tiles[tile].mask; has_walls && bits != 0; bits &= bits - 1)
        at_walls.push_back(wall_place(nodes.node_position(nodes.tiles[tile], std::countr_zero(bits))));
    }
    std::sort(places.begin(), places.end());
    changes = live_links_->boundaries.replace(places, make_boundary_arrays(part, node_records(part), {}, place));
    if (has_walls) {
      WallLinks& walls = live_links_->walls;
      for (const std::uint64_t block :
           walls.replace(std::move(at_walls), geometry_, table.links_of(tiles).walls, wall_place)) {
        blocks.push_back({block, 1});
        if (const std::size_t size = walls.record_words(block); size > 0) words.push_back({walls.first[block], size});
      }
    }
  } else {
    std::vector<NodeRecord> records = node_records(table.setup());
    FitTables fits = plane_fits(table.setup(), records);
    live_links_.emplace(LiveLinks{
        LiveBoundaries(make_boundary_arrays(table.setup(), std::move(records), std::move(fits), place)),
        has_walls
            ? make_wall_links(geometry_, plan_.lattice, table.walls(), layout_->wall_storage_indices(), wall_place)
            : WallLinks{}});
    const BoundaryArrays& all = live_links_->boundaries.arrays();
    changes = {{{0, all.records.size()}}, {{0, all.first_records.size()}}, {{0, all.tiles.size()}}};
    blocks = {{0, live_links_->walls.first.size()}};
    words = {{0, live_links_->walls.words.size()}};
  }
  const auto update = [&](const auto& values, std::vector<Range> changed, std::string_view purpose,
                          DeviceBuffer& copy) {
    update_copy(device_, channel_.stream, values, std::move(changed), purpose, copy);
  };
  const BoundaryArrays& arrays = live_links_->boundaries.arrays();
  update(arrays.records, std::move(changes.records), "boundary records", boundary_records_);
  update(arrays.first_records, std::move(changes.first_records), "boundary nodes", boundary_nodes_);
  update(arrays.tiles, std::move(changes.tiles), "boundary tiles", boundary_tiles_);
  kernels::Boundaries& boundaries = parts_.front().boundaries;
  boundaries.records = boundary_records_.template data<kernels::BoundaryRecord>();
  boundaries.first_records = boundary_nodes_.template data<kernels::Uint32>();
  boundaries.tiles = boundary_tiles_.template data<kernels::BoundaryTile>();
  boundaries.tile_count = static_cast<std::uint32_t>(arrays.tiles.size());
  physics_.boundaries = boundaries;
  if (!has_walls) return;
  update(live_links_->walls.first, std::move(blocks), "blocks of walls", wall_blocks_);
  update(live_links_->walls.words, std::move(words), "distances of walls", wall_words_);
  physics_.walls.first = wall_blocks_.template data<core::Uint32>();
  physics_.walls.words = wall_words_.template data<core::Uint32>();
  wall_mass_correction_.weight = supply_weight(geometry_, plan_.lattice, table.walls());
}

/// Those of surfaces that may move, which are what is measured on a moving body.
template <class T>
void CudaSolver<T>::take_monitored(const LinkTable& table) {
  const MonitoredLinks all = find_monitored(geometry_.nodes, table.setup(), subdomain_.tiles,
                                            [this](std::uint64_t tile) { return place_of(tile); });
  std::size_t most = 0;
  for (std::size_t s = 0; s < surfaces_.size(); ++s) {
    const std::vector<kernels::MonitoredTile>& tiles = all.on_gpu[s];
    most = std::max(most, tiles.size());
    if (!is_movable(core::boundary_facts(surfaces_[s].kind))) continue;
    update_copy(device_, channel_.stream, tiles, {{0, tiles.size()}}, "monitored links", monitored_links_[s]);
    parts_.front().monitored[s] = {monitored_links_[s].template data<kernels::MonitoredTile>(),
                                   static_cast<unsigned>(tiles.size()), 0};
    monitored_[s].tiles = all.tiles[s];
    monitored_[s].nodes = nodes_with_links(tiles);
  }
  if (const std::size_t bytes = most * sizeof(kernels::LinkSums); bytes > sums_.bytes())
    sums_ = DeviceBuffer(device_, bytes + bytes / 4, "sums");
}

template class CudaSolver<float>;
template class CudaSolver<double>;

}  // namespace fluvia::cuda
