// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fluvia/case/case.hpp"
#include "fluvia/geometry/geometry.hpp"
#include "fluvia/units/units.hpp"

namespace fluvia {

/// True for openings whose `speed` or `flow_rate` is prescribed, as a number or as a series. Above a ground only a
/// `flow_rate` is a flux; a `speed` is that at one height.
bool prescribes_flux(const Case::Boundary& b);

/// Flow into the fluid that a boundary with a prescribed flux lets in through `opening`, lattice units; of a series,
/// for a value of 1, which its values then multiply.
double prescribed_flux(const Case::Boundary& b, const Units& units, const Opening& opening, int dimension);

}  // namespace fluvia
