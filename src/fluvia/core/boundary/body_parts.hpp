// SPDX-License-Identifier: Apache-2.0
// Boxes, balls and cylinders of which bodies are made, and where links meet them (docs/decisions/0068): formulas that
// hosts and GPUs share, so that both find the same links: to the bit, where products and sums are rounded one by one.
#pragma once
#include "fluvia/core/root.hpp"

namespace fluvia::core {

/// Three numbers along x, y, z.
struct Triple {
  double x[3];
  FLUVIA_FUNCTION double operator[](int axis) const { return x[axis]; }
};
FLUVIA_FUNCTION Triple operator+(const Triple& a, const Triple& b) {
  return {{a[0] + b[0], a[1] + b[1], a[2] + b[2]}};
}
FLUVIA_FUNCTION Triple operator-(const Triple& a, const Triple& b) {
  return {{a[0] - b[0], a[1] - b[1], a[2] - b[2]}};
}
FLUVIA_FUNCTION Triple operator*(double s, const Triple& a) {
  return {{s * a[0], s * a[1], s * a[2]}};
}
FLUVIA_FUNCTION double dot(const Triple& a, const Triple& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
FLUVIA_FUNCTION double norm(const Triple& a) {
  return std::sqrt(dot(a, a));
}

namespace detail {
FLUVIA_FUNCTION double lesser(double a, double b) {
  return b < a ? b : a;
}
FLUVIA_FUNCTION double larger(double a, double b) {
  return a < b ? b : a;
}
/// Calls visit(k) for each bit of a mask.
template <class Visit>
FLUVIA_FUNCTION void for_each_bit(Uint32 mask, const Visit& visit) {
  for (; mask != 0; mask &= mask - 1) {
#if defined(__CUDA_ARCH__)
    visit(__ffs(static_cast<int>(mask)) - 1);
#else
    visit(__builtin_ctz(mask));
#endif
  }
}
/// Those of `directions` that are wanted, by wanted(way).
template <class Ways, class Wanted>
FLUVIA_FUNCTION Uint32 chosen(const Ways& ways, Uint32 directions, const Wanted& wanted) {
  Uint32 all = 0;
  for_each_bit(directions, [&](int k) { all |= (wanted(ways(k)) ? 1u : 0u) << k; });
  return all;
}
}  // namespace detail

/// Places that are at most so far from a surface lie on it; lattice units.
inline constexpr double touching_surface = 1e-9;
/// What stands for 1/0: far beyond all ways, and finite, so that nothing times it is no number.
inline constexpr double endless_way = 1e300;
/// What is sure to go past a surface does so by more than this, lattice units.
inline constexpr double surely_past = 1e-7;
/// The square of the longest link of any lattice, and a little more.
inline constexpr double longest_link_square = 3.001;
/// A way without a chord has an entry of so much, beyond its end.
inline constexpr double no_entry = 2;
/// Surfaces that nearly touch a node count as this far from it, in parts of the link.
inline constexpr double least_part_of_link = 1e-3;

/// The part of a way that lies in a body, from where it first meets the surface to where it leaves it last; parts of
/// the way, from its start.
struct Chord {
  double entry, exit;
};

/// A link as the body at its pose sees it: along its own axes.
struct LinkWay {
  Triple along;
  Triple inverse;  ///< of its components; very large for 0
  double square;   ///< of its length
};

// Each part has
//   distance(place): signed, from its surface, above 0 outside: to the nearest point of it, worked out in coordinates
//     along and across the axis (e.g. J. C. Hart, Sphere tracing, The Visual Computer 12, 1996);
//   seen_from(place): what chord() needs of where ways begin;
//   chord(seen, way, to): whether the way has something in the part, and what; not if it only touches it;
//   with_chords(from, ways, directions): those of `directions` in which ways(k) from a place outside may have a chord,
//     though their ends lie outside, too;
//   may_have_chords(place, radius): whether there can be such ways, all of which are at most `radius` from a place.

struct BoxPart {
  Triple low, high;     ///< corners
  Triple middle, half;  ///< and half of its edges

  FLUVIA_FUNCTION double distance(const Triple& p) const {
    Triple outside{};
    double deepest = -endless_way;
    for (int axis = 0; axis < 3; ++axis) {
      const double q = magnitude(p[axis] - middle[axis]) - half[axis];
      outside.x[axis] = detail::larger(q, 0.0);
      deepest = detail::larger(deepest, q);
    }
    return deepest > 0 ? norm(outside) : deepest;
  }

  struct Seen {
    Triple below, above;
  };
  FLUVIA_FUNCTION Seen seen_from(const Triple& from) const { return {low - from, high - from}; }
  /// What lies between all pairs of sides.
  FLUVIA_FUNCTION bool chord(const Seen& seen, const LinkWay& way, Chord& to) const {
    double entry = -endless_way, exit = endless_way;
    double deep_entry = entry, deep_exit = exit;  // of what lies a little deeper
    for (int a = 0; a < 3; ++a) {
      const double one = seen.below[a] * way.inverse[a], other = seen.above[a] * way.inverse[a];
      const double first = detail::lesser(one, other), last = detail::larger(one, other);
      const double deeper = touching_surface * magnitude(way.inverse[a]);
      entry = detail::larger(entry, first);
      exit = detail::lesser(exit, last);
      deep_entry = detail::larger(deep_entry, first + deeper);
      deep_exit = detail::lesser(deep_exit, last - deeper);
    }
    if (deep_entry > deep_exit || deep_exit <= 0 || deep_entry >= 1) return false;
    to = {entry, exit};
    return true;
  }
  /// What starts beyond a side must come back past it.
  template <class Ways>
  FLUVIA_FUNCTION Uint32 with_chords(const Triple& from, const Ways& ways, Uint32 directions) const {
    for (int a = 0; a < 3; ++a) {
      const double below = low[a] - from[a] - surely_past, above = high[a] - from[a] + surely_past;
      if (below > 0)
        directions = detail::chosen(ways, directions, [&](const LinkWay& way) { return way.along[a] >= below; });
      if (above < 0)
        directions = detail::chosen(ways, directions, [&](const LinkWay& way) { return way.along[a] <= above; });
    }
    return directions;
  }
  /// Where at most one of the planes of its sides is near, the box looks like all that lies on one side of a plane.
  FLUVIA_FUNCTION bool may_have_chords(const Triple& place, double radius) const {
    int planes = 0;
    for (int a = 0; a < 3; ++a) {
      if (place[a] + radius < low[a] || place[a] - radius > high[a]) return false;
      planes += (place[a] - radius <= low[a] ? 1 : 0) + (place[a] + radius >= high[a] ? 1 : 0);
    }
    return planes > 1;
  }
};

/// By the roots of the square of the distance.
struct BallPart {
  Triple middle;
  double radius;
  bool flat;  ///< a disc in a plane

  FLUVIA_FUNCTION double distance(const Triple& p) const { return norm(p - middle) - radius; }

  struct Seen {
    Triple arm;
    double beside;
  };
  FLUVIA_FUNCTION Seen seen_from(const Triple& from) const {
    Triple arm = from - middle;
    if (flat) arm.x[2] = 0;
    return {arm, dot(arm, arm) - radius * radius};
  }
  FLUVIA_FUNCTION bool chord(const Seen& seen, const LinkWay& way, Chord& to) const {
    const double towards = dot(seen.arm, way.along);
    if (towards >= 0) return false;
    const double root = towards * towards - way.square * seen.beside;
    if (!(root > way.square * 2 * radius * touching_surface)) return false;
    const double far = std::sqrt(root) - towards;  // which no digits cancel in
    if (seen.beside >= far) return false;
    to = {seen.beside / far, far / way.square};
    return true;
  }
  /// Half of a chord, and what leads to it, is no longer than the link: so both ends are very near.
  template <class Ways>
  FLUVIA_FUNCTION Uint32 with_chords(const Triple& from, const Ways& ways, Uint32 directions) const {
    const Seen seen = seen_from(from);
    if (seen.beside > longest_link_square) return 0;
    return detail::chosen(ways, directions, [&](const LinkWay& way) {
      const double towards = dot(seen.arm, way.along);
      return towards < surely_past && towards * towards + surely_past > way.square * seen.beside;
    });
  }
  FLUVIA_FUNCTION bool may_have_chords(const Triple&, double) const { return true; }
};

/// What lies between two planes and in an endless cylinder.
struct CylinderPart {
  Triple from, axis;  ///< the middle of one end; of length 1
  double length, radius;

  FLUVIA_FUNCTION double distance(const Triple& p) const {
    const double along = dot(p - from, axis);
    const double across = norm(p - from - along * axis) - radius;
    const double beyond = detail::larger(-along, along - length);
    if (across > 0 && beyond > 0) return std::sqrt(across * across + beyond * beyond);
    return detail::larger(across, beyond);
  }

  struct Seen {
    double high;
    Triple across;  ///< at right angles to the axis, so that its length has all digits
    double beside;
  };
  FLUVIA_FUNCTION Seen seen_from(const Triple& place) const {
    const Triple arm = place - from;
    const double high = dot(arm, axis);
    const Triple across = arm - high * axis;
    return {high, across, dot(across, across) - radius * radius};
  }
  FLUVIA_FUNCTION bool chord(const Seen& seen, const LinkWay& way, Chord& to) const {
    constexpr double level = 1e-14;  // of a way as good as at right angles to the axis, or along it
    const double up = dot(way.along, axis);
    double entry = -endless_way, exit = endless_way;
    if (magnitude(up) > level) {
      const double low_end = -seen.high / up, high_end = (length - seen.high) / up;
      entry = detail::lesser(low_end, high_end);
      exit = detail::larger(low_end, high_end);
    } else if (seen.high < touching_surface || seen.high > length - touching_surface) {
      return false;
    }
    const Triple way_across = way.along - up * axis;
    const double square = dot(way_across, way_across);
    if (square > level * level) {
      const double towards = dot(seen.across, way_across), root = towards * towards - square * seen.beside;
      if (!(root > square * 2 * radius * touching_surface)) return false;
      // Of the two roots the one is found by a sum in which no digits cancel, the other one by their product.
      const double sum = std::sqrt(root) + magnitude(towards), one = sum / square, other = seen.beside / sum;
      entry = detail::larger(entry, towards < 0 ? other : -one);
      exit = detail::lesser(exit, towards < 0 ? one : -other);
    } else if (seen.beside > -2 * radius * touching_surface) {
      return false;
    }
    if (entry + touching_surface > exit || exit <= touching_surface || entry >= 1 - touching_surface) return false;
    to = {entry, exit};
    return true;
  }
  /// What starts beside it must come nearer to its axis, what starts beyond an end come back past it.
  template <class Ways>
  FLUVIA_FUNCTION Uint32 with_chords(const Triple& place, const Ways& ways, Uint32 directions) const {
    const Seen seen = seen_from(place);
    const double high = seen.high;
    // Away from its ends it is as a ball.
    if (seen.beside > longest_link_square && detail::lesser(high, length - high) > std::sqrt(longest_link_square))
      return 0;
    if (seen.beside > 2 * radius * surely_past)
      directions = detail::chosen(ways, directions,
                                  [&](const LinkWay& way) { return dot(seen.across, way.along) < surely_past; });
    if (high < -surely_past)
      directions = detail::chosen(ways, directions,
                                  [&](const LinkWay& way) { return dot(axis, way.along) > -high - surely_past; });
    if (high > length + surely_past)
      directions = detail::chosen(
          ways, directions, [&](const LinkWay& way) { return dot(axis, way.along) < length - high + surely_past; });
    return directions;
  }
  /// As for a box, by its ends.
  FLUVIA_FUNCTION bool may_have_chords(const Triple& place, double radius_of_place) const {
    const double reach = radius_of_place;
    const Triple arm = place - from;
    const double high = dot(arm, axis), across = norm(arm - high * axis);
    if (high + reach < 0 || high - reach > length || across - reach > radius) return false;
    if (across + reach >= radius) return true;
    return high - reach <= 0 && high + reach >= length;
  }
};

/// One of them, where the body is at rest; lattice units.
struct BodyPart {
  enum Kind : Uint32 { box_part, ball_part, cylinder_part } kind;
  BoxPart box;
  BallPart ball;
  CylinderPart cylinder;
};
constexpr BodyPart body_part(const BoxPart& box) {
  return {BodyPart::box_part, box, {}, {}};
}
constexpr BodyPart body_part(const BallPart& ball) {
  return {BodyPart::ball_part, {}, ball, {}};
}
constexpr BodyPart body_part(const CylinderPart& cylinder) {
  return {BodyPart::cylinder_part, {}, {}, cylinder};
}
/// What visit() returns for the part by its kind.
template <class Visit>
FLUVIA_FUNCTION auto visit_part(const BodyPart& part, const Visit& visit) {
  if (part.kind == BodyPart::box_part) return visit(part.box);
  if (part.kind == BodyPart::ball_part) return visit(part.ball);
  return visit(part.cylinder);
}

/// Takes to entry[k] for each bit k of `directions` the chord's entry of ways(k) from a place, where that is less.
template <class Part, class Ways>
FLUVIA_FUNCTION void meet_part(const Part& part, const Triple& from, const Ways& ways, Uint32 directions,
                               double* entry) {
  const auto seen = part.seen_from(from);
  detail::for_each_bit(directions, [&](int k) {
    Chord chord;
    if (part.chord(seen, ways(k), chord)) entry[k] = detail::lesser(entry[k], chord.entry);
  });
}

}  // namespace fluvia::core
