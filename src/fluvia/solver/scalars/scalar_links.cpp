// SPDX-License-Identifier: Apache-2.0
#include "fluvia/solver/scalars/scalar_links.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "fluvia/base/error.hpp"
#include "fluvia/case/physics/registered_physics.hpp"
#include "fluvia/core/lattice/lattice.hpp"
#include "fluvia/core/scalar/conditions.hpp"
#include "fluvia/solver/links/wall_links.hpp"
#include "fluvia/solver/scalars/scalar_cells.hpp"
#include "fluvia/solver/scalars/solid_neighbours.hpp"

namespace fluvia {

namespace {

const Opening* opening_of(const Geometry& geometry, int surface) {
  const auto found = std::find_if(geometry.openings.begin(), geometry.openings.end(),
                                  [&](const Opening& opening) { return opening.surface == surface; });
  return found == geometry.openings.end() ? nullptr : &*found;
}

/// How far a link goes along the normal of the surface that cuts it, all of its length if nobody knows the normal.
double way_across(const Geometry& geometry, const Int3& node, const Int3& out, int surface) {
  if (surface < surface_id::wall) return std::abs(out[surface / 2]);
  const Real3 link{1.0 * out[0], 1.0 * out[1], 1.0 * out[2]};
  if (const Opening* const opening = opening_of(geometry, surface)) return std::abs(dot(link, opening->normal));
  return geometry.normal_of ? std::abs(dot(link, geometry.normal_of(node, out))) : norm(link);
}

/// What condition number `boundary` of the case is in lattice units, at time 0.
ScalarAtSurface at_surface(const Problem& problem, std::size_t boundary, const ScalarMethod& scalar) {
  const Case::Boundary::ScalarCondition& condition = problem.settings.boundaries[boundary].scalars.at(scalar.name);
  ScalarAtSurface surface;
  const double speed = problem.units.velocity(1);
  surface.prescribes = !condition.adiabatic;
  const auto prescribe = [&](const Case::Prescribed& given, const char* name) {
    const PrescribedNumber number(problem.settings, given,
                                  fmt::format("boundary[{}].scalars.{}.{}", boundary, scalar.name, name));
    surface.set(number.at(0));
    if (given.changes()) surface.over_time = number;
  };
  if (condition.value) {
    surface.rule = core::scalar_rule_of<core::ScalarValue>;
    surface.offset = scalar.reference;
    prescribe(*condition.value, "value");
  } else if (condition.flux) {
    surface.rule = core::scalar_rule_of<core::ScalarFlux>;
    surface.scale = speed;
    prescribe(*condition.flux, "flux");
  } else if (condition.exchange) {
    surface.rule = core::scalar_rule_of<core::ScalarExchange>;
    surface.offset = scalar.reference;
    prescribe(*condition.ambient, "ambient");
    surface.coefficient = speed * *condition.exchange;
  }
  return surface;
}

/// The direction with this velocity.
int find_direction(const ScalarLatticeFacts& lattice, const Int3& velocity) {
  const auto found = std::find(lattice.velocities.begin(), lattice.velocities.end(), velocity);
  return static_cast<int>(found - lattice.velocities.begin());
}

/// The next node away from a surface: of faces of the box straight inwards, else against the link.
Int3 inner_node(const NodeMap& nodes, const Int3& node, const Int3& out, int surface) {
  Int3 inner = node;
  for (int axis = 0; axis < 3; ++axis) {
    const int there = node[axis] + out[axis];
    const bool leaves_box = !nodes.periodic[axis] && (there < 0 || there >= nodes.size[axis]);
    if (surface >= surface_id::wall || leaves_box) inner[axis] -= out[axis];
  }
  return inner;
}

/// Follows the links of a scalar's nodes, in the fluid and in solids.
class WayFinder {
 public:
  WayFinder(const Problem& problem, const ScalarMethod& scalar, const std::vector<ScalarAtSurface>& surfaces,
            const ScalarSolids& solids, const ScalarCells& cells, const ScalarNodes& of)
      : geometry_(problem.geometry),
        lattice_(*scalar.lattice),
        surfaces_(surfaces),
        solids_(solids),
        cells_(cells),
        of_(of),
        diffusivity_(scalar.diffusivity),
        interpolated_(interpolated_surfaces(problem.settings, problem.geometry)) {}

  [[nodiscard]] std::uint64_t nodes() const { return of_.count() + solids_.count(); }

  /// Of a block: adds the joints between the fluid and solids, which all blocks step, and what blocks tell each other
  /// for that. In the order of the fluid's nodes and directions, as in a domain in one piece.
  void find_at_solids(ScalarWays& ways) const {
    const NodeMap& all = geometry_.nodes;
    std::vector<std::uint32_t> told;
    ways.borders.resize(of_.block().neighbours.size());
    for_each_link_to(solids_, all, lattice_, [&](std::uint32_t tile, const Int3& at, int i, const Int3& in_solid) {
      const std::optional<std::size_t> owner = of_.owner_of(tile);
      const Node solid = node_at(in_solid, static_cast<std::uint64_t>(number_of(in_solid)));
      const NodeMap::Landing landing = landing_of(at, i);
      ScalarJoint joint = joint_at_solid(at, i, solid, arriving_at(landing, i));
      joint.says = static_cast<std::uint32_t>(static_cast<std::uint64_t>(lattice_.directions) * nodes()) + ways.besides;
      joint.is_elsewhere = owner.has_value();
      joint.back[0] =
          owner ? joint.says : place(core::opposite(i), static_cast<std::uint64_t>(of_.stored().node_index(at)));
      ways.besides += ScalarJoint::said + (owner ? ScalarJoint::kept : 0);
      for (std::uint32_t k = 0; k < ScalarJoint::said; ++k)
        (owner ? ways.borders[*owner].arrives : told).push_back(joint.says + k);
      if (owner) ways.borders[*owner].at_solids.push_back(static_cast<std::uint32_t>(ways.joints.size()));
      ways.joints.push_back(joint);
    });
    for (std::size_t k = 0; k < ways.borders.size(); ++k)
      if (of_.block().neighbours[k].link == ExchangeLink::copy)
        ways.borders[k].leaves.insert(ways.borders[k].leaves.end(), told.begin(), told.end());
  }

  /// Adds the ways of all nodes of the fluid, or of all nodes of solids.
  void find(bool in_solids, ScalarWays& ways) const {
    const NodeMap& map = in_solids ? solids_.nodes : of_.stored();
    const std::uint64_t first = in_solids ? of_.count() : 0;
    std::vector<std::vector<ScalarCutLink>> links(map.tiles.size());
    std::vector<std::vector<ScalarJoint>> joints(map.tiles.size());
    std::vector<std::vector<Crossing>> crossings(map.tiles.size());
#pragma omp parallel for schedule(dynamic, 16)
    for (std::size_t t = 0; t < map.tiles.size(); ++t) {
      std::uint64_t n = first + map.tiles[t].first_node;
      for (std::uint64_t rest = map.tiles[t].mask; rest != 0; rest &= rest - 1, ++n) {
        const Node node = node_at(map.node_position(map.tiles[t], std::countr_zero(rest)), n);
        for (int i = 1; i < lattice_.directions; ++i) {
          if (!is_own(n)) {
            note_inner(node, i, crossings[t]);
            continue;
          }
          ways.target[static_cast<std::uint64_t>(i - 1) * nodes() + n] =
              follow(node, i, links[t], joints[t], crossings[t]);
        }
        keep_exchange_stable(n, links[t]);
      }
    }
    for (const auto& of_tile : links) ways.links.insert(ways.links.end(), of_tile.begin(), of_tile.end());
    for (const auto& of_tile : joints) ways.joints.insert(ways.joints.end(), of_tile.begin(), of_tile.end());
    for (const auto& of_tile : crossings)
      for (const Crossing& crossing : of_tile) add(crossing, ways.borders);
    for (ScalarBorder& border : ways.borders)
      for (auto* const places : {&border.arrives, &border.leaves}) {
        std::sort(places->begin(), places->end());
        places->erase(std::unique(places->begin(), places->end()), places->end());
      }
  }

 private:
  struct Node {
    Int3 at;
    std::uint64_t number;
    std::uint8_t material;
    std::uint64_t cell;  ///< number of a node of the fluid in ScalarCells
  };
  [[nodiscard]] Node node_at(const Int3& at, std::uint64_t number) const {
    const std::uint8_t material = material_of(number);
    const bool is_known = of_.is_whole() || material != 0;
    return {at, number, material, is_known ? number : static_cast<std::uint64_t>(geometry_.nodes.node_index(at))};
  }
  /// What a block exchanges with a neighbour because of one link.
  struct Crossing {
    std::size_t neighbour;
    std::optional<std::uint32_t> arrives, leaves;
    std::optional<ScalarJoint> joint{};
  };
  static void add(const Crossing& crossing, std::vector<ScalarBorder>& borders) {
    if (borders.size() <= crossing.neighbour) borders.resize(crossing.neighbour + 1);
    ScalarBorder& border = borders[crossing.neighbour];
    if (crossing.arrives) border.arrives.push_back(*crossing.arrives);
    if (crossing.leaves) border.leaves.push_back(*crossing.leaves);
    if (crossing.joint) border.joints.push_back(*crossing.joint);
  }
  /// Whether the node is computed here: solids are in one piece.
  [[nodiscard]] bool is_own(std::uint64_t number) const {
    return number >= of_.count() || of_.owns(number);
  }
  [[nodiscard]] std::uint8_t material_of(std::uint64_t number) const {
    const std::uint64_t fluid = of_.count();
    return number < fluid ? std::uint8_t{0} : solids_.of_node[number - fluid];
  }
  /// Number of the node at a place of the box, -1 if the scalar is not there.
  [[nodiscard]] std::int64_t number_of(const Int3& at) const {
    const std::int64_t in_fluid = of_.stored().node_index(at);
    if (in_fluid >= 0) return in_fluid;
    const std::int64_t in_solid = solids_.find(at);
    return in_solid < 0 ? -1 : in_solid + static_cast<std::int64_t>(of_.count());
  }
  [[nodiscard]] std::uint32_t place(int direction, std::uint64_t number) const {
    return static_cast<std::uint32_t>(static_cast<std::uint64_t>(direction) * nodes() + number);
  }

  /// Where what leaves a node along direction i arrives.
  std::uint32_t follow(const Node& node, int i, std::vector<ScalarCutLink>& links, std::vector<ScalarJoint>& joints,
                       std::vector<Crossing>& crossings) const {
    const Int3& c = lattice_.velocities[static_cast<std::size_t>(i)];
    const Int3& x = node.at;
    const NodeMap::Landing landing = landing_of(x, i);
    const std::uint32_t back = place(core::opposite(i), node.number);
    if (!of_.is_whole() && landing.inside && meets_other_kind(node, landing.node)) return back;  // find_at_solids()
    const std::int64_t there = landing.inside ? number_of(landing.node) : -1;
    if (there < 0) {
      add_cut_link(node, i, links);
      if (!of_.is_whole() && node.material == 0) note_inner(node, i, crossings);
      return back;
    }
    const auto number = static_cast<std::uint64_t>(there);
    const Node other = node_at(landing.node, number);
    const int arriving = arriving_at(landing, i);
    const std::uint8_t material = other.material;
    const double capacities[2] = {capacity_of(node), capacity_of(other)};
    const bool in_fluid = material == 0 && node.material == 0;
    const double part = in_fluid ? cells_.part(x, node.cell, c, other.cell) : 1;
    const bool is_plain = material == node.material && capacities[0] == capacities[1] && part == 1;
    if (!is_own(number)) crossings.push_back(crossing_of(node, i, other, arriving, is_plain));
    if (is_plain) return place(arriving, number);
    if (number > node.number && is_own(number)) {  // once for both ends
      if (node.material == 0 && material != 0) {
        joints.push_back(joint_at_solid(x, i, other, arriving));
        joints.back().back[0] = back;
        return back;
      }
      ScalarJoint& joint = joints.emplace_back(ScalarJoint{{back, place(arriving, number)},
                                                           ScalarJoint::no_surface,
                                                           {node.material, material},
                                                           {capacities[0], capacities[1]},
                                                           part,
                                                           0.5,
                                                           0});
      if (material != node.material) joint.distance = distance_to(x, c, geometry_.surface_of(x, c));
    }
    return back;
  }

  [[nodiscard]] NodeMap::Landing landing_of(const Int3& x, int i) const {
    const Int3& c = lattice_.velocities[static_cast<std::size_t>(i)];
    return geometry_.nodes.land({x[0] + c[0], x[1] + c[1], x[2] + c[2]});
  }
  /// The direction in which what leaves along direction i arrives.
  [[nodiscard]] int arriving_at(const NodeMap::Landing& landing, int i) const {
    const Int3& c = lattice_.velocities[static_cast<std::size_t>(i)];
    return find_direction(lattice_, {c[0] * landing.sign[0], c[1] * landing.sign[1], c[2] * landing.sign[2]});
  }
  /// Whether a node is of a solid, and the other one, somewhere in the box, of the fluid, or the other way round.
  [[nodiscard]] bool meets_other_kind(const Node& node, const Int3& other) const {
    return node.material == 0 ? solids_.find(other) >= 0 : geometry_.nodes.is_fluid(other);
  }
  /// The link from a node of the fluid, whose cell is whole there (ScalarCells), along direction i to one of a solid,
  /// without the place at the former.
  [[nodiscard]] ScalarJoint joint_at_solid(const Int3& x, int i, const Node& solid, int arriving) const {
    const Int3& c = lattice_.velocities[static_cast<std::size_t>(i)];
    const int surface = geometry_.surface_of(x, c);
    return {{0, place(arriving, solid.number)},
            static_cast<std::uint16_t>(surface),
            {0, solid.material},
            {solids_.material.front().capacity, capacity_of(solid)},
            1,
            distance_to(x, c, surface),
            area_of(i, way_across(geometry_, x, c, surface))};
  }

  /// A link from an own node, along direction i, to one that another block owns, where it arrives in a direction.
  [[nodiscard]] Crossing crossing_of(const Node& node, int i, const Node& other, int arriving, bool is_plain) const {
    const std::uint32_t back = place(core::opposite(i), node.number), there = place(arriving, other.number);
    Crossing crossing{of_.neighbour_of(other.number), back, there};
    if (is_plain) return crossing;
    // What comes back to each of both goes into the joint, which is that of its first node on either side.
    std::swap(crossing.arrives, crossing.leaves);
    const bool is_first = node.number < other.number;
    const Node &first = is_first ? node : other, &second = is_first ? other : node;
    const Int3& c = lattice_.velocities[static_cast<std::size_t>(is_first ? i : core::opposite(arriving))];
    crossing.joint = ScalarJoint{{is_first ? back : there, is_first ? there : back},
                                 ScalarJoint::no_surface,
                                 {0, 0},
                                 {capacity_of(first), capacity_of(second)},
                                 cells_.part(first.at, first.cell, c, second.cell),
                                 0.5,
                                 0};
    return crossing;
  }

  /// What outflow of a cut link takes at the next node away from the surface, where one block has the link, another one
  /// fills that place, and none of both has the place. Only diagonal links lead there.
  void note_inner(const Node& node, int i, std::vector<Crossing>& crossings) const {
    const Int3& c = lattice_.velocities[static_cast<std::size_t>(i)];
    const NodeMap& all = geometry_.nodes;
    const auto fluid_at = [&](const Int3& from) {
      const NodeMap::Landing there = all.land({from[0] + c[0], from[1] + c[1], from[2] + c[2]});
      return there.inside && all.is_fluid(there.node) ? std::optional(there.node) : std::nullopt;
    };
    if (fluid_at(node.at)) return;
    const int surface = geometry_.surface_of(node.at, c);
    if (surfaces_[static_cast<std::size_t>(surface)].rule != core::scalar_rule_of<core::ScalarOutflow>) return;
    const Int3 at = inner_node(all, node.at, c, surface);
    const std::int64_t inner = of_.stored().node_index(at);
    if (inner < 0) return;  // another block fills it
    const std::optional<Int3> beyond = fluid_at(at);
    const std::int64_t filler = beyond ? of_.stored().node_index(*beyond) : inner;
    if (filler < 0) return;
    const auto owner = [&](std::uint64_t number) { return is_own(number) ? none : of_.neighbour_of(number); };
    const std::size_t reads = owner(node.number), has = owner(static_cast<std::uint64_t>(inner)),
                      fills = owner(static_cast<std::uint64_t>(filler));
    if (has == reads || fills == reads || (reads != none && fills != none)) return;
    const std::uint32_t wanted = place(core::opposite(i), static_cast<std::uint64_t>(inner));
    if (beyond && cells_.part(at, static_cast<std::uint64_t>(all.node_index(at)), c,
                              static_cast<std::uint64_t>(all.node_index(*beyond))) != 1)
      throw_input(fmt::format(
          "scalar: a border between parts of the domain meets an outlet at node ({}, {}, {}), beside walls between the "
          "nodes, where a scalar with diagonal links needs more than its neighbours; use another number of ranks, or "
          "a lattice of fewer directions",
          node.at[0], node.at[1], node.at[2]));
    if (reads == none)
      crossings.push_back({fills, wanted, std::nullopt});
    else
      crossings.push_back({reads, std::nullopt, wanted});
  }

  void add_cut_link(const Node& node, int i, std::vector<ScalarCutLink>& links) const {
    const Int3& c = lattice_.velocities[static_cast<std::size_t>(i)];
    const bool in_fluid = node.material == 0;
    const int surface = geometry_.surface_of(node.at, c);
    const auto s = static_cast<std::size_t>(surface);
    const ScalarAtSurface& at = surfaces_[s];
    if (at.rule == core::scalar_rule_of<core::ScalarFlux> && !at.prescribes) return;  // adiabatic
    if (!in_fluid && opening_of(geometry_, surface) != nullptr) return;               // a solid is not carried out
    const std::int64_t inner =
        in_fluid ? of_.stored().node_index(inner_node(geometry_.nodes, node.at, c, surface)) : -1;
    // Half-way walls of solids are stairs of faces of cells.
    const bool is_known = in_fluid || surface < surface_id::wall || interpolated_[s];
    const double across = is_known ? way_across(geometry_, node.at, c, surface) : 1;
    const double distance = distance_to(node.at, c, surface);
    // Half-way walls that do not follow the lattice are stairs, half a node away along its axes.
    const double reach = in_fluid && interpolated_[s] ? distance * across : 0.5;
    links.push_back({static_cast<std::uint32_t>(node.number),
                     static_cast<std::uint32_t>(inner >= 0 ? inner : static_cast<std::int64_t>(node.number)),
                     static_cast<std::uint16_t>(surface), static_cast<std::uint8_t>(i), distance, area_of(i, across),
                     reach, in_fluid ? cells_.of(node.cell).volume : 1});
  }
  /// What surfaces bring a cell in a step by exchange may not be more than the cell lacks: they act from farther away
  /// where it is small, which only coefficients of half a node a step and more reach.
  void keep_exchange_stable(std::uint64_t node, std::vector<ScalarCutLink>& links) const {
    const auto exchanges = [&](const ScalarCutLink& link) {
      return interpolated_[link.surface] && surfaces_[link.surface].rule == core::scalar_rule_of<core::ScalarExchange>;
    };
    double area = 0;
    for (auto link = links.rbegin(); link != links.rend() && link->node == node; ++link)
      if (exchanges(*link)) area += link->area;
    for (auto link = links.rbegin(); link != links.rend() && link->node == node; ++link)
      if (exchanges(*link) && surfaces_[link->surface].coefficient > 0)
        link->reach =
            std::max(link->reach, diffusivity_ * (area / link->volume - 1 / surfaces_[link->surface].coefficient));
  }
  [[nodiscard]] double capacity_of(const Node& node) const {
    const double volume = node.material == 0 ? cells_.of(node.cell).volume : 1;
    return solids_.material.empty() ? volume : solids_.material[node.material].capacity * volume;
  }
  /// Part of a link before what cuts it; half of it unless walls of the surface are between the nodes. What the layers
  /// of the geometry say of links that leave the fluid holds for those from one solid to another as well.
  [[nodiscard]] double distance_to(const Int3& at, const Int3& c, int surface) const {
    return interpolated_[static_cast<std::size_t>(surface)] ? geometry_.distance_of(at, c) : 0.5;
  }
  /// Part of a face's area for which a link stands that goes so far along the normal of its surface.
  [[nodiscard]] double area_of(int i, double across) const {
    return 2 * lattice_.weights[static_cast<std::size_t>(i)] * across / lattice_.sound_squared;
  }

  const Geometry& geometry_;
  const ScalarLatticeFacts& lattice_;
  const std::vector<ScalarAtSurface>& surfaces_;
  const ScalarSolids& solids_;
  const ScalarCells& cells_;
  const ScalarNodes& of_;
  static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
  double diffusivity_;
  std::vector<bool> interpolated_;
};

}  // namespace

bool set_time(std::vector<ScalarAtSurface>& surfaces, double time) {
  bool any = false;
  for (ScalarAtSurface& at : surfaces) {
    if (!at.over_time) continue;
    at.set(at.over_time->at(time));
    any = true;
  }
  return any;
}

void set_value(ScalarAtSurface& at, double value, const std::string& surface, const ScalarMethod& scalar) {
  if (!at.prescribes)
    throw_input("surface '" + surface + "' prescribes nothing for the scalar '" + scalar.name +
                "'; give it a value, a flux or exchange in the case");
  if (at.over_time)
    throw_input("surface '" + surface + "': the case says how '" + scalar.name +
                "' changes there in time; give it a number in the case to set another");
  at.set(value);
}

std::vector<ScalarAtSurface> scalar_surfaces(const Problem& problem, const ScalarMethod& scalar) {
  const Geometry& geometry = problem.geometry;
  std::vector<ScalarAtSurface> surfaces(geometry.surfaces.size());
  for (std::size_t s = 0; s < surfaces.size(); ++s) {
    surfaces[s].rule = core::scalar_rule_of<core::ScalarFlux>;
    if (opening_of(geometry, static_cast<int>(s)) != nullptr)
      surfaces[s].rule = core::scalar_rule_of<core::ScalarOutflow>;
    for (std::size_t k = 0; k < problem.settings.boundaries.size(); ++k) {
      const Case::Boundary& b = problem.settings.boundaries[k];
      if (b.surface == geometry.surfaces[s] && b.scalars.contains(scalar.name))
        surfaces[s] = at_surface(problem, k, scalar);
      if (surfaces[s].rule == core::scalar_rule_of<core::ScalarValue> && opening_of(geometry, static_cast<int>(s)))
        surfaces[s].rule = core::scalar_rule_of<core::ScalarInflow>;
    }
  }
  return surfaces;
}

namespace {

/// Numbers by all nodes, for those that are stored.
std::vector<float> of_stored(const std::vector<float>& of_all, const NodeMap& all, const ScalarNodes& nodes) {
  if (nodes.is_whole() || of_all.empty()) return of_all;
  std::vector<float> numbers(nodes.count());
  std::uint64_t n = 0;
  for (const NodeMap::Tile& tile : nodes.stored().tiles)
    for (std::uint64_t rest = tile.mask; rest != 0; rest &= rest - 1)
      numbers[n++] = of_all[static_cast<std::uint64_t>(
          all.node_index(nodes.stored().node_position(tile, std::countr_zero(rest))))];
  return numbers;
}

}  // namespace

ScalarWays make_scalar_ways(const Problem& problem, const ScalarMethod& scalar,
                            const std::vector<ScalarAtSurface>& surfaces, const ScalarSolids& solids) {
  return make_scalar_ways(problem, scalar, surfaces, solids, ScalarNodes(problem.geometry.nodes));
}

ScalarWays make_scalar_ways(const Problem& problem, const ScalarMethod& scalar,
                            const std::vector<ScalarAtSurface>& surfaces, const ScalarSolids& solids,
                            const ScalarNodes& nodes) {
  const ScalarCells cells(problem, scalar, surfaces, solids, nodes.near());
  const WayFinder finder(problem, scalar, surfaces, solids, cells, nodes);
  ScalarWays ways;
  ways.nodes = finder.nodes();
  const auto require_numbers = [&] {
    if (ways.nodes * static_cast<std::uint64_t>(scalar.lattice->directions) + ways.besides >
        std::numeric_limits<std::uint32_t>::max())
      throw_resource(fmt::format("scalar '{}': {} nodes are too many for 32-bit numbers of places; use fewer",
                                 scalar.name, ways.nodes));
  };
  require_numbers();
  ways.volume = of_stored(cells.volume(), problem.geometry.nodes, nodes);
  ways.strength = of_stored(cells.strength(), problem.geometry.nodes, nodes);
  ways.target.resize(ways.nodes * static_cast<std::uint64_t>(scalar.lattice->directions - 1));
  finder.find(false, ways);
  if (solids.count() == 0) return ways;
  if (!nodes.is_whole()) finder.find_at_solids(ways);
  require_numbers();
  finder.find(true, ways);
  return ways;
}

}  // namespace fluvia
