// SPDX-License-Identifier: Apache-2.0
// Definitions behind physics.hpp; included only by the physics_*.cpp files.
#pragma once
#include <bit>

#include "fluvia/core/boundary/interpolated_wall.hpp"
#include "fluvia/core/boundary/registry.hpp"
#include "fluvia/core/boundary/wall_blocks.hpp"
#include "fluvia/core/collision/collide.hpp"
#include "fluvia/core/force/guo.hpp"
#include "fluvia/cpu/physics/pack.hpp"
#include "fluvia/cpu/physics/physics.hpp"

namespace fluvia::cpu {

/// Any model of viscosity that varies, by a pointer to its loop over lanes: so collisions are compiled for one of them
/// and not for each, and models see plain numbers.
template <class T>
struct VaryingViscosity {
  static constexpr bool varies = true;
  LocalRates<T> rates;

  Pack<T> omega(const Pack<T>& time_times_shear_rate, const core::CollisionParameters<T>& parameters) const {
    alignas(64) T values[Pack<T>::size];
    time_times_shear_rate.store(values);
    rates(values, parameters);
    return Pack<T>::load(values);
  }
};
/// The viscosity of one node by `rates`; without them that of the parameters, which all nodes have.
template <class T>
struct NodeViscosity {
  static constexpr bool varies = true;
  LocalRates<T> rates;

  T omega(T time_times_shear_rate, const core::CollisionParameters<T>& parameters) const {
    if (rates == nullptr) return parameters.omega;
    alignas(64) T values[Pack<T>::size] = {time_times_shear_rate};
    rates(values, parameters);
    return values[0];
  }
};
template <class T>
struct ConstantViscosity {
  static constexpr bool varies = false;
  explicit ConstantViscosity(LocalRates<T>) {}
};

/// How far ahead of its stores a collision asks for cache lines to write to: hardware follows some of the 19 streams of
/// D3Q19, and brings them to be read. In a block the next rows lie there, which are in the cache.
template <class T>
inline constexpr int lanes_ahead = 256 / sizeof(T);

template <class Collision, class Lattice, class Equilibrium, bool force, template <class> class Viscosity, class T>
void collide_lanes(LocalRates<T> rates, const T* const* in, T* const* out, int lanes,
                   const core::CollisionParameters<T>& parameters) {
  constexpr int width = Pack<T>::size;
  for (int lane = 0; lane < lanes; lane += width) {
    Pack<T> f[Lattice::Q];
    core::unroll<Lattice::Q>([&](auto i) {
      f[i.i] = Pack<T>::load(in[i.i] + lane);
      __builtin_prefetch(out[i.i] + lane + lanes_ahead<T>, 1);
    });
    core::collide<Collision, Lattice, Equilibrium, force>(f, parameters, Viscosity<T>(rates));
    if (lane + width <= lanes) {
      core::unroll<Lattice::Q>([&](auto i) { f[i.i].store(out[i.i] + lane); });
    } else {
      core::unroll<Lattice::Q>([&](auto i) { f[i.i].store_first(out[i.i] + lane, lanes - lane); });
    }
  }
}

/// Distances to the walls of one node, as core::BeforeWalls::return_pair takes them.
template <class T>
struct WallDistances {
  const core::WallWords& about;
  const core::Uint32* words;
  const unsigned char* opposed;
  [[nodiscard]] T of(int pair) const { return core::wall_distance<T>(about.distance(words, pair)); }
  [[nodiscard]] T second(int pair) const { return core::wall_distance<T>(opposed[pair]); }
};

/// The body force of a node: that of all nodes and, where the lanes have `own` ones, [axis][lane], its own.
template <class T>
void force_of_lane(const core::CollisionParameters<T>& parameters, const T* own, int lane, T (&force)[3]) {
  for (int axis = 0; axis < 3; ++axis)
    force[axis] = parameters.force[axis] + (own == nullptr ? T(0) : own[axis * group_lanes + lane]);
}

/// Gives lanes their own forces. Lanes without one, where it is 0, stay as they are.
template <class Lattice, class Equilibrium, class T>
void kick_block(const T* own, T part, T* block, const core::CollisionParameters<T>& parameters) {
  for (int lane = 0; lane < group_lanes; lane += Pack<T>::size) {
    Pack<T> f[Lattice::Q], force[3];
    for (int axis = 0; axis < 3; ++axis) force[axis] = Pack<T>::load(own + axis * group_lanes + lane);
    core::unroll<Lattice::Q>([&](auto i) { f[i.i] = Pack<T>::load(block + i.i * group_lanes + lane); });
    core::kick<Lattice, Equilibrium>(f, force, parameters.force, part);
    core::unroll<Lattice::Q>([&](auto i) { f[i.i].store(block + i.i * group_lanes + lane); });
  }
}

/// Collides lanes with walls node by node: few lanes have any, and their cut links differ.
template <class Lattice, core::WallRule rule, bool force, class T>
void collide_at_walls(const PhysicsKernels<T>& physics, const core::Uint32* walls, T supply, const T* own, T* block,
                      const T* const* in, T* const* out, int lanes, const core::CollisionParameters<T>& parameters) {
  const std::uint64_t mask = walls[0] | static_cast<std::uint64_t>(walls[1]) << 32;
  core::BeforeWalls<Lattice, rule, force, T> before[group_lanes];
  auto* kept = before;
  for (std::uint64_t rest = mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    T f[Lattice::Q], body_force[3];
    for (int i = 1; i < Lattice::Q; ++i) f[i] = in[i][lane];
    force_of_lane(parameters, own, lane, body_force);
    (kept++)->keep(f, body_force);
  }
  if (own != nullptr) physics.kick(own, T(1), block, parameters);
  physics.collide(physics.rates, in, out, lanes, parameters);
  const int nodes = std::popcount(mask);
  constexpr core::WallWords about((Lattice::Q - 1) / 2);
  const core::Uint32* words = walls + 2;
  const auto* opposed = reinterpret_cast<const unsigned char*>(words + nodes * about.count());
  kept = before;
  for (std::uint64_t rest = mask; rest != 0; rest &= rest - 1, ++kept, words += about.count()) {
    const int lane = std::countr_zero(rest);
    const core::Uint32 all_cut = about.cut(words);
    for (core::Uint32 cut = all_cut >> 1; cut != 0;) {  // bits 0, 1: the first pair of directions
      const int pair = std::countr_zero(cut) / 2;
      const core::Uint32 both = cut >> 2 * pair & 3u;
      kept->return_pair(pair, both, WallDistances<T>{about, words, opposed}, supply * T(Lattice::w[2 * pair + 1]),
                        out[2 * pair + 1][lane], out[2 * pair + 2][lane]);
      cut &= ~core::Uint32{3} << 2 * pair;
    }
    if (about.opposed(all_cut) != 0) opposed += about.pairs;
  }
}

template <class Lattice, class Equilibrium, class T>
void apply_boundaries(LocalRates<T> rates, T* block, const T* own, const BoundaryRecord* records, int count,
                      const core::PlaneFits<T>& fits, const core::CollisionParameters<T>& of_all, const T* memory,
                      T* after) {
  core::CollisionParameters<T> parameters = of_all;
  force_of_lane(of_all, own, records->lane, parameters.force);
  T loaded[Lattice::Q], f[Lattice::Q];
  T* lane = block + records->lane;
  for (int i = 0; i < Lattice::Q; ++i) loaded[i] = f[i] = lane[i * group_lanes];
  for (int k = 0; k < count; ++k)
    core::apply_boundary<Lattice, Equilibrium>(f, loaded, records[k].links, fits.surfaces[records[k].surface],
                                               parameters, fits, memory, after, NodeViscosity<T>{rates});
  for (int i = 0; i < Lattice::Q; ++i) lane[i * group_lanes] = f[i];
}

template <class Lattice, class Equilibrium, class T>
void moments_block(LocalRates<T> rates, const T* block, const core::CollisionParameters<T>& parameters,
                   MomentBlock<T>& out) {
  constexpr int width = Pack<T>::size;
  for (int lane = 0; lane < group_lanes; lane += width) {
    Pack<T> f[Lattice::Q], stress[6];
    core::unroll<Lattice::Q>([&](auto i) { f[i.i] = Pack<T>::load(block + i.i * group_lanes + lane); });
    const auto m = core::moments<Lattice, Equilibrium>(f, parameters.force);
    core::nonequilibrium_stress<Lattice, Equilibrium>(f, m, stress);
    core::correct_stress<Lattice>(m, parameters.force, stress);
    if (rates != nullptr)
      core::viscous_stress<Lattice, Equilibrium>(m, parameters, VaryingViscosity<T>{rates}, stress);
    else
      core::viscous_stress<Lattice, Equilibrium>(m, parameters, ConstantViscosity<T>(rates), stress);
    m.density_deviation.store(out.density_deviation + lane);
    for (int a = 0; a < 3; ++a) m.velocity[a].store(out.velocity[a] + lane);
    for (int k = 0; k < 6; ++k) stress[k].store(out.stress[k] + lane);
  }
}

template <class Lattice, class Equilibrium, class T>
void velocities_of_lanes(const T* const* in, const T* own, int lanes, const core::CollisionParameters<T>& parameters,
                         T (&out)[3][group_lanes]) {
  for (int lane = 0; lane < lanes; lane += Pack<T>::size) {
    Pack<T> f[Lattice::Q];
    core::unroll<Lattice::Q>([&](auto i) { f[i.i] = Pack<T>::load(in[i.i] + lane); });
    core::Sums<Pack<T>> sums = core::sums<Lattice>(f);
    if (own != nullptr)
      for (int axis = 0; axis < Lattice::D; ++axis)
        sums.momentum[axis] += Pack<T>::load(own + axis * group_lanes + lane) * T(0.5);
    const auto m = core::macroscopic<Lattice, Equilibrium>(sums, parameters.force);
    for (int axis = 0; axis < 3; ++axis) m.velocity[axis].store(out[axis] + lane);
  }
}

template <class Lattice, class Equilibrium, class T>
void equilibrium_of_lane(double density, const double (&velocity)[3], int lane, T* block) {
  core::Macroscopic<double> m{density - 1, {velocity[0], velocity[1], velocity[2]}};
  double f[Lattice::Q];
  core::equilibrium<Lattice, Equilibrium>(m, f);
  for (int i = 0; i < Lattice::Q; ++i) block[i * group_lanes + lane] = static_cast<T>(f[i]);
}

template <class Lattice, class Equilibrium, class T>
bool find_physics_with(const std::string& collision, bool force, LocalRates<T> rates, PhysicsKernels<T>& out) {
  bool found = false;
  core::for_each_type(core::Collisions{}, [&]<class Collision>(Collision) {
    if constexpr (core::combines<Lattice, Collision, Equilibrium>) {
      if (collision != Collision::name) return;
      found = true;
      using Collide = decltype(out.collide);
      constexpr Collide table[2][2] = {{collide_lanes<Collision, Lattice, Equilibrium, false, ConstantViscosity, T>,
                                        collide_lanes<Collision, Lattice, Equilibrium, false, VaryingViscosity, T>},
                                       {collide_lanes<Collision, Lattice, Equilibrium, true, ConstantViscosity, T>,
                                        collide_lanes<Collision, Lattice, Equilibrium, true, VaryingViscosity, T>}};
      out.collide = table[force][rates != nullptr];
    }
  });
  out.rates = rates;
  out.boundary = apply_boundaries<Lattice, Equilibrium, T>;
  out.kick = kick_block<Lattice, Equilibrium, T>;
  out.velocities = velocities_of_lanes<Lattice, Equilibrium, T>;
  out.moments = moments_block<Lattice, Equilibrium, T>;
  out.equilibrium = equilibrium_of_lane<Lattice, Equilibrium, T>;
  return found;
}

template <class Lattice, class T>
bool find_physics_of(const std::string& collision, const std::string& equilibrium, bool force, LocalRates<T> rates,
                     core::WallRule walls, PhysicsKernels<T>& out) {
  bool found = false;
  core::for_each_type(core::Equilibria{}, [&]<class Equilibrium>(Equilibrium) {
    if constexpr (Equilibrium::template supports<Lattice>)
      if (equilibrium == Equilibrium::name)
        found = find_physics_with<Lattice, Equilibrium, T>(collision, force, rates, out);
  });
  using core::WallRule;
  if (walls == WallRule::interpolated)
    out.collide_at_walls = force ? collide_at_walls<Lattice, WallRule::interpolated, true, T>
                                 : collide_at_walls<Lattice, WallRule::interpolated, false, T>;
  if (walls == WallRule::viscosity_independent)
    out.collide_at_walls = force ? collide_at_walls<Lattice, WallRule::viscosity_independent, true, T>
                                 : collide_at_walls<Lattice, WallRule::viscosity_independent, false, T>;
  return found;
}

}  // namespace fluvia::cpu
