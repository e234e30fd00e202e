// SPDX-License-Identifier: Apache-2.0
// A time step as an ordered list of launches, which solvers and tests carry out alike.
#pragma once
#include <vector>

#include "fluvia/cuda/program/specification.hpp"
#include "fluvia/cuda/runtime/argument.hpp"
#include "fluvia/cuda/runtime/module.hpp"
#include "fluvia/solver/solver.hpp"

namespace fluvia::cuda {

/// One kernel of a step. It takes the geometry, then kernels::Physics if it computes with that, then one more argument
/// if it has one.
struct Launch {
  KernelKind kernel = KernelKind::step;
  LaunchShape shape;
  Argument geometry;
  bool takes_physics = true;
  Argument more{};
  double StepTimes::*part = &StepTimes::step;  ///< the part of the step that its time counts as
};

using Program = std::vector<Launch>;

}  // namespace fluvia::cuda
