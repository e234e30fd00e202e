// SPDX-License-Identifier: Apache-2.0
#include "fluvia/output/summary.hpp"

#include <fmt/format.h>

#include "fluvia/base/atomic_file.hpp"
#include "fluvia/output/geometry_json.hpp"

namespace fluvia {
namespace {

using Json = nlohmann::json;

Json trial_json(const std::vector<TrialRow>& rows) {
  Json json = Json::array();
  for (const TrialRow& row : rows)
    json.push_back({{"scheme", row.scheme}, {"steps_per_pass", row.steps_per_pass}, {"mflups", row.mflups}});
  return json;
}

Json plan_json(const Plan& plan) {
  return {{"lattice", plan.flow().lattice->name},
          {"collision", plan.flow().collision->name},
          {"equilibrium", plan.flow().equilibrium->name},
          {"scheme", plan.scheme_name()},
          {"steps_per_pass", plan.steps_per_pass},
          {"trial", trial_json(plan.trial)},
          {"format", plan.format->name},
          {"rounding", core::rounding_names[static_cast<int>(plan.rounding)]},
          {"device", plan.device},
          {"threads", plan.threads},
          {"omega", plan.flow().omega()},
          {"memory_bytes", plan.total_bytes()},
          {"population_bytes", plan.population_bytes},
          {"blocks", plan.domain.blocks},
          {"place", block_place_names[static_cast<int>(plan.domain.place)]},
          {"host_bytes", plan.host_bytes},
          {"transfer_bytes", plan.transfer_bytes},
          {"bytes_per_update", plan.bytes_per_update},
          {"expected_roofline_fraction", plan.expected_fraction},
          {"kernel_seconds", plan.kernel_seconds},
          {"reason", plan.reason}};
}

Json units_json(const Units& units) {
  return {{"system", units.si ? "si" : "lattice"},
          {"spacing", units.spacing},
          {"time_step", units.time_step},
          {"density", units.density},
          {"viscosity", units.viscosity * units.spacing * units.spacing / units.time_step},
          {"lattice_viscosity", units.viscosity},
          {"tau", units.tau},
          {"mach", units.mach()},
          {"reference_pressure", units.reference_pressure},
          {"reynolds", units.reynolds()},
          {"physical_reynolds", units.physical_viscosity > 0 ? Json(units.physical_reynolds()) : Json()}};
}

}  // namespace

nlohmann::json make_summary(const OutputContext& output, const SummaryInput& input,
                            const std::filesystem::path& folder) {
  Json files = Json::array();
  for (const std::filesystem::path& file : input.files) {
    const std::filesystem::path relative = file.lexically_relative(folder);
    const bool below = !folder.empty() && !relative.empty() && *relative.begin() != "..";
    files.push_back((below ? relative : file).generic_string());
  }
  const auto step = output.state.time_step();
  return {{"title", input.title},
          {"version", input.version},
          {"case_hash", fmt::format("{:016x}", input.case_hash)},
          {"case", input.case_text.empty() ? Json() : Json(input.case_text)},
          {"command", input.command.empty() ? Json() : Json(input.command)},
          {"plan", plan_json(output.state.plan())},
          {"units", units_json(output.units)},
          {"geometry", geometry_json(output.state.geometry(), output.grid)},
          {"run", {{"step", step}, {"time", output.units.si_time(static_cast<double>(step))}}},
          {"results", input.results},
          {"warnings", input.warnings},
          {"files", files}};
}

void write_summary(const std::filesystem::path& path, const OutputContext& output, const SummaryInput& input) {
  const Json summary = make_summary(output, input, path.parent_path());
  // Names may come from files in any encoding: bytes that are not UTF-8 are replaced, rather than fail at the end of a
  // run.
  write_file(path, summary.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

}  // namespace fluvia
