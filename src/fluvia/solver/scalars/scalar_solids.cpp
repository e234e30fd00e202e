// SPDX-License-Identifier: Apache-2.0
#include "fluvia/solver/scalars/scalar_solids.hpp"

#include <fmt/format.h>

#include <atomic>
#include <bit>
#include <string>

#include "fluvia/base/error.hpp"

namespace fluvia {

namespace {

/// For each surface the material of what it encloses; 0: none that conducts.
std::vector<std::uint8_t> materials_of_surfaces(const Geometry& geometry, const ScalarMethod& scalar) {
  std::vector<std::uint8_t> materials(geometry.surfaces.size(), 0);
  for (std::size_t k = 0; k < scalar.solids.size(); ++k)
    for (std::size_t s = 0; s < materials.size(); ++s)
      if (geometry.surfaces[s] == scalar.solids[k].surface) materials[s] = static_cast<std::uint8_t>(k + 1);
  return materials;
}

}  // namespace

ScalarSolids make_scalar_solids(const Problem& problem, const ScalarMethod& scalar) {
  ScalarSolids solids;
  solids.material.push_back({scalar.diffusivity, 1});
  if (scalar.solids.empty()) return solids;
  const Geometry& geometry = problem.geometry;
  const NodeMap& fluid = geometry.nodes;
  for (const ScalarSolid& solid : scalar.solids) solids.material.push_back({solid.diffusivity, solid.capacity});
  const std::vector<std::uint8_t> materials = materials_of_surfaces(geometry, scalar);
  const auto material_at = [&](const Int3& node) -> std::uint8_t {
    if (fluid.is_fluid(node)) return 0;
    const int surface = geometry.body_of(node);
    return surface < 0 ? 0 : materials[static_cast<std::size_t>(surface)];
  };
  const auto position = [&](const Int3& tile, int bit) {
    const Int3 shape = tile_shape(fluid.dimension), local = tile_local(fluid.dimension, bit);
    return Int3{tile[0] * shape[0] + local[0], tile[1] * shape[1] + local[1], tile[2] * shape[2] + local[2]};
  };
  std::vector<std::atomic<bool>> found(solids.material.size());
  const auto mask_of = [&](const Int3& tile) {
    std::uint64_t mask = 0;
    for (std::uint64_t rest = box_mask(fluid.dimension, fluid.size, tile); rest != 0; rest &= rest - 1) {
      const int bit = std::countr_zero(rest);
      const std::uint8_t material = material_at(position(tile, bit));
      if (material == 0) continue;
      found[material] = true;
      mask |= std::uint64_t{1} << bit;
    }
    return mask;
  };
  // A map of nothing is refused as a box without fluid; what is missing here is a solid, or are all of them.
  const auto require_all = [&] {
    for (std::size_t k = 0; k < scalar.solids.size(); ++k) {
      if (found[k + 1]) continue;
      const std::string key = fmt::format("solid[{}]", scalar.solids[k].number);
      throw_input(fmt::format("{}: {}: no node lies in '{}'; check its place, size and unit",
                              problem.settings.place(key), key, scalar.solids[k].surface));
    }
    return std::string();
  };
  solids.nodes =
      NodeMap::build(fluid.dimension, fluid.size, fluid.periodic, mask_of, communicator_of_one(), require_all);
  require_all();
  solids.nodes.mirrors = fluid.mirrors;
  solids.of_node.reserve(solids.nodes.fluid_nodes);
  for (std::size_t t = 0; t < solids.nodes.tiles.size(); ++t)
    for (std::uint64_t rest = solids.nodes.tiles[t].mask; rest != 0; rest &= rest - 1)
      solids.of_node.push_back(material_at(solids.nodes.node_position(solids.nodes.tiles[t], std::countr_zero(rest))));
  return solids;
}

}  // namespace fluvia
