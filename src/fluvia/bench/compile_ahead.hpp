// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "fluvia/bench/row.hpp"

namespace fluvia {

/// Compiles the GPU kernels of rows side by side and keeps them on disk, where solvers find them: a suite needs a
/// hundred, of a few seconds each. What fails here fails again, with its message, where the row is measured.
void compile_ahead(const std::vector<BenchRow>& rows);

/// A row of the same kernels on a small box.
BenchRow small_stand_in(BenchRow row);

}  // namespace fluvia
