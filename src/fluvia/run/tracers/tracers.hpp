// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "fluvia/output/checkpoint/checkpoint.hpp"
#include "fluvia/output/csv.hpp"
#include "fluvia/output/vtk/point_cloud.hpp"
#include "fluvia/run/monitors/monitor_column.hpp"
#include "fluvia/solver/tracers/tracer_cloud.hpp"

namespace fluvia {

/// What has left through an opening, in the time of the case.
struct ResidenceTimes {
  std::string opening;
  std::vector<double> ages;  ///< in ascending order
  double mean = 0;
  double deviation = 0;  ///< standard deviation
};

/// Points that have left through openings, in the order in which they did: case units.
struct DepartedPoints {
  std::vector<std::int64_t> ids;
  std::vector<double> times, ages;  ///< when they left, and how long they had been in the flow
  std::vector<Real3> places;
  std::vector<int> openings;  ///< indices into Geometry::surfaces
};

/// The points of all [[tracer]] of a case, which go with a run: they move every few steps of the flow.
class Tracers {
 public:
  /// `seen`: the flow as monitors see it. References must outlive the object. Where it has levels of refinement, points
  /// go through it as the finest one sees it, in its nodes and steps. Throws Error(input) for points that can come from
  /// nowhere.
  Tracers(const Case& c, const Units& units, const Solver& seen);
  Tracers(const Tracers&) = delete;
  Tracers& operator=(const Tracers&) = delete;

  /// Before the first step of a run: adds points that appear at once, unless restore() has brought some.
  void begin();
  /// The first step after this one at which points move.
  [[nodiscard]] std::int64_t next_after(std::int64_t step) const;
  /// Moves the points that are due at the step of the flow.
  void advance();

  /// How many points are on their way, have appeared, left through each opening and stick to each surface.
  [[nodiscard]] std::vector<MonitorColumn> columns() const;
  /// Names of the tracers, in the order of the case.
  [[nodiscard]] std::vector<std::string> names() const;
  /// The points of one of them now. Throws Error(input) naming the choices.
  [[nodiscard]] PointCloud cloud(const std::string& name) const;
  [[nodiscard]] std::vector<PointCloud> clouds() const;
  /// Those of them that have left. Throws Error(input) naming the choices.
  [[nodiscard]] DepartedPoints departed(const std::string& name) const;
  /// Ages with which points of a tracer have left, opening by opening, those without left out.
  [[nodiscard]] std::vector<ResidenceTimes> residence_times(std::size_t tracer) const;
  /// Counts and residence-time distributions for summary.json.
  [[nodiscard]] nlohmann::json json() const;

  /// Begins the tables tracers_NAME.csv in a folder, with what has left before.
  void open_tables(const std::filesystem::path& folder);
  /// Adds what has left since the last call to the tables.
  void write_tables();
  /// The files of these tables.
  [[nodiscard]] std::vector<std::filesystem::path> tables() const;

  /// The state for checkpoints, and back.
  void save(MonitorState& state) const;
  void restore(const MonitorState& state);

 private:
  void read_velocities(const std::vector<TracerCloud*>& moving, std::int64_t step);
  [[nodiscard]] PointCloud make_cloud(std::size_t tracer) const;
  [[nodiscard]] std::size_t find(const std::string& name) const;
  [[nodiscard]] const FlowState& flow() const;
  [[nodiscard]] std::int64_t step_of_flow() const { return seen_.time_step() << level_; }

  const Case& case_;
  const Solver& seen_;
  int level_;                              ///< the finest
  std::unique_ptr<const FlowState> view_;  ///< at its nodes; null for one level
  Units units_;                            ///< of that level
  NodeCells cells_;
  NearVelocities near_;
  std::vector<TracerCloud> clouds_;
  bool begun_ = false;
  struct Table {
    CsvWriter file;
    std::size_t rows = 0;
  };
  std::vector<std::unique_ptr<Table>> tables_;
};

}  // namespace fluvia
