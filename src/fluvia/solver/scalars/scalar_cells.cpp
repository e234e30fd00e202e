// SPDX-License-Identifier: Apache-2.0
#include "fluvia/solver/scalars/scalar_cells.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>

#include "fluvia/core/scalar/conditions.hpp"
#include "fluvia/geometry/wall_strips.hpp"
#include "fluvia/solver/links/wall_links.hpp"

namespace fluvia {

namespace {

/// Areas and volumes come in these steps, as walls are kept, so that digits in which a geometry and its mirror image
/// differ do not matter.
constexpr double steps_of_cells = 256;
double in_steps(double value) {
  return std::round(steps_of_cells * value) / steps_of_cells;
}

bool is_along_axis(const Int3& c) {
  return c[0] * c[0] + c[1] * c[1] + c[2] * c[2] == 1;
}
int axis_of(const Int3& c) {
  return c[0] != 0 ? 0 : c[1] != 0 ? 1 : 2;
}

}  // namespace

bool ends_cells(const ScalarAtSurface& at) {
  return at.rule == core::scalar_rule_of<core::ScalarFlux> || at.rule == core::scalar_rule_of<core::ScalarExchange>;
}

ScalarCells::ScalarCells(const Problem& problem, const ScalarMethod& scalar,
                         const std::vector<ScalarAtSurface>& surfaces, const ScalarSolids& solids,
                         const std::vector<bool>& near)
    : geometry_(problem.geometry),
      lattice_(*scalar.lattice),
      surfaces_(surfaces),
      solids_(solids),
      near_(near),
      open_{scalar.diffusivity, scalar.diffusivity / scalar.lattice->sound_squared},
      ends_at_(interpolated_surfaces(problem.settings, problem.geometry)) {
  for (std::size_t s = 0; s < surfaces_.size(); ++s) ends_at_[s] = ends_at_[s] && ends_cells(surfaces_[s]);
  if (std::none_of(ends_at_.begin(), ends_at_.end(), [](bool ends) { return ends; })) return;
  const std::uint64_t nodes = geometry_.nodes.fluid_nodes;
  kind_.assign(nodes, Kind::open);
  for_each_node([&](std::uint64_t n, const Int3& at) { kind_[n] = kind_of(at); });
  if (std::none_of(kind_.begin(), kind_.end(), [](Kind kind) { return kind == Kind::ended || kind == Kind::fed; })) {
    kind_ = {};
    return;
  }
  volume_.assign(nodes, 1.0F);
  for_each_node([&](std::uint64_t n, const Int3& at) {
    if (kind_[n] == Kind::ended || kind_[n] == Kind::fed) volume_[n] = volume_of(at);
  });
  std::vector<float> strength(nodes, 1.0F);
  for_each_node([&](std::uint64_t n, const Int3& at) {
    if (kind_[n] == Kind::ended || kind_[n] == Kind::open) strength[n] = strength_of(at, n);
  });
  if (std::any_of(strength.begin(), strength.end(), [](float of_node) { return of_node != 1; })) strength_ = strength;
}

template <class Visit>
void ScalarCells::for_each_node(const Visit& visit) const {
  const NodeMap& map = geometry_.nodes;
#pragma omp parallel for schedule(dynamic, 16)
  for (std::size_t t = 0; t < map.tiles.size(); ++t) {
    if (!near_.empty() && !near_[t]) continue;
    std::uint64_t n = map.tiles[t].first_node;
    for (std::uint64_t rest = map.tiles[t].mask; rest != 0; rest &= rest - 1, ++n)
      visit(n, map.node_position(map.tiles[t], std::countr_zero(rest)));
  }
}

ScalarCells::Kind ScalarCells::kind_of(const Int3& x) const {
  Kind kind = Kind::open;
  for (std::size_t i = 1; i < static_cast<std::size_t>(lattice_.directions); ++i) {
    const Int3& c = lattice_.velocities[i];
    const NodeMap::Landing landing = geometry_.nodes.land({x[0] + c[0], x[1] + c[1], x[2] + c[2]});
    if (landing.inside && geometry_.nodes.is_fluid(landing.node)) continue;
    if (landing.inside && solids_.find(landing.node) >= 0) return Kind::tied;
    const int surface = geometry_.surface_of(x, c);
    if (surface == geometry_.level_surface) return Kind::tied;  // what passes to other levels is that of open cells
    if (!ends_cells(surfaces_[static_cast<std::size_t>(surface)])) return Kind::tied;
    if (!ends_at(surface)) continue;
    const ScalarAtSurface& at = surfaces_[static_cast<std::size_t>(surface)];
    const bool is_closed = at.rule == core::scalar_rule_of<core::ScalarFlux> && !at.prescribes;
    kind = is_closed && kind != Kind::fed ? Kind::ended : Kind::fed;
  }
  return kind;
}

float ScalarCells::volume_of(const Int3& x) const {
  constexpr double least = 0.125;
  double volume = 1;
  for (std::size_t i = 1; i < static_cast<std::size_t>(lattice_.directions); ++i) {
    const Int3& c = lattice_.velocities[i];
    if (!is_along_axis(c)) continue;
    const NodeMap::Landing landing = geometry_.nodes.land({x[0] + c[0], x[1] + c[1], x[2] + c[2]});
    if (landing.inside && geometry_.nodes.is_fluid(landing.node)) continue;
    if (ends_at(geometry_.surface_of(x, c))) volume += strip_at_wall(geometry_, x, c, -1);
  }
  return static_cast<float>(std::max(in_steps(volume), least));
}

float ScalarCells::strength_of(const Int3& x, std::uint64_t node) const {
  double wanted = 1;
  for (std::size_t i = 1; i < static_cast<std::size_t>(lattice_.directions); ++i) {
    const Int3& c = lattice_.velocities[i];
    if (!is_along_axis(c)) continue;
    const NodeMap::Landing landing = geometry_.nodes.land({x[0] + c[0], x[1] + c[1], x[2] + c[2]});
    const std::int64_t there = landing.inside ? geometry_.nodes.node_index(landing.node) : -1;
    if (there < 0 || !has_face(node, static_cast<std::uint64_t>(there))) continue;
    wanted = std::max(wanted, face(x, c) / volume_[node]);
  }
  return static_cast<float>(std::ceil(steps_of_cells * core::scalar_strength(wanted, open_)) / steps_of_cells);
}

/// How high the wall is above a node on a side of it, and what part of a strip there lies in a section.
struct ScalarCells::Rise {
  double height = 0.5, share = 0;
  bool is_cut = false;  ///< the node beside it is no fluid
  bool has_share = false;
};

/// The share is that of strip_at_wall(), across the axis `across`.
ScalarCells::Rise ScalarCells::rise(const Int3& x, const Int3& side, int across) const {
  constexpr double far = 2, row = 1, least = 1e-6;
  const auto beside = [&](const Int3& at, const Int3& c) {
    return geometry_.nodes.land({at[0] + c[0], at[1] + c[1], at[2] + c[2]});
  };
  const auto is_fluid = [&](const NodeMap::Landing& at) { return at.inside && geometry_.nodes.is_fluid(at.node); };
  const auto height_of = [&](const Int3& at, const Int3& c) {
    return ends_at(geometry_.surface_of(at, c)) ? in_steps(geometry_.distance_of(at, c)) : 0.5;
  };
  const NodeMap::Landing next = beside(x, side);
  if (is_fluid(next)) {
    const Int3 on{side[0] * next.sign[0], side[1] * next.sign[1], side[2] * next.sign[2]};
    const NodeMap::Landing beyond = beside(next.node, on);
    if (is_fluid(beyond)) return {far};
    return {beyond.inside && solids_.find(beyond.node) >= 0 ? row + 0.5 : row + height_of(next.node, on)};
  }
  Rise rise{0.5, 0, true};
  if (next.inside && solids_.find(next.node) >= 0) return rise;
  if (!ends_at(geometry_.surface_of(x, side))) return rise;
  rise.height = height_of(x, side);
  const Real3 normal = geometry_.normal_of(x, side);
  const double in_section = dot(normal, normal) - normal[across] * normal[across];
  if (!(in_section > least)) return rise;  // the wall is parallel to the section
  const double along = dot(normal, {1.0 * side[0], 1.0 * side[1], 1.0 * side[2]});
  rise.share = in_steps(along * along / in_section);
  rise.has_share = true;
  return rise;
}

/// The open part of the face along c, with what lies in the row beyond where that has a node on one side of the face
/// only: the wall goes straight from above one node to above the other.
double ScalarCells::face(const Int3& x, const Int3& c) const {
  constexpr double highest = 1.5, least = 1.0 / 32;
  const int across = axis_of(c);
  const NodeMap::Landing there = geometry_.nodes.land({x[0] + c[0], x[1] + c[1], x[2] + c[2]});
  double area = 1;
  for (int axis = 0; axis < geometry_.nodes.dimension; ++axis) {
    if (axis == across) continue;
    for (const int sign : {-1, 1}) {
      Int3 side{}, other_side{};
      side[axis] = sign;
      other_side[axis] = sign * there.sign[axis];
      const Rise one = rise(x, side, across), other = rise(there.node, other_side, across);
      if ((!one.is_cut && !other.is_cut) || (!one.has_share && !other.has_share)) continue;
      const double share = one.has_share && other.has_share ? 0.5 * (one.share + other.share) : one.share + other.share;
      area += share * (std::min(0.5 * (one.height + other.height), highest) - 0.5);
    }
  }
  return std::max(in_steps(area), least);
}

double ScalarCells::part(const Int3& x, std::uint64_t node, const Int3& c, std::uint64_t there) const {
  if (kind_.empty()) return 1;
  const core::ScalarCell one = of(node), other = of(there);
  const bool by_face = has_face(node, there);
  if (!by_face && one.strength == 1 && other.strength == 1) return 1;
  const double of_volumes = 2 * one.volume * other.volume / (one.volume + other.volume);
  return core::scalar_face_part(one, other, by_face && is_along_axis(c) ? face(x, c) : of_volumes, open_);
}

}  // namespace fluvia
