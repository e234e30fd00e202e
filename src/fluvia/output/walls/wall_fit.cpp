// SPDX-License-Identifier: Apache-2.0
#include "fluvia/output/walls/wall_fit.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <span>

#include "fluvia/geometry/map/tile_window.hpp"
#include "fluvia/output/linear_fit.hpp"
#include "fluvia/solver/bodies/moving_bodies.hpp"

namespace fluvia {
namespace {

/// Reach of the fit, nodes, where walls are interpolated, and where they are half-way, so that the first nodes are left
/// out.
constexpr double reach_interpolated = 3.2, reach_half_way = 3.5;
/// Weight of those first nodes, which counts where there are no others.
constexpr double unreliable = 1e-4;

/// Calls visit(step, length) for the steps to the 18 nearest nodes (2D: 8), |step|^2 = length, until it returns true.
template <class Visitor>
bool any_step(int dimension, Visitor&& visit) {
  for (int k = 0; k < 27; ++k) {
    const Int3 step{k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1};
    const int length = std::abs(step[0]) + std::abs(step[1]) + std::abs(step[2]);
    if (length == 0 || length > 2 || (dimension == 2 && step[2] != 0)) continue;
    if (visit(step, length)) return true;
  }
  return false;
}

/// True if a step from a node leads neither to fluid nor to the mirror image of fluid.
bool is_cut(const NodeMap& nodes, const Int3& node, const Int3& step) {
  const Int3 there{node[0] + step[0], node[1] + step[1], node[2] + step[2]};
  return !nodes.is_fluid(there) && !nodes.is_mirrored_fluid(there);
}

/// [canonical index], whether one of the nearest nodes is not fluid.
std::vector<bool> nodes_beside_walls(const NodeMap& nodes) {
  std::vector<bool> beside(nodes.fluid_nodes, false);
  for (const NodeMap::Tile& tile : nodes.tiles) {
    if (is_surrounded(nodes, tile)) continue;
    std::uint64_t index = tile.first_node;
    for (std::uint64_t rest = tile.mask; rest != 0; rest &= rest - 1, ++index) {
      const Int3 x = nodes.node_position(tile, std::countr_zero(rest));
      beside[index] = any_step(nodes.dimension, [&](const Int3& step, int) { return is_cut(nodes, x, step); });
    }
  }
  return beside;
}

Real3 from_wall(const WallPlace& place, const Int3& step) {
  Real3 d;
  for (int axis = 0; axis < 3; ++axis) d[axis] = place.node[axis] + step[axis] + 0.5 - place.point[axis];
  return d;
}

}  // namespace

WallFit::WallFit(const Geometry& geometry)
    : geometry_(geometry), reach_(geometry.distance_of ? reach_interpolated : reach_half_way) {
  if (!geometry.distance_of) beside_ = nodes_beside_walls(geometry.nodes);
  is_opening_.assign(geometry.surfaces.size(), false);
  for (const Opening& opening : geometry.openings) {
    const auto surface = static_cast<std::size_t>(opening.surface);
    if (surface < is_opening_.size()) is_opening_[surface] = true;
  }
}

WallFit::WallFit(const Geometry& geometry, const MovingBodies& bodies) : WallFit(geometry) {
  bodies_ = &bodies;
}

void WallFit::find(const WallPlace& place, Neighbourhood& neighbourhood, std::vector<Term>& terms) const {
  const bool flat = geometry_.nodes.dimension == 2;
  constexpr double behind = 0.3;  // nodes, which the surface of a body may be curved by
  const auto is_hidden = [&](const Int3& step, const Real3& from_place) {
    if (bodies_ == nullptr) return false;
    const Int3& at = place.node;
    return dot(from_place, place.normal) > behind ||
           bodies_->covers(geometry_.nodes.land({at[0] + step[0], at[1] + step[1], at[2] + step[2]}).node);
  };
  const auto& members = neighbourhood.find(geometry_.nodes, place.node, [&](const Int3& step) {
    const Real3 d = from_wall(place, step);
    return dot(d, d) < reach_ * reach_ && (!flat || step[2] == 0) && !is_hidden(step, d);
  });
  LinearFit fit;
  terms.clear();
  for (const auto& member : members) {
    const Real3 d = from_wall(place, member.step);
    const double share = 1 - dot(d, d) / (reach_ * reach_);
    double weight = std::max(share * share, 1e-3);
    if (!beside_.empty() && beside_[member.image.node()]) weight *= unreliable;
    fit.add(d, weight);
    terms.push_back({member.image, weight});
  }
  fit.solve();
  for (std::size_t k = 0; k < members.size(); ++k)
    terms[k].factor = fit.factor(from_wall(place, members[k].step), terms[k].factor);
}

void WallFit::nearest_walls(const Int3& node, Neighbourhood& neighbourhood, std::vector<WallPlace>& places) const {
  constexpr double as_near = 1 + 1e-6;
  places.clear();
  struct Cut {
    Int3 step;
    int surface;
    double part, distance;
  };
  std::array<Cut, 18> cuts;
  std::size_t count = 0;
  double nearest = 1e300;
  any_step(geometry_.nodes.dimension, [&](const Int3& step, int length) {
    if (!is_cut(geometry_.nodes, node, step)) return false;
    const int surface = geometry_.surface_of ? geometry_.surface_of(node, step) : surface_id::wall;
    if (surface >= 0 && is_opening_[static_cast<std::size_t>(surface)]) return false;
    const double part = geometry_.distance_of ? geometry_.distance_of(node, step) : 0.5;
    cuts[count++] = {step, surface, part, part * std::sqrt(length)};
    nearest = std::min(nearest, cuts[count - 1].distance);
    return false;
  });
  for (const Cut& cut : std::span(cuts).first(count)) {
    if (cut.distance > nearest * as_near) continue;
    WallPlace place{node, {}, {}, cut.surface};
    for (int axis = 0; axis < 3; ++axis) place.point[axis] = node[axis] + 0.5 + cut.part * cut.step[axis];
    place.normal = wall_normal(geometry_, place, cut.step, neighbourhood);
    places.push_back(place);
  }
}

Real3 wall_normal(const Geometry& geometry, const WallPlace& place, const Int3& offset, Neighbourhood& neighbourhood) {
  if (geometry.normal_of) return geometry.normal_of(place.node, offset);
  const NodeMap& nodes = geometry.nodes;
  for (int axis = 0; axis < nodes.dimension; ++axis) {
    const int far = place.node[axis] + offset[axis];
    if (nodes.periodic[axis] || (far >= 0 && far < nodes.size[axis])) continue;
    if (nodes.mirrors[static_cast<std::size_t>(2 * axis + (far < 0 ? 0 : 1))]) continue;
    Real3 normal{};
    normal[axis] = offset[axis];
    return normal;
  }
  const Real3 out{1.0 * offset[0], 1.0 * offset[1], 1.0 * offset[2]};
  constexpr double reach = Neighbourhood::half_window + 0.5;
  const bool flat = nodes.dimension == 2;
  Real3 middle{};
  const auto near = [&](const Int3& step) { return norm(from_wall(place, step)) < reach && (!flat || step[2] == 0); };
  for (const auto& member : neighbourhood.find(nodes, place.node, near)) {
    const Real3 d = from_wall(place, member.step);
    middle = middle + (1 - dot(d, d) / (reach * reach)) * d;
  }
  // The normal points away from the node's own side, which is fluid, whatever lies around.
  return dot(middle, out) < 0 ? (-1 / norm(middle)) * middle : (1 / norm(out)) * out;
}

WallLoad load_of(const std::array<double, 6>& stress, double pressure, const Real3& n) {
  const auto& [xx, yy, zz, xy, yz, zx] = stress;
  const Real3 traction{xx * n[0] + xy * n[1] + zx * n[2], xy * n[0] + yy * n[1] + yz * n[2],
                       zx * n[0] + yz * n[1] + zz * n[2]};
  // The force of the fluid on the wall is that of the wall on the fluid with the opposite sign.
  return {dot(traction, n) * n - traction, pressure};
}

}  // namespace fluvia
