// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fluvia/output/csv.hpp"
#include "fluvia/run/files/output_files.hpp"
#include "fluvia/run/files/run_folder.hpp"
#include "fluvia/run/loop/regulator.hpp"
#include "fluvia/run/loop/steady_state.hpp"
#include "fluvia/run/monitors/mass_balance.hpp"
#include "fluvia/run/monitors/monitors.hpp"
#include "fluvia/run/run.hpp"
#include "fluvia/run/tracers/tracers.hpp"
#include "fluvia/solver/profiles/time_series.hpp"

namespace fluvia {

/// How a flow ended that was stepped without monitoring.
enum class Completion { completed, diverged, stopped };

/// One run in progress: steps the solver from event to event (monitor rows, checks, output, checkpoints).
class Simulation {
 public:
  /// `seen`: the flow that monitors and writers look at, the solver itself or a view of it.
  Simulation(const Case& c, const Grid& grid, const Units& units, Solver& solver, const Solver& seen,
             const RunOptions& options);
  /// Restores the state from the checkpoint that the options name. Returns notes for the user. Throws Error(input).
  std::vector<std::string> resume();
  /// Steps until `end`, a steady state or an interruption; writes everything that the case asks for. `folder`: the
  /// lock on the output folder, if there is one.
  RunResult run(std::int64_t end, std::vector<std::string> warnings, RunFolder* folder = nullptr);

  /// Steps until `end`, writing nothing, unless the flow diverges or `stop` returns true; it is asked a few times a
  /// second.
  Completion run_without_monitoring(std::int64_t end, const std::function<bool()>& stop);
  /// begin() does what comes before the first step; then come steps, which may go on where the last ones ended and are
  /// checked as often as in a run; the last says whether the flow at the current step can go on.
  void begin();
  Completion watch(std::int64_t end, const std::function<bool()>& stop);
  bool is_sound();

  /// Gives a boundary without a time series another value from now on, as Solver::set_boundary_value has it; during a
  /// ramp the boundary rises to that value.
  void set_boundary_value(int surface, double value);

  [[nodiscard]] const Monitors& monitors() const { return monitors_; }
  /// The points that go with the flow; null if the case has none.
  [[nodiscard]] const Tracers* tracers() const { return tracers_.get(); }
  /// The state that goes into checkpoints beside the flow; restored by the function below.
  [[nodiscard]] MonitorState state() const;
  void restore(const MonitorState& state);

 private:
  static constexpr const char* steady_key = "steady_samples";
  static constexpr const char* mass_key = "mass_balance";
  using Clock = std::chrono::steady_clock;
  [[nodiscard]] std::int64_t next_event(std::int64_t end) const;
  /// Values of openings at the time of `step`, and whether they change after that.
  [[nodiscard]] BoundaryValues values_at(std::int64_t step) const;
  [[nodiscard]] bool values_change_after(std::int64_t step) const;
  /// Takes steps [first, end), each with its own values.
  void step_with_values(std::int64_t first, std::int64_t end);
  void step_to(std::int64_t target);
  /// Steps for about a quarter of a second, but not beyond `event`: short enough to answer Ctrl-C at once, long enough
  /// not to matter.
  void step_towards(std::int64_t event);
  /// Does what is due at the current step: monitors, guard, steady state and output.
  void observe();
  void write_monitor_row();
  void check_state();
  [[noreturn]] void fail();
  std::string return_to_good_state();
  std::string return_to_start();
  void open_monitor_file();
  /// Makes folder and monitor file again where somebody has removed them.
  void keep_files();
  void write_final(RunResult& result, std::int64_t end);
  void judge(RunResult& result, std::int64_t end);
  /// Writes summary.json; returns its path.
  std::filesystem::path summarise(const nlohmann::json& results, const std::vector<std::filesystem::path>& files) const;
  /// Takes files that are gone off the list; returns a sentence that names them, if any.
  std::string drop_missing(std::vector<std::filesystem::path>& files);
  void warn(const std::string& text);
  void report_progress(std::int64_t end, bool always);
  [[nodiscard]] OutputContext output() const { return {monitored_.solver, monitored_.units, monitored_.grid}; }
  [[nodiscard]] bool due(std::int64_t every) const { return every > 0 && solver_.time_step() % every == 0; }
  [[nodiscard]] double mflups() const;

  const Case& case_;
  const RunOptions& options_;
  Solver& solver_;
  const Units& units_;
  MonitorContext monitored_;
  std::unique_ptr<Tracers> tracers_;  ///< null if the case has none
  Monitors monitors_;
  SteadyState steady_;
  std::string steady_quantity_;
  std::optional<CsvWriter> csv_;
  /// A boundary whose value changes with time.
  struct Series {
    int surface;
    std::optional<TimeSeries> values;  ///< none: there is only a ramp
    double scale;   ///< factor to lattice units: pressure, or the ratio to the base value of a velocity boundary
    double offset;  ///< added to the scaled value: a series of pressures starts from the reference pressure
    double ramp;    ///< time of the ramp, case units
  };
  std::vector<Series> series_;
  bool profiles_change_ = false;  ///< whether openings have profiles that change their shape
  bool values_change_ = false;    ///< whether the value of some boundary differs after the next step
  std::vector<std::unique_ptr<Regulator>> regulators_;
  MassBalance mass_;
  std::vector<std::string> warnings_;
  RunFolder* folder_ = nullptr;
  Totals totals_;
  std::int64_t totals_step_ = -1;
  std::vector<double> last_row_;
  std::int64_t last_row_step_ = -1;
  std::int64_t first_step_ = 0, planned_end_ = 0;
  double step_seconds_ = 0;
  std::int64_t chunk_ = 1;  ///< steps of a quarter of a second
  Clock::time_point last_report_{};
  OutputFiles files_;
};

}  // namespace fluvia
