// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "fluvia/output/checkpoint/checkpoint.hpp"
#include "fluvia/output/pictures/color_range.hpp"
#include "fluvia/output/vtk/point_cloud.hpp"
#include "fluvia/run/files/averages.hpp"
#include "fluvia/run/files/level_averages.hpp"
#include "fluvia/run/files/picture_averages.hpp"
#include "fluvia/run/files/wall_output.hpp"
#include "fluvia/run/loop/background.hpp"

namespace fluvia {

/// What is to be made of the flow at one time, in this order: checkpoints come after everything else of their step, so
/// that a run that goes on from one has it all.
struct OutputTask {
  bool average = false;     ///< add to the time averages
  bool fields = false;      ///< VTK files and pictures
  bool in_series = true;    ///< these are due: pictures after them keep their ranges of colours
  bool good_state = false;  ///< keep a checkpoint to fall back on, if one is due
  bool checkpoint = false;
  std::vector<PointCloud> clouds;  ///< points that go with the flow, beside the fields
  MonitorState monitors;           ///< state of the monitors for checkpoints, beside the averages

  [[nodiscard]] bool empty() const { return !good_state && !average && !fields && !checkpoint; }
};

/// Everything of a run that is made from the whole flow: time averages, field files, pictures, checkpoints. Where the
/// solver gives snapshots, they are made on another thread while it steps on, one task at a time and in order; errors
/// are thrown by a later call. Members other than make() wait for the task in hand.
class OutputFiles {
 public:
  /// `seen`: what is written, the solver itself or a view of it that fills in nodes; checkpoints are of the solver. The
  /// references must outlive this object.
  OutputFiles(const Case& c, const Units& units, const Grid& grid, Solver& solver, const Solver& seen,
              std::filesystem::path folder);

  /// Does the task with the flow as it is now; the solver may step on when this returns.
  void make(OutputTask task);
  /// Does the task with the flow as it is now; it is done when this returns.
  void make_at_once(const OutputTask& task);
  /// Waits for the task in hand.
  void finish();
  /// Throws the error of a task that has ended; waits for nothing.
  void check() { background_.check(); }

  void restore(const MonitorState& monitors);
  /// True if it is time to keep a state to fall back on: so rarely that it costs at most about 2% of the run.
  [[nodiscard]] bool good_state_due() const;
  /// Path of the newest checkpoint to fall back on; empty if there is none yet. Older ones are removed.
  [[nodiscard]] std::filesystem::path good_state();
  void remove_good_states();
  /// Keeps the solver's state, in which no averages were taken, as one to fall back on.
  std::filesystem::path keep_initial_state(MonitorState monitors);
  /// Path of the last checkpoint of those that the case asks for; empty if there is none.
  [[nodiscard]] std::filesystem::path checkpoint();
  /// Files that the case asks for, in the order in which they first appeared: checkpoints last, those that are kept.
  [[nodiscard]] std::vector<std::filesystem::path> files();
  /// Seconds for which make() and the other calls held up the caller, so far.
  [[nodiscard]] double seconds_waited() const { return seconds_waited_; }

 private:
  using Clock = std::chrono::steady_clock;
  // perform() and what it calls may run on the other thread.
  void perform(const FlowState& stored, const OutputTask& task);
  void write_fields(const FlowState& seen, bool in_series);
  void write_levels(const FlowState& seen, Case::Output wanted, const std::string& suffix);
  std::filesystem::path write_checkpoint(const FlowState& stored, const std::string& name, MonitorState monitors) const;
  void add_file(const std::filesystem::path& file);
  void add_checkpoint(std::filesystem::path file);

  const Case& case_;
  const Units& units_;
  const Grid& grid_;
  Solver& solver_;
  const Solver& seen_;
  std::filesystem::path folder_;
  Averages averages_;
  LevelAverages level_averages_;
  PictureAverages picture_averages_;
  std::optional<WallOutput> walls_;
  SeriesRanges ranges_;  ///< of pictures; checkpoints have them, so that a resumed run goes on with them
  std::vector<std::filesystem::path> files_, checkpoints_;
  std::filesystem::path good_state_;
  Clock::time_point kept_at_{};           ///< when the last state to fall back on was begun
  std::atomic<double> keep_seconds_ = 0;  ///< seconds that it took, which a task in hand may be about to set
  double seconds_waited_ = 0;
  Background background_;  ///< the last member: it ends before what its job uses
};

}  // namespace fluvia
