// SPDX-License-Identifier: Apache-2.0
#include "fluvia/solver/tracers/node_cells.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "fluvia/case/physics/registered_physics.hpp"
#include "fluvia/geometry/map/link_search.hpp"
#include "fluvia/solver/links/surface_roles.hpp"
#include "fluvia/solver/profiles/time_series.hpp"

namespace fluvia {

namespace {

/// A node is further than this from what is solid if all nodes around it are fluid.
constexpr double far_away = 2;
/// Part of a link from which on the node before a wall determines the velocity beyond it.
constexpr double near_enough = 0.5;

Int3 sum(const Int3& a, const Int3& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}
Int3 difference(const Int3& a, const Int3& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
int square(const Int3& a) {
  return a[0] * a[0] + a[1] * a[1] + a[2] * a[2];
}

}  // namespace

std::uint64_t NodeCells::expected_bytes(const NodeMap& nodes) {
  constexpr double cell_bytes_2d = 340, cell_bytes_3d = 540;  // with its terms and what finds it, measured
  const std::vector<Int3> offsets = neighbour_offsets(nodes.dimension, nodes.dimension);
  const int corners = nodes.dimension == 2 ? 4 : 8;
  std::vector<std::uint32_t> of_cell(static_cast<std::size_t>(corners));  // offsets to its corners from one of them
  for (std::size_t k = 0; k < offsets.size(); ++k)
    for (int cell = 0; cell < corners; ++cell) {
      bool holds = true;
      for (int a = 0; a < nodes.dimension; ++a) holds = holds && offsets[k][a] != ((cell >> a & 1) != 0 ? -1 : 1);
      if (holds) of_cell[static_cast<std::size_t>(cell)] |= std::uint32_t{1} << k;
    }
  double cells = 0;  // each corner counts for its share of those of the cell that are fluid
  LinkSearch search(nodes, offsets);
  for (std::uint64_t t = 0; t < nodes.tiles.size(); ++t)
    search.visit_tile(t, [&](const NodeWithCuts& node) {
      for (const std::uint32_t there : of_cell)
        if ((node.cut & there) != 0) cells += 1.0 / (corners - std::popcount(node.cut & there));
    });
  return static_cast<std::uint64_t>(cells * (nodes.dimension == 2 ? cell_bytes_2d : cell_bytes_3d));
}

NodeCells::NodeCells(const Problem& problem)
    : case_(problem.settings),
      units_(problem.units),
      geometry_(problem.geometry),
      surfaces_(geometry_.surfaces.size()),
      ramp_(geometry_.surfaces.size(), 1.0),
      offsets_(neighbour_offsets(geometry_.nodes.dimension, geometry_.nodes.dimension)),
      marks_(geometry_.nodes.tiles.size(), 0) {
  for (const Case::Boundary& b : case_.boundaries) {
    const int number = find_surface(geometry_, b.surface);
    if (number < 0) continue;
    const core::ConditionFacts& facts = facts_of_boundary(b.type);
    MeetingSurface& surface = surfaces_[static_cast<std::size_t>(number)];
    surface.sticks = facts.sticks;
    if (facts.velocity == core::VelocityKeys::wall) surface.moves = &b;
  }
  for (const Opening& opening : geometry_.openings)
    surfaces_[static_cast<std::size_t>(opening.surface)].is_opening = true;
  add_cells();
}

void NodeCells::set_time(double time) {
  for (std::size_t s = 0; s < surfaces_.size(); ++s)
    if (surfaces_[s].moves != nullptr) ramp_[s] = ramp_factor(time, surfaces_[s].moves->ramp);
}

bool NodeCells::in_box(const Int3& node) const {
  return axis_outside(node) < 0;
}

int NodeCells::axis_outside(const Int3& node) const {
  for (int a = 0; a < geometry_.nodes.dimension; ++a)
    if (!geometry_.nodes.periodic[a] && (node[a] < 0 || node[a] >= geometry_.nodes.size[a])) return a;
  return -1;
}

Int3 NodeCells::in_periods(Int3 node) const {
  for (int a = 0; a < geometry_.nodes.dimension; ++a)
    if (geometry_.nodes.periodic[a]) node[a] = wrapped(node[a], geometry_.nodes.size[a]);
  return node;
}

NodeCells::Local NodeCells::locate(const Real3& place) const {
  Local local{};
  for (int a = 0; a < geometry_.nodes.dimension; ++a) {
    const double at = place[a] - 0.5, below = std::floor(at);
    local.base[a] = static_cast<int>(below);
    local.fraction[a] = at - below;
  }
  return local;
}

double NodeCells::weight(const Real3& fraction, int corner) {
  double product = 1;
  for (int a = 0; a < 3; ++a) product *= corner >> a & 1 ? fraction[a] : 1 - fraction[a];
  return product;
}

std::uint64_t NodeCells::key_of(Int3 base) const {
  const NodeMap& nodes = geometry_.nodes;
  std::uint64_t key = 0;
  for (int a = 2; a >= 0; --a) {
    if (nodes.periodic[a]) base[a] = wrapped(base[a], nodes.size[a]);
    key = key * static_cast<std::uint64_t>(nodes.size[a] + 1) + static_cast<std::uint64_t>(base[a] + 1);
  }
  return key;
}

const NodeCells::Cell* NodeCells::find(const Int3& base) const {
  // Most cells have no mark, which is quicker to see than that a table does not have them.
  if (const auto node = geometry_.nodes.find_fluid(base); node && (marks_[node->tile] >> node->bit & 1) == 0)
    return nullptr;
  const auto found = numbers_.find(key_of(base));
  return found == numbers_.end() ? nullptr : &cells_[found->second];
}

std::array<std::int64_t, 8> NodeCells::corner_indices(const Int3& base) const {
  const NodeMap& nodes = geometry_.nodes;
  const Int3 shape = tile_shape(nodes.dimension);
  std::array<Int3, 2> tile{}, local{};  // of the lower and the upper corners along each axis
  for (int a = 0; a < nodes.dimension; ++a)
    for (const std::size_t side : {0U, 1U}) {
      const int node = wrapped(base[a] + static_cast<int>(side), nodes.size[a]);
      tile[side][a] = node / shape[a];
      local[side][a] = node % shape[a];
    }
  std::array<std::int64_t, 8> indices{};
  for (int k = 0; k < corners(); ++k) {
    const std::size_t x = k & 1, y = k >> 1 & 1, z = static_cast<std::size_t>(k >> 2);
    const std::uint32_t at = nodes.directory[nodes.directory_index({tile[x][0], tile[y][1], tile[z][2]})];
    std::int64_t& index = indices[static_cast<std::size_t>(k)];
    index = -1;
    if (at == empty_tile) continue;
    const int bit = tile_bit(nodes.dimension, {local[x][0], local[y][1], local[z][2]});
    const NodeMap::Tile& of = nodes.tiles[at];
    if ((of.mask >> bit & 1) != 0)
      index = static_cast<std::int64_t>(of.first_node) + std::popcount(of.mask & ((std::uint64_t{1} << bit) - 1));
  }
  return indices;
}

void NodeCells::add_cells() {
  const NodeMap& nodes = geometry_.nodes;
  // What lies around the nodes of the faces counts, too, where a plane of symmetry cuts no link.
  const auto add_around = [&](const Int3& node) {
    for (int corner = 0; corner < corners(); ++corner) {
      const Int3 base = difference(node, corner_of({0, 0, 0}, corner));
      bool all_fluid = true;
      for (int k = 0; k < corners(); ++k) {
        const Int3 at = corner_of(base, k);
        all_fluid = all_fluid && in_box(at) && nodes.is_fluid(at);
      }
      if (!all_fluid && !numbers_.contains(key_of(base))) add_cell(base);
    }
  };
  LinkSearch search(nodes, offsets_);
  for (std::uint64_t t = 0; t < nodes.tiles.size(); ++t) {
    search.visit_tile(t, [&](const NodeWithCuts& with_cuts) { add_around(with_cuts.node); });
    if (!nodes.has_mirrors()) continue;
    const NodeMap::Tile& tile = nodes.tiles[t];
    for (std::uint64_t rest = tile.mask; rest != 0; rest &= rest - 1) {
      const Int3 node = nodes.node_position(tile, std::countr_zero(rest));
      for (int a = 0; a < nodes.dimension; ++a)
        if ((nodes.mirrors[static_cast<std::size_t>(2 * a)] && node[a] == 0) ||
            (nodes.mirrors[static_cast<std::size_t>(2 * a + 1)] && node[a] == nodes.size[a] - 1))
          add_around(node);
    }
  }
}

void NodeCells::add_cell(const Int3& base) {
  const NodeMap& nodes = geometry_.nodes;
  Cell cell{};
  cell.first_term = static_cast<std::uint32_t>(terms_.size());
  for (int k = 0; k < corners(); ++k) {
    const Int3 at = corner_of(base, k);
    Int3 inside = at;
    for (int a = 0; a < nodes.dimension; ++a)
      if (!nodes.periodic[a]) inside[a] = std::clamp(inside[a], 0, nodes.size[a] - 1);
    const NodeWall wall = wall_of(inside);
    cell.distance[static_cast<std::size_t>(k)] = wall.distance;
    cell.surface[static_cast<std::size_t>(k)] = static_cast<std::int16_t>(wall.distance < 0 ? wall.surface : -1);
    cell.has_solid = cell.has_solid || wall.distance < 0;
    add_terms(at, {1, 1, 1}, static_cast<std::uint8_t>(k), base);
  }
  cell.end_term = static_cast<std::uint32_t>(terms_.size());
  if (const auto node = in_box(base) ? nodes.find_fluid(base) : std::nullopt)
    marks_[node->tile] |= std::uint64_t{1} << node->bit;
  numbers_.emplace(key_of(base), static_cast<std::uint32_t>(cells_.size()));
  cells_.push_back(cell);
}

double NodeCells::part_of_link(const Int3& node, const Int3& offset, int surface) const {
  if (!geometry_.distance_of || surfaces_[static_cast<std::size_t>(surface)].is_opening) return half_way_along_link;
  return geometry_.distance_of(node, offset);
}

/// The distance of a node of the box from the next surface inside it: of planes through the ends of cut links.
NodeCells::NodeWall NodeCells::wall_of(const Int3& at) const {
  const NodeMap& nodes = geometry_.nodes;
  const Int3 node = in_periods(at);
  const bool fluid = nodes.is_fluid(node);
  NodeWall nearest{far_away, -1};
  for (const Int3& offset : offsets_) {
    const Int3 other = sum(node, offset);
    if (!in_box(other) || nodes.is_fluid(other) == fluid) continue;
    const Int3 from = fluid ? node : in_periods(other);
    const Int3 along = fluid ? offset : Int3{-offset[0], -offset[1], -offset[2]};
    const int surface = geometry_.surface_of(from, along);
    const double part = part_of_link(from, along, surface);
    const Real3 normal = geometry_.normal_of(from, along);
    const double steep = std::abs(normal[0] * along[0] + normal[1] * along[1] + normal[2] * along[2]);
    const double distance = (fluid ? part : 1 - part) * steep;
    if (distance < nearest.distance) nearest = {distance, surface};
  }
  // A node on the surface itself belongs to the side that it is counted to.
  constexpr double least = 1e-6;
  nearest.distance = std::max(nearest.distance, least);
  if (!fluid) nearest.distance = -nearest.distance;
  if (!fluid && nearest.surface < 0) nearest.surface = surface_id::wall;
  return nearest;
}

void NodeCells::add_wall_speed(int surface, const Real3& point, const Real3& factor, std::uint8_t corner) {
  const Case::Boundary* moves = surfaces_[static_cast<std::size_t>(surface)].moves;
  if (moves == nullptr) return;
  const Real3 u = wall_velocity(*moves, units_, geometry_, point);
  terms_.push_back({wall_at_full_speed(surface), {factor[0] * u[0], factor[1] * u[1], factor[2] * u[2]}, corner});
}

void NodeCells::add_terms(const Int3& at, Real3 factor, std::uint8_t corner, const Int3& base) {
  const NodeMap& nodes = geometry_.nodes;
  const int axis = axis_outside(at);
  if (axis < 0) {
    if (const std::int64_t index = nodes.node_index(at); index >= 0)
      terms_.push_back({index, factor, corner});
    else
      add_solid_terms(at, factor, corner, base);
    return;
  }
  const bool above = at[axis] >= nodes.size[axis];
  const int face = 2 * axis + (above ? 1 : 0);
  Int3 inner = at;
  inner[axis] += above ? -1 : 1;
  if (nodes.mirrors[static_cast<std::size_t>(face)]) {
    factor[axis] = -factor[axis];
    return add_terms(inner, factor, corner, base);
  }
  const Real3 middle{(at[0] + inner[0] + 1) / 2.0, (at[1] + inner[1] + 1) / 2.0, (at[2] + inner[2] + 1) / 2.0};
  const int number = surface_beyond(middle, face);
  const MeetingSurface& surface = surfaces_[static_cast<std::size_t>(number)];
  if (surface.is_opening) return add_terms(inner, factor, corner, base);
  if (!surface.sticks) {
    factor[axis] = -factor[axis];
    return add_terms(inner, factor, corner, base);
  }
  add_wall_speed(number, middle, 2 * factor, corner);
  add_terms(inner, -1 * factor, corner, base);
}

void NodeCells::add_solid_terms(const Int3& at, const Real3& factor, std::uint8_t corner, const Int3& base) {
  const NodeMap& nodes = geometry_.nodes;
  std::vector<Int3> sources;
  int nearest = std::numeric_limits<int>::max();
  for (int k = 0; k < corners(); ++k) {
    const Int3 node = corner_of(base, k);
    if (!in_box(node) || !nodes.is_fluid(node)) continue;
    const int distance = square(difference(at, node));
    if (distance < nearest) sources.clear();
    nearest = std::min(nearest, distance);
    if (distance == nearest) sources.push_back(node);
  }
  for (const Int3& source : sources) {
    const Real3 share = (1 / static_cast<double>(sources.size())) * factor;
    const Int3 offset = difference(at, source);
    const Int3 node = in_periods(source);
    const int surface = geometry_.surface_of(node, offset);
    const MeetingSurface& meeting = surfaces_[static_cast<std::size_t>(surface)];
    if (meeting.is_opening || !meeting.sticks) {
      terms_.push_back({nodes.node_index(node), share, corner});
      continue;
    }
    const double part = part_of_link(node, offset, surface);
    const Int3 behind = difference(source, offset);
    const std::int64_t second = in_box(behind) ? nodes.node_index(behind) : -1;
    // The velocity is linear from the wall at `part` of the link to a node at 0, or to the one behind that at -1.
    const bool from_second = part < near_enough && second >= 0;
    const double least = 0.25, reach = from_second ? 1 + part : std::max(part, least);
    const double slope = (1 - part) / reach;
    terms_.push_back({from_second ? second : nodes.node_index(node), -slope * share, corner});
    const Real3 point{node[0] + 0.5 + part * offset[0], node[1] + 0.5 + part * offset[1],
                      node[2] + 0.5 + part * offset[2]};
    add_wall_speed(surface, point, (1 + slope) * share, corner);
  }
}

Real3 NodeCells::velocity(const Real3& place, std::span<const Real3> velocities) const {
  const Local local = locate(place);
  Real3 sum{};
  if (const Cell* cell = find(local.base)) {
    std::array<double, 8> weights{};
    for (int k = 0; k < corners(); ++k) weights[static_cast<std::size_t>(k)] = weight(local.fraction, k);
    for (std::uint32_t t = cell->first_term; t < cell->end_term; ++t) {
      const Term& term = terms_[t];
      const double w = weights[term.corner];
      if (term.node < 0) {
        sum = sum + w * ramp_[static_cast<std::size_t>(-1 - term.node)] * term.factor;
        continue;
      }
      const Real3& u = velocities[static_cast<std::size_t>(term.node)];
      for (int a = 0; a < 3; ++a) sum[a] += w * term.factor[a] * u[a];
    }
    return sum;
  }
  const std::array<std::int64_t, 8> indices = corner_indices(local.base);
  for (int k = 0; k < corners(); ++k)
    if (const std::int64_t index = indices[static_cast<std::size_t>(k)]; index >= 0)
      sum = sum + weight(local.fraction, k) * velocities[static_cast<std::size_t>(index)];
  return sum;
}

std::optional<NodeCells::Beside> NodeCells::beside(const Real3& place) const {
  const Local local = locate(place);
  const Cell* cell = find(local.base);
  if (cell == nullptr || !cell->has_solid) return std::nullopt;
  Beside result{0, {}, -1};
  double heaviest = -1;
  for (int k = 0; k < corners(); ++k) {
    const auto at = static_cast<std::size_t>(k);
    const double w = weight(local.fraction, k);
    result.distance += w * cell->distance[at];
    for (int a = 0; a < geometry_.nodes.dimension; ++a) {
      double along = k >> a & 1 ? 1 : -1;
      for (int b = 0; b < 3; ++b)
        if (b != a) along *= k >> b & 1 ? local.fraction[b] : 1 - local.fraction[b];
      result.inwards[a] += along * cell->distance[at];
    }
    if (cell->surface[at] >= 0 && w > heaviest) {
      heaviest = w;
      result.surface = cell->surface[at];
    }
  }
  return result;
}

bool NodeCells::in_fluid(const Real3& place) const {
  const Local local = locate(place);
  const NodeMap& nodes = geometry_.nodes;
  for (int a = 0; a < nodes.dimension; ++a)
    if (place[a] < 0 || place[a] > nodes.size[a]) return false;
  if (const Cell* cell = find(local.base)) {
    if (!cell->has_solid) return true;
    return beside(place)->distance > 0;
  }
  return nodes.is_fluid(local.base);
}

int NodeCells::surface_beyond(const Real3& place, int face) const {
  const NodeMap& nodes = geometry_.nodes;
  const int axis = face / 2;
  Int3 node{};
  for (int a = 0; a < nodes.dimension; ++a) {
    node[a] = static_cast<int>(std::floor(place[a]));
    if (!nodes.periodic[a]) node[a] = std::clamp(node[a], 0, nodes.size[a] - 1);
  }
  node = in_periods(node);
  if (!nodes.is_fluid(node)) return face;
  Int3 offset{};
  offset[axis] = face % 2 == 1 ? 1 : -1;
  return geometry_.surface_of(node, offset);
}

}  // namespace fluvia
