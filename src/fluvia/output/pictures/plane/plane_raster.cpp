// SPDX-License-Identifier: Apache-2.0
#include "fluvia/output/pictures/plane/plane_raster.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace fluvia {
namespace {

/// Smallest distance of a node from its wall, cells, by which velocities are divided.
constexpr double least_distance = 0.02;
/// Smallest weight of a node among those around a point, so that there is one where it has none by rounding.
constexpr double least_weight = 1e-9;

Color mixed(const Color& a, const Color& b, double part_of_a) {
  Color result{};
  for (std::size_t k = 0; k < 3; ++k)
    result[k] = static_cast<std::uint8_t>(std::lround(part_of_a * a[k] + (1 - part_of_a) * b[k]));
  return result;
}

/// Pixels [begin, end) of which square `index` of the squares [first, last] takes care: those from node to node, and at
/// the ends what is left of the plane.
std::array<int, 2> pixels_of(int index, const std::array<int, 2>& squares, int cells, int detail) {
  const auto first_pixel = [&](int square) { return static_cast<int>(std::ceil((square + 0.5) * detail - 0.5)); };
  return {index == squares[0] ? 0 : first_pixel(index), index == squares[1] ? cells * detail : first_pixel(index + 1)};
}

/// The values at the corners of one square, and what follows from them between the corners.
class SquareValues {
 public:
  SquareValues(const NodeSquare& square, const NodeValues& values, const std::array<int, 2>& axes)
      : square_(square), values_(values) {
    for (std::size_t k = 0; k < 4; ++k) {
      const NodeSquare::Corner& corner = square.corners[k];
      if (!corner.fluid) continue;
      at_[k] = values.at(corner.node[axes[0]], corner.node[axes[1]]);
      broken_[k] = !std::all_of(at_[k].begin(), at_[k].end(), [](float v) { return std::isfinite(v); });
      if (!square.walls.empty()) distance_[k] = std::max(-square.beyond_wall(corner.place), least_distance);
    }
  }

  /// Finds the value at a point of the fluid that far from the wall; false where it is not finite.
  bool find(const Point& place, double from_wall, std::array<float, 3>& value) const {
    const std::array<double, 4> weights = weights_at(place);
    const std::size_t main =
        static_cast<std::size_t>(std::max_element(weights.begin(), weights.end()) - weights.begin());
    if (broken_[main]) return false;
    if (values_.at_wall == AtWall::of_node) {
      std::copy(at_[main].begin(), at_[main].end(), value.begin());
      return true;
    }
    double sum = 0, distance = 0;
    std::array<double, 3> sums{};
    for (std::size_t k = 0; k < 4; ++k) {
      if (broken_[k] || weights[k] == 0) continue;
      sum += weights[k];
      distance += weights[k] * distance_[k];
      for (std::size_t c = 0; c < values_.components; ++c) sums[c] += weights[k] * at_[k][c];
    }
    double kept = 1;  // part of the difference between the fluid's velocity at the nodes and the wall's
    NodeSquare::Wall wall;
    if (values_.at_wall == AtWall::of_wall && !square_.walls.empty()) {
      wall = square_.wall_at(place);
      kept = 1 - wall.sticking * (1 - std::clamp(from_wall / (distance / sum), 0.0, 1.5));
    }
    for (std::size_t c = 0; c < values_.components; ++c) {
      const double of_wall = wall.velocity[c];
      value[c] = static_cast<float>(of_wall + kept * (sums[c] / sum - of_wall));
    }
    return true;
  }

 private:
  /// Weights of the corners in a linear interpolation along both axes; 0 where there is no fluid.
  [[nodiscard]] std::array<double, 4> weights_at(const Point& place) const {
    const double right = std::clamp(place[0] - square_.corners[0].place[0], 0.0, 1.0);
    const double upper = std::clamp(place[1] - square_.corners[0].place[1], 0.0, 1.0);
    std::array<double, 4> weights{};
    for (std::size_t k = 0; k < 4; ++k)
      if (square_.corners[k].fluid)
        weights[k] = least_weight + ((k & 1) != 0 ? right : 1 - right) * ((k & 2) != 0 ? upper : 1 - upper);
    return weights;
  }

  const NodeSquare& square_;
  const NodeValues& values_;
  std::array<std::span<const float>, 4> at_{};
  std::array<bool, 4> broken_{};
  std::array<double, 4> distance_{};
};

/// A square of the plane, and those beside it where the plane ends. Beyond the last nodes, half a cell wide, a wall
/// that cuts links of one square may lie behind the nodes of another, whose own links it does not cut.
class SquareAtEdge {
 public:
  SquareAtEdge(const PlaneWalls& walls, int column, int row)
      : walls_(walls), at_{column, row}, own_(walls.square(column, row)) {}

  [[nodiscard]] const NodeSquare& own() const { return own_; }
  /// The square that says whether a point is in the fluid.
  const NodeSquare& decisive(const Point& place) {
    if (!own_.walls.empty() || (own_.any_fluid() && !own_.all_fluid())) return own_;
    for (std::size_t across = 0; across < 2; ++across) {
      const double low = own_.corners[0].place[across], high = own_.corners[3].place[across];
      if (place[across] >= low && place[across] <= high) continue;
      const std::size_t along = 1 - across;
      const bool upwards = place[along] > 0.5 * (own_.corners[0].place[along] + own_.corners[3].place[along]);
      const NodeSquare* beside = beside_in(along, upwards);
      if (beside != nullptr && !beside->walls.empty() && (beside->beyond_wall(place) > 0) == own_.any_fluid())
        return *beside;
    }
    return own_;
  }

 private:
  /// The next square up or down, none beyond the edge of the plane.
  const NodeSquare* beside_in(std::size_t along, bool upwards) {
    std::optional<NodeSquare>& square = beside_[along][upwards ? 1 : 0];
    std::array<int, 2> at = at_;
    at[along] += upwards ? 1 : -1;
    const std::array<int, 2> range = walls_.squares(static_cast<int>(along));
    if (at[along] < range[0] || at[along] > range[1]) return nullptr;
    if (!square) square = walls_.square(at[0], at[1]);
    return &*square;
  }

  const PlaneWalls& walls_;
  std::array<int, 2> at_;
  NodeSquare own_;
  std::array<std::array<std::optional<NodeSquare>, 2>, 2> beside_;
};

}  // namespace

PlaneRaster draw_plane(const PlaneWalls& walls, const NodeValues& values, int detail, const Paint& paint) {
  const int width = values.columns * detail;
  PlaneRaster raster;
  raster.colors.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(values.rows * detail));
  raster.fluid.resize(raster.colors.size());
  const std::array<int, 2> columns = walls.squares(0), rows = walls.squares(1);
  int any_broken = 0;
#pragma omp parallel for schedule(dynamic) reduction(| : any_broken)
  for (int row = rows[0]; row <= rows[1]; ++row) {
    const auto [lowest, beyond_highest] = pixels_of(row, rows, values.rows, detail);
    for (int column = columns[0]; column <= columns[1]; ++column) {
      SquareAtEdge squares(walls, column, row);
      const SquareValues own(squares.own(), values, walls.axes());
      const auto [leftmost, beyond_rightmost] = pixels_of(column, columns, values.columns, detail);
      for (int y = lowest; y < beyond_highest; ++y)
        for (int x = leftmost; x < beyond_rightmost; ++x) {
          const Point place = {(x + 0.5) / detail, (y + 0.5) / detail};
          const NodeSquare& square = squares.decisive(place);
          const double beyond =
              square.walls.empty() ? (square.nearest(place).fluid ? -1.0 : 1.0) : square.beyond_wall(place);
          const double part = std::clamp(0.5 - beyond * detail, 0.0, 1.0);
          Color fluid{}, solid{};
          if (part > 0) {
            std::array<float, 3> value{};
            const double from_wall = std::max(-beyond, 0.0);
            const bool finite = &square == &squares.own()
                                    ? own.find(place, from_wall, value)
                                    : SquareValues(square, values, walls.axes()).find(place, from_wall, value);
            if (!finite) any_broken = 1;
            fluid = finite ? paint.fluid(std::span(value).first(values.components)) : broken_color;
          }
          if (part < 1) solid = paint.beyond(square.nearest_beyond(place).node);
          const std::size_t at =
              static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x);
          raster.colors[at] = part >= 1 ? fluid : part <= 0 ? solid : mixed(fluid, solid, part);
          raster.fluid[at] = part > 0.5 ? 1 : 0;
        }
    }
  }
  raster.any_broken = any_broken != 0;
  return raster;
}

std::vector<Polyline> lines_in_fluid(const std::vector<Polyline>& lines, const PlaneRaster& raster, int columns,
                                     int detail) {
  const int width = columns * detail, height = static_cast<int>(raster.fluid.size()) / width;
  const auto is_fluid = [&](const Point& place) {
    const int x = std::clamp(static_cast<int>(place[0] * detail), 0, width - 1);
    const int y = std::clamp(static_cast<int>(place[1] * detail), 0, height - 1);
    return raster.fluid[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x)] !=
           0;
  };
  std::vector<Polyline> kept;
  for (const Polyline& line : lines) {
    Polyline part;
    for (const Point& place : line) {
      if (is_fluid(place)) {
        part.push_back(place);
        continue;
      }
      if (part.size() > 1) kept.push_back(part);
      part.clear();
    }
    if (part.size() > 1) kept.push_back(part);
  }
  return kept;
}

}  // namespace fluvia
