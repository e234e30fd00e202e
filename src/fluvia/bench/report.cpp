// SPDX-License-Identifier: Apache-2.0
#include "fluvia/bench/report.hpp"

#include <fmt/format.h>

#include "fluvia/solver/plan/omissions.hpp"

namespace fluvia {

namespace {

/// Text before where each of several ranks ran; empty if there was one.
std::string ranks_of(const BenchRow& row) {
  return row.ranks > 1 ? fmt::format("{} ranks x ", row.ranks) : "";
}

/// Where a row ran: "2 threads", the GPU, or "2 x " the GPU.
std::string where(const BenchReport& report, int threads, int devices = 1) {
  return threads == 0 ? (devices > 1 ? fmt::format("{} x ", devices) : "") + report.device
                      : fmt::format("{} thread{}", threads, threads == 1 ? "" : "s");
}

/// Name of a row's scheme: "t2c", "t2c, tiles of 8", or "fused, 4 steps", with the steps that a pass took, also where
/// the settings did not ask for a number; "tgb without barriers", which no case can have.
std::string scheme_of(const BenchRow& row) {
  if (!row.without.empty()) return fmt::format("{} without {}", row.scheme, row.without);
  const int steps = row.steps_taken > 1 ? row.steps_taken : row.steps_per_pass;
  if (steps > 0) return fmt::format("{}, {} step{}", row.scheme, steps, steps == 1 ? "" : "s");
  return row.tile > 0 ? fmt::format("{}, tiles of {}", row.scheme, row.tile) : row.scheme;
}

/// Name of a row's collision: "bgk", or "bgk incompressible + LES".
std::string collision_of(const BenchRow& row) {
  return row.collision + (row.equilibrium == "incompressible" ? " incompressible" : "") +
         (row.smagorinsky > 0 ? " + LES" : "");
}

/// Name of a row's format: "fp32", or "fp16s stochastic".
std::string format_of(const BenchRow& row) {
  return row.rounding == "auto" ? row.format : row.format + " " + row.rounding;
}

/// Name of a row's geometry: "box", "poiseuille", "network 16" or "aneurysm, interpolated".
std::string geometry_of(const BenchRow& row) {
  const std::string name = row.flow == "poiseuille" ? row.flow
                           : row.channel > 0        ? fmt::format("{} {}", row.geometry, row.channel)
                                                    : row.geometry;
  return row.walls == "half-way" ? name : name + ", " + row.walls;
}

}  // namespace

std::string bench_line(const BenchRow& row) {
  const std::string where = row.threads > 0    ? fmt::format("{}{} threads", ranks_of(row), row.threads)
                            : row.devices > 1  ? fmt::format("{} GPUs", row.devices)
                            : row.gpu_rows > 0 ? fmt::format("{} x {}", row.gpu_threads / row.gpu_rows, row.gpu_rows)
                            : row.gpu_threads > 0 || row.gpu_blocks > 0
                                ? fmt::format("{}x{}", row.gpu_threads, row.gpu_blocks)
                                : "";
  const std::string what =
      fmt::format("{:6} {:18} {:15} {:5} {:11} {:4} phi {:.2f} {:9}", row.lattice, collision_of(row), scheme_of(row),
                  format_of(row), geometry_of(row), row.size, row.porosity, where);
  if (!row.reason.empty()) return what + " not measured: " + row.reason + "\n";
  std::string parts =
      row.efficiency > 0 ? fmt::format("  {:.1f}% of {} times one", 100 * row.efficiency, row.devices) : "";
  for (const auto& [part, milliseconds] : row.parts_ms) parts += fmt::format("  {} {:.3g} ms", part, milliseconds);
  if (!row.without.empty() && !keeps_flow(parse_omissions(row.without, parse_scheme(row.scheme))))
    parts += "  computes another flow";
  if (row.to_soa_ms > 0) parts += fmt::format("  to SoA {:.3g} ms, to AoS {:.3g} ms", row.to_soa_ms, row.to_aos_ms);
  if (row.transfer_mib > 0)
    parts += fmt::format("  {}{:.1f} MiB each way, {:.1f}% of the link one way, {:.1f}% both ways",
                         row.blocks > 1 ? fmt::format("{} blocks, ", row.blocks) : "", row.transfer_mib,
                         100 * row.link_fraction, 100 * row.both_ways_fraction);
  return what + fmt::format(" {:8.1f} MFLUPS {:5.1f}%{}\n", row.mlups, 100 * row.roofline_fraction, parts);
}

std::string bench_markdown(const BenchReport& report) {
  std::string text;
  for (const auto& [threads, bandwidth] : report.bandwidth)
    text += fmt::format("Copy bandwidth, {}: {:.1f} GB/s\n\n", where(report, threads), bandwidth / 1e9);
  if (report.link_one_way > 0)
    text +=
        fmt::format("Link to host memory: {:.1f} GB/s one way at a time, {:.1f} GB/s each way both ways at once\n\n",
                    report.link_one_way / 1e9, report.link_both_ways / 1e9);
  text +=
      "| lattice | collision | scheme | format | geometry | size | porosity | on | MFLUPS | bytes/update | roofline | "
      "MiB | "
      "bytes/node |\n"
      "|---|---|---|---|---|---|---|---|---|---|---|---|---|\n";
  for (const BenchRow& r : report.rows)
    text += fmt::format("| {} | {} | {} | {} | {} | {} | {:.2f} | {} | {:.1f} | {:.0f} | {:.1f}% | {:.0f} | {:.1f} |\n",
                        r.lattice, collision_of(r), scheme_of(r), format_of(r), geometry_of(r), r.size, r.porosity,
                        ranks_of(r) + where(report, r.threads, r.devices), r.mlups, r.bytes_per_update,
                        100 * r.roofline_fraction, r.memory_mib, r.bytes_per_node);
  return text;
}

}  // namespace fluvia
