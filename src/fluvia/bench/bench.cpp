// SPDX-License-Identifier: Apache-2.0
#include "fluvia/bench/bench.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>

#include "fluvia/backend/backend.hpp"
#include "fluvia/base/error.hpp"
#include "fluvia/bench/bandwidth.hpp"
#include "fluvia/run/run.hpp"
#include "fluvia/solver/cut_links.hpp"
#include "fluvia/solver/scheme.hpp"

namespace fluvia {

namespace {

using Clock = std::chrono::steady_clock;
constexpr int repeats = 3;
constexpr int sphere_pitch = 40;  // nodes between sphere centres

/// Radius of the spheres of a simple cubic array that leave this porosity; they overlap below 0.48, where a fit of the
/// array's porosity to bisection is used.
double sphere_radius(double porosity) {
  double low = 0, high = sphere_pitch;
  for (int k = 0; k < 60; ++k) {
    const double radius = (low + high) / 2;
    int solid = 0;
    constexpr int n = sphere_pitch;
    for (int z = 0; z < n; z += 2)
      for (int y = 0; y < n; y += 2)
        for (int x = 0; x < n; x += 2) solid += std::hypot(x - n / 2 + 0.5, y - n / 2 + 0.5, z - n / 2 + 0.5) < radius;
    (solid / (n * n * n / 8.0) > 1 - porosity ? high : low) = radius;
  }
  return low;
}

Geometry bench_geometry(int dimension, int size, double porosity) {
  Geometry g;
  g.surfaces = {"x_min", "x_max", "y_min", "y_max", "z_min", "z_max", "wall"};
  const Int3 box = {size, size, dimension == 3 ? size : 1};
  g.surface_of = [box](const Int3& x, const Int3& o) {
    const bool leaves_top = x[1] + o[1] >= box[1];
    const bool leaves_side = x[0] + o[0] < 0 || x[0] + o[0] >= box[0];
    return leaves_top && !leaves_side ? surface_id::y_max : surface_id::wall;
  };
  const double radius = porosity < 1 ? sphere_radius(porosity) : 0;
  g.nodes = NodeMap::build(dimension, box, {false, false, dimension == 2}, [&](const Int3& tile) -> std::uint64_t {
    if (porosity >= 1) return ~std::uint64_t{0};
    const Int3 shape = tile_shape(dimension);
    std::uint64_t mask = 0;
    for (int bit = 0; bit < nodes_per_tile; ++bit) {
      const Int3 l = tile_local(dimension, bit);
      double squared = 0;
      for (int axis = 0; axis < dimension; ++axis) {
        const double d = (tile[axis] * shape[axis] + l[axis]) % sphere_pitch - sphere_pitch / 2 + 0.5;
        squared += d * d;
      }
      if (squared >= radius * radius) mask |= std::uint64_t{1} << bit;
    }
    return mask;
  });
  return g;
}

Case bench_case(const BenchRow& row) {
  Case c;
  c.numerics.lattice = row.lattice;
  c.numerics.collision = row.collision;
  c.numerics.scheme = row.scheme;
  c.numerics.format = row.format;
  c.numerics.threads = row.threads;
  c.numerics.device = row.device;
  Case::Boundary lid;
  lid.surface = "y_max";
  lid.type = "moving_wall";
  lid.velocity = {0.05, 0, 0};
  c.boundaries.push_back(lid);
  c.units.tau = 0.6;
  return c;
}

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

}  // namespace

BenchReport run_bench(const BenchSettings& settings, const std::function<void(const BenchRow&)>& on_row) {
  BenchReport report;
  const bool gpu = settings.device == "cuda";
  report.device = gpu ? gpu_name() : "cpu";
  if (gpu) report.bandwidth.emplace_back(0, measure_gpu_copy_bandwidth());
  for (const int threads : gpu ? std::vector<int>{} : settings.threads)
    report.bandwidth.emplace_back(threads, measure_copy_bandwidth(threads, std::size_t{1} << 30));
  for (const std::string& lattice : settings.lattices) {
    const int dimension = lattice[1] - '0';
    const int size = dimension == 3 ? settings.size : static_cast<int>(std::pow(settings.size, 1.5));
    for (const double porosity : settings.porosities) {
      const Geometry geometry = bench_geometry(dimension, size, porosity);
      for (const std::string& collision : settings.collisions)
        for (const std::string& scheme : settings.schemes)
          for (const std::string& format : settings.formats)
            for (const auto& [threads, bandwidth] : report.bandwidth) {
              BenchRow row{lattice, collision, scheme, format, settings.device, size, geometry.nodes.porosity(),
                           threads};
              const Case c = bench_case(row);
              const auto solver = make_solver(c, make_units(c, 1.0), geometry);
              const Plan& plan = solver->plan();
              row.mlups = measure(*solver, static_cast<double>(geometry.nodes.fluid_nodes), settings.seconds);
              row.bytes_per_update = plan.bytes_per_update;
              row.share = row.mlups * 1e6 * row.bytes_per_update / bandwidth;
              row.memory_mib =
                  static_cast<double>(plan.population_bytes + plan.geometry_bytes + plan.boundary_bytes) / 1048576.0;
              report.rows.push_back(row);
              if (on_row) on_row(row);
            }
    }
  }
  return report;
}

namespace {
/// "2 threads", or the GPU.
std::string where(const BenchReport& report, int threads) {
  return threads == 0 ? report.device : fmt::format("{} thread{}", threads, threads == 1 ? "" : "s");
}
}  // namespace

std::string bench_markdown(const BenchReport& report) {
  std::string text;
  for (const auto& [threads, bandwidth] : report.bandwidth)
    text += fmt::format("Copy bandwidth, {}: {:.1f} GB/s\n\n", where(report, threads), bandwidth / 1e9);
  text +=
      "| lattice | collision | scheme | format | size | porosity | on | MFLUPS | bytes/update | roofline | MiB |\n"
      "|---|---|---|---|---|---|---|---|---|---|---|\n";
  for (const BenchRow& r : report.rows)
    text += fmt::format("| {} | {} | {} | {} | {} | {:.2f} | {} | {:.1f} | {:.0f} | {:.1f}% | {:.0f} |\n", r.lattice,
                        r.collision, r.scheme, r.format, r.size, r.porosity, where(report, r.threads), r.mlups,
                        r.bytes_per_update, 100 * r.share, r.memory_mib);
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
                            {"size", r.size},
                            {"porosity", r.porosity},
                            {"threads", r.threads},
                            {"mflups", r.mlups},
                            {"bytes_per_update", r.bytes_per_update},
                            {"roofline_share", r.share},
                            {"memory_mib", r.memory_mib}});
  return json.dump(2) + "\n";
}

}  // namespace fluvia
