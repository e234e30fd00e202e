// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "fluvia/bench/row.hpp"

namespace fluvia {

/// Compiles the GPU kernels of rows side by side and keeps them on disk, where solvers find them: a suite needs a
/// hundred, of a few seconds each. Returns why kernels could not be compiled, one reason for each kind of row that is
/// concerned. Most fail again, with the same message, where the row is measured; a failure because others were compiled
/// at the same time, such as for want of memory, does not come again, and would otherwise go unnoticed.
std::vector<std::string> compile_ahead(const std::vector<BenchRow>& rows);

/// A row with the same kernels on a small box.
BenchRow small_stand_in(BenchRow row);

}  // namespace fluvia
