// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/core/lattice/d2q9.hpp"
#include "fluvia/core/lattice/d3q13.hpp"
#include "fluvia/core/lattice/d3q15.hpp"
#include "fluvia/core/lattice/d3q19.hpp"
#include "fluvia/core/lattice/d3q27.hpp"

namespace fluvia::core {
/// Every lattice; add one here and nowhere else.
using Lattices = TypeList<D2Q9, D3Q13, D3Q15, D3Q19, D3Q27>;
}  // namespace fluvia::core
