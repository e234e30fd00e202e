// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "fluvia/bench/bench.hpp"

namespace fluvia {

/// The rows that the settings ask for: their suite, or the product of their lists. Rows of one geometry follow each
/// other, and no combination comes twice. Schemes that the device does not have are left out of suites. Throws
/// Error(usage) if nothing is left.
std::vector<BenchRow> bench_configurations(const BenchSettings& settings);

}  // namespace fluvia
