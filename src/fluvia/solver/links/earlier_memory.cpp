// SPDX-License-Identifier: Apache-2.0
#include "fluvia/solver/links/earlier_memory.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "fluvia/core/boundary/registry.hpp"
#include "fluvia/solver/links/node_records.hpp"

namespace fluvia {

namespace {

constexpr int waves = core::boundary_rule(core::detail::index_of<core::NonReflectingOpening>(core::Boundaries{}));

/// How many of its numbers a record kept.
std::size_t kept_earlier(const BoundarySetup& setup, const NodeRecord& record) {
  const auto kept = static_cast<std::size_t>(kept_by(setup, record));
  if (record.links.damping > 0) return kept;
  const core::SurfaceState& surface = setup.surfaces[record.surface];
  if (!core::boundary_facts(surface.kind).needs_plane_fit) return kept;
  return surface.rule == waves ? static_cast<std::size_t>(core::NonReflectingOpening::plane) : 0;
}

}  // namespace

std::vector<double> memory_of_earlier(const Problem& problem, const std::string& lattice,
                                      const std::vector<double>& earlier) {
  const BoundarySetup setup = make_boundary_setup(problem, lattice);
  const std::vector<NodeRecord> records = node_records(setup);
  std::vector<std::size_t> order;
  for (std::size_t k = 0; k < records.size(); ++k)
    if (records[k].links.memory != core::no_memory) order.push_back(k);
  // Surfaces of a node were in the order of their numbers.
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const auto key = [&](const NodeRecord& r) { return std::tuple(r.tile, r.bit, r.links.damping > 0, r.surface); };
    return key(records[a]) < key(records[b]);
  });
  std::size_t size = 0;
  for (const std::size_t k : order) size += kept_earlier(setup, records[k]);
  if (size != earlier.size()) return {};
  std::vector<double> memory(memory_size(setup, records));
  auto next = earlier.begin();
  for (const std::size_t k : order) {
    const auto count = static_cast<std::ptrdiff_t>(kept_earlier(setup, records[k]));
    std::copy(next, next + count, memory.begin() + records[k].links.memory);
    using Waves = core::NonReflectingOpening;
    if (count > 0 && records[k].links.damping <= 0 && setup.surfaces[records[k].surface].rule == waves)
      memory[records[k].links.memory + Waves::other_density] = *(next + Waves::density);  // whosever turn it is
    next += count;
  }
  return memory;
}

}  // namespace fluvia
