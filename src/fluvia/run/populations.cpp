// SPDX-License-Identifier: Apache-2.0
#include "fluvia/run/populations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>

#include "fluvia/base/error.hpp"
#include "fluvia/core/format/fp64.hpp"
#include "fluvia/domain/levels/levels_solver.hpp"
#include "fluvia/output/checkpoint/array_ranges.hpp"
#include "fluvia/output/checkpoint/checkpoint_formats.hpp"

namespace fluvia {

namespace {

const NodeMap& nodes_of_level(const Solver& solver, int level) {
  const auto levels = solver.levels();
  return levels.empty() ? solver.geometry().nodes : levels[static_cast<std::size_t>(level)].state->geometry().nodes;
}

/// The row of arrays() that has the populations of a level.
std::size_t row_of_level(const Solver& solver, int level) {
  const auto rows = solver.arrays();
  const std::string name = domain::name_on_level(rows[flow_populations].name, level);
  return static_cast<std::size_t>(
      std::find_if(rows.begin(), rows.end(), [&](const NodeArray& row) { return row.name == name; }) - rows.begin());
}

/// Places in the box of a level of its nodes, in canonical order.
std::vector<std::size_t> places_of_level(const Solver& solver, int level) {
  const NodeMap& nodes = nodes_of_level(solver, level);
  const BoxArray box(nodes.size);
  std::vector<std::size_t> places;
  places.reserve(nodes.fluid_nodes);
  for (const NodeMap::Tile& tile : nodes.tiles)
    for (std::uint64_t bits = tile.mask; bits != 0; bits &= bits - 1)
      places.push_back(box(nodes.node_position(tile, std::countr_zero(bits))));
  return places;
}

}  // namespace

BoxArray box_of_level(const Solver& solver, int level) {
  return BoxArray(nodes_of_level(solver, level).size);
}

std::vector<double> populations_of_level(const Solver& solver, int level) {
  const std::size_t row = row_of_level(solver, level);
  const auto depth = static_cast<std::size_t>(solver.arrays()[row].components);
  const std::string& format = solver.plan().format->name;
  const std::vector<std::size_t> places = places_of_level(solver, level);
  std::vector<double> values(box_of_level(solver, level).count() * depth, std::numeric_limits<double>::quiet_NaN());
  std::vector<double> deviations;
  std::vector<std::byte> stored;
  for_each_range(solver, row, [&](const ArrayRange& range, const EntryRange& entries) {
    stored.resize(entries.count * format_bytes(format));
    deviations.resize(entries.count);
    solver.save(range, stored);
    convert_populations(format, stored, core::Fp64::name, std::as_writable_bytes(std::span(deviations)));
    for (std::size_t k = 0; k < deviations.size(); ++k)
      values[places[entries.first + k] * depth + static_cast<std::size_t>(range.component)] = deviations[k];
  });
  return values;
}

void replace_populations(Solver& solver, int level, std::span<const double> given) {
  const std::size_t row = row_of_level(solver, level);
  const BoxArray box = box_of_level(solver, level);
  const auto depth = static_cast<std::size_t>(solver.arrays()[row].components);
  if (given.size() != box.count() * depth)
    throw_input(fmt::format("populations: {} values given; the box of {} x {} x {} nodes needs {} each", given.size(),
                            box.x, box.y, box.z, depth));
  const std::vector<std::size_t> places = places_of_level(solver, level);
  for (const std::size_t place : places)
    for (std::size_t i = 0; i < depth; ++i)
      if (!std::isfinite(given[place * depth + i]))
        throw_input(fmt::format("populations[{}, {}, {}, {}]: expected finite numbers where there is fluid",
                                place / (box.x * box.y), place / box.x % box.y, place % box.x, i));
  const std::string& format = solver.plan().format->name;
  std::vector<double> deviations;
  std::vector<std::byte> stored;
  for_each_range(solver, row, [&](const ArrayRange& range, const EntryRange& entries) {
    deviations.resize(entries.count);
    stored.resize(entries.count * format_bytes(format));
    for (std::size_t k = 0; k < deviations.size(); ++k)
      deviations[k] = given[places[entries.first + k] * depth + static_cast<std::size_t>(range.component)];
    convert_populations(core::Fp64::name, std::as_bytes(std::span(deviations)), format, stored);
    solver.load(range, stored);
  });
  solver.resume_at(solver.time_step());
}

}  // namespace fluvia
