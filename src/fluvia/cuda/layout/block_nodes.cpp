// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cuda/layout/block_nodes.hpp"

#include <algorithm>
#include <bit>

#include "fluvia/base/error.hpp"
#include "fluvia/solver/links/exchanged_links.hpp"

namespace fluvia::cuda {

namespace {

/// The tile of the domain with the node that a halo population leaves.
std::uint32_t origin_of(const NodeMap& nodes, const Int3& velocity, const HaloPopulation& halo_population) {
  Int3 x = nodes.node_position(nodes.tiles[halo_population.tile], halo_population.bit);
  if (halo_population.is_cut) return halo_population.tile;  // the population came back to its node
  for (int axis = 0; axis < 3; ++axis) x[axis] -= velocity[axis];
  if (!nodes.wrap(x)) throw Error(ExitCode::internal, "a population crosses out of the box");
  const Int3 shape = tile_shape(nodes.dimension);
  return nodes.directory[nodes.directory_index({x[0] / shape[0], x[1] / shape[1], x[2] / shape[2]})];
}

/// The layers of tiles that a part needs along the last axis: those of its own tiles and one on either side.
void find_layers(const NodeMap& nodes, const TileRange& own, BlockNodes& part) {
  const int axis = nodes.dimension - 1;
  part.layers = nodes.tiles_in_box[axis];
  const int first = nodes.tiles[own.first].position[axis] - 1, last = nodes.tiles[own.end - 1].position[axis] + 1;
  NodeMap& box = part.nodes;
  if (nodes.periodic[axis]) {
    // A box that ends inside a tile cannot be continued by whole tiles.
    if (last - first + 1 > part.layers || nodes.size[axis] % tile_shape(nodes.dimension)[axis] != 0) return;
    part.first_layer = first;
    box.tiles_in_box[axis] = last - first + 1;
    box.size[axis] = box.tiles_in_box[axis] * tile_shape(nodes.dimension)[axis];
    box.periodic[axis] = false;
    return;
  }
  part.first_layer = std::max(first, 0);
  const auto low = static_cast<std::size_t>(2 * axis);
  box.mirrors[low] = box.mirrors[low] && part.first_layer == 0;
  box.mirrors[low + 1] = box.mirrors[low + 1] && last + 1 >= part.layers;
  const int end = std::min(last + 1, part.layers), shape = tile_shape(nodes.dimension)[axis];
  box.tiles_in_box[axis] = end - part.first_layer;
  box.size[axis] = std::min(nodes.size[axis], end * shape) - part.first_layer * shape;
}

/// Planes of symmetry let populations change places after the step of both ends. Those that messages hold are read when
/// the border has been stepped, so that their other ends must be there, too.
void take_images_into_border(const NodeMap& nodes, const std::vector<Int3>& velocities, const TileRange& own,
                             BlockNodes& part) {
  std::vector<std::uint32_t> images;
  const auto is_border = [&](std::uint32_t tile) {
    return part.roles[part.tile(nodes.tiles[tile])] == TileRole::border;
  };
  for (const ExchangedPair& pair :
       exchanged_pairs(nodes, velocities, [&](std::uint32_t tile) { return own.contains(tile); }))
    if (is_border(pair.first.tile) != is_border(pair.second.tile))
      images.push_back(is_border(pair.first.tile) ? pair.second.tile : pair.first.tile);
  for (const std::uint32_t tile : images) part.roles[part.tile(nodes.tiles[tile])] = TileRole::border;
}

}  // namespace

Int3 BlockNodes::tile_position(Int3 position) const {
  int& layer = position[nodes.dimension - 1];
  layer = wrapped(layer - first_layer, layers);
  return position;
}

Int3 BlockNodes::node_position(Int3 node) const {
  const int axis = nodes.dimension - 1, shape = tile_shape(nodes.dimension)[axis];
  Int3 tile{};
  tile[axis] = node[axis] / shape;
  node[axis] = tile_position(tile)[axis] * shape + node[axis] % shape;
  return node;
}

std::uint32_t BlockNodes::tile(const NodeMap::Tile& of_domain) const {
  return nodes.directory[nodes.directory_index(tile_position(of_domain.position))];
}

std::uint32_t BlockNodes::first_node() const {
  const int axis = nodes.dimension - 1;
  std::uint32_t plane = static_cast<std::uint32_t>(nodes.size[0]);
  if (axis == 2) plane *= static_cast<std::uint32_t>(nodes.size[1]);
  return plane * static_cast<std::uint32_t>(first_layer * tile_shape(nodes.dimension)[axis]);
}

BlockNodes make_block_nodes(const NodeMap& nodes, const std::vector<Int3>& velocities, const Block& block) {
  const NodeMap stored = stored_nodes(nodes, block);
  BlockNodes part;
  NodeMap& box = part.nodes;
  box.dimension = nodes.dimension;
  box.size = nodes.size;
  box.periodic = nodes.periodic;
  box.tiles_in_box = nodes.tiles_in_box;
  box.half = nodes.half;
  box.mirrors = nodes.mirrors;
  find_layers(nodes, block.tiles, part);
  box.tiles = stored.tiles;
  for (NodeMap::Tile& tile : box.tiles) tile.position = part.tile_position(tile.position);
  std::sort(box.tiles.begin(), box.tiles.end(), [&](const NodeMap::Tile& a, const NodeMap::Tile& b) {
    return box.directory_index(a.position) < box.directory_index(b.position);
  });
  box.directory.assign(static_cast<std::uint64_t>(box.tiles_in_box[0]) * box.tiles_in_box[1] * box.tiles_in_box[2],
                       empty_tile);
  for (std::size_t k = 0; k < box.tiles.size(); ++k) {
    box.tiles[k].first_node = box.fluid_nodes;
    box.fluid_nodes += static_cast<std::uint64_t>(std::popcount(box.tiles[k].mask));
    box.directory[box.directory_index(box.tiles[k].position)] = static_cast<std::uint32_t>(k);
  }
  part.roles.assign(box.tiles.size(), TileRole::halo);
  for (std::uint64_t t = block.tiles.first; t < block.tiles.end; ++t)
    part.roles[part.tile(nodes.tiles[t])] = TileRole::interior;
  for (const Neighbour& neighbour : block.neighbours) {
    if (neighbour.scalar != Neighbour::of_flow) continue;  // packed when all nodes have been stepped
    for (const HaloPopulation& c : neighbour.leaves) {
      // What another level or part reads may have come from the halo just before.
      const std::uint32_t origin = origin_of(nodes, velocities[c.direction], c);
      if (block.tiles.contains(origin)) part.roles[part.tile(nodes.tiles[origin])] = TileRole::border;
    }
  }
  for (const Neighbour& neighbour : block.neighbours)  // of other levels: they arrive as the border's own would
    if (neighbour.link != ExchangeLink::copy)
      for (const HaloPopulation& c : neighbour.arrives) part.roles[part.tile(nodes.tiles[c.tile])] = TileRole::border;
  if (std::any_of(block.neighbours.begin(), block.neighbours.end(),
                  [](const Neighbour& neighbour) { return neighbour.link != ExchangeLink::copy; }))
    take_images_into_border(nodes, velocities, block.tiles, part);
  for (const Neighbour& neighbour :
       block.neighbours)  // numbers that boundary conditions keep of these nodes leave, too
    for (const auto& ring : neighbour.halo)
      for (const NodesOfTile& some : ring) part.roles[part.tile(nodes.tiles[some.tile])] = TileRole::border;
  return part;
}

}  // namespace fluvia::cuda
