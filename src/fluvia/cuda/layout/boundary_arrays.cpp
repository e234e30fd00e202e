// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cuda/layout/boundary_arrays.hpp"

#include <algorithm>
#include <utility>

namespace fluvia::cuda {

namespace {
/// Leaves only the points that these records need.
void take_points(std::vector<NodeRecord>& records, FitTables& fits) {
  std::vector<core::PointBatch> points;
  for (NodeRecord& record : records) {
    if (!record.is_opening) continue;
    core::OpeningNode& opening = record.links.opening;
    const auto first = fits.points.begin() + opening.first_points;
    opening.first_points = static_cast<std::uint32_t>(points.size());
    points.insert(points.end(), first, first + opening.batches);
  }
  fits.points = std::move(points);
}
}  // namespace

BoundaryArrays make_boundary_arrays(const BoundarySetup& setup, std::vector<NodeRecord> merged, FitTables fits,
                                    const std::function<std::uint32_t(std::uint64_t)>& storage_index_of,
                                    const std::function<bool(std::uint32_t tile, int bit)>& takes) {
  BoundaryArrays arrays;
  for (const NodeRecord& record : merged) {
    const core::SurfaceState& surface = setup.surfaces[record.surface];
    arrays.conditions |= record.links.damping > 0 ? core::sponges : 1u << surface.rule;
    if (core::boundary_facts(surface.kind).sees_opening() && record.links.opening.others != 0)
      arrays.conditions |= core::meeting_openings;
  }
  if (takes) std::erase_if(merged, [&](const NodeRecord& record) { return !takes(record.tile, record.bit); });
  take_points(merged, fits);
  arrays.fits = std::move(fits);
  arrays.links = changing_links(setup, merged);
  arrays.records.reserve(merged.size());
  for (std::size_t k = 0; k < merged.size(); ++k) {
    const auto same_node = [&](std::size_t a, std::size_t b) {
      return merged[a].tile == merged[b].tile && merged[a].bit == merged[b].bit;
    };
    if (k == 0 || merged[k - 1].tile != merged[k].tile)
      arrays.tiles.push_back(
          {0, storage_index_of(merged[k].tile), static_cast<std::uint32_t>(arrays.first_records.size())});
    if (k == 0 || !same_node(k - 1, k)) {
      arrays.tiles.back().mask |= std::uint64_t{1} << merged[k].bit;
      arrays.first_records.push_back(static_cast<std::uint32_t>(k));
    }
    const bool is_last = k + 1 == merged.size() || !same_node(k, k + 1);
    arrays.records.push_back({merged[k].links, merged[k].surface, is_last ? 1u : 0u});
  }
  std::sort(arrays.tiles.begin(), arrays.tiles.end(),
            [](const auto& a, const auto& b) { return a.storage_index < b.storage_index; });
  return arrays;
}

}  // namespace fluvia::cuda
