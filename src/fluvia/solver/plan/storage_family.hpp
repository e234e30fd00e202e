// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/core/scheme/scheme.hpp"

namespace fluvia {

/// Kinds of storage that both backends have; tables by kind have a row for each.
enum class StorageFamily { dense, compact, index_map };

constexpr StorageFamily storage_family(const core::Scheme& scheme) {
  return scheme.uses_index_map() ? StorageFamily::index_map
         : scheme.is_compact()   ? StorageFamily::compact
                                 : StorageFamily::dense;
}

}  // namespace fluvia
