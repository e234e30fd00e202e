// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "fluvia/run/monitors/monitor_column.hpp"

namespace fluvia {

/// What is recorded of the scalars of a case: mean, least and largest value, what passes each surface that does not
/// keep it back, the mean of what passes an opening, how well what leaves is mixed where two surfaces hold different
/// values, and Nusselt (Sherwood) numbers of walls where the scalar has a
/// reference length.
std::vector<MonitorColumn> scalar_columns(const Case& c, const Solver& solver, const Units& units);

/// A difference of a scalar that Nusselt numbers refer to: the given one, else between the largest and the least value
/// that surfaces hold; 0 if there is none.
double reference_difference(const Case& c, const Case::Scalar& scalar);

}  // namespace fluvia
