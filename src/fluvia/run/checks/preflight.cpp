// SPDX-License-Identifier: Apache-2.0
#include "fluvia/run/checks/preflight.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "fluvia/base/error.hpp"
#include "fluvia/case/physics/registered_formats.hpp"
#include "fluvia/case/physics/registered_physics.hpp"
#include "fluvia/geometry/generate/shapes.hpp"
#include "fluvia/initial/acceleration_field.hpp"
#include "fluvia/initial/initial_fields.hpp"
#include "fluvia/output/sampling.hpp"
#include "fluvia/output/sections.hpp"
#include "fluvia/run/checks/drive.hpp"
#include "fluvia/run/checks/moving_walls.hpp"
#include "fluvia/run/checks/parameters.hpp"
#include "fluvia/run/checks/rotations.hpp"
#include "fluvia/run/checks/scalars.hpp"
#include "fluvia/run/loop/cycles.hpp"
#include "fluvia/solver/bodies/moving_bodies.hpp"
#include "fluvia/solver/links/cut_links.hpp"
#include "fluvia/solver/plan/scheme.hpp"
#include "fluvia/solver/profiles/time_series.hpp"
#include "fluvia/units/limits.hpp"

namespace fluvia {

namespace {

/// Throws if nothing can be written where the case names a plane, line or region: known before the run, not after its
/// last step.
void check_output_places(const Case& c, const Grid& grid) {
  if (c.output.vtk != "none") make_sampling(grid, c.output.stride, c.output.region);
  for (const Case::Output::Slice& slice : c.output.slices) make_plane_sampling(grid, slice.axis, slice.position, 1);
}

std::optional<double> area_of(const Geometry& geometry, const std::string& surface) {
  for (const Opening& opening : geometry.openings)
    if (geometry.surfaces[static_cast<std::size_t>(opening.surface)] == surface) return opening.area;
  return {};
}

/// Advice on a jump once in a cycle: mostly a last value that was forgotten, or a series that was not meant to repeat.
std::string advise_on_jump(const Case::Boundary& b, const std::string& key, const TimeSeries& series, bool si) {
  const std::vector<double>& times = series.times();
  const double lasts = times.back() - times.front();
  const double next = lasts + lasts / static_cast<double>(times.size() - 1);
  return fmt::format(
      "{}: {} is repeated every {:.6g}{} and jumps from its last value, {:.6g}, to its first, {:.6g}; if the next "
      "cycle "
      "begins later, say when: --set boundary.{}.series_period={:.6g}; if there is none, --set "
      "boundary.{}.series_periodic=false keeps the last value; else end the file with its first value.",
      key, b.series.string(), lasts, si ? " s" : "", series.values().back(), series.values().front(), b.surface, next,
      b.surface);
}

/// Refuses values of a series that are beyond the limits, and warns of a jump.
void check_series(const Problem& problem, std::size_t index, std::vector<std::string>& warnings) {
  const Case& c = problem.settings;
  const Units& units = problem.units;
  const Case::Boundary& b = c.boundaries[index];
  const std::string key = "boundary[" + std::to_string(index) + "].series";
  const TimeSeries series = read_series(c, b);
  if (series.jumps()) warnings.push_back(advise_on_jump(b, key, series, units.si));
  const double value = b.series_scale * series.extreme();
  if (b.series_quantity == "speed") {
    check_speed(c, units, key, value, units.velocity(value));
  } else if (b.series_quantity == "flow_rate") {
    const auto area = area_of(problem.geometry, b.surface);
    if (area && *area > 0)
      check_speed(c, units, key, value, units.flow_rate(value, problem.geometry.nodes.dimension) / *area);
  } else if (b.series_quantity == "pressure") {
    check_pressure(c, units, key, value, units.gauge_pressure(value));
  }
}

/// Refuses a body that does not touch the box: it has no effect, and was not meant to have none.
void check_shapes(const Case& c, const Grid& grid) {
  for (std::size_t i = 0; i < c.geometry.shapes.size(); ++i) {
    const auto corners = geometry::extent(c.geometry.shapes[i]);
    for (int axis = 0; corners && axis < grid.dimension; ++axis) {
      const double low = grid.origin[axis], high = low + grid.size[axis] * grid.spacing;
      if ((*corners)[1][axis] > low && (*corners)[0][axis] < high) continue;
      const std::string key = "geometry.shape[" + std::to_string(i) + "]";
      throw_input(
          fmt::format("{}: {}: this {} lies outside of the box: from {:.6g} to {:.6g} along {}, where the box "
                      "reaches from {:.6g} to {:.6g}; move it, or remove it",
                      c.place(key), key, c.geometry.shapes[i].kind, (*corners)[0][axis], (*corners)[1][axis],
                      "xyz"[axis], low, high));
    }
  }
}

/// Refuses forces on surfaces that no fluid touches: they would be 0.
void check_force_surfaces(const Case& c, const Geometry& geometry, Communicator& communicator) {
  if (c.monitors.forces.empty()) return;
  std::vector<bool> wanted;
  for (const std::string& name : geometry.surfaces)
    wanted.push_back(std::find(c.monitors.forces.begin(), c.monitors.forces.end(), name) != c.monitors.forces.end());
  const std::string lattice = lattice_of(c);
  const std::vector<CutLinkCount> counts =
      count_cut_links(geometry, facts_of_lattice(lattice).velocities, wanted, communicator);
  for (std::size_t s = 0; s < wanted.size(); ++s) {
    if (!wanted[s] || counts[s].links > 0 || c.moves(geometry.surfaces[s])) continue;
    throw_input(
        fmt::format("{}: monitor.forces: '{}' touches no fluid node, so that there is no force on it; check its "
                    "place, size and unit: what is thinner than nodes are apart may lie between them",
                    c.place("monitor.forces"), geometry.surfaces[s]));
  }
}

/// Values at walls are fitted to the fluid around them, which a sheet divides.
void check_wall_output(const Case& c, const Geometry& geometry) {
  if (!c.output.wall || geometry.report.sheets.empty()) return;
  throw_input(
      fmt::format("{}: output.wall: '{}' is a sheet, with fluid on both sides, and what acts on walls beside it is not "
                  "known apart; set output.wall = false, or make the surface at least one node thick, closed",
                  c.place("output.wall"), geometry.report.sheets.front().surface));
}

}  // namespace

std::int64_t probe_node(const Case::Monitors::Probe& probe, const Grid& grid, const Units& units, const NodeMap& nodes,
                        Int3& position) {
  position = {};
  bool inside = true;
  for (int axis = 0; axis < nodes.dimension; ++axis) {
    const double place = std::floor(units.length(probe.position[axis] - grid.origin[axis]));
    inside = inside && place >= 0 && place < nodes.size[axis];
    if (inside) position[axis] = static_cast<int>(place);
  }
  const std::int64_t index = inside ? nodes.node_index(position) : -1;
  if (index < 0)
    throw_input(fmt::format("probe '{}': position ({}, {}, {}) is not in the fluid; move it", probe.name,
                            probe.position[0], probe.position[1], probe.position[2]));
  return index;
}

std::vector<std::string> check_before_run(const Problem& problem) {
  const Case& c = problem.settings;
  const Units& units = problem.units;
  const Geometry& geometry = problem.geometry;
  const Grid grid = problem.grid();
  check_names(c, geometry.surfaces);
  check_output_places(c, grid);
  check_shapes(c, grid);
  check_rotations(c, grid, geometry);
  check_bodies(problem);
  check_moving_walls(c, geometry);
  check_force_surfaces(c, geometry, problem.communicator);
  check_wall_output(c, geometry);
  for (const Case::Line& line : c.output.lines)
    check_section(line, grid, geometry.nodes, c.place("output.line") + ": output.line");
  for (const Case::Plane& plane : c.output.planes)
    check_section(plane, grid, geometry.nodes, c.place("output.plane") + ": output.plane");
  for (const Case::Plane& plane : c.monitors.planes)
    check_section(plane, grid, geometry.nodes, c.place("monitor.plane") + ": monitor.plane");
  Int3 unused;
  for (const auto& probe : c.monitors.probes) probe_node(probe, grid, units, geometry.nodes, unused);
  std::vector<std::string> warnings = advise_rows_per_cycle(c, units);
  for (std::size_t i = 0; i < c.boundaries.size(); ++i)
    if (!c.boundaries[i].series.empty()) check_series(problem, i, warnings);
  const auto add = [&](std::vector<std::string> more) {
    for (std::string& warning : more) warnings.push_back(std::move(warning));
  };
  for (const DriveProblem& found : find_drive_problems(problem)) warnings.push_back(as_warning(found));
  add(advise_densities(problem));
  add(advise_parameters(problem));
  add(InitialFields(problem).check(problem));
  add(AccelerationField(problem).check(problem));
  add(check_scalars(problem));
  if (format_rounds(c.numerics.format) && c.numerics.rounding == "nearest")
    warnings.push_back(fmt::format(
        "{} rounded to the nearest value loses what a step changes by less than half a unit, so that a flow "
        "that settles may stall before it is right, the more the finer the grid; --set "
        "numerics.rounding=stochastic, which is the default, does not.",
        c.numerics.format));
  return warnings;
}

}  // namespace fluvia
