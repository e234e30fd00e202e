// SPDX-License-Identifier: Apache-2.0
// The physics of one lattice and arithmetic type on blocks f[Q][64], behind function pointers: compiled once per
// lattice and type, whatever the storage.
#pragma once
#include <cstdint>
#include <string>

#include "fluvia/core/boundary/interpolated_wall.hpp"
#include "fluvia/core/boundary/surface.hpp"
#include "fluvia/core/collision/parameters.hpp"
#include "fluvia/cpu/storage/step_access.hpp"

namespace fluvia::cpu {

/// Cut links of one node and one surface; sorted by group, lane and boundary order.
struct BoundaryRecord {
  std::uint32_t group;
  std::uint16_t surface;
  std::uint8_t lane;
  core::CutLinks links;
};

/// Moments of the 64 lanes of a group.
template <class T>
struct MomentBlock {
  T density_deviation[group_lanes];
  T velocity[3][group_lanes];
  T stress[6][group_lanes];
};

/// A model of viscosity for the lanes of a vector: tau |S| becomes the rate of the shear stress (core::local_omega).
/// Null where the viscosity is constant.
template <class T>
using LocalRates = void (*)(T* values, const core::CollisionParameters<T>&);

template <class T>
struct PhysicsKernels {
  using Parameters = core::CollisionParameters<T>;
  LocalRates<T> rates = nullptr;  ///< first argument of the kernels that take rates
  /// Collides the first `lanes` lanes: in[i][lane] becomes out[i][lane]. Whole packs are read, no other lane is
  /// written. `out` may be a permutation of `in`.
  void (*collide)(LocalRates<T>, const T* const* in, T* const* out, int lanes, const Parameters&) = nullptr;
  /// Collides a group of which some lanes are at walls that are not half-way. `walls`: its record of core::WallBlocks;
  /// `supply`: WallBlocks::supply. Null if all walls are half-way. `own`: forces of the lanes as kick() takes them,
  /// null if there are none; with them `in` leads into `block`, which is kicked before the collision.
  void (*collide_at_walls)(const PhysicsKernels&, const core::Uint32* walls, T supply, const T* own, T* block,
                           const T* const* in, T* const* out, int lanes, const Parameters&) = nullptr;
  /// Gives the populations of a block `part` of the forces of its lanes, [axis][lane] (core::kick).
  void (*kick)(const T* own, T part, T* block, const Parameters&) = nullptr;
  /// Completes the cut links of one node. `own`: forces of the lanes, or null; `records`: all of that node;
  /// core::PlaneFits::surfaces: those of the case; `memory` and `after`: numbers that boundary conditions keep, as
  /// core::apply_boundary() takes them.
  void (*boundary)(LocalRates<T>, T* f, const T* own, const BoundaryRecord* records, int count,
                   const core::PlaneFits<T>&, const Parameters&, const T* memory, T* after) = nullptr;
  /// Velocities before the collision and the lanes' own forces, with half of all forces, of the first `lanes` lanes of
  /// a group: in[i][lane] gives out[axis][lane]. Whole packs are read and written. `own`: as kick() takes it, or null.
  void (*velocities)(const T* const* in, const T* own, int lanes, const Parameters&,
                     T (&out)[3][group_lanes]) = nullptr;
  /// Moments before collision; the stress is core::viscous_stress.
  void (*moments)(LocalRates<T>, const T* f, const Parameters&, MomentBlock<T>& out) = nullptr;
  /// Writes f_i^eq - w_i of one node into the given lane.
  void (*equilibrium)(double density, const double (&velocity)[3], int lane, T* f) = nullptr;
};

/// The rates of a model by its name. Throws Error(internal) if it is not registered.
template <class T>
LocalRates<T> local_rates(const std::string& viscosity);

/// Kernels of a valid combination; `viscosity`: name of a model. Throws Error(input) if the collision does not support
/// the lattice.
template <class T>
PhysicsKernels<T> find_physics(const std::string& lattice, const std::string& collision, const std::string& equilibrium,
                               bool force, const std::string& viscosity, core::WallRule walls);

/// Floats in one vector of the machine that the kernels were built for.
int vector_width();

/// The part of find_physics() for one lattice; each lives in a translation unit of its own.
template <class Lattice, class T>
bool find_physics_of(const std::string& collision, const std::string& equilibrium, bool force, LocalRates<T> rates,
                     core::WallRule walls, PhysicsKernels<T>& out);

}  // namespace fluvia::cpu
