// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <span>

#include "fluvia/base/checksum.hpp"
#include "fluvia/base/error.hpp"
#include "fluvia/case/walls.hpp"
#include "fluvia/geometry/analysis.hpp"
#include "fluvia/geometry/classifier.hpp"
#include "fluvia/geometry/generate/generators.hpp"
#include "fluvia/geometry/generate/shapes.hpp"
#include "fluvia/geometry/geometry.hpp"
#include "fluvia/geometry/image/mask.hpp"
#include "fluvia/geometry/image/smooth_image.hpp"
#include "fluvia/geometry/image/voxels.hpp"
#include "fluvia/geometry/layers/layer_stack.hpp"
#include "fluvia/geometry/layers/no_fluid.hpp"
#include "fluvia/geometry/layers/solid_nodes.hpp"
#include "fluvia/geometry/levels/level_map.hpp"
#include "fluvia/geometry/map/components.hpp"
#include "fluvia/geometry/map/widest_way.hpp"
#include "fluvia/geometry/mesh/stl_layers.hpp"
#include "fluvia/geometry/openings.hpp"
#include "fluvia/geometry/walls.hpp"

namespace fluvia {
namespace {

using namespace geometry;

/// The layers and surfaces that the inputs of a case make, before anything is voxelised.
struct Recipe {
  Layers layers;
  std::vector<LayerInput> inputs;  ///< [layer]
  std::vector<bool> encloses;  ///< for each of the first layers, whether what it makes solid lies outside of the flow
  SurfaceNames names;
  std::vector<SurfaceOpening> openings;
  std::vector<Sheet> sheets;
  bool base_solid = false;
  std::array<int, 6> face_surfaces{0, 1, 2, 3, 4, 5};
  SurfaceMesh triangles;  ///< triangles of surfaces from files, if output asks for them
};

/// Lets the face at a vessel's end go by the name of the end, if a boundary uses that.
void name_vessel_end(const Case& c, Recipe& recipe, const std::string& name, int face) {
  const auto has_boundary = [&](const std::string& surface) {
    return std::any_of(c.boundaries.begin(), c.boundaries.end(), [&](const auto& b) { return b.surface == surface; });
  };
  if (!has_boundary(name)) return;
  const std::string face_name = recipe.names.list()[face];
  if (has_boundary(face_name)) {
    throw_input(
        fmt::format("boundary of surface \"{}\": this is the face {} of the box, which has a boundary of its "
                    "own; keep one",
                    name, face_name));
  }
  recipe.face_surfaces[face] = recipe.names.add(name);
}

void add_generator(const Case& c, const Grid& grid, Recipe& recipe, Communicator& communicator) {
  const Case::Generator& generator = *c.geometry.generator;
  const int finer = nodes_in_coarsest(c, grid);
  if (generator.kind == "sphere_packing") {
    const Grid coarsest = coarser_grid(grid, finer);
    SpherePacking packing = pack_spheres(coarsest, generator.diameter / coarsest.spacing, generator.porosity,
                                         generator.seed, generator.centers_in_fluid, communicator);
    recipe.layers.push_back(make_packing_layer(std::move(packing), grid, finer));
    return;
  }
  const Vessel vessel = make_vessel(generator, grid, finer * c.domain.padding);
  recipe.layers.push_back(make_distance_layer([distance = vessel.distance](const Real3& p) { return -distance(p); },
                                              Decision::solid, grid.dimension, surface_id::wall));
  recipe.encloses = {true};
  name_vessel_end(c, recipe, "inlet", vessel.inlet_face);
  name_vessel_end(c, recipe, "outlet", vessel.outlet_face);
}

void add_image(const Case& c, const Grid& grid, Bitmap fluid, int refine, bool extruded, Recipe& recipe) {
  // An image that sets the box starts at the box's corner, wherever that is; in a given box it starts at the
  // coordinates 0.
  const bool own_box = !c.domain.nodes && !c.domain.size;
  const Real3 corner = own_box ? Real3{} : to_lattice(grid, {0, 0, 0});
  refine *= nodes_in_coarsest(c, grid);
  recipe.layers.push_back(walls_are_interpolated(c.walls, WallSource::image)
                              ? make_smooth_image_layer(std::move(fluid), corner, refine, grid, extruded)
                              : make_bitmap_layer(std::move(fluid), corner, refine, grid.dimension, extruded));
}

void check_names(const Case& c) {
  static const SurfaceNames fixed;
  const auto check = [](const std::string& place, const std::string& name) {
    const int known = fixed.find(name);
    if (known >= 0 && known < surface_id::wall) {
      throw_input(fmt::format("{}: the name \"{}\" means a face of the box; choose another", place, name));
    }
  };
  for (const auto& shape : c.geometry.shapes) check("geometry.shapes", shape.name);
  for (const auto& stl : c.geometry.stl) check("geometry.stl", stl.name);
  for (const auto& opening : c.openings) check("openings", opening.name);
}

Recipe make_recipe(const Case& c, const Grid& grid, GeometryReport& report, Communicator& communicator) {
  check_names(c);
  Recipe recipe;
  const auto made_of = [&](LayerInput::Kind kind) {
    for (std::size_t index = 0; recipe.inputs.size() < recipe.layers.size(); ++index)
      recipe.inputs.push_back({kind, index});
  };
  const auto& g = c.geometry;
  if (g.generator) add_generator(c, grid, recipe, communicator);
  made_of(LayerInput::Kind::generator);
  if (g.voxels) {
    Bitmap fluid = read_voxels(*g.voxels, c.directory);
    const bool flat = grid.dimension == 2 && fluid.size()[2] == 1;
    add_image(c, grid, mirrored(std::move(fluid), g.voxels->mirror), g.voxels->refine, flat, recipe);
    made_of(LayerInput::Kind::voxels);
  }
  if (g.mask) {
    add_image(c, grid, mirrored(read_mask(*g.mask, c.directory), g.mask->mirror), g.mask->refine, true, recipe);
    made_of(LayerInput::Kind::mask);
  }
  recipe.encloses.resize(recipe.layers.size(), false);
  // The surfaces with the fluid inside are one layer, the first of them.
  if (std::any_of(g.stl.begin(), g.stl.end(), [](const Case::Stl& stl) { return stl.fluid == "inside"; }))
    recipe.encloses.push_back(true);
  add_stl_layers(c, grid, recipe.names, recipe.layers, recipe.openings, recipe.sheets,
                 c.output.wall ? &recipe.triangles : nullptr, report);
  if (recipe.encloses.size() > recipe.inputs.size()) recipe.inputs.push_back({LayerInput::Kind::enclosing, 0});
  made_of(LayerInput::Kind::body);
  // A fluid shape on top of nothing but fluid would have no effect: it means a body of solid with a hole.
  recipe.base_solid = recipe.layers.empty() && !g.shapes.empty() && g.shapes.front().operation == "fluid";
  add_shape_layers(c, grid, recipe.names, recipe.layers);
  for (std::size_t index = 0; index < g.shapes.size(); ++index)
    if (!c.moves(g.shapes[index].name)) recipe.inputs.push_back({LayerInput::Kind::shape, index});
  add_disc_layers(c, grid, recipe.names, recipe.layers, recipe.openings);
  made_of(LayerInput::Kind::disc);
  return recipe;
}

void require_same(Bytes own, const char* what, Communicator& communicator) {
  const std::vector<Bytes> all = communicator.share(std::move(own));
  for (std::size_t member = 1; member < all.size(); ++member)
    if (all[member] != all.front())
      throw_input(fmt::format("rank {} has {} than rank 0; all must read the same files", member, what));
}

/// Throws unless all members have the same case: another case would make another part of another domain, or share data
/// when the others do not.
void require_same_case(const Case& c, Communicator& communicator) {
  if (communicator.count() == 1) return;
  Checksum text;
  text.update(std::as_bytes(std::span(c.text)));
  require_same(ByteWriter().put(c.hash).put(text.value()).take(), "another case", communicator);
}

/// Throws at all members of a communicator unless the files that the case names are the same for all.
void require_same_files(const Recipe& recipe, Communicator& communicator) {
  if (communicator.count() == 1) return;
  ByteWriter own;
  for (const std::string& name : recipe.names.list()) own.put(name);
  for (const auto& layer : recipe.layers) own.put(layer->content());
  for (const Sheet& sheet : recipe.sheets) {
    Checksum content;
    content.update(std::as_bytes(std::span(sheet.mesh.vertices)));
    own.put(content.value());
  }
  require_same(own.take(), "other files", communicator);
}

/// Bars the links that sheets cross; of a level of refinement those of its own. Throws Error(input) for one whose
/// boundary is more than a wall at rest.
void bar_links(const Recipe& recipe, const Conditions& conditions, bool is_of_a_level, Geometry& geometry) {
  if (recipe.sheets.empty()) return;
  auto barred = std::make_shared<const BarredLinks>(find_barred_links(
      geometry.nodes, recipe.sheets, geometry.report.refusals, is_of_a_level ? &geometry.beside : nullptr));
  if (barred->nodes().empty()) return;
  for (const BarredLinks::Node& node : barred->nodes())
    if (const core::ConditionFacts& facts = *conditions[node.surface]; facts.acts)
      throw_input(fmt::format(
          "boundary of surface \"{}\": its type is \"{}\", but some of the surface is a sheet, with fluid on "
          "both sides, which is a wall at rest; remove the boundary, or make the surface at least one node "
          "thick, closed",
          recipe.names.list()[node.surface], facts.name));
  geometry.nodes.barred = std::move(barred);
  geometry.report.sheets = survey_sheets(geometry.nodes, recipe.names.list());
}

/// The fluid that no flow can reach.
struct Isolated {
  std::uint64_t components = 0, dropped = 0;  ///< components in all, and those that are dropped
  std::vector<TileRest> rests;                ///< what is left of the tiles that lose nodes
  Bool3 endless{};                            ///< [axis], whether some fluid runs on without end along this axis
  std::vector<std::int32_t> group;  ///< [surface], openings with the same number are joined by fluid; -1: none
};

/// Numbers for openings, equal for those that touch the same component, or that are joined by a chain of such openings.
std::vector<std::int32_t> group_openings(const std::vector<std::vector<int>>& driving, const Conditions& conditions) {
  std::vector<std::int32_t> group(conditions.size(), -1);
  std::int32_t next = 0;
  for (const std::vector<int>& surfaces : driving) {
    const std::int32_t own = next++;
    for (const int surface : surfaces) {
      if (!conditions[surface]->is_opening) continue;
      const std::int32_t other = group[surface];
      group[surface] = own;
      if (other >= 0) std::replace(group.begin(), group.end(), other, own);
    }
  }
  return group;
}

Isolated find_not_percolating(int axis, const NodeMap& nodes, const Components& components) {
  std::vector<bool> keep;
  for (const Bool3& endless : components.endless()) keep.push_back(endless[axis]);
  Isolated isolated;
  isolated.components = components.count();
  isolated.dropped = static_cast<std::uint64_t>(std::count(keep.begin(), keep.end(), false));
  isolated.endless = {true, true, true};
  if (isolated.dropped == keep.size()) {
    throw_input(
        fmt::format("geometry.percolating_axis: no fluid runs through the box along {}, so no force along it drives a "
                    "flow; choose another axis or another part of the image",
                    "xyz"[axis]));
  }
  if (isolated.dropped > 0) isolated.rests = find_rests(nodes, components, keep);
  return isolated;
}

/// Finds the fluid that no flow can reach. A case without openings and periodic axes, a closed cavity, keeps all fluid.
Isolated find_isolated(const Case& c, const Grid& grid, const Recipe& recipe, const Conditions& conditions,
                       const Classifier& classifier, const NodeMap& nodes) {
  const Components components(nodes);
  if (c.geometry.percolating_axis) return find_not_percolating(*c.geometry.percolating_axis, nodes, components);
  Isolated isolated;
  isolated.components = components.count();
  for (const Bool3& endless : components.endless())
    for (int axis = 0; axis < 3; ++axis) isolated.endless[axis] = isolated.endless[axis] || endless[axis];
  bool periodic = false;
  for (int axis = 0; axis < grid.dimension; ++axis) periodic = periodic || grid.periodic[axis];
  const bool open = std::any_of(conditions.begin(), conditions.end(),
                                [](const core::ConditionFacts* facts) { return facts->is_opening; });
  if ((!periodic && !open) || c.geometry.keep_isolated) return isolated;
  const std::vector<std::vector<int>> driving =
      driving_surfaces(nodes, components, classifier, conditions, recipe.face_surfaces, recipe.openings);
  isolated.group = group_openings(driving, conditions);
  std::vector<bool> keep = components.at_periodic_face();
  for (std::uint32_t i = 0; i < components.count(); ++i) keep[i] = keep[i] || !driving[i].empty();
  const auto dropped = static_cast<std::uint64_t>(std::count(keep.begin(), keep.end(), false));
  // If no component is reached, the openings themselves are wrong, and saying which is more helpful.
  if (dropped == 0 || dropped == components.count()) return isolated;
  isolated.dropped = dropped;
  isolated.rests = find_rests(nodes, components, keep);
  return isolated;
}

/// The groups of openings with the names of their surfaces.
std::vector<std::vector<std::string>> name_groups(const std::vector<std::int32_t>& group,
                                                  const std::vector<std::string>& surfaces) {
  std::map<std::int32_t, std::vector<std::string>> names;
  for (std::size_t s = 0; s < group.size(); ++s)
    if (group[s] >= 0) names[group[s]].push_back(surfaces[s]);
  std::vector<std::vector<std::string>> groups;
  for (auto& [number, of] : names) groups.push_back(std::move(of));
  return groups;
}

/// Drops the isolated fluid. The first member of the communicator finds it, since that takes memory, and tells the
/// others.
void drop_isolated(const Case& c, const Grid& grid, const Recipe& recipe, const Conditions& conditions,
                   const Classifier& classifier, Geometry& geometry, Communicator& communicator) {
  Isolated isolated;
  if (communicator.number() == 0) isolated = find_isolated(c, grid, recipe, conditions, classifier, geometry.nodes);
  std::uint64_t counts[] = {isolated.components, isolated.dropped, isolated.endless[0], isolated.endless[1],
                            isolated.endless[2]};
  communicator.sum(counts);
  isolated.rests = communicator.join(std::move(isolated.rests));
  GeometryReport& report = geometry.report;
  report.endless = {counts[2] > 0, counts[3] > 0, counts[4] > 0};
  report.joined_openings = name_groups(communicator.join(std::move(isolated.group)), geometry.surfaces);
  report.fluid_components = counts[0];
  report.dropped_components = counts[1];
  if (report.dropped_components == 0) return;
  const std::uint64_t before = geometry.nodes.fluid_nodes;
  keep_rests(geometry.nodes, isolated.rests);
  report.dropped_nodes = before - geometry.nodes.fluid_nodes;
  const double share = static_cast<double>(report.dropped_nodes) / static_cast<double>(before);
  constexpr double told = 1e-3;  // what is less changes no result, and is in the report
  if (c.geometry.percolating_axis || share < told) return;
  report.warnings.push_back(
      fmt::format("{} of {} fluid components ({} nodes, {:.3g}% of the fluid) touch no opening, "
                  "moving wall or periodic face and were dropped; set geometry.keep_isolated = "
                  "true to keep them.",
                  report.dropped_components, report.fluid_components, report.dropped_nodes, 100.0 * share));
}

/// Layers are needed later only to tell named surfaces inside the box apart.
bool has_named_layers(const Recipe& recipe) {
  for (int s = surface_id::first_named; s < static_cast<int>(recipe.names.list().size()); ++s) {
    if (std::find(recipe.face_surfaces.begin(), recipe.face_surfaces.end(), s) == recipe.face_surfaces.end())
      return true;
  }
  return false;
}

/// A gap of fewer nodes than this (2D: for a line) may be a flaw of a surface.
std::uint64_t fewest_gap_nodes(int dimension) {
  return dimension == 3 ? 16 : 4;
}

/// Text of settings that make the narrowest gap four nodes wide, and what they cost. Where walls touch or nearly do, no
/// spacing does that which anybody could pay for: there those that tell how much the gaps matter.
std::string gap_remedy(const Case& c, const Grid& grid, double narrowest) {
  constexpr double enough = 4, affordable = 4.5;
  const bool hopeless = enough / narrowest > affordable;
  const double finer = hopeless ? 2 : enough / narrowest;
  const char* const before = hopeless
                                 ? "walls touch there or nearly do, which no spacing resolves; how much that matters "
                                   "tells a run with "
                                 : "";
  const auto gives = [&](double width) { return hopeless ? std::string() : fmt::format(" gives it {:.3g}", width); };
  const auto cost = [&](double factor) {
    return fmt::format("{:.2g} times the nodes", std::pow(factor, grid.dimension));
  };
  const bool si = c.units.system == "si";
  const auto spacing = [&](double factor) {
    const auto [key, value] = c.spacing_setting(grid.spacing / factor);
    return fmt::format("--set {}={:.3g}", key, value);
  };
  const int refine = c.geometry.voxels ? c.geometry.voxels->refine : c.geometry.mask ? c.geometry.mask->refine : 0;
  if (refine > 0) {
    const int more = static_cast<int>(std::ceil(finer * refine));
    const double factor = 1.0 * more / refine;
    return fmt::format("{}--set geometry.{}.refine={}{}{} ({})", before, c.geometry.voxels ? "voxels" : "mask", more,
                       si ? " " + spacing(factor) : "", gives(factor * narrowest), cost(factor));
  }
  if (!si)
    return hopeless ? fmt::format("{}twice as many nodes along each axis", before)
                    : fmt::format("it takes {:.3g} times as many nodes along each axis", finer);
  std::string nodes;
  if (c.domain.nodes)
    nodes = fmt::format(" --set domain.nodes=[{},{},{}]", std::lround(grid.size[0] * finer),
                        std::lround(grid.size[1] * finer), grid.dimension == 3 ? std::lround(grid.size[2] * finer) : 1);
  return fmt::format("{}{}{}{} ({})", before, spacing(hopeless ? finer : 1.001 * finer), nodes, gives(enough),
                     cost(finer));
}

void fill_report(const Case& c, const Grid& grid, const Recipe& recipe, const Conditions& conditions,
                 Geometry& geometry, Communicator& communicator) {
  GeometryReport& report = geometry.report;
  const NodeMap& nodes = geometry.nodes;
  report.fluid_nodes = nodes.fluid_nodes;
  report.box_nodes = nodes.box_nodes();
  report.porosity = nodes.porosity();
  report.tile_porosity = nodes.tile_porosity();
  report.boundary_nodes = count_boundary_nodes(nodes, communicator);
  report.wet_faces = find_wet_faces(nodes, communicator);
  std::array<bool, 6> open{};
  for (int face = 0; face < 6; ++face) open[face] = !conditions[recipe.face_surfaces[face]]->sticks;
  // Faces across a flat axis count as open: their remedy is not more nodes, as run/checks/parameters.hpp says.
  if (const std::optional<int> flat = flat_axis(c, nodes.size))
    open[2 * static_cast<std::size_t>(*flat)] = open[2 * static_cast<std::size_t>(*flat) + 1] = true;
  std::function<int(const Int3&)> level_of;
  if (!c.refine.empty()) {
    const auto levels = std::make_shared<const LevelMap>(make_level_map(c, grid, geometry));
    report.levels = describe_levels(*levels, nodes);
    level_of = [levels](const Int3& node) { return levels->level_at(node); };
  }
  const NarrowPassages narrow = find_narrow_passages(nodes, open, geometry.distance_of, communicator, level_of);
  report.narrow_nodes = narrow.nodes;
  for (const Int3& node : narrow.examples) report.narrow_examples.push_back(to_case(grid, node_centre(node)));
  Bool3 driven{};
  for (int axis = 0; axis < 3; ++axis)
    driven[axis] = nodes.periodic[axis] && (c.physics.acceleration[axis] != 0 || c.physics.has_acceleration_field());
  const NarrowestPlace place = find_narrowest_place(geometry, conditions, open, driven, wide_way, level_of);
  report.narrowest_way = place.nodes;
  report.narrowest_way_of = place.flow;
  report.gap_nodes = narrow.gap_nodes;
  report.narrowest_gap = narrow.narrowest;
  report.narrowest_gap_at = to_case(grid, node_centre(narrow.narrowest_node));
  if (narrow.gap_nodes >= fewest_gap_nodes(nodes.dimension)) {
    report.warnings.push_back(fmt::format(
        "{} fluid nodes ({:.2g}%) lie in gaps between walls that are narrower than 4 nodes, where the flow is not "
        "resolved; the narrowest, {:.3g} nodes, is at {}: {}.",
        narrow.gap_nodes, 100.0 * static_cast<double>(narrow.gap_nodes) / static_cast<double>(nodes.fluid_nodes),
        narrow.narrowest, format_point(report.narrowest_gap_at), gap_remedy(c, grid, narrow.narrowest)));
  }
}

/// Warns if the box is not as long as asked for.
void check_box_length(const Case& c, const Grid& grid, GeometryReport& report) {
  if (!c.domain.size) return;
  for (int axis = 0; axis < grid.dimension; ++axis) {
    const double asked = (*c.domain.size)[axis], got = grid.size[axis] * grid.spacing;
    if (std::abs(asked - got) <= 1e-6 * grid.spacing * grid.size[axis]) continue;
    report.warnings.push_back(
        fmt::format("domain.size {:.6g} along {} is {:.6g} nodes; the box is {} nodes = {:.6g} long. "
                    "Choose a size that is a multiple of the spacing {:.6g} for an exact box.",
                    asked, "xyz"[axis], asked / grid.spacing, grid.size[axis], got, grid.spacing));
  }
}

/// Triangles of the walls that come from files alone.
SurfaceMesh walls_of_meshes(const Case& c, Recipe& recipe, const Conditions& conditions) {
  SurfaceMesh walls = std::move(recipe.triangles);
  const auto& g = c.geometry;
  std::vector<bool> has_other(recipe.names.list().size(), false);
  for (std::size_t s = 0; s < has_other.size(); ++s) has_other[s] = conditions[s]->is_opening;
  if (g.generator || g.voxels || g.mask) has_other[surface_id::wall] = true;
  for (const Sheet& sheet : recipe.sheets)
    for (const MeshTriangle& t : sheet.mesh.triangles) has_other[static_cast<std::size_t>(t.surface)] = true;
  for (const Case::Shape& shape : g.shapes) has_other[static_cast<std::size_t>(recipe.names.add(shape.name))] = true;
  std::erase_if(walls.triangles,
                [&](const SurfaceTriangle& t) { return has_other[static_cast<std::size_t>(t.surface)]; });
  return walls;
}

bool needs_normals(const Conditions& conditions) {
  return std::any_of(conditions.begin(), conditions.end(),
                     [](const core::ConditionFacts* facts) { return facts->needs_normal; });
}

/// Adds distances and normals of cut links. The report says how many there are, or how far half-way walls are from
/// where they ought to be.
void add_walls(const Case& c, const std::shared_ptr<const LayerStack>& layers, const Conditions& conditions,
               const std::shared_ptr<const Classifier>& classifier, Geometry& geometry, Communicator& communicator) {
  if (!layers) return;
  std::vector<bool> openings;
  for (const core::ConditionFacts* facts : conditions) openings.push_back(facts->is_opening);
  const auto walls = std::make_shared<const WallFinder>(geometry.nodes, layers, classifier, std::move(openings));
  if (has_displaced_walls(c)) geometry.report.half_way_walls = survey_half_way_walls(*walls, geometry.nodes);
  if (!has_interpolated_walls(c) && !needs_normals(conditions)) return;
  geometry.normal_of = [walls](const Int3& node, const Int3& offset) { return walls->normal(node, offset); };
  if (!has_interpolated_walls(c)) return;
  geometry.distance_of = [walls](const Int3& node, const Int3& offset) { return walls->distance(node, offset); };
  survey_walls(*walls, geometry, communicator);
}

}  // namespace

Geometry build_geometry(const Case& c, const Grid& grid, Communicator& communicator,
                        const std::function<bool(const Int3& tile)>& owns) {
  require_same_case(c, communicator);
  Geometry geometry;
  geometry.origin = grid.origin;
  check_box_length(c, grid, geometry.report);
  Recipe recipe = make_recipe(c, grid, geometry.report, communicator);
  const Conditions conditions = surface_conditions(c, grid, recipe.names);
  require_same_files(recipe, communicator);
  auto layers =
      std::make_shared<const LayerStack>(std::move(recipe.layers), recipe.base_solid, grid.dimension, grid.size);
  geometry.nodes = NodeMap::build(
      grid.dimension, grid.size, grid.periodic,
      [&](const Int3& tile) { return !owns || owns(tile) ? layers->apply(tile) : 0; }, communicator,
      [&] { return why_no_fluid(c, grid, *layers, recipe.inputs); });
  for (std::size_t face = 0; face < 6; ++face)
    geometry.nodes.mirrors[face] =
        !grid.periodic[face / 2] && conditions[static_cast<std::size_t>(recipe.face_surfaces[face])]->mirrors_on_faces;
  if (owns) geometry.beside = fluid_beside(geometry.nodes, *layers);
  bar_links(recipe, conditions, static_cast<bool>(owns), geometry);
  if (c.refine.empty()) throw_refusals(geometry, [](const Int3&) { return true; });
  geometry.surfaces = recipe.names.list();
  geometry.is_outside = find_outside(layers, recipe.encloses);
  geometry.body_of = find_bodies(c, recipe.inputs, recipe.names, layers);
  const std::shared_ptr<const LayerStack> named =
      has_named_layers(recipe) ? layers : std::make_shared<const LayerStack>();
  if (!has_interpolated_walls(c) && !has_displaced_walls(c) && !needs_normals(conditions)) layers.reset();
  const auto make_classifier = [&] {
    return std::make_shared<const Classifier>(geometry.nodes, named, recipe.face_surfaces, conditions, geometry.beside);
  };
  auto classifier = make_classifier();
  if (!owns) drop_isolated(c, grid, recipe, conditions, *classifier, geometry, communicator);
  if (geometry.report.dropped_nodes > 0) classifier = make_classifier();
  geometry.surface_of = [classifier](const Int3& node, const Int3& offset) {
    return classifier->surface(node, offset);
  };
  add_walls(c, layers, conditions, classifier, geometry, communicator);
  if (owns) return geometry;
  geometry.openings =
      make_openings(geometry, *classifier, recipe.names, conditions, recipe.face_surfaces, recipe.openings, grid);
  fill_report(c, grid, recipe, conditions, geometry, communicator);
  geometry.wall_triangles = walls_of_meshes(c, recipe, conditions);
  return geometry;
}

}  // namespace fluvia
