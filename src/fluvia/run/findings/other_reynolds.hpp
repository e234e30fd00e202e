// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "fluvia/units/units.hpp"

namespace fluvia {

/// "Re = 478, not 4.18 million" where a case computes with another viscosity than that of the real fluid
/// (units.physical_viscosity): the mark of results that depend on it; else empty.
[[nodiscard]] std::string other_reynolds(const Units& units);

}  // namespace fluvia
