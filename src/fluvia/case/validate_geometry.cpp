// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "fluvia/base/text.hpp"
#include "fluvia/case/ground.hpp"
#include "fluvia/case/names.hpp"
#include "fluvia/case/validate.hpp"
#include "fluvia/case/walls.hpp"

namespace fluvia::validation {
namespace {

std::string item(const char* array, std::size_t index) {
  return std::string(array) + "[" + std::to_string(index) + "]";
}

/// Which of the optional keys of a table its kind uses.
struct KindKeys {
  std::vector<std::string> needed;
  std::vector<std::string> possible = {};
};
using Kinds = std::map<std::string, KindKeys>;

/// Refuses missing and meaningless keys of a table whose `kind` decides which are used.
void check_kind(const Case& c, const std::string& path, const std::string& kind, const Kinds& kinds) {
  const KindKeys& keys = kinds.at(kind);
  std::set<std::string> unused;
  for (const auto& [name, other] : kinds) {
    unused.insert(other.needed.begin(), other.needed.end());
    unused.insert(other.possible.begin(), other.possible.end());
  }
  for (const std::string& name : keys.needed) {
    unused.erase(name);
    if (!c.where.empty() && !c.given(path + "." + name))
      fail(c, path, "'" + name + "' is missing; a " + kind + " needs it");
  }
  for (const std::string& name : keys.possible) unused.erase(name);
  refuse_unused(c, path, {unused.begin(), unused.end()}, "for kind '" + kind + "'");
}

void check_positive(const Case& c, const std::string& key, double value) {
  if (!(value > 0)) fail(c, key, "'" + format_real(value) + "' must be above 0");
}

}  // namespace

void check_form(const Case& c, const Case::Shape& shape, const std::string& path) {
  const bool flat = c.domain.dimension == 2;
  const Kinds kinds = {{"box", {{"center", "size"}}},
                       {"sphere", {{"center", "radius"}}},
                       {"cylinder", flat ? KindKeys{{"from", "radius"}, {"to"}} : KindKeys{{"from", "to", "radius"}}},
                       {"cone", {{"from", "to", "radius", "end_radius"}}},
                       {"capsule", {{"from", "to", "radius"}}},
                       {"half_space", {{"from", "normal"}}},
                       {"channel", {{"from", "normal", "height"}}}};
  check_kind(c, path, shape.kind, kinds);
  const std::vector<std::string>& needed = kinds.at(shape.kind).needed;
  const auto needs = [&](const char* name) { return std::find(needed.begin(), needed.end(), name) != needed.end(); };
  if (needs("radius")) check_positive(c, path + ".radius", shape.radius);
  if (needs("height")) check_positive(c, path + ".height", shape.height);
  if (needs("normal")) check_flat(c, path + ".normal", shape.normal);
  if (needs("normal") && norm(shape.normal) == 0) fail(c, path + ".normal", "'[0, 0, 0]' has no direction");
  for (int axis = 0; needs("size") && axis < c.domain.dimension; ++axis)
    check_positive(c, path + ".size", shape.size[axis]);
  if (needs("to") && shape.from == shape.to)
    fail(c, path + ".to", "is the same point as 'from'; give the two ends of the axis");
}

namespace {

void check_shape(const Case& c, const Case::Shape& shape, const std::string& path) {
  check_form(c, shape, path);
  if (shape.name.empty()) return;
  check_name(c, path + ".name", shape.name);
  if (is_face(shape.name)) fail(c, path + ".name", "'" + shape.name + "' is the name of a box face; choose another");
}

void check_stl(const Case& c) {
  bool wall = false;
  for (std::size_t i = 0; i < c.geometry.stl.size(); ++i) {
    const Case::Stl& stl = c.geometry.stl[i];
    const std::string path = item("geometry.stl", i);
    wall = wall || stl.role == "wall";
    if (stl.role == "opening") refuse_unused(c, path, {"fluid"}, "for role 'opening'");
    if (stl.role == "opening" && stl.name.empty())
      fail(c, path, "'name' is missing; an opening needs one for its boundary");
    if (stl.name.empty()) continue;
    check_name(c, path + ".name", stl.name);
    if (is_face(stl.name)) fail(c, path + ".name", "'" + stl.name + "' is the name of a box face; choose another");
  }
  if (c.geometry.stl.empty()) return;
  if (!wall) fail(c, "geometry.stl[0].role", "all STL files are openings; one must have role = \"wall\"");
}

void check_voxels(const Case& c) {
  const Case::Voxels& v = *c.geometry.voxels;
  const std::string path = "geometry.voxels";
  if (v.bits != 8 && v.bits != 16) fail(c, path + ".bits", "'" + std::to_string(v.bits) + "' is not possible; 8 or 16");
  const bool threshold = v.fluid_below || v.fluid_above;
  if (v.fluid_labels && threshold) fail(c, path + ".fluid_labels", "contradicts 'fluid_below'/'fluid_above'; give one");
  if (!v.fluid_labels && !threshold) {
    fail(c, path, "'fluid_labels' is missing; say which voxels are fluid, e.g. fluid_labels = [0]");
  }
  if (v.fluid_labels && v.fluid_labels->empty())
    fail(c, path + ".fluid_labels", "'[]' leaves no fluid; give at least one");
  if (v.type != "auto") refuse_unused(c, path, {"bits"}, "beside 'type'");
  if (v.type == "auto" ? v.bits == 8 : v.type == "int8" || v.type == "uint8")
    refuse_unused(c, path, {"endian"}, "for 8-bit voxels");
  if (v.type == "text") refuse_unused(c, path, {"endian"}, "for numbers in text");
  if (c.domain.dimension == 2 && v.shape[2] > 1) {
    fail(c, path + ".shape", "a 2D case needs one layer of voxels, not " + std::to_string(v.shape[2]));
  }
  if (c.domain.dimension == 2 && v.mirror[2]) {
    fail(c, path + ".mirror", "'true' along z has no meaning in a 2D case; give two entries");
  }
}

void check_mask(const Case& c) {
  const int depth = c.geometry.mask->depth;
  if (c.geometry.mask->mirror[2])
    fail(c, "geometry.mask.mirror",
         "'true' along z has no meaning, a mask is the same in all layers; give two entries");
  if (c.geometry.voxels) fail(c, "geometry.mask", "contradicts geometry.voxels; give one of them");
  if (depth == 1 && c.domain.dimension == 3) {
    fail(c, "geometry.mask", "a mask of depth 1 is a 2D case; set domain.dimension = 2, or a larger depth");
  }
  if (depth > 1 && c.domain.dimension == 2) {
    fail(c, "geometry.mask.depth", "'" + std::to_string(depth) + "' is not possible in 2D; set domain.dimension = 3");
  }
}

void check_generator(const Case& c) {
  const Case::Generator& g = *c.geometry.generator;
  const std::string path = "geometry.generator";
  const Kinds kinds = {{"sphere_packing", {{"diameter", "porosity"}, {"seed", "centers_in_fluid"}}},
                       {"pipe", {{"diameter"}, {"length"}}},
                       {"aneurysm", {{"diameter"}, {"length", "bend_radius", "sac_diameter"}}},
                       {"coarctation", {{"diameter", "severity"}, {"length", "bend_radius"}}},
                       {"network", {{"diameter"}, {"length", "seed", "generations"}}}};
  check_kind(c, path, g.kind, kinds);
  check_positive(c, path + ".diameter", g.diameter);
  if (g.bend_radius != 0 && g.bend_radius <= g.diameter / 2) {
    fail(c, path + ".bend_radius",
         "'" + format_real(g.bend_radius) + "' must be above half the diameter (" + format_real(g.diameter / 2) +
             "), or the vessel cuts itself");
  }
}

bool file_sets_box(const Case& c) {
  const auto& g = c.geometry;
  return !g.stl.empty() || g.voxels || g.mask || (g.generator && g.generator->kind != "sphere_packing");
}

}  // namespace

void check_domain(const Case& c) {
  const Case::Domain& d = c.domain;
  if (d.nodes && d.size) fail(c, "domain.size", "'nodes' and 'size' contradict each other; give exactly one");
  if (!d.nodes && !d.size && !file_sets_box(c))
    fail(c, "domain", "'nodes' or 'size' is missing; how large is the box?");
  for (int axis = 0; d.size && axis < d.dimension; ++axis) check_positive(c, "domain.size", (*d.size)[axis]);
  if (d.dimension != 2) return;
  if (d.nodes && (*d.nodes)[2] != 1) {
    fail(c, "domain.nodes",
         "a 2D case has 1 node along z, not " + std::to_string((*d.nodes)[2]) + "; give two entries");
  }
  if (d.periodic[2]) fail(c, "domain.periodic", "'true' along z has no meaning in a 2D case; give two entries");
}

void check_geometry(const Case& c) {
  for (std::size_t i = 0; i < c.geometry.shapes.size(); ++i)
    check_shape(c, c.geometry.shapes[i], item("geometry.shape", i));
  check_stl(c);
  if (c.geometry.voxels) check_voxels(c);
  if (c.geometry.mask) check_mask(c);
  if (c.geometry.generator) check_generator(c);
  if (const auto& axis = c.geometry.percolating_axis; axis && !c.domain.periodic[*axis]) {
    const std::string& name = names::axes[static_cast<std::size_t>(*axis)];
    fail(c, "geometry.percolating_axis",
         "'" + name + "' is not periodic, so that nothing runs on along it; set domain.periodic along " + name);
  }
}

void check_walls(const Case& c) {
  const Case::Walls& w = c.walls;
  const bool image = c.geometry.voxels || c.geometry.mask;
  const bool known = !c.geometry.shapes.empty() || !c.geometry.stl.empty() || c.geometry.generator;
  if (w.smooth && !image) {
    fail(c, "walls.smooth", "'true' is for voxels and masks, and this case has none; remove it");
  }
  if (w.smooth && w.method == "half-way") {
    fail(c, "walls.smooth", "'true' contradicts walls.method = \"half-way\"; remove one of them");
  }
  if (w.method == "interpolated" && !known && !w.smooth) {
    fail(c, "walls.method",
         image ? "'interpolated' needs a smooth surface, which voxels and masks do not have; set walls.smooth = true"
               : "'interpolated' has no meaning without shapes, STL, voxels, mask or generator; remove it");
  }
  if (w.accuracy != "default" && !has_interpolated_walls(c)) {
    fail(c, "walls.accuracy", "'" + w.accuracy + "' has no meaning for half-way walls, which this case has; remove it");
  }
}

void check_openings(const Case& c) {
  std::map<std::string, std::string> taken;
  for (const std::string& face : names::faces) taken[face] = "a box face";
  taken[names::wall] = "the wall";
  for (const auto& shape : c.geometry.shapes) taken.emplace(shape.name, "a shape");
  for (const auto& stl : c.geometry.stl) taken.emplace(stl.name, "an STL");
  for (std::size_t i = 0; i < c.openings.size(); ++i) {
    const Case::OpeningInput& opening = c.openings[i];
    const std::string path = item("opening", i);
    check_name(c, path + ".name", opening.name);
    const auto [other, is_new] = taken.emplace(opening.name, "another opening");
    if (!is_new) fail(c, path + ".name", "'" + opening.name + "' is the name of " + other->second + " already");
    if (opening.radius && !opening.normal)
      fail(c, path, "'normal' is missing; a disc needs it, pointing out of the fluid");
    if (opening.normal && !opening.radius) fail(c, path, "'radius' is missing; a disc needs it (or remove 'normal')");
    if (opening.normal && norm(*opening.normal) == 0) fail(c, path + ".normal", "'[0, 0, 0]' has no direction");
  }
}

namespace {

void check_series(const Case& c, const Case::Boundary& b, const std::string& path,
                  const std::vector<std::string>& possible) {
  if (b.series.empty()) {
    refuse_unused(c, path, {"series_quantity", "series_scale", "series_period"}, "without 'series'");
    if (b.profile != "table") refuse_unused(c, path, {"series_periodic"}, "without 'series'");
    return;
  }
  if (b.series_quantity.empty()) fail(c, path, "'series_quantity' is missing (one of: " + join(possible) + ")");
  if (std::find(possible.begin(), possible.end(), b.series_quantity) == possible.end()) {
    fail(c, path + ".series_quantity",
         "'" + b.series_quantity + "' is not possible at a " + b.type + " boundary (allowed: " + join(possible) + ")");
  }
  if (b.series_period && !b.series_periodic)
    fail(c, path + ".series_period",
         "contradicts 'series_periodic = false', with which the series keeps its last value; remove one of them");
}

void check_opening_velocity(const Case& c, const Case::Boundary& b, const std::string& path) {
  std::vector<std::string> given;
  if (c.given(path + ".velocity") || (c.where.empty() && b.velocity != Real3{})) given.emplace_back("velocity");
  if (b.speed) given.emplace_back("speed");
  if (b.flow_rate) given.emplace_back("flow_rate");
  if (!b.series.empty()) given.emplace_back("series");
  const bool by_table = b.profile == "table";
  if (by_table && b.profile_file.empty())
    fail(c, path + ".profile", "'table' needs 'profile_file', a CSV file of speeds over the opening");
  if (!by_table && !b.profile_file.empty()) fail(c, path + ".profile_file", "is read only with profile = \"table\"");
  if (given.empty() && !c.where.empty() && !by_table) {
    fail(c, path, "a velocity boundary needs one of 'speed', 'flow_rate', 'velocity', 'series'");
  }
  if (given.size() > 1) {
    fail(c, path + "." + given.back(), "'" + join(given, "' and '") + "' contradict each other; give exactly one");
  }
  if (b.profile == "womersley" && b.series.empty())
    fail(c, path + ".profile",
         "'womersley' needs a 'series' of 'speed' or 'flow_rate', whose waveform it follows; for a constant flow use "
         "\"developed\"");
  if (b.profile == "womersley" && !b.series_periodic)
    fail(c, path + ".series_periodic",
         "'false' contradicts profile = \"womersley\", which is that of a flow that repeats; remove it, or use profile "
         "= "
         "\"developed\"");
  if (b.turbulence && !b.series.empty())
    fail(c, path + ".turbulence",
         "contradicts 'series': eddies come in with a flow that does not change; give a constant 'speed', 'flow_rate' "
         "or 'velocity', or remove it");
  const bool by_vector = given.empty() ? !by_table : given.front() == "velocity";
  if (b.profile != "uniform" && by_vector) {
    fail(c, path + ".profile", "'" + b.profile + "' needs 'speed' or 'flow_rate' (mean values) instead of 'velocity'");
  }
}

/// Checks what belongs to profiles that rise above a ground, and refuses it with others.
void check_ground(const Case& c, const Case::Boundary& b, const std::string& path) {
  const std::vector<core::Key> own = keys_of(opening_profile(b.profile));
  const auto has = [&](const core::Key& key) {
    return std::any_of(own.begin(), own.end(), [&](const core::Key& k) { return std::string(k.name) == key.name; });
  };
  std::vector<std::string> unused;
  if (!is_above_ground(b)) unused.emplace_back("ground");
  for (const OpeningProfile& profile : opening_profiles())
    for (const core::Key& key : keys_of(profile))
      if (!has(key)) unused.emplace_back(key.name);
  refuse_unused(c, path, unused, "with profile = \"" + b.profile + "\"");
  if (!is_above_ground(b)) return;
  const bool by_flow_rate = b.flow_rate || (!b.series.empty() && b.series_quantity == "flow_rate");
  for (const core::Key& key : own) {
    const bool is_reference = key.name == own.back().name;
    if (is_reference && by_flow_rate) {
      refuse_unused(c, path, {key.name}, "with 'flow_rate', which alone says how fast the flow is");
    } else if (!b.values.contains(key.name)) {
      fail(c, path,
           std::string("'") + key.name + "' is missing; profile = \"" + b.profile + "\" needs it: " + key.meaning);
    }
  }
  ground_of(c, b, path);
}

void check_wall_velocity(const Case& c, const Case::Boundary& b, const std::string& path) {
  if (b.rotation_center.has_value() != b.angular_velocity.has_value()) {
    const char* absent = b.rotation_center ? "angular_velocity" : "rotation_center";
    fail(c, path, std::string("'") + absent + "' is missing; a spinning wall needs both it and its counterpart");
  }
  if (!c.where.empty() && !c.given(path + ".velocity") && !b.angular_velocity) {
    fail(c, path, "a moving wall needs 'velocity', or 'rotation_center' and 'angular_velocity'");
  }
  const bool tilted = b.angular_velocity && ((*b.angular_velocity)[0] != 0 || (*b.angular_velocity)[1] != 0);
  if (tilted && c.domain.dimension == 2) fail(c, path + ".angular_velocity", "must be [0, 0, w] in a 2D case");
  const auto face = std::find(names::faces.begin(), names::faces.end(), b.surface);
  if (face == names::faces.end()) return;
  constexpr double rounding = 1e-6;  // rounding of components that were computed
  const auto axis = static_cast<std::size_t>(face - names::faces.begin()) / 2;
  const double through = b.velocity[axis];
  if (std::abs(through) > rounding * norm(b.velocity))
    fail(c, path + ".velocity",
         fmt::format("{:.6g} along {} would take '{}' through itself, and lets in or out as much fluid as it sweeps: a "
                     "wall keeps its place and moves along itself only; give 0 there, or make it an opening of type = "
                     "\"velocity\"",
                     through, "xyz"[axis], b.surface));
}

/// Whether a condition prescribes something that can rise from 0.
bool may_ramp(const core::ConditionFacts& facts) {
  return facts.velocity != core::VelocityKeys::none || !series_quantities(&facts).empty();
}

/// Keys that a condition reads besides `surface` and `type`.
std::vector<std::string> keys_used(const core::ConditionFacts& facts) {
  std::vector<std::string> keys;
  if (facts.velocity == core::VelocityKeys::wall) keys = {"velocity", "rotation_center", "angular_velocity"};
  if (facts.velocity == core::VelocityKeys::opening)
    keys = {"velocity", "speed", "flow_rate", "profile", "profile_file", "ground", "turbulence"};
  if (facts.velocity == core::VelocityKeys::opening)
    for (const OpeningProfile& profile : opening_profiles())
      for (const core::Key& key : keys_of(profile)) keys.emplace_back(key.name);
  if (facts.is_opening || facts.mirrors_on_faces) keys.emplace_back("sponge");
  for (const core::Key& key : keys_of(facts)) keys.emplace_back(key.name);
  if (!series_quantities(&facts).empty())
    keys.insert(keys.end(), {"series", "series_quantity", "series_scale", "series_periodic", "series_period"});
  if (may_ramp(facts)) keys.emplace_back("ramp");
  return keys;
}

void check_type(const Case& c, const Case::Boundary& b, const std::string& path, const core::ConditionFacts& facts) {
  const std::vector<std::string> own = keys_used(facts);
  std::vector<std::string> unused;
  for (const std::string& type : names::boundary_types)
    for (const std::string& key : keys_used(facts_of_boundary(type)))
      if (std::find(own.begin(), own.end(), key) == own.end()) unused.push_back(key);
  refuse_unused(c, path, unused, "for type '" + b.type + "'");
}

/// Checks the keys that a boundary condition has of its own: there if they must be, and not given twice, as a number
/// and as a series.
void check_values(const Case& c, const Case::Boundary& b, const std::string& path, const core::ConditionFacts& facts) {
  for (const core::Key& key : keys_of(facts)) {
    const bool by_series = !b.series.empty() && b.series_quantity == key.name;
    if (key.required && !b.values.contains(key.name) && !by_series)
      fail(c, path, std::string("'") + key.name + "' is missing; a " + b.type + " boundary needs it");
    if (by_series && b.values.contains(key.name))
      fail(c, path + "." + key.name,
           std::string("'") + key.name + "' and 'series' contradict each other; give exactly one");
  }
}

void check_surface_of(const Case& c, const Case::Boundary& b, const std::string& path,
                      const core::ConditionFacts& facts) {
  const std::string key = path + ".surface";
  const auto face = std::find(names::faces.begin(), names::faces.end(), b.surface);
  if (face == names::faces.end()) {
    if (facts.only_on_faces)
      fail(c, key, "'" + b.surface + "' is no face of the box, which a boundary of type " + b.type + " needs");
    if (b.surface == names::wall && facts.is_opening)
      fail(c, key, "'wall' cannot be of type " + b.type + "; name an opening or box face");
    if (b.sponge > 0 && !facts.is_opening)
      fail(c, path + ".sponge",
           fmt::format("'{}' on '{}', along which fluid slides; sponges lie before openings and planes of symmetry, "
                       "which are faces of the box: remove it",
                       format_real(b.sponge), b.surface));
    return;
  }
  const auto axis = static_cast<std::size_t>(face - names::faces.begin()) / 2;
  if (axis == 2 && c.domain.dimension == 2) fail(c, key, "'" + b.surface + "' does not exist in a 2D case");
  if (c.domain.periodic[axis]) {
    fail(c, key,
         "'" + b.surface + "' contradicts domain.periodic, true along " + names::axes[axis] + "; remove one of them");
  }
}

/// Formulas of a vector are none, or one for each component.
void check_formulas(const Case& c, const std::string& key, const std::vector<std::string>& formulas) {
  const std::size_t count = formulas.size();
  if (count != 0 && (count < static_cast<std::size_t>(c.domain.dimension) || count > 3))
    fail(c, key,
         "'" + std::to_string(count) + "' formulas; expected " + std::to_string(c.domain.dimension) +
             ", one for each component");
}

}  // namespace

void check_boundaries(const Case& c) {
  std::map<std::string, std::string> seen;
  for (std::size_t i = 0; i < c.boundaries.size(); ++i) {
    const Case::Boundary& b = c.boundaries[i];
    const std::string path = item("boundary", i);
    const auto [first, is_new] = seen.emplace(b.surface, c.place(path + ".surface"));
    if (!is_new) {
      fail(c, path + ".surface",
           "'" + shorten(b.surface) + "' has a boundary already (" + first->second + "); give one per surface");
    }
    const core::ConditionFacts& facts = facts_of_boundary(b.type);
    check_surface_of(c, b, path, facts);
    check_type(c, b, path, facts);
    check_flat(c, path + ".velocity", b.velocity);
    if (facts.velocity == core::VelocityKeys::opening) {
      check_opening_velocity(c, b, path);
      check_ground(c, b, path);
    }
    if (facts.velocity == core::VelocityKeys::wall) check_wall_velocity(c, b, path);
    check_values(c, b, path, facts);
    check_series(c, b, path, series_quantities(&facts));
  }
  check_flat(c, "physics.acceleration", c.physics.acceleration);
  check_flat(c, "physics.initial_velocity", c.physics.initial_velocity);
  check_formulas(c, "physics.initial_velocity_formula", c.physics.initial_velocity_formula);
  check_formulas(c, "physics.acceleration_formula", c.physics.acceleration_formula);
  if (c.physics.initial_flow == "uniform") {
    refuse_unused(c, "physics", {"initial_speed"}, "without 'initial_flow'");
  } else if (c.physics.initial_speed == 0) {
    fail(c, "physics.initial_flow", "'initial_speed' is missing: the speed of '" + c.physics.initial_flow + "'");
  }
}

}  // namespace fluvia::validation
