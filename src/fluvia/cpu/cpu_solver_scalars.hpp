// SPDX-License-Identifier: Apache-2.0
// CpuSolver: scalars that the flow carries along. Included only by the files that instantiate it.
#pragma once
#include <algorithm>
#include <cstdint>
#include <memory>

#include "fluvia/cpu/cpu_solver.hpp"

namespace fluvia::cpu {

template <class Groups, class Format>
void CpuSolver<Groups, Format>::make_scalars(const Problem& problem) {
  if (plan_.scalars.empty()) return;
  scalars_ = std::make_unique<CarriedScalars<T>>(
      problem, plan_.scalars, block_, [this](const Int3& node) { return this->storage_index_of(node); },
      groups_.count(), plan_.threads);
  scalars_->append_solid_arrays(arrays_);
}

template <class Groups, class Format>
void CpuSolver<Groups, Format>::step_scalars(std::uint64_t group, const T* own, const GroupPopulations& p,
                                             int lanes) const {
  alignas(64) T velocity[3][group_lanes];
  const T* in[max_directions];
  for (int first = 0; first < lanes; first += group_lanes, ++group) {
    for (int i = 0; i < access().directions; ++i) in[i] = p.in[i] + first;
    physics_.velocities(in, own, std::min(lanes - first, group_lanes), parameters_, velocity);
    scalars_->step(group, velocity);
  }
}

}  // namespace fluvia::cpu
