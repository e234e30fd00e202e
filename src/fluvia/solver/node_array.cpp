// SPDX-License-Identifier: Apache-2.0
#include "fluvia/solver/node_array.hpp"

#include <algorithm>
#include <bit>

#include "fluvia/case/physics/registered_formats.hpp"
#include "fluvia/core/format/registry.hpp"
#include "fluvia/solver/distribution.hpp"
#include "fluvia/solver/links/node_records.hpp"
#include "fluvia/solver/scalars/scalar_method.hpp"

namespace fluvia {

namespace {

/// What boundary conditions and sponges keep (core::ConditionFacts::memory), record by record.
NodeArray condition_array(const BoundarySetup& setup, const std::vector<NodeRecord>& records) {
  NodeArray array{.name = "conditions", .number = NumberType::arithmetic, .over = Over::stateful_nodes};
  for (const NodeRecord& record : records) {
    const auto kept = static_cast<std::uint64_t>(kept_by(setup, record));
    if (kept == 0) continue;
    if (array.starts.empty() || array.starts.back().tile != record.tile)
      array.starts.push_back({record.tile, array.size});
    array.size += kept;
  }
  return array;
}

}  // namespace

EntryRange NodeArray::entries(const NodeMap& nodes, std::uint64_t first_tile, std::uint64_t tile_count) const {
  if (tile_count == 0) return {};
  if (over == Over::fluid_nodes) {
    // By the last of these tiles: a part may not hold the one after it, which NodeMap::nodes_of() may ask.
    const NodeMap::Tile& last = nodes.tiles[first_tile + tile_count - 1];
    const std::uint64_t first = nodes.tiles[first_tile].first_node;
    return {first, last.first_node + static_cast<std::uint64_t>(std::popcount(last.mask)) - first};
  }
  const auto begin = [&](std::uint64_t tile) {
    const auto start = std::lower_bound(starts.begin(), starts.end(), tile,
                                        [](const Start& s, std::uint64_t wanted) { return s.tile < wanted; });
    return start == starts.end() ? size : start->entry;
  };
  const std::uint64_t first = begin(first_tile);
  return {first, begin(first_tile + tile_count) - first};
}

std::string NodeArray::format(const std::string& storage_format) const {
  switch (number) {
    case NumberType::storage_format:
      return storage_format;
    case NumberType::as_computed:
      return computed_format(storage_format).name;
    case NumberType::arithmetic:
      break;
  }
  return std::string(core::Fp64::name);
}

std::vector<NodeArray> make_node_arrays(const NodeMap& nodes, const std::vector<Distribution>& distributions,
                                        const BoundarySetup& setup, const std::vector<NodeRecord>& records) {
  std::vector<NodeArray> arrays;
  for (const Distribution& distribution : distributions)
    arrays.push_back({.name = distribution.name,
                      .components = distribution.lattice->directions,
                      .number = NumberType::storage_format,
                      .over = Over::fluid_nodes,
                      .size = nodes.fluid_nodes});
  arrays.insert(arrays.begin() + condition_numbers, condition_array(setup, records));
  return arrays;
}

void append_scalar_arrays(const NodeMap& nodes, const std::vector<ScalarMethod>& scalars,
                          std::vector<NodeArray>& arrays) {
  for (const ScalarMethod& scalar : scalars)
    arrays.push_back({.name = "scalar_" + scalar.name,
                      .components = scalar.lattice->directions,
                      .number = NumberType::as_computed,
                      .over = Over::fluid_nodes,
                      .size = nodes.fluid_nodes});
}

void append_solid_array(const ScalarMethod& scalar, std::uint64_t solid_nodes, std::vector<NodeArray>& arrays) {
  arrays.push_back({.name = "solids_" + scalar.name,
                    .components = scalar.lattice->directions,
                    .number = NumberType::as_computed,
                    .over = Over::solid_nodes,
                    .size = solid_nodes,
                    .starts = {{0, 0}}});
}

void append_body_array(int bodies, int numbers, std::vector<NodeArray>& arrays) {
  if (bodies == 0) return;
  arrays.push_back({.name = "bodies",
                    .components = numbers,
                    .number = NumberType::arithmetic,
                    .over = Over::bodies,
                    .exchanged = false,
                    .size = static_cast<std::uint64_t>(bodies),
                    .starts = {{0, 0}}});
}

NodeArray wall_force_array(std::size_t walls) {
  return {.name = "forces_between_levels",
          .components = 6,
          .number = NumberType::arithmetic,
          .over = Over::walls,
          .exchanged = false,
          .dispensable = true,
          .size = static_cast<std::uint64_t>(walls),
          .starts = {{0, 0}}};
}

std::uint64_t kept_numbers(std::span<const NodeArray> arrays) {
  std::uint64_t numbers = 0;
  for (const NodeArray& array : arrays)
    if (array.number == NumberType::arithmetic) numbers += static_cast<std::uint64_t>(array.components) * array.size;
  return numbers;
}

}  // namespace fluvia
