// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "fluvia/case/case.hpp"
#include "fluvia/run/findings/verdict.hpp"
#include "fluvia/run/results.hpp"
#include "fluvia/solver/solver.hpp"

namespace fluvia {

/// How far a run has come; sent about twice a second.
struct Progress {
  std::int64_t step = 0, last_step = 0;
  double seconds = 0;  ///< seconds of stepping so far
  double mflups = 0;   ///< million fluid node updates a second
  double eta_seconds = 0;
  double residual = 0;  ///< relative change of the steady-state quantity (kinetic energy by default); infinite at first
  double max_mach = 0;
};

struct RunOptions {
  std::filesystem::path output;  ///< folder; made if missing
  bool resume = false;
  std::filesystem::path resume_from;                   ///< empty: the newest checkpoint in `output`
  const std::atomic<bool>* interrupt = nullptr;        ///< set from a signal handler
  std::function<void(const Progress&)> on_progress;    ///< may be empty
  std::function<void(const std::string&)> on_message;  ///< one line of information
  std::function<void(const std::string&)> on_warning;
  std::vector<std::string>
      command;  ///< word by word, for summary.json: the command that makes the same run from the start
  /// Whether to run the case on other grids afterwards, too, for the grid error of each result (grid_check.hpp).
  bool refine_check = false;
  double try_seconds = 0;  ///< seconds for looking for settings that keep a flow from diverging that did
};

struct RunResult {
  std::int64_t steps = 0;  ///< time step reached
  bool interrupted = false, steady = false;
  std::filesystem::path checkpoint;  ///< the last one written, if any
  std::vector<std::filesystem::path> files;
  /// Last values of the monitors, MFLUPS, why it ended, results, verdict. It is an object from the start: a null that
  /// becomes one when memory is short crashes when it is destroyed (nlohmann-json 3.11).
  nlohmann::json results = nlohmann::json::object();
  double fluid_nodes = 0;
  std::vector<Quantity> quantities;
  Verdict verdict;
  std::string report;  ///< results and verdict as several lines of text
};

/// Runs a case from geometry to summary.json. Throws Error: input (case, geometry, checkpoint), resource (memory,
/// disk), unstable (after the last good state was written; the message says where).
RunResult run_case(const Case& c, const RunOptions& options);

/// Version of Fluvia, e.g. "0.1.0".
std::string version();

}  // namespace fluvia
