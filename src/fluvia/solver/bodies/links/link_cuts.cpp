// SPDX-License-Identifier: Apache-2.0
#include "fluvia/solver/bodies/links/link_cuts.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "fluvia/geometry/generate/root.hpp"

namespace fluvia {

namespace {

constexpr double touching = geometry::on_surface;
/// What stands for 1/0: far beyond all ways, and finite, so that nothing times it is no number.
constexpr double endless_way = 1e300;
/// Half the depth of what has no end along z: a box in the plane.
constexpr double endless_depth = 1e15;

/// What is sure to go past a surface does so by more than this, lattice units.
constexpr double surely = 1e-7;
/// The square of the longest link of any lattice, and a little more.
constexpr double longest_square = 3.001;

/// Calls visit(k) for each bit of a mask.
template <class Visit>
void for_each_bit(std::uint32_t mask, const Visit& visit) {
  for (; mask != 0; mask &= mask - 1) visit(static_cast<std::size_t>(std::countr_zero(mask)));
}

/// Those of `directions` that are wanted, by wanted(way).
template <class Wanted>
std::uint32_t chosen(const std::vector<LinkWay>& ways, std::uint32_t directions, const Wanted& wanted) {
  std::uint32_t all = 0;
  for_each_bit(directions, [&](std::size_t k) { all |= (wanted(ways[k]) ? 1U : 0U) << k; });
  return all;
}

/// The least of all entries, by Cuts::chord.
template <class Cuts>
void meet_by_chords(const Cuts& cuts, const Real3& from, const std::vector<LinkWay>& ways, std::uint32_t directions,
                    double* entry) {
  for_each_bit(directions, [&](std::size_t k) {
    if (const std::optional<Chord> chord = cuts.chord(from, ways[k])) entry[k] = std::min(entry[k], chord->entry);
  });
}

class BoxCuts final : public LinkCuts {
 public:
  BoxCuts(geometry::SignedDistance distance, const RoundedBox& box, int dimension)
      : LinkCuts(std::move(distance)), box_(box) {
    if (dimension == 2) {
      box_.low[2] -= endless_depth;
      box_.high[2] += endless_depth;
    }
  }
  [[nodiscard]] std::optional<Chord> chord(const Real3& from, const LinkWay& way) const override {
    return between_sides(box_.low - from, box_.high - from, way);
  }
  void meet(const Real3& from, const std::vector<LinkWay>& ways, std::uint32_t directions,
            double* entry) const override {
    const Real3 below = box_.low - from, above = box_.high - from;
    for_each_bit(directions, [&](std::size_t k) {
      if (const std::optional<Chord> chord = between_sides(below, above, ways[k]))
        entry[k] = std::min(entry[k], chord->entry);
    });
  }
  /// What starts beyond a side must come back past it.
  [[nodiscard]] std::uint32_t with_chords(const Real3& from, const std::vector<LinkWay>& ways,
                                          std::uint32_t directions) const override {
    for (std::size_t a = 0; a < 3; ++a) {
      const double below = box_.low[a] - from[a] - surely, above = box_.high[a] - from[a] + surely;
      if (below > 0) directions = chosen(ways, directions, [&](const LinkWay& way) { return way.along[a] >= below; });
      if (above < 0) directions = chosen(ways, directions, [&](const LinkWay& way) { return way.along[a] <= above; });
    }
    return directions;
  }
  /// Where at most one of the planes of its sides is near, the box looks like all that lies on one side of a plane.
  [[nodiscard]] bool may_have_chords(const Real3& place, double radius) const override {
    int planes = 0;
    for (std::size_t a = 0; a < 3; ++a) {
      if (place[a] + radius < box_.low[a] || place[a] - radius > box_.high[a]) return false;
      planes += (place[a] - radius <= box_.low[a] ? 1 : 0) + (place[a] + radius >= box_.high[a] ? 1 : 0);
    }
    return planes > 1;
  }

 private:
  /// What lies between all pairs of sides.
  static std::optional<Chord> between_sides(const Real3& below, const Real3& above, const LinkWay& way) {
    double entry = -endless_way, exit = endless_way;
    double deep_entry = entry, deep_exit = exit;  // of what lies a little deeper
    for (std::size_t a = 0; a < 3; ++a) {
      const double low = below[a] * way.inverse[a], high = above[a] * way.inverse[a];
      const double first = std::min(low, high), last = std::max(low, high);
      const double deeper = touching * std::abs(way.inverse[a]);
      entry = std::max(entry, first);
      exit = std::min(exit, last);
      deep_entry = std::max(deep_entry, first + deeper);
      deep_exit = std::min(deep_exit, last - deeper);
    }
    if (deep_entry > deep_exit || deep_exit <= 0 || deep_entry >= 1) return {};
    return Chord{entry, exit};
  }
  RoundedBox box_;
};

/// By the roots of the square of the distance.
class BallCuts final : public LinkCuts {
 public:
  BallCuts(geometry::SignedDistance distance, const RoundedBox& ball, int dimension)
      : LinkCuts(std::move(distance)), middle_(ball.low), radius_(ball.radius), flat_(dimension == 2) {}
  [[nodiscard]] std::optional<Chord> chord(const Real3& from, const LinkWay& way) const override {
    const Real3 arm = arm_to(from);
    return along(arm, dot(arm, arm) - radius_ * radius_, way);
  }
  void meet(const Real3& from, const std::vector<LinkWay>& ways, std::uint32_t directions,
            double* entry) const override {
    const Real3 arm = arm_to(from);
    const double beside = dot(arm, arm) - radius_ * radius_;
    for_each_bit(directions, [&](std::size_t k) {
      if (const std::optional<Chord> chord = along(arm, beside, ways[k])) entry[k] = std::min(entry[k], chord->entry);
    });
  }
  /// Half of a chord, and what leads to it, is no longer than the link: so both ends are very near.
  [[nodiscard]] std::uint32_t with_chords(const Real3& from, const std::vector<LinkWay>& ways,
                                          std::uint32_t directions) const override {
    const Real3 arm = arm_to(from);
    const double beside = dot(arm, arm) - radius_ * radius_;
    if (beside > longest_square) return 0;
    return chosen(ways, directions, [&](const LinkWay& way) {
      const double towards = dot(arm, way.along);
      return towards < surely && towards * towards + surely > way.square * beside;
    });
  }

 private:
  [[nodiscard]] Real3 arm_to(const Real3& place) const {
    Real3 arm = place - middle_;
    if (flat_) arm[2] = 0;
    return arm;
  }
  [[nodiscard]] std::optional<Chord> along(const Real3& arm, double beside, const LinkWay& way) const {
    const double towards = dot(arm, way.along);
    if (towards >= 0) return {};
    const double root = towards * towards - way.square * beside;
    if (!(root > way.square * 2 * radius_ * touching)) return {};
    const double far = std::sqrt(root) - towards;  // which no digits cancel in
    if (beside >= far) return {};
    return Chord{beside / far, far / way.square};
  }
  Real3 middle_;
  double radius_;
  bool flat_;
};

/// What lies between two planes and in an endless cylinder.
class CylinderCuts final : public LinkCuts {
 public:
  CylinderCuts(geometry::SignedDistance distance, const Real3& from, const Real3& to, double radius)
      : LinkCuts(std::move(distance)),
        from_(from),
        length_(norm(to - from)),
        axis_((1 / length_) * (to - from)),
        radius_(radius) {}
  [[nodiscard]] std::optional<Chord> chord(const Real3& from, const LinkWay& way) const override {
    const Real3 arm = from - from_;
    const double high = dot(arm, axis_), up = dot(way.along, axis_);
    const Real3 beside = arm - high * axis_;  // at right angles to the axis, so that its length has all digits
    return along(high, up, beside, way);
  }
  void meet(const Real3& from, const std::vector<LinkWay>& ways, std::uint32_t directions,
            double* entry) const override {
    meet_by_chords(*this, from, ways, directions, entry);
  }
  /// What starts beside it must come nearer to its axis, what starts beyond an end come back past it.
  [[nodiscard]] std::uint32_t with_chords(const Real3& from, const std::vector<LinkWay>& ways,
                                          std::uint32_t directions) const override {
    const Real3 arm = from - from_;
    const double high = dot(arm, axis_);
    const Real3 across = arm - high * axis_;
    const double beside = dot(across, across) - radius_ * radius_;
    // Away from its ends it is as a ball.
    if (beside > longest_square && std::min(high, length_ - high) > std::sqrt(longest_square)) return 0;
    if (beside > 2 * radius_ * surely)
      directions = chosen(ways, directions, [&](const LinkWay& way) { return dot(across, way.along) < surely; });
    if (high < -surely)
      directions = chosen(ways, directions, [&](const LinkWay& way) { return dot(axis_, way.along) > -high - surely; });
    if (high > length_ + surely)
      directions =
          chosen(ways, directions, [&](const LinkWay& way) { return dot(axis_, way.along) < length_ - high + surely; });
    return directions;
  }
  /// As for a box, by its ends.
  [[nodiscard]] bool may_have_chords(const Real3& place, double radius) const override {
    const Real3 arm = place - from_;
    const double high = dot(arm, axis_), across = norm(arm - high * axis_);
    if (high + radius < 0 || high - radius > length_ || across - radius > radius_) return false;
    if (across + radius >= radius_) return true;
    return high - radius <= 0 && high + radius >= length_;
  }

 private:
  [[nodiscard]] std::optional<Chord> along(double high, double up, const Real3& arm, const LinkWay& way) const {
    constexpr double level = 1e-14;  // of a way as good as at right angles to the axis, or along it
    double entry = -endless_way, exit = endless_way;
    if (std::abs(up) > level) {
      const double low_end = -high / up, high_end = (length_ - high) / up;
      entry = std::min(low_end, high_end);
      exit = std::max(low_end, high_end);
    } else if (high < touching || high > length_ - touching) {
      return {};
    }
    const Real3 way_across = way.along - up * axis_;
    const double square = dot(way_across, way_across), beside = dot(arm, arm) - radius_ * radius_;
    if (square > level * level) {
      const double towards = dot(arm, way_across), root = towards * towards - square * beside;
      if (!(root > square * 2 * radius_ * touching)) return {};
      // Of the two roots the one is found by a sum in which no digits cancel, the other one by their product.
      const double sum = std::sqrt(root) + std::abs(towards), one = sum / square, other = beside / sum;
      entry = std::max(entry, towards < 0 ? other : -one);
      exit = std::min(exit, towards < 0 ? one : -other);
    } else if (beside > -2 * radius_ * touching) {
      return {};
    }
    if (entry + touching > exit || exit <= touching || entry >= 1 - touching) return {};
    return Chord{entry, exit};
  }
  Real3 from_;
  double length_;
  Real3 axis_;
  double radius_;
};

class ConvexCuts final : public LinkCuts {
 public:
  ConvexCuts(geometry::SignedDistance distance, const RoundedBox& within, int dimension)
      : LinkCuts(std::move(distance)), within_(within), dimension_(dimension) {}
  /// The distance along the way is a convex function, whose least value is bracketed by halves; as it changes by no
  /// more than the way, that soon shows that there is no chord.
  [[nodiscard]] std::optional<Chord> chord(const Real3& from, const LinkWay& way) const override {
    if (is_beside(from, from + way.along)) return {};
    constexpr double least_bracket = 1e-6;  // of the way
    const double length = std::sqrt(way.square);
    const auto at = [&](double part) { return distance(from + part * way.along); };
    const auto split = [&](double inside) {
      return Chord{inside * geometry::find_root([&](double part) { return at(part * inside); }),
                   1 - (1 - inside) * geometry::find_root([&](double part) { return at(1 - part * (1 - inside)); })};
    };
    double middle = 0.5, half = 0.5;  // of the bracket
    double of_first = at(0), of_last = at(1), of_middle = at(middle);
    while (of_middle > -touching) {
      if (half < least_bracket || std::min(of_first, of_last) + of_middle > half * length) return {};
      half /= 2;
      const double of_before = at(middle - half), of_after = at(middle + half);
      if (of_before <= -touching) return split(middle - half);
      if (of_after <= -touching) return split(middle + half);
      if (of_before < of_middle) {
        of_last = std::exchange(of_middle, of_before);
        middle -= half;
      } else if (of_after < of_middle) {
        of_first = std::exchange(of_middle, of_after);
        middle += half;
      } else {
        of_first = of_before;
        of_last = of_after;
      }
    }
    return split(middle);
  }
  void meet(const Real3& from, const std::vector<LinkWay>& ways, std::uint32_t directions,
            double* entry) const override {
    meet_by_chords(*this, from, ways, directions, entry);
  }

 private:
  /// Whether a way passes the box around the part beside one of its sides, which is soon asked.
  [[nodiscard]] bool is_beside(const Real3& from, const Real3& to) const {
    for (std::size_t a = 0; static_cast<int>(a) < dimension_; ++a)
      if (std::max(from[a], to[a]) < within_.low[a] - within_.radius ||
          std::min(from[a], to[a]) > within_.high[a] + within_.radius)
        return true;
    return false;
  }
  RoundedBox within_;
  int dimension_;
};

}  // namespace

LinkWay::LinkWay(const Real3& way) : along(way), square(dot(way, way)) {
  for (std::size_t a = 0; a < 3; ++a) inverse[a] = std::abs(way[a]) > 1 / endless_way ? 1 / way[a] : endless_way;
}

std::unique_ptr<const LinkCuts> make_shape_cuts(const Case::Shape& shape, const Grid& grid, const RoundedBox& within,
                                                const std::string& place) {
  geometry::SignedDistance distance = geometry::make_signed_distance(shape, grid, place);
  const Real3 from = geometry::to_lattice(grid, shape.from), to = geometry::to_lattice(grid, shape.to);
  if (shape.kind == "box") return std::make_unique<BoxCuts>(std::move(distance), within, grid.dimension);
  // In 2D a cylinder that is seen along its axis is a disc.
  const bool is_disc = shape.kind == "cylinder" && grid.dimension == 2 && within.low == within.high;
  if (shape.kind == "sphere" || is_disc) return std::make_unique<BallCuts>(std::move(distance), within, grid.dimension);
  if (shape.kind == "cylinder" && grid.dimension == 3)
    return std::make_unique<CylinderCuts>(std::move(distance), from, to, within.radius);
  return std::make_unique<ConvexCuts>(std::move(distance), within, grid.dimension);
}

BodyCuts::Around BodyCuts::around(const Real3& place, double radius) const {
  Around around{0, false};
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    if (parts_[k]->distance(place) > radius) continue;
    around.parts |= std::uint64_t{1} << k % 64;
    around.has_chords = around.has_chords || parts_[k]->may_have_chords(place, radius);
  }
  return around;
}

std::uint32_t BodyCuts::with_chords(const Around& around, const Real3& from, const std::vector<LinkWay>& ways,
                                    std::uint32_t directions) const {
  std::uint32_t all = 0;
  for (std::size_t p = 0; p < parts_.size(); ++p)
    if ((around.parts >> p % 64 & 1) != 0) all |= parts_[p]->with_chords(from, ways, directions & ~all);
  return all;
}

double BodyCuts::distance(const Real3& place) const {
  double least = std::numeric_limits<double>::max();
  for (const auto& part : parts_) least = std::min(least, part->distance(place));
  return least;
}

void BodyCuts::entries(const Around& around, const Real3& from, const std::vector<LinkWay>& ways,
                       std::uint32_t directions, double* entry) const {
  for_each_bit(directions, [&](std::size_t k) { entry[k] = no_entry; });
  for (std::size_t p = 0; p < parts_.size(); ++p)
    if ((around.parts >> p % 64 & 1) != 0) parts_[p]->meet(from, ways, directions, entry);
  for_each_bit(directions, [&](std::size_t k) {
    entry[k] = entry[k] < no_entry
                   ? std::clamp(entry[k], 0.0, 1.0)
                   // A way that just touches the surface.
                   : geometry::find_root([&](double part) { return distance(from + part * ways[k].along); });
  });
}

double BodyCuts::entry(const Real3& from, const Real3& to) const {
  double entry = 0;
  entries({~std::uint64_t{0}, true}, from, {LinkWay(to - from)}, 1, &entry);
  return entry;
}

std::optional<Chord> BodyCuts::chord(const Around& around, const Real3& from, const LinkWay& way) const {
  std::optional<Chord> all;
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    if ((around.parts >> p % 64 & 1) == 0) continue;
    if (const std::optional<Chord> own = parts_[p]->chord(from, way))
      all = all ? Chord{std::min(all->entry, own->entry), std::max(all->exit, own->exit)} : *own;
  }
  return all;
}

}  // namespace fluvia
