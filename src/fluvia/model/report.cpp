// SPDX-License-Identifier: Apache-2.0
#include "fluvia/model/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "fluvia/core/scheme/registry.hpp"
#include "fluvia/model/measured.hpp"

namespace fluvia::model {
namespace {

/// Terms as text, "solid 0.032, copy 1.032"; those that round to nothing are left out.
std::string terms(const std::vector<Component>& components) {
  std::string text;
  for (const Component& component : components)
    if (std::abs(component.value) >= 0.0005)
      text += fmt::format("{}{} {:.3f}", text.empty() ? "" : ", ", component.name, component.value);
  return text.empty() ? "-" : text;
}

std::string mflups(double value) {
  return value >= 100 ? fmt::format("{:.0f}", value) : fmt::format("{:.1f}", value);
}

constexpr std::size_t columns = 9;
using Cells = std::array<std::string, columns>;

const Cells heading = {"scheme",   "bytes/node",  "Delta^M", "of which", "Delta^B",
                       "of which", "with bursts", "MFLUPS",  "measured"};

Cells cells(const ReportRow& row) {
  const Overhead& o = row.overhead;
  const std::string range =
      o.bursts.empty() ? mflups(row.ideal_mflups) : mflups(row.burst_mflups) + " - " + mflups(row.ideal_mflups);
  return {o.scheme,
          fmt::format("{:.1f}", row.bytes_per_node),
          fmt::format("{:.3f}", o.memory_overhead()),
          terms(o.memory),
          fmt::format("{:.3f}", o.bandwidth_overhead()),
          terms(o.bandwidth),
          o.bursts.empty() ? "-" : fmt::format("{:.3f}", o.burst_overhead()),
          range,
          row.measured_mflups > 0 ? mflups(row.measured_mflups) : "-"};
}

std::vector<Cells> table_of(const Report& report) {
  std::vector<Cells> table = {heading};
  for (const ReportRow& row : report.rows) table.push_back(cells(row));
  return table;
}

/// Lines about the geometry, the lattice and the device: name and value.
std::vector<std::pair<std::string, std::string>> facts(const Report& r) {
  const Inputs& in = r.inputs;
  return {
      {"geometry", fmt::format("{}: {} of {} nodes fluid, porosity phi {:.4f}", r.geometry, r.tiles.fluid_nodes,
                               r.tiles.nodes, in.porosity)},
      {"tiles",
       fmt::format("{}{}: {} of {} hold fluid, tile porosity phi_t {:.4f}", in.tile_edge,
                   in.lattice.dimension == 2 ? "^2" : "^3", r.tiles.occupied_tiles, r.tiles.tiles, in.tile_porosity)},
      {"buffers", fmt::format("alpha_M {:.4f}, alpha_B {:.4f}", in.memory_coefficient, in.bandwidth_coefficient)},
      {"node", fmt::format("{} {}: M_node {:.0f} bytes, B_node {:.0f} bytes a step", in.lattice.name, r.format,
                           in.node_memory(), in.node_traffic())},
      {"indices", fmt::format("of {} bytes; read once, those of a box move less than those of links from phi {:.4f} on",
                              in.node_index_bytes, index_crossing(in))},
      {"bandwidth", fmt::format("{:.1f} GB/s, {} ({}); roofline {} MFLUPS", r.bandwidth / 1e9,
                                r.bandwidth_was_measured ? "measured" : "given", r.device,
                                mflups(updates_per_second(in, r.bandwidth, 0) / 1e6))}};
}

const Component& largest(const std::vector<Component>& components) {
  return *std::max_element(components.begin(), components.end(),
                           [](const Component& a, const Component& b) { return a.value < b.value; });
}

std::string in_words(const std::string& component) {
  static const std::map<std::string, std::string> words = {
      {"solid", "solid nodes"},       {"type", "node types"},
      {"copy", "the second copy"},    {"index", "indices"},
      {"buffers", "ghost buffers"},   {"slide", "the room to slide"},
      {"gaps", "gaps between tiles"}, {"run ends", "bursts at the ends of runs"}};
  const auto found = words.find(component);
  return found == words.end() ? component : found->second;
}

/// Terms of the traffic in whole bursts.
std::vector<Component> moved(const Overhead& overhead) {
  std::vector<Component> all = overhead.bandwidth;
  all.insert(all.end(), overhead.bursts.begin(), overhead.bursts.end());
  return all;
}

}  // namespace

void fill_rows(Report& report) {
  Inputs& in = report.inputs;
  in.tile_edge = report.tiles.edge;
  in.porosity = report.tiles.porosity();
  in.tile_porosity = report.tiles.tile_porosity();
  in.tile_ratio = report.tiles.tile_ratio();
  in.memory_coefficient = memory_coefficient(report.tiles, in.lattice);
  in.bandwidth_coefficient = bandwidth_coefficient(report.tiles, in.lattice);
  for (const core::Scheme& scheme : core::schemes)
    if (scheme.stepping == core::Stepping::ghost_cells) in.ghost_block_edge = scheme.edges(in.lattice.dimension)[0];
  const bool gpu = report.device == "cuda";
  std::vector<Overhead> all = published_overheads(in);
  for (Overhead& own : fluvia_overheads(in, report.storage, gpu)) all.push_back(std::move(own));
  report.rows.clear();
  for (Overhead& overhead : all) {
    ReportRow row;
    row.bytes_per_node = in.node_memory() * (1 + overhead.memory_overhead());
    row.ideal_mflups = updates_per_second(in, report.bandwidth, overhead.bandwidth_overhead()) / 1e6;
    row.burst_mflups = updates_per_second(in, report.bandwidth, overhead.burst_overhead()) / 1e6;
    const double fraction =
        measured_fraction(report.device, overhead.scheme, report.format, in.lattice.dimension, report.fill);
    const double solid = overhead.reads_solid_nodes ? overhead.bandwidth_overhead() : 0;
    row.measured_mflups = fraction * updates_per_second(in, report.bandwidth, solid) / 1e6;
    row.overhead = std::move(overhead);
    report.rows.push_back(std::move(row));
  }
}

std::string verdict(const Report& report) {
  const auto best = [&](auto is_better) {
    return *std::min_element(report.rows.begin(), report.rows.end(), is_better);
  };
  const auto smaller = [](const ReportRow& a, const ReportRow& b) { return a.bytes_per_node < b.bytes_per_node; };
  const Overhead least = best(smaller).overhead;
  // For methods without a bound for bursts only the ideal machine is known, which is no match for the others' worst.
  const ReportRow fast = best([&](const ReportRow& a, const ReportRow& b) {
    if (a.overhead.bursts.empty() != b.overhead.bursts.empty()) return b.overhead.bursts.empty();
    const double difference = a.overhead.burst_overhead() - b.overhead.burst_overhead();
    return std::abs(difference) < 1e-9 ? smaller(a, b) : difference < 0;
  });
  const ReportRow measured =
      best([](const ReportRow& a, const ReportRow& b) { return a.measured_mflups > b.measured_mflups; });
  const Component most = largest(least.memory), slow = largest(moved(fast.overhead));
  std::string text = fmt::format(
      "Least memory: {} takes {:.3f} times the minimum; the largest part of the rest is for {} ({:.3f}). "
      "Fastest by bandwidth: {} moves at most {:.3f} times the minimum in whole bursts, most of the rest for {} "
      "({:.3f})",
      least.scheme, 1 + least.memory_overhead(), in_words(most.name), most.value, fast.overhead.scheme,
      1 + fast.overhead.burst_overhead(), in_words(slow.name), slow.value);
  if (measured.measured_mflups > 0)
    text += fmt::format("; of those that were measured, {} is the fastest with {} MFLUPS", measured.overhead.scheme,
                        mflups(measured.measured_mflups));
  return text + '.';
}

std::string report_text(const Report& report) {
  std::string text;
  for (const auto& [name, value] : facts(report)) text += fmt::format("{:<12} {}\n", name, value);
  const std::vector<Cells> table = table_of(report);
  std::array<std::size_t, columns> width{};
  for (const Cells& line : table)
    for (std::size_t k = 0; k < columns; ++k) width[k] = std::max(width[k], line[k].size());
  text += '\n';
  for (const Cells& line : table) {
    std::string row;
    for (std::size_t k = 0; k < columns; ++k) {
      const bool words = k == 0 || k == 3 || k == 5;
      row += words ? fmt::format("{:<{}}  ", line[k], width[k]) : fmt::format("{:>{}}  ", line[k], width[k]);
    }
    row.erase(row.find_last_not_of(' ') + 1);
    text += row + '\n';
  }
  return text + '\n' + verdict(report) + '\n';
}

std::string report_markdown(const Report& report) {
  std::string text;
  for (const auto& [name, value] : facts(report)) text += fmt::format("- {}: {}\n", name, value);
  text += '\n';
  const std::vector<Cells> table = table_of(report);
  for (std::size_t line = 0; line < table.size(); ++line) {
    for (const std::string& cell : table[line]) text += "| " + cell + ' ';
    text += "|\n";
    if (line != 0) continue;
    for (std::size_t k = 0; k < columns; ++k) text += "|---";
    text += "|\n";
  }
  return text + '\n' + verdict(report) + '\n';
}

std::string report_json(const Report& r) {
  const auto components = [](const std::vector<Component>& all) {
    nlohmann::json list = nlohmann::json::array();
    for (const Component& c : all) list.push_back({{"name", c.name}, {"value", c.value}, {"source", c.source}});
    return list;
  };
  const Inputs& in = r.inputs;
  nlohmann::json json = {{"geometry", r.geometry},
                         {"lattice", in.lattice.name},
                         {"format", r.format},
                         {"device", r.device},
                         {"bandwidth", r.bandwidth},
                         {"bandwidth_was_measured", r.bandwidth_was_measured},
                         {"nodes", r.tiles.nodes},
                         {"fluid_nodes", r.tiles.fluid_nodes},
                         {"tile_edge", in.tile_edge},
                         {"tiles", r.tiles.tiles},
                         {"occupied_tiles", r.tiles.occupied_tiles},
                         {"porosity", in.porosity},
                         {"tile_porosity", in.tile_porosity},
                         {"alpha_M", in.memory_coefficient},
                         {"alpha_B", in.bandwidth_coefficient},
                         {"reduced_buffers", reduced_share(r.tiles, in.lattice)},
                         {"boundary_share", r.tiles.fluid_nodes > 0 ? static_cast<double>(r.boundary_nodes) /
                                                                          static_cast<double>(r.tiles.fluid_nodes)
                                                                    : 0.0},
                         {"index_crossing", index_crossing(in)},
                         {"type_bytes", in.node_type_bytes},
                         {"index_bytes", in.node_index_bytes},
                         {"burst_bytes", in.burst_bytes},
                         {"M_node", in.node_memory()},
                         {"B_node", in.node_traffic()},
                         {"verdict", verdict(r)}};
  for (const ReportRow& row : r.rows)
    json["schemes"].push_back({{"scheme", row.overhead.scheme},
                               {"bytes_per_node", row.bytes_per_node},
                               {"memory_overhead", row.overhead.memory_overhead()},
                               {"memory", components(row.overhead.memory)},
                               {"bandwidth_overhead", row.overhead.bandwidth_overhead()},
                               {"bandwidth", components(row.overhead.bandwidth)},
                               {"burst_overhead", row.overhead.burst_overhead()},
                               {"bursts", components(row.overhead.bursts)},
                               {"ideal_mflups", row.ideal_mflups},
                               {"burst_mflups", row.burst_mflups},
                               {"measured_mflups", row.measured_mflups}});
  return json.dump(2) + "\n";
}

}  // namespace fluvia::model
