// SPDX-License-Identifier: Apache-2.0
#include "fluvia/geometry/walls.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "fluvia/geometry/analysis.hpp"
#include "fluvia/geometry/map/link_search.hpp"

namespace fluvia::geometry {
namespace {

/// A layer that decides the two ends of a link differently, and where it cuts the link.
struct Change {
  int layer;
  Decision before, after;
  Cut cut;
};

}  // namespace

WallFinder::WallFinder(const NodeMap& nodes, std::shared_ptr<const LayerStack> layers,
                       std::shared_ptr<const Classifier> classifier, std::vector<bool> openings)
    : size_(nodes.size),
      periodic_(nodes.periodic),
      mirrors_(nodes.mirrors),
      layers_(std::move(layers)),
      classifier_(std::move(classifier)),
      openings_(std::move(openings)),
      any_opening_(std::find(openings_.begin(), openings_.end(), true) != openings_.end()) {}

WallFinder::Meeting WallFinder::meet_layers(const Link& link, bool beyond) const {
  // The layers between two changes decide the node: the topmost of them that decides it at all. All layers that decide
  // the two ends alike are represented by the topmost one.
  int steady_layer = -1;
  Decision steady = layers_->base_solid() ? Decision::solid : Decision::fluid;
  std::vector<Change> changes;
  layers_->visit_from_top(link.node, link.far, [&](int i, const Layer& layer) {
    const Decision before = layer.decide(link.node);
    const Decision after = beyond ? layer.decide_beyond(link.far) : layer.decide(link.far);
    if (before != after) {
      changes.push_back({i, before, after, {}});
    } else if (before != Decision::none) {
      steady_layer = i;
      steady = before;
      return true;  // layers below are not seen
    }
    return false;
  });
  for (Change& change : changes) change.cut = layers_->layer(change.layer).cut(link);
  std::stable_sort(changes.begin(), changes.end(),
                   [](const Change& a, const Change& b) { return a.cut.part < b.cut.part; });
  struct Top {
    int layer;
    Decision decision;
  };
  const auto top_behind = [&](std::size_t passed) {
    Top top{steady_layer, steady};
    for (std::size_t k = 0; k < changes.size(); ++k) {
      const Decision now = k < passed ? changes[k].after : changes[k].before;
      if (now != Decision::none && changes[k].layer >= top.layer) top = {changes[k].layer, now};
    }
    return top;
  };
  // From a solid the wall is where another layer is what makes it solid.
  const Top start = top_behind(0);
  for (std::size_t k = 0; k < changes.size(); ++k) {
    const Top top = top_behind(k + 1);
    if (top.decision == Decision::solid && (start.decision != Decision::solid || top.layer != start.layer))
      return {changes[k].cut, link.far, changes[k].layer, {}, link.reflected};
  }
  // The far end was fluid once and has been dropped.
  return {};
}

WallFinder::Meeting WallFinder::meet(const Int3& node, const Int3& offset) const {
  Link link{node, offset, {}};
  Int3 face{};
  for (int axis = 0; axis < 3; ++axis) {
    link.far[axis] = node[axis] + offset[axis];
    if (link.far[axis] >= 0 && link.far[axis] < size_[axis]) continue;
    if (periodic_[axis]) {
      link.far[axis] = (link.far[axis] + size_[axis]) % size_[axis];
    } else if (mirrors_[static_cast<std::size_t>(2 * axis + (offset[axis] < 0 ? 0 : 1))]) {
      link.far[axis] = node[axis];
      link.reflected[axis] = true;
    } else if (face == Int3{}) {
      face[axis] = offset[axis];
    }
  }
  if (face != Int3{}) return {{}, link.far, -1, face, {}};
  Meeting meeting;
  Int3 ahead{node[0] + offset[0], node[1] + offset[1], node[2] + offset[2]};
  for (int axis = 0; axis < 3; ++axis)
    if (link.reflected[axis]) ahead[axis] = link.far[axis];
  if (link.far != ahead) meeting = meet_layers({node, offset, ahead, link.reflected}, true);
  // Up to the periodic face layers on the node's side count, behind it those on the other side.
  if (meeting.layer < 0 || meeting.cut.part >= 0.5) meeting = meet_layers(link, false);
  if (any_opening_ && meeting.cut.kind == Cut::Kind::surface && openings_[classifier_->surface(node, offset)]) {
    meeting.cut = {};
  }
  meeting.cut.part = std::clamp(meeting.cut.part, least, 1.0);
  return meeting;
}

double WallFinder::distance(const Int3& node, const Int3& offset) const {
  return meet(node, offset).cut.part;
}

Cut::Kind WallFinder::kind(const Int3& node, const Int3& offset) const {
  return meet(node, offset).cut.kind;
}

Real3 WallFinder::normal(const Int3& node, const Int3& offset) const {
  const Meeting meeting = meet(node, offset);
  const Real3 along = link_vector(offset);
  if (meeting.face != Int3{}) return link_vector(meeting.face);
  if (meeting.layer < 0) return (1 / norm(along)) * along;
  Real3 normal = layers_->layer(meeting.layer).normal({node, offset, meeting.far, meeting.reflected}, meeting.cut);
  if (meeting.cut.part > 0.5)
    for (int axis = 0; axis < 3; ++axis)
      if (meeting.reflected[axis]) normal[axis] = -normal[axis];
  return dot(normal, along) < 0 ? -1.0 * normal : normal;
}

void survey_walls(const WallFinder& walls, Geometry& geometry, Communicator& communicator) {
  constexpr int kinds = 3;
  const NodeMap& nodes = geometry.nodes;
  const auto bin_of = [&](const Int3& node, const Int3& offset) {
    Int3 far{node[0] + offset[0], node[1] + offset[1], node[2] + offset[2]};
    if (!nodes.wrap(far)) return -1;
    return kinds * geometry.surface_of(node, offset) + static_cast<int>(walls.kind(node, offset));
  };
  const auto counts = count_cut_links(nodes, kinds * static_cast<int>(geometry.surfaces.size()), bin_of, communicator);
  std::uint64_t lost = 0;
  for (std::size_t s = 0; s < geometry.surfaces.size(); ++s) {
    const auto count = [&](Cut::Kind kind) { return counts[kinds * s + static_cast<std::size_t>(kind)]; };
    const GeometryReport::WallLinks links{geometry.surfaces[s], count(Cut::Kind::surface), count(Cut::Kind::half_way),
                                          count(Cut::Kind::lost)};
    if (links.interpolated + links.half_way + links.lost == 0) continue;
    geometry.report.wall_links.push_back(links);
    lost += links.lost;
  }
  if (lost == 0) return;
  geometry.report.warnings.push_back(
      fmt::format("{} cut links do not meet the surface that separates their ends, and have their wall half-way; where "
                  "that matters, repair the surface (gaps, folds, triangles that cut each other).",
                  lost));
}

std::optional<GeometryReport::HalfWayWalls> survey_half_way_walls(const WallFinder& walls, const NodeMap& nodes) {
  constexpr std::size_t most_tiles = 4096;
  constexpr double follows_lattice = 0.999;  // least component of the unit normal
  const std::size_t every = 1 + nodes.tiles.size() / most_tiles;
  GeometryReport::HalfWayWalls found;
  bool any = false;
  const std::vector<Int3> offsets = axis_offsets(nodes.dimension);
  LinkSearch search(nodes, offsets);
  const auto visit = [&](const NodeWithCuts& at) {
    at.for_each_cut([&](std::size_t k) {
      const Int3 &node = at.node, &step = offsets[k];
      Int3 far{node[0] + step[0], node[1] + step[1], node[2] + step[2]};
      if (!nodes.wrap(far) || walls.kind(node, step) != Cut::Kind::surface) return;
      any = true;
      const Real3 normal = walls.normal(node, step);
      const double along = dot(normal, link_vector(step));
      found.excess += along * along * (walls.distance(node, step) - 0.5);
      if (std::max({std::abs(normal[0]), std::abs(normal[1]), std::abs(normal[2])}) < follows_lattice)
        found.stairs += std::abs(along);
    });
  };
  for (std::size_t t = 0; t < nodes.tiles.size(); t += every) search.visit_tile(t, visit);
  if (!any) return {};
  found.excess *= static_cast<double>(every);
  found.stairs *= static_cast<double>(every);
  return found;
}

}  // namespace fluvia::geometry
