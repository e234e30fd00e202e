// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fluvia/run/findings/findings_parts.hpp"
#include "fluvia/solver/scalars/flow_scalars.hpp"

namespace fluvia::findings {

std::optional<Finding> scalar_balance(const Material& m) {
  const Solver& solver = m.end.seen.solver;
  const FlowScalars* const scalars = solver.scalars();
  if (scalars == nullptr) return {};
  constexpr double good = 1, bad = 10;
  double worst = -1;
  std::string text;
  for (std::size_t k = 0; k < solver.plan().scalars.size(); ++k) {
    double in = 0, out = 0;
    const auto add = [&](double rate) { (rate > 0 ? in : out) += std::abs(rate); };
    add(scalars->summary(k).source);
    for (std::size_t s = 0; s < solver.geometry().surfaces.size(); ++s)
      add(scalars->through(k, static_cast<int>(s)).rate);
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
