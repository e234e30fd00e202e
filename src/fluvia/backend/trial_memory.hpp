// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fluvia/solver/plan/trial_candidates.hpp"

namespace fluvia {

/// The result of an earlier trial.
struct RememberedTrial {
  std::string date;  ///< day, as in 2026-11-26
  std::vector<TrialRow> rows;
};

/// Results of trials on disk, one small file for each key. A file that is damaged, or of another key, counts as none
/// and is replaced by the next trial. Processes and threads may share a folder.
class TrialMemory {
 public:
  /// An empty folder keeps nothing.
  explicit TrialMemory(std::filesystem::path folder = default_folder()) : folder_(std::move(folder)) {}
  /// cache_folder() of trials.
  static std::filesystem::path default_folder();

  /// The trial kept under a key, if it was of just these candidates.
  [[nodiscard]] std::optional<RememberedTrial> find(const std::string& key,
                                                    const std::vector<TrialCandidate>& candidates) const;
  /// Keeps a trial. Returns why that was not possible; empty if it was.
  [[nodiscard]] std::string keep(const std::string& key, const RememberedTrial& trial) const;
  /// Removes what is kept under a key, if anything.
  void forget(const std::string& key) const;
  [[nodiscard]] std::filesystem::path file_of(const std::string& key) const;

 private:
  std::filesystem::path folder_;
};

/// The key of a case: two cases have the same if the trial of one holds for the other. It names the machine, this
/// version, and the shape of the case in coarse classes. Of the plan lattice, collision, equilibrium, format, rounding,
/// device, viscosity and threads are used. `machine`: name and all that its speed depends on.
std::string trial_key(const Case& c, const Geometry& geometry, const Plan& plan, const std::string& machine,
                      const std::vector<TrialCandidate>& candidates);

}  // namespace fluvia
