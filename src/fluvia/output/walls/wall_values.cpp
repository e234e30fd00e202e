// SPDX-License-Identifier: Apache-2.0
#include "fluvia/output/walls/wall_values.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <span>
#include <tuple>
#include <utility>

#include "fluvia/case/physics/registered_physics.hpp"
#include "fluvia/core/boundary/registry.hpp"
#include "fluvia/output/corners.hpp"
#include "fluvia/output/linear_fit.hpp"
#include "fluvia/output/sections.hpp"
#include "fluvia/output/walls/wall_crossing.hpp"
#include "fluvia/solver/links/surface_roles.hpp"
#include "fluvia/solver/profiles/time_series.hpp"

namespace fluvia {

namespace {

/// How near to a wall, in nodes, a point is taken to be on it: interpolated walls are known by planes through a link's
/// end.
constexpr double snap_interpolated = 0.02, snap_half_way = 1e-6;
/// Smallest weight that counts: a smaller one is that of a node which a point touches by rounding.
constexpr double negligible_weight = 1e-9;
/// How near to a face of the box, in nodes, a line along it is taken to be in it.
constexpr double in_face = 1e-7;

/// A line in nodes, from the corner of the box.
struct Ray : StraightLine {
  double length;
  Ray(const Case::Line& line, const Grid& grid) : StraightLine{on_grid(grid, line.from), {}} {
    const Real3 whole = on_grid(grid, line.to) - from;
    length = norm(whole);
    direction = (1 / length) * whole;
    // A line in a face of the box goes through the nodes beside it, on the upper side as on the lower.
    for (int axis = 0; axis < grid.dimension; ++axis)
      if (std::abs(whole[axis]) < in_face)
        from[axis] = std::abs(from[axis]) < in_face                     ? in_face
                     : std::abs(from[axis] - grid.size[axis]) < in_face ? grid.size[axis] - in_face
                                                                        : from[axis];
  }
};

}  // namespace

WallVelocity wall_velocities(const Problem& problem, double time) {
  const Geometry& geometry = problem.geometry;
  std::vector<const Case::Boundary*> boundaries(geometry.surfaces.size(), nullptr);
  for (const Case::Boundary& b : problem.settings.boundaries)
    if (const int surface = find_surface(geometry, b.surface); surface >= 0)
      boundaries[static_cast<std::size_t>(surface)] = &b;
  return [boundaries, problem, time](int surface, const Real3& point) -> std::optional<Real3> {
    const Case::Boundary* b = boundaries[static_cast<std::size_t>(surface)];
    if (b == nullptr) return Real3{};
    const core::ConditionFacts& facts = facts_of_boundary(b->type);
    if (!facts.sticks) return std::nullopt;
    if (facts.velocity != core::VelocityKeys::wall) return Real3{};
    return (ramp_factor(time, b->ramp) * problem.units.si_velocity(1)) *
           wall_velocity(*b, problem.units, problem.geometry, point);
  };
}

LineValues::LineValues(const OutputContext& output, WallVelocity velocity_of)
    : output_(output), geometry_(output.state.geometry()), velocity_of_(std::move(velocity_of)) {}

bool LineValues::is_opening(int surface) const {
  return std::any_of(geometry_.openings.begin(), geometry_.openings.end(),
                     [&](const Opening& opening) { return opening.surface == surface; });
}

std::vector<WallCrossing> LineValues::crossings(const Case::Line& line, double snap) const {
  constexpr double every = 0.25;
  const Ray ray(line, output_.grid);
  std::vector<WallCrossing> found;
  double last = -WallCrossing::most_between;
  bool was_fluid = is_fluid_inside(geometry_.nodes, node_of(ray.at(last)));
  while (last < ray.length + WallCrossing::most_between) {
    const double now = last + every;
    const bool fluid = is_fluid_inside(geometry_.nodes, node_of(ray.at(now)));
    if (fluid != was_fluid) {
      const auto crossing = find_wall_crossing(geometry_, ray, fluid ? now : last, fluid ? last : now);
      if (crossing && crossing->wall >= -snap && crossing->wall <= ray.length + snap) found.push_back(*crossing);
    }
    was_fluid = fluid;
    last = now;
  }
  return found;
}

std::vector<LineValues::Row> LineValues::rows(const Case::Line& line, const std::vector<WallCrossing>& found,
                                              double snap) const {
  const std::vector<Real3> points = points_of(line, output_.grid);
  const Ray ray(line, output_.grid);
  std::vector<Row> rows;
  for (std::size_t k = 0; k < points.size(); ++k)
    rows.push_back(
        {Row::Kind::fluid,
         ray.length * static_cast<double>(k) / static_cast<double>(std::max<std::size_t>(1, points.size() - 1)), 0,
         points[k]});
  for (std::size_t n = 0; n < found.size(); ++n) {
    const WallCrossing& crossing = found[n];
    bool has_point = false;
    for (Row& row : rows) {
      const double from_wall = crossing.sign * (row.along - crossing.wall);
      const double from_end = crossing.sign * (row.along - crossing.end);
      if (std::abs(from_wall) <= snap) {
        has_point = true;
        row.kind = Row::Kind::wall;
      } else if (from_wall > 0 && from_end <= snap) {
        row.kind = Row::Kind::beyond;
      } else if (from_wall < 0 && from_end >= 0) {
        row.kind = Row::Kind::before;
      } else {
        continue;
      }
      row.crossing = n;
    }
    if (has_point || crossing.wall < 0 || crossing.wall > ray.length) continue;
    const Real3 from = points.front(), whole = points.back() - from;
    const Row on_wall{Row::Kind::wall, crossing.wall, n, from + (crossing.wall / ray.length) * whole};
    rows.insert(std::find_if(rows.begin(), rows.end(), [&](const Row& row) { return row.along > crossing.wall; }),
                on_wall);
  }
  return rows;
}

std::optional<LineValues::Velocity> LineValues::velocity_at(const Real3& point) const {
  const NodeMap& nodes = geometry_.nodes;
  const Real3 place = on_grid(output_.grid, point);
  Velocity result;
  struct Sample {
    Real3 from_place;
    std::optional<NodeImage> node;  // the node; none: a wall with this velocity
    Real3 velocity;
  };
  std::vector<Sample> samples;
  bool special = false;
  std::array<Int3, 8> corners;
  std::size_t count = 0;
  for_each_corner(place, nodes.dimension, [&](const Int3& node, double weight) {
    if (weight > negligible_weight) corners[count++] = node;
  });
  for (const Int3& node : std::span(corners).first(count)) {
    const Real3 from_place = Real3{node[0] + 0.5, node[1] + 0.5, node[2] + 0.5} - place;
    if (const std::optional<NodeImage> image = NodeImage::at(nodes, node)) {
      samples.push_back({from_place, image, {}});
      continue;
    }
    special = true;
    // Finds walls on the links between the node and those that are fluid.
    for (const Int3& other : std::span(corners).first(count)) {
      const Int3 step = step_between(other, node);
      if (std::abs(step[0]) + std::abs(step[1]) + std::abs(step[2]) != 1) continue;
      const NodeMap::Landing inside = nodes.land(other);
      if (!inside.inside || !nodes.is_fluid(inside.node)) continue;
      Int3 seen{};  // the wall's node as the node in the box sees it
      for (std::size_t axis = 0; axis < 3; ++axis) seen[axis] = inside.sign[axis] * step[axis];
      const int surface = geometry_.surface_of(inside.node, seen);
      const double part = geometry_.distance_of ? geometry_.distance_of(inside.node, seen) : 0.5;
      const auto along = [part](const Int3& from, const Int3& by) {
        return Real3{from[0] + 0.5 + part * by[0], from[1] + 0.5 + part * by[1], from[2] + 0.5 + part * by[2]};
      };
      std::optional<Real3> velocity =
          is_opening(surface) ? std::nullopt : velocity_of_(surface, along(inside.node, seen));
      if (!velocity) continue;
      for (std::size_t axis = 0; axis < 3; ++axis) (*velocity)[axis] *= inside.sign[axis];
      samples.push_back({along(other, step) - place, {}, *velocity});
    }
  }
  if (!special) return {};
  LinearFit fit;
  const auto weight_of = [](const Sample& sample) { return 1 / (dot(sample.from_place, sample.from_place) + 1e-4); };
  for (const Sample& sample : samples) fit.add(sample.from_place, weight_of(sample));
  fit.solve();
  for (const Sample& sample : samples) {
    const double factor = fit.factor(sample.from_place, weight_of(sample));
    if (sample.node)
      result.from_nodes.push_back({*sample.node, factor});
    else
      result.from_walls = result.from_walls + factor * sample.velocity;
  }
  return result;
}

std::vector<std::vector<PointValues::Neighbour>> LineValues::stencils(const std::vector<WallCrossing>& found) const {
  std::vector<std::vector<PointValues::Neighbour>> result;
  if (!found.empty() && !fit_) fit_.emplace(geometry_);
  Neighbourhood neighbourhood;
  std::vector<WallFit::Term> terms;
  for (const WallCrossing& crossing : found) {
    fit_->find(crossing.place, neighbourhood, terms);
    std::vector<PointValues::Neighbour>& extrapolated = result.emplace_back();
    for (const WallFit::Term& term : terms) extrapolated.push_back({term.image, term.factor});
    result.push_back({{*NodeImage::at(geometry_.nodes, crossing.place.node), 1}});
  }
  return result;
}

void LineValues::fill_between(const std::vector<Row>& rows, std::size_t depth, std::vector<double>& values) {
  const auto is_known = [&](std::size_t n) {
    return rows[n].kind == Row::Kind::fluid || rows[n].kind == Row::Kind::wall;
  };
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (rows[k].kind != Row::Kind::before) continue;
    std::size_t low = k, high = k;
    while (low > 0 && !is_known(low)) --low;
    while (high + 1 < rows.size() && !is_known(high)) ++high;
    if (!is_known(low) || !is_known(high)) continue;
    const double share = (rows[k].along - rows[low].along) / (rows[high].along - rows[low].along);
    for (std::size_t m = 0; m < depth; ++m)
      values[k * depth + m] = (1 - share) * values[low * depth + m] + share * values[high * depth + m];
  }
}

LineValues::Table LineValues::evaluate(const Case::Line& line, const std::vector<Field>& fields) const {
  const double snap = geometry_.distance_of ? snap_interpolated : snap_half_way;
  const std::vector<WallCrossing> found = crossings(line, snap);
  const std::vector<Row> all = rows(line, found, snap);
  Table table;
  std::vector<std::vector<PointValues::Neighbour>> others = stencils(found);
  std::vector<std::optional<Velocity>> beside(all.size());
  std::vector<std::size_t> place_of(all.size());  // index, among the points, of the ones with their velocities
  for (std::size_t k = 0; k < all.size(); ++k) {
    table.points.push_back(all[k].point);
    if (all[k].kind == Row::Kind::fluid && is_in_fluid(geometry_.nodes, output_.grid, all[k].point))
      beside[k] = velocity_at(all[k].point);
    place_of[k] = beside[k] ? all.size() + others.size() : k;
    if (beside[k]) others.push_back(beside[k]->from_nodes);
  }
  const PointValues points(geometry_.nodes, output_.grid, table.points, others);
  const std::vector<std::vector<double>> values = points.evaluate(output_, fields);
  for (std::size_t f = 0; f < fields.size(); ++f) {
    const auto depth = static_cast<std::size_t>(fields[f].components);
    const AtWall rule = fields[f].at_wall;
    std::vector<double>& out = table.values.emplace_back(all.size() * depth, std::numeric_limits<double>::quiet_NaN());
    for (std::size_t k = 0; k < all.size(); ++k) {
      const Row& row = all[k];
      if (row.kind == Row::Kind::beyond || row.kind == Row::Kind::before) continue;
      std::size_t from = k;
      double left = 1;
      Real3 added{};
      if (row.kind == Row::Kind::wall) {
        const WallPlace& place = found[row.crossing].place;
        from = all.size() + 2 * row.crossing + (rule == AtWall::of_node ? 1 : 0);
        const auto velocity = rule == AtWall::of_wall ? velocity_of_(place.surface, place.point) : std::nullopt;
        if (velocity) std::tie(left, added) = std::pair(0.0, *velocity);
      } else if (rule == AtWall::of_wall && beside[k]) {
        from = place_of[k];
        added = beside[k]->from_walls;
      }
      for (std::size_t m = 0; m < depth; ++m) out[k * depth + m] = left * values[f][from * depth + m] + added[m];
    }
    fill_between(all, depth, out);
  }
  return table;
}

}  // namespace fluvia
