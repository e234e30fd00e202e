// SPDX-License-Identifier: Apache-2.0
#include "fluvia/bench/configurations.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "fluvia/base/error.hpp"
#include "fluvia/bench/suites.hpp"
#include "fluvia/case/physics/registered_formats.hpp"
#include "fluvia/case/physics/registered_physics.hpp"
#include "fluvia/solver/plan/scheme.hpp"

namespace fluvia {

namespace {

/// Edges of tiles to measure with a row's scheme: those of the list that it has.
std::vector<int> edges_of(const BenchRow& row, const std::vector<int>& wanted) {
  const Scheme& scheme = parse_scheme(row.scheme);
  const int* const all = scheme.edges(row.dimension());
  if (all[0] == 0) return {0};
  std::vector<int> edges;
  for (const int edge : wanted) {
    if (edge == 0 || std::find(all, all + 3, edge) != all + 3) edges.push_back(edge == 0 ? all[0] : edge);
  }
  return edges;
}

/// Steps of a pass to measure with a row's scheme: those of the list that it has.
std::vector<int> steps_of(const BenchRow& row, const std::vector<int>& wanted) {
  const int most = most_steps(row.scheme, row.device, row.dimension());
  if (most == 1) return {0};
  std::vector<int> steps = wanted;
  std::erase_if(steps, [&](int count) { return count > most; });
  return steps;
}

/// Why a row's scheme cannot have its physics; empty if it can.
std::string problem_of(const BenchRow& row) {
  const Scheme& scheme = parse_scheme(row.scheme);
  const std::string why = scheme_problem(scheme, row.lattice, row.collision, row.equilibrium);
  return why.empty() ? rounding_problem(scheme, row.format, row.rounding) : why;
}

/// Collisions to measure with a row's scheme: those of the list, or the first that the scheme can have.
std::vector<std::string> collisions_of(BenchRow row, const std::vector<std::string>& wanted) {
  if (!wanted.empty()) return wanted;
  for (const std::string& name : collision_names()) {
    row.collision = name;
    if (problem_of(row).empty()) return {name};
  }
  return {collision_names().front()};
}

/// Joins the experiments of rows of one combination, and puts rows of one geometry together.
std::vector<BenchRow> tidy(const std::vector<BenchRow>& all) {
  std::vector<std::vector<BenchRow>> groups;
  for (const BenchRow& row : all) {
    auto group =
        std::find_if(groups.begin(), groups.end(), [&](const auto& rows) { return same_geometry(rows.front(), row); });
    if (group == groups.end()) group = groups.insert(group, std::vector<BenchRow>());
    auto same =
        std::find_if(group->begin(), group->end(), [&](const BenchRow& other) { return same_combination(other, row); });
    if (same == group->end()) {
      group->push_back(row);
      continue;
    }
    for (const std::string& label : row.experiments)
      if (std::find(same->experiments.begin(), same->experiments.end(), label) == same->experiments.end())
        same->experiments.push_back(label);
    same->split = same->split || row.split;
    same->parts = same->parts || row.parts;
    same->transposes = same->transposes || row.transposes;
  }
  std::vector<BenchRow> rows;
  for (const auto& group : groups) rows.insert(rows.end(), group.begin(), group.end());
  return rows;
}

/// Leaves only rows of the experiments that were asked for.
void select(const std::vector<std::string>& experiments, std::vector<BenchRow>& rows) {
  if (experiments.empty()) return;
  std::set<std::string> known;
  for (const BenchRow& row : rows) known.insert(row.experiments.begin(), row.experiments.end());
  for (const std::string& name : experiments)
    if (!known.contains(name))
      throw Error(ExitCode::usage, known.empty() ? fmt::format("--experiment: '{}' goes with --suite seeds only", name)
                                                 : fmt::format("--experiment: there is no '{}'; the suite has {}", name,
                                                               fmt::join(known, ", ")));
  std::erase_if(rows, [&](const BenchRow& row) {
    return std::none_of(row.experiments.begin(), row.experiments.end(), [&](const std::string& label) {
      return std::find(experiments.begin(), experiments.end(), label) != experiments.end();
    });
  });
}

/// Whether a geometry is a network; those are flat.
bool is_network(const std::string& geometry) {
  return geometry == "network" || geometry == "mask";
}

/// Walls to measure in a row's geometry: those of boxes and images have but one position.
std::vector<std::string> walls_of(const BenchRow& row, const std::vector<std::string>& wanted) {
  const bool curved = row.is_box() ? row.porosity < 1 : !is_network(row.geometry);
  return curved ? wanted : std::vector<std::string>{"half-way"};
}

RowList with_geometries(const BenchSettings& s, const RowList& rows) {
  RowList all;
  for (const std::string& geometry : s.geometries) {
    const RowList of_it = rows.with(&BenchRow::geometry, geometry);
    if (geometry == "box") {
      all += of_it.each(&BenchRow::flow, s.flows)
                 .each(std::vector<int>{s.size},
                       [&](BenchRow& row, int cube) {
                         const int plane = s.plane > 0 ? s.plane : plane_size(cube);
                         set_cube(row, row.dimension() == 3 ? cube : plane);
                       })
                 .each(&BenchRow::porosity, s.porosities);
      continue;
    }
    const std::vector<int> channels = is_network(geometry) ? s.channels : std::vector<int>{0};
    all += of_it.with(&BenchRow::flow, std::string("vessel"))
               .with(&BenchRow::size, s.size)
               .each(&BenchRow::channel, channels);
  }
  return all;
}

RowList rows_of(const BenchSettings& settings) {
  if (!settings.rows.empty()) {
    RowList rows;
    for (const BenchRow& row : settings.rows) rows += RowList(row);
    return rows;
  }
  if (settings.suite == "dense") return dense_suite(settings);
  if (settings.suite == "sparse") return sparse_suite(settings);
  if (settings.suite == "fused") return fused_suite(settings);
  if (settings.suite == "levels") return levels_suite(settings);
  if (settings.suite == "seeds") return seeds_suite(settings);
  return product(settings);
}

}  // namespace

void set_cube(BenchRow& row, int nodes) {
  row.size = nodes;
  row.nodes = {nodes, nodes, row.dimension() == 3 ? nodes : 1};
}

int plane_size(int cube) {
  const int size = static_cast<int>(std::pow(cube, 1.5));
  return size < 256 ? size : (size + 32) / 64 * 64;
}

std::vector<int> thread_counts(const BenchSettings& settings) {
  return settings.device == "cuda" ? std::vector<int>{0} : settings.threads;
}

std::vector<std::string> schemes_of(const BenchSettings& settings, core::Addressing addressing) {
  std::vector<std::string> names = settings.device == "cuda" ? gpu_scheme_names() : scheme_names();
  std::erase_if(names, [&](const std::string& name) { return parse_scheme(name).addressing != addressing; });
  return names;
}

int most_steps(const std::string& scheme, const std::string& device, int dimension) {
  const Scheme& facts = parse_scheme(scheme);
  return device == "cuda" ? facts.most_steps_on_gpu(dimension) : facts.most_steps_on_cpu;
}

RowList product(const BenchSettings& s) {
  BenchRow base;
  base.device = s.device;
  base.memory_limit_mib = s.memory_limit_mib;
  RowList rows = with_geometries(s, RowList(base).each(&BenchRow::lattice, s.lattices));
  return rows
      .each_of([&](const BenchRow& row) { return walls_of(row, s.walls); },
               [](BenchRow& row, const std::string& walls) { row.walls = walls; })
      .each(&BenchRow::equilibrium, s.equilibria)
      .each(&BenchRow::scheme, s.schemes)
      .each(&BenchRow::format, s.formats)
      .each_of([&](const BenchRow& row) { return collisions_of(row, s.collisions); },
               [](BenchRow& row, const std::string& collision) { row.collision = collision; })
      .each_of([&](const BenchRow& row) { return format_rounds(row.format) ? s.roundings : std::vector{row.rounding}; },
               [](BenchRow& row, const std::string& rounding) { row.rounding = rounding; })
      .each_of(
          [&](const BenchRow& row) {
            // `serial` knows one thread only.
            return parse_scheme(row.scheme).serial && s.device != "cuda" ? std::vector{1} : thread_counts(s);
          },
          [](BenchRow& row, int threads) { row.threads = threads; })
      .each_of([&](const BenchRow& row) { return edges_of(row, s.tiles); },
               [](BenchRow& row, int tile) { row.tile = tile; })
      .each_of([&](const BenchRow& row) { return steps_of(row, s.steps_per_pass); },
               [](BenchRow& row, int steps) { row.steps_per_pass = steps; })
      .each(&BenchRow::without, s.without)
      .each(&BenchRow::gpu_threads, s.gpu_threads)
      .each(&BenchRow::gpu_rows, s.gpu_rows)
      .each(&BenchRow::gpu_blocks, s.gpu_blocks)
      .each(s.devices, [&](BenchRow& row, int devices) {
        row.devices = devices;
        if (s.grow && row.is_box()) row.nodes[row.dimension() - 1] *= devices;
      });
}

std::vector<BenchRow> bench_configurations(const BenchSettings& settings) {
  std::vector<BenchRow> rows = tidy(rows_of(settings).rows());
  std::erase_if(rows, [](const BenchRow& row) { return is_network(row.geometry) && row.dimension() == 3; });
  for (const BenchRow& row : rows)
    if (row.geometry == "mask" && row.channel % mask_channel != 0)
      throw Error(ExitCode::usage,
                  fmt::format("--channel: the image of geometry mask has channels of {0} pixels, which "
                              "become {0}, {1}, {2}, ... nodes, but not {3}",
                              mask_channel, 2 * mask_channel, 3 * mask_channel, row.channel));
  select(settings.experiments, rows);
  std::string problem;  // lists are multiplied: what a scheme of theirs cannot have is left out
  std::erase_if(rows, [&](const BenchRow& row) {
    const std::string why = problem_of(row);
    if (problem.empty()) problem = why;
    return !why.empty();
  });
  if (rows.empty() && !problem.empty()) throw Error(ExitCode::usage, "bench: " + problem);
  if (rows.empty())
    throw Error(ExitCode::usage,
                "bench: nothing to measure; network and mask need lattice D2Q9, schemes have the tiles that "
                "docs/schemes.md lists only, and passes of fused 1 to 8 steps in 2D, 1 to 3 in 3D, on GPUs");
  return rows;
}

}  // namespace fluvia
