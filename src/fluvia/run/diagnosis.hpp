// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "fluvia/output/fields.hpp"

namespace fluvia {

/// Explains a state that cannot go on: where (node and position), when, and the likely causes with remedies.
std::string diagnose_instability(const Case& c, const OutputContext& output, const Totals& totals);

}  // namespace fluvia
