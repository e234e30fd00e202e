// SPDX-License-Identifier: Apache-2.0
#include "fluvia/geometry/map/link_search.hpp"

namespace fluvia {

std::vector<Int3> axis_offsets(int dimension) {
  std::vector<Int3> offsets;
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(dimension); ++axis)
    for (const int side : {-1, 1}) offsets.emplace_back()[axis] = side;
  return offsets;
}

std::vector<Int3> neighbour_offsets(int dimension, int squared_length) {
  std::vector<Int3> offsets;
  const int depth = dimension == 3 ? 1 : 0;
  for (int z = -depth; z <= depth; ++z)
    for (int y = -1; y <= 1; ++y)
      for (int x = -1; x <= 1; ++x)
        if (const int length = x * x + y * y + z * z; length > 0 && length <= squared_length)
          offsets.push_back({x, y, z});
  return offsets;
}

LinkSearch::LinkSearch(const NodeMap& nodes, const std::vector<Int3>& offsets)
    : nodes_(nodes), offsets_(offsets), has_mirrors_(nodes.has_mirrors()), window_(nodes) {}

std::uint32_t LinkSearch::cuts_of(const NodeMap::Tile& tile, int bit) const {
  const Int3 local = tile_local(nodes_.dimension, bit);
  std::uint32_t cut = 0;
  for (std::size_t k = 0; k < offsets_.size(); ++k) {
    const Int3& o = offsets_[k];
    if (!window_.is_fluid({local[0] + o[0], local[1] + o[1], local[2] + o[2]})) cut |= 1u << k;
  }
  if (cut != 0 && has_mirrors_) {
    const Int3 x = nodes_.node_position(tile, bit);
    for (std::size_t k = 0; k < offsets_.size(); ++k) {
      const Int3& o = offsets_[k];
      if ((cut >> k & 1u) != 0 && nodes_.is_mirrored_fluid({x[0] + o[0], x[1] + o[1], x[2] + o[2]})) cut &= ~(1u << k);
    }
  }
  for (const BarredLinks::Node& node : barred_) {
    if (node.bit != bit) continue;
    for (std::size_t k = 0; k < offsets_.size(); ++k)
      if ((node.offsets & BarredLinks::bit_of(offsets_[k])) != 0) cut |= 1u << k;
  }
  return cut;
}

}  // namespace fluvia
