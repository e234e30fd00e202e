// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fluvia/output/checkpoint.hpp"
#include "fluvia/output/csv.hpp"
#include "fluvia/run/averages.hpp"
#include "fluvia/run/monitors.hpp"
#include "fluvia/run/run.hpp"
#include "fluvia/run/steady_state.hpp"
#include "fluvia/run/time_series.hpp"

namespace fluvia {

/// One run in progress: steps the solver from event to event (monitor rows, checks, output, checkpoints).
class Simulation {
 public:
  /// `seen`: what monitors and writers look at, the solver itself or a view of it.
  Simulation(const Case& c, const Grid& grid, const Units& units, Solver& solver, const Solver& seen,
             const RunOptions& options);
  /// Restores the state from the checkpoint that the options name. Returns notes for the user. Throws Error(input).
  std::vector<std::string> resume();
  /// Steps until `end`, a steady state or an interruption; writes everything that the case asks for.
  RunResult run(std::int64_t end, const std::vector<std::string>& warnings);

 private:
  using Clock = std::chrono::steady_clock;
  [[nodiscard]] std::int64_t next_event(std::int64_t end) const;
  void apply_series();
  void step_to(std::int64_t target);
  /// Monitors, guard and steady state at the current step.
  void observe();
  void write_monitor_row();
  void check_state();
  void keep_good_state();
  [[noreturn]] void fail();
  std::filesystem::path write_checkpoint_now(const std::string& name);
  void write_fields();
  void write_final(RunResult& result, std::int64_t end, const std::vector<std::string>& warnings);
  void report_progress(std::int64_t end, bool always);
  [[nodiscard]] MonitorState monitor_state() const;
  [[nodiscard]] bool due(std::int64_t every) const { return every > 0 && solver_.time_step() % every == 0; }
  [[nodiscard]] double mflups() const;
  void add_file(const std::filesystem::path& file);

  const Case& case_;
  const RunOptions& options_;
  Solver& solver_;
  const Units& units_;
  OutputContext output_;
  Monitors monitors_;
  Averages averages_;
  SteadyState steady_;
  std::string steady_quantity_;
  std::optional<CsvWriter> csv_;
  struct Series {
    int surface;
    TimeSeries values;
    double scale;  ///< to lattice: pressure, or the ratio to the base value of a velocity boundary
  };
  std::vector<Series> series_;
  Totals totals_;
  std::int64_t totals_step_ = -1;
  std::vector<double> last_row_;
  std::int64_t last_row_step_ = -1;
  std::int64_t first_step_ = 0;
  double step_seconds_ = 0;
  Clock::time_point last_report_{}, last_kept_{};
  double keep_seconds_ = 0;
  std::filesystem::path good_state_;
  std::vector<std::filesystem::path> files_;
};

}  // namespace fluvia
