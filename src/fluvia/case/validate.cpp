// SPDX-License-Identifier: Apache-2.0
#include "fluvia/case/validate.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <set>

#include "fluvia/base/error.hpp"
#include "fluvia/base/text.hpp"
#include "fluvia/case/check.hpp"
#include "fluvia/case/gpus.hpp"
#include "fluvia/case/names.hpp"
#include "fluvia/case/physics/registered_physics.hpp"

namespace fluvia {
namespace validation {

void fail(const Case& c, const std::string& key, const std::string& problem) {
  throw_input(c.place(key) + ": " + key + ": " + problem);
}

void refuse_unused(const Case& c, const std::string& path, const std::vector<std::string>& unused,
                   const std::string& why) {
  for (const std::string& name : unused) {
    const std::string key = path + "." + name;
    if (c.given(key)) fail(c, key, "'" + name + "' has no meaning " + why + "; remove it");
  }
}

void check_name(const Case& c, const std::string& key, const std::string& name) {
  const bool valid = !name.empty() && name.size() <= 64 && std::all_of(name.begin(), name.end(), [](unsigned char ch) {
    return std::isalnum(ch) != 0 || ch == '_' || ch == '-' || ch == '.';
  });
  if (!valid) fail(c, key, "'" + shorten(name) + "' is no name; use up to 64 letters, digits, '_', '-', '.'");
}

void check_flat(const Case& c, const std::string& key, const Real3& vector) {
  if (c.domain.dimension == 2 && vector[2] != 0) {
    fail(c, key, "'" + format_real(vector[2]) + "' along z is not possible in a 2D case; give two entries");
  }
}

bool is_face(const std::string& name) {
  return std::find(names::faces.begin(), names::faces.end(), name) != names::faces.end();
}

namespace {

void check_si(const Case& c) {
  const Case::Units& u = c.units;
  if (u.spacing && u.finest_spacing)
    fail(c, "units.finest_spacing", "'spacing' and 'finest_spacing' contradict each other; give exactly one");
  if (!c.spacing()) fail(c, "units", "'spacing' is missing; SI units need the edge of one node in metres");
  if (!u.viscosity) fail(c, "units", "'viscosity' is missing; SI units need it in m2/s, e.g. 1e-6 for water");
  if (!c.where.empty() && !c.given("units.density")) {
    fail(c, "units", "'density' is missing; SI units need it in kg/m3, e.g. 1000 for water");
  }
  std::vector<std::string> given;
  if (u.time_step) given.emplace_back("time_step");
  if (u.lattice_velocity) given.emplace_back("lattice_velocity");
  if (u.tau) given.emplace_back("tau");
  if (given.empty())
    fail(c, "units", "SI units need one of 'time_step', 'lattice_velocity' (about 0.05), 'tau' (about 0.8)");
  if (given.size() > 1) {
    fail(c, "units." + given.back(), "'" + join(given, "' and '") + "' contradict each other; give exactly one");
  }
  if (u.lattice_velocity && !u.reference_velocity) {
    fail(c, "units.lattice_velocity", "'reference_velocity' is missing: the speed in m/s that it stands for");
  }
}

void check_lattice_units(const Case& c) {
  const Case::Units& u = c.units;
  const auto refuse = [&](bool present, const char* name) {
    if (present)
      fail(c, std::string("units.") + name, "has no meaning in lattice units; remove it, or set system = \"si\"");
  };
  refuse(u.spacing && *u.spacing != 1, "spacing");
  refuse(u.finest_spacing.has_value(), "finest_spacing");
  refuse(u.density != 1, "density");
  refuse(u.time_step && *u.time_step != 1, "time_step");
  refuse(u.lattice_velocity.has_value(), "lattice_velocity");
  if (u.tau && u.viscosity) fail(c, "units.tau", "'viscosity' and 'tau' contradict each other; give exactly one");
  if (!u.tau && !u.viscosity) {
    fail(c, "units", "'viscosity' is missing; lattice units need 'viscosity' (e.g. 0.05) or 'tau' (e.g. 0.65)");
  }
}

void check_tile(const Case& c) {
  const Case::Numerics& n = c.numerics;
  if (n.tile == 0) return;
  const auto scheme = std::find_if(std::begin(core::schemes), std::end(core::schemes),
                                   [&](const core::Scheme& s) { return n.scheme == s.name; });
  names::List allowed;
  if (scheme == std::end(core::schemes) || *scheme->edges(c.domain.dimension) == 0)
    fail(c, "numerics.tile", "has no meaning for scheme '" + n.scheme + "', which has no tiles to choose; remove it");
  for (const int* edge = scheme->edges(c.domain.dimension); edge != scheme->edges(c.domain.dimension) + 3; ++edge)
    if (*edge == n.tile)
      return;
    else if (*edge != 0)
      allowed.push_back(std::to_string(*edge));
  fail(c, "numerics.tile",
       "is " + std::to_string(n.tile) + ", but tiles of " + n.scheme + " have an edge of " + join(allowed, " or ") +
           " nodes in " + std::to_string(c.domain.dimension) + "D");
}

/// The most time steps of a pass of a scheme on any of the devices that a case may run on.
int most_steps(const Case& c, const core::Scheme& scheme) {
  const int on_gpu = scheme.most_steps_on_gpu(c.domain.dimension), on_cpu = scheme.most_steps_on_cpu;
  if (is_on_gpus(c.numerics.device)) return on_gpu;
  return c.numerics.device == "cpu" ? on_cpu : std::max(on_gpu, on_cpu);
}

void check_steps_per_pass(const Case& c) {
  const Case::Numerics& n = c.numerics;
  if (n.steps_per_pass == 0 || n.scheme == "auto") return;  // the plan knows which scheme `auto` is
  const auto scheme = std::find_if(std::begin(core::schemes), std::end(core::schemes),
                                   [&](const core::Scheme& s) { return n.scheme == s.name; });
  const int most = scheme == std::end(core::schemes) ? 1 : most_steps(c, *scheme);
  if (most == 1)
    fail(c, "numerics.steps_per_pass",
         "has no meaning for scheme '" + n.scheme +
             "', which takes one step at a time; remove it, or take \"fused\" on a GPU, \"aa\" on a CPU");
  if (n.steps_per_pass > most)
    fail(c, "numerics.steps_per_pass",
         "is " + std::to_string(n.steps_per_pass) + ", but a pass of " + n.scheme + " has at most " +
             std::to_string(most) + " steps in " + std::to_string(c.domain.dimension) + "D");
}

/// Refuses keys that mean something only to collisions with certain odd rates.
void check_odd_rates(const Case& c) {
  const std::string& collision = c.numerics.collision;
  const auto is_among = [&](const names::List& list) {
    return std::find(list.begin(), list.end(), collision) != list.end();
  };
  if (const names::List users = collisions_with(core::OddRates::magic); !is_among(users))
    refuse_unused(c, "numerics", {"magic"}, "for collision '" + collision + "' (only for " + join(users) + ")");
  if (const names::List users = collisions_with(core::OddRates::given);
      !is_among(users) && !c.numerics.mrt_rates.empty())
    fail(c, "numerics.mrt_rates",
         "has no meaning for collision '" + collision + "' (only for " + join(users) + "); remove it");
}

void check_numerics(const Case& c) {
  check_tile(c);
  check_steps_per_pass(c);
  const Case::Numerics& n = c.numerics;
  if (is_on_gpus(n.device)) parse_gpus(c.place("numerics.device") + ": numerics.device", n.device);
  if (n.gpu_threads % 32 != 0)
    fail(c, "numerics.gpu_threads", "is " + std::to_string(n.gpu_threads) + ", expected a multiple of 32, such as 128");
  if (n.gpu_rows > 0 && (n.gpu_threads == 0 || n.gpu_threads % (32 * n.gpu_rows) != 0))
    fail(c, "numerics.gpu_rows",
         "is " + std::to_string(n.gpu_rows) + " with gpu_threads = " + std::to_string(n.gpu_threads) +
             ", but each row takes a multiple of 32 threads; expected gpu_threads to be a multiple of " +
             std::to_string(32 * n.gpu_rows));
  if (n.rounding != "auto" && !format_rounds(n.format))
    fail(c, "numerics.rounding",
         "'" + n.rounding + "' has no meaning for format '" + n.format +
             "', which stores what is computed; remove it, or use " + join(format_names(true), " or "));
  const std::vector<std::string> fitting = lattice_names(c.domain.dimension);
  if (n.lattice != "auto" && std::find(fitting.begin(), fitting.end(), n.lattice) == fitting.end()) {
    fail(c, "numerics.lattice",
         "'" + n.lattice + "' does not fit domain.dimension = " + std::to_string(c.domain.dimension) + "; use " +
             join(fitting, " or ") + " or auto");
  }
  check_odd_rates(c);
  const std::string lattice = lattice_of(c);
  const std::string problem = collision_problem(n.collision, lattice);
  if (!problem.empty()) fail(c, "numerics.collision", problem);
  const std::string equilibrium = equilibrium_problem(n.equilibrium, n.collision, lattice);
  if (!equilibrium.empty()) fail(c, "numerics.equilibrium", equilibrium);
  const std::vector<std::string> rates = mrt_rate_names(lattice);
  for (const auto& [name, rate] : n.mrt_rates) {
    if (std::find(rates.begin(), rates.end(), name) == rates.end()) {
      fail(c, "numerics.mrt_rates",
           "'" + shorten(name) + "' is no free rate on " + lattice + did_you_mean(name, rates) +
               " (allowed: " + join(rates) + ")");
    }
  }
}

void check_steady(const Case& c) {
  const std::string& quantity = c.run.steady->quantity;
  const std::string key = "run.steady.quantity";
  const std::size_t colon = quantity.find(':');
  const std::string kind = colon == std::string::npos ? quantity : quantity.substr(0, colon + 1);
  const names::List& kinds = names::steady_quantities;
  if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) {
    fail(c, key,
         "'" + shorten(quantity) + "' is not allowed" + did_you_mean(kind, kinds) + " (allowed: " + join(kinds) +
             "; after a colon follows the name of a surface)");
  }
  if (colon != std::string::npos) check_name(c, key, quantity.substr(colon + 1));
  if (quantity == "permeability" && !c.monitors.permeability_axis) {
    fail(c, key, "'permeability' needs monitor.permeability_axis");
  }
}

void check_run(const Case& c) {
  if (c.run.steps && c.run.time) fail(c, "run.time", "'steps' and 'time' contradict each other; give exactly one");
  if (c.run.steady) check_steady(c);
  if (c.run.steps) check_averages(c, *c.run.steps);
}

void refuse_repeats(const Case& c, const std::string& key, const std::vector<std::string>& names) {
  std::set<std::string> seen;
  for (const std::string& name : names) {
    if (!seen.insert(name).second) fail(c, key, "'" + shorten(name) + "' is there twice");
  }
}

/// Permeability is flow divided by what drives it along the same axis.
void check_permeability(const Case& c, int axis) {
  if (c.physics.has_acceleration_field())
    fail(c, "monitor.permeability_axis",
         "a permeability is found from a force that is the same at all nodes, or from pressures; leave out "
         "physics.acceleration_formula and physics.acceleration_file, or this key");
  if (c.physics.acceleration[axis] != 0) return;
  int openings = 0;
  for (const Case::Boundary& b : c.boundaries)
    for (int side = 0; side < 2; ++side)
      openings += b.surface == names::faces[static_cast<std::size_t>(2 * axis + side)] ? 1 : 0;
  if (openings == 2) return;  // whether the two openings are open is for the geometry to say
  const std::string& name = names::axes[static_cast<std::size_t>(axis)];
  fail(c, "monitor.permeability_axis",
       "nothing drives a flow along '" + name + "': give physics.acceleration along it, or pressure or velocity " +
           "boundaries at both " + name + "_min and " + name + "_max; or name the axis that is driven");
}

void check_force_axis(const Case& c, const std::string& key, const std::optional<Real3>& axis) {
  if (!axis) return;
  check_flat(c, key, *axis);
  if (norm(*axis) == 0) fail(c, key, "'[0, 0, 0]' has no direction");
  if (!c.monitors.reference_area) fail(c, key, "needs monitor.reference_area, which the coefficient refers to");
}

void check_planes(const Case& c, const std::string& table, const std::vector<Case::Plane>& planes,
                  std::set<std::string> taken) {
  for (std::size_t i = 0; i < planes.size(); ++i) {
    const std::string key = table + "[" + std::to_string(i) + "]";
    check_name(c, key + ".name", planes[i].name);
    if (!taken.insert(planes[i].name).second) fail(c, key + ".name", "'" + planes[i].name + "' is there twice");
    check_flat(c, key + ".normal", planes[i].normal);
    if (!(norm(planes[i].normal) > 0)) fail(c, key + ".normal", "'[0, 0, 0]' is no direction");
  }
}

void check_monitors(const Case& c) {
  refuse_repeats(c, "monitor.forces", c.monitors.forces);
  refuse_repeats(c, "monitor.force_parts", c.monitors.force_parts);
  if (c.monitors.forces.empty()) {
    if (!c.monitors.force_parts.empty())
      fail(c, "monitor.force_parts", "has no meaning without 'forces', the surfaces to measure; give both or none");
    if (c.monitors.reference_area)
      fail(c, "monitor.reference_area", "has no meaning without 'forces', the surfaces to measure; give both or none");
  }
  if (c.monitors.reference_area && !c.units.reference_velocity)
    fail(c, "monitor.reference_area", "needs units.reference_velocity, the speed that coefficients refer to");
  if (c.monitors.permeability_axis == 2 && c.domain.dimension == 2) {
    fail(c, "monitor.permeability_axis", "'z' does not exist in a 2D case; use x or y");
  }
  if (c.monitors.permeability_axis) check_permeability(c, *c.monitors.permeability_axis);
  check_force_axis(c, "monitor.drag_axis", c.monitors.drag_axis);
  check_force_axis(c, "monitor.lift_axis", c.monitors.lift_axis);
  std::set<std::string> probes;
  for (std::size_t i = 0; i < c.monitors.probes.size(); ++i) {
    const std::string key = "monitor.probe[" + std::to_string(i) + "].name";
    const std::string& name = c.monitors.probes[i].name;
    check_name(c, key, name);
    if (!probes.insert(name).second) fail(c, key, "'" + name + "' is there twice");
  }
  // Openings and probes have columns of such names, too.
  for (const Case::Boundary& boundary : c.boundaries) probes.insert(boundary.surface);
  check_planes(c, "monitor.plane", c.monitors.planes, std::move(probes));
}

void check_lines(const Case& c) {
  std::set<std::string> taken;
  for (std::size_t i = 0; i < c.output.lines.size(); ++i) {
    const Case::Line& line = c.output.lines[i];
    const std::string key = "output.line[" + std::to_string(i) + "]";
    check_name(c, key + ".name", line.name);
    if (!taken.insert(line.name).second) fail(c, key + ".name", "'" + line.name + "' is there twice");
    if (line.points == 1) fail(c, key + ".points", "'1' is no line; give 2 or more, or 0 for one a node");
    if (line.from == line.to) fail(c, key + ".to", "the line ends where it begins");
  }
}

/// Refuses the stress that nodes resolve at walls whose friction is that of a law: it would be that of the flow beside
/// the wall.
void check_resolved_stress(const Case& c, const std::string& key, const std::string& value) {
  for (const Case::Boundary& b : c.boundaries)
    if (facts_of_boundary(b.type).models_friction)
      fail(c, key,
           "'" + value + "' is the stress that the nodes resolve, which is not that of '" + b.surface + "', type \"" +
               b.type + "\"; take output.wall, or its force from monitor.forces");
}

/// Refuses values at walls whose friction is that of a law on levels of refinement.
void check_wall_levels(const Case& c) {
  for (const Case::Boundary& b : c.boundaries)
    if (facts_of_boundary(b.type).models_friction && !c.refine.empty())
      fail(c, "output.wall",
           "'true' does not know the stress of '" + b.surface + "', type \"" + b.type +
               "\", on levels of refinement; take its force from monitor.forces, or remove [[refine]]");
}

void check_field(const Case& c, const std::string& key, const std::string& field) {
  if (field.ends_with("wall_shear_stress")) check_resolved_stress(c, key, field);
  if (field.starts_with("average_") && !c.monitors.average_from) {
    fail(c, key, "'" + field + "' needs monitor.average_from, the step from which averages are taken");
  }
}

void check_output(const Case& c) {
  refuse_repeats(c, "output.fields", c.output.fields);
  for (const std::string& field : c.output.fields) check_field(c, "output.fields", field);
  if (c.output.wall && c.domain.dimension == 2)
    fail(c, "output.wall", "'true' is not possible in a 2D case, whose walls are lines; remove it");
  if (c.output.wall) check_wall_levels(c);
  check_lines(c);
  check_planes(c, "output.plane", c.output.planes, {});
  if (c.output.region) {
    const auto& [lower, upper] = *c.output.region;
    for (int axis = 0; axis < c.domain.dimension; ++axis) {
      if (lower[axis] < upper[axis]) continue;
      fail(c, "output.region",
           "the upper corner must lie above the lower one, but along " + names::axes[axis] + " '" +
               format_real(upper[axis]) + "' is not above '" + format_real(lower[axis]) + "'");
    }
  }
  for (std::size_t i = 0; i < c.output.slices.size(); ++i) {
    const std::string path = "output.slice[" + std::to_string(i) + "]";
    const Case::Output::Slice& slice = c.output.slices[i];
    check_field(c, path + ".field", slice.field);
    if (slice.formats.empty())
      fail(c, path + ".formats", "'[]' is no picture at all; name formats, or remove the slice");
    refuse_repeats(c, path + ".formats", slice.formats);
    if (slice.range && !((*slice.range)[0] < (*slice.range)[1]))
      fail(c, path + ".range",
           "'[" + format_real((*slice.range)[0]) + ", " + format_real((*slice.range)[1]) +
               "]' has no length; give the lowest value first, then a higher one");
    if (c.domain.dimension == 2 && slice.component() &&
        (*slice.component() == 2) != slice.quantity().ends_with("vorticity"))
      fail(c, path + ".field", "'" + slice.field + "' is 0 everywhere in a 2D case; choose another component");
    if (c.domain.dimension == 2 && c.output.slices[i].axis != 2) {
      fail(c, path + ".axis",
           "'" + names::axes[static_cast<std::size_t>(c.output.slices[i].axis)] +
               "' is not possible in a 2D case; pictures are normal to z");
    }
  }
}

}  // namespace

void check_units(const Case& c) {
  c.units.system == "si" ? check_si(c) : check_lattice_units(c);
  if (c.units.physical_viscosity && c.physics.rheology)
    fail(c, "units.physical_viscosity",
         "has no meaning beside [physics.rheology], by which the viscosity is that of the real fluid; remove one");
}

}  // namespace validation

namespace {

void check_surface(const Case& c, const std::string& key, const std::string& name,
                   const std::vector<std::string>& surfaces) {
  if (std::find(surfaces.begin(), surfaces.end(), name) != surfaces.end()) return;
  validation::fail(c, key,
                   "'" + shorten(name) + "' is no surface of this case" + did_you_mean(name, surfaces) +
                       " (surfaces: " + join(surfaces) + ")");
}

/// Names that are certain before the geometry is built; complete unless meshes or generators add openings of their own.
std::vector<std::string> names_of(const Case& c) {
  std::vector<std::string> surfaces = names::faces;
  surfaces.push_back(names::wall);
  const auto add = [&](const std::string& name) {
    if (std::find(surfaces.begin(), surfaces.end(), name) == surfaces.end() && !name.empty()) surfaces.push_back(name);
  };
  for (const auto& shape : c.geometry.shapes) add(shape.name);
  for (const auto& opening : c.openings) add(opening.name);
  return surfaces;
}

}  // namespace

void check_names(const Case& c, const std::vector<std::string>& surfaces) {
  for (std::size_t i = 0; i < c.boundaries.size(); ++i) {
    check_surface(c, "boundary[" + std::to_string(i) + "].surface", c.boundaries[i].surface, surfaces);
  }
  for (const std::string& name : c.monitors.forces) check_surface(c, "monitor.forces", name, surfaces);
  for (std::size_t i = 0; i < c.tracers.size(); ++i) {
    const std::string key = "tracer[" + std::to_string(i) + "]";
    if (!c.tracers[i].from.empty()) check_surface(c, key + ".from", c.tracers[i].from, surfaces);
    for (const std::string& name : c.tracers[i].stick) check_surface(c, key + ".stick", name, surfaces);
  }
  if (!c.run.steady) return;
  const std::string& quantity = c.run.steady->quantity;
  const std::size_t colon = quantity.find(':');
  if (colon != std::string::npos && !quantity.starts_with("scalar:"))
    check_surface(c, "run.steady.quantity", quantity.substr(colon + 1), surfaces);
}

void validate(const Case& c) {
  schema::check_rules(c);
  validation::check_units(c);
  validation::check_domain(c);
  validation::check_geometry(c);
  validation::check_openings(c);
  validation::check_walls(c);
  validation::check_boundaries(c);
  validation::check_numerics(c);
  validation::check_rheology(c);
  validation::check_run(c);
  validation::check_monitors(c);
  validation::check_output(c);
  validation::check_refine(c);
  validation::check_scalars(c);
  validation::check_bodies(c);
  validation::check_tracers(c);
  if (c.geometry.stl.empty() && !c.geometry.generator) check_names(c, names_of(c));
}

}  // namespace fluvia
