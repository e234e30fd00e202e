// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "fluvia/output/fields.hpp"

namespace fluvia {

/// What summary.json holds beside what the flow knows.
struct SummaryInput {
  std::string title;
  std::string version;  ///< version of Fluvia
  std::uint64_t case_hash = 0;
  std::string case_text;                              ///< Case::text
  std::vector<std::string> command;                   ///< command that made the run, word by word; empty: none did
  nlohmann::json results = nlohmann::json::object();  ///< results of the run, by name
  std::vector<std::filesystem::path>
      files;  ///< files that the run made; given relative to the summary's folder if below it
  std::vector<std::string> warnings;
};

/// Builds the summary: title, version, case and command (null if not known), plan, units, geometry, run (step, time),
/// results, warnings, files. Numbers that are not finite become null.
nlohmann::json make_summary(const OutputContext& output, const SummaryInput& input,
                            const std::filesystem::path& folder = {});

/// Writes make_summary() to `path`, whole or not at all. Throws Error(resource).
void write_summary(const std::filesystem::path& path, const OutputContext& output, const SummaryInput& input);

}  // namespace fluvia
