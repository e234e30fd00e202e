// SPDX-License-Identifier: Apache-2.0
#include "fluvia/base/error.hpp"
#include "fluvia/cpu/published/map_group_indices.hpp"

namespace fluvia::cpu {

namespace {

using core::IndexTables;

template <core::Addressing addressing, int dimension, int edge>
std::unique_ptr<GroupIndices> indexed(const IndexTables& tables) {
  using Map = core::IndexMap<addressing, dimension, edge>;
  return std::make_unique<MapGroupIndices<typename Map::Type, Map::order>>(tables);
}

/// An index map; dimension and edge are 0 of those without tiles.
struct Row {
  core::Addressing addressing;
  int dimension, edge;
  std::unique_ptr<GroupIndices> (*make)(const IndexTables& tables);
};
template <core::Addressing addressing, int dimension = 0, int edge = 0>
constexpr Row row{addressing, dimension, edge, indexed<addressing, dimension, edge>};

using core::Addressing;
constexpr Row rows[] = {row<Addressing::array_of_structures>,
                        row<Addressing::structure_of_arrays>,
                        row<Addressing::matrix>,
                        row<Addressing::fluid_index>,
                        row<Addressing::half_box>,
                        row<Addressing::tiles, 2, 8>,
                        row<Addressing::tiles, 2, 16>,
                        row<Addressing::tiles, 3, 4>,
                        row<Addressing::tiles, 3, 8>};

}  // namespace

std::unique_ptr<GroupIndices> make_group_indices(const IndexMapArrays& layout, const NodeMap& nodes,
                                                 const Scheme& scheme, const Plan& plan) {
  if (scheme.steps_by_tile()) return make_tile_group_indices(layout, nodes, scheme, plan);
  for (const Row& row : rows)
    if (row.addressing == scheme.addressing && row.edge == plan.tile &&
        (row.edge == 0 || row.dimension == nodes.dimension))
      return row.make(layout.tables(nodes));
  throw Error(ExitCode::internal, std::string("scheme ") + scheme.name + " has no index map");
}

}  // namespace fluvia::cpu
