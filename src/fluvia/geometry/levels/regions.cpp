// SPDX-License-Identifier: Apache-2.0
#include "fluvia/geometry/levels/regions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>

#include "fluvia/base/error.hpp"
#include "fluvia/base/text.hpp"
#include "fluvia/case/physics/registered_physics.hpp"
#include "fluvia/core/boundary/registry.hpp"
#include "fluvia/geometry/generate/shapes.hpp"
#include "fluvia/geometry/map/link_search.hpp"
#include "fluvia/geometry/mesh/stl_layers.hpp"

namespace fluvia::geometry {

namespace {

/// Nodes of the coarsest level, from the middle of one beside a surface, as far as conditions are checked.
constexpr double reach_of_conditions = 2.5;

std::string key_of(std::size_t entry) {
  return fmt::format("refine[{}]", entry);
}

[[noreturn]] void fail_region(const Case& c, std::size_t entry, const char* key, const std::string& problem) {
  throw_input(fmt::format("{}: {}.{}: {}", c.place(key_of(entry)), key_of(entry), key, problem));
}

/// The box of a grid in words: "from (0, 0, 0) to (1, 1, 1)".
std::string extent_of(const Grid& grid) {
  const Real3 end = to_case(grid, {1.0 * grid.size[0], 1.0 * grid.size[1], 1.0 * grid.size[2]});
  return fmt::format("from {} to {}", format_point(grid.origin), format_point(end));
}

/// Fluid nodes of level 0 with links, at most so long, to surfaces that are of interest.
template <class Wanted>
std::vector<Int3> nodes_at(const Geometry& geometry, int squared_length, const Wanted& is_wanted) {
  const std::vector<Int3> offsets = neighbour_offsets(geometry.nodes.dimension, squared_length);
  std::vector<std::vector<Int3>> found(link_slices);
  for_each_node_with_cuts(
      geometry.nodes, offsets, TileRange{0, geometry.nodes.tiles.size()}, [&](int slice, const NodeWithCuts& node) {
        bool beside = false;
        node.for_each_cut(
            [&](std::size_t k) { beside = beside || is_wanted(geometry.surface_of(node.node, offsets[k])); });
        if (beside) found[static_cast<std::size_t>(slice)].push_back(node.node);
      });
  std::vector<Int3> all;
  for (const auto& slice : found) all.insert(all.end(), slice.begin(), slice.end());
  return all;
}

/// The inside of a region that is given as a shape or a surface, as the solid of a layer on the grid of a level.
std::unique_ptr<const Layer> inside_of(const Case& c, std::size_t entry, const Grid& grid) {
  const Case::Refine& region = c.refine[entry];
  if (region.shape)
    return make_distance_layer(make_signed_distance(*region.shape, grid, key_of(entry) + ".shape"), Decision::solid,
                               grid.dimension, surface_id::wall);
  Case zone;
  zone.directory = c.directory;
  zone.units.system = c.units.system;
  Case::Stl& stl = zone.geometry.stl.emplace_back();
  stl.file = region.surface;
  stl.unit = region.unit;
  stl.fluid = "outside";
  SurfaceNames names;
  Layers layers;
  std::vector<SurfaceOpening> openings;
  std::vector<Sheet> sheets;
  GeometryReport report;
  try {
    add_stl_layers(zone, grid, names, layers, openings, sheets, nullptr, report);
  } catch (const Error& error) {
    throw Error(error.code(), fmt::format("{}.surface: {}", key_of(entry), error.what()));
  }
  return std::move(layers.front());
}

/// How many levels finer nodes must be so that so many lie across a gap.
int levels_needed(double gap, double width) {
  return static_cast<int>(std::ceil(std::log2(gap / width) - 1e-9));
}

/// Whether fluid sticks at both ends of a gap, so that it is one of walls.
bool is_between_walls(const Geometry& geometry, const std::vector<const core::ConditionFacts*>& facts, const Gap& gap) {
  for (const int side : {-1, 1}) {
    const Int3 node = side < 0 ? gap.first : gap.last;
    Int3 offset{};
    offset[gap.axis] = side;
    const std::size_t face = static_cast<std::size_t>(2 * gap.axis + (side < 0 ? 0 : 1));
    const bool at_face = side < 0 ? node[gap.axis] == 0 : node[gap.axis] == geometry.nodes.size[gap.axis] - 1;
    if (at_face && geometry.nodes.mirrors[face]) continue;
    if (!facts[static_cast<std::size_t>(geometry.surface_of(node, offset))]->sticks) return false;
  }
  return true;
}

std::vector<Gap> gaps_between_walls(const Case& c, const Geometry& geometry, double most) {
  const std::vector<const core::ConditionFacts*> facts = conditions_of(c, geometry);
  std::array<bool, 6> open{};
  for (std::size_t face = 0; face < 6; ++face) open[face] = !facts[face]->sticks;
  std::vector<Gap> gaps = find_gaps(geometry.nodes, open, geometry.distance_of, most);
  std::erase_if(gaps, [&](const Gap& gap) { return !is_between_walls(geometry, facts, gap); });
  return gaps;
}

}  // namespace

bool may_cross_interfaces(const core::ConditionFacts& condition) {
  return !condition.acts ||
         (condition.velocity == core::VelocityKeys::wall && condition.sticks && !condition.models_friction);
}

std::vector<const core::ConditionFacts*> conditions_of(const Case& c, const Geometry& geometry) {
  std::vector<const core::ConditionFacts*> facts(geometry.surfaces.size(), &core::boundary_facts(0));
  for (const Case::Boundary& b : c.boundaries) {
    const auto found = std::find(geometry.surfaces.begin(), geometry.surfaces.end(), b.surface);
    if (found != geometry.surfaces.end())
      facts[static_cast<std::size_t>(found - geometry.surfaces.begin())] = &facts_of_boundary(b.type);
  }
  return facts;
}

std::vector<Int3> nodes_beside(const Geometry& geometry, int surface) {
  return nodes_at(geometry, 2, [&](int at) { return at == surface; });
}

bool may_be_divided(const Geometry& geometry, int surface) {
  if (surface >= surface_id::wall) return false;
  const int axis = surface / 2;
  return geometry.nodes.size[axis] % tile_shape(geometry.nodes.dimension)[axis] == 0;
}

Marks tiles_near(const LevelMap& map, const Geometry& coarsest, int level,
                 const std::function<bool(int surface)>& is_wanted) {
  Marks near(map, 0);
  near.add_around(nodes_at(coarsest, coarsest.nodes.dimension, is_wanted), reach_of_conditions, 1);
  for (int l = 1; l <= level; ++l) {
    Marks finer(map, l);
    near.mark_inside(finer);
    near = std::move(finer);
  }
  return near;
}

Regions::Regions(const Case& c, const LevelMap& map, const Geometry& coarsest)
    : case_(c), map_(map), coarsest_(coarsest), grid_(map.grid(0)), gaps_(c.refine.size()) {
  for (std::size_t k = 0; k < c.refine.size(); ++k)
    if (c.refine[k].gap) gaps_[k] = gaps_between_walls(c, coarsest, *c.refine[k].gap);
  for (const Opening& opening : coarsest.openings)
    if (opening.surface >= surface_id::wall)
      cut_openings_.push_back(
          nodes_at(coarsest, coarsest.nodes.dimension, [&](int surface) { return surface == opening.surface; }));
}

void Regions::take_in_openings(int level, Marks& marks) const {
  std::vector<Marks> near;
  for (const std::vector<Int3>& nodes : cut_openings_)
    near.emplace_back(map_, level).add_around(nodes, reach_of_conditions, std::exp2(level));
  for (bool is_complete = false; !is_complete;) {
    is_complete = true;
    for (const Marks& of_opening : near) {
      bool has_marked = false, has_others = false;
      of_opening.for_each([&](const Int3& tile) { (marks.at(tile) ? has_marked : has_others) = true; });
      if (!has_marked || !has_others) continue;
      of_opening.for_each([&](const Int3& tile) { marks.add(tile, tile); });
      is_complete = false;  // another opening may be near
    }
  }
}

void Regions::mark(int level, Marks& marks) const {
  for (std::size_t k = 0; k < case_.refine.size(); ++k) {
    const Case::Refine& region = case_.refine[k];
    if (region.gap && level < region.level) mark_gaps(k, level, marks);
    if (region.gap || region.level != level + 1) continue;
    if (region.box)
      mark_box(k, level, marks);
    else if (!region.around.empty())
      mark_around(k, level, marks);
    else
      mark_inside(k, level, marks);
  }
}

void Regions::mark_box(std::size_t entry, int level, Marks& marks) const {
  const auto& [lower, upper] = *case_.refine[entry].box;
  const double scale = std::exp2(level);
  if (marks.add_box(scale * to_lattice(grid_, lower), scale * to_lattice(grid_, upper))) return;
  fail_region(case_, entry, "box",
              fmt::format("from {} to {} lies outside of the domain, which reaches {}", format_point(lower),
                          format_point(upper), extent_of(grid_)));
}

void Regions::mark_around(std::size_t entry, int level, Marks& marks) const {
  const Case::Refine& region = case_.refine[entry];
  const std::vector<std::string>& names = coarsest_.surfaces;
  const auto surface = std::find(names.begin(), names.end(), region.around);
  if (surface == names.end())
    fail_region(case_, entry, "around",
                fmt::format("there is no surface '{}'; the case has {}{}", region.around, join(names),
                            did_you_mean(region.around, names)));
  const auto number = static_cast<int>(surface - names.begin());
  const std::vector<Int3> nodes = nodes_beside(coarsest_, number);
  if (nodes.empty())
    fail_region(case_, entry, "around", fmt::format("no fluid touches the surface '{}'", region.around));
  const double scale = std::exp2(level), reach = region.distance / grid_.spacing + 1;
  marks.add_around(nodes, reach, scale);
}

void Regions::mark_inside(std::size_t entry, int level, Marks& marks) const {
  const Grid grid = map_.grid(level);
  if (marks.add_solid_of(*inside_of(case_, entry, grid))) return;
  const bool is_shape = case_.refine[entry].shape.has_value();
  fail_region(
      case_, entry, is_shape ? "shape" : "surface",
      fmt::format("no node of level {} lies inside, whose nodes are {} apart; the domain reaches {}: make it larger, "
                  "move it{}",
                  level, format_short(grid.spacing), extent_of(grid),
                  is_shape ? "" : fmt::format(", or check {}.unit", key_of(entry))));
}

void Regions::mark_gaps(std::size_t entry, int level, Marks& marks) const {
  const Case::Refine& region = case_.refine[entry];
  Marks wanted(map_, level);
  const double scale = std::exp2(level);
  for (const Gap& gap : gaps_[entry]) {
    if (std::min(levels_needed(*region.gap, gap.width), region.level) != level + 1) continue;
    const Real3 centre = 0.5 * (node_centre(gap.first) + node_centre(gap.last));
    const double reach = 0.5 * std::max(gap.width, 1.0 + gap.last[gap.axis] - gap.first[gap.axis]);
    const Real3 half{reach, reach, reach};
    wanted.add_box(scale * (centre - half), scale * (centre + half));
  }
  const std::vector<const core::ConditionFacts*> facts = conditions_of(case_, coarsest_);
  const Marks kept_off = tiles_near(map_, coarsest_, level, [&](int surface) {
    return surface < surface_id::wall && facts[static_cast<std::size_t>(surface)]->is_opening &&
           !may_be_divided(coarsest_, surface);
  });
  wanted.for_each([&](const Int3& tile) {
    if (!kept_off.at(tile)) marks.add(tile, tile);
  });
}

}  // namespace fluvia::geometry
