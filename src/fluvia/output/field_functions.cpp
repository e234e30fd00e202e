// SPDX-License-Identifier: Apache-2.0
#include "fluvia/output/field_functions.hpp"

#include <cmath>

#include "fluvia/core/lattice/isotropy.hpp"
#include "fluvia/solver/viscous_stress.hpp"

namespace fluvia {
namespace {

using core::sound_speed_squared;

struct Direction {
  Int3 offset;
  double weight;
};

/// d(velocity)/d(axis) at a node, lattice units.
Real3 derivative(const FieldContext& context, const FieldSample& sample, int axis) {
  const NodeMap& nodes = context.output.state.geometry().nodes;
  const auto index_at = [&](int distance) {
    Int3 node = sample.node;
    node[axis] += distance;
    return nodes.node_index(node);
  };
  const auto velocity_at = [&](std::int64_t index) {
    return context.moments.velocity(static_cast<std::uint64_t>(index));
  };
  const std::int64_t before = index_at(-1), after = index_at(1);
  if (before >= 0 && after >= 0) return 0.5 * (velocity_at(after) - velocity_at(before));
  if (before < 0 && after < 0) return {};
  const int side = after >= 0 ? 1 : -1;
  const Real3 here = context.moments.velocity(sample.index), near = velocity_at(side > 0 ? after : before);
  const std::int64_t second = index_at(2 * side);
  if (second < 0) return side * (near - here);
  return 0.5 * side * ((4.0 * near - velocity_at(second)) - 3.0 * here);
}

/// Non-zero neighbour offsets of D2Q9 or D3Q19; the weights are relative.
const std::vector<Direction>& directions(int dimension) {
  static const auto make = [](int d) {
    std::vector<Direction> result;
    for (int z = d == 3 ? -1 : 0; z <= (d == 3 ? 1 : 0); ++z) {
      for (int y = -1; y <= 1; ++y) {
        for (int x = -1; x <= 1; ++x) {
          const int length = x * x + y * y + z * z;
          if (length == 1) result.push_back({{x, y, z}, d == 3 ? 2.0 : 4.0});
          if (length == 2) result.push_back({{x, y, z}, 1.0});
        }
      }
    }
    return result;
  };
  static const std::vector<Direction> flat = make(2), full = make(3);
  return dimension == 3 ? full : flat;
}

/// Unit vector towards the wall next to a node; false if no link is cut by a wall.
bool wall_normal(const FieldContext& context, const Int3& node, Real3& normal) {
  const Geometry& geometry = context.output.state.geometry();
  Real3 sum{}, first{};
  bool found = false;
  for (const Direction& direction : directions(geometry.nodes.dimension)) {
    const Int3& o = direction.offset;
    if (geometry.nodes.is_fluid({node[0] + o[0], node[1] + o[1], node[2] + o[2]})) continue;
    if (!geometry.openings.empty() && geometry.surface_of) {
      const int surface = geometry.surface_of(node, o);
      if (surface >= 0 && context.is_opening[static_cast<std::size_t>(surface)]) continue;
    }
    const Real3 step = direction.weight * Real3{double(o[0]), double(o[1]), double(o[2])};
    if (!found) first = step;
    found = true;
    sum = sum + step;
  }
  if (!found) return false;
  // In a passage one node wide the walls on both sides cancel: either will do.
  if (norm(sum) < 1e-9) sum = first;
  normal = (1 / norm(sum)) * sum;
  return true;
}

}  // namespace

void evaluate_pressure(const FieldContext& context, const FieldSample& sample, double* out) {
  out[0] = context.output.units.si_pressure(sound_speed_squared * (context.moments.density(sample.index) - 1));
}

void evaluate_density(const FieldContext& context, const FieldSample& sample, double* out) {
  out[0] = context.output.units.density * context.moments.density(sample.index);
}

void evaluate_velocity(const FieldContext& context, const FieldSample& sample, double* out) {
  const Real3& velocity = context.moments.velocity(sample.index);
  for (std::size_t i = 0; i < 3; ++i) out[i] = context.output.units.si_velocity(velocity[i]);
}

void evaluate_vorticity(const FieldContext& context, const FieldSample& sample, double* out) {
  const Real3 dx = derivative(context, sample, 0), dy = derivative(context, sample, 1);
  const bool flat = context.output.state.geometry().nodes.dimension == 2;
  const Real3 dz = flat ? Real3{} : derivative(context, sample, 2);
  const Units& units = context.output.units;
  out[0] = units.si_rate(dy[2] - dz[1]);
  out[1] = units.si_rate(dz[0] - dx[2]);
  out[2] = units.si_rate(dx[1] - dy[0]);
}

void evaluate_strain_rate(const FieldContext& context, const FieldSample& sample, double* out) {
  const auto& [xx, yy, zz, xy, yz, zx] = context.moments.stress(sample.index);
  const double density = context.incompressible ? 1.0 : context.moments.density(sample.index);
  const double factor = context.output.state.plan().omega / (2 * density * sound_speed_squared);
  const double sum = xx * xx + yy * yy + zz * zz + 2 * (xy * xy + yz * yz + zx * zx);
  out[0] = context.output.units.si_rate(factor * std::sqrt(2 * sum));
}

void evaluate_wall_shear_stress(const FieldContext& context, const FieldSample& sample, double* out) {
  out[0] = 0;
  Real3 normal{};
  if (!wall_normal(context, sample.node, normal)) return;
  const FlowState& state = context.output.state;
  const auto [xx, yy, zz, xy, yz, zx] =
      viscous_stress(state.plan(), state.geometry().nodes.dimension, context.moments.density(sample.index),
                     context.moments.stress(sample.index));
  const Real3 traction{xx * normal[0] + xy * normal[1] + zx * normal[2],
                       xy * normal[0] + yy * normal[1] + yz * normal[2],
                       zx * normal[0] + yz * normal[1] + zz * normal[2]};
  out[0] = context.output.units.si_stress(norm(traction - dot(traction, normal) * normal));
}

}  // namespace fluvia
