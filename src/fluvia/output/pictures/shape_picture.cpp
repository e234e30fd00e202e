// SPDX-License-Identifier: Apache-2.0
#include "fluvia/output/pictures/shape_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "fluvia/base/quantity.hpp"
#include "fluvia/base/text.hpp"

namespace fluvia {
namespace {

using geometry::ImageSurvey;
using geometry::SurfaceSurvey;

constexpr Color shape_colors[] = {{176, 212, 240}, {126, 131, 139}, {230, 150, 60}, {0, 136, 110},
                                  {200, 60, 140},  {94, 60, 153},   {166, 118, 29}, {190, 30, 45}};
constexpr int surface_cells = 900;  ///< along the longer side of a picture of a surface
constexpr std::size_t most_named = 12;

/// The layer in the middle.
std::vector<double> middle_layer(const ImageSurvey& survey) {
  geometry::OrderedLayers layers(survey);
  const int middle = survey.header.shape[2] / 2;
  for (int z = 0; z < middle; ++z) layers.next();
  const std::vector<unsigned char>& bytes = layers.next();
  const auto width = static_cast<std::size_t>(layers.type().bytes);
  std::vector<double> values(bytes.size() / width);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = layers.type().value(bytes.data() + i * width, false);
  return values;
}

/// Where rasterising a triangle puts its colour, the nearest one last.
struct Canvas {
  Figure& figure;
  std::vector<double> height;
  double tolerance = 0;  ///< within which the first of two triangles covers the other one

  void put(int x, int y, double z, const Color& color) {
    if (x < 0 || y < 0 || x >= figure.width || y >= figure.height) return;
    const std::size_t cell = static_cast<std::size_t>(y) * static_cast<std::size_t>(figure.width) + x;
    if (z <= height[cell] + tolerance) return;
    height[cell] = z;
    figure.cells[cell] = color;
  }
};

Color shaded(const Color& color, double light) {
  Color result;
  for (std::size_t i = 0; i < 3; ++i)
    result[i] = static_cast<std::uint8_t>(std::lround(color[i] * (0.35 + 0.65 * light)));
  return result;
}

/// Fills a triangle whose corners are given in cells, with a height.
void fill_triangle(Canvas& canvas, const std::array<Real3, 3>& p, const Color& color) {
  const auto side = [](const Real3& a, const Real3& b, double x, double y) {
    return (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]);
  };
  const auto [left, right] = std::minmax({p[0][0], p[1][0], p[2][0]});
  const auto [low, high] = std::minmax({p[0][1], p[1][1], p[2][1]});
  const double area = side(p[0], p[1], p[2][0], p[2][1]);
  // What is smaller than a cell, or seen from its edge, still shows as a point.
  const Real3 middle = (1.0 / 3) * (p[0] + p[1] + p[2]);
  canvas.put(static_cast<int>(std::floor(middle[0])), static_cast<int>(std::floor(middle[1])), middle[2], color);
  if (area == 0) return;
  const int from_x = std::max(0, static_cast<int>(std::floor(left))), from_y = std::max(0, static_cast<int>(low));
  const int to_x = std::min(canvas.figure.width - 1, static_cast<int>(right));
  const int to_y = std::min(canvas.figure.height - 1, static_cast<int>(high));
  for (int y = from_y; y <= to_y; ++y)
    for (int x = from_x; x <= to_x; ++x) {
      const double a = side(p[1], p[2], x + 0.5, y + 0.5) / area, b = side(p[2], p[0], x + 0.5, y + 0.5) / area;
      const double c = 1 - a - b;
      if (a < 0 || b < 0 || c < 0) continue;
      canvas.put(x, y, a * p[0][2] + b * p[1][2] + c * p[2][2], color);
    }
}

}  // namespace

Figure image_figure(const ImageSurvey& survey, std::optional<double> voxel, const std::string& title) {
  const Int3& n = survey.header.shape;
  const geometry::LabelCounts& labels = survey.labels;
  const int stride = (std::max(n[0], n[1]) + largest_picture - 1) / largest_picture;
  Figure figure;
  figure.width = (n[0] + stride - 1) / stride;
  figure.height = (n[1] + stride - 1) / stride;
  figure.cell_size = voxel.value_or(1) * stride;
  figure.si = voxel.has_value();
  figure.length_name = n[2] == 1 ? "pixel" : "voxel";
  figure.title = title;
  figure.subtitle = n[2] == 1 ? fmt::format("{} × {} pixels", n[0], n[1])
                              : fmt::format("layer {} along z of {} × {} × {} voxels", n[2] / 2, n[0], n[1], n[2]);
  const bool few = labels.few();
  std::vector<double> known;
  for (const auto& [value, count] : labels.counts) {
    if (!few) break;
    known.push_back(value);
    figure.legend.push_back({shape_colors[(known.size() - 1) % std::size(shape_colors)],
                             fmt::format("{}: {:.3g}%", format_short(value), 100 * labels.share(value))});
  }
  if (!few) figure.bar = Figure::Bar{labels.least, labels.most, "", viridis};
  const std::vector<double> values = middle_layer(survey);
  const double range = labels.most - labels.least;
  for (int j = 0; j < figure.height; ++j)
    for (int i = 0; i < figure.width; ++i) {
      const int x = std::min(i * stride + stride / 2, n[0] - 1), y = std::min(j * stride + stride / 2, n[1] - 1);
      const double value = values[static_cast<std::size_t>(y) * static_cast<std::size_t>(n[0]) + x];
      const auto label = std::lower_bound(known.begin(), known.end(), value);
      figure.cells.push_back(
          few ? shape_colors[static_cast<std::size_t>(label - known.begin()) % std::size(shape_colors)]
              : viridis(range > 0 ? (value - labels.least) / range : 0.5));
    }
  return figure;
}

Figure surface_figure(const SurfaceSurvey& survey, const std::string& title) {
  const Real3 extent = survey.box.upper - survey.box.lower;
  int axis = 2;
  for (const int other : {1, 0})
    if (extent[other] < extent[axis] * (1 - 1e-9)) axis = other;
  const int horizontal = axis == 0 ? 1 : 0, vertical = axis == 2 ? 1 : 2;
  // Of the two axes left, seen from the positive end of the third; across y the sense turns round.
  const double toward = axis == 1 ? -1 : 1;
  const double cell = std::max({extent[horizontal], extent[vertical], 1e-300}) / surface_cells;
  constexpr int margin = 8;
  Figure figure;
  figure.width = static_cast<int>(extent[horizontal] / cell) + 1 + 2 * margin;
  figure.height = static_cast<int>(extent[vertical] / cell) + 1 + 2 * margin;
  figure.horizontal = "xyz"[horizontal];
  figure.vertical = "xyz"[vertical];
  const std::string unit = survey.format->unit;
  figure.si = !unit.empty();
  figure.cell_size = figure.si ? cell * parse_length_unit(unit, "the file") : cell;
  figure.length_name = "unit";
  figure.title = title;
  figure.subtitle = fmt::format("seen along {}  ·  {} × {} × {}, {} triangles", "xyz"[axis], format_short(extent[0]),
                                format_short(extent[1]), format_short(extent[2]), survey.triangles);
  const auto cells = static_cast<std::size_t>(figure.width) * static_cast<std::size_t>(figure.height);
  figure.cells.assign(cells, outside_color);
  Canvas canvas{figure, std::vector<double>(cells, -1e300), 1e-6 * norm(extent)};
  for (std::size_t k = 0; k < survey.parts.size(); ++k) {
    const Color& base = shape_colors[k % std::size(shape_colors)];
    if (survey.parts.size() > 1 && k < most_named)
      figure.legend.push_back({base, survey.parts[k].name.empty() ? "no name" : printable(survey.parts[k].name)});
    if (k == most_named) figure.legend.push_back({outside_color, fmt::format("and {} more", survey.parts.size() - k)});
    for (const auto& corners : survey.parts[k].triangles) {
      const Real3 normal = cross(corners[1] - corners[0], corners[2] - corners[0]);
      const double length = norm(normal), light = length > 0 ? std::abs(normal[axis]) / length : 0;
      std::array<Real3, 3> place;
      for (std::size_t i = 0; i < 3; ++i)
        place[i] = {margin + (corners[i][horizontal] - survey.box.lower[horizontal]) / cell,
                    margin + (corners[i][vertical] - survey.box.lower[vertical]) / cell, toward * corners[i][axis]};
      fill_triangle(canvas, place, shaded(base, light));
    }
  }
  return figure;
}

}  // namespace fluvia
