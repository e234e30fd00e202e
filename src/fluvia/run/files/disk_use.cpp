// SPDX-License-Identifier: Apache-2.0
#include "fluvia/run/files/disk_use.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>

#include "fluvia/case/physics/registered_physics.hpp"
#include "fluvia/core/boundary/registry.hpp"
#include "fluvia/output/checkpoint/checkpoint.hpp"
#include "fluvia/output/fields.hpp"
#include "fluvia/output/pictures/figure.hpp"
#include "fluvia/output/sections.hpp"
#include "fluvia/output/vtk/vtkhdf.hpp"
#include "fluvia/run/files/wall_output.hpp"

namespace fluvia {

namespace {

constexpr double number_as_text = 14;  ///< characters of a number in a table, with its comma
constexpr std::string_view average_prefix = "average_";

/// How often something happens every so many steps, and once more at the end if it is not due there anyway.
std::uint64_t times(std::int64_t every, double steps, bool at_end) {
  if (!(every > 0)) return at_end ? 1 : 0;
  const double each = static_cast<double>(every), full = std::floor(steps / each);
  return static_cast<std::uint64_t>(full) + (at_end && full * each < steps ? 1 : 0);
}

/// The field of the flow that a name, perhaps of an average, stands for; none: it is a scalar, one number a node.
std::optional<Field> field_of_flow(const std::string& name, const Problem& problem) {
  const std::vector<Case::Scalar>& scalars = problem.settings.scalars;
  const std::string base = name.starts_with(average_prefix) ? name.substr(average_prefix.size()) : name;
  if (std::any_of(scalars.begin(), scalars.end(), [&](const Case::Scalar& scalar) { return scalar.name == base; }))
    return {};
  return find_field(base, problem.units);
}

/// Numbers that the fields of a file have at a node.
int components_of(const std::vector<std::string>& fields, const Problem& problem) {
  int sum = 0;
  for (const std::string& name : fields) {
    const std::optional<Field> field = field_of_flow(name, problem);
    sum += field ? field->components : 1;
  }
  return sum;
}

/// Bytes of so many cells of a file without image: corners as 64-bit numbers, the place of the first one and the type;
/// about one and a half points a cell.
double bytes_of_cells(double cells, bool flat, double values) {
  const double of_cell = sizeof(std::int64_t) * (flat ? 5 : 9) + 1 + 1.5 * 3 * sizeof(double);
  return cells * (of_cell + values);
}

/// Bytes of the files with the cells of each level of refinement.
double bytes_of_levels(const Problem& problem, const Plan& plan) {
  const Case::Output& output = problem.settings.output;
  const Grid grid = problem.grid();
  const auto samples = static_cast<double>(make_sampling(grid, output.stride, output.region).samples());
  double cells = 0;
  for (std::size_t l = 0; l < plan.levels.size(); ++l) {
    const double nodes = static_cast<double>(plan.levels[l].nodes), stride = std::pow(output.stride, grid.dimension);
    // A region may have more than its share of a level: at most all of it, at most what it has room for.
    const double room = samples * std::exp2(static_cast<double>(l) * grid.dimension);
    cells += std::min(nodes / stride, room);
  }
  const double values = sizeof(float) * components_of(output.fields, problem);
  return bytes_of_cells(cells, problem.geometry.nodes.dimension == 2, values);
}

/// Bytes of a file with fields (vtkhdf.hpp), not compressed.
double bytes_of_fields(const Problem& problem) {
  const Case::Output& output = problem.settings.output;
  const NodeMap& nodes = problem.geometry.nodes;
  const Sampling sampling = make_sampling(problem.grid(), output.stride, output.region);
  const double values = sizeof(float) * components_of(output.fields, problem);
  if (choose_vtk_kind(nodes, sampling, output.vtk) == "image") {
    double points = 1;
    for (const int count : sampling.count) points *= std::max(count, 2);
    return points * (values + 1);
  }
  return bytes_of_cells(static_cast<double>(sampling.samples()) * nodes.porosity(), nodes.dimension == 2, values);
}

int longest_edge(const Grid& grid) {
  return std::max({grid.size[0], grid.size[1], grid.size[2]});
}

/// The grid of the finest level.
Grid finest_grid(const Problem& problem, const Plan& plan) {
  Grid grid = problem.grid();
  const int finest = plan.levels.empty() ? 0 : static_cast<int>(plan.levels.size()) - 1;
  for (int a = 0; a < grid.dimension; ++a) grid.size[a] <<= finest;
  grid.spacing /= 1 << finest;
  return grid;
}

/// Bytes of a picture, of the finest level that it may be of: measured, 40 kB of frame and labels. Colours of smooth
/// fields take about three bytes a node, with the values that a PNG brings along; where planes end at interpolated
/// walls each pixel has a colour of its own, which takes about 0.18 bytes.
double bytes_of_picture(const Problem& problem, const Case::Output::Slice& slice, const Grid& finest) {
  Int3 size = finest.size;
  while (std::max({size[0], size[1], size[2]}) > std::max(largest_picture, longest_edge(problem.grid())))
    for (int& nodes : size) nodes = std::max(1, nodes / 2);
  const int axis = problem.geometry.nodes.dimension == 2 ? 2 : slice.axis;
  const int width = size[axis == 0 ? 1 : 0], height = size[axis == 2 ? 1 : 2];
  const double nodes = static_cast<double>(width) * height, zoom = pixels_per_cell(width, height);
  return 4e4 + (problem.geometry.distance_of ? 0.18 * zoom * zoom : 3.0) * nodes;
}

/// Numbers of columns of monitors.csv; the rows of monitors.cpp in short.
double monitor_columns(const Problem& problem) {
  const Case::Monitors& m = problem.settings.monitors;
  const int dimension = problem.geometry.nodes.dimension;
  double of_body = dimension * (1.0 + 2.0 * static_cast<double>(m.force_parts.size()));
  if (m.torque_center) of_body += dimension == 2 ? 1 : 3;
  if (m.reference_area) of_body += dimension + (m.drag_axis ? 1 : 0) + (m.lift_axis ? 1 : 0);
  double columns = 6 + of_body * static_cast<double>(m.forces.size());
  if (m.openings) columns += 2.0 * static_cast<double>(problem.geometry.openings.size());
  if (m.permeability_axis) columns += 2;
  return columns + (dimension + 1.0) * static_cast<double>(m.probes.size()) +
         2.0 * static_cast<double>(m.planes.size());
}

/// Bytes of the sums of averages in a checkpoint: those of the coarsest spacing, with levels of refinement also those
/// of each level's nodes, `computed` in all, and of pictures of what walls say, which are of the finest level.
double bytes_of_averages(const Problem& problem, const Plan& plan, double computed) {
  const Case::Output& output = problem.settings.output;
  const NodeMap& nodes = problem.geometry.nodes;
  const int components = components_of(output.averaged_fields(), problem);
  double numbers = static_cast<double>(nodes.fluid_nodes) * components;
  if (plan.levels.empty()) return numbers * sizeof(double);
  numbers += computed * components;
  const Int3 size = finest_grid(problem, plan).size;
  const double all = static_cast<double>(size[0]) * size[1] * size[2] * nodes.porosity();
  for (const Case::Output::Slice& slice : output.slices) {
    const std::string quantity = slice.quantity();
    if (!quantity.starts_with(average_prefix)) continue;
    const std::optional<Field> field = field_of_flow(quantity, problem);
    // FlowView::finest() takes in tiles within five nodes of the plane: four of them, each four nodes thick.
    constexpr double thickness = 16;
    const double part = nodes.dimension == 2 ? 1 : std::min(1.0, thickness / size[slice.axis]);
    if (field && field->needs_walls) numbers += all * part * field->components;
  }
  return numbers * sizeof(double);
}

/// Bytes of a checkpoint: populations, what conditions keep, and sums of averages.
double bytes_of_checkpoint(const Problem& problem, const Plan& plan, const BoundarySetup& setup) {
  const Case& c = problem.settings;
  const auto nodes = static_cast<double>(problem.geometry.nodes.fluid_nodes);
  double computed = plan.levels.empty() ? nodes : 0;
  for (const LevelPlan& level : plan.levels) computed += static_cast<double>(level.nodes);
  double bytes = computed * static_cast<double>(plan.flow().lattice->velocities.size()) * plan.format->storage_bytes;
  bytes += static_cast<double>(setup.sponge.size() * sizeof(double)) * static_cast<int>(core::Sponge::memory_size);
  std::vector<double> kept(problem.geometry.surfaces.size(), 0.0);
  for (const Case::Boundary& b : c.boundaries)
    for (std::size_t s = 0; s < kept.size(); ++s)
      if (problem.geometry.surfaces[s] == b.surface) kept[s] = facts_of_boundary(b.type).memory;
  constexpr double links_of_node = 3;  // at least, of a node beside a plane
  for (const CutLink& link : setup.links.at) bytes += kept[link.surface] / links_of_node * sizeof(double);
  for (const ScalarMethod& scalar : plan.scalars)
    bytes += nodes * scalar.lattice->directions * plan.format->storage_bytes;
  return bytes + bytes_of_averages(problem, plan, computed);
}

}  // namespace

double DiskUse::total() const {
  double sum = 0;
  for (const FilesOfKind& kind : kinds) sum += kind.total();
  return sum;
}

DiskUse expected_disk_use(const Problem& problem, const Plan& plan, const BoundarySetup& setup) {
  const Case& c = problem.settings;
  const double steps = c.run.steps  ? static_cast<double>(*c.run.steps)
                       : c.run.time ? *c.run.time / problem.units.time_step
                                    : 0;
  const Grid finest = finest_grid(problem, plan);
  const std::uint64_t outputs = times(c.output.every, steps, true);
  DiskUse use;
  const auto add = [&](const char* kind, std::uint64_t files, double bytes) {
    if (files > 0 && bytes > 0) use.kinds.push_back({kind, files, bytes});
  };
  if (c.output.vtk != "none") add("fields", outputs, bytes_of_fields(problem));
  if (const std::size_t levels = plan.levels.size(); c.output.vtk != "none" && levels > 0)
    add("levels", outputs * levels, bytes_of_levels(problem, plan) / static_cast<double>(levels));
  if (c.output.wall) {
    // Measured: corners, points, and stress, pressure, normal and surface of each triangle.
    constexpr double of_triangle = 72, of_averages = 28;
    const bool averaged = c.monitors.average_from.has_value();
    add("walls", outputs,
        static_cast<double>(WallOutput::planned(problem).triangles) * (of_triangle + (averaged ? of_averages : 0)));
  }
  double points = 0;
  for (const Case::Line& line : c.output.lines) points += static_cast<double>(points_of(line, finest).size());
  for (const Case::Plane& plane : c.output.planes)
    points += static_cast<double>(points_of(plane, problem.grid(), problem.geometry.nodes).size()) *
              std::pow(problem.units.spacing / finest.spacing, finest.dimension - 1);
  const std::size_t tables = c.output.lines.size() + c.output.planes.size();
  if (tables > 0)
    add("tables", outputs * tables,
        points / static_cast<double>(tables) * number_as_text * (4 + components_of(c.output.fields, problem)));
  double pictures = 0, of_pictures = 0;
  for (const Case::Output::Slice& slice : c.output.slices) {
    pictures += static_cast<double>(slice.formats.size());
    of_pictures += static_cast<double>(slice.formats.size()) * bytes_of_picture(problem, slice, finest);
  }
  if (pictures > 0) add("pictures", outputs * static_cast<std::uint64_t>(pictures), of_pictures / pictures);
  add("monitors", 1,
      static_cast<double>(times(c.monitors.every, steps, false)) * number_as_text * monitor_columns(problem));
  const auto kept = std::min<std::uint64_t>(times(c.checkpoint.every, steps, c.checkpoint.at_end), kept_checkpoints);
  constexpr std::uint64_t to_fall_back_on = kept_checkpoints, in_hand = 1;
  add("checkpoints", kept + to_fall_back_on + in_hand, bytes_of_checkpoint(problem, plan, setup));
  return use;
}

std::optional<double> free_bytes_at(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::path place = std::filesystem::absolute(folder, error).lexically_normal();
  while (!std::filesystem::exists(place, error) && place.has_relative_path()) place = place.parent_path();
  const std::filesystem::space_info space = std::filesystem::space(place, error);
  if (error) return std::nullopt;
  return static_cast<double>(space.available);
}

}  // namespace fluvia
