// SPDX-License-Identifier: Apache-2.0
// What the folder of a run has whose flow diverged: a summary with a verdict, as after any other end.
#pragma once
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

namespace fluvia {

/// Results for summary.json: how the run ended, and a verdict with the one finding that counts. `diagnosis` is that of
/// diagnose_instability(): what happened, and likely causes in lines of their own; `step`: when the divergence was
/// found.
nlohmann::json results_of_divergence(const std::string& diagnosis, std::int64_t step, std::int64_t planned_last_step);

/// Adds what try_remedies() found to the advice of the summary in this folder, if there is one. Throws Error(resource).
void add_remedies(const std::filesystem::path& folder, const std::string& remedies);

}  // namespace fluvia
