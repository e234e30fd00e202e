// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/core/collision/bgk.hpp"
#include "fluvia/core/collision/mrt.hpp"
#include "fluvia/core/collision/regularized.hpp"
#include "fluvia/core/collision/trt.hpp"

namespace fluvia::core {
/// Every collision; add one here and nowhere else.
using Collisions = TypeList<Bgk, Trt, Mrt, Regularized>;
}  // namespace fluvia::core
