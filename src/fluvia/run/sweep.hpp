// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "fluvia/run/run.hpp"

namespace fluvia {

/// A key of a case and the values that it takes in a sweep, as texts for --set.
struct Variation {
  std::string key;
  std::vector<std::string> values;
};

/// Reads "key=a,b,c"; commas within brackets, braces and quotes separate nothing. Throws Error(usage) if there is no
/// key or no value, or a value stands twice.
Variation parse_variation(const std::string& text);

/// One combination of values and the outcome of its run.
struct SweepRun {
  std::vector<std::string> values;  ///< one for each variation
  std::string name;                 ///< name of its folder: "reynolds=100,radius=2"
  Case c;
  /// Identity of the case, its settings and how far it goes: a run with the same need not be repeated.
  std::string identity;
  std::string ended;    ///< "last step", "steady state", "interrupted", "diverged", "refused"; empty if it did not run
  std::string problem;  ///< why, if it diverged or was refused
  nlohmann::json results;  ///< RunResult::results
  [[nodiscard]] bool is_done() const { return ended == "last step" || ended == "steady state"; }
};

/// Runs a case once for each combination of values, each in a folder of its own below `folder`. After each run the file
/// sweep.json there holds all that is known, and sweep.csv the last values of the monitors.
class Sweep {
 public:
  using Reader = std::function<Case(const std::vector<std::string>& settings)>;

  /// Makes all combinations, the last key changing fastest. Reads and validates each case before any runs, and takes
  /// over what sweep.json knows of them. `common` tells sweeps of one folder apart, say the other settings. Throws
  /// Error: input, naming the combination, or for a damaged sweep.json; usage, if there are more than 10,000
  /// combinations or a key twice.
  Sweep(std::vector<Variation> variations, const Reader& read, std::filesystem::path folder, const std::string& common);

  /// Runs all combinations that are not done, in order; goes on with those that were interrupted. A run that diverges
  /// or is refused does not end the others. `on_begin` gets the index of each before it runs. Returns false if it was
  /// interrupted. Throws Error(resource).
  bool run(const RunOptions& options, const std::function<void(std::size_t)>& on_begin);

  [[nodiscard]] const std::vector<Variation>& variations() const { return variations_; }
  [[nodiscard]] const std::vector<SweepRun>& runs() const { return runs_; }
  /// Names of all monitors of which some run has a last value, then of results (results.hpp) that are no monitors.
  [[nodiscard]] std::vector<std::string> monitors() const;
  /// Head and rows as texts: the varied keys, how each run ended, its step, the last values of these monitors with so
  /// many significant digits, and the verdict; empty where there is none.
  [[nodiscard]] std::vector<std::vector<std::string>> table(const std::vector<std::string>& monitors, int digits) const;

 private:
  void take_over();
  void save() const;

  std::vector<Variation> variations_;
  std::filesystem::path folder_;
  std::vector<SweepRun> runs_;
  nlohmann::json others_ = nlohmann::json::array();  ///< runs in sweep.json with values that this sweep has not
};

}  // namespace fluvia
