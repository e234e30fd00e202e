// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "fluvia/base/communicator.hpp"
#include "fluvia/base/vector.hpp"
#include "fluvia/geometry/map/barred_links.hpp"
#include "fluvia/geometry/map/local_list.hpp"

namespace fluvia {

/// Shape of one tile in nodes: 4x4x4 in 3D, 8x8x1 in 2D; always 64 nodes, one bit each.
constexpr Int3 tile_shape(int dimension) {
  return dimension == 3 ? Int3{4, 4, 4} : Int3{8, 8, 1};
}
inline constexpr int nodes_per_tile = 64;
inline constexpr std::uint32_t empty_tile = 0xffffffffu;

/// Bit of the node at local coordinates `l` inside a tile; x runs fastest.
constexpr int tile_bit(int dimension, const Int3& l) {
  const Int3 s = tile_shape(dimension);
  return l[0] + s[0] * (l[1] + s[1] * l[2]);
}
/// Local coordinates of `bit` inside a tile.
constexpr Int3 tile_local(int dimension, int bit) {
  const Int3 s = tile_shape(dimension);
  return {bit % s[0], bit / s[0] % s[1], bit / (s[0] * s[1])};
}

/// Mask of the nodes of the tile at `tile_position` (in tiles) that lie inside a box of so many nodes.
std::uint64_t box_mask(int dimension, const Int3& size, const Int3& tile_position);

/// The index i of a periodic axis of n nodes, brought back inside; i lies at most n outside.
constexpr int wrapped(int i, int n) {
  return i < 0 ? i + n : i >= n ? i - n : i;
}

/// Consecutive tiles in canonical order.
struct TileRange {
  std::uint64_t first = 0, end = 0;
  [[nodiscard]] bool contains(std::uint64_t tile) const { return tile >= first && tile < end; }
  [[nodiscard]] std::uint64_t count() const { return end - first; }
};

/// Layers of tiles across the last axis of a box of so many tiles, which canonical order goes through one by one: the
/// layers that a member of a communicator voxelises.
TileRange layers_of(const Communicator& communicator, int dimension, const Int3& tiles_in_box);

/// Which nodes of a box are fluid. Memory follows the fluid: one 64-bit mask per non-empty tile plus one 32-bit
/// directory entry per tile of the box. Node (i,j,k) is centred at (i+1/2, j+1/2, k+1/2) lattice units from the
/// box corner, so that half-way walls on the box faces lie exactly on the faces.
///
/// Canonical node order (checkpoints, fields, oracle): tiles in directory order (x fastest), then bits of the mask.
struct NodeMap {
  struct Tile {
    std::uint64_t mask;        ///< bit set = fluid node
    std::uint64_t first_node;  ///< canonical index of the tile's first fluid node
    Int3 position;             ///< position in the box of tiles
  };

  int dimension = 3;
  Int3 size{};                         ///< nodes of the box along each axis
  Bool3 periodic{};                    ///< [axis]
  std::array<bool, 6> mirrors{};       ///< faces x_min, x_max, y_min, ... that are planes of symmetry
  Int3 tiles_in_box{};                 ///< ceil(size / tile_shape)
  LocalList<std::uint32_t> directory;  ///< tile index at (tx,ty,tz), or empty_tile
  LocalList<Tile> tiles;               ///< non-empty tiles, in directory order
  std::uint64_t fluid_nodes = 0;
  std::shared_ptr<const BarredLinks> barred;  ///< links that sheets cross; none if there are no sheets
  /// Nodes with i + j + k odd were left out; the others stand for them (solver/plan/half_lattice.hpp).
  bool half = false;

  /// Fluid mask of the tile at `tile_position` (in tiles). Bits outside the box are ignored. Called concurrently.
  using MaskFunction = std::function<std::uint64_t(const Int3& tile_position)>;

  /// Builds the map by asking `mask` once for every tile of the box. Each member of `communicator` asks for the tiles
  /// of layers_of() and hears of the others. Throws Error(input) if a size is not in 1 .. 2^20 or the box has no fluid
  /// node; `why_no_fluid`, if given, ends that message.
  static NodeMap build(int dimension, const Int3& size, const Bool3& periodic, const MaskFunction& mask,
                       Communicator& communicator = communicator_of_one(),
                       const std::function<std::string()>& why_no_fluid = {});

  /// Forgets all tiles but those of these layers of tiles across the last axis, and one layer behind each run of them.
  /// `layers`: for each layer, whether it is kept. Numbers of tiles and nodes stay those of the whole.
  void hold_layers(const std::vector<bool>& layers);
  /// Replaces the mask of every tile by mask(index of the tile), which must be a part of it.
  void keep(const std::function<std::uint64_t(std::uint64_t tile)>& mask);

  [[nodiscard]] std::uint64_t directory_index(const Int3& tile_position) const {
    return tile_position[0] + static_cast<std::uint64_t>(tiles_in_box[0]) *
                                  (tile_position[1] + static_cast<std::uint64_t>(tiles_in_box[1]) * tile_position[2]);
  }
  /// Index of the tile at `tile_position` (in tiles), wrapped along periodic axes, or empty_tile.
  [[nodiscard]] std::uint32_t tile_at(Int3 tile_position) const;
  /// Wraps `node` on periodic axes; false if it lies outside the box on another axis.
  [[nodiscard]] bool wrap(Int3& node) const;
  /// Where a step that may leave the box ends.
  struct Landing {
    Int3 node;                ///< node in the box, if `inside`
    std::array<int, 3> sign;  ///< -1 along axes on which it was reflected, where vectors change their sign
    bool inside;              ///< false beyond a face that is neither a plane of symmetry nor periodic
    bool reflected = false;   ///< along some axis
  };
  /// Follows a step from a node of the box to `there`: over planes of symmetry to the mirror image, over periodic faces
  /// to the other side. Coordinates along axes on which it leaves by other faces stay as they are.
  [[nodiscard]] Landing land(const Int3& there) const;
  [[nodiscard]] bool has_mirrors() const { return std::find(mirrors.begin(), mirrors.end(), true) != mirrors.end(); }
  /// Whether some pairs of populations change places after each step (solver/links/exchanged_links.hpp).
  [[nodiscard]] bool has_exchanged_links() const { return has_mirrors() || barred != nullptr; }
  /// Surface of the sheet that crosses the link of a node of the box along `offset` (components -1, 0, 1); -1: none.
  [[nodiscard]] int barring_surface(const Int3& node, const Int3& offset) const {
    return barred ? barred->surface(node, offset) : -1;
  }
  /// Size of the box, in nodes, with its image beyond a plane of symmetry on one of its faces.
  [[nodiscard]] Int3 whole_size() const;
  /// The longest edge of whole_size(), in nodes, along axes on which the flow ends: what is periodic, or lies between
  /// two planes of symmetry, goes on. So half of a flow has the longest edge of the whole.
  [[nodiscard]] int longest_edge() const;
  /// True if a step from a node of the box to `there` leads to a fluid node over planes of symmetry.
  [[nodiscard]] bool is_mirrored_fluid(const Int3& there) const;
  /// A fluid node: its tile, and its bit there.
  struct Node {
    std::uint32_t tile;
    std::uint8_t bit;
  };
  /// The fluid node at `node` (after periodic wrapping), if there is one.
  [[nodiscard]] std::optional<Node> find_fluid(Int3 node) const;
  /// True if `node` (after periodic wrapping) is a fluid node of the box.
  [[nodiscard]] bool is_fluid(Int3 node) const;
  /// Canonical index of a fluid node, or -1.
  [[nodiscard]] std::int64_t node_index(Int3 node) const;
  /// Coordinates of the node at `bit` of `tile`.
  [[nodiscard]] Int3 node_position(const Tile& tile, int bit) const {
    const Int3 s = tile_shape(dimension), l = tile_local(dimension, bit);
    return {tile.position[0] * s[0] + l[0], tile.position[1] * s[1] + l[1], tile.position[2] * s[2] + l[2]};
  }
  /// Number of all nodes of the box.
  [[nodiscard]] std::uint64_t box_nodes() const { return static_cast<std::uint64_t>(size[0]) * size[1] * size[2]; }
  /// Porosity: fluid nodes / all nodes of the box.
  [[nodiscard]] double porosity() const {
    return node_volume() * static_cast<double>(fluid_nodes) / static_cast<double>(box_nodes());
  }
  /// Volume that a node stands for, in cubes of the spacing: that of its Voronoi cell, on half lattices a rhombic
  /// dodecahedron (Toelke & Krafczyk, S3, eq. 12).
  [[nodiscard]] double node_volume() const { return half ? 2 : 1; }
  /// Tile porosity phi_t: the mean of the porosity over the tiles that hold fluid.
  [[nodiscard]] double tile_porosity() const {
    return node_volume() * static_cast<double>(fluid_nodes) / (static_cast<double>(tiles.size()) * nodes_per_tile);
  }
  /// Fluid nodes of tiles first .. first + count - 1.
  [[nodiscard]] std::uint64_t nodes_of(std::uint64_t first, std::uint64_t count) const {
    if (count == 0) return 0;
    return (first + count == tiles.size() ? fluid_nodes : tiles[first + count].first_node) - tiles[first].first_node;
  }
  /// The tiles of which a member of a communicator takes care.
  [[nodiscard]] TileRange share_of(const Communicator& communicator) const {
    const Communicator::Share share = communicator.share_of(tiles.size());
    return {share.first, share.end};
  }
  /// Bytes of memory that the map holds.
  [[nodiscard]] std::uint64_t bytes() const {
    return directory.capacity() * sizeof(std::uint32_t) + tiles.capacity() * sizeof(Tile);
  }
};

}  // namespace fluvia
