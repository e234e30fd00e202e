// SPDX-License-Identifier: Apache-2.0
#include "fluvia/solver/bodies/body_measure.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "fluvia/geometry/generate/root.hpp"

namespace fluvia {

namespace {

class Measuring {
 public:
  Measuring(const BodyShape& shape, int dimension, BodyMeasure& into)
      : shape_(shape), dimension_(dimension), into_(into) {}

  /// Adds what a cube around a place has of the body; `depth`: how often it may be divided.
  void add(const Real3& middle, double edge, int depth) {
    const double distance = shape_.distance(middle), reach = 0.5 * edge * std::sqrt(static_cast<double>(dimension_));
    if (distance >= reach) return;
    if (distance <= -reach) return add_share(middle, edge, 1);
    if (depth == 0) {
      // A smooth step across the surface, whose errors on both sides of it cancel.
      const double exact = shape_.near_distance(middle);
      add_share(middle, edge, std::clamp(0.5 - exact / edge, 0.0, 1.0));
      if (std::abs(exact) < 0.5 * edge) add_point(middle, edge, exact);
      return;
    }
    for (int corner = 0; corner < 1 << dimension_; ++corner) {
      Real3 part = middle;
      for (int a = 0; a < dimension_; ++a)
        part[static_cast<std::size_t>(a)] += 0.25 * edge * ((corner >> a & 1) != 0 ? 1 : -1);
      add(part, 0.5 * edge, depth - 1);
    }
  }

 private:
  void add_share(const Real3& middle, double edge, double share) {
    const double volume = share * std::pow(edge, dimension_);
    into_.volume += volume;
    into_.centroid = into_.centroid + volume * middle;  // divided later
    for (std::size_t a = 0; a < 3; ++a)
      for (std::size_t b = 0; b < 3; ++b) {
        const bool in_plane = static_cast<int>(std::max(a, b)) < dimension_;
        // Of the cube itself and of its place; the trace is made of them later.
        into_.moments[a][b] +=
            volume * (middle[a] * middle[b] + (a == b && in_plane ? edge * edge / 12 : 0)) * (in_plane ? 1 : 0);
      }
  }
  void add_point(const Real3& middle, double edge, double distance) {
    const Real3 normal = geometry::unit_gradient(shape_.near_distance, middle, 0.25 * edge, dimension_);
    const double area = std::pow(edge, dimension_ - 1);
    into_.area += area;
    into_.points.push_back({middle - distance * normal, area});
  }

  const BodyShape& shape_;
  int dimension_;
  BodyMeasure& into_;
};

}  // namespace

BodyMeasure measure_body(const BodyShape& shape, int dimension) {
  constexpr int divisions = 7;
  constexpr double between_points = 0.4;
  double extent = 0;
  for (const RoundedBox& part : shape.parts)
    for (int a = 0; a < dimension; ++a) {
      const auto axis = static_cast<std::size_t>(a);
      extent = std::max({extent, 2 * (part.high[axis] + part.radius - shape.middle[axis]),
                         2 * (shape.middle[axis] - part.low[axis] + part.radius)});
    }
  BodyMeasure measure;
  Measuring(shape, dimension, measure).add(shape.middle, 1.01 * extent, divisions);
  BodyMeasure coarse;
  const int fewer = std::clamp(static_cast<int>(std::ceil(std::log2(extent / between_points))), 3, divisions);
  Measuring(shape, dimension, coarse).add(shape.middle, 1.01 * extent, fewer);
  measure.points = std::move(coarse.points);
  if (measure.volume == 0) return measure;
  measure.centroid = (1 / measure.volume) * measure.centroid;
  const Real3& c = measure.centroid;
  const SymmetricTensor second = measure.moments;
  double trace = 0;
  for (std::size_t a = 0; a < 3; ++a)
    if (static_cast<int>(a) < dimension) trace += second[a][a] - measure.volume * c[a] * c[a];
  for (std::size_t a = 0; a < 3; ++a)
    for (std::size_t b = 0; b < 3; ++b) {
      const bool in_plane = static_cast<int>(std::max(a, b)) < dimension;
      measure.moments[a][b] = (a == b ? trace : 0) - (in_plane ? second[a][b] - measure.volume * c[a] * c[b] : 0);
    }
  return measure;
}

}  // namespace fluvia
