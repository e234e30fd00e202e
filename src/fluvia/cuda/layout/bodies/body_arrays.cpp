// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cuda/layout/bodies/body_arrays.hpp"

#include <atomic>
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
  const Int3 shape = tile_shape(nodes_->dimension);
  const std::uint32_t tile =
      nodes_->directory[nodes_->directory_index({node[0] / shape[0], node[1] / shape[1], node[2] / shape[2]})];
  const int bit = tile_bit(nodes_->dimension, {node[0] % shape[0], node[1] % shape[1], node[2] % shape[2]});
  return std::uint64_t{tile} * kernels::nodes_per_tile + static_cast<std::uint64_t>(bit);
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

BodyArrays::BodyArrays(const NodeMap& nodes, StorageIndexOfTile storage_index_of, std::vector<Int3> velocities,
                       std::vector<double> weights, int threads)
    : storage_index_of_(std::move(storage_index_of)),
      velocities_(std::move(velocities)),
      weights_(std::move(weights)),
      beside_bodies_(nodes),
      covered_(nodes),
      uncovered_(nodes),
      beside_(nodes),
      threads_(threads) {}

/// All threads look where links are; one puts their nodes, of which there are few, into tiles.
void BodyArrays::take_links(const std::vector<BodyLink>& links) {
  constexpr std::size_t least = 4096;  // links that are worth several threads
  const std::size_t count = links.size();
  found_.resize(count);
  known_by_.resize(count);
  links_.resize(count);
  numbers_.resize(count);
#pragma omp parallel for schedule(static) num_threads(threads_) if (count > least)
  for (std::size_t k = 0; k < count; ++k) found_[k] = beside_bodies_.find(links[k].node);
  beside_bodies_.clear();
  for (std::size_t k = 0; k < count; ++k)
    known_by_[k] = k > 0 && found_[k] == found_[k - 1] ? known_by_[k - 1] : beside_bodies_.add(found_[k]);
  beside_bodies_.number(storage_index_of_);
  nodes_.assign(beside_bodies_.count(), {0, 0, 0});
#pragma omp parallel for schedule(static) num_threads(threads_) if (count > least)
  for (std::size_t k = 0; k < count; ++k) {
    kernels::BodyNode& node = nodes_[known_by_[k] = beside_bodies_.number_of(known_by_[k])];
    const std::uint32_t bit = 1U << links[k].direction;
    std::atomic_ref(node.directions).fetch_or(bit, std::memory_order_relaxed);
    if (links[k].is_through) std::atomic_ref(node.through).fetch_or(bit, std::memory_order_relaxed);
  }
  std::uint32_t first = 0;
  for (kernels::BodyNode& node : nodes_) {
    node.first = first;
    first += static_cast<std::uint32_t>(std::popcount(node.directions));
  }
#pragma omp parallel for schedule(static) num_threads(threads_) if (count > least)
  for (std::size_t k = 0; k < count; ++k) {
    const BodyLink& link = links[k];
    const kernels::BodyNode& node = nodes_[known_by_[k]];
    const std::uint32_t below = node.directions & ((1U << link.direction) - 1);
    numbers_[k] = node.first + static_cast<std::uint32_t>(std::popcount(below));
    const Int3& c = velocities_[link.direction];
    const double along = c[0] * link.velocity[0] + c[1] * link.velocity[1] + c[2] * link.velocity[2];
    links_[numbers_[k]] = {link.part, 3 * weights_[link.direction] * along};
  }
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
