// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "fluvia/model/storage.hpp"

namespace fluvia::cuda {

/// What storage on a GPU takes of a geometry, by the layouts themselves. Needs no GPU, and about 100 bytes for each
/// tile that holds fluid. `format` is registered; the lattice need not be.
model::StorageCounts count_storage(const NodeMap& nodes, const model::LatticeCounts& lattice,
                                   const std::string& format);

}  // namespace fluvia::cuda
