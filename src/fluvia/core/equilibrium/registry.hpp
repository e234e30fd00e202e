// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/core/equilibrium/improved.hpp"

namespace fluvia::core {
/// Every equilibrium; add one here and nowhere else.
using Equilibria = TypeList<QuasiCompressible, Incompressible, Improved>;
}  // namespace fluvia::core
