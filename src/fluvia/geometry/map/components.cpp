// SPDX-License-Identifier: Apache-2.0
#include "fluvia/geometry/map/components.hpp"

#include <bit>
#include <limits>
#include <numeric>
#include <utility>

#include "fluvia/base/error.hpp"

namespace fluvia::geometry {
namespace {

/// Mask of the nodes of a tile with local coordinate `value` along `axis`.
std::uint64_t plane_mask(int dimension, int axis, int value) {
  std::uint64_t mask = 0;
  for (int bit = 0; bit < nodes_per_tile; ++bit) {
    if (tile_local(dimension, bit)[axis] == value) mask |= std::uint64_t{1} << bit;
  }
  return mask;
}

/// Distance in bits between neighbours along an axis.
int stride(int dimension, int axis) {
  const Int3 shape = tile_shape(dimension);
  return axis == 0 ? 1 : axis == 1 ? shape[0] : shape[0] * shape[1];
}

/// Nodes of a tile whose links to the next node along an axis are barred, and to the one before.
struct BarredAxes {
  std::uint64_t next[3]{}, before[3]{};
  bool any = false;
};

BarredAxes barred_axes(const NodeMap& nodes, const NodeMap::Tile& tile) {
  BarredAxes axes;
  if (!nodes.barred) return axes;
  for (const BarredLinks::Node& node : nodes.barred->of_tile(nodes.directory_index(tile.position)))
    for (int axis = 0; axis < nodes.dimension; ++axis)
      for (const int side : {-1, 1}) {
        Int3 offset{};
        offset[axis] = side;
        if ((node.offsets & BarredLinks::bit_of(offset)) == 0) continue;
        (side < 0 ? axes.before : axes.next)[axis] |= std::uint64_t{1} << node.bit;
        axes.any = true;
      }
  return axes;
}

/// `bits` and their neighbours along all axes inside the tile.
class Grower {
 public:
  explicit Grower(int dimension) : dimension_(dimension) {
    const Int3 shape = tile_shape(dimension);
    for (int axis = 0; axis < 3; ++axis) {
      not_last_[axis] = ~plane_mask(dimension, axis, shape[axis] - 1);
      not_first_[axis] = ~plane_mask(dimension, axis, 0);
    }
  }
  [[nodiscard]] std::uint64_t grow(std::uint64_t bits, const BarredAxes& barred) const {
    std::uint64_t result = bits;
    for (int axis = 0; axis < dimension_; ++axis) {
      const int s = stride(dimension_, axis);
      result |=
          (bits & not_last_[axis] & ~barred.next[axis]) << s | (bits & not_first_[axis] & ~barred.before[axis]) >> s;
    }
    return result;
  }

 private:
  int dimension_;
  std::uint64_t not_last_[3], not_first_[3];
};

/// Disjoint sets of labels, each of which knows in which periodic image of the box it lies as seen from its root. (A
/// union-find structure with potentials: Tarjan, J. ACM 26 (1979) 690.)
class Sets {
 public:
  explicit Sets(std::size_t count) : parent_(count), image_(count, Int3{}), endless_(count, Bool3{}) {
    std::iota(parent_.begin(), parent_.end(), 0u);
  }
  std::uint32_t root(std::uint32_t label) {
    while (parent_[label] != label) {
      const std::uint32_t up = parent_[label];
      image_[label] = sum(image_[label], image_[up], 1);  // a root's own is zero
      label = parent_[label] = parent_[up];
    }
    return label;
  }
  /// Image of `label` as seen from its root.
  Int3 image(std::uint32_t label) const {
    Int3 result{};
    for (; parent_[label] != label; label = parent_[label]) result = sum(result, image_[label], 1);
    return result;
  }
  /// States that `b` lies beside `a`, `shift` images of the box further on.
  void unite(std::uint32_t a, std::uint32_t b, const Int3& shift) {
    std::uint32_t low = root(a), high = root(b);
    Int3 between = sum(sum(image(a), shift, 1), image(b), -1);  // image of b's root as seen from a's root
    if (low == high) {
      for (int axis = 0; axis < 3; ++axis) endless_[low][axis] = endless_[low][axis] || between[axis] != 0;
      return;
    }
    if (high < low) {
      std::swap(low, high);
      between = sum({}, between, -1);
    }
    parent_[high] = low;
    image_[high] = between;
    for (int axis = 0; axis < 3; ++axis) endless_[low][axis] = endless_[low][axis] || endless_[high][axis];
  }
  [[nodiscard]] const Bool3& endless(std::uint32_t root) const { return endless_[root]; }

 private:
  static Int3 sum(const Int3& a, const Int3& b, int sign) {
    return {a[0] + sign * b[0], a[1] + sign * b[1], a[2] + sign * b[2]};
  }
  std::vector<std::uint32_t> parent_;
  std::vector<Int3> image_;  ///< [label], its image as seen from its parent
  std::vector<Bool3> endless_;
};

template <class Visit>
void for_each_piece(const Grower& grower, const BarredAxes& barred, std::uint64_t mask, const Visit& visit) {
  if (mask == ~std::uint64_t{0} && !barred.any) {
    visit(mask);
    return;
  }
  while (mask != 0) {
    std::uint64_t piece = mask & -mask;
    for (std::uint64_t next = grower.grow(piece, barred) & mask; next != piece;
         next = grower.grow(piece, barred) & mask)
      piece = next;
    visit(piece);
    mask &= ~piece;
  }
}

}  // namespace

std::vector<std::uint64_t> tile_pieces(const NodeMap& nodes, const NodeMap::Tile& tile) {
  std::vector<std::uint64_t> pieces;
  for_each_piece(Grower(nodes.dimension), barred_axes(nodes, tile), tile.mask,
                 [&](std::uint64_t piece) { pieces.push_back(piece); });
  return pieces;
}

Components::Components(const NodeMap& nodes) : nodes_(nodes) {
  const Grower grower(nodes.dimension);
  const Int3 shape = tile_shape(nodes.dimension);
  std::vector<std::uint64_t> pieces;  // connected pieces of all tiles
  first_label_.reserve(nodes.tiles.size() + 1);
  for (const NodeMap::Tile& tile : nodes.tiles) {
    first_label_.push_back(static_cast<std::uint32_t>(pieces.size()));
    for_each_piece(grower, barred_axes(nodes, tile), tile.mask, [&](std::uint64_t piece) { pieces.push_back(piece); });
    if (pieces.size() >= std::numeric_limits<std::uint32_t>::max()) {
      throw_resource("geometry: more than 2^32 disconnected pieces of fluid; is the image noise?");
    }
  }
  first_label_.push_back(static_cast<std::uint32_t>(pieces.size()));

  std::uint64_t planes[3][8] = {};
  for (int axis = 0; axis < nodes.dimension; ++axis) {
    for (int value = 0; value < shape[axis]; ++value) planes[axis][value] = plane_mask(nodes.dimension, axis, value);
  }
  Sets sets(pieces.size());
  std::vector<std::uint32_t> at_face;
  for (std::size_t t = 0; t < nodes.tiles.size(); ++t) {
    const NodeMap::Tile& tile = nodes.tiles[t];
    const BarredAxes barred = barred_axes(nodes, tile);
    for (int axis = 0; axis < nodes.dimension; ++axis) {
      // The last plane of this tile inside the box, and the tile and plane that follow it.
      const bool last_tile = tile.position[axis] == nodes.tiles_in_box[axis] - 1;
      if (last_tile && !nodes.periodic[axis]) continue;
      const int last = last_tile ? (nodes.size[axis] - 1) % shape[axis] : shape[axis] - 1;
      Int3 next = tile.position;
      next[axis] = last_tile ? 0 : next[axis] + 1;
      Int3 image{};
      image[axis] = last_tile ? 1 : 0;
      const std::uint32_t other = nodes.directory[nodes.directory_index(next)];
      const std::uint64_t here = planes[axis][last];
      const int shift = last * stride(nodes.dimension, axis);
      for (std::uint32_t a = first_label_[t]; a < first_label_[t + 1]; ++a) {
        const std::uint64_t face = (pieces[a] & here) >> shift;
        if (face == 0) continue;
        if (last_tile) at_face.push_back(a);
        const std::uint64_t crossing = (pieces[a] & here & ~barred.next[axis]) >> shift;
        if (other == empty_tile || crossing == 0) continue;
        for (std::uint32_t b = first_label_[other]; b < first_label_[other + 1]; ++b) {
          if ((crossing & pieces[b]) == 0) continue;
          sets.unite(a, b, image);
        }
      }
    }
    for (int axis = 0; axis < nodes.dimension; ++axis) {
      if (!nodes.periodic[axis] || tile.position[axis] != 0) continue;
      const std::uint64_t lower = planes[axis][0];
      for (std::uint32_t a = first_label_[t]; a < first_label_[t + 1]; ++a) {
        if ((pieces[a] & lower) != 0) at_face.push_back(a);
      }
    }
  }

  component_.resize(pieces.size());
  for (std::uint32_t label = 0; label < pieces.size(); ++label) {
    const std::uint32_t root = sets.root(label);
    if (root == label) {
      component_[label] = count();
      sizes_.push_back(0);
      endless_.push_back(sets.endless(root));
    } else {
      component_[label] = component_[root];  // roots are the lowest labels of their sets
    }
    sizes_[component_[label]] += std::popcount(pieces[label]);
  }
  at_periodic_face_.assign(count(), false);
  for (const std::uint32_t label : at_face) at_periodic_face_[component_[label]] = true;
}

std::uint32_t Components::of(std::uint64_t tile, int bit) const {
  const std::uint32_t first = first_label_[tile];
  if (first_label_[tile + 1] - first == 1) return component_[first];
  const auto pieces = tile_pieces(nodes_, nodes_.tiles[tile]);
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if ((pieces[i] >> bit & 1) != 0) return component_[first + i];
  }
  return component_[first];
}

std::vector<TileRest> find_rests(const NodeMap& nodes, const Components& components, const std::vector<bool>& keep) {
  std::vector<TileRest> rests;
  for (std::uint64_t t = 0; t < nodes.tiles.size(); ++t) {
    std::uint64_t mask = 0;
    for (const std::uint64_t piece : tile_pieces(nodes, nodes.tiles[t])) {
      if (keep[components.of(t, std::countr_zero(piece))]) mask |= piece;
    }
    if (mask != nodes.tiles[t].mask) rests.push_back({static_cast<std::uint32_t>(t), mask});
  }
  return rests;
}

void keep_rests(NodeMap& nodes, const std::vector<TileRest>& rests) {
  auto next = rests.begin();
  nodes.keep([&](std::uint64_t t) {
    if (next == rests.end() || next->tile != t) return nodes.tiles[t].mask;
    return (next++)->mask;
  });
  if (nodes.fluid_nodes == 0) throw_input("geometry: no fluid node is left after dropping the isolated components");
}

}  // namespace fluvia::geometry
