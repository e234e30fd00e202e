// SPDX-License-Identifier: Apache-2.0
#include "fluvia/output/pictures/slice_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <string_view>

#include "fluvia/base/atomic_file.hpp"
#include "fluvia/base/error.hpp"
#include "fluvia/output/pictures/color_range.hpp"
#include "fluvia/output/pictures/figure_file.hpp"
#include "fluvia/output/pictures/plane/plane_flow.hpp"
#include "fluvia/output/pictures/plane/plane_raster.hpp"
#include "fluvia/solver/bodies/moving_bodies.hpp"

namespace fluvia {
namespace {

/// Axes of the plane across `axis`: horizontal, vertical.
std::array<int, 2> plane_axes(int axis) {
  if (axis == 0) return {1, 2};
  return {0, axis == 1 ? 2 : 1};
}

/// What a slice shows of a field's components.
struct Show {
  std::optional<int> component;  ///< the component; none: the magnitude
  ColorRange meaning;            ///< all but the values

  [[nodiscard]] float of(std::span<const float> value) const {
    if (component) return value[static_cast<std::size_t>(*component)];
    return value.size() == 1 ? std::abs(value[0]) : std::hypot(value[0], value[1], value[2]);
  }
};

Show what_to_show(const Field& field, const Case::Output::Slice& slice, const Units& units, int dimension) {
  const std::string name = slice.quantity();
  Show show;
  show.component = slice.component();
  if (field.components == 1) show.component = 0;
  const bool flat_vorticity = dimension == 2 && name.ends_with("vorticity");
  if (flat_vorticity && !show.component) show.component = 2;
  show.meaning.is_signed = name.ends_with("pressure") || (field.components > 1 && show.component);
  // A shift of all pressures does not change a flow, nor its picture.
  if (name.ends_with("pressure")) show.meaning.middle = units.reference_pressure;
  show.meaning.from_zero = !show.component || name.ends_with("strain_rate") || name.ends_with("viscosity") ||
                           name.ends_with("wall_shear_stress");
  return show;
}

struct Plane {
  std::vector<float> values;  ///< NaN = nothing has values, infinite = a node whose value is not a number
  NodeValues nodes;           ///< all components of these values, if they were asked for
  PlaneFlow flow;             ///< flow in the plane, if it was asked for
  double scale = 0;           ///< largest magnitude of the field
};

/// Values of field 0 of the evaluator, `keep`: with all components; if `flow_field` is not negative, the flow in the
/// plane from that field. Nodes that one of the bodies covers, if there are any, have none.
Plane evaluate(FieldEvaluator& evaluator, const Sampling& sampling, int axis, const Show& show, bool keep,
               int flow_field, const MovingBodies* bodies) {
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
  if (keep) {
    plane.nodes = {
        sampling.count[horizontal], sampling.count[vertical], components, {}, evaluator.fields().front().at_wall};
    plane.nodes.values.assign(components * size, 0);
  }
  std::vector<float> values, velocities;
  for (const FieldEvaluator::Slab& slab : evaluator.slabs()) {
    evaluator.load(slab);
    evaluator.evaluate(0, values);
    if (flow_field >= 0) evaluator.evaluate(static_cast<std::size_t>(flow_field), velocities);
    for (std::size_t i = 0; i < evaluator.samples().size(); ++i) {
      if (bodies != nullptr && bodies->covers(evaluator.samples()[i].node)) continue;
      const Int3& cell = evaluator.samples()[i].cell;
      const std::size_t at =
          static_cast<std::size_t>(cell[vertical]) * width + static_cast<std::size_t>(cell[horizontal]);
      const std::span<const float> value = std::span(values).subspan(components * i, components);
      if (keep)
        std::copy(value.begin(), value.end(),
                  plane.nodes.values.begin() + static_cast<std::ptrdiff_t>(components * at));
      const float magnitude = components == 1 ? std::abs(value[0]) : std::hypot(value[0], value[1], value[2]);
      float& out = plane.values[at];
      out = show.of(value);
      if (!std::isfinite(out)) out = std::numeric_limits<float>::infinity();
      if (std::isfinite(magnitude)) plane.scale = std::max<double>(plane.scale, magnitude);
      if (flow_field < 0 || evaluator.samples()[i].in_solid) continue;
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
  ColorRange range = show.meaning;
  range.scale = plane.scale;
  set_range(range, plane.values);
  return range;
}

/// The colour bar of a plane: of the range that the case gives, or that of its values and the picture before it.
Figure::Bar bar_of_slice(ColorRange range, const Case::Output::Slice& slice, std::optional<ValueRange>* before) {
  if (slice.range) return bar_between(range, (*slice.range)[0], (*slice.range)[1]);
  if (range.empty || before == nullptr) return bar_of(range);
  ValueRange now = {range.low, range.high};
  if (*before) now = next_range(**before, now);
  *before = now;
  range.low = now[0];
  range.high = now[1];
  return bar_of(range);
}

constexpr const char* separator = "  ·  ";

/// ", z = 12 mm"; in 2D nothing.
std::string place_text(const OutputContext& output, const Sampling& sampling, int axis) {
  if (output.grid.dimension == 2) return {};
  const double position = sampling.origin[axis] + 0.5 * sampling.spacing[axis];
  return fmt::format(", {} = {}", "xyz"[axis],
                     output.units.si ? with_prefix(position, "m") : fmt::format("{:.5g}", position));
}

/// The step, of the coarsest level if there are several.
std::int64_t step_of(const OutputContext& output) {
  return output.state.time_step() >> output.state.level();
}

/// ", t = 24 ms", or ", step 12000" in lattice units.
std::string time_text(const OutputContext& output) {
  if (!output.units.si) return fmt::format(", step {}", step_of(output));
  return fmt::format(", t = {}", with_prefix(output.units.si_time(static_cast<double>(output.state.time_step())), "s"));
}

void check_axis(const Grid& grid, int axis) {
  if (grid.dimension == 2 && axis != 2) {
    throw_input(fmt::format("output.slices: axis = {}: a 2D case has only the slice across axis 2 (z)", axis));
  }
}

/// Label of what is shown: "Velocity, x component", "Average speed", ...
std::string label_of(const Case::Output::Slice& slice, const Show& show) {
  std::string label = slice.quantity();
  if (const auto component = slice.component()) {
    label = fmt::format("{}, {} component", label, "xyz"[*component]);
  } else if (!show.component) {
    constexpr std::string_view velocity = "velocity";
    if (label.ends_with(velocity))
      label.replace(label.size() - velocity.size(), velocity.size(), "speed");
    else
      label += " magnitude";
  }
  std::replace(label.begin(), label.end(), '_', ' ');
  label.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(label.front())));
  return label;
}

/// Which colours, of those that are no value, a picture has.
struct Others {
  bool solid = false, outside = false, broken = false;
};

/// The colour of a node that is not fluid; notes which.
Color color_beyond(const Geometry& geometry, const Int3& node, Others& others) {
  const bool outside = geometry.is_outside && geometry.is_outside(node);
  (outside ? others.outside : others.solid) = true;
  return outside ? outside_color : solid_color;
}

/// Colours the plane's cells by its values.
Others color_cells(const Geometry& geometry, const Sampling& sampling, int axis, const Plane& plane, Figure& figure) {
  const auto [horizontal, vertical] = plane_axes(axis);
  Others others;
  figure.cells.reserve(plane.values.size());
  for (const float value : plane.values) {
    if (std::isfinite(value)) {
      figure.cells.push_back(figure.bar->color(value));
      continue;
    }
    if (std::isinf(value)) {
      others.broken = true;
      figure.cells.push_back(broken_color);
      continue;
    }
    Int3 sample{};
    sample[horizontal] = static_cast<int>(figure.cells.size() % static_cast<std::size_t>(figure.width));
    sample[vertical] = static_cast<int>(figure.cells.size() / static_cast<std::size_t>(figure.width));
    figure.cells.push_back(color_beyond(geometry, sampling.node(sample), others));
  }
  return others;
}

/// Colours each pixel of the plane, which ends where its walls are; returns which pixels are fluid, too.
PlaneRaster color_pixels(const PlaneWalls& walls, const Geometry& geometry, const Plane& plane, const Show& show,
                         Figure& figure, Others& others) {
  constexpr int shades = 4096;
  const Figure::Bar& bar = *figure.bar;
  std::vector<Color> colors;
  for (int k = 0; k < shades; ++k) colors.push_back(bar.color(bar.low + k * (bar.high - bar.low) / (shades - 1)));
  const auto of_value = [&](std::span<const float> value) {
    const double place = (show.of(value) - bar.low) / (bar.high - bar.low);
    return colors[static_cast<std::size_t>(std::lround(std::clamp(place, 0.0, 1.0) * (shades - 1)))];
  };
  std::vector<Color> of_nodes;
  for (int row = 0; row < figure.height; ++row)
    for (int column = 0; column < figure.width; ++column) {
      const Int3 node = walls.node_at(column, row);
      const float& here = plane.values[of_nodes.size()];  // in a solid that has values as well
      of_nodes.push_back(walls.is_fluid(node)  ? Color{}
                         : std::isfinite(here) ? of_value({&here, 1})
                                               : color_beyond(geometry, node, others));
    }
  const auto beyond = [&](const Int3& node) {
    return of_nodes[static_cast<std::size_t>(node[walls.axes()[1]]) * static_cast<std::size_t>(figure.width) +
                    static_cast<std::size_t>(node[walls.axes()[0]])];
  };
  figure.detail = pixels_per_cell(figure.width, figure.height);
  PlaneRaster raster = draw_plane(walls, plane.nodes, figure.detail, {of_value, beyond});
  figure.cells = std::move(raster.colors);
  others.broken = raster.any_broken;
  return raster;
}

void add_legend(const Others& others, Figure& figure) {
  if (others.solid) figure.legend.push_back({solid_color, "solid"});
  if (others.outside) figure.legend.push_back({outside_color, "outside"});
  if (others.broken) figure.legend.push_back({broken_color, "not a number"});
}

/// What programs that read the picture want to know of it.
void add_facts(const std::string& field, Figure& figure) {
  figure.facts = {{"Software", "Fluvia"},
                  {"Field", field},
                  {"Unit", figure.bar->unit},
                  {"Lowest color", fmt::format("{:.9g}", figure.bar->low)},
                  {"Highest color", fmt::format("{:.9g}", figure.bar->high)}};
}

/// Adds words to the line below the title.
void add_words(const std::string& words, Figure& figure) {
  if (!figure.subtitle.empty()) figure.subtitle += separator;
  figure.subtitle += words;
}

void add_flow(const Case::Output::Slice& slice, const Plane& plane, const std::string& unit, Figure& figure) {
  const double longest = std::max(figure.width, figure.height);
  if (slice.streamlines > 0) {
    figure.lines = evenly_spaced_streamlines(plane.flow, longest / slice.streamlines);
    add_words("streamlines in the plane", figure);
  }
  if (slice.arrows > 0) {
    PlaneArrows arrows = make_arrows(plane.flow, longest / slice.arrows);
    figure.arrows = std::move(arrows.arrows);
    if (arrows.longest > 0) add_words(fmt::format("longest arrow {:.3g} {}", arrows.longest, unit), figure);
  }
}

/// Ends lines at the walls, and leaves out arrows that would begin or end beyond them.
void keep_in_fluid(const PlaneRaster& raster, Figure& figure) {
  figure.lines = lines_in_fluid(figure.lines, raster, figure.width, figure.detail);
  std::erase_if(figure.arrows, [&](const Figure::Arrow& arrow) {
    return lines_in_fluid({{arrow.from, arrow.to}}, raster, figure.width, figure.detail).empty();
  });
}

}  // namespace

int slice_stride(const Grid& grid, int axis) {
  const auto [horizontal, vertical] = plane_axes(axis);
  const int longest = std::max(grid.size[horizontal], grid.size[vertical]);
  return (longest + largest_picture - 1) / largest_picture;
}

Figure slice_figure(const OutputContext& output, const Case::Output::Slice& slice, const std::string& title,
                    const std::vector<Field>& extra, const SliceSurroundings& around) {
  check_axis(output.grid, slice.axis);
  const int stride = slice.axis >= 0 && slice.axis < 3 ? slice_stride(output.grid, slice.axis) : 1;
  const Sampling sampling = make_plane_sampling(output.grid, slice.axis, slice.position, stride);
  const Geometry& geometry = output.state.geometry();
  // Of several levels bodies are on the finest, which has a view of its own.
  const MovingBodies* const bodies = output.state.levels().empty() ? output.state.bodies() : nullptr;
  const bool true_walls = (geometry.distance_of || bodies != nullptr) && stride == 1 && !geometry.nodes.half;
  std::vector<std::string> names = {slice.quantity()};
  if (slice.shows_flow()) names.push_back(slice.flow_field());
  FieldEvaluator evaluator(output, sampling, select_fields(names, output, extra));
  const Field field = evaluator.fields().front();
  if (field.in_solids) evaluator.include_solids();
  const Show show = what_to_show(field, slice, output.units, output.grid.dimension);
  const int flow_field = slice.shows_flow() ? static_cast<int>(evaluator.fields().size()) - 1 : -1;
  Plane plane = evaluate(evaluator, sampling, slice.axis, show, true_walls, flow_field, bodies);

  Figure figure;
  const std::array<int, 2> axes = plane_axes(slice.axis);
  figure.width = sampling.count[axes[0]];
  figure.height = sampling.count[axes[1]];
  figure.horizontal = "xyz"[axes[0]];
  figure.vertical = "xyz"[axes[1]];
  figure.cell_size = sampling.spacing[axes[0]];
  figure.si = output.units.si;
  figure.range = range_of(plane, show);
  figure.bar = bar_of_slice(*figure.range, slice, around.range);
  figure.bar->unit = field.unit == "lattice" ? "lattice units" : field.unit;
  figure.title = label_of(slice, show) + place_text(output, sampling, slice.axis) + time_text(output);
  figure.subtitle = title;
  // In lattice units the title has the step.
  if (output.units.si) add_words(fmt::format("step {}", step_of(output)), figure);
  Others others;
  PlaneRaster raster;
  if (true_walls) {
    const PlaneWalls walls(geometry, axes, slice.axis, sampling.first[slice.axis], around.velocity_of,
                           {bodies, output.units.si_velocity(1)});
    raster = color_pixels(walls, geometry, plane, show, figure, others);
  } else {
    figure.values = plane.values;
    others = color_cells(geometry, sampling, slice.axis, plane, figure);
  }
  add_legend(others, figure);
  add_facts(slice.field, figure);
  if (slice.shows_flow()) add_flow(slice, plane, output.units.si ? "m/s" : "lattice units", figure);
  if (true_walls) keep_in_fluid(raster, figure);
  return figure;
}

std::vector<std::filesystem::path> write_slice(const OutputContext& output, const Case::Output::Slice& slice,
                                               const std::filesystem::path& stem, const std::string& title,
                                               const std::vector<Field>& extra, const SliceSurroundings& around) {
  const Figure figure = slice_figure(output, slice, title, extra, around);
  std::vector<std::filesystem::path> files;
  for (const std::string& name : slice.formats) {
    std::filesystem::path& file = files.emplace_back(stem);
    file += "." + name;
    Drawing drawing = draw_figure(figure, picture_format(name));
    if (drawing.format() == PictureFormat::png && !figure.values.empty())
      write_file(file, with_figure(drawing.finish(), figure));
    else
      drawing.write(file);
  }
  return files;
}

}  // namespace fluvia
