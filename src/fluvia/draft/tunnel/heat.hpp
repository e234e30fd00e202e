// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/draft/case_text.hpp"
#include "fluvia/draft/tunnel/bodies.hpp"

namespace fluvia::draft {

/// A body of aluminium that makes so much heat, in a wind of air: its temperature and that of the air.
struct Heating {
  double power = 0;   ///< W
  double volume = 0;  ///< of the body, m3
  double air = 293;   ///< temperature of the wind, K
};

/// Refuses what cannot be heated: not one closed body in air, or a grid with levels. Throws Error(usage) or
/// Error(input).
void check_heating(const DraftRequest& request, const std::vector<Body>& bodies);

/// The value that the wind brings, for the table of its boundary.
void write_heat_of_wind(CaseText& text, const Heating& heating);
/// The scalar, the solid and its source. `viscosity`: with which the case computes, m2/s.
void write_heat(CaseText& text, const Heating& heating, const Body& body, double viscosity);

}  // namespace fluvia::draft
