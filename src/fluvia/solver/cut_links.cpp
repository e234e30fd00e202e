// SPDX-License-Identifier: Apache-2.0
#include "fluvia/solver/cut_links.hpp"

#include "fluvia/base/error.hpp"
#include "fluvia/core/lattice/registry.hpp"

namespace fluvia {

namespace {
template <class Visitor>
void with_lattice(const std::string& name, Visitor&& visit) {
  bool found = false;
  core::for_each_type(core::Lattices{}, [&]<class Lattice>(Lattice lattice) {
    if (name == Lattice::name) {
      visit(lattice);
      found = true;
    }
  });
  if (!found) throw Error(ExitCode::internal, "no lattice '" + name + "'");
}
}  // namespace

std::vector<Int3> lattice_velocities(const std::string& lattice) {
  std::vector<Int3> result;
  with_lattice(lattice, [&]<class Lattice>(Lattice) {
    for (int i = 0; i < Lattice::Q; ++i) result.push_back({Lattice::c[i][0], Lattice::c[i][1], Lattice::c[i][2]});
  });
  return result;
}

std::vector<double> lattice_weights(const std::string& lattice) {
  std::vector<double> result;
  with_lattice(lattice, [&]<class Lattice>(Lattice) { result.assign(Lattice::w, Lattice::w + Lattice::Q); });
  return result;
}

std::vector<CutLink> collect_cut_links(const Geometry& geometry, const std::vector<Int3>& velocities,
                                       const std::vector<bool>& wanted) {
  const NodeMap& nodes = geometry.nodes;
  bool any = false;
  for (const bool w : wanted) any = any || w;
  std::vector<CutLink> links;
  if (!any) return links;
  // Most tiles of a dense domain have nothing but full tiles around them.
  const auto is_surrounded = [&](const NodeMap::Tile& tile) {
    const int depth = nodes.dimension == 3 ? 1 : 0;
    for (int dz = -depth; dz <= depth; ++dz)
      for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx) {
          const Int3 p = {tile.position[0] + dx, tile.position[1] + dy, tile.position[2] + dz};
          for (int axis = 0; axis < 3; ++axis)
            if (p[axis] < 0 || p[axis] >= nodes.tiles_in_box[axis]) return false;
          const std::uint32_t t = nodes.directory[nodes.directory_index(p)];
          if (t == empty_tile || ~nodes.tiles[t].mask != 0) return false;
        }
    return true;
  };
  const auto tile_links = [&](std::uint64_t t, std::vector<CutLink>& out) {
    const NodeMap::Tile& tile = nodes.tiles[t];
    if (is_surrounded(tile)) return;
    for (std::uint64_t bits = tile.mask; bits; bits &= bits - 1) {
      const int bit = __builtin_ctzll(bits);
      const Int3 x = nodes.node_position(tile, bit);
      for (std::size_t i = 1; i < velocities.size(); ++i) {
        const Int3 offset = {-velocities[i][0], -velocities[i][1], -velocities[i][2]};
        if (nodes.is_fluid({x[0] + offset[0], x[1] + offset[1], x[2] + offset[2]})) continue;
        const int surface = geometry.surface_of(x, offset);
        if (wanted[surface])
          out.push_back({static_cast<std::uint32_t>(t), static_cast<std::uint16_t>(surface),
                         static_cast<std::uint8_t>(bit), static_cast<std::uint8_t>(i)});
      }
    }
  };
  // A fixed number of slices, joined in order: the result does not depend on the number of threads.
  constexpr int slices = 64;
  std::vector<CutLink> parts[slices];
#pragma omp parallel for schedule(dynamic)
  for (int s = 0; s < slices; ++s)
    for (std::uint64_t t = nodes.tiles.size() * s / slices; t < nodes.tiles.size() * (s + 1) / slices; ++t)
      tile_links(t, parts[s]);
  for (const auto& part : parts) links.insert(links.end(), part.begin(), part.end());
  return links;
}

}  // namespace fluvia
