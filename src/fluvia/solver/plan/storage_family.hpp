// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/core/scheme/scheme.hpp"

namespace fluvia {

/// What storage of both backends has in common; tables have a row for each.
enum class StorageFamily { dense, compact, sites };

constexpr StorageFamily storage_family(const core::Scheme& scheme) {
  return scheme.has_sites()    ? StorageFamily::sites
         : scheme.is_compact() ? StorageFamily::compact
                               : StorageFamily::dense;
}

}  // namespace fluvia
