// SPDX-License-Identifier: Apache-2.0
// Reports as JSON: one list of fields for writing and for reading.
#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <type_traits>

#include "fluvia/base/error.hpp"
#include "fluvia/bench/report.hpp"
#include "fluvia/run/run.hpp"

namespace fluvia {

namespace {

using Json = nlohmann::json;

/// Calls visit(name, field) for every field of a row.
template <class Row, class Visit>
void for_each_field(Row& r, Visit&& visit) {
  visit("experiments", r.experiments);
  visit("lattice", r.lattice);
  visit("collision", r.collision);
  visit("equilibrium", r.equilibrium);
  visit("scheme", r.scheme);
  visit("format", r.format);
  visit("device", r.device);
  visit("flow", r.flow);
  visit("geometry", r.geometry);
  visit("nodes", r.nodes);
  visit("size", r.size);
  visit("porosity", r.porosity);
  visit("channel", r.channel);
  visit("tile", r.tile);
  visit("threads", r.threads);
  visit("gpu_threads", r.gpu_threads);
  visit("gpu_blocks", r.gpu_blocks);
  visit("smagorinsky", r.smagorinsky);
  visit("memory_limit_mib", r.memory_limit_mib);
  visit("fluid_nodes", r.fluid_nodes);
  visit("mlups", r.mlups);
  visit("bytes_per_update", r.bytes_per_update);
  visit("roofline_fraction", r.roofline_fraction);
  visit("memory_mib", r.memory_mib);
  visit("bytes_per_node", r.bytes_per_node);
  visit("step_ms", r.step_ms);
  visit("even_ms", r.even_ms);
  visit("odd_ms", r.odd_ms);
  visit("reason", r.reason);
}

Json to_json(const BenchRow& row) {
  Json json = Json::object();
  for_each_field(row, [&](const char* name, const auto& field) { json[name] = field; });
  json["walls"] = row.walls;
  if (!row.parts_ms.empty()) json["parts_ms"] = row.parts_ms;
  if (row.gpu_rows > 0) json["gpu_rows"] = row.gpu_rows;
  if (!row.without.empty()) json["without"] = row.without;
  if (row.to_soa_ms > 0) {
    json["to_soa_ms"] = row.to_soa_ms;
    json["to_aos_ms"] = row.to_aos_ms;
  }
  if (row.rounding != "auto") json["rounding"] = row.rounding;
  if (row.steps_per_pass > 0) json["steps_per_pass"] = row.steps_per_pass;
  if (row.devices > 1) json["devices"] = row.devices;
  if (row.ranks > 1) json["ranks"] = row.ranks;
  if (row.efficiency > 0) json["efficiency"] = row.efficiency;
  if (row.blocks > 1) json["blocks"] = row.blocks;
  if (row.steps_taken > 1) json["steps_taken"] = row.steps_taken;
  if (row.transfer_mib > 0) {
    json["transfer_mib"] = row.transfer_mib;
    json["link_fraction"] = row.link_fraction;
    json["both_ways_fraction"] = row.both_ways_fraction;
  }
  return json;
}

/// Reads a member of an object as a type; throws an error that names a member that is missing or of another type.
template <class Value>
void read(const Json& json, const char* name, Value& value) {
  if (!json.is_object() || !json.contains(name)) throw Error(ExitCode::input, fmt::format("'{}' is missing", name));
  try {
    json.at(name).get_to(value);
  } catch (const Json::exception&) {
    throw Error(ExitCode::input, fmt::format("'{}' is {}, which is of the wrong type", name, json.at(name).dump()));
  }
}

BenchRow row_from(const Json& json) {
  BenchRow row;
  for_each_field(row, [&](const char* name, auto& field) { read(json, name, field); });
  if (json.contains("walls")) read(json, "walls", row.walls);  // files of before there were others than half-way
  if (json.contains("parts_ms")) read(json, "parts_ms", row.parts_ms);
  if (json.contains("gpu_rows")) read(json, "gpu_rows", row.gpu_rows);
  if (json.contains("without")) read(json, "without", row.without);
  if (json.contains("to_soa_ms")) {
    read(json, "to_soa_ms", row.to_soa_ms);
    read(json, "to_aos_ms", row.to_aos_ms);
  }
  if (json.contains("rounding")) read(json, "rounding", row.rounding);
  if (json.contains("steps_per_pass")) read(json, "steps_per_pass", row.steps_per_pass);
  if (json.contains("devices")) read(json, "devices", row.devices);
  if (json.contains("ranks")) read(json, "ranks", row.ranks);
  if (json.contains("efficiency")) read(json, "efficiency", row.efficiency);
  if (json.contains("blocks")) read(json, "blocks", row.blocks);
  if (json.contains("steps_taken")) read(json, "steps_taken", row.steps_taken);
  if (json.contains("transfer_mib")) {
    read(json, "transfer_mib", row.transfer_mib);
    read(json, "link_fraction", row.link_fraction);
    read(json, "both_ways_fraction", row.both_ways_fraction);
  }
  // Comparing rows asks for the dimension.
  if (row.lattice.size() < 4) throw Error(ExitCode::input, fmt::format("'lattice' is '{}'", row.lattice));
  return row;
}

BenchReport report_from(const Json& json) {
  BenchReport report;
  read(json, "device", report.device);
  Json settings, bandwidth, rows;
  read(json, "settings", settings);
  read(settings, "size", report.size);
  read(settings, "seconds", report.seconds);
  read(json, "bandwidth", bandwidth);
  for (const Json& entry : bandwidth) {
    auto& [threads, bytes] = report.bandwidth.emplace_back();
    read(entry, "threads", threads);
    read(entry, "bytes_per_second", bytes);
  }
  if (json.contains("link")) {
    Json link;
    read(json, "link", link);
    read(link, "one_way", report.link_one_way);
    read(link, "both_ways", report.link_both_ways);
  }
  read(json, "rows", rows);
  if (!rows.is_array()) throw Error(ExitCode::input, "'rows' is no list");
  for (std::size_t k = 0; k < rows.size(); ++k) {
    try {
      report.rows.push_back(row_from(rows[k]));
    } catch (const Error& error) {
      throw Error(ExitCode::input, fmt::format("row {}: {}", k + 1, error.what()));
    }
  }
  return report;
}

}  // namespace

std::string bench_json(const BenchReport& report) {
  Json json = {{"version", version()},
               {"device", report.device},
               {"settings", {{"size", report.size}, {"seconds", report.seconds}}},
               {"bandwidth", Json::array()},
               {"rows", Json::array()}};
  for (const auto& [threads, bandwidth] : report.bandwidth)
    json["bandwidth"].push_back({{"threads", threads}, {"bytes_per_second", bandwidth}});
  if (report.link_one_way > 0) json["link"] = {{"one_way", report.link_one_way}, {"both_ways", report.link_both_ways}};
  for (const BenchRow& row : report.rows) json["rows"].push_back(to_json(row));
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

BenchReport read_bench_json(const std::filesystem::path& file) {
  std::error_code error;
  if (!std::filesystem::exists(file, error)) return {};
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw_resource(fmt::format("{}: cannot be read", file.string()));
  const auto fail = [&](const std::string& what) {
    throw_input(
        fmt::format("{}: {}; this is no file of `fluvia bench`, or a damaged one: move it away, or give "
                    "--output another folder",
                    file.string(), what));
  };
  try {
    return report_from(Json::parse(stream));
  } catch (const Json::exception& problem) {
    fail(problem.what());
  } catch (const Error& problem) {
    fail(problem.what());
  }
  return {};
}

std::vector<BenchRow> read_combinations(const std::filesystem::path& file, const std::string& device) {
  std::vector<BenchRow> rows;
  for (const BenchRow& known : read_bench_json(file).rows) {
    if (known.device != device) continue;
    BenchRow row = known;
    row.split = known.even_ms > 0;
    row.parts = !known.parts_ms.empty();
    row.mlups = row.roofline_fraction = row.efficiency = row.step_ms = row.even_ms = row.odd_ms = 0;
    row.steps_taken = 0;
    row.parts_ms.clear();
    row.reason.clear();
    rows.push_back(row);
  }
  if (rows.empty())
    throw_input(
        fmt::format("{}: has no rows of device '{}', or is not there; give the rows.json of a `fluvia bench "
                    "--output DIR` on such a device",
                    file.string(), device));
  return rows;
}

void require_continuation(const BenchReport& report, const BenchSettings& settings, const std::filesystem::path& file) {
  if (report.device.empty()) return;
  if (const std::string device = bench_device(settings); report.device != device)
    throw_input(fmt::format("{}: has rows of device '{}', but this is '{}'; give --output another folder",
                            file.string(), report.device, device));
  if (report.size != settings.size)
    throw_input(
        fmt::format("{}: has rows of --size {}, but this is --size {}; use the same size or give --output "
                    "another folder",
                    file.string(), report.size, settings.size));
}

}  // namespace fluvia
