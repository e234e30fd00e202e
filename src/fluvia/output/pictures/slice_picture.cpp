// SPDX-License-Identifier: Apache-2.0
#include "fluvia/output/pictures/slice_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "fluvia/base/atomic_file.hpp"
#include "fluvia/base/error.hpp"
#include "fluvia/output/pictures/color_range.hpp"
#include "fluvia/output/pictures/figure_file.hpp"
#include "fluvia/output/pictures/plane_flow.hpp"

namespace fluvia {
namespace {

/// Axes of the plane across `axis`: horizontal, vertical.
std::array<int, 2> plane_axes(int axis) {
  if (axis == 0) return {1, 2};
  return {0, axis == 1 ? 2 : 1};
}

/// Smallest stride with which the plane fits into a picture.
int stride_of(const Grid& grid, int axis) {
  const auto [horizontal, vertical] = plane_axes(axis);
  const int longest = std::max(grid.size[horizontal], grid.size[vertical]);
  return (longest + largest_picture - 1) / largest_picture;
}

/// What a slice shows of a field's components.
struct Show {
  std::optional<int> component;  ///< the component; none: the magnitude
  bool is_signed = false;        ///< whether values lie on both sides of a middle
  double middle = 0;             ///< the middle
  bool from_zero = false;        ///< whether values cannot be below 0
};

Show what_to_show(const Field& field, const Case::Output::Slice& slice, const Units& units, int dimension) {
  const std::string name = slice.quantity();
  Show show;
  show.component = slice.component();
  if (field.components == 1) show.component = 0;
  const bool flat_vorticity = dimension == 2 && name.ends_with("vorticity");
  if (flat_vorticity && !show.component) show.component = 2;
  show.is_signed = name.ends_with("pressure") || (field.components > 1 && show.component);
  // A shift of all pressures does not change a flow, nor its picture.
  if (name.ends_with("pressure")) show.middle = units.reference_pressure;
  show.from_zero = !show.component || name.ends_with("strain_rate") || name.ends_with("viscosity") ||
                   name.ends_with("wall_shear_stress");
  return show;
}

struct Plane {
  std::vector<float> values;  ///< NaN = not fluid, infinite = a fluid node whose value is not a number
  PlaneFlow flow;             ///< flow in the plane, if it was asked for
  double scale = 0;           ///< largest magnitude of the field
};

/// Values of field 0 of the evaluator; if `flow_field` is not negative, the flow in the plane from that field.
Plane evaluate(FieldEvaluator& evaluator, const Sampling& sampling, int axis, const Show& show, int flow_field) {
  const auto [horizontal, vertical] = plane_axes(axis);
  const auto width = static_cast<std::size_t>(sampling.count[horizontal]);
  const std::size_t size = width * static_cast<std::size_t>(sampling.count[vertical]);
  Plane plane;
  plane.values.assign(size, std::numeric_limits<float>::quiet_NaN());
  if (flow_field >= 0) {
    plane.flow.columns = sampling.count[horizontal];
    plane.flow.rows = sampling.count[vertical];
    plane.flow.velocity.assign(size, {});
    plane.flow.fluid.assign(size, 0);
  }
  const auto components = static_cast<std::size_t>(evaluator.fields().front().components);
  std::vector<float> values, velocities;
  for (const FieldEvaluator::Slab& slab : evaluator.slabs()) {
    evaluator.load(slab);
    evaluator.evaluate(0, values);
    if (flow_field >= 0) evaluator.evaluate(static_cast<std::size_t>(flow_field), velocities);
    for (std::size_t i = 0; i < evaluator.samples().size(); ++i) {
      const Int3& cell = evaluator.samples()[i].cell;
      const std::size_t at =
          static_cast<std::size_t>(cell[vertical]) * width + static_cast<std::size_t>(cell[horizontal]);
      const float* value = values.data() + components * i;
      const float magnitude = components == 1 ? std::abs(*value) : std::hypot(value[0], value[1], value[2]);
      float& out = plane.values[at];
      out = show.component ? value[*show.component] : magnitude;
      if (!std::isfinite(out)) out = std::numeric_limits<float>::infinity();
      if (std::isfinite(magnitude)) plane.scale = std::max<double>(plane.scale, magnitude);
      if (flow_field < 0) continue;
      const std::array<float, 2> v = {velocities[3 * i + static_cast<std::size_t>(horizontal)],
                                      velocities[3 * i + static_cast<std::size_t>(vertical)]};
      if (!std::isfinite(v[0]) || !std::isfinite(v[1])) continue;
      plane.flow.velocity[at] = v;
      plane.flow.fluid[at] = 1;
    }
  }
  return plane;
}

/// What the colours of a plane have to span.
ColorRange range_of(const Plane& plane, const Show& show) {
  ColorRange range;
  range.scale = plane.scale;
  range.is_signed = show.is_signed;
  range.middle = show.middle;
  range.from_zero = show.from_zero;
  set_range(range, plane.values);
  return range;
}

constexpr const char* separator = "  ·  ";

std::string place_text(const OutputContext& output, const Sampling& sampling, int axis) {
  if (output.grid.dimension == 2) return {};
  const double position = sampling.origin[axis] + 0.5 * sampling.spacing[axis];
  return fmt::format("{} = {}", "xyz"[axis],
                     output.units.si ? with_prefix(position, "m") : fmt::format("{:.5g}", position)) +
         separator;
}

std::string time_text(const OutputContext& output) {
  const std::int64_t step = output.state.time_step();
  if (!output.units.si) return fmt::format("step {}", step);
  return fmt::format("t = {}{}step {}", with_prefix(output.units.si_time(static_cast<double>(step)), "s"), separator,
                     step);
}

void check_axis(const Grid& grid, int axis) {
  if (grid.dimension == 2 && axis != 2) {
    throw_input(fmt::format("output.slices: axis = {}: a 2D case has only the slice across axis 2 (z)", axis));
  }
}

/// Label of what is shown: "velocity, x component", "average velocity magnitude", ...
std::string label_of(const Case::Output::Slice& slice, const Show& show) {
  std::string label = slice.quantity();
  std::replace(label.begin(), label.end(), '_', ' ');
  if (const auto component = slice.component()) return fmt::format("{}, {} component", label, "xyz"[*component]);
  return show.component ? label : label + " magnitude";
}

/// Colours the cells by their values; notes which of solid, outside and broken occur.
void color_cells(const OutputContext& output, const Sampling& sampling, int axis, Figure& figure) {
  const auto [horizontal, vertical] = plane_axes(axis);
  const Geometry& geometry = output.state.geometry();
  const double range = figure.bar->high - figure.bar->low;
  bool solid = false, outside = false, broken = false;
  figure.cells.reserve(figure.values.size());
  for (const float value : figure.values) {
    if (std::isfinite(value)) {
      figure.cells.push_back(figure.bar->map((value - figure.bar->low) / range));
      continue;
    }
    if (std::isinf(value)) {
      broken = true;
      figure.cells.push_back(broken_color);
      continue;
    }
    Int3 sample{};
    sample[horizontal] = static_cast<int>(figure.cells.size() % static_cast<std::size_t>(figure.width));
    sample[vertical] = static_cast<int>(figure.cells.size() / static_cast<std::size_t>(figure.width));
    const bool beyond = geometry.is_outside && geometry.is_outside(sampling.node(sample));
    (beyond ? outside : solid) = true;
    figure.cells.push_back(beyond ? outside_color : solid_color);
  }
  if (solid) figure.legend.push_back({solid_color, "solid"});
  if (outside) figure.legend.push_back({outside_color, "outside"});
  if (broken) figure.legend.push_back({broken_color, "not a number"});
}

void add_flow(const Case::Output::Slice& slice, const Plane& plane, const std::string& unit, Figure& figure) {
  const double longest = std::max(figure.width, figure.height);
  if (slice.streamlines > 0) {
    figure.lines = evenly_spaced_streamlines(plane.flow, longest / slice.streamlines);
    figure.subtitle += std::string(separator) + "streamlines in the plane";
  }
  if (slice.arrows > 0) {
    PlaneArrows arrows = make_arrows(plane.flow, longest / slice.arrows);
    figure.arrows = std::move(arrows.arrows);
    if (arrows.longest > 0)
      figure.subtitle += fmt::format("{}longest arrow {:.3g} {}", separator, arrows.longest, unit);
  }
}

}  // namespace

Figure slice_figure(const OutputContext& output, const Case::Output::Slice& slice, const std::string& title,
                    const std::vector<Field>& extra) {
  check_axis(output.grid, slice.axis);
  const Sampling sampling =
      make_plane_sampling(output.grid, slice.axis, slice.position,
                          slice.axis >= 0 && slice.axis < 3 ? stride_of(output.grid, slice.axis) : 1);
  std::vector<std::string> names = {slice.quantity()};
  if (slice.shows_flow()) names.push_back(slice.flow_field());
  FieldEvaluator evaluator(output, sampling, select_fields(names, output.units, extra));
  const Field field = evaluator.fields().front();
  const Show show = what_to_show(field, slice, output.units, output.grid.dimension);
  const int flow_field = slice.shows_flow() ? static_cast<int>(evaluator.fields().size()) - 1 : -1;
  Plane plane = evaluate(evaluator, sampling, slice.axis, show, flow_field);

  Figure figure;
  const auto [horizontal, vertical] = plane_axes(slice.axis);
  figure.width = sampling.count[horizontal];
  figure.height = sampling.count[vertical];
  figure.horizontal = "xyz"[horizontal];
  figure.vertical = "xyz"[vertical];
  figure.cell_size = sampling.spacing[horizontal];
  figure.si = output.units.si;
  figure.range = range_of(plane, show);
  figure.bar = bar_of(*figure.range);
  figure.bar->unit = field.unit == "lattice" ? "lattice units" : field.unit;
  const std::string label = label_of(slice, show) + " in " + figure.bar->unit;
  figure.title = title.empty() ? label : title;
  if (!title.empty()) figure.subtitle = label + separator;
  figure.subtitle += place_text(output, sampling, slice.axis) + time_text(output);
  figure.values = std::move(plane.values);
  color_cells(output, sampling, slice.axis, figure);
  if (slice.shows_flow()) add_flow(slice, plane, output.units.si ? "m/s" : "lattice units", figure);
  return figure;
}

std::vector<std::filesystem::path> write_slice(const OutputContext& output, const Case::Output::Slice& slice,
                                               const std::filesystem::path& stem, const std::string& title,
                                               const std::vector<Field>& extra) {
  const Figure figure = slice_figure(output, slice, title, extra);
  std::vector<std::filesystem::path> files;
  for (const std::string& name : slice.formats) {
    std::filesystem::path& file = files.emplace_back(stem);
    file += "." + name;
    Drawing drawing = draw_figure(figure, picture_format(name));
    if (drawing.format() == PictureFormat::png)
      write_file(file, with_figure(drawing.finish(), figure));
    else
      drawing.write(file);
  }
  return files;
}

}  // namespace fluvia
