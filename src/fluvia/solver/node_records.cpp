// SPDX-License-Identifier: Apache-2.0
#include "fluvia/solver/node_records.hpp"

#include <algorithm>
#include <tuple>

#include "fluvia/core/boundary/registry.hpp"

namespace fluvia {

std::vector<NodeRecord> node_records(const BoundarySetup& setup) {
  std::vector<NodeRecord> records;
  records.reserve(setup.links.size());
  for (std::size_t k = 0; k < setup.links.size(); ++k) {
    const CutLink& link = setup.links[k];
    const Real3& u = setup.velocities[k];
    records.push_back({link.tile, link.bit, link.surface, {1u << link.direction, {u[0], u[1], u[2]}}});
  }
  const auto key = [&](const NodeRecord& r) {
    return std::tuple(r.tile, r.bit, core::boundary_order(setup.surfaces[r.surface].kind), r.surface,
                      r.links.velocity[0], r.links.velocity[1], r.links.velocity[2]);
  };
  std::sort(records.begin(), records.end(), [&](const NodeRecord& a, const NodeRecord& b) {
    return std::pair(key(a), a.links.directions) < std::pair(key(b), b.links.directions);
  });
  std::size_t size = 0;
  for (const NodeRecord& record : records) {
    if (size > 0 && key(records[size - 1]) == key(record))
      records[size - 1].links.directions |= record.links.directions;
    else
      records[size++] = record;
  }
  records.resize(size);
  return records;
}

}  // namespace fluvia
