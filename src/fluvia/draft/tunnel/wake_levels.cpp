// SPDX-License-Identifier: Apache-2.0
#include "fluvia/draft/tunnel/wake_levels.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace fluvia::draft {

namespace {

using geometry::BoundingBox;

constexpr double tile = 4;           ///< nodes along an edge of a tile in 3D
constexpr double kept_off = 3;       ///< nodes of the coarsest level between an opening and a finer one
constexpr double at_surface = 0.06;  ///< how far the finest level reaches, in sizes of the body
constexpr double around_swept = 4;   ///< nodes of the finest level at least around a body that moves (it needs three)
constexpr double beside = 0.2;       ///< how far the next coarser one does before and beside the body ...
constexpr double behind = 1;         ///< ... and behind it

double volume_of(const BoundingBox& box) {
  double volume = 1;
  for (int axis = 0; axis < 3; ++axis) volume *= std::max(0.0, box.upper[axis] - box.lower[axis]);
  return volume;
}

/// A box that reaches so much farther on all sides, as far as another one goes.
BoundingBox grown(BoundingBox box, double by, const BoundingBox& within) {
  for (int axis = 0; axis < 3; ++axis) {
    box.lower[axis] = std::clamp(box.lower[axis] - by, within.lower[axis], within.upper[axis]);
    box.upper[axis] = std::clamp(box.upper[axis] + by, within.lower[axis], within.upper[axis]);
  }
  return box;
}

/// The part of a tunnel in which finer levels may be: away from its openings.
BoundingBox inner_part(const WakeSite& site, double coarsest_spacing) {
  BoundingBox inner = site.tunnel;
  const double off = (kept_off + tile) * coarsest_spacing;
  const auto along = static_cast<std::size_t>(site.along);
  (site.forwards ? inner.lower : inner.upper)[along] += (site.forwards ? 1 : -1) * off;
  (site.forwards ? inner.upper : inner.lower)[along] -= (site.forwards ? 1 : -1) * (off + site.sponge);
  return inner;
}

}  // namespace

WakeLevels wake_levels(const WakeSite& site, int finest, double finest_spacing) {
  WakeLevels levels;
  levels.finest = finest;
  levels.distance = std::max(at_surface * site.size, site.is_swept ? around_swept * finest_spacing : 0);
  const BoundingBox inner = inner_part(site, std::ldexp(finest_spacing, finest));
  if (site.is_swept && finest > 1) levels.boxes.push_back({finest, grown(site.body, levels.distance, inner)});
  const auto along = static_cast<std::size_t>(site.along);
  for (int level = std::max(1, finest - 1); level >= 1; --level) {
    // Each coarser box reaches twice as far around the body, and half as much farther again behind it.
    const double wider = std::exp2(std::max(0, finest - 1 - level));
    BoundingBox box = grown(site.body, std::max(wider * beside * site.size, levels.distance), inner);
    const double wake = (0.5 + 0.5 * wider) * behind * site.size;
    if (site.forwards)
      box.upper[along] = std::min(site.body.upper[along] + wake, inner.upper[along]);
    else
      box.lower[along] = std::max(site.body.lower[along] - wake, inner.lower[along]);
    levels.boxes.push_back({level, box});
  }
  return levels;
}

LevelWork work_of(const WakeSite& site, const WakeLevels& levels, double finest_spacing) {
  LevelWork work;
  // Of the finest level a shell around the box of the bodies, to which a node of the coarsest level and, on the mean,
  // half of a tile of the next coarser level are added.
  const double thick = levels.distance + std::ldexp(finest_spacing, levels.finest) + tile * finest_spacing;
  const BoundingBox outer = grown(site.body, thick, site.tunnel);
  BoundingBox core = site.body;
  for (int axis = 0; axis < 3; ++axis) {
    core.lower[axis] += thick;
    core.upper[axis] -= thick;
  }
  double finer = volume_of(outer) - volume_of(core);
  BoundingBox around = outer;
  for (int level = levels.finest; level >= 0; --level) {
    const double spacing = std::ldexp(finest_spacing, levels.finest - level);
    BoundingBox region = level == 0 ? site.tunnel : grown(around, 3 * tile * spacing, site.tunnel);
    for (const WakeLevels::Box& each : levels.boxes)
      if (each.level == level) {
        region.add(each.box.lower);
        region.add(each.box.upper);
      }
    const bool is_shell = level == levels.finest && levels.finest > 1 && !site.is_swept;
    const double volume = is_shell ? finer : volume_of(region), inside = level == levels.finest ? 0 : finer;
    const double nodes = std::max(0.0, volume - inside) / (spacing * spacing * spacing);
    work.nodes += nodes;
    work.nodes_a_step += std::ldexp(nodes, level - levels.finest);
    finer = volume;
    around = is_shell ? outer : region;
  }
  return work;
}

double nodes_before(const WakeLevels& levels, double finest_spacing) {
  double nodes = kept_off + tile;
  // Two tiles of each level lie between its interfaces.
  for (int level = 1; level < levels.finest; ++level) nodes += std::ldexp(2 * tile, -level);
  return nodes + std::ldexp(levels.distance / finest_spacing, -levels.finest) + 1;
}

void write_levels(CaseText& text, const WakeLevels& levels, const std::vector<std::string>& surfaces, double grain) {
  for (const std::string& surface : surfaces) {
    const bool first = &surface == &surfaces.front();
    text.section("[[refine]]").key("level", levels.finest, first ? "the finest, at the surface" : "");
    text.key("around", surface).key("distance", rounded(levels.distance, 3), first ? "m" : "");
  }
  for (const WakeLevels::Box& each : levels.boxes) {
    text.section("[[refine]]");
    const bool is_swept = each.level == levels.finest && levels.finest > 1;
    const bool is_around_body = each.level == std::max(1, levels.finest - 1);
    text.key("level", each.level,
             is_swept         ? "the finest, of all that the body sweeps"
             : is_around_body ? "around the body, and its wake"
                              : "");
    std::array<Real3, 2> corners{each.box.lower, each.box.upper};
    for (Real3& corner : corners)
      for (double& x : corner) x = rounded_coordinate(x, grain);
    text.key("box", corners, "m");
  }
}

}  // namespace fluvia::draft
