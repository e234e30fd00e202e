// SPDX-License-Identifier: Apache-2.0
#include "fluvia/bench/bench.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>
#include <tuple>

#include "fluvia/backend/backend.hpp"
#include "fluvia/base/error.hpp"
#include "fluvia/bench/bandwidth.hpp"
#include "fluvia/bench/configurations.hpp"
#include "fluvia/run/run.hpp"
#include "fluvia/solver/cut_links.hpp"
#include "fluvia/solver/scheme.hpp"

namespace fluvia {

namespace {

using Clock = std::chrono::steady_clock;
constexpr int repeats = 3;
constexpr int profiled_steps = 4;  // both parities, twice

double measure(Solver& solver, double fluid_nodes, double seconds) {
  solver.step(4);  // an even number: both parities of in-place streamings
  auto start = Clock::now();
  solver.step(2);
  const double pair = std::chrono::duration<double>(Clock::now() - start).count();
  const auto steps = 2 * std::max<std::int64_t>(1, static_cast<std::int64_t>(seconds / std::max(pair, 1e-9)));
  std::vector<double> rates;
  for (int k = 0; k < repeats; ++k) {
    start = Clock::now();
    solver.step(steps);
    rates.push_back(fluid_nodes * static_cast<double>(steps) /
                    std::chrono::duration<double>(Clock::now() - start).count() / 1e6);
  }
  std::nth_element(rates.begin(), rates.begin() + repeats / 2, rates.end());
  return rates[repeats / 2];
}

/// Fills in what `row` shall tell.
void measure_row(const Case& c, const Geometry& geometry, double seconds, double bandwidth, BenchRow& row) {
  const auto solver = make_solver(c, make_units(c, 1.0), geometry);
  const Plan& plan = solver->plan();
  const NodeMap& nodes = solver->geometry().nodes;  // a scheme may store but half of the geometry's
  row.porosity = nodes.porosity();
  row.mlups = measure(*solver, static_cast<double>(nodes.fluid_nodes), seconds);
  row.bytes_per_update = plan.bytes_per_update;
  row.share = row.mlups * 1e6 * row.bytes_per_update / bandwidth;
  const std::uint64_t bytes = plan.population_bytes + plan.geometry_bytes + plan.boundary_bytes;
  row.memory_mib = static_cast<double>(bytes) / 1048576.0;
  row.bytes_per_node = static_cast<double>(bytes) / static_cast<double>(nodes.fluid_nodes);
}

}  // namespace

BenchReport run_bench(const BenchSettings& settings, const std::function<void(const BenchRow&)>& on_row) {
  BenchReport report;
  const bool gpu = settings.device == "cuda";
  report.device = gpu ? gpu_name() : "cpu";
  for (const int threads : gpu ? std::vector<int>{0} : settings.threads)
    report.bandwidth.emplace_back(threads, settings.profile ? 1.0
                                           : gpu            ? measure_gpu_copy_bandwidth()
                                                            : measure_copy_bandwidth(threads, std::size_t{1} << 30));
  std::vector<int> threads;
  for (const auto& [count, bandwidth] : report.bandwidth) threads.push_back(count);
  Geometry geometry;
  BenchRow of_geometry;
  for (BenchRow& row : bench_configurations(settings, threads)) {
    const Case c = bench_case(row);
    const auto shape = [](const BenchRow& r) { return std::tuple(r.lattice[1], r.geometry, r.size, r.porosity); };
    if (of_geometry.lattice.empty() || shape(of_geometry) != shape(row)) {
      geometry = build_geometry(c, make_grid(c));
      of_geometry = row;
    }
    if (settings.profile) {
      make_solver(c, make_units(c, 1.0), geometry)->step(profiled_steps);
      continue;
    }
    const auto roofline = std::find(threads.begin(), threads.end(), row.threads) - threads.begin();
    measure_row(c, geometry, settings.seconds, report.bandwidth[static_cast<std::size_t>(roofline)].second, row);
    report.rows.push_back(row);
    if (on_row) on_row(row);
  }
  return report;
}

namespace {
/// "2 threads", or the GPU.
std::string where(const BenchReport& report, int threads) {
  return threads == 0 ? report.device : fmt::format("{} thread{}", threads, threads == 1 ? "" : "s");
}
/// "t2c", or "t2c, tiles of 8".
std::string scheme_of(const BenchRow& row) {
  return row.tile > 0 ? fmt::format("{}, tiles of {}", row.scheme, row.tile) : row.scheme;
}
/// "bgk", or "bgk + LES".
std::string collision_of(const BenchRow& row) {
  return row.collision + (row.smagorinsky > 0 ? " + LES" : "");
}
}  // namespace

std::string bench_markdown(const BenchReport& report) {
  std::string text;
  for (const auto& [threads, bandwidth] : report.bandwidth)
    text += fmt::format("Copy bandwidth, {}: {:.1f} GB/s\n\n", where(report, threads), bandwidth / 1e9);
  text +=
      "| lattice | collision | scheme | format | geometry | size | porosity | on | MFLUPS | bytes/update | roofline | "
      "MiB | "
      "bytes/node |\n"
      "|---|---|---|---|---|---|---|---|---|---|---|---|---|\n";
  for (const BenchRow& r : report.rows)
    text += fmt::format("| {} | {} | {} | {} | {} | {} | {:.2f} | {} | {:.1f} | {:.0f} | {:.1f}% | {:.0f} | {:.1f} |\n",
                        r.lattice, collision_of(r), scheme_of(r), r.format, r.geometry, r.size, r.porosity,
                        where(report, r.threads), r.mlups, r.bytes_per_update, 100 * r.share, r.memory_mib,
                        r.bytes_per_node);
  return text;
}

std::string bench_json(const BenchReport& report) {
  nlohmann::json json;
  json["version"] = version();
  json["device"] = report.device;
  for (const auto& [threads, bandwidth] : report.bandwidth)
    json["bandwidth"].push_back({{"threads", threads}, {"bytes_per_second", bandwidth}});
  for (const BenchRow& r : report.rows)
    json["rows"].push_back({{"lattice", r.lattice},
                            {"collision", r.collision},
                            {"scheme", r.scheme},
                            {"format", r.format},
                            {"smagorinsky", r.smagorinsky},
                            {"geometry", r.geometry},
                            {"size", r.size},
                            {"porosity", r.porosity},
                            {"threads", r.threads},
                            {"tile", r.tile},
                            {"mflups", r.mlups},
                            {"bytes_per_update", r.bytes_per_update},
                            {"roofline_share", r.share},
                            {"memory_mib", r.memory_mib},
                            {"bytes_per_node", r.bytes_per_node},
                            {"gpu_threads", r.gpu_threads},
                            {"gpu_blocks", r.gpu_blocks}});
  return json.dump(2) + "\n";
}

}  // namespace fluvia
