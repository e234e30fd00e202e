// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/model/storage.hpp"

namespace fluvia::cuda {

/// Adds to `counts` how far the sliding array of a geometry slides on a GPU and what its counters take. Needs no GPU,
/// and about 100 bytes for each tile that holds fluid.
void count_slide(const NodeMap& nodes, const model::LatticeCounts& lattice, int value_bytes,
                 model::StorageCounts& counts);

}  // namespace fluvia::cuda
