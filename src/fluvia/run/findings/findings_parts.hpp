// SPDX-License-Identifier: Apache-2.0
// The questions that findings.cpp asks; each returns no finding where it makes no sense. For that file alone.
#pragma once
#include "fluvia/run/findings/findings.hpp"
#include "fluvia/run/results.hpp"

namespace fluvia::findings {

/// The data from which a question is answered.
struct Material {
  const RunEnd& end;
  const Assessment& seen;
  Adviser adviser;
};

/// Judgement of a value: good up to the first limit, bad above the second.
[[nodiscard]] Judgement judge(double value, double good, double bad);

/// A number as messages show it: two significant digits, or as many as stand in front of the point.
[[nodiscard]] std::string n(double value, int digits = 2);

/// A course with its name and scale.
struct Named {
  std::string name;
  const Course* course;
  double scale;
};

/// The finding "steady" for a flow that is driven in cycles: whether one cycle is like the next (cycles.cpp).
std::optional<Finding> repeating(const Material& m, const std::vector<Named>& courses);

/// Whether the flow still changes, or it is not known.
[[nodiscard]] bool is_unsteady(const Material& m);
/// Advice to run longer, by the number of steps that the question for a steady flow names, so that there is but one; if
/// it names none, twice as many.
[[nodiscard]] Advice longer_than_now(const Material& m);

using Question = std::optional<Finding> (*)(const Material&);

// Questions about time and balance.
std::optional<Finding> complete(const Material& m);
std::optional<Finding> steady(const Material& m);
std::optional<Finding> statistics(const Material& m);
std::optional<Finding> balance(const Material& m);
std::optional<Finding> density(const Material& m);
std::optional<Finding> mach(const Material& m);
std::optional<Finding> settings(const Material& m);

// Questions about the flow that was asked for.
std::optional<Finding> reynolds(const Material& m);

// Questions about what the case asks.
std::optional<Finding> drive(const Material& m);
std::optional<Finding> parameters(const Material& m);
std::optional<Finding> half_way_walls(const Material& m);
std::optional<Finding> slip(const Material& m);
std::optional<Finding> viscosity_bounds(const Material& m);

// Questions about numbers.
std::optional<Finding> rounding(const Material& m);

// Questions about space.
std::optional<Finding> grid_reynolds(const Material& m);
std::optional<Finding> eddies(const Material& m);
std::optional<Finding> walls(const Material& m);
std::optional<Finding> flat_box(const Material& m);
std::optional<Finding> passages(const Material& m);
std::optional<Finding> body(const Material& m);
std::optional<Finding> blockage(const Material& m);
std::optional<Finding> reference_area(const Material& m);
std::optional<Finding> reference_velocity(const Material& m);
std::optional<Finding> creeping(const Material& m);

// Questions about scalars (run/scalars/scalar_findings.cpp).
std::optional<Finding> scalar_balance(const Material& m);
std::optional<Finding> scalar_bounds(const Material& m);
std::optional<Finding> cell_peclet(const Material& m);

// The question about the grid: unknown, until the case has run on others.
std::optional<Finding> grid_error(const Material& m);
/// The finding "grid error" from results with grid errors. `problem`: why there are fewer grids than three, or none.
/// Pressures count by how far they lie from `reference` (case units), since all of them may be far from 0.
Finding judge_grid_error(const std::vector<Quantity>& results, std::size_t grids, const std::string& problem,
                         const Adviser& adviser, double reference_pressure);
void replace_grid_error(std::vector<Finding>& findings, Finding finding);

}  // namespace fluvia::findings
