// SPDX-License-Identifier: Apache-2.0
// Units in which results are shown beside those of the case.
#pragma once
#include "fluvia/run/results.hpp"

namespace fluvia {

/// Whether the fluid of a case is blood: in SI, with a density of 1040 to 1070 kg/m3 or the rheology of that name.
bool is_blood(const Case& c);

/// Gives each result the unit in which people who work with such a fluid read it: of blood flow rates in ml/min and
/// pressures in mmHg. Stress at walls they read in Pa.
void add_display_units(const Case& c, std::vector<Quantity>& results);

}  // namespace fluvia
