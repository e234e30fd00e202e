// SPDX-License-Identifier: Apache-2.0
#include "fluvia/bench/bench.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <set>

#include "fluvia/backend/backend.hpp"
#include "fluvia/backend/connect.hpp"
#include "fluvia/base/error.hpp"
#include "fluvia/bench/compile_ahead.hpp"
#include "fluvia/bench/configurations.hpp"
#include "fluvia/bench/scratch.hpp"
#include "fluvia/case/physics/registered_formats.hpp"
#include "fluvia/case/physics/registered_physics.hpp"
#include "fluvia/cpu/bandwidth.hpp"
#include "fluvia/domain/levels/levels_solver.hpp"
#include "fluvia/domain/rank_group.hpp"
#include "fluvia/ranks/ranks.hpp"
#include "fluvia/solver/initial_state.hpp"
#include "fluvia/solver/links/cut_links.hpp"
#include "fluvia/solver/plan/passes.hpp"
#include "fluvia/solver/plan/scheme.hpp"
#include "fluvia/solver/solver.hpp"

namespace fluvia {

namespace {

using Clock = std::chrono::steady_clock;
constexpr int repeats = 3;
constexpr int profiled_steps = 4;  // steps of both parities, twice
constexpr int least_pairs = 4;     // pairs of steps timed one by one
// Bytes that a CPU copies: far more than its caches hold; fewer where time matters more than the last percent.
constexpr std::size_t copied_bytes = std::size_t{1} << 30, copied_in_haste = std::size_t{1} << 28;
constexpr double haste = 0.05;  // seconds of a repeat below which time matters more

double seconds_of(Solver& solver, std::int64_t steps) {
  const auto start = Clock::now();
  solver.step(steps);
  return std::chrono::duration<double>(Clock::now() - start).count();
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// Mean time of a step in seconds, median of the repeats. Whole passes, and both parities of in-place streamings.
double time_steps(Solver& solver, double seconds) {
  const int round = steps_of_round(solver.plan().steps_per_pass);
  solver.step(2 * round);
  const double rounds = seconds / std::max(seconds_of(solver, round), 1e-9);
  const std::int64_t steps = round * std::max<std::int64_t>(1, static_cast<std::int64_t>(rounds));
  std::vector<double> times;
  for (int k = 0; k < repeats; ++k) times.push_back(seconds_of(solver, steps) / static_cast<double>(steps));
  return median(times);
}

/// Times even and odd steps, each waited for (as S2 Table 6 was made), after an even number of steps.
void time_split(Solver& solver, double seconds, BenchRow& row) {
  const int pairs = std::max(least_pairs, static_cast<int>(0.5 * seconds / std::max(1e-3 * row.step_ms, 1e-6)));
  std::vector<double> even, odd;
  for (int k = 0; k < pairs; ++k) {
    even.push_back(seconds_of(solver, 1));
    odd.push_back(seconds_of(solver, 1));
  }
  row.even_ms = 1e3 * median(even);
  row.odd_ms = 1e3 * median(odd);
}

/// Times the parts of a step, as in S4 Fig. 6.
void time_parts(Solver& solver, double seconds, BenchRow& row) {
  const int steps = 2 * std::clamp(static_cast<int>(0.5 * seconds / std::max(1e-3 * row.step_ms, 1e-6)), 1, 50);
  if (const auto times = solver.time_parts(steps))
    row.parts_ms = {{"step", 1e3 * times->step}, {"ghost", 1e3 * times->ghost}};
}

/// Times the steps of levels of refinement by themselves, after those of the whole flow, unless ranks have them, which
/// step all levels together.
void time_levels(Solver& solver, double seconds, BenchRow& row) {
  auto* const levels = dynamic_cast<domain::LevelsSolver*>(&solver);
  if (levels == nullptr || ranks::count() > 1) return;
  const int steps = std::max(2, static_cast<int>(seconds / std::max(1e-3 * row.step_ms, 1e-6)));
  std::vector<double> times;
  for (int k = 0; k < repeats; ++k) {
    const auto start = Clock::now();
    levels->step_apart(steps);
    times.push_back(std::chrono::duration<double>(Clock::now() - start).count() / steps);
  }
  const double apart = 1e3 * median(times);
  row.parts_ms = {{"levels", apart}, {"exchange", std::max(0.0, row.step_ms - apart)}};
}

/// Times what host and device would spend on each other's order of the populations, as S2 section 3.2.3 has it.
void time_transposes(BenchRow& row) {
  const auto nodes = static_cast<std::uint64_t>(row.nodes[0]) * row.nodes[1] * row.nodes[2];
  const auto [to_soa, to_aos] = measure_gpu_transposes(
      static_cast<int>(facts_of_lattice(row.lattice).velocities.size()), storage_bytes(row.format), nodes);
  row.to_soa_ms = 1e3 * to_soa;
  row.to_aos_ms = 1e3 * to_aos;
}

/// The copy bandwidth, bytes per second, of as many threads, or GPUs, as the row has on all ranks.
double roofline(const BenchReport& report, const BenchRow& row) {
  for (const auto& [threads, bandwidth] : report.bandwidth)
    if (threads == row.threads) return bandwidth * row.devices * row.ranks;
  throw Error(ExitCode::internal, "no bandwidth was measured with as many threads as a row has");
}

/// Notes what a step moves between GPU and host memory, if anything, and how close that comes to the link's bandwidth.
void note_transfers(const Plan& plan, const BenchReport& report, BenchRow& row) {
  if (plan.transfer_bytes == 0) return;
  const double one_way = static_cast<double>(plan.transfer_bytes) / 2, rate = one_way / (1e-3 * row.step_ms);
  row.blocks = plan.domain.blocks;
  row.transfer_mib = one_way / 1048576.0;
  row.link_fraction = rate / report.link_one_way;
  row.both_ways_fraction = rate / report.link_both_ways;
}

std::unique_ptr<Solver> make_row_solver(const Case& c, const Geometry& geometry, const BenchRow& row) {
  const Units units = make_units(c, 1.0);
  return row.without.empty() ? make_solver({c, units, geometry})
                             : make_solver_without(row.without, {c, units, geometry});
}

/// Measures everything that `row` asks for.
void measure_row(const Case& c, const Geometry& geometry, const BenchReport& report, BenchRow& row) {
  const double seconds = report.seconds, bandwidth = roofline(report, row);
  const auto solver = make_row_solver(c, geometry, row);
  const Plan& plan = solver->plan();
  const NodeMap& nodes = solver->geometry().nodes;  // a scheme may store but half of the geometry's nodes
  auto fluid_nodes = static_cast<double>(nodes.fluid_nodes);
  if (!plan.levels.empty()) fluid_nodes = 0;
  for (const LevelPlan& level : plan.levels) fluid_nodes += static_cast<double>(level.nodes);
  row.fluid_nodes = static_cast<std::uint64_t>(fluid_nodes);
  const double step = time_steps(*solver, seconds);
  row.step_ms = 1e3 * step;
  row.mlups = solver->updates_per_step() / step / 1e6;
  row.bytes_per_update = plan.bytes_per_update;
  row.steps_taken = plan.steps_per_pass;
  row.roofline_fraction = row.mlups * 1e6 * row.bytes_per_update / bandwidth;
  const std::uint64_t bytes = plan.population_bytes + plan.geometry_bytes + plan.boundary_bytes;
  row.memory_mib = static_cast<double>(bytes) / 1048576.0;
  row.bytes_per_node = static_cast<double>(bytes) / fluid_nodes;
  note_transfers(plan, report, row);
  if (row.split) time_split(*solver, seconds, row);
  if (row.parts) time_parts(*solver, seconds, row);
  time_levels(*solver, seconds, row);
}

/// The geometry of the row at hand, made anew only if it differs from that of the row before.
class CurrentGeometry {
 public:
  const Geometry& of(const Case& c, const BenchRow& row) {
    if (!row_ || !same_geometry(*row_, row)) {
      row_.reset();
      geometry_ = Geometry();  // freed before the next one takes memory
      geometry_ = build_geometry(c, make_grid(c));
      row_ = row;
    }
    return geometry_;
  }

 private:
  std::optional<BenchRow> row_;
  Geometry geometry_;
};

void measure_bandwidth(const BenchSettings& settings, const std::vector<BenchRow>& rows, BenchReport& report) {
  const bool gpu = settings.device == "cuda";
  const bool limited =
      std::any_of(rows.begin(), rows.end(), [](const BenchRow& row) { return row.memory_limit_mib > 0; });
  if (gpu && limited && !settings.profile && report.link_one_way <= 0) {
    const LinkBandwidth link = measure_gpu_link_bandwidth();
    report.link_one_way = link.one_way;
    report.link_both_ways = link.both_ways;
  }
  std::set<int> counts;  // a GPU's rows have none, except rows of a CPU to be compared with
  if (!gpu) counts.insert(settings.threads.begin(), settings.threads.end());
  for (const BenchRow& row : rows) counts.insert(row.threads);
  for (const int threads : counts) {
    const auto known = std::find_if(report.bandwidth.begin(), report.bandwidth.end(),
                                    [&](const auto& entry) { return entry.first == threads; });
    if (known != report.bandwidth.end()) continue;
    report.bandwidth.emplace_back(
        threads, settings.profile ? 1.0
                 : threads == 0
                     ? measure_gpu_copy_bandwidth()
                     : measure_copy_bandwidth(threads, settings.seconds < haste ? copied_in_haste : copied_bytes));
  }
}

/// Speed of several GPUs over as many times that of one; 0 if one was not measured.
double efficiency(const BenchReport& report, const BenchRow& row) {
  const auto one = std::find_if(report.rows.begin(), report.rows.end(),
                                [&](const BenchRow& other) { return is_one_of(other, row) && other.mlups > 0; });
  return one == report.rows.end() ? 0 : row.mlups / (row.devices * one->mlups);
}

/// Measures a row, or notes why that is not possible.
void run_row(const BenchSettings& settings, const Case& c, CurrentGeometry& current, const BenchReport& report,
             BenchRow& row) {
  try {
    const Geometry& geometry = current.of(c, row);
    row.ranks = ranks::count();
    row.nodes = geometry.nodes.size;
    if (!row.is_box()) row.porosity = geometry.nodes.porosity();
    if (settings.profile)
      make_row_solver(c, geometry, row)->step(profiled_steps);
    else
      measure_row(c, geometry, report, row);
    if (row.transposes && row.device == "cuda" && !settings.profile) time_transposes(row);
  } catch (const Error& error) {
    const bool of_the_row = error.code() == ExitCode::resource || error.code() == ExitCode::input;
    if (!settings.keep_going || !of_the_row) throw;
    row.reason = error.what();
  } catch (const std::bad_alloc&) {
    if (!settings.keep_going) throw;
    row.reason = "the host's memory ran out";
  }
}

/// Whether a row of an earlier run has all that `wanted` asks for.
bool tells(const BenchRow& known, const BenchRow& wanted) {
  return known.reason.empty() && same_combination(known, wanted) && (!wanted.split || known.even_ms > 0) &&
         (!wanted.transposes || wanted.device != "cuda" || known.to_soa_ms > 0) &&
         (!wanted.parts || wanted.device != "cuda" || !known.parts_ms.empty());
}

/// Leaves the rows that are still to be measured, and of the earlier ones those that need not be measured again.
void continue_from(BenchReport& report, std::vector<BenchRow>& rows) {
  std::erase_if(report.rows, [&](const BenchRow& known) {
    return std::any_of(rows.begin(), rows.end(), [&](const BenchRow& wanted) {
      return same_combination(known, wanted) && !tells(known, wanted);
    });
  });
  std::erase_if(rows, [&](const BenchRow& wanted) {
    const auto known =
        std::find_if(report.rows.begin(), report.rows.end(), [&](const BenchRow& row) { return tells(row, wanted); });
    if (known == report.rows.end()) return false;
    known->experiments = wanted.experiments;
    return true;
  });
}

}  // namespace

std::string bench_device(const BenchSettings& settings) {
  return settings.device == "cuda" ? gpu_name() : "cpu";
}

int serve_bench(const BenchSettings& settings) {
  const std::vector<BenchRow> rows = bench_configurations(settings);
  const ScratchFolder folder(rows);
  auto next = rows.begin();
  std::optional<Case> c;
  std::optional<Units> units;
  domain::Service service;
  service.make = [&](Communicator& communicator) {
    c = bench_case(*next++, folder.path());
    units = make_units(*c, 1.0);
    return make_rank_parts({*c, *units, build_geometry(*c, make_grid(*c)), communicator});
  };
  service.connect = [&](domain::RankParts& parts) { return connect_rank_parts(*c, parts); };
  service.initialise = [&](BlockSolver& part) { place_initial_state(part, {*c, *units, part.geometry()}); };
  return domain::serve(service);
}

BenchReport run_bench(const BenchSettings& settings, BenchReport report, const OnRow& on_row) {
  report.device = bench_device(settings);
  report.size = settings.size;
  report.seconds = settings.seconds;
  std::vector<BenchRow> rows = bench_configurations(settings);
  measure_bandwidth(settings, rows, report);
  continue_from(report, rows);
  const ScratchFolder folder(rows);
  if (settings.device == "cuda" && !settings.profile) report.not_compiled = compile_ahead(rows);
  CurrentGeometry current;
  for (BenchRow& row : rows) {
    run_row(settings, bench_case(row, folder.path()), current, report, row);
    row.efficiency = efficiency(report, row);
    report.rows.push_back(row);
    if (on_row) on_row(report);
  }
  return report;
}

}  // namespace fluvia
