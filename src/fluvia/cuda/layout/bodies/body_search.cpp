// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cuda/layout/bodies/body_search.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <utility>

namespace fluvia::cuda {

namespace {

using geometry::triple;

kernels::SearchedBody searched(const MovingBodies& bodies, int body, const std::vector<Int3>& velocities,
                               const std::vector<double>& weights) {
  const Pose& pose = bodies.pose(body);
  kernels::SearchedBody of{};
  for (std::size_t a = 0; a < 3; ++a) {
    of.axes[a] = triple(pose.axes[a]);
    of.low[a] = bodies.cover(body).low()[a];
    of.size[a] = bodies.cover(body).size()[a];
  }
  of.center = triple(pose.center);
  of.velocity = triple(pose.velocity);
  of.angular_velocity = triple(pose.angular_velocity);
  of.rest_center = triple(bodies.center(body));
  of.reach = bodies.reach_of_links();
  const std::vector<LinkWay> ways = bodies.ways(body);
  for (std::size_t k = 0; k < ways.size(); ++k)
    of.links[k] = {ways[k].numbers, {velocities[k][0], velocities[k][1], velocities[k][2]}, 3 * weights[k]};
  return of;
}

Int3 node_of_bit(const Int3& first, int bit, int dimension) {
  const Int3 local = tile_local(dimension, bit);
  return {first[0] + local[0], first[1] + local[1], first[2] + local[2]};
}

}  // namespace

bool BodySearchArrays::take(const MovingBodies& bodies) {
  std::vector<Tiles> tiles;
  for (int body = 0; body < bodies.count(); ++body)
    tiles.push_back({bodies.cover(body).low(), bodies.cover(body).size()});
  const bool are_new = tiles != tiles_;
  if (are_new) {
    tiles_ = std::move(tiles);
    lay_tiles(bodies);
  }
  bodies_.clear();
  beside_.clear();
  std::uint32_t first_tile = 0, first_part = 0;
  for (int body = 0; body < bodies.count(); ++body) {
    const BodyCover& cover = bodies.cover(body);
    kernels::SearchedBody& of = bodies_.emplace_back(searched(bodies, body, velocities_, weights_));
    of.first_tile = first_tile;
    of.first_part = first_part;
    of.part_count = part_counts_[static_cast<std::size_t>(body)];
    for (const std::uint32_t tile : cover.beside()) {
      if ((fluid_[first_tile + tile] & ~cover.covered(tile)) == 0) continue;
      for (std::uint32_t k = first_pieces_[first_tile + tile]; k < first_pieces_[first_tile + tile + 1]; ++k)
        beside_.push_back(k);
    }
    first_tile += static_cast<std::uint32_t>(cover.tiles());
    first_part += of.part_count;
  }
  return are_new;
}

/// Takes the tiles around bodies anew.
void BodySearchArrays::lay_tiles(const MovingBodies& bodies) {
  parts_.clear();
  part_counts_.clear();
  fluid_.clear();
  pieces_.clear();
  first_pieces_.assign(1, 0);
  for (int body = 0; body < bodies.count(); ++body) {
    const std::vector<core::BodyPart> parts = bodies.formulas(body);
    parts_.insert(parts_.end(), parts.begin(), parts.end());
    part_counts_.push_back(static_cast<std::uint32_t>(parts.size()));
    const BodyCover& cover = bodies.cover(body);
    for (std::size_t tile = 0; tile < cover.tiles(); ++tile) {
      const Int3 first = cover.node_of(tile);
      fluid_.push_back(bodies.fluid().of_tile(first));
      append_pieces(bodies.fluid(), first,
                    {0, {}, 0, static_cast<std::uint32_t>(tile), static_cast<std::uint32_t>(body)});
      first_pieces_.push_back(static_cast<std::uint32_t>(pieces_.size()));
    }
  }
}

/// Adds what a tile that begins at a place of the grid has of tiles of the box, in the order of these.
void BodySearchArrays::append_pieces(const FluidNodes& fluid, const Int3& first, kernels::BodyPiece piece) {
  std::uint64_t left = fluid_.back();
  const NodeMap& nodes = *fluid.nodes;
  std::map<std::pair<std::uint32_t, Int3>, std::uint64_t> found;  // by tiles of the box and where they begin here
  if (fluid.is_in_box(first) && left != 0) {
    found[{nodes.find_fluid(node_of_bit(first, std::countr_zero(left), nodes.dimension))->tile, first}] = left;
    left = 0;
  }
  for (; left != 0; left &= left - 1) {
    const Int3 place = node_of_bit(first, std::countr_zero(left), nodes.dimension);
    const NodeMap::Node node = *nodes.find_fluid(fluid.node_at(place));
    const Int3 local = tile_local(nodes.dimension, node.bit);
    found[{node.tile, {place[0] - local[0], place[1] - local[1], place[2] - local[2]}}] |= std::uint64_t{1} << node.bit;
  }
  for (const auto& [where, mask] : found) {
    piece.mask = mask;
    for (std::size_t a = 0; a < 3; ++a) piece.first[a] = where.second[a];
    piece.storage_index = storage_index_of_(where.first);
    pieces_.push_back(piece);
  }
}

void BodySearchArrays::put_covered(const MovingBodies& bodies, std::uint64_t* to) {
  for (int body = 0; body < bodies.count(); ++body)
    to = std::copy(bodies.cover(body).covered().begin(), bodies.cover(body).covered().end(), to);
}

std::vector<BodySearchArrays::Place> BodySearchArrays::places() const {
  std::vector<Place> all;
  all.reserve(beside_.size());
  for (const std::uint32_t k : beside_) {
    const kernels::BodyPiece& piece = pieces_[k];
    all.push_back({{piece.first[0], piece.first[1], piece.first[2]}, static_cast<std::uint8_t>(piece.body)});
  }
  return all;
}

}  // namespace fluvia::cuda
