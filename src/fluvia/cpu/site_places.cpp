// SPDX-License-Identifier: Apache-2.0
#include "fluvia/base/error.hpp"
#include "fluvia/cpu/indexed_site_places.hpp"

namespace fluvia::cpu {

namespace {

using core::Sites;

template <core::Addressing addressing, int dimension = 0, int edge = 0>
std::unique_ptr<SitePlaces> indexed(const Sites& sites) {
  using Map = core::IndexMap<addressing, dimension, edge>;
  return std::make_unique<IndexedSitePlaces<typename Map::Type, Map::order>>(sites);
}

std::unique_ptr<SitePlaces> tiles(const Sites& sites, int dimension, int edge) {
  constexpr auto addressing = core::Addressing::tiles;
  if (dimension == 2) return edge == 8 ? indexed<addressing, 2, 8>(sites) : indexed<addressing, 2, 16>(sites);
  return edge == 4 ? indexed<addressing, 3, 4>(sites) : indexed<addressing, 3, 8>(sites);
}

}  // namespace

std::unique_ptr<SitePlaces> make_site_places(const SiteLayout& layout, const NodeMap& nodes, const Scheme& scheme,
                                             const Plan& plan) {
  using core::Addressing;
  if (scheme.steps_by_tile()) return make_tile_places(layout, nodes, scheme, plan);
  const Sites sites = layout.sites(nodes);
  switch (scheme.addressing) {
    case Addressing::array_of_structures:
      return indexed<Addressing::array_of_structures>(sites);
    case Addressing::structure_of_arrays:
      return indexed<Addressing::structure_of_arrays>(sites);
    case Addressing::tiles:
      return tiles(sites, plan.lattice[1] - '0', plan.tile);
    case Addressing::matrix:
      return indexed<Addressing::matrix>(sites);
    case Addressing::fluid_index:
      return indexed<Addressing::fluid_index>(sites);
    case Addressing::half_box:
      return indexed<Addressing::half_box>(sites);
    case Addressing::dense:
    case Addressing::compact:
      break;
  }
  throw Error(ExitCode::internal, std::string("scheme ") + scheme.name + " has no sites");
}

}  // namespace fluvia::cpu
