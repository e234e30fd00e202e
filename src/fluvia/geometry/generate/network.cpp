// SPDX-License-Identifier: Apache-2.0
// The generator "network": a plane network of vessels as microvascular chips have (S1, Fig. 6).
#include "fluvia/geometry/generate/network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>

#include "fluvia/base/error.hpp"

namespace fluvia::geometry {
namespace {

constexpr double pitch = 3;           // from one narrow channel to the next, in their widths
constexpr double wiggle = 0.4;        // of narrow channels to either side, in their widths
constexpr double link_distance = 12;  // mean distance of cross links along a pair of channels, in widths
constexpr int curve_pieces = 8;

/// A straight piece of a vessel with round ends; in the plane of the network.
struct Tube {
  Real3 from, to;
  double radius;
};

double distance_to(const Tube& tube, const Real3& point) {
  const Real3 axis = tube.to - tube.from;
  const double square = dot(axis, axis);
  const double t = square > 0 ? std::clamp(dot(point - tube.from, axis) / square, 0.0, 1.0) : 0.0;
  return norm(point - tube.from - t * axis) - tube.radius;
}

/// Draws the network; coordinates start at its corner, the plane is z = 0.
class Builder {
 public:
  Builder(const NetworkMeasures& measures, std::uint64_t seed) : m_(measures), random_(seed) {}

  std::vector<Tube> build() {
    grow_tree(false);
    grow_tree(true);
    add_channels();
    return std::move(tubes_);
  }

 private:
  /// A random number from -1 to 1. The standard fixes this generator's numbers but not those of its distributions.
  double random() { return static_cast<double>(random_() >> 11) * 0x1p-52 - 1; }

  void add(const Real3& from, const Real3& to, double width) { tubes_.push_back({from, to, 0.5 * width}); }

  /// Leaves and arrives along x: y follows 3 t^2 - 2 t^3.
  void add_curve(const Real3& from, const Real3& to, double width) {
    Real3 last = from;
    for (int k = 1; k <= curve_pieces; ++k) {
      const double t = static_cast<double>(k) / curve_pieces, rise = t * t * (3 - 2 * t);
      const Real3 next{from[0] + t * (to[0] - from[0]), from[1] + rise * (to[1] - from[1]), 0};
      add(last, next, width);
      last = next;
    }
  }

  /// Grows the branches from the inlet, or `mirrored` from the outlet; they begin far beyond the face, which cuts them.
  void grow_tree(bool mirrored) {
    const double face = mirrored ? m_.length : 0, inwards = mirrored ? -1 : 1;
    const Real3 root{face + inwards * m_.stem, 0.5 * m_.height, 0};
    add({face - inwards * beyond, root[1], 0}, root, m_.width_of(0));
    grow(0, root, root, inwards);
  }

  /// Grows a branch. `planned`: where the branching would be without chance.
  void grow(int generation, const Real3& planned, const Real3& actual, double inwards) {
    if (generation == m_.generations) return;
    const double rise = m_.rise_of(generation), length = m_.length_of(generation);
    const bool last = generation + 1 == m_.generations;  // the channels of the middle start here
    for (const int side : {-1, 1}) {
      const Real3 plan{planned[0] + inwards * length, planned[1] + side * rise, 0};
      Real3 end = plan;
      if (!last) {
        end[0] += 0.2 * length * random();
        end[1] += 0.15 * rise * random();
      }
      add_curve(actual, end, m_.width_of(generation + 1));
      grow(generation + 1, plan, end, inwards);
    }
  }

  /// The narrow channels between both trees, and links from one to the next.
  void add_channels() {
    const double from = m_.tree, to = m_.length - m_.tree;
    const int pieces = std::max(2, static_cast<int>((to - from) / (pitch * m_.width)));
    const double step = (to - from) / pieces;
    std::vector<Real3> below;
    for (int channel = 0; channel < 1 << m_.generations; ++channel) {
      const double y = (channel + 0.5) * pitch * m_.width;
      std::vector<Real3> points = {{from, y, 0}};
      for (int k = 1; k < pieces; ++k) points.push_back({from + k * step, y + wiggle * m_.width * random(), 0});
      points.push_back({to, y, 0});
      for (std::size_t k = 1; k < points.size(); ++k) add(points[k - 1], points[k], m_.width);
      if (channel > 0) link(below, points, step);
      below = std::move(points);
    }
  }

  void link(const std::vector<Real3>& below, const std::vector<Real3>& above, double step) {
    const double chance = step / (link_distance * m_.width);
    for (std::size_t k = 1; k + 1 < below.size(); ++k)
      if (0.5 * (random() + 1) < chance) add(below[k], above[k + (random() < 0 ? 1 : -1)], m_.width);
  }

  static constexpr double beyond = 1e7;
  const NetworkMeasures& m_;
  std::mt19937_64 random_;
  std::vector<Tube> tubes_;
};

/// Tubes by the cells of a grid that they come near to, so that a point looks only at a few of them.
class TubeIndex {
 public:
  TubeIndex(std::vector<Tube> tubes, const Int3& box, double width)
      : tubes_(std::move(tubes)), cell_(std::max(16.0, 2 * width)), reach_(cell_) {
    for (int axis = 0; axis < 2; ++axis) count_[axis] = static_cast<int>(box[axis] / cell_) + 1;
    cells_.resize(static_cast<std::size_t>(count_[0]) * count_[1]);
    const double half_diagonal = cell_ * std::sqrt(0.5);
    for (std::uint32_t k = 0; k < tubes_.size(); ++k) {
      const Tube& tube = tubes_[k];
      const double margin = tube.radius + reach_ + cell_;
      const auto [x0, x1] = span(tube.from[0], tube.to[0], margin, 0);
      const auto [y0, y1] = span(tube.from[1], tube.to[1], margin, 1);
      for (int y = y0; y <= y1; ++y)
        for (int x = x0; x <= x1; ++x)
          if (distance_to(tube, {(x + 0.5) * cell_, (y + 0.5) * cell_, 0}) < reach_ + half_diagonal)
            cells_[cell_number(x, y)].push_back(k);
    }
  }

  /// Distance to the nearest tube: exact near tubes, else a distance that is too small.
  [[nodiscard]] double distance(const Real3& point) const {
    // Tiles reach a few nodes past the box, so the distance to tubes of other cells may be less than `reach_`.
    double least = 0.5 * reach_;
    const auto& near = cells_[cell_number(cell_of(point[0], 0), cell_of(point[1], 1))];
    for (const std::uint32_t k : near) least = std::min(least, distance_to(tubes_[k], point));
    return least;
  }

 private:
  [[nodiscard]] int cell_of(double position, int axis) const {
    return static_cast<int>(std::clamp(position / cell_, 0.0, count_[axis] - 1.0));
  }
  [[nodiscard]] std::size_t cell_number(int x, int y) const { return static_cast<std::size_t>(y) * count_[0] + x; }
  [[nodiscard]] std::pair<int, int> span(double a, double b, double margin, int axis) const {
    return {cell_of(std::min(a, b) - margin, axis), cell_of(std::max(a, b) + margin, axis)};
  }

  std::vector<Tube> tubes_;
  double cell_, reach_;
  int count_[2];
  std::vector<std::vector<std::uint32_t>> cells_;
};

}  // namespace

double NetworkMeasures::width_of(int generation) const {
  return width * std::cbrt(std::exp2(generations - generation));
}

double NetworkMeasures::rise_of(int generation) const {
  return height / std::exp2(generation + 2);
}

double NetworkMeasures::length_of(int generation) const {
  return rise_of(generation) + 2 * width_of(generation);
}

NetworkMeasures measure_network(const Case::Generator& g, double spacing) {
  if (g.generations < 1 || g.generations > 8)
    throw_input(fmt::format("geometry.generator: generations is {}, expected 1 to 8", g.generations));
  NetworkMeasures m;
  m.generations = g.generations;
  m.width = g.diameter / spacing;
  m.height = pitch * m.width * std::exp2(m.generations);
  m.stem = 2 * m.width_of(0);
  m.tree = m.stem;
  for (int k = 0; k < m.generations; ++k) m.tree += m.length_of(k);
  const double least = 2 * m.tree + 2 * pitch * m.width;
  m.length = g.length > 0 ? g.length / spacing : 2 * m.tree + std::max(0.5 * m.height, 3 * pitch * m.width);
  if (m.length < least)
    throw_input(
        fmt::format("geometry.generator: length is {}, but a network of {} generations of this diameter needs at "
                    "least {:.6g}; make length larger or generations fewer",
                    g.length, m.generations, least * spacing));
  return m;
}

SignedDistance network_distance(const Case::Generator& g, const NetworkMeasures& m, const Grid& grid) {
  std::vector<Tube> tubes = Builder(m, g.seed).build();
  const Real3 corner{0.5 * (grid.size[0] - m.length), 0.5 * (grid.size[1] - m.height), 0};
  for (Tube& tube : tubes) {
    tube.from = tube.from + corner;
    tube.to = tube.to + corner;
  }
  const bool flat = grid.dimension == 2;
  const double plane = 0.5 * grid.size[2];
  const auto index = std::make_shared<const TubeIndex>(std::move(tubes), grid.size, m.width);
  return [=](const Real3& p) { return index->distance({p[0], p[1], flat ? 0 : p[2] - plane}); };
}

}  // namespace fluvia::geometry
