// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>
#include <string>

#include "fluvia/base/text.hpp"
#include "fluvia/initial/scalar_fields.hpp"
#include "fluvia/run/findings/findings_parts.hpp"

namespace fluvia::findings {

namespace {

/// Values between which a scalar stays, since nothing but these brings any.
struct Bounds {
  double least = 0, most = 0;
  void add(double value) {
    least = std::min(least, value);
    most = std::max(most, value);
  }
};

/// Those with which scalar number k begins.
Bounds initial_bounds(const Case::Scalar& scalar, const ScalarFields& fields, const NodeMap& nodes) {
  if (scalar.initial_formula.empty() && scalar.initial_file.empty()) return {scalar.initial, scalar.initial};
  std::optional<Bounds> bounds;
  for (const NodeMap::Tile& tile : nodes.tiles)
    for (std::uint64_t rest = tile.mask; rest != 0; rest &= rest - 1) {
      const double value = fields.initial(nodes.node_position(tile, std::countr_zero(rest)));
      if (!bounds) bounds = {value, value};
      bounds->add(value);
    }
  return bounds.value_or(Bounds{});
}

/// Those of scalar number k, which it begins with or has at surfaces; none if there are sources or fluxes, or surfaces
/// whose values change with the time.
std::optional<Bounds> bounds_of(const Material& m, std::size_t k) {
  const Case& c = m.end.c;
  const Case::Scalar& scalar = c.scalars[k];
  const Geometry& geometry = m.end.seen.solver.geometry();
  const ScalarFields fields({c, m.end.seen.units, geometry}, k);
  bool others = fields.has_source();
  for (std::size_t s = 0; s < c.solids.size(); ++s) others = others || fields.has_source_in(s);
  Bounds bounds = initial_bounds(scalar, fields, geometry.nodes);
  for (const Case::Boundary& b : c.boundaries) {
    const auto at = b.scalars.find(scalar.name);
    if (at == b.scalars.end()) continue;
    others = others || at->second.flux;
    for (const auto& prescribed : {at->second.value, at->second.ambient}) {
      if (!prescribed) continue;
      others = others || prescribed->changes();
      bounds.add(prescribed->number);
    }
  }
  return others ? std::nullopt : std::optional(bounds);
}

}  // namespace

std::optional<Finding> scalar_bounds(const Material& m) {
  const Solver& solver = m.end.seen.solver;
  if (solver.plan().scalars.empty()) return {};
  constexpr double good = 2, bad = 10;
  std::optional<Finding> worst;
  for (std::size_t k = 0; k < solver.plan().scalars.size(); ++k) {
    const std::optional<Bounds> bounds = bounds_of(m, k);
    if (!bounds) continue;
    const ScalarMethod& scalar = solver.plan().scalars[k];
    Bounds scale = *bounds;  // numbers are stored as what lies above the reference
    scale.add(scalar.reference);
    const ScalarSummary now = solver.scalar_summary(k);
    const double beyond = std::max({now.most - bounds->most, bounds->least - now.least, 0.0}),
                 part = scale.most > scale.least ? 100 * beyond / (scale.most - scale.least) : 0;
    if (worst && part <= worst->value) continue;
    worst = Finding{"bounds of scalars", judge(part, good, bad), part, good, "%"};
    worst->found =
        fmt::format("'{}' goes {}% beyond the values that come in (good: {}%)", scalar.name, n(part), n(good));
    if (worst->judgement == Judgement::good) continue;
    worst->brief = fmt::format("'{}' has values that nothing brings", scalar.name);
    // With this rate of the even part velocities that do not balance beside walls count least (docs/heat.md).
    constexpr double even_time = 0.2;
    const double magic = even_time * (scalar.tau() - 0.5);
    if (scalar.magic > 2 * magic) {
      worst->advice.text =
          "relax what is even faster, at the price of more error along adiabatic walls, or use more nodes";
      worst->advice.settings = {fmt::format("scalar.{}.magic={}", scalar.name, format_short(magic, 2))};
    } else {
      worst->advice = m.adviser.finer(2);
    }
  }
  return worst;
}

std::optional<Finding> scalar_balance(const Material& m) {
  const Solver& solver = m.end.seen.solver;
  if (solver.plan().scalars.empty()) return {};
  constexpr double good = 1, bad = 10;
  double worst = -1;
  std::string text;
  for (std::size_t k = 0; k < solver.plan().scalars.size(); ++k) {
    double in = 0, out = 0;
    const auto add = [&](double rate) { (rate > 0 ? in : out) += std::abs(rate); };
    add(solver.scalar_summary(k).source);
    const std::vector<ScalarSolid>& solids = solver.plan().scalars[k].solids;
    for (std::size_t s = 0; s < solids.size(); ++s)
      add(solids[s].capacity * solver.scalar_summary(k, static_cast<int>(s)).source);
    for (std::size_t s = 0; s < solver.geometry().surfaces.size(); ++s)
      add(solver.scalar_passage(k, static_cast<int>(s)).rate);
    const double larger = std::max(in, out), stored = larger > 0 ? 100 * std::abs(in - out) / larger : 0;
    if (stored <= worst) continue;
    worst = stored;
    text = fmt::format("{}: {}% of what comes in and of sources {} (good: {}%)", solver.plan().scalars[k].name,
                       n(stored), in >= out ? "stays in the fluid" : "is missing in what goes out", n(good));
  }
  Finding f{"in + sources = out", judge(worst, good, bad), worst, good, "%", text};
  if (f.judgement == Judgement::good) return f;
  // Nothing is lost: what does not go out is stored, and the scalar has not settled.
  f.brief = "a scalar has not settled";
  f.advice = longer_than_now(m);
  return f;
}

std::optional<Finding> cell_peclet(const Material& m) {
  const Solver& solver = m.end.seen.solver;
  if (solver.plan().scalars.empty()) return {};
  constexpr double good = 10, bad = 1000;
  const auto slowest =
      std::min_element(solver.plan().scalars.begin(), solver.plan().scalars.end(),
                       [](const ScalarMethod& a, const ScalarMethod& b) { return a.diffusivity < b.diffusivity; });
  const double number = largest_speed(m.end) / slowest->diffusivity;
  Finding f{"cell Péclet number", judge(number, good, bad), number, good, "-"};
  f.found = fmt::format("{} of '{}' from the largest speed and one node (good: {})", n(number), slowest->name, n(good));
  if (f.judgement == Judgement::good) return f;
  f.brief = fmt::format("fronts of '{}' are thinner than the grid resolves", slowest->name);
  f.advice = m.adviser.finer(number / good);
  return f;
}

}  // namespace fluvia::findings
