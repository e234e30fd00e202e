// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "fluvia/bench/row.hpp"

namespace fluvia {

/// Compiles the GPU kernels of rows side by side and keeps them on disk, where solvers find them: a suite needs a
/// hundred, of a few seconds each. Returns why kernels could not be compiled, one reason for each kind of row of which
/// that is true. Most fail again, with the same message, where the row is measured; what failed because others were
/// compiled at the same time, such as for want of memory, does not, and would else be known to nobody.
std::vector<std::string> compile_ahead(const std::vector<BenchRow>& rows);

/// A row of the same kernels on a small box.
BenchRow small_stand_in(BenchRow row);

}  // namespace fluvia
