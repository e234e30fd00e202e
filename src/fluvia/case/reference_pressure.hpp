// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/case/case.hpp"

namespace fluvia {

/// The gauge pressure that the density at rest stands for, case units: `units.reference_pressure`, or else, of the
/// pressures that openings hold, the one nearest to 0, which is 0 if they lie on both sides of it. A series counts with
/// its mean over time, or with 0 if it reaches 0. Where only windkessels hold a pressure, it is the one that they come
/// to at the flow rates that all other openings prescribe; but the pressure behind them if the case gives
/// `initial_pressure`, or if speeds are prescribed, whose flow rate depends on the geometry. If no opening holds a
/// pressure it is the pressure at the start. In lattice units, where a pressure is a density, openings have none but 0.
///
/// Only differences to this pressure make a density: so 100 mmHg everywhere is a fluid at rest. A shift of all
/// pressures does not change a flow, and cases with a pressure of 0 somewhere are computed as they always were.
[[nodiscard]] double reference_pressure(const Case& c);

/// The gauge pressure everywhere at the start, before formulas and files are added, case units:
/// `physics.initial_pressure`; without it 0 beside a formula or file of the pressure, else the reference pressure.
[[nodiscard]] double initial_pressure(const Case& c);

}  // namespace fluvia
