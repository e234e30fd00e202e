// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cuda/layout/bodies/body_arrays.hpp"

#include <bit>
#include <utility>

namespace fluvia::cuda {

void NodesByTile::clear() {
  for (const std::uint32_t tile : canonical_) place_of_[tile] = none;
  place_of_.resize(nodes_->tiles.size(), none);
  canonical_.clear();
  tiles_.clear();
  count_ = 0;
}

std::uint64_t NodesByTile::find(const Int3& node) const {
  const NodeMap::Node found = *nodes_->find_fluid(node);
  return std::uint64_t{found.tile} * kernels::nodes_per_tile + found.bit;
}

std::uint32_t NodesByTile::add(std::uint64_t found) {
  const auto tile = static_cast<std::uint32_t>(found / kernels::nodes_per_tile);
  const auto bit = static_cast<std::uint32_t>(found % kernels::nodes_per_tile);
  std::uint32_t& place = place_of_[tile];
  if (place == none) {
    place = static_cast<std::uint32_t>(tiles_.size());
    canonical_.push_back(tile);
    tiles_.push_back({0, 0, 0});
  }
  tiles_[place].mask |= std::uint64_t{1} << bit;
  return place * kernels::nodes_per_tile + bit;
}

void NodesByTile::number(const StorageIndexOfTile& storage_index_of) {
  count_ = 0;
  for (std::size_t k = 0; k < tiles_.size(); ++k) {
    tiles_[k].storage_index = storage_index_of(canonical_[k]);
    tiles_[k].output = count_;
    count_ += static_cast<std::uint32_t>(std::popcount(tiles_[k].mask));
  }
}

std::uint32_t NodesByTile::number_of(std::uint32_t known_by) const {
  const kernels::TileReference& tile = tiles_[known_by / kernels::nodes_per_tile];
  const std::uint64_t below = (std::uint64_t{1} << known_by % kernels::nodes_per_tile) - 1;
  return tile.output + static_cast<std::uint32_t>(std::popcount(tile.mask & below));
}

BodyArrays::BodyArrays(const NodeMap& nodes, StorageIndexOfTile storage_index_of, std::vector<double> weights,
                       int threads)
    : storage_index_of_(std::move(storage_index_of)),
      weights_(std::move(weights)),
      beside_bodies_(nodes),
      covered_(nodes),
      uncovered_(nodes),
      beside_(nodes),
      threads_(threads) {}

/// Links come by tiles, nodes and directions: so they are numbered as they come, and threads take pieces of the list,
/// at first to count tiles and nodes, then to list them. A tile that comes again, for another body or from beyond a
/// periodic face, is listed twice, with other links.
void BodyArrays::take_links(const MovingBodies& bodies) {
  constexpr std::size_t least = 4096;  // links that are worth several threads
  const std::vector<BodyLink>& links = bodies.links();
  const std::size_t count = links.size(), pieces = count < least ? 1 : static_cast<std::size_t>(threads_);
  found_.resize(count);
  links_.resize(count);
  std::vector<Piece> begin(pieces + 1);  // of a piece: its first link, node and tile
  const auto begins_tile = [&](std::size_t k) {
    return k == 0 || found_[k] / kernels::nodes_per_tile != found_[k - 1] / kernels::nodes_per_tile ||
           found_[k] < found_[k - 1] || links[k].body != links[k - 1].body;
  };
  const auto begins_node = [&](std::size_t k) { return begins_tile(k) || found_[k] != found_[k - 1]; };
#pragma omp parallel num_threads(static_cast <int>(pieces)) if (pieces > 1)
  {
#pragma omp for schedule(static, 1)
    for (std::size_t p = 0; p < pieces; ++p) {
      const std::size_t first = count * p / pieces, end = count * (p + 1) / pieces;
      for (std::size_t k = first; k < end; ++k) {
        const BodyLink& link = links[k];
        const bool is_known = k > first && link.node == links[k - 1].node;
        found_[k] = is_known ? found_[k - 1] : beside_bodies_.find(bodies.node_of(link));
        links_[k] = {link.part, 3 * weights_[link.direction] * bodies.speed_along(link)};
      }
    }
#pragma omp single
    for (std::size_t p = 0; p <= pieces; ++p) {  // with whole tiles
      std::size_t& first = begin[p].link;
      for (first = count * p / pieces; first < count && !begins_tile(first);) ++first;
    }
#pragma omp for schedule(static, 1)
    for (std::size_t p = 0; p < pieces; ++p)
      for (std::size_t k = begin[p].link; k < begin[p + 1].link; ++k) {
        if (!begins_node(k)) continue;
        ++begin[p + 1].node;
        if (begins_tile(k)) ++begin[p + 1].tile;
      }
#pragma omp single
    {
      for (std::size_t p = 0; p < pieces; ++p) {
        begin[p + 1].node += begin[p].node;
        begin[p + 1].tile += begin[p].tile;
      }
      nodes_.resize(begin.back().node);
      tiles_.resize(begin.back().tile);
    }
#pragma omp for schedule(static, 1)
    for (std::size_t p = 0; p < pieces; ++p) {
      Piece at = begin[p];
      for (std::size_t k = at.link; k < begin[p + 1].link; ++k) {
        const std::uint64_t tile = found_[k] / kernels::nodes_per_tile, bit = found_[k] % kernels::nodes_per_tile;
        if (begins_tile(k)) tiles_[at.tile++] = {0, storage_index_of_(tile), static_cast<std::uint32_t>(at.node)};
        if (begins_node(k)) {
          tiles_[at.tile - 1].mask |= std::uint64_t{1} << bit;
          nodes_[at.node++] = {static_cast<std::uint32_t>(k), 0, 0};
        }
        kernels::BodyNode& node = nodes_[at.node - 1];
        node.directions |= 1U << links[k].direction;
        if (links[k].is_through) node.through |= 1U << links[k].direction;
      }
    }
  }
}

void BodyArrays::take_no_links() {
  tiles_.clear();
  nodes_.clear();
  links_.clear();
}

void BodyArrays::take_changes(const MovingBodies& bodies) {
  for (NodesByTile* const list : {&covered_, &uncovered_, &beside_}) list->clear();
  for (const Int3& node : bodies.newly_covered()) covered_.add(covered_.find(node));
  covered_.number(storage_index_of_);
  neighbours_.clear();
  for (const Int3& node : bodies.neighbours()) neighbours_.push_back(beside_.add(beside_.find(node)));
  beside_.number(storage_index_of_);
  for (std::uint32_t& neighbour : neighbours_) neighbour = beside_.number_of(neighbour);
  known_by_.clear();
  for (const UncoveredNode& node : bodies.uncovered()) known_by_.push_back(uncovered_.add(uncovered_.find(node.node)));
  uncovered_.number(storage_index_of_);
  uncovered_nodes_.resize(uncovered_.count());
  for (std::size_t k = 0; k < known_by_.size(); ++k) {
    const UncoveredNode& node = bodies.uncovered()[k];
    uncovered_nodes_[uncovered_.number_of(known_by_[k])] = {
        {node.velocity[0], node.velocity[1], node.velocity[2]}, node.first, node.count};
  }
}

}  // namespace fluvia::cuda
