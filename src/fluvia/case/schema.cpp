// SPDX-License-Identifier: Apache-2.0
#include "fluvia/case/schema.hpp"

#include <set>

#include "fluvia/base/text.hpp"
#include "fluvia/case/bodies/body_schema.hpp"
#include "fluvia/case/names.hpp"
#include "fluvia/case/scalars/schema_scalars.hpp"
#include "fluvia/case/tracers/tracer_schema.hpp"

namespace fluvia::schema {
namespace {

constexpr double max_steps = 1e15;

void units(Section& s, Case::Units& u) {
  s.key("system", u.system, one_of(names::unit_systems), "what the numbers of this file mean: SI or lattice units");
  s.key("spacing", u.spacing, positive("m"),
        "edge of one node, of the coarsest level; SI needs this or `finest_spacing`, lattice units neither");
  s.key("finest_spacing", u.finest_spacing, positive("m"),
        "in place of `spacing`: edge of one node of the finest level that `[[refine]]` asks for");
  s.key("density", u.density, positive("kg/m3"), "of the fluid; required in SI, 1 in lattice units");
  s.key("viscosity", u.viscosity, positive("m2/s"),
        "kinematic; required in SI; in lattice units give either this or `tau`");
  s.key("physical_viscosity", u.physical_viscosity, positive("m2/s"),
        "kinematic, of the real fluid, where the one that is computed with is another since the grid bears no smaller "
        "one; changes nothing of the flow: y+ is of it, and the [verdict](verdict.md#another-reynolds-number) compares "
        "the Reynolds numbers");
  s.key("time_step", u.time_step, positive("s"),
        "duration of one step; SI needs exactly one of `time_step`, `lattice_velocity`, `tau`");
  s.key("lattice_velocity", u.lattice_velocity, Rule{.minimum = 0, .maximum = 0.4, .above_minimum = true},
        "lattice speed that `reference_velocity` maps to; 0.05 to 0.1 is usual, the Mach number is sqrt(3) times it");
  s.key("tau", u.tau, above(0.5),
        "relaxation time in lattice units; the lattice viscosity is (tau - 1/2)/3; on D3Q13 the mean of two");
  s.key("reference_velocity", u.reference_velocity, positive("m/s"), "for Reynolds, Mach and `lattice_velocity`");
  s.key("reference_length", u.reference_length, positive("m"), "for the Reynolds number, e.g. a diameter");
  s.key(
      "reference_pressure", u.reference_pressure, any("Pa"),
      "gauge pressure that the [density at rest](#pressure) stands for; default: in SI of those that openings hold the "
      "one nearest to 0, and `initial_pressure` where none does");
}

void domain(Section& s, Case::Domain& d) {
  s.key("dimension", d.dimension, between(2, 3), "2 or 3; in 2D every vector may have two entries");
  s.key("nodes", d.nodes, between(1, max_nodes), "size of the box in nodes; give this or `size`");
  s.key("size", d.size, at_least(0, "m"), "size of the box, rounded to whole nodes; give this or `nodes`");
  s.key("origin", d.origin, any("m"), "corner of the box with the lowest coordinates; default 0, or the file's corner");
  s.key("periodic", d.periodic, any(), "what leaves the box along this axis comes in on the other side");
  s.key("padding", d.padding, between(0, 1000, "nodes"), "solid margin around an STL or vessel that sets the box");
}

void opening(Section& s, Case::OpeningInput& o) {
  s.key("name", o.name, required(any()), "surface name for boundaries");
  s.key("center", o.center, required(any("m")),
        "next to the hole or flat end of the STL that is meant, or centre of a disc");
  s.key("normal", o.normal, any(), "of the disc, pointing out of the fluid");
  s.key("radius", o.radius, positive("m"), "of the disc; none = the nearest hole or flat end of the STL");
}

const char* unit_of(core::Dimension dimension) {
  switch (dimension) {
    case core::Dimension::none:
      return "";
    case core::Dimension::length:
      return "m";
    case core::Dimension::time:
      return "s";
    case core::Dimension::velocity:
      return "m/s";
    case core::Dimension::viscosity:
      return "Pa s";
    case core::Dimension::consistency:
      return "Pa s^n";
    case core::Dimension::pressure:
      return "Pa";
    case core::Dimension::resistance:
      return "Pa s/m3";
    case core::Dimension::compliance:
      return "m3/Pa";
  }
  return "";
}

Rule rule_of(const core::Key& key) {
  Rule rule = any(unit_of(key.dimension));
  if (key.least > core::no_least) rule.minimum = key.least;
  rule.above_minimum = key.above_least;
  if (key.most < core::no_most) rule.maximum = key.most;
  return rule;
}

/// Slot of a number that only some boundary conditions or models have; cases that leave it out have its default.
Slot value_slot(std::map<std::string, double>& values, const core::Key& key) {
  return {Kind::real, 0,
          [&values, key]() -> Value {
            const auto found = values.find(key.name);
            if (found != values.end()) return found->second;
            return key.required ? Value{} : Value{key.standard};
          },
          [&values, key](const Value& value) { values[key.name] = std::get<double>(value); }};
}

void walls(Section& s, Case::Walls& w) {
  s.key("method", w.method, one_of(names::wall_methods),
        "`interpolated`: walls lie where they are; `half-way`: in the middle of links, a staircase on curved walls; "
        "auto: interpolated, but half-way for voxel images and masks that are not smoothed");
  s.key("accuracy", w.accuracy, one_of(names::wall_accuracies),
        "of interpolated walls; `viscosity-independent`: errors do not depend on the viscosity, best for slow flow");
  s.key("smooth", w.smooth, any(), "voxels and masks: a smooth wall through the staircase of the image");
  s.key(
      "model", w.model, one_of(names::wall_models),
      "`spalding`: all walls at rest that no `[[boundary]]` names are of type `wall_function`, with the friction of a "
      "[turbulent boundary layer](wall-functions.md); bodies that move are not");
  s.key("sand_grain", w.sand_grain, at_least(0, "m"), "`sand_grain` of these walls; 0 = smooth");
}

/// What each profile is, in one text.
std::string meaning_of_profiles() {
  std::string text = "of the normal speed; all but `uniform` and `table` need `speed` or `flow_rate`";
  for (const OpeningProfile& profile : opening_profiles())
    text += std::string("; `") + profile.name + "`: " + profile.meaning;
  return text;
}

void turbulence(Section& s, Case::Boundary::Turbulence& t) {
  s.key("intensity", t.intensity, required(Rule{.minimum = 0, .maximum = 0.5, .above_minimum = true}),
        "root mean square of each component over the mean speed: 0.01 in wind tunnels, 0.1 to 0.2 in wind over ground");
  s.key("length", t.length, required(positive("m")),
        "integral length, over which velocities along the flow go together; at least 4 nodes");
  s.key("seed", t.seed, between(0, 9e18), "of the random numbers: the same seed gives the same eddies");
}

void boundary(Section& s, Case::Boundary& b) {
  s.key("surface", b.surface, required(any()), "`x_min` ... `z_max`, `wall`, or the name of a shape, STL or opening");
  s.key("type", b.type, required(one_of(names::boundary_types)), "surfaces without a boundary are a wall at rest");
  s.key("velocity", b.velocity, any("m/s"), "of a moving wall, or of the fluid at a velocity boundary");
  s.key("speed", b.speed, any("m/s"),
        "velocity boundary: mean normal speed into the fluid; of profiles above a ground that at `reference_height`");
  s.key("flow_rate", b.flow_rate, any("m3/s"), "velocity boundary: volume per time into the fluid (2D: m2/s)");
  s.key("profile", b.profile, one_of(names::profiles), meaning_of_profiles().c_str());
  s.key("profile_file", b.profile_file, input_file(),
        "profile = \"table\": CSV file `x,y,z,speed` (2D: `x,y,speed`) of the normal speed into the fluid at points of "
        "the opening [m, m/s]; with `speed`, `flow_rate` or `series` only its shape counts; with the header "
        "`t,x,y,z,speed` (2D: `t,x,y,speed`) at times [s] that increase, linear in between");
  s.key(
      "ground", b.ground, one_of(names::faces),
      "profiles above a ground: the face of the box that it is; default: the only one beside the inlet that is a wall "
      "at rest");
  s.key("sponge", b.sponge, at_least(0, "m"),
        "openings and planes of symmetry: depth of a layer before it that damps what fluctuates, so that little "
        "reaches it and comes back; 0 = none");
  s.key(
      "series", b.series, input_file(),
      "CSV file `time,value` that gives the quantity below over time; in SI cases in the units of its header, if that "
      "names them, `t [s],Q [ml/s]`");
  s.key("series_quantity", b.series_quantity, one_of(names::series_quantities), "what the series gives");
  s.key("series_scale", b.series_scale, any(), "factor on the values of the series, e.g. 1e-6 for ml/s");
  s.key("series_periodic", b.series_periodic, any(),
        "repeat the series, and a table over time; false = keep its last value");
  s.key(
      "series_period", b.series_period, positive("s"),
      "time from the first value of the series to that of the next cycle, not shorter than the series; after its last "
      "value it goes back to the first in a straight line; default: the time that the series lasts");
  s.key("ramp", b.ramp, at_least(0, "s"),
        "prescribed velocities and pressures: time over which they rise smoothly from 0, or from "
        "`units.reference_pressure`, so that a flow starts gently; 0 = at once");
  s.key("rotation_center", b.rotation_center, any("m"),
        "moving wall that spins: a point on the axis, about which it must be round");
  s.key("angular_velocity", b.angular_velocity, any("1/s"), "moving wall that spins: radians per time");
  std::set<std::string> stated;
  for (const std::string& type : names::boundary_types)
    for (const core::Key& key : keys_of(facts_of_boundary(type)))
      if (stated.insert(key.name).second)
        s.key(key.name, value_slot(b.values, key), rule_of(key), (type + ": " + key.meaning).c_str());
  for (const OpeningProfile& profile : opening_profiles())
    for (const core::Key& key : keys_of(profile))
      if (stated.insert(key.name).second)
        s.key(key.name, value_slot(b.values, key), rule_of(key),
              ("profile " + std::string(profile.name) + ": " + key.meaning).c_str());
  s.table("turbulence", b.turbulence,
          "Velocity boundary: [random eddies](openings.md#turbulence) on top of a constant flow into the fluid, which "
          "stays what it is.",
          turbulence);
  s.named("scalars", b.scalars, scalars_of_boundary, scalar_condition);
}

void rheology(Section& s, Case::Physics::Rheology& r) {
  s.key("model", r.model, one_of(names::rheologies), "how the viscosity follows from the shear rate");
  s.key("fluid", r.fluid, one_of(names::fluids),
        "instead: a fluid with a name; SI only. Its numbers may be overridden");
  std::set<std::string> stated;
  for (const std::string& model : names::rheologies)
    for (const core::Key& key : keys_of(facts_of_viscosity(model)))
      if (stated.insert(key.name).second)
        s.key(key.name, value_slot(r.values, key), rule_of(key), (model + ": " + key.meaning).c_str());
  s.key("least_viscosity", r.least_viscosity, positive("Pa s"), "limit of any model; `fluvia plan` says what holds");
  s.key("most_viscosity", r.most_viscosity, positive("Pa s"), "limit of any model");
}

void physics(Section& s, Case::Physics& p) {
  s.key("acceleration", p.acceleration, any("m/s2"), "constant body force per mass");
  s.key("acceleration_formula", p.acceleration_formula, any("m/s2"),
        "added to that: a body force per mass that differs from node to node, a formula of x, y, z, as in "
        "`initial_velocity_formula`, for each component; for the disk of a fan `[\"x > 1 && x < 1.1 ? 20 : 0\", ...]`");
  s.key("acceleration_file", p.acceleration_file, input_file(),
        "added as well: `acceleration` of a `.vtkhdf` file, on any grid, 0 where it has no value; or a `.npy` array of "
        "this box, nodes along z, y, x and three components");
  s.key(
      "gravity", p.gravity, any("m/s2"),
      "drives [buoyancy](heat.md): the force -expansion (T - reference) gravity; and [free bodies](moving-bodies.md)");
  s.key("smagorinsky", p.smagorinsky, between(0, 1), "constant of the Smagorinsky model (0.1 to 0.2); 0 = off");
  s.key("initial_velocity", p.initial_velocity, any("m/s"), "everywhere at the start");
  s.key("initial_pressure", p.initial_pressure, any("Pa"),
        "gauge pressure everywhere at the start; default: `units.reference_pressure`, or 0 beside a formula or file of "
        "the pressure");
  s.key(
      "initial_flow", p.initial_flow, one_of(names::initial_flows),
      "added to these: `taylor-green`, one vortex over the box, or `shear-layer`, two thin layers; for periodic boxes");
  s.key("initial_speed", p.initial_speed, between(0, 1e9, "m/s"), "of `initial_flow`");
  s.key("initial_velocity_formula", p.initial_velocity_formula, any("m/s"),
        "added as well: a formula of x, y, z (position), lx, ly, lz (edges of the box) and pi for each component, e.g. "
        "`[\"0.1*sin(2*pi*y/ly)\", \"0\", \"0\"]`");
  s.key("initial_pressure_formula", p.initial_pressure_formula, any("Pa"), "added as well: the same, one formula");
  s.key("initial_velocity_file", p.initial_velocity_file, input_file(),
        "added as well: `velocity` of a `.vtkhdf` file or of the last one in the folder of a run, on any grid; or a "
        "`.npy` array of this box, nodes along z, y, x and three components");
  s.key("initial_pressure_file", p.initial_pressure_file, input_file(),
        "added as well: `pressure` of such a file or folder, or a `.npy` array, nodes along z, y, x");
  s.table(
      "rheology", p.rheology,
      "A fluid whose viscosity follows from the local shear rate. units.viscosity stays the reference of tau and of "
      "the Reynolds number.",
      rheology);
}

void numerics(Section& s, Case::Numerics& n) {
  s.key("lattice", n.lattice, one_of(names::lattices), "auto: D2Q9 in 2D, D3Q19 in 3D; D3Q13 needs `mrt`");
  s.key("collision", n.collision, one_of(names::collisions), "auto: `trt`, near tau = 1/2 one that stays stable");
  s.key("equilibrium", n.equilibrium, one_of(names::equilibria),
        "incompressible: He & Luo; improved: Bauer & Ruede, D3Q19");
  s.key("magic", n.magic, positive(), "trt: magic parameter; 3/16 puts straight walls exactly half-way");
  s.key("mrt_rates", n.mrt_rates, Rule{.minimum = 0, .maximum = 2},
        "mrt: free relaxation rates by name: `energy`, `energy_square`, `energy_flux`, `stress_quartic`, `cubic`; D2Q9 "
        "has the first three, D3Q15 all but `stress_quartic`, D3Q13 `energy` and `cubic`");
  s.key("scheme", n.scheme, one_of(names::schemes), "streaming and storage; all give the same result");
  s.key("tile", n.tile, between(0, 32),
        "nodes along the edge of a tile, for schemes whose tiles come in several sizes; 0 = the scheme's default");
  s.key("steps_per_pass", n.steps_per_pass, between(0, 8),
        "time steps in one pass over memory: of `fused` on GPUs, 2D at most 8, 3D at most 3; of dense and compact "
        "schemes on CPUs, with levels of refinement at most 2, of the finest; 0 = the measured best");
  s.key("trial", n.trial, any(),
        "before long runs of large domains try for a few seconds what is expected to be about as fast, if `scheme` is "
        "auto or `steps_per_pass` 0, and keep for later runs which was fastest; the result is the same, bit for bit");
  s.key("format", n.format, one_of(names::formats), "of the stored populations");
  s.key(
      "rounding", n.rounding, one_of(names::roundings),
      (join(format_names(true)) +
       ": at random to one of the two values next to it that can be stored, so that the mean is exact and "
       "changes smaller than their distance are kept (`stochastic`, which `auto` is), or to the nearest one, which is "
       "faster and may stall")
          .c_str());
  s.key("device", n.device, or_begins(one_of(names::devices), "cuda:"),
        "where to run; `cuda:0,1` names the GPUs that share the domain, `cuda:all` takes all of the machine");
  s.key("threads", n.threads, between(0, 4096),
        "0 = all cores, or OMP_NUM_THREADS, or as many as a container has time of; `serial` takes one");
  s.key("gpu_threads", n.gpu_threads, between(0, 1024),
        "threads of a block on a GPU, a multiple of 32; schemes with `tile` take one a node of a tile; 0 = as "
        "published, or the measured default");
  s.key("gpu_rows", n.gpu_rows, between(0, 32),
        "rows of nodes that a block of `gpu_threads` threads is high, each with a multiple of 32 of them: 256 threads "
        "in 8 rows are a block of 32 x 8; of dense schemes and those that go through the box row by row; 0 = as "
        "published, or as many as short rows leave room for");
  s.key("gpu_blocks", n.gpu_blocks, between(0, 32),
        "blocks that a GPU's multiprocessor shall hold: more of them leave fewer registers; 0 = the measured default");
  s.key(
      "memory_limit", n.memory_limit, between(0, 1e9, "MiB"),
      "memory that a run may take of its device; a domain that exceeds it is streamed to a GPU in parts (out of core); "
      "0 = what is free");
}

void steady(Section& s, Case::Run::Steady& t) {
  s.key("quantity", t.quantity, any(),
        "`kinetic_energy`, `max_velocity`, `permeability`, `flow_rate:OPENING` or `force:SURFACE`");
  s.key("tolerance", t.tolerance, Rule{.minimum = 0, .maximum = 1, .above_minimum = true},
        "relative change over the window at which the run stops");
  s.key("window", t.window, between(1, max_steps, "steps"), "distance of the values that are compared");
}

void run(Section& s, Case::Run& r) {
  s.key("steps", r.steps, between(1, max_steps), "length of the run; give this or `time`");
  s.key("time", r.time, positive("s"), "length of the run; give this or `steps`");
  s.key("check_every", r.check_every, between(1, max_steps, "steps"), "between two looks for NaN and high Mach");
  s.key("max_mach", r.max_mach, Rule{.minimum = 0, .maximum = 1.7, .above_minimum = true}, "stop above this");
  s.table("steady", r.steady, "Stop early when the flow is steady.", steady);
}

void probe(Section& s, Case::Monitors::Probe& p) {
  s.key("name", p.name, required(any()), "column name");
  s.key("position", p.position, required(any("m")), "velocity and pressure of the nearest fluid node are recorded");
}

void line(Section& s, Case::Line& l) {
  s.key("name", l.name, required(any()), "of the file, `line-NAME-STEP.csv`");
  s.key("from", l.from, required(any("m")), "where it begins");
  s.key("to", l.to, required(any("m")), "where it ends");
  s.key("points", l.points, between(0, 1e6), "evenly from end to end; 0 = one a node");
}

void plane(Section& s, Case::Plane& p) {
  s.key("name", p.name, required(any()), "of columns and files");
  s.key("center", p.center, required(any("m")), "a point on it");
  s.key("normal", p.normal, required(any()), "the direction across it, in which flow counts as positive");
  s.key("radius", p.radius, at_least(0, "m"), "only what is so near to the centre; 0 = all");
  s.key("connected", p.connected, any(),
        "only the part in the fluid that hangs together with the centre, e.g. one vessel of several; false: all of it");
}

void expectation(Section& s, Case::Monitors::Expectation& e) {
  s.key("column", e.column, required(any()), "name of a column of `monitors.csv`, without its unit");
  s.key("value", e.value, required(any()), "expected last value, in the column's unit");
  s.key("source", e.source, any(), "where the value comes from");
}

void monitors(Section& s, Case::Monitors& m) {
  s.key("every", m.every, between(1, max_steps, "steps"), "between two rows of the CSV files");
  s.key("forces", m.forces, any(), "surfaces of which force and torque are recorded");
  s.key("force_parts", m.force_parts, one_of(names::force_parts),
        "split forces into pressure and viscous part: `exchange` by momentum exchange with the fluid's velocity left "
        "out, `integral` by integrating pressure and viscous stress over the surface");
  s.key("reference_area", m.reference_area, positive("m2"),
        "also record force coefficients 2 F / (density reference_velocity^2 reference_area); 2D: a length in m; with "
        "`torque_center` and units.reference_length the torque's, `C_m`");
  s.key("drag_axis", m.drag_axis, any(), "direction of drag: also record `C_d`, the force coefficient along it");
  s.key("lift_axis", m.lift_axis, any(), "direction of lift: also record `C_l`, the force coefficient along it");
  s.key("torque_center", m.torque_center, any("m"), "point of reference of the torque; default: the origin");
  s.key("openings", m.openings, any(), "record flow rate and mean pressure of every opening");
  s.axis("permeability_axis", m.permeability_axis, one_of(names::axes), "record the permeability along this axis");
  s.key("average_from", m.average_from, between(0, max_steps, "steps"), "step from which time averages are taken");
  s.array("probe", m.probes, "A point at which the flow is recorded.", probe);
  s.array("plane", m.planes,
          "A plane through which flow rate and mean pressure are recorded, as `flow_NAME` and `pressure_NAME`.", plane);
  s.array("expect", m.expectations, "A value to compare the end of the run with; `summary.json` holds the result.",
          expectation);
}

void slice(Section& s, Case::Output::Slice& l) {
  s.key("field", l.field, or_begins(one_of(names::slice_fields), any_name),
        "what the picture shows: of vectors the magnitude, or with `_x`, `_y`, `_z` a component (2D: of the vorticity "
        "its only one)");
  s.axis("axis", l.axis, one_of(names::axes), "normal of the picture's plane");
  s.key("position", l.position, any("m"), "along the axis; default: the middle of the box");
  s.key("arrows", l.arrows, between(0, 200),
        "arrows along the picture's longer side that show the velocity in the plane; 0 = none");
  s.key("streamlines", l.streamlines, between(0, 200),
        "evenly spaced streamlines of the velocity in the plane, about so many beside each other along the picture's "
        "longer side; 0 = none");
  s.key("range", l.range, any(),
        "lowest and highest value of the colour bar, in the unit of the field; default: from the values, and kept from "
        "picture to picture as long as they fit it");
  s.key("formats", l.formats, one_of(names::picture_formats),
        "files to write; `svg` and `pdf` have sharp text at any size");
}

void output(Section& s, Case::Output& o) {
  s.key("directory", o.directory, any(),
        "relative to where Fluvia is started; default: `out/` + name of the case file");
  s.key("every", o.every, between(0, max_steps, "steps"), "between field files and pictures; 0 = only at the end");
  s.key("fields", o.fields, or_begins(one_of(names::fields), any_name),
        "in the VTK files; `average_...` needs `monitor.average_from`; also names of [scalars](heat.md)");
  s.key("vtk", o.vtk, one_of(names::vtk_kinds), "auto: image for full boxes, unstructured for sparse geometries");
  s.key("wall", o.wall, any(),
        "also write `wall-*.vtp`: the walls as triangles with wall shear stress and pressure, 3D only; averages and "
        "oscillation with `monitor.average_from`");
  s.key("stride", o.stride, between(1, 1024), "write every n-th node along each axis");
  s.key("region", o.region, any("m"), "lower and upper corner of the part to write; default: all");
  s.key("compression", o.compression, between(0, 9), "0 = none, 9 = smallest");
  s.array("slice", o.slices, "A picture of a plane.", slice);
  s.array("line", o.lines, "A table (CSV) of the fields along a line, with those of the walls that it meets.", line);
  s.array("plane", o.planes, "A table (CSV) of the fields over a plane, `plane-NAME-STEP.csv`.", plane);
}

void checkpoint(Section& s, Case::Checkpoint& k) {
  s.key("every", k.every, between(0, max_steps, "steps"), "0 = only on interruption and at the end");
  s.key("at_end", k.at_end, any(), "write one when the run is complete");
}

}  // namespace

void describe(Visitor& visitor, Case& c) {
  Section s(visitor);
  std::vector<std::string> include;  // resolved before the walk; stated here for the reference and for suggestions
  s.key("title", c.title, any(), "one line that names the case in logs and files");
  s.key("include", include, any(), "another case file, or several, to start from; relative to this file");
  s.table("units", c.units, "The units of every number in the file, and how they map to the lattice.", units);
  s.table("domain", c.domain,
          "The box. An STL, voxels, a mask or a vessel sets it if neither `nodes` nor `size` is given.", domain);
  s.table(
      "geometry", c.geometry,
      "What is solid in the box, layer on layer: generator, voxels, mask, STL, shapes. Without any it is all fluid.",
      describe_geometry);
  s.array("opening", c.openings, "A hole in a mesh, or a disc, that boundaries can name.", opening);
  s.array("refine", c.refine, "A region with a finer spacing and shorter steps; see [levels of refinement](levels.md).",
          describe_refine);
  s.table("walls", c.walls, "Where walls lie between nodes.", walls);
  s.array("boundary", c.boundaries, "What happens at a surface. At most one per surface.", boundary);
  s.array("scalar", c.scalars, meaning_of_scalars, carried_scalar);
  s.array("solid", c.solids, meaning_of_solids, conducting_solid);
  s.array(
      "body", c.bodies,
      "A rigid body that moves as it is told, or freely, on CPUs or one GPU; see [moving bodies](moving-bodies.md).",
      describe_body);
  s.array("tracer", c.tracers, "Points that go with the flow; see [tracers](tracers.md).", describe_tracer);
  s.table("physics", c.physics, "Forces, turbulence and the initial state.", physics);
  s.table("numerics", c.numerics, "How the flow is computed.", numerics);
  s.table("run", c.run, "How long to run.", run);
  s.table("monitor", c.monitors, "What is recorded in CSV files while running.", monitors);
  s.table("output", c.output, "Field files and pictures.", output);
  s.table("checkpoint", c.checkpoint, "Files from which an interrupted run goes on.", checkpoint);
}

}  // namespace fluvia::schema
