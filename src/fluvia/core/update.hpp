// SPDX-License-Identifier: Apache-2.0
// The core loop. Everything Fluvia does in time happens here, for one group of nodes: 64 on a CPU, one on a GPU.
#pragma once
#include "fluvia/core/config.hpp"

namespace fluvia::core {

/// One time step of one group of nodes.
///   storage    where populations live: streaming x addressing x format; `load` gathers the populations that arrive at
///              the nodes, those of cut links bounced back, `store` puts them where the next step looks for them
///   boundary   completes the cut links of openings, moving walls and free-slip planes
///   collision  moments, relaxation and body force
/// Memory traffic: one read and one write of Q populations a node; nothing else leaves the registers or caches.
template <class Storage, class Boundary, class Collision, class Group>
FLUVIA_FUNCTION void update_group(const Storage& storage, const Boundary& boundary, const Collision& collision,
                                  Group group) {
  typename Storage::Populations f;
  storage.load(group, f);
  boundary.apply(group, f);
  collision.collide(group, f);
  storage.store(group, f);
}

}  // namespace fluvia::core
