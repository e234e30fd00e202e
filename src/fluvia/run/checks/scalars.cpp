// SPDX-License-Identifier: Apache-2.0
#include "fluvia/run/checks/scalars.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "fluvia/base/error.hpp"
#include "fluvia/case/physics/registered_physics.hpp"
#include "fluvia/core/scalar/conditions.hpp"
#include "fluvia/initial/scalar_fields.hpp"
#include "fluvia/solver/links/cut_links.hpp"
#include "fluvia/solver/scalars/scalar_links.hpp"

namespace fluvia {

namespace {

/// Surfaces that cut links of the fluid.
std::vector<bool> touched_surfaces(const Problem& problem) {
  const std::vector<bool> all(problem.geometry.surfaces.size(), true);
  const std::vector<CutLinkCount> counts = count_cut_links(
      problem.geometry, facts_of_lattice(lattice_of(problem.settings)).velocities, all, problem.communicator);
  std::vector<bool> touched;
  for (const CutLinkCount& count : counts) touched.push_back(count.links > 0);
  return touched;
}

/// Whether the scalar is tied to a value somewhere: what sources and fluxes bring finds a way out.
bool finds_a_way_out(const std::vector<ScalarAtSurface>& surfaces, const std::vector<bool>& touched) {
  for (std::size_t s = 0; s < surfaces.size(); ++s)
    if (touched[s] && surfaces[s].rule != core::scalar_rule_of<core::ScalarFlux>) return true;
  return false;
}

/// Sums of what sources give at nodes, and of their magnitudes.
struct SourceSum {
  double sum = 0, size = 0;
  void add(double source) {
    sum += source;
    size += std::abs(source);
  }
};

/// Calls visit(number, position) for each node.
template <class Visit>
void for_each_node(const NodeMap& nodes, const Visit& visit) {
  for (std::size_t t = 0; t < nodes.tiles.size(); ++t) {
    std::uint64_t n = nodes.tiles[t].first_node;
    for (std::uint64_t rest = nodes.tiles[t].mask; rest != 0; rest &= rest - 1, ++n)
      visit(n, nodes.node_position(nodes.tiles[t], std::countr_zero(rest)));
  }
}

/// What sources give to solids, as much as the fluid would take up. Throws Error(input) where it is no finite number.
SourceSum sources_in_solids(const Problem& problem, const ScalarMethod& method, const ScalarSolids& solids,
                            const ScalarFields& fields) {
  SourceSum all;
  for_each_node(solids.nodes, [&](std::uint64_t n, const Int3& x) {
    const ScalarSolid& solid = method.solids[solids.of_node[n] - std::size_t{1}];
    const double source = fields.source_in(solid.number, x);
    if (!std::isfinite(source)) {
      const std::string key = fmt::format("solid[{}].source", solid.number);
      throw_input(fmt::format("{}: {}: is no finite number at node ({}, {}, {}); expected one at every node of '{}'",
                              problem.settings.place(key), key, x[0], x[1], x[2], solid.surface));
    }
    all.add(solid.capacity * source);
  });
  return all;
}

/// Whether sources or fluxes through surfaces bring more of it than they take, or less.
bool is_filled(const Problem& problem, const ScalarFields& fields, const std::vector<ScalarAtSurface>& surfaces,
               SourceSum all) {
  constexpr double rounding = 1e-9;
  if (fields.has_source())
    for_each_node(problem.geometry.nodes, [&](std::uint64_t, const Int3& x) { all.add(fields.source(x)); });
  if (std::abs(all.sum) > rounding * all.size) return true;
  // Fluxes of both signs may balance, which their areas would tell.
  const auto has = [&](double sign) {
    return std::any_of(surfaces.begin(), surfaces.end(), [&](const ScalarAtSurface& at) {
      return at.rule == core::scalar_rule_of<core::ScalarFlux> && sign * at.value > 0;
    });
  };
  return has(1) != has(-1);
}

}  // namespace

std::vector<std::string> check_scalars(const Problem& problem) {
  const Case& c = problem.settings;
  if (c.scalars.empty()) return {};
  std::vector<std::string> warnings;
  const std::vector<bool> touched_by_fluid = touched_surfaces(problem);
  const std::vector<ScalarMethod> methods = make_scalars(c, problem.units);
  for (std::size_t k = 0; k < methods.size(); ++k) {
    const ScalarFields fields(problem, k);
    for (std::string& text : fields.check(problem)) warnings.push_back(std::move(text));
    const std::vector<ScalarAtSurface> surfaces = scalar_surfaces(problem, methods[k]);
    const ScalarSolids solids = make_scalar_solids(problem, methods[k]);
    const SourceSum in_solids = sources_in_solids(problem, methods[k], solids, fields);
    std::vector<bool> touched = touched_by_fluid;
    if (solids.count() > 0)
      for (const ScalarCutLink& link : make_scalar_ways(problem, methods[k], surfaces, solids).links)
        touched[link.surface] = true;
    for (const Case::Boundary& b : c.boundaries)
      for (std::size_t s = 0; s < surfaces.size(); ++s)
        if (b.surface == problem.geometry.surfaces[s] && b.scalars.contains(methods[k].name) && !touched[s] &&
            (surfaces[s].prescribes || solids.count() == 0))
          throw_input(
              fmt::format("{}: scalar '{}': the surface '{}' touches no node of it, so that its condition does "
                          "nothing; check its place, size and unit",
                          c.place("boundary"), methods[k].name, b.surface));
    if (finds_a_way_out(surfaces, touched) || !is_filled(problem, fields, surfaces, in_solids)) continue;
    const std::string text = fmt::format(
        "scalar '{}': sources or fluxes bring more and more of it into a flow from which nothing leads out: no opening "
        "and no surface with `value` or `exchange`",
        methods[k].name);
    const std::string key = fmt::format("scalar[{}]", k);
    if (c.run.steady)
      throw_input(fmt::format("{}: {}, so that it never becomes steady; give it a way out, or remove [run.steady]",
                              c.place(key), text));
    warnings.push_back(text + "; it grows as long as the run goes on.");
  }
  return warnings;
}

}  // namespace fluvia
