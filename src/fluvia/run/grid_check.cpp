// SPDX-License-Identifier: Apache-2.0
#include "fluvia/run/grid_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fluvia/base/atomic_file.hpp"
#include "fluvia/base/error.hpp"
#include "fluvia/base/numbers/extrapolation.hpp"
#include "fluvia/base/text.hpp"
#include "fluvia/run/findings/findings_parts.hpp"
#include "fluvia/run/findings/other_grids.hpp"

namespace fluvia {

namespace {

using Json = nlohmann::json;

/// Power with which a result changes with a length of the box that is off: a flow rate through a gap is proportional to
/// its third power.
constexpr double sensitivity = 3;

const Quantity* find_quantity(const std::vector<Quantity>& quantities, const Quantity& like) {
  const auto same =
      std::find_if(quantities.begin(), quantities.end(), [&](const Quantity& q) { return q.name == like.name; });
  return same == quantities.end() ? nullptr : &*same;
}

/// One quantity on one grid, and its uncertainty there.
struct Sample {
  GridValue grid;
  double noise = 0;
};

void add_grid_error(Quantity& own, const std::vector<GridResults>& others, double rounding) {
  std::vector<Sample> samples = {{{1, own.value}, own.error.value_or(0)}};
  for (const GridResults& other : others) {
    const Quantity* q = find_quantity(other.quantities, own);
    if (q == nullptr || !std::isfinite(q->value)) continue;
    samples.push_back(
        {{1 / other.factor, q->value}, q->error.value_or(0) + sensitivity * other.mismatch * std::abs(q->value)});
  }
  if (samples.size() < 2 || !std::isfinite(own.value)) return;
  std::sort(samples.begin(), samples.end(),
            [](const Sample& a, const Sample& b) { return a.grid.refine < b.grid.refine; });
  std::vector<GridValue> grids;
  for (const Sample& sample : samples) grids.push_back(sample.grid);
  const Extrapolation limit = extrapolate(grids);
  const double noise =
      std::abs(limit.last) * samples.back().noise + std::abs(limit.previous) * samples[samples.size() - 2].noise;
  own.limit = limit.value;
  if (limit.observed) own.order = limit.order;
  own.grid_error = distance_to_limit(limit, own.value) + noise + sensitivity * rounding * std::abs(own.value);
}

/// Relative difference of the box from domain.size, all axes together.
double rounding_of_box(const Case& c) {
  if (!c.domain.size) return 0;
  const Grid grid = make_grid(c);
  double rounding = 0;
  for (int axis = 0; axis < grid.dimension; ++axis)
    rounding += std::abs(grid.size[axis] * grid.spacing / (*c.domain.size)[axis] - 1);
  return rounding;
}

/// The results of the flow on one more grid; empty if it has none. `entry` gets what came of it.
std::vector<Quantity> run_on(const OtherGrid& other, const RunOptions& options, Json& entry) {
  RunOptions own;
  own.output = options.output / "grids" / fmt::format("{:.3f}", other.factor);
  own.interrupt = options.interrupt;
  own.on_progress = options.on_progress;
  entry = {{"factor", other.factor}, {"spacing", *other.c.spacing()}, {"steps", 0}, {"problem", ""}};
  try {
    RunResult result = run_case(other.c, own);
    entry["steps"] = result.steps;
    if (!result.interrupted) return std::move(result.quantities);
    entry["problem"] = "interrupted";
  } catch (const Error& error) {
    if (error.code() == ExitCode::internal) throw;
    const std::string problem = error.what();
    entry["problem"] = problem.substr(0, problem.find('\n'));
  }
  return {};
}

}  // namespace

void add_grid_errors(std::vector<Quantity>& quantities, const std::vector<GridResults>& others, double rounding) {
  for (Quantity& quantity : quantities) add_grid_error(quantity, others, rounding);
}

void check_grids(const Case& c, const RunOptions& options, RunResult& result) {
  const Grid grid = make_grid(c);
  const Units units = make_units(c, grid.spacing);
  GridWish wish;
  for (const Quantity& q : result.quantities)
    if (q.name == "max_velocity") wish.mach = std::sqrt(inverse_cs2) * units.velocity(q.value);
  wish.updates = static_cast<double>(result.steps) * result.fluid_nodes;
  OtherGrids found = other_grids(c, wish);
  Json list = Json::array();
  std::vector<GridResults> others;
  std::string problem = found.reason;
  for (const OtherGrid& other : found.grids) {
    if (options.on_message)
      options.on_message(fmt::format("the same flow on a grid of {} times the spacing", format_short(other.factor, 3)));
    Json& entry = list.emplace_back();
    std::vector<Quantity> quantities = run_on(other, options, entry);
    if (quantities.empty())
      problem = fmt::format("with {} times the spacing: {}", format_short(other.factor, 3),
                            entry["problem"].get<std::string>());
    else
      others.push_back({other.factor, other.mismatch, std::move(quantities)});
  }
  add_grid_errors(result.quantities, others, rounding_of_box(c));
  const Adviser adviser(c, units, grid, result.results.value("planned_last_step", result.steps));
  findings::replace_grid_error(
      result.verdict.findings,
      findings::judge_grid_error(result.quantities, others.size() + 1, problem, adviser, units.reference_pressure));
  Json& r = result.results;
  r["grids"] = list;
  r["quantities"] = results_json(result.quantities);
  r["verdict"] = result.verdict.json();
  result.report = format_results(result.quantities) + result.verdict.table();
  const auto file = options.output / "summary.json";
  Json summary = Json::parse(read_text_file(file, std::uint64_t{1} << 30));
  summary["results"] = r;
  write_file(file, summary.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

}  // namespace fluvia
