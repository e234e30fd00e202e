// SPDX-License-Identifier: Apache-2.0
#include "fluvia/solver/passes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "fluvia/base/error.hpp"
#include "fluvia/case/registered_physics.hpp"

namespace fluvia {
namespace {

/// The best number of steps for a lattice and format, measured on one H200 (docs/performance.md).
struct MeasuredSteps {
  int dimension;
  int bytes;  ///< of a number in computations
  int steps;
};
constexpr MeasuredSteps measured[] = {{2, 4, 4}, {2, 8, 4}, {3, 4, 2}, {3, 8, 2}};

int measured_steps(int dimension, const std::string& format) {
  const int bytes = arithmetic_bytes(format);
  for (const MeasuredSteps& row : measured)
    if (row.dimension == dimension && row.bytes == bytes) return row.steps;
  return 1;
}

/// What the case allows, and why no more.
struct Limit {
  int steps;
  std::string reason;
};

/// A pass takes the halo of its tiles from the box, once around it at most.
Limit limit_of_box(const NodeMap& nodes, const Scheme& scheme) {
  int fewest = nodes.size[0];
  for (int axis = 1; axis < nodes.dimension; ++axis) fewest = std::min(fewest, nodes.size[axis]);
  const int most = scheme.most_steps(nodes.dimension);
  if (fewest + 1 < most) return {fewest + 1, fmt::format("the box has {} nodes along an axis", fewest)};
  return {most, fmt::format("passes have no more in {}D", nodes.dimension)};
}

/// Nodes around a tile are updated by its neighbours as well, which must not remember a step twice.
const Case::Boundary* remembering(const Case& c) {
  for (const Case::Boundary& b : c.boundaries) {
    const core::ConditionFacts& facts = facts_of_boundary(b.type);
    if (facts.memory > 0 || facts.needs_upstream || b.sponge > 0) return &b;
  }
  return nullptr;
}

Limit limit_of(const Case& c, const NodeMap& nodes, const Scheme& scheme) {
  if (const Case::Boundary* const b = remembering(c); b != nullptr)
    return {1, fmt::format("boundary '{}' ({}{}) keeps something from step to step", b->surface, b->type,
                           b->sponge > 0 ? " with a sponge" : "")};
  return limit_of_box(nodes, scheme);
}

}  // namespace

void choose_steps_per_pass(const Case& c, const Scheme& scheme, const NodeMap& nodes, Plan& plan) {
  if (scheme.most_steps(nodes.dimension) == 1) return;
  const Limit limit = limit_of(c, nodes, scheme);
  const int asked = c.numerics.steps_per_pass;
  if (asked > limit.steps)
    throw_input(
        fmt::format("numerics.steps_per_pass: is {}, but {}: at most {} here; use 0, which takes what is "
                    "possible, or scheme \"{}\"",
                    asked, limit.reason, limit.steps, scheme.instead));
  const int wanted = asked > 0 ? asked : measured_steps(nodes.dimension, plan.format);
  plan.steps_per_pass = std::min(wanted, limit.steps);
  if (plan.steps_per_pass < wanted) plan.pass_reason = limit.reason;
  // What is rounded to the nearest value once in several steps drifts (docs/decisions/0016-stochastic-rounding.md).
  if (plan.steps_per_pass > 1 && format_rounds(plan.format) && c.numerics.rounding == "auto")
    plan.rounding = core::Rounding::stochastic;
}

}  // namespace fluvia
