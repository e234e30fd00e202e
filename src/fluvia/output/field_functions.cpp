// SPDX-License-Identifier: Apache-2.0
#include "fluvia/output/field_functions.hpp"

#include <array>
#include <cmath>
#include <optional>
#include <vector>

#include "fluvia/core/lattice/isotropy.hpp"
#include "fluvia/solver/viscous_stress.hpp"

namespace fluvia {
namespace {

using core::sound_speed_squared;

/// Derivative of the velocity along an axis at a node, lattice units. Beyond a plane of symmetry lies the mirror image
/// of the flow.
Real3 derivative(const FieldContext& context, const FieldSample& sample, int axis) {
  const NodeMap& nodes = context.output.state.geometry().nodes;
  const auto velocity_at = [&](int distance) -> std::optional<Real3> {
    Int3 node = sample.node;
    node[axis] += distance;
    const NodeMap::Landing landing = nodes.land(node);
    const std::int64_t index = landing.inside ? nodes.node_index(landing.node) : -1;
    if (index < 0) return {};
    Real3 u = context.moments.velocity(static_cast<std::uint64_t>(index));
    for (int a = 0; a < 3; ++a) u[a] *= landing.sign[static_cast<std::size_t>(a)];
    return u;
  };
  const auto before = velocity_at(-1), after = velocity_at(1);
  if (before && after) return 0.5 * (*after - *before);
  if (!before && !after) return {};
  const int side = after ? 1 : -1;
  const Real3 here = context.moments.velocity(sample.index), near = after ? *after : *before;
  const auto second = velocity_at(2 * side);
  if (!second) return side * (near - here);
  return 0.5 * side * ((4.0 * near - *second) - 3.0 * here);
}

/// The shear rate sqrt(2 S:S) at a node, lattice units.
double shear_rate(const FieldContext& context, const FieldSample& sample) {
  const auto& [xx, yy, zz, xy, yz, zx] = context.moments.stress(sample.index);
  const double density = context.incompressible ? 1.0 : context.moments.density(sample.index);
  const double factor = context.output.state.plan().flow().omega() / (2 * density * sound_speed_squared);
  const double sum = xx * xx + yy * yy + zz * zz + 2 * (xy * xy + yz * yz + zx * zx);
  return factor * std::sqrt(2 * sum);
}

}  // namespace

LinearField pressure_field(const Units& units) {
  // The density whose gauge pressure is 0; exactly 1 where that is the reference.
  const double offset = 1 + units.gauge_pressure(0) / sound_speed_squared;
  return {LinearField::Moment::density, offset, units.si_pressure(sound_speed_squared)};
}

LinearField density_field(const Units& units) {
  return {LinearField::Moment::density, 0, units.density};
}

LinearField velocity_field(const Units& units) {
  return {LinearField::Moment::velocity, 0, units.si_velocity(1)};
}

void evaluate_linear(const LinearField& field, const FieldContext& context, const FieldSample& sample, double* out) {
  if (field.moment == LinearField::Moment::density) {
    out[0] = field.at(context.moments.density(sample.index));
    return;
  }
  const Real3& velocity = context.moments.velocity(sample.index);
  for (std::size_t i = 0; i < 3; ++i) out[i] = field.at(velocity[i]);
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
  out[0] = context.output.units.si_rate(shear_rate(context, sample));
}

void evaluate_viscosity(const FieldContext& context, const FieldSample& sample, double* out) {
  out[0] =
      context.output.units.si_viscosity(context.output.state.plan().flow().viscosity.at(shear_rate(context, sample)));
}

std::vector<StressAtWall> stresses_at_walls(const FieldContext& context, const FieldSample& sample) {
  Neighbourhood neighbourhood;
  std::vector<WallPlace> places;
  std::vector<WallFit::Term> terms;
  std::vector<StressAtWall> result;
  context.walls->nearest_walls(sample.node, neighbourhood, places);
  const FlowState& state = context.output.state;
  for (const WallPlace& place : places) {
    context.walls->find(place, neighbourhood, terms);
    std::array<double, 6> wall{};
    for (const WallFit::Term& term : terms) {
      const std::uint64_t node = term.image.node();
      const std::array<double, 6> stress = term.image.seen(viscous_stress(
          state.plan(), state.geometry().nodes.dimension, context.moments.density(node), context.moments.stress(node)));
      for (std::size_t k = 0; k < 6; ++k) wall[k] += term.factor * stress[k];
    }
    result.push_back({place, load_of(wall, 0, place.normal).shear});
  }
  return result;
}

void evaluate_wall_shear_stress(const FieldContext& context, const FieldSample& sample, double* out) {
  const std::vector<StressAtWall> found = stresses_at_walls(context, sample);
  double sum = 0;
  for (const StressAtWall& at : found) sum += norm(at.stress);
  out[0] = found.empty() ? 0 : context.output.units.si_stress(sum / static_cast<double>(found.size()));
}

}  // namespace fluvia
