// SPDX-License-Identifier: Apache-2.0
// CpuSolver: scalars that the flow carries along. Included only by the files that instantiate it.
#pragma once
#include <algorithm>
#include <bit>
#include <cstring>
#include <memory>

#include "fluvia/cpu/cpu_solver.hpp"

namespace fluvia::cpu {

template <class Groups, class Format>
void CpuSolver<Groups, Format>::make_scalars(const Problem& problem) {
  if (plan_.scalars.empty()) return;
  scalars_ = std::make_unique<CarriedScalars<T>>(problem, plan_.scalars, plan_.threads);
  scalars_->reserve(groups_.count());
#pragma omp parallel for schedule(static) num_threads(plan_.threads)
  for (std::uint64_t group = 0; group < groups_.count(); ++group) {
    CanonicalNodes canonical;
    find_canonical(group, groups_.mask(group), canonical);
    for (std::uint64_t rest = groups_.mask(group); rest != 0; rest &= rest - 1) {
      const int lane = std::countr_zero(rest);
      scalars_->place(group, lane, canonical.node[lane]);
    }
  }
  scalars_->initialise();
}

template <class Groups, class Format>
void CpuSolver<Groups, Format>::tell_velocities(std::uint64_t group, const GroupPopulations& p, int lanes) const {
  alignas(64) MomentBlock<T> m;
  GroupPopulations here;  // populations that nothing has changed may still be in memory only
  const int directions = access().directions;
  for (int i = 0; i < directions; ++i) {
    T* const row = here.f + i * group_lanes;
    std::memcpy(row, p.in[i], sizeof(T) * static_cast<std::size_t>(lanes));
    std::fill(row + lanes, row + group_lanes, T(0));
  }
  typename NodeForces<T>::Block room;
  if (const T* const own = own_forces(group, room))
    physics_.kick(own, T(0.5), here.f, parameters_);  // half-way through the step: with half of the force
  physics_.moments(physics_.rates, here.f, parameters_, m);
  scalars_->take_velocities(group, groups_.mask(group), m.velocity);
}

}  // namespace fluvia::cpu
