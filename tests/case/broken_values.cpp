// SPDX-License-Identifier: Apache-2.0
#include "case/broken_cases.hpp"
#include "fluvia/base/text.hpp"
#include "fluvia/case/names.hpp"

namespace {

const std::string units = "[units]\nviscosity = 0.1\n";      // lines 1-2
const std::string domain = "[domain]\nnodes = [8, 8, 8]\n";  // lines 3-4
const std::string run = "[run]\nsteps = 10\n";               // lines 5-6
const std::string good_box = units + domain + run;

}  // namespace

std::vector<BrokenCase> broken_values() {
  return {
      // syntax
      {"syntax", "[units\nviscosity = 0.1\n",
       "bad.toml:1:7: TOML syntax: Error while parsing table header: expected ']', saw '\\n'"},
      {"duplicate_key", "title = \"a\"\ntitle = \"b\"\n",
       "bad.toml:2:9: TOML syntax: Error while parsing key-value pair: cannot redefine existing string 'title'"},
      {"not_toml", "\x7f\x45LF\x01\x02", ""},
      // names
      {"unknown_key", "[units]\nviscocity = 0.1\n",
       "bad.toml:2:1: units: unknown key 'viscocity'; did you mean 'viscosity'? (allowed here: system, spacing, "
       "finest_spacing, density, viscosity, physical_viscosity, time_step, lattice_velocity, tau, reference_velocity, "
       "reference_length, reference_pressure)"},
      {"unknown_section", good_box + "[outptu]\nstride = 2\n",
       "bad.toml:7:2: unknown key 'outptu'; did you mean 'output'? (allowed here: title, include, units, domain, "
       "geometry, "
       "opening, refine, walls, boundary, scalar, solid, body, tracer, physics, numerics, run, monitor, output, "
       "checkpoint)"},
      {"key_of_another_section", "viscosity = 0.1\n" + domain + run,
       "bad.toml:1:1: unknown key 'viscosity'; it belongs into [units] (allowed here: title, include, units, domain, "
       "geometry, opening, refine, walls, boundary, scalar, solid, body, tracer, physics, numerics, run, monitor, "
       "output, checkpoint)"},
      {"unknown_key_in_array", good_box + "[[boundary]]\nsurface = \"x_min\"\ntype = \"velocity\"\nsped = 0.1\n",
       "bad.toml:10:1: boundary[0]: unknown key 'sped'; did you mean 'speed'? (allowed here: surface, type, velocity, "
       "speed, flow_rate, profile, profile_file, ground, sponge, series, series_quantity, series_scale, "
       "series_periodic, "
       "series_period, ramp, "
       "rotation_center, "
       "angular_velocity, "
       "pressure, "
       "relaxation, proximal_resistance, distal_resistance, compliance, share, slip_length, sand_grain, "
       "roughness, reference_height, exponent, turbulence, scalars)"},
      {"turbulence_too_strong",
       good_box + "[[boundary]]\nsurface = \"x_min\"\ntype = \"velocity\"\nspeed = 0.1\n"
                  "turbulence = { intensity = 0.6, length = 5 }\n",
       "bad.toml:11:28: boundary[0].turbulence.intensity: '0.6' is out of range; must be above 0 and at most 0.5"},
      {"unit_system", "[units]\nsystem = \"SI\"\n",
       "bad.toml:2:10: units.system: 'SI' is not allowed; did you mean 'si'? (allowed: si, lattice)"},
      {"collision", good_box + "[numerics]\ncollision = \"bgkk\"\n",
       "bad.toml:8:13: numerics.collision: 'bgkk' is not allowed; did you mean 'bgk'? (allowed: " +
           fluvia::join(fluvia::names::collisions) + ")"},
      {"scheme", good_box + "[numerics]\nscheme = \"esoteric\"\n",
       "bad.toml:8:10: numerics.scheme: 'esoteric' is not allowed; did you mean 'esoteric-pull'? (allowed: " +
           fluvia::join(fluvia::names::schemes) + ")"},
      {"tile_without_tiles", good_box + "[numerics]\nscheme = \"aa\"\ntile = 8\n",
       "bad.toml:9:8: numerics.tile: has no meaning for scheme 'aa', which has no tiles to choose; remove it"},
      {"steps_per_pass_of_single_steps", good_box + "[numerics]\nscheme = \"cm\"\nsteps_per_pass = 2\n",
       "bad.toml:9:18: numerics.steps_per_pass: has no meaning for scheme 'cm', which takes one step at a time; remove "
       "it, or take \"fused\" on a GPU, \"aa\" on a CPU"},
      {"steps_per_pass_too_many", good_box + "[numerics]\nscheme = \"fused\"\nsteps_per_pass = 4\n",
       "bad.toml:9:18: numerics.steps_per_pass: is 4, but a pass of fused has at most 3 steps in 3D"},
      {"tile_of_another_size", good_box + "[numerics]\nscheme = \"t2c\"\ntile = 16\n",
       "bad.toml:9:8: numerics.tile: is 16, but tiles of t2c have an edge of 4 or 8 nodes in 3D"},
      {"lattice_without_likeness", good_box + "[numerics]\nlattice = \"hexagonal\"\n",
       "bad.toml:8:11: numerics.lattice: 'hexagonal' is not allowed (allowed: " +
           fluvia::join(fluvia::names::lattices) + ")"},
      {"field", good_box + "[output]\nfields = [\"pressure\", \"velocty\"]\n",
       "bad.toml:8:10: output.fields: '[pressure, velocty]' has 'velocty', not allowed; did you mean 'velocity'? "
       "(allowed: "
       "pressure, density, velocity, vorticity, strain_rate, viscosity, wall_shear_stress, average_pressure, "
       "average_density, average_velocity, average_vorticity, average_strain_rate, average_viscosity, "
       "average_wall_shear_stress)"},
      {"picture_format", good_box + "[[output.slice]]\nformats = [\"svg\", \"jpg\"]\n",
       "bad.toml:8:11: output.slice[0].formats: '[svg, jpg]' has 'jpg', not allowed (allowed: png, svg, pdf)"},
      {"arrows", good_box + "[[output.slice]]\narrows = -1\n",
       "bad.toml:8:10: output.slice[0].arrows: '-1' is out of range; must be 0 to 200"},
      {"axis", good_box + "[[output.slice]]\naxis = \"w\"\n",
       "bad.toml:8:8: output.slice[0].axis: 'w' is not allowed; did you mean 'x'? (allowed: x, y, z)"},
      {"surface", good_box + "[[boundary]]\nsurface = \"x_mim\"\ntype = \"wall\"\n",
       "bad.toml:8:11: boundary[0].surface: 'x_mim' is no surface of this case; did you mean 'x_min'? (surfaces: "
       "x_min, "
       "x_max, y_min, y_max, z_min, z_max, wall)"},
      {"force_surface",
       good_box + "[monitor]\nforces = [\"ball\"]\n[[geometry.shape]]\nname = \"bal\"\nkind = \"sphere\"\n"
                  "center = [4, 4, 4]\nradius = 1\n",
       "bad.toml:8:10: monitor.forces: 'ball' is no surface of this case; did you mean 'bal'? (surfaces: x_min, x_max, "
       "y_min, y_max, z_min, z_max, wall, bal)"},
      {"steady_quantity", good_box + "[run.steady]\nquantity = \"kinetic\"\n",
       "bad.toml:8:12: run.steady.quantity: 'kinetic' is not allowed; did you mean 'kinetic_energy'? (allowed: "
       "kinetic_energy, max_velocity, permeability, flow_rate:, force:, scalar:; after a colon follows the name of a "
       "surface)"},
      {"steady_surface", good_box + "[run.steady]\nquantity = \"force:wal\"\n",
       "bad.toml:8:12: run.steady.quantity: 'wal' is no surface of this case; did you mean 'wall'? (surfaces: x_min, "
       "x_max, y_min, y_max, z_min, z_max, wall)"},
      {"rate_name", good_box + "[numerics]\ncollision = \"mrt\"\nmrt_rates = { enregy = 1.2 }\n",
       "bad.toml:9:13: numerics.mrt_rates: 'enregy' is no free rate on D3Q19; did you mean 'energy'? (allowed: energy, "
       "energy_square, energy_flux, stress_quartic, cubic)"},
      {"shape_name",
       good_box + "[[geometry.shape]]\nname = \"my ball\"\nkind = \"sphere\"\ncenter = [4, 4, 4]\nradius = 1\n",
       "bad.toml:8:8: geometry.shape[0].name: 'my ball' is no name; use up to 64 letters, digits, '_', '-', '.'"},
      // types
      {"text_for_number", "[units]\nviscosity = \"0.1\"\n",
       "bad.toml:2:13: units.viscosity: '0.1' has the wrong type; expected a number"},
      {"real_for_integer", units + domain + "[run]\nsteps = 10.0\n",
       "bad.toml:6:9: run.steps: '10.0' has the wrong type; expected a whole number; write 10"},
      {"number_for_text", "title = 3\n", "bad.toml:1:9: title: '3' has the wrong type; expected text in quotes"},
      {"number_for_flag", good_box + "[checkpoint]\nat_end = 1\n",
       "bad.toml:8:10: checkpoint.at_end: '1' has the wrong type; expected true or false"},
      {"number_for_vector", good_box + "[physics]\nacceleration = 1e-5\n",
       "bad.toml:8:16: physics.acceleration: '1e-05' has the wrong type; expected a list of numbers like [0.0, 0.0, "
       "1.0]"},
      {"text_in_vector", good_box + "[physics]\nacceleration = [0, \"a\", 0]\n",
       "bad.toml:8:20: physics.acceleration: 'a' has the wrong type; expected a number"},
      {"short_vector", units + "[domain]\nnodes = [8, 8]\n" + run,
       "bad.toml:4:9: domain.nodes: '[8, 8]' has 2 entries; expected 3 (x, y, z), or 2 with domain.dimension = 2"},
      {"long_vector_2d", units + "[domain]\ndimension = 2\nnodes = [8]\n" + run,
       "bad.toml:5:9: domain.nodes: '[8]' has 1 entry; expected 2 (x, y)"},
      {"region", good_box + "[output]\nregion = [0, 1]\n",
       "bad.toml:8:11: output.region: '0' has the wrong type; expected a list of numbers like [0.0, 0.0, 1.0]"},
      {"value_for_section", "units = 3\n", "bad.toml:1:9: units: '3' is not a table; write a section [units]"},
      {"section_for_list", good_box + "[boundary]\nsurface = \"x_min\"\n",
       "bad.toml:7:1: boundary: write [[boundary]] (double brackets, once for each entry)"},
      {"list_for_section", "[[units]]\nviscosity = 0.1\n",
       "bad.toml:1:1: units: there is only one; write [units] instead of [[units]]"},
      // ranges
      {"negative", "[units]\nviscosity = -0.1\n" + domain + run,
       "bad.toml:2:13: units.viscosity: '-0.1' is out of range; must be above 0"},
      {"not_a_number", "[units]\nviscosity = nan\n" + domain + run,
       "bad.toml:2:13: units.viscosity: 'nan' is not a finite number"},
      {"infinite", good_box + "[physics]\nacceleration = [0.0, inf, 0.0]\n",
       "bad.toml:8:16: physics.acceleration: '[0, inf, 0]' is not a finite number"},
      {"tau", "[units]\ntau = 0.4\n" + domain + run,
       "bad.toml:2:7: units.tau: '0.4' is out of range; must be above 0.5"},
      {"zero_nodes", units + "[domain]\nnodes = [8, 0, 8]\n" + run,
       "bad.toml:4:9: domain.nodes: '[8, 0, 8]' is out of range; must be 1 to 1048576"},
      {"too_many_nodes", units + "[domain]\nnodes = [8, 9000000000000000000, 8]\n" + run,
       "bad.toml:4:9: domain.nodes: '[8, 9000000000000000000, 8]' is out of range; must be 1 to 1048576"},
      {"dimension", units + "[domain]\ndimension = 4\nnodes = [8, 8, 8]\n" + run,
       "bad.toml:4:13: domain.dimension: '4' is out of range; must be 2 to 3"},
      {"compression", good_box + "[output]\ncompression = 10\n",
       "bad.toml:8:15: output.compression: '10' is out of range; must be 0 to 9"},
      {"force_part", good_box + "[monitor]\nforces = [\"wall\"]\nforce_parts = [\"integrals\"]\n",
       "bad.toml:9:15: monitor.force_parts: '[integrals]' has 'integrals', not allowed; did you mean 'integral'? "
       "(allowed: exchange, integral)"},
      {"rate_value", good_box + "[numerics]\ncollision = \"mrt\"\nmrt_rates = { energy = 2.5 }\n",
       "bad.toml:9:13: numerics.mrt_rates: '{energy = 2.5}' is out of range; must be 0 to 2"},
      // missing
      {"no_viscosity", "[domain]\nnodes = [8, 8, 8]\n" + run,
       "bad.toml: units: 'viscosity' is missing; lattice units need 'viscosity' (e.g. 0.05) or 'tau' (e.g. 0.65)"},
      {"no_box", units + run, "bad.toml: domain: 'nodes' or 'size' is missing; how large is the box?"},
      {"no_end", units + domain,
       "bad.toml: run: 'steps' or 'time' is missing; say how long to run, e.g. steps = 10000"},
      {"no_kind", good_box + "[[geometry.shape]]\nradius = 1\n",
       "bad.toml:7:1: geometry.shape[0]: 'kind' is missing (one of: box, sphere, cylinder, cone, capsule, half_space, "
       "channel)"},
      {"no_radius", good_box + "[[geometry.shape]]\nkind = \"sphere\"\ncenter = [1, 1, 1]\n",
       "bad.toml:7:1: geometry.shape[0]: 'radius' is missing; a sphere needs it"},
      {"no_surface", good_box + "[[boundary]]\ntype = \"wall\"\n", "bad.toml:7:1: boundary[0]: 'surface' is missing"},
      {"no_stl_file", good_box + "[[geometry.stl]]\nunit = 0.001\n",
       "bad.toml:7:1: geometry.stl[0]: 'file' is missing"},
      {"no_labels", good_box + "[geometry.voxels]\nfile = \"a.raw\"\nshape = [2, 2, 2]\n",
       "bad.toml:7:1: geometry.voxels: 'fluid_labels' is missing; say which voxels are fluid, e.g. fluid_labels = [0]"},
  };
}
