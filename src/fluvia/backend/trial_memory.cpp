// SPDX-License-Identifier: Apache-2.0
#include "fluvia/backend/trial_memory.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "fluvia/base/atomic_file.hpp"
#include "fluvia/base/cache_folder.hpp"
#include "fluvia/base/error.hpp"
#include "fluvia/base/text.hpp"
#include "fluvia/model/choice.hpp"

namespace fluvia {

namespace {

/// Version of the keys and of what is kept under them; it is raised when these change, or when schemes become faster.
constexpr int trial_version = 1;
constexpr std::uint64_t most_file_bytes = 1 << 16;

/// Class of a size by half octaves: nodes between 2^20.25 and 2^20.75 are 2^20.5.
double size_class(double nodes) {
  return std::round(2 * std::log2(nodes)) / 2;
}

double twentieths(double share) {
  return std::round(20 * share) / 20;
}

/// Types of the boundaries in order, as a text.
std::string conditions_of(const Case& c) {
  std::set<std::string> types;
  for (const Case::Boundary& b : c.boundaries) types.insert(b.sponge > 0 ? b.type + " with a sponge" : b.type);
  const std::vector<std::string> names(types.begin(), types.end());
  return names.empty() ? "walls" : fluvia::join(names);
}

/// A kept trial. Throws nlohmann::json::exception for members that are missing or of another type.
RememberedTrial from_json(const nlohmann::json& json) {
  RememberedTrial trial{json.at("date").get<std::string>(), {}};
  for (const nlohmann::json& row : json.at("rows"))
    trial.rows.push_back(
        {row.at("scheme").get<std::string>(), row.at("steps_per_pass").get<int>(), row.at("mflups").get<double>()});
  return trial;
}

bool is_of(const std::vector<TrialRow>& rows, const std::vector<TrialCandidate>& candidates) {
  if (rows.size() != candidates.size()) return false;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const bool same = rows[k].scheme == candidates[k].scheme && rows[k].steps_per_pass == candidates[k].steps_per_pass;
    if (!same || !(rows[k].mflups >= 0 && rows[k].mflups < 1e9)) return false;
  }
  return !rows.empty() && rows.front().mflups > 0;
}

}  // namespace

std::filesystem::path TrialMemory::default_folder() {
  return cache_folder("trials");
}

std::filesystem::path TrialMemory::file_of(const std::string& key) const {
  Fnv1a hash;
  hash.add(key);
  return folder_ / fmt::format("{:016x}.trial", hash.value());
}

std::optional<RememberedTrial> TrialMemory::find(const std::string& key,
                                                 const std::vector<TrialCandidate>& candidates) const {
  if (folder_.empty()) return std::nullopt;
  try {
    const nlohmann::json json = nlohmann::json::parse(read_text_file(file_of(key), most_file_bytes));
    if (json.at("key").get<std::string>() != key) return std::nullopt;
    RememberedTrial trial = from_json(json);
    const bool dated = trial.date.size() == 10 && trial.date.find_first_not_of("0123456789-") == std::string::npos;
    if (dated && is_of(trial.rows, candidates)) return trial;
  } catch (const Error&) {  // there is no such file, or it cannot be read
  } catch (const nlohmann::json::exception&) {
  }
  return std::nullopt;
}

std::string TrialMemory::keep(const std::string& key, const RememberedTrial& trial) const {
  if (folder_.empty()) return "neither FLUVIA_CACHE_DIR nor HOME is set";
  nlohmann::json rows = nlohmann::json::array();
  for (const TrialRow& row : trial.rows)
    rows.push_back({{"scheme", row.scheme}, {"steps_per_pass", row.steps_per_pass}, {"mflups", row.mflups}});
  const nlohmann::json json = {{"key", key}, {"date", trial.date}, {"rows", rows}};
  try {
    write_file(file_of(key), json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
  } catch (const Error&) {
    return fmt::format("'{}' cannot be written to; let FLUVIA_CACHE_DIR name a folder that can", folder_.string());
  }
  return "";
}

void TrialMemory::forget(const std::string& key) const {
  std::error_code ignored;
  if (!folder_.empty()) std::filesystem::remove(file_of(key), ignored);
}

std::string trial_key(const Case& c, const Geometry& geometry, const Plan& plan, const std::string& machine,
                      const std::vector<TrialCandidate>& candidates) {
  const NodeMap& nodes = geometry.nodes;
  std::string tried;
  for (const TrialCandidate& candidate : candidates)
    tried += fmt::format("{}{}/{}", tried.empty() ? "" : " ", candidate.scheme, candidate.steps_per_pass);
  const char* const rounding = core::rounding_names[static_cast<int>(plan.rounding)];
  std::string key = fmt::format(
      "fluvia {} trial {}; {}; {} {} {} {} {}; viscosity {}, {} force, walls {}; {}; {}D, 2^{} fluid nodes, rows of "
      "2^{}, "
      "fill {}, porosity {}; {} threads in {} rows and {} blocks asked for; {}",
      FLUVIA_VERSION, trial_version, machine, plan.flow().lattice->name, plan.flow().collision->name,
      plan.flow().equilibrium->name, plan.format->name, rounding, plan.flow().viscosity.model,
      c.physics.has_acceleration_field() ? "a varying"
      : plan.flow().force                ? "a"
                                         : "no",
      geometry.distance_of ? "between nodes" : "half-way", conditions_of(c), nodes.dimension,
      size_class(static_cast<double>(nodes.fluid_nodes)), size_class(nodes.size[0]),
      twentieths(model::fill_of(plan.device, nodes)), twentieths(nodes.porosity()), c.numerics.gpu_threads,
      c.numerics.gpu_rows, c.numerics.gpu_blocks, tried);
  return printable(key);
}

}  // namespace fluvia
