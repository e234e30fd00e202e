// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/core/boundary/free_slip.hpp"
#include "fluvia/core/boundary/half_slip.hpp"
#include "fluvia/core/boundary/non_reflecting.hpp"
#include "fluvia/core/boundary/prescribed_velocity.hpp"
#include "fluvia/core/boundary/pressure.hpp"
#include "fluvia/core/boundary/sponge.hpp"
#include "fluvia/core/boundary/wall.hpp"
#include "fluvia/core/boundary/wall_function.hpp"
#include "fluvia/core/boundary/windkessel.hpp"

namespace fluvia::core {

/// Every boundary condition; add one here and nowhere else. The first is that of surfaces to which a case gives none.
using Boundaries = TypeList<Wall, MovingWall, VelocityOpening, PressureOpening, NonReflectingOpening, WindkesselOpening,
                            FlowSplitOpening, FreeSlip, HalfSlip, Symmetry, WallFunction>;

namespace detail {
/// The boundary condition whose `apply` a boundary condition takes: its `Rule`, or its own.
template <class Condition, class = void>
struct RuleOf {
  using type = Condition;
};
template <class Condition>
struct RuleOf<Condition, decltype(static_cast<void>(sizeof(typename Condition::Rule)))> {
  using type = typename Condition::Rule;
};
template <class A, class B>
inline constexpr bool same = false;
template <class A>
inline constexpr bool same<A, A> = true;

/// Index of a boundary condition in the list.
template <class Condition, class... Kinds>
constexpr int index_of(TypeList<Kinds...>) {
  constexpr bool is_it[] = {same<Condition, Kinds>...};
  int index = 0;
  while (!is_it[index]) ++index;
  return index;
}
template <class... Kinds>
constexpr int rule_of(TypeList<Kinds...> list, int kind) {
  const int rules[] = {index_of<typename RuleOf<Kinds>::type>(list)...};
  return rules[kind];
}
template <class List>
struct FactsOf;
template <class... Kinds>
struct FactsOf<TypeList<Kinds...>> {
  static constexpr ConditionFacts all[] = {Kinds::facts...};
};
}  // namespace detail

/// Facts of a boundary condition by its index in Boundaries, as in SurfaceState::kind.
constexpr const ConditionFacts& boundary_facts(int kind) {
  return detail::FactsOf<Boundaries>::all[kind];
}

namespace detail {
template <class Condition, int memory_size, bool upstream, bool openings_meet, class Lattice, class Equilibrium,
          class T, class Viscosity>
FLUVIA_FUNCTION void apply_condition(T (&f)[Lattice::Q], const T (&loaded)[Lattice::Q], const CutLinks& links,
                                     const SurfaceState& surface, const CollisionParameters<T>& parameters,
                                     const PlaneFits<T>& fits, const T* memory, T* after, const Viscosity& viscosity) {
  T numbers[memory_size > 0 ? memory_size : 1];
  for (int k = 0; k < memory_size; ++k) numbers[k] = memory[links.memory + static_cast<Uint32>(k)];
  const T* const above = upstream && links.opening.upstream != no_memory ? memory + links.opening.upstream : nullptr;
  Condition::apply(CutNode<Lattice, Equilibrium, Viscosity, T, openings_meet>{f, loaded, links, surface, parameters,
                                                                              numbers, above, memory, fits, viscosity});
  if (after != nullptr)
    for (int k = 0; k < memory_size; ++k) after[links.memory + static_cast<Uint32>(k)] = numbers[k];
}

template <class Lattice, class Equilibrium, ConditionSet conditions, class T, class Viscosity, class... Kinds>
FLUVIA_FUNCTION void apply_boundary(TypeList<Kinds...>, T (&f)[Lattice::Q], const T (&loaded)[Lattice::Q],
                                    const CutLinks& links, const SurfaceState& surface,
                                    const CollisionParameters<T>& parameters, const PlaneFits<T>& fits, const T* memory,
                                    T* after, const Viscosity& viscosity) {
  if constexpr ((conditions & sponges) != 0)
    if (links.damping > 0) {
      apply_condition<Sponge, Sponge::memory_size, false, false, Lattice, Equilibrium>(
          f, loaded, links, surface, parameters, fits, memory, after, viscosity);
      return;
    }
  const auto apply = [&]<class Condition>(Condition) {
    constexpr int rule = index_of<Condition>(Boundaries{});
    if constexpr (same<Condition, typename RuleOf<Condition>::type> && (conditions >> rule & 1u) != 0)
      if (surface.rule == rule)
        apply_condition<Condition, Condition::facts.memory, Condition::facts.upstream != Upstream::never,
                        (conditions & meeting_openings) != 0, Lattice, Equilibrium>(
            f, loaded, links, surface, parameters, fits, memory, after, viscosity);
  };
  (apply(Kinds{}), ...);
}
}  // namespace detail

/// SurfaceState::rule of a boundary condition. Boundary conditions with the same rule (`using Rule`) are compiled once.
constexpr int boundary_rule(int kind) {
  return detail::rule_of(Boundaries{}, kind);
}

namespace detail {
template <class... Kinds>
constexpr bool remembers(TypeList<Kinds...> list, ConditionSet conditions) {
  const bool of_kind[] = {Kinds::facts.memory > 0 &&
                          (conditions >> index_of<typename RuleOf<Kinds>::type>(list) & 1u) != 0 ...};
  bool any = (conditions & sponges) != 0;
  for (const bool kind : of_kind) any = any || kind;
  return any;
}
}  // namespace detail

/// True if one of these boundary conditions keeps numbers from step to step.
constexpr bool remembers(ConditionSet conditions) {
  return detail::remembers(Boundaries{}, conditions);
}

/// Sets what changes with time on a surface: the key that a series or a control gives, else the factor on the
/// velocities.
inline void set_value(SurfaceState& surface, double value) {
  const ConditionFacts& facts = boundary_facts(surface.kind);
  if (facts.control != Control::none) {
    surface.values[0] = value;
    return;
  }
  for (int k = 0; k < max_boundary_keys; ++k)
    if (facts.keys[k].name != nullptr && facts.keys[k].series) {
      surface.values[k] = value;
      return;
    }
  surface.scale = value;
}

/// Applies the surface's boundary condition to the cut links of one node. `loaded`: the populations before any boundary
/// condition. `memory`: the numbers kept from the step before; those for the next step go to the same elements of
/// `after`, which may be the same array, or null where nothing shall be kept. `fits`: those of all nodes. `viscosity`:
/// one of core::Viscosities, or what evaluates one. `conditions` must hold the surface's.
template <class Lattice, class Equilibrium, ConditionSet conditions = all_conditions, class T,
          class Viscosity = Newtonian>
FLUVIA_FUNCTION void apply_boundary(T (&f)[Lattice::Q], const T (&loaded)[Lattice::Q], const CutLinks& links,
                                    const SurfaceState& surface, const CollisionParameters<T>& parameters,
                                    const PlaneFits<T>& fits, const T* memory, T* after,
                                    const Viscosity& viscosity = {}) {
  detail::apply_boundary<Lattice, Equilibrium, conditions>(Boundaries{}, f, loaded, links, surface, parameters, fits,
                                                           memory, after, viscosity);
}

}  // namespace fluvia::core
