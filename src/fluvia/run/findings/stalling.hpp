// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace fluvia {

/// Estimate of how much of a settled flow is missing, as a part of it, since populations are rounded to the nearest
/// value of a 16-bit format: the flow stops to change when a step changes populations by less than half a unit. The
/// change by viscosity in a step, of a flow that varies over `width` nodes, is the part viscosity (pi / width)^2 of it.
/// The factor is that of Poiseuille flow, by experiment (decision 0042). 0 for formats that do not round; at most 1.
/// `speed`, the largest, and `viscosity` in lattice units.
double missing_by_stalling(const std::string& format, double speed, double viscosity, double width);

}  // namespace fluvia
