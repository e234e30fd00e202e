// SPDX-License-Identifier: Apache-2.0
// How passes of several steps are cut into blocks of threads: rows of data, which pass_rows.cpp holds.
#pragma once
#include <cstddef>

#include "fluvia/cuda/kernels/passes/pass_shape.hpp"

namespace fluvia::cuda {

struct Specification;

/// The tile of columns that a block of threads stores, and how its kernel is compiled.
struct PassRow {
  int width = 0, depth = 0;  ///< nodes along x and, in 3D, y
  int blocks = 1;            ///< blocks that shall fit on a multiprocessor
  bool loads_early = false;  ///< threads ask for their next nodes before they need them, if registers allow that
  int planes = 0;            ///< planes that a block goes through, about
};

/// The measured tile for a lattice, format and number of steps; see docs/fused-steps.md. Throws Error(internal) if
/// there is none.
PassRow pass_row(const Specification& specification);
/// The columns of a block in a pass of so many steps.
kernels::PassTile pass_tile(const Specification& specification, int steps);
/// Bytes that a column of a block keeps between two stages.
int pass_value_bytes(const Specification& specification);
/// Bytes of shared memory of a block in a pass of Specification::steps_per_pass.
std::size_t pass_shared_bytes(const Specification& specification);

}  // namespace fluvia::cuda
