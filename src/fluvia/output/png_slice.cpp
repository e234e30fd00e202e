// SPDX-License-Identifier: Apache-2.0
#include "fluvia/output/png_slice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "fluvia/base/error.hpp"
#include "fluvia/output/color_map.hpp"
#include "fluvia/output/figure.hpp"

namespace fluvia {
namespace {

constexpr Color solid_grey{158, 162, 169};
constexpr Color broken_magenta{222, 30, 150};
constexpr char axis_names[] = "xyz";

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

/// What is drawn of a field's components.
enum class Show { value, magnitude, z_component };

struct Plane {
  std::vector<float> values;  ///< NaN = solid, infinite = a fluid node whose value is not a number
};

Plane evaluate(FieldEvaluator& evaluator, const Sampling& sampling, int axis, Show show) {
  const auto [horizontal, vertical] = plane_axes(axis);
  const auto width = static_cast<std::size_t>(sampling.count[horizontal]);
  Plane plane;
  plane.values.assign(width * static_cast<std::size_t>(sampling.count[vertical]),
                      std::numeric_limits<float>::quiet_NaN());
  std::vector<float> values;
  for (const FieldEvaluator::Slab& slab : evaluator.slabs()) {
    evaluator.load(slab);
    evaluator.evaluate(0, values);
    for (std::size_t i = 0; i < evaluator.samples().size(); ++i) {
      const Int3& cell = evaluator.samples()[i].cell;
      float& out =
          plane.values[static_cast<std::size_t>(cell[vertical]) * width + static_cast<std::size_t>(cell[horizontal])];
      if (show == Show::value) out = values[i];
      if (show == Show::z_component) out = values[3 * i + 2];
      if (show == Show::magnitude) out = std::hypot(values[3 * i], values[3 * i + 1], values[3 * i + 2]);
      if (!std::isfinite(out)) out = std::numeric_limits<float>::infinity();
    }
  }
  return plane;
}

/// Chooses the ends of the colour bar.
Figure::Bar make_bar(const Plane& plane, bool from_zero, bool symmetric) {
  std::vector<float> sorted;
  std::copy_if(plane.values.begin(), plane.values.end(), std::back_inserter(sorted),
               [](float v) { return std::isfinite(v); });
  Figure::Bar bar;
  bar.map = symmetric ? cool_warm : viridis;
  if (sorted.empty()) return bar;
  std::sort(sorted.begin(), sorted.end());
  const auto quantile = [&](double q) {
    return static_cast<double>(sorted[static_cast<std::size_t>(q * static_cast<double>(sorted.size() - 1))]);
  };
  const double low = sorted.front(), high = sorted.back(), q_low = quantile(0.005), q_high = quantile(0.995);
  bar.low = low;
  bar.high = high;
  // A handful of extreme nodes, mostly at corners, must not flatten the rest of the picture.
  if (high - low > 2 * (q_high - q_low) && q_high > q_low) {
    bar.low = std::max(low, q_low - 0.05 * (q_high - q_low));
    bar.high = std::min(high, q_high + 0.05 * (q_high - q_low));
  }
  if (symmetric) {
    bar.high = std::max(std::abs(bar.low), std::abs(bar.high));
    bar.low = -bar.high;
  } else if (from_zero) {
    bar.low = 0;
  }
  // A uniform field still needs a bar of some length; round-off must not be shown as a pattern.
  const double size = std::max(std::abs(bar.low), std::abs(bar.high));
  if (!(bar.high - bar.low > 1e-5 * size)) {
    const double middle = 0.5 * (bar.low + bar.high), half = size > 0 ? 0.05 * size : 1;
    bar.low = from_zero ? 0 : middle - half;
    bar.high = from_zero && size == 0 ? 1 : middle + half;
  }
  bar.clipped_low = low < bar.low - 1e-6 * (bar.high - bar.low);
  bar.clipped_high = high > bar.high + 1e-6 * (bar.high - bar.low);
  return bar;
}

std::string place_text(const OutputContext& output, const Sampling& sampling, int axis) {
  if (output.grid.dimension == 2) return {};
  const double position = sampling.origin[axis] + 0.5 * sampling.spacing[axis];
  return fmt::format("  ·  {} = {}", axis_names[axis],
                     output.units.si ? with_prefix(position, "m") : fmt::format("{:.5g}", position));
}

std::string time_text(const OutputContext& output) {
  const std::int64_t step = output.state.time_step();
  if (!output.units.si) return fmt::format("  ·  step {}", step);
  return fmt::format("  ·  t = {}  ·  step {}", with_prefix(output.units.si_time(static_cast<double>(step)), "s"),
                     step);
}

void check_axis(const Grid& grid, int axis) {
  if (grid.dimension == 2 && axis != 2) {
    throw_input(fmt::format("output.slices: axis = {}: a 2D case has only the slice across axis 2 (z)", axis));
  }
}

}  // namespace

Canvas draw_slice(const OutputContext& output, const Case::Output::Slice& slice, const std::string& title,
                  const std::vector<Field>& extra) {
  check_axis(output.grid, slice.axis);
  const Sampling sampling =
      make_plane_sampling(output.grid, slice.axis, slice.position,
                          slice.axis >= 0 && slice.axis < 3 ? stride_of(output.grid, slice.axis) : 1);
  const Field field = find_field(slice.field, output.units, extra);
  const bool signed_vorticity = output.grid.dimension == 2 && slice.field.ends_with("vorticity");
  const Show show = field.components == 1 ? Show::value : signed_vorticity ? Show::z_component : Show::magnitude;
  FieldEvaluator evaluator(output, sampling, {field});
  const Plane plane = evaluate(evaluator, sampling, slice.axis, show);
  const bool from_zero = show == Show::magnitude || field.name == "strain_rate" || field.name == "viscosity" ||
                         field.name == "wall_shear_stress";

  Figure figure;
  const auto [horizontal, vertical] = plane_axes(slice.axis);
  figure.width = sampling.count[horizontal];
  figure.height = sampling.count[vertical];
  figure.horizontal = axis_names[horizontal];
  figure.vertical = axis_names[vertical];
  figure.cell_size = sampling.spacing[horizontal];
  figure.si = output.units.si;
  figure.title = title;
  figure.bar = make_bar(plane, from_zero, show == Show::z_component);
  std::string name = field.name;
  std::replace(name.begin(), name.end(), '_', ' ');
  figure.bar->label = name + (show == Show::magnitude ? " magnitude" : "");
  figure.bar->unit = field.unit == "lattice" ? "lattice units" : field.unit;
  figure.subtitle = fmt::format("{} [{}]{}{}", figure.bar->label, figure.bar->unit,
                                place_text(output, sampling, slice.axis), time_text(output));
  figure.cells.reserve(plane.values.size());
  const double range = figure.bar->high - figure.bar->low;
  for (const float value : plane.values) {
    figure.cells.push_back(std::isnan(value)   ? solid_grey
                           : std::isinf(value) ? broken_magenta
                                               : figure.bar->map((value - figure.bar->low) / range));
  }
  return draw_figure(figure);
}

void write_png_slice(const OutputContext& output, const Case::Output::Slice& slice, const std::filesystem::path& path,
                     const std::string& title, const std::vector<Field>& extra) {
  draw_slice(output, slice, title, extra).write_png(path);
}

}  // namespace fluvia
