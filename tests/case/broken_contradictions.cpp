// SPDX-License-Identifier: Apache-2.0
#include "case/broken_cases.hpp"
#include "fluvia/base/text.hpp"
#include "fluvia/case/physics/registered_physics.hpp"

namespace {

const std::string box = "[domain]\nnodes = [8, 8, 8]\n[run]\nsteps = 10\n";
const std::string good = "[units]\nviscosity = 0.1\n" + box;  // six lines
const std::string flat =
    "[units]\nviscosity = 0.1\n[domain]\nnodes = [8, 8]\ndimension = 2\n[run]\nsteps = 10\n";  // seven
const std::string si = "[units]\nsystem = \"si\"\n";

/// The registered collisions that work on a lattice.
std::vector<std::string> collisions_on(const std::string& lattice) {
  std::vector<std::string> names = fluvia::collision_names();
  std::erase_if(names, [&](const std::string& name) { return !fluvia::collision_problem(name, lattice).empty(); });
  return names;
}

std::string boundary(const std::string& lines) {
  return good + "[[boundary]]\nsurface = \"x_min\"\n" + lines;
}

}  // namespace

std::vector<BrokenCase> broken_contradictions() {
  return {
      // units
      {"tau_and_viscosity", "[units]\nviscosity = 0.1\ntau = 0.8\n" + box,
       "bad.toml:3:7: units.tau: 'viscosity' and 'tau' contradict each other; give exactly one"},
      {"time_step_in_lattice_units", "[units]\nviscosity = 0.1\ntime_step = 0.5\n" + box,
       "bad.toml:3:13: units.time_step: has no meaning in lattice units; remove it, or set system = \"si\""},
      {"si_without_spacing", si + "viscosity = 1e-6\ndensity = 1000\ntau = 0.8\n" + box,
       "bad.toml:1:1: units: 'spacing' is missing; SI units need the edge of one node in metres"},
      {"si_without_density", si + "spacing = 1e-3\nviscosity = 1e-6\ntau = 0.8\n" + box,
       "bad.toml:1:1: units: 'density' is missing; SI units need it in kg/m3, e.g. 1000 for water"},
      {"si_without_time", si + "spacing = 1e-3\nviscosity = 1e-6\ndensity = 1000\n" + box,
       "bad.toml:1:1: units: SI units need one of 'time_step', 'lattice_velocity' (about 0.05), 'tau' (about 0.8)"},
      {"si_with_two_times", si + "spacing = 1e-3\nviscosity = 1e-6\ndensity = 1000\ntime_step = 0.1\ntau = 0.8\n" + box,
       "bad.toml:7:7: units.tau: 'time_step' and 'tau' contradict each other; give exactly one"},
      {"lattice_velocity_of_nothing",
       si + "spacing = 1e-3\nviscosity = 1e-6\ndensity = 1000\nlattice_velocity = 0.05\n" + box,
       "bad.toml:6:20: units.lattice_velocity: 'reference_velocity' is missing: the speed in m/s that it stands for"},
      // domain
      {"nodes_and_size", good + "[domain.x]\n",
       "bad.toml:7:9: domain: unknown key 'x' (allowed here: dimension, nodes, size, origin, periodic, padding)"},
      {"two_sizes", "[units]\nviscosity = 0.1\n[domain]\nnodes = [8, 8, 8]\nsize = [8, 8, 8]\n[run]\nsteps = 10\n",
       "bad.toml:5:8: domain.size: 'nodes' and 'size' contradict each other; give exactly one"},
      {"deep_2d", "[units]\nviscosity = 0.1\n[domain]\ndimension = 2\nnodes = [8, 8, 8]\n[run]\nsteps = 10\n",
       "bad.toml:5:9: domain.nodes: a 2D case has 1 node along z, not 8; give two entries"},
      {"force_along_z_in_2d", flat + "[physics]\nacceleration = [0, 0, 1]\n",
       "bad.toml:9:16: physics.acceleration: '1' along z is not possible in a 2D case; give two entries"},
      {"face_of_2d", flat + "[[boundary]]\nsurface = \"z_min\"\ntype = \"free_slip\"\n",
       "bad.toml:9:11: boundary[0].surface: 'z_min' does not exist in a 2D case"},
      {"lattice_of_2d", flat + "[numerics]\nlattice = \"D3Q19\"\n",
       "bad.toml:9:11: numerics.lattice: 'D3Q19' does not fit domain.dimension = 2; use D2Q9 or auto"},
      {"slice_of_2d", flat + "[[output.slice]]\naxis = \"x\"\n",
       "bad.toml:9:8: output.slice[0].axis: 'x' is not possible in a 2D case; pictures are normal to z"},
      {"no_component_of_2d", flat + "[[output.slice]]\nfield = \"velocity_z\"\n",
       "bad.toml:9:9: output.slice[0].field: 'velocity_z' is 0 everywhere in a 2D case; choose another component"},
      {"no_vorticity_of_2d", flat + "[[output.slice]]\nfield = \"vorticity_x\"\n",
       "bad.toml:9:9: output.slice[0].field: 'vorticity_x' is 0 everywhere in a 2D case; choose another component"},
      {"slice_without_format", flat + "[[output.slice]]\nformats = []\n",
       "bad.toml:9:11: output.slice[0].formats: '[]' is no picture at all; name formats, or remove the slice"},
      {"slice_format_twice", flat + "[[output.slice]]\nformats = [\"png\", \"svg\", \"png\"]\n",
       "bad.toml:9:11: output.slice[0].formats: 'png' is there twice"},
      // physics
      {"rheology_of_nothing", good + "[physics.rheology]\nleast_viscosity = 1\n",
       "bad.toml:7:1: physics.rheology: 'model' is missing (one of: carreau-yasuda, casson, power-law), or 'fluid', "
       "such "
       "as \"blood\""},
      {"blood_in_lattice_units", good + "[physics.rheology]\nfluid = \"blood\"\n",
       "bad.toml:8:9: physics.rheology.fluid: 'blood' has no meaning in lattice units; give 'model' and its numbers"},
      {"power_law_without_index", good + "[physics.rheology]\nmodel = \"power-law\"\nconsistency = 0.1\n",
       "bad.toml:7:1: physics.rheology: 'flow_index' is missing; power-law needs it: the power"},
      {"casson_with_index",
       good + "[physics.rheology]\nmodel = \"casson\"\nyield_stress = 0\nplastic_viscosity = 1\nflow_index = 1\n",
       "bad.toml:11:14: physics.rheology.flow_index: 'flow_index' has no meaning for model 'casson'; remove it"},
      {"rheology_and_eddies",
       good + "[physics]\nsmagorinsky = 0.1\n[physics.rheology]\nmodel = \"casson\"\nyield_stress = 0\n"
              "plastic_viscosity = 1\n",
       "bad.toml:8:15: physics.smagorinsky: '0.1' and 'rheology' cannot be combined: each says what the viscosity is; "
       "remove one"},
      {"rheology_on_d3q13",
       good + "[numerics]\nlattice = \"D3Q13\"\ncollision = \"mrt\"\n[physics.rheology]\nmodel = \"casson\"\n"
              "yield_stress = 0\nplastic_viscosity = 1\n",
       "bad.toml:11:9: physics.rheology.model: 'casson' does not work on D3Q13: it needs weights that are isotropic to "
       "fourth order; without them its viscosity would depend on the direction; use D3Q15 or D3Q19 or D3Q27"},
      {"limits_the_wrong_way_round",
       good + "[physics.rheology]\nmodel = \"casson\"\nyield_stress = 0\nplastic_viscosity = 1\n"
              "least_viscosity = 2\nmost_viscosity = 1\n",
       "bad.toml:11:19: physics.rheology.least_viscosity: '2' is above most_viscosity, '1'"},
      // tracers
      {"tracer_from_nowhere", good + "[[tracer]]\nname = \"seeds\"\nrate = 1\n",
       "bad.toml:7:1: tracer[0]: says nothing of where its points come from; give exactly one of 'from' (an opening), "
       "'box', 'sphere'"},
      {"tracer_from_two_places",
       good + "[[tracer]]\nname = \"seeds\"\nfrom = \"x_min\"\nbox = [[1, 1, 1], [2, 2, 2]]\nrate = 1\n",
       "bad.toml:7:1: tracer[0]: says twice where its points come from; give exactly one of 'from' (an opening), "
       "'box', 'sphere'"},
      {"tracer_without_rate", good + "[[tracer]]\nname = \"seeds\"\nfrom = \"x_min\"\n",
       "bad.toml:7:1: tracer[0]: needs 'rate', points per time, or 'count'"},
      {"tracer_with_rate_and_count", good + "[[tracer]]\nname = \"seeds\"\nfrom = \"x_min\"\nrate = 1\ncount = 2\n",
       "bad.toml:7:1: tracer[0]: has 'rate' and 'count'; remove one"},
      {"tracer_with_negative_rate", good + "[[tracer]]\nname = \"seeds\"\nfrom = \"x_min\"\nrate = -1\n",
       "bad.toml:10:8: tracer[0].rate: '-1' is out of range; must be above 0"},
      {"tracer_that_ends_before_it_starts",
       good + "[[tracer]]\nname = \"seeds\"\nfrom = \"x_min\"\nrate = 1\nstart = 3\nend = 2\n",
       "bad.toml:12:7: tracer[0].end: '2' is not after 'start', 3"},
      {"tracer_in_an_inverted_box", good + "[[tracer]]\nname = \"seeds\"\nbox = [[1, 3, 1], [2, 2, 2]]\nrate = 1\n",
       "bad.toml:9:7: tracer[0].box: the upper corner must not lie below the lower one, but along y '2' is below '3'"},
      {"tracer_twice",
       good + "[[tracer]]\nname = \"seeds\"\nfrom = \"x_min\"\nrate = 1\n[[tracer]]\nname = \"seeds\"\n"
              "from = \"x_min\"\nrate = 1\n",
       "bad.toml:12:8: tracer[1].name: 'seeds' is the name of another tracer; choose another"},
      {"tracer_from_no_surface", good + "[[tracer]]\nname = \"seeds\"\nfrom = \"x_mim\"\nrate = 1\n",
       "bad.toml:9:8: tracer[0].from: 'x_mim' is no surface of this case; did you mean 'x_min'? (surfaces: x_min, "
       "x_max, y_min, y_max, z_min, z_max, wall)"},
      {"tracer_with_wide_reach",
       good + "[[tracer]]\nname = \"seeds\"\nfrom = \"x_min\"\nrate = 1\nstick = [\"wall\"]\nradius = 0.7\n",
       "bad.toml:12:10: tracer[0].radius: '0.7' is more than half of the spacing, 0.5, which is as far as points see "
       "surfaces"},
      // geometry
      {"radius_of_a_box",
       good + "[[geometry.shape]]\nkind = \"box\"\ncenter = [4, 4, 4]\nsize = [1, 1, 1]\nradius = 2\n",
       "bad.toml:11:10: geometry.shape[0].radius: 'radius' has no meaning for kind 'box'; remove it"},
      {"flat_cylinder",
       good + "[[geometry.shape]]\nkind = \"cylinder\"\nfrom = [1, 1, 1]\nto = [1, 1, 1]\nradius = 2\n",
       "bad.toml:10:6: geometry.shape[0].to: is the same point as 'from'; give the two ends of the axis"},
      {"shape_named_as_face",
       good + "[[geometry.shape]]\nname = \"x_min\"\nkind = \"sphere\"\ncenter = [4, 4, 4]\nradius = 2\n",
       "bad.toml:8:8: geometry.shape[0].name: 'x_min' is the name of a box face; choose another"},
      {"flat_mask_in_3d", good + "[geometry.mask]\nfile = \"a.png\"\n",
       "bad.toml:7:1: geometry.mask: a mask of depth 1 is a 2D case; set domain.dimension = 2, or a larger depth"},
      {"tight_bend", good + "[geometry.generator]\nkind = \"aneurysm\"\ndiameter = 8\nbend_radius = 3\n",
       "bad.toml:10:15: geometry.generator.bend_radius: '3' must be above half the diameter (4), or the vessel cuts "
       "itself"},
      {"openings_only", good + "[[geometry.stl]]\nfile = \"a.stl\"\nname = \"inlet\"\nrole = \"opening\"\n",
       "bad.toml:10:8: geometry.stl[0].role: all STL files are openings; one must have role = \"wall\""},
      {"opening_twice",
       good + "[[opening]]\nname = \"in\"\ncenter = [0, 0, 0]\n[[opening]]\nname = \"in\"\ncenter = [1, 1, 1]\n",
       "bad.toml:11:8: opening[1].name: 'in' is the name of another opening already"},
      {"disc_without_normal", good + "[[opening]]\nname = \"in\"\ncenter = [0, 0, 0]\nradius = 1\n",
       "bad.toml:7:1: opening[0]: 'normal' is missing; a disc needs it, pointing out of the fluid"},
      {"refine_around_a_body",
       good + "[[geometry.shape]]\nname = \"ball\"\nkind = \"sphere\"\ncenter = [4, 4, 4]\nradius = 2\n"
              "[[body]]\nsurface = \"ball\"\n[[refine]]\nlevel = 1\naround = \"ball\"\n",
       "bad.toml:16:10: refine[0].around: 'ball' moves, and regions stay; give a box or a shape that takes in all of "
       "its way"},
      // boundaries
      {"boundary_twice", boundary("type = \"wall\"\n[[boundary]]\nsurface = \"x_min\"\ntype = \"wall\"\n"),
       "bad.toml:11:11: boundary[1].surface: 'x_min' has a boundary already (bad.toml:8:11); give one per surface"},
      {"periodic_boundary",
       "[units]\nviscosity = 0.1\n[domain]\nnodes = [8, 8, 8]\nperiodic = [true, false, false]\n[run]\nsteps = 10\n"
       "[[boundary]]\nsurface = \"x_max\"\ntype = \"wall\"\n",
       "bad.toml:9:11: boundary[0].surface: 'x_max' contradicts domain.periodic, true along x; remove one of them"},
      {"parabola_of_a_vector", boundary("type = \"velocity\"\nvelocity = [0.1, 0, 0]\nprofile = \"parabolic\"\n"),
       "bad.toml:11:11: boundary[0].profile: 'parabolic' needs 'speed' or 'flow_rate' (mean values) instead of "
       "'velocity'"},
      {"pulsation_of_a_constant", boundary("type = \"velocity\"\nspeed = 0.1\nprofile = \"womersley\"\n"),
       "bad.toml:11:11: boundary[0].profile: 'womersley' needs a 'series' of 'speed' or 'flow_rate', whose waveform it "
       "follows; for a constant flow use \"developed\""},
      {"pulsation_once",
       boundary("type = \"velocity\"\nseries = \"q.csv\"\nseries_quantity = \"speed\"\nseries_periodic = false\n"
                "profile = \"womersley\"\n"),
       "bad.toml:12:19: boundary[0].series_periodic: 'false' contradicts profile = \"womersley\", which is that of a "
       "flow that repeats; remove it, or use profile = \"developed\""},
      {"wind_without_roughness", boundary("type = \"velocity\"\nspeed = 0.1\nprofile = \"logarithmic\"\n"),
       "bad.toml:7:1: boundary[0]: 'roughness' is missing; profile = \"logarithmic\" needs it: aerodynamic roughness "
       "length z0 of the ground: 0.0002 m over water, 0.03 m over grass, 1 m over a town"},
      {"wind_without_height", boundary("type = \"velocity\"\nspeed = 0.1\nprofile = \"power\"\nexponent = 0.14\n"),
       "bad.toml:7:1: boundary[0]: 'reference_height' is missing; profile = \"power\" needs it: height above the "
       "ground "
       "at which the speed is `speed`"},
      {"wind_with_height_of_nothing",
       boundary("type = \"velocity\"\nflow_rate = 3\nprofile = \"power\"\nexponent = 0.14\nreference_height = 2\n"),
       "bad.toml:13:20: boundary[0].reference_height: 'reference_height' has no meaning with 'flow_rate', which alone "
       "says how fast the flow is; remove it"},
      {"wind_over_many_walls",
       boundary("type = \"velocity\"\nspeed = 0.1\nprofile = \"power\"\nexponent = 0.14\nreference_height = 2\n"),
       "bad.toml:11:11: boundary[0].profile: 'power' needs a ground, and y_min, y_max, z_min, z_max are walls at rest; "
       "say which one with 'ground'"},
      {"wind_over_a_ground_that_moves",
       boundary(
           "type = \"velocity\"\nspeed = 0.1\nprofile = \"power\"\nexponent = 0.14\nreference_height = 2\nground = "
           "\"y_min\"\n[[boundary]]\nsurface = \"y_min\"\ntype = \"moving_wall\"\nvelocity = [0.1, 0, 0]\n"),
       "bad.toml:14:10: boundary[0].ground: 'y_min' is no wall at rest, on which the speed of profile = \"power\" is "
       "0; "
       "give it type = \"wall\", or use profile = \"uniform\""},
      {"wind_over_the_face_behind",
       boundary(
           "type = \"velocity\"\nspeed = 0.1\nprofile = \"power\"\nexponent = 0.14\nreference_height = 2\nground = "
           "\"x_max\"\n"),
       "bad.toml:14:10: boundary[0].ground: 'x_max' does not meet 'x_min'; name a face of the box beside it"},
      {"ground_of_a_uniform_flow", boundary("type = \"velocity\"\nspeed = 0.1\nground = \"y_min\"\n"),
       "bad.toml:11:10: boundary[0].ground: 'ground' has no meaning with profile = \"uniform\"; remove it"},
      {"speed_and_flow_rate", boundary("type = \"velocity\"\nspeed = 0.1\nflow_rate = 2\n"),
       "bad.toml:11:13: boundary[0].flow_rate: 'speed' and 'flow_rate' contradict each other; give exactly one"},
      {"velocity_of_nothing", boundary("type = \"velocity\"\n"),
       "bad.toml:7:1: boundary[0]: a velocity boundary needs one of 'speed', 'flow_rate', 'velocity', 'series'"},
      {"speed_of_a_wall", boundary("type = \"wall\"\nspeed = 0.1\n"),
       "bad.toml:10:9: boundary[0].speed: 'speed' has no meaning for type 'wall'; remove it"},
      {"series_of_nothing", boundary("type = \"pressure\"\nseries = \"p.csv\"\n"),
       "bad.toml:7:1: boundary[0]: 'series_quantity' is missing (one of: pressure)"},
      {"series_of_speed_at_pressure",
       boundary("type = \"pressure\"\nseries = \"p.csv\"\nseries_quantity = \"speed\"\n"),
       "bad.toml:11:19: boundary[0].series_quantity: 'speed' is not possible at a pressure boundary (allowed: "
       "pressure)"},
      {"pressure_and_series",
       boundary("type = \"pressure\"\npressure = 1\nseries = \"p.csv\"\nseries_quantity = \"pressure\"\n"),
       "bad.toml:10:12: boundary[0].pressure: 'pressure' and 'series' contradict each other; give exactly one"},
      {"half_a_rotation", boundary("type = \"moving_wall\"\nangular_velocity = [0, 0, 1]\n"),
       "bad.toml:7:1: boundary[0]: 'rotation_center' is missing; a spinning wall needs both it and its counterpart"},
      {"open_wall", good + "[[boundary]]\nsurface = \"wall\"\ntype = \"pressure\"\n",
       "bad.toml:8:11: boundary[0].surface: 'wall' cannot be of type pressure; name an opening or box face"},
      // the rest
      {"magic_of_bgk", good + "[numerics]\ncollision = \"bgk\"\nmagic = 0.25\n",
       "bad.toml:9:9: numerics.magic: 'magic' has no meaning for collision 'bgk' (only for trt); remove it"},
      {"magic_of_auto", good + "[numerics]\nmagic = 0.25\n",
       "bad.toml:8:9: numerics.magic: 'magic' has no meaning for collision 'auto' (only for trt); remove it"},
      {"improved_on_d3q27", good + "[numerics]\nequilibrium = \"improved\"\nlattice = \"D3Q27\"\n",
       "bad.toml:8:15: numerics.equilibrium: 'improved' does not work on D3Q27: it needs the fourth moments of D3Q19, "
       "whose error it corrects; use quasi-compressible or incompressible"},
      {"speed_of_no_flow", good + "[physics]\ninitial_speed = 0.1\n",
       "bad.toml:8:17: physics.initial_speed: 'initial_speed' has no meaning without 'initial_flow'; remove it"},
      {"flow_without_speed", good + "[physics]\ninitial_flow = \"taylor-green\"\n",
       "bad.toml:8:16: physics.initial_flow: 'initial_speed' is missing: the speed of 'taylor-green'"},
      {"mrt_on_d3q27", good + "[numerics]\ncollision = \"mrt\"\nlattice = \"D3Q27\"\n",
       "bad.toml:8:13: numerics.collision: 'mrt' does not work on D3Q27: it needs an orthogonal moment basis, which "
       "nobody has written for this lattice; use " +
           fluvia::join(collisions_on("D3Q27"), " or ")},
      {"trt_on_d3q13", good + "[numerics]\nlattice = \"D3Q13\"\ncollision = \"trt\"\n",
       "bad.toml:9:13: numerics.collision: 'trt' does not work on D3Q13: it needs weights that are isotropic to fourth "
       "order; without them its viscosity would depend on the direction; use mrt"},
      {"rate_of_d3q13",
       good + "[numerics]\nlattice = \"D3Q13\"\ncollision = \"mrt\"\nmrt_rates = { energy_flux = 1 }\n",
       "bad.toml:10:13: numerics.mrt_rates: 'energy_flux' is no free rate on D3Q13; did you mean 'energy'? (allowed: "
       "energy, cubic)"},
      {"lattice_of_3d", good + "[numerics]\nlattice = \"D2Q9\"\n",
       "bad.toml:8:11: numerics.lattice: 'D2Q9' does not fit domain.dimension = 3; use " +
           fluvia::join(fluvia::lattice_names(3), " or ") + " or auto"},
      {"steps_and_time", good + "time = 10\n",
       "bad.toml:7:8: run.time: 'steps' and 'time' contradict each other; give exactly one"},
      {"steady_permeability", good + "[run.steady]\nquantity = \"permeability\"\n",
       "bad.toml:8:12: run.steady.quantity: 'permeability' needs monitor.permeability_axis"},
      {"late_average", good + "[monitor]\naverage_from = 10\n",
       "bad.toml:8:16: monitor.average_from: '10' is not before the end of the run (step 10)"},
      {"average_of_no_row", good + "[monitor]\naverage_from = 5\n",
       "bad.toml:8:16: monitor.average_from: there is nothing to average from step 5 to the end of the run (step 10): "
       "a "
       "sample is taken every monitor.every = 100 steps; make that smaller"},
      {"average_of_nothing", good + "[output]\nfields = [\"average_velocity\"]\n",
       "bad.toml:8:10: output.fields: 'average_velocity' needs monitor.average_from, the step from which averages are "
       "taken"},
      {"slice_of_no_average", good + "[[output.slice]]\nfield = \"average_velocity\"\n",
       "bad.toml:8:9: output.slice[0].field: 'average_velocity' needs monitor.average_from, the step from which "
       "averages "
       "are taken"},
      {"empty_region", good + "[output]\nregion = [[0, 0, 0], [4, 0, 4]]\n",
       "bad.toml:8:10: output.region: the upper corner must lie above the lower one, but along y '0' is not above '0'"},
      {"walls_of_2d", flat + "[output]\nwall = true\n",
       "bad.toml:9:8: output.wall: 'true' is not possible in a 2D case, whose walls are lines; remove it"},
      {"probe_twice",
       good + "[[monitor.probe]]\nname = \"a\"\nposition = [1, 1, 1]\n[[monitor.probe]]\nname = \"a\"\nposition = [2, "
              "2, 2]\n",
       "bad.toml:11:8: monitor.probe[1].name: 'a' is there twice"},
      {"parts_of_nothing", good + "[monitor]\nforce_parts = [\"integral\"]\n",
       "bad.toml:8:15: monitor.force_parts: has no meaning without 'forces', the surfaces to measure; give both or "
       "none"},
      {"coefficient_of_nothing", good + "[monitor]\nreference_area = 2\n",
       "bad.toml:8:18: monitor.reference_area: has no meaning without 'forces', the surfaces to measure; give both or "
       "none"},
      {"smooth_nothing", good + "[walls]\nsmooth = true\n",
       "bad.toml:8:10: walls.smooth: 'true' is for voxels and masks, and this case has none; remove it"},
      {"smooth_staircase",
       good + "[walls]\nsmooth = true\nmethod = \"half-way\"\n[geometry.voxels]\nfile = \"a.raw\"\nshape = [8, 8, 8]\n"
              "fluid_labels = [0]\n",
       "bad.toml:8:10: walls.smooth: 'true' contradicts walls.method = \"half-way\"; remove one of them"},
      {"interpolated_staircase",
       good + "[walls]\nmethod = \"interpolated\"\n[geometry.voxels]\nfile = \"a.raw\"\nshape = [8, 8, 8]\n"
              "fluid_labels = [0]\n",
       "bad.toml:8:10: walls.method: 'interpolated' needs a smooth surface, which voxels and masks do not have; set "
       "walls.smooth = true"},
      {"interpolated_nothing", good + "[walls]\nmethod = \"interpolated\"\n",
       "bad.toml:8:10: walls.method: 'interpolated' has no meaning without shapes, STL, voxels, mask or generator; "
       "remove it"},
      {"accuracy_of_half_way", good + "[walls]\nmethod = \"half-way\"\naccuracy = \"viscosity-independent\"\n",
       "bad.toml:9:12: walls.accuracy: 'viscosity-independent' has no meaning for half-way walls, which this case has; "
       "remove it"},
      {"wall_method", good + "[walls]\nmethod = \"bouzidi\"\n",
       "bad.toml:8:10: walls.method: 'bouzidi' is not allowed (allowed: auto, interpolated, half-way)"},
      {"coefficient_without_speed", good + "[monitor]\nforces = [\"wall\"]\nreference_area = 2\n",
       "bad.toml:9:18: monitor.reference_area: needs units.reference_velocity, the speed that coefficients refer to"},
      {"drag_without_area", good + "[monitor]\nforces = [\"wall\"]\ndrag_axis = [1, 0, 0]\n",
       "bad.toml:9:13: monitor.drag_axis: needs monitor.reference_area, which the coefficient refers to"},
      {"lift_without_direction", good + "[monitor]\nforces = [\"wall\"]\nlift_axis = [0, 0, 0]\n",
       "bad.toml:9:13: monitor.lift_axis: '[0, 0, 0]' has no direction"},
      {"permeability_across_the_force",
       good + "[physics]\nacceleration = [0, 1e-6, 0]\n[monitor]\npermeability_axis = \"x\"\n",
       "bad.toml:10:21: monitor.permeability_axis: nothing drives a flow along 'x': give physics.acceleration along "
       "it, "
       "or pressure or velocity boundaries at both x_min and x_max; or name the axis that is driven"},
      {"percolating_without_period", good + "[geometry]\npercolating_axis = \"z\"\n",
       "bad.toml:8:20: geometry.percolating_axis: 'z' is not periodic, so that nothing runs on along it; set "
       "domain.periodic along z"},
  };
}
