// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "fluvia/bench/bench.hpp"

namespace fluvia {

/// What the settings ask for, on each of `threads` (0: on the GPU), ordered so that rows of one geometry follow each
/// other. Schemes that the device does not have are left out of suites.
std::vector<BenchRow> bench_configurations(const BenchSettings& settings, const std::vector<int>& threads);

/// The case of a row: a box with walls and a moving lid, with random spheres in it if the porosity is below 1, or a
/// vessel of size/4 nodes diameter with a parabolic inflow and an outlet.
Case bench_case(const BenchRow& row);

}  // namespace fluvia
