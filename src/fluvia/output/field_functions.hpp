// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "fluvia/output/fields.hpp"

// The functions behind the field registry in fields.cpp: each writes one node's value, in case units, to `out`.
namespace fluvia {

/// The gauge pressure cs2 (rho - 1) as a field.
LinearField pressure_field(const Units& units);
LinearField density_field(const Units& units);
LinearField velocity_field(const Units& units);
void evaluate_linear(const LinearField& field, const FieldContext& context, const FieldSample& sample, double* out);

/// The vorticity, curl of the velocity by second-order differences: central where both neighbours are fluid, one-sided
/// at walls (first order where only one further node is fluid, 0 where none is).
void evaluate_vorticity(const FieldContext& context, const FieldSample& sample, double* out);

/// The strain rate sqrt(2 S:S) with S = -omega / (2 rho cs2) Pi_neq, which the populations carry; second order, no
/// differences (Krueger et al., The Lattice Boltzmann Method, 2017, eq. 4.14).
void evaluate_strain_rate(const FieldContext& context, const FieldSample& sample, double* out);

/// The dynamic viscosity at the strain rate of evaluate_strain_rate() and at the density of the case.
void evaluate_viscosity(const FieldContext& context, const FieldSample& sample, double* out);

/// The wall shear stress |t - (t.n) n| with t = sigma n and the viscous stress sigma of viscous_stress.hpp, at the
/// point of a wall that is nearest to the node, extrapolated as for output.wall (wall_fit.hpp), in corners the mean
/// over all points that are as near; 0 at nodes without a link cut by a wall.
void evaluate_wall_shear_stress(const FieldContext& context, const FieldSample& sample, double* out);
/// The wall shear stress as a vector, lattice units, and where the wall is.
struct StressAtWall {
  WallPlace place;
  Real3 stress{};
};
/// The stress at all points of walls that are nearest to the node; none at nodes without a link cut by a wall.
std::vector<StressAtWall> stresses_at_walls(const FieldContext& context, const FieldSample& sample);

}  // namespace fluvia
