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

using geometry::triple;

constexpr double touching = core::touching_surface;
/// Half the depth of what has no end along z: a box in the plane.
constexpr double endless_depth = 1e15;

/// Calls visit(k) for each bit of a mask.
template <class Visit>
void for_each_bit(std::uint32_t mask, const Visit& visit) {
  for (; mask != 0; mask &= mask - 1) visit(static_cast<std::size_t>(std::countr_zero(mask)));
}

/// The least of all entries, by Cuts::chord.
template <class Cuts>
void meet_by_chords(const Cuts& cuts, const Real3& from, const std::vector<LinkWay>& ways, std::uint32_t directions,
                    double* entry) {
  for_each_bit(directions, [&](std::size_t k) {
    if (const std::optional<Chord> chord = cuts.chord(from, ways[k])) entry[k] = std::min(entry[k], chord->entry);
  });
}

/// Of a part whose formulas GPUs have, too.
template <class Part>
class FormulaCuts final : public LinkCuts {
 public:
  explicit FormulaCuts(const Part& part)
      : LinkCuts([part](const Real3& place) { return part.distance(triple(place)); }),
        part_(part),
        formula_(core::body_part(part)) {}
  [[nodiscard]] std::optional<Chord> chord(const Real3& from, const LinkWay& way) const override {
    Chord chord{};
    if (!part_.chord(part_.seen_from(triple(from)), way.numbers, chord)) return {};
    return chord;
  }
  void meet(const Real3& from, const std::vector<LinkWay>& ways, std::uint32_t directions,
            double* entry) const override {
    core::meet_part(part_, triple(from), numbers_of(ways), directions, entry);
  }
  [[nodiscard]] std::uint32_t with_chords(const Real3& from, const std::vector<LinkWay>& ways,
                                          std::uint32_t directions) const override {
    return part_.with_chords(triple(from), numbers_of(ways), directions);
  }
  [[nodiscard]] bool may_have_chords(const Real3& place, double radius) const override {
    return part_.may_have_chords(triple(place), radius);
  }
  [[nodiscard]] const core::BodyPart* formula() const override { return &formula_; }

 private:
  static auto numbers_of(const std::vector<LinkWay>& ways) {
    return [&ways](int k) -> const core::LinkWay& { return ways[static_cast<std::size_t>(k)].numbers; };
  }
  Part part_;
  core::BodyPart formula_;
};

/// A box in the plane has no end along z.
core::BoxPart box_part(const Case::Shape& shape, const Grid& grid, const RoundedBox& within) {
  core::BoxPart box{triple(within.low), triple(within.high), triple(geometry::to_lattice(grid, shape.center)), {}};
  for (std::size_t a = 0; a < 3; ++a) box.half.x[a] = 0.5 * shape.size[a] / grid.spacing;
  if (grid.dimension == 2) {
    box.low.x[2] -= endless_depth;
    box.high.x[2] += endless_depth;
    box.middle.x[2] = within.low[2];
    box.half.x[2] = endless_depth;
  }
  return box;
}

core::CylinderPart cylinder_part(const Real3& from, const Real3& to, double radius) {
  const double length = norm(to - from);
  return {triple(from), triple((1 / length) * (to - from)), length, radius};
}

class ConvexCuts final : public LinkCuts {
 public:
  ConvexCuts(geometry::SignedDistance distance, const RoundedBox& within, int dimension)
      : LinkCuts(std::move(distance)), within_(within), dimension_(dimension) {}
  /// The distance along the way is a convex function, whose least value is bracketed by halves; as it changes by no
  /// more than the way, that soon shows that there is no chord.
  [[nodiscard]] std::optional<Chord> chord(const Real3& from, const LinkWay& way) const override {
    if (is_beside(from, from + way.along)) return {};
    constexpr double least_bracket = 1e-6;  // of the way
    const double length = std::sqrt(way.numbers.square);
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

LinkWay::LinkWay(const Real3& way) : along(way), numbers{triple(way), {}, dot(way, way)} {
  for (std::size_t a = 0; a < 3; ++a)
    numbers.inverse.x[a] = std::abs(way[a]) > 1 / core::endless_way ? 1 / way[a] : core::endless_way;
}

std::unique_ptr<const LinkCuts> make_shape_cuts(const Case::Shape& shape, const Grid& grid, const RoundedBox& within,
                                                const std::string& place) {
  geometry::SignedDistance distance = geometry::make_signed_distance(shape, grid, place);
  const Real3 from = geometry::to_lattice(grid, shape.from), to = geometry::to_lattice(grid, shape.to);
  using BallCuts = FormulaCuts<core::BallPart>;
  if (shape.kind == "box") return std::make_unique<FormulaCuts<core::BoxPart>>(box_part(shape, grid, within));
  // In 2D a cylinder that is seen along its axis is a disc.
  const bool is_disc = shape.kind == "cylinder" && grid.dimension == 2 && within.low == within.high;
  if (shape.kind == "sphere" || is_disc)
    return std::make_unique<BallCuts>(core::BallPart{triple(within.low), within.radius, grid.dimension == 2});
  if (shape.kind == "cylinder" && grid.dimension == 3)
    return std::make_unique<FormulaCuts<core::CylinderPart>>(cylinder_part(from, to, within.radius));
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

std::vector<core::BodyPart> BodyCuts::formulas() const {
  std::vector<core::BodyPart> all;
  for (const auto& part : parts_) {
    if (part->formula() == nullptr) return {};
    all.push_back(*part->formula());
  }
  return all;
}

double BodyCuts::distance(const Real3& place) const {
  double least = std::numeric_limits<double>::max();
  for (const auto& part : parts_) least = std::min(least, part->distance(place));
  return least;
}

void BodyCuts::entries(const Around& around, const Real3& from, const std::vector<LinkWay>& ways,
                       std::uint32_t directions, double* entry) const {
  for_each_bit(directions, [&](std::size_t k) { entry[k] = core::no_entry; });
  for (std::size_t p = 0; p < parts_.size(); ++p)
    if ((around.parts >> p % 64 & 1) != 0) parts_[p]->meet(from, ways, directions, entry);
  for_each_bit(directions, [&](std::size_t k) {
    entry[k] = entry[k] < core::no_entry
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
