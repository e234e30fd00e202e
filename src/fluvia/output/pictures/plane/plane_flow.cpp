// SPDX-License-Identifier: Apache-2.0
#include "fluvia/output/pictures/plane/plane_flow.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <optional>
#include <unordered_map>

namespace fluvia {
namespace {

Point along(const Point& from, const Point& direction, double length) {
  return {from[0] + length * direction[0], from[1] + length * direction[1]};
}

double square_of_distance(const Point& a, const Point& b) {
  return (a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]);
}

/// The flow of a plane, linear between the middles of cells.
class Interpolated {
 public:
  explicit Interpolated(const PlaneFlow& flow) : flow_(flow) {
    for (const auto& v : flow.velocity) fastest_ = std::max(fastest_, std::hypot<double>(v[0], v[1]));
  }
  [[nodiscard]] double fastest() const { return fastest_; }
  [[nodiscard]] bool is_fluid(const Point& p) const {
    if (!(p[0] >= 0 && p[1] >= 0 && p[0] < flow_.columns && p[1] < flow_.rows)) return false;
    return flow_.fluid[index(static_cast<int>(p[0]), static_cast<int>(p[1]))] != 0;
  }
  /// Velocity at a point, linear between the middles of cells.
  [[nodiscard]] Point at(const Point& p) const {
    const double x = std::clamp(p[0] - 0.5, 0.0, flow_.columns - 1.0);
    const double y = std::clamp(p[1] - 0.5, 0.0, flow_.rows - 1.0);
    const int i = static_cast<int>(x), j = static_cast<int>(y);
    const int i1 = std::min(i + 1, flow_.columns - 1), j1 = std::min(j + 1, flow_.rows - 1);
    const double u = x - i, v = y - j;
    Point result{};
    for (std::size_t c = 0; c < 2; ++c)
      result[c] = (1 - v) * ((1 - u) * value(i, j, c) + u * value(i1, j, c)) +
                  v * ((1 - u) * value(i, j1, c) + u * value(i1, j1, c));
    return result;
  }
  /// Unit vector of the velocity; none outside of the fluid and where it nearly rests.
  [[nodiscard]] std::optional<Point> direction(const Point& p) const {
    if (!is_fluid(p)) return {};
    const Point v = at(p);
    const double speed = std::hypot(v[0], v[1]);
    if (!(speed > 1e-4 * fastest_)) return {};
    return Point{v[0] / speed, v[1] / speed};
  }
  [[nodiscard]] Point fastest_place() const {
    std::size_t best = 0;
    double speed = -1;
    for (std::size_t k = 0; k < flow_.velocity.size(); ++k) {
      const double here = std::hypot<double>(flow_.velocity[k][0], flow_.velocity[k][1]);
      if (here > speed) speed = here, best = k;
    }
    const auto columns = static_cast<std::size_t>(flow_.columns);
    return {static_cast<double>(best % columns) + 0.5, static_cast<double>(best / columns) + 0.5};
  }

 private:
  [[nodiscard]] std::size_t index(int i, int j) const {
    return static_cast<std::size_t>(j) * static_cast<std::size_t>(flow_.columns) + static_cast<std::size_t>(i);
  }
  [[nodiscard]] double value(int i, int j, std::size_t c) const { return flow_.velocity[index(i, j)][c]; }

  const PlaneFlow& flow_;
  double fastest_ = 0;
};

class Streamlines {
 public:
  Streamlines(const PlaneFlow& flow, double separation)
      : flow_(flow),
        field_(flow),
        separation_(separation),
        step_(std::clamp(0.2 * separation, 0.1, 0.5)),
        longest_(4.0 * (flow.columns + flow.rows)),
        buckets_across_(static_cast<int>(flow.columns / separation) + 1),
        buckets_(static_cast<std::size_t>(buckets_across_) *
                 static_cast<std::size_t>(static_cast<int>(flow.rows / separation) + 1)) {}

  std::vector<Polyline> make() {
    if (!(field_.fastest() > 0)) return {};
    add(field_.fastest_place());
    follow();
    // Parts of the fluid that no line has come near.
    const double stride = std::max(1.0, 0.5 * separation_);
    for (double y = 0.5; y < flow_.rows && steps_left_ > 0; y += stride)
      for (double x = 0.5; x < flow_.columns && steps_left_ > 0; x += stride)
        if (add({x, y})) follow();
    return std::move(lines_);
  }

 private:
  [[nodiscard]] int bucket(const Point& p) const {
    return static_cast<int>(p[1] / separation_) * buckets_across_ + static_cast<int>(p[0] / separation_);
  }
  /// Visits points near `p` until visit() returns true; returns whether it did.
  template <class Find, class Visit>
  bool any_near(const Point& p, const Find& find, const Visit& visit) const {
    const int column = static_cast<int>(p[0] / separation_), row = static_cast<int>(p[1] / separation_);
    const int rows = static_cast<int>(buckets_.size()) / buckets_across_;
    for (int j = std::max(row - 1, 0); j <= std::min(row + 1, rows - 1); ++j)
      for (int i = std::max(column - 1, 0); i <= std::min(column + 1, buckets_across_ - 1); ++i)
        if (const auto* points = find(j * buckets_across_ + i); points && visit(*points)) return true;
    return false;
  }
  [[nodiscard]] bool near_others(const Point& p, double distance) const {
    return any_near(
        p, [&](int b) { return &buckets_[static_cast<std::size_t>(b)]; },
        [&](const Polyline& points) {
          return std::any_of(points.begin(), points.end(),
                             [&](const Point& q) { return square_of_distance(p, q) < distance * distance; });
        });
  }

  /// A point of the line in hand, and how far from the seed it is, negative upstream.
  struct Own {
    Point point;
    double length;
  };
  using OwnPoints = std::unordered_map<int, std::vector<Own>>;
  /// Whether the line in hand comes back to itself.
  [[nodiscard]] bool near_itself(const OwnPoints& own, const Point& p, double length) const {
    return any_near(
        p,
        [&](int b) {
          const auto found = own.find(b);
          return found == own.end() ? nullptr : &found->second;
        },
        [&](const std::vector<Own>& points) {
          return std::any_of(points.begin(), points.end(), [&](const Own& q) {
            return std::abs(length - q.length) > 2 * separation_ &&
                   square_of_distance(p, q.point) < 0.25 * separation_ * separation_;
          });
        });
  }

  /// Goes from the seed downstream (sign 1) or upstream (-1) by the midpoint rule.
  Polyline walk(const Point& seed, double sign, OwnPoints& own) {
    Polyline line;
    Point p = seed;
    for (double length = step_; length < longest_ && steps_left_ > 0; length += step_) {
      --steps_left_;
      const auto here = field_.direction(p);
      if (!here) break;
      const auto middle = field_.direction(along(p, *here, 0.5 * sign * step_));
      if (!middle) break;
      p = along(p, *middle, sign * step_);
      if (!field_.is_fluid(p) || near_others(p, 0.5 * separation_) || near_itself(own, p, sign * length)) break;
      own[bucket(p)].push_back({p, sign * length});
      line.push_back(p);
    }
    return line;
  }

  /// Adds the line through the seed if there is room for it.
  bool add(const Point& seed) {
    if (!field_.direction(seed) || near_others(seed, separation_)) return false;
    OwnPoints own;
    own[bucket(seed)].push_back({seed, 0});
    Polyline line = walk(seed, -1, own);
    std::reverse(line.begin(), line.end());
    line.push_back(seed);
    const Polyline ahead = walk(seed, 1, own);
    line.insert(line.end(), ahead.begin(), ahead.end());
    if (static_cast<double>(line.size()) * step_ < 0.8 * separation_) return false;
    for (const Point& p : line) buckets_[static_cast<std::size_t>(bucket(p))].push_back(p);
    lines_.push_back(std::move(line));
    return true;
  }

  /// Lines beside the last ones, beside those, and so on.
  void follow() {
    for (; followed_ < lines_.size() && steps_left_ > 0; ++followed_) {
      const Polyline line = lines_[followed_];
      const auto stride = static_cast<std::size_t>(std::max(1.0, 0.5 * separation_ / step_));
      for (std::size_t k = 0; k < line.size(); k += stride) {
        const auto direction = field_.direction(line[k]);
        if (!direction) continue;
        const Point across = {-(*direction)[1], (*direction)[0]};
        for (const double side : {1.0, -1.0}) add(along(line[k], across, side * 1.001 * separation_));
      }
    }
  }

  const PlaneFlow& flow_;
  Interpolated field_;
  double separation_, step_, longest_;
  int buckets_across_;
  std::vector<Polyline> buckets_;  ///< points of all lines, by squares of the separation
  std::vector<Polyline> lines_;
  std::size_t followed_ = 0;
  std::int64_t steps_left_ = 4'000'000;
};

}  // namespace

std::vector<Polyline> evenly_spaced_streamlines(const PlaneFlow& flow, double separation) {
  return Streamlines(flow, std::max(separation, 1.0)).make();
}

PlaneArrows make_arrows(const PlaneFlow& flow, double spacing) {
  const Interpolated field(flow);
  spacing = std::max(spacing, 1.0);
  struct Place {
    Point middle, velocity;
  };
  std::vector<Place> places;
  PlaneArrows result;
  const int across = std::max(1, static_cast<int>(flow.columns / spacing));
  const int up = std::max(1, static_cast<int>(flow.rows / spacing));
  for (int j = 0; j < up; ++j)
    for (int i = 0; i < across; ++i) {
      const Point p = {0.5 * flow.columns + (i + 0.5 - 0.5 * across) * spacing,
                       0.5 * flow.rows + (j + 0.5 - 0.5 * up) * spacing};
      if (!field.is_fluid(p)) continue;
      const Point v = field.at(p);
      places.push_back({p, v});
      result.longest = std::max(result.longest, std::hypot(v[0], v[1]));
    }
  if (!(result.longest > 0)) return result;
  for (const Place& place : places) {
    const double half = 0.475 * spacing / result.longest;
    if (std::hypot(place.velocity[0], place.velocity[1]) < 0.04 * result.longest)
      continue;  // such an arrow would be a dot
    result.arrows.push_back({along(place.middle, place.velocity, -half), along(place.middle, place.velocity, half)});
  }
  return result;
}

}  // namespace fluvia
