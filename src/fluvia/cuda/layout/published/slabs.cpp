// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cuda/layout/published/slabs.hpp"

#include <algorithm>

#include "fluvia/core/published/typed_nodes.hpp"

namespace fluvia::cuda {
namespace {

/// Planes of Slabs::kept.
constexpr std::uint64_t kept_below = 0;  ///< the last of the slab before
constexpr std::uint64_t kept_first = 1;  ///< the first of the box, for the last slab of a periodic one

std::uint64_t plane_nodes(const NodeMap& nodes) {
  return nodes.dimension == 3 ? static_cast<std::uint64_t>(nodes.size[0]) * nodes.size[1]
                              : static_cast<std::uint64_t>(nodes.size[0]);
}

std::uint64_t tiles_of_layer(const NodeMap& nodes) {
  return static_cast<std::uint64_t>(nodes.tiles_in_box[0]) * (nodes.dimension == 3 ? nodes.tiles_in_box[1] : 1);
}

}  // namespace

std::uint64_t tile_layers(const NodeMap& nodes) {
  return static_cast<std::uint64_t>(nodes.tiles_in_box[nodes.dimension - 1]);
}

bool can_make_slabs(const NodeMap& nodes, std::uint64_t count) {
  if (count < 2 || count > tile_layers(nodes)) return false;
  const Slabs slabs = outline_slabs(nodes, 1, count);
  return std::none_of(slabs.slabs.begin(), slabs.slabs.end(),
                      [](const Slab& slab) { return slab.above && slab.above == slab.below; });
}

Slabs outline_slabs(const NodeMap& nodes, std::uint64_t directions, std::uint64_t count) {
  const int axis = nodes.dimension - 1;
  const auto thickness = static_cast<std::uint64_t>(tile_shape(nodes.dimension)[axis]);
  const std::uint64_t layers = tile_layers(nodes), per_layer = tiles_of_layer(nodes);
  Slabs slabs;
  slabs.plane_nodes = plane_nodes(nodes);
  slabs.planes = static_cast<std::uint64_t>(nodes.size[axis]);
  slabs.directions = directions;
  std::uint64_t layer = 0;
  for (std::uint64_t k = 0; k < count; ++k) {
    const std::uint64_t end_layer = layer + layers / count + (k < layers % count ? 1 : 0);
    Slab slab;
    slab.first_plane = layer * thickness;
    slab.planes = std::min(end_layer * thickness, slabs.planes) - slab.first_plane;
    slab.first_storage_index = static_cast<std::uint32_t>(layer * per_layer);
    slab.storage_indices = static_cast<std::uint32_t>((end_layer - layer) * per_layer);
    if (nodes.periodic[axis] || k > 0) slab.below = k > 0 ? slab.first_plane - 1 : slabs.planes - 1;
    if (nodes.periodic[axis] || k + 1 < count) slab.above = k + 1 < count ? slab.first_plane + slab.planes : 0;
    slabs.slabs.push_back(std::move(slab));
    layer = end_layer;
  }
  return slabs;
}

Slabs make_slabs(const NodeMap& nodes, std::uint64_t directions, std::uint64_t count) {
  Slabs slabs = outline_slabs(nodes, directions, count);
  std::size_t tile = 0;
  for (Slab& slab : slabs.slabs) {
    slab.tiles.first = tile;
    while (tile < nodes.tiles.size() && nodes.directory_index(nodes.tiles[tile].position) <
                                            std::uint64_t{slab.first_storage_index} + slab.storage_indices)
      ++tile;
    slab.tiles.count = tile - slab.tiles.first;
  }
  return slabs;
}

std::uint64_t Slabs::most_planes() const {
  std::uint64_t most = 0;
  for (const Slab& slab : slabs) most = std::max(most, slab.stored_planes());
  return most;
}

std::uint64_t Slabs::element(PlaneMemory memory, const Slab& slab, std::uint64_t slot, std::uint64_t plane) const {
  const std::uint64_t of_slot = memory == PlaneMemory::host   ? planes
                                : memory == PlaneMemory::kept ? kept_planes
                                                              : slab.stored_planes();
  return (slot * of_slot + plane) * plane_nodes;
}

std::uint64_t Slabs::step_elements() const {
  std::uint64_t copied = 0;
  const auto count = [&](const std::vector<PlaneCopy>& copies) {
    for (const PlaneCopy& copy : copies)
      if (copy.from == PlaneMemory::host || copy.to == PlaneMemory::host) copied += copy.planes;
  };
  for (std::size_t k = 0; k < slabs.size(); ++k) {
    count(before_step(k));
    count(after_step(k));
  }
  return copied * directions * plane_nodes;
}

std::vector<PlaneCopy> Slabs::fetch(std::size_t k) const {
  using enum PlaneMemory;
  const Slab& slab = slabs[k];
  std::vector<PlaneCopy> copies = {{host, source, slab.first_plane, 0, slab.planes}};
  if (slab.above) copies.push_back({host, source, *slab.above, slab.planes, 1});
  if (slab.below) copies.push_back({host, source, *slab.below, slab.planes + 1, 1});
  return copies;
}

std::vector<PlaneCopy> Slabs::put_back(std::size_t k) const {
  std::vector<PlaneCopy> copies = fetch(k);
  for (PlaneCopy& copy : copies) {
    std::swap(copy.from, copy.to);
    std::swap(copy.from_plane, copy.to_plane);
  }
  return copies;
}

std::vector<PlaneCopy> Slabs::before_step(std::size_t k) const {
  std::vector<PlaneCopy> copies = fetch(k);
  for (PlaneCopy& copy : copies) {
    if (copy.to_plane == slabs[k].planes && k > 0 && *slabs[k].above == 0) {
      copy.from = PlaneMemory::kept;
      copy.from_plane = kept_first;
    } else if (copy.to_plane == slabs[k].planes + 1 && k > 0) {
      copy.from = PlaneMemory::kept;
      copy.from_plane = kept_below;
    }
  }
  return copies;
}

std::vector<PlaneCopy> Slabs::after_step(std::size_t k) const {
  using enum PlaneMemory;
  const Slab& slab = slabs[k];
  std::vector<PlaneCopy> copies;
  if (k + 1 < slabs.size()) copies.push_back({source, kept, slab.planes - 1, kept_below, 1});
  if (k == 0 && slab.below) copies.push_back({source, kept, 0, kept_first, 1});
  copies.push_back({target, host, 0, slab.first_plane, slab.planes});
  return copies;
}

core::IndexTables slab_tables(const Slabs& slabs, const Slab& slab, int dimension, core::IndexTables domain) {
  const int axis = dimension - 1;
  domain.size[axis] = static_cast<core::Uint32>(slab.stored_planes());
  domain.periodic |= 1u << axis;
  domain.visited = static_cast<core::Uint32>(slab.planes * slabs.plane_nodes);
  domain.stored = static_cast<core::Uint32>(slab.stored_planes() * slabs.plane_nodes);
  return domain;
}

std::vector<unsigned char> slab_types(Slabs& slabs, const std::vector<unsigned char>& types) {
  std::vector<unsigned char> all;
  const auto append = [&](std::uint64_t plane, std::uint64_t planes) {
    const auto first = types.begin() + static_cast<std::ptrdiff_t>(plane * slabs.plane_nodes);
    all.insert(all.end(), first, first + static_cast<std::ptrdiff_t>(planes * slabs.plane_nodes));
  };
  const auto append_neighbour = [&](const std::optional<std::uint64_t>& plane) {
    if (plane)
      append(*plane, 1);
    else
      all.insert(all.end(), slabs.plane_nodes, 0);
  };
  for (Slab& slab : slabs.slabs) {
    slab.types = all.size();
    append(slab.first_plane, slab.planes);
    // What lies below its first plane is stored behind the others, so that nodes there have to ask where links lead.
    for (std::uint64_t node = 0; node < slabs.plane_nodes; ++node)
      all[slab.types + node] &= static_cast<unsigned char>(~core::node_amid_fluid);
    append_neighbour(slab.above);
    append_neighbour(slab.below);
  }
  return all;
}

}  // namespace fluvia::cuda
