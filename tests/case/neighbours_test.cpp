// SPDX-License-Identifier: Apache-2.0
// What is just possible and what just is not: of neighbouring cases one is accepted, the other refused for its reason.
#include <gtest/gtest.h>

#include <map>

#include "fluvia/base/error.hpp"
#include "fluvia/case/case.hpp"
#include "fluvia/case/physics/rheology.hpp"

namespace fluvia::test {
namespace {

const std::string box = "[domain]\nnodes = [8, 8, 8]\n[run]\nsteps = 10\n";
const std::string good = "[units]\nviscosity = 0.1\n" + box;
const std::string flat = "[units]\nviscosity = 0.1\n[domain]\ndimension = 2\nnodes = [8, 8]\n[run]\nsteps = 10\n";
const std::string no_box = "[units]\nviscosity = 0.1\n[run]\nsteps = 10\n";

std::string refusal(const std::string& text) {
  try {
    parse_case(text, "case.toml");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

void expect_accepted(const std::vector<std::string>& cases) {
  for (const std::string& text : cases) EXPECT_EQ(refusal(text), "") << text;
}

struct Refused {
  std::string text, message;
};
void expect_refused(const std::vector<Refused>& cases) {
  for (const auto& [text, message] : cases)
    EXPECT_NE(refusal(text).find(message), std::string::npos) << text << "\n" << refusal(text);
}

std::string shape(const std::string& lines) {
  return "[[geometry.shape]]\n" + lines;
}
std::string inlet(const std::string& lines) {
  return "[[boundary]]\nsurface = \"x_min\"\ntype = \"velocity\"\n" + lines;
}
const std::string voxels = "[geometry.voxels]\nfile = \"a.raw\"\nshape = [4, 4, 4]\n";

TEST(Neighbours, Shapes) {
  expect_accepted({good + shape("kind = \"box\"\ncenter = [1, 1, 1]\nsize = [1, 2, 3]\n"),
                   flat + shape("kind = \"box\"\ncenter = [1, 1]\nsize = [1, 2]\n"),
                   good + shape("kind = \"sphere\"\ncenter = [1, 1, 1]\nradius = 1e-9\nname = \"x_mid\"\n"),
                   flat + shape("kind = \"cylinder\"\nfrom = [1, 1]\nradius = 2\n"),
                   flat + shape("kind = \"cylinder\"\nfrom = [1, 1]\nto = [1, 1]\nradius = 2\n"),
                   good + shape("kind = \"capsule\"\nfrom = [1, 1, 1]\nto = [1, 1, 2]\nradius = 2\n"),
                   flat + shape("kind = \"half_space\"\nfrom = [1, 1]\nnormal = [1, 0]\n"),
                   good + shape("kind = \"channel\"\nfrom = [1, 1, 1]\nnormal = [0, 0, 1]\nheight = 3\n")});
  expect_refused(
      {{good + shape("kind = \"box\"\ncenter = [1, 1, 1]\nsize = [1, 2, 0]\n"), "shape[0].size: '0' must be above 0"},
       {flat + shape("kind = \"box\"\ncenter = [1, 1]\nsize = [1, 0]\n"), "shape[0].size: '0' must be above 0"},
       {good + shape("kind = \"box\"\ncenter = [1, 1, 1]\nsize = [0, 2, 1]\n"), "shape[0].size: '0' must be above 0"},
       {good + shape("kind = \"sphere\"\ncenter = [1, 1, 1]\nradius = 0\n"), "radius: '0' must be above 0"},
       {good + shape("kind = \"sphere\"\nradius = 1\n"), "'center' is missing; a sphere needs it"},
       {good + shape("kind = \"cylinder\"\nfrom = [1, 1, 1]\nradius = 2\n"), "'to' is missing; a cylinder needs it"},
       {good + shape("kind = \"capsule\"\nfrom = [1, 1, 1]\nto = [1, 1, 1]\nradius = 2\n"),
        "is the same point as 'from'"},
       {good + shape("kind = \"half_space\"\nfrom = [1, 1, 1]\nnormal = [0, 0, 0]\n"), "has no direction"},
       {good + shape("kind = \"channel\"\nfrom = [1, 1, 1]\nnormal = [0, 0, 1]\nheight = 0\n"), "height: '0' must be"},
       {good + shape("kind = \"half_space\"\nfrom = [1, 1, 1]\nnormal = [0, 0, 1]\nheight = 1\n"), "has no meaning"}});
}

TEST(Neighbours, Files) {
  const std::string wall = "[[geometry.stl]]\nfile = \"a.stl\"\n", hole = wall + "role = \"opening\"\n";
  expect_accepted({no_box + wall, no_box + wall + "fluid = \"outside\"\nname = \"body\"\n",
                   no_box + wall + hole + "name = \"in\"\n", no_box + hole + "name = \"in\"\n" + wall,
                   no_box + voxels + "fluid_labels = [0]\n", no_box + voxels + "fluid_below = 3\n",
                   no_box + voxels + "fluid_below = 3\nfluid_above = 1\n",
                   no_box + voxels + "bits = 16\nendian = \"big\"\nfluid_labels = [0]\n",
                   no_box + voxels + "fluid_labels = [0]\nmirror = [false, false, true]\n",
                   "[domain]\ndimension = 2\n" + no_box +
                       "[geometry.voxels]\nfile = \"a.raw\"\nshape = [4, 4, 1]\nfluid_labels = [0]\n",
                   "[domain]\ndimension = 2\n" + no_box + "[geometry.mask]\nfile = \"a.png\"\n",
                   no_box + "[geometry.mask]\nfile = \"a.png\"\ndepth = 2\n"});
  expect_refused(
      {{no_box + wall + hole, "'name' is missing; an opening needs one"},
       {no_box + hole + "name = \"in\"\n", "one must have role = \"wall\""},
       {no_box + wall + hole + "name = \"in\"\nfluid = \"outside\"\n", "'fluid' has no meaning for role"},
       {no_box + wall + "name = \"z_max\"\n", "'z_max' is the name of a box face"},
       {no_box + wall + "name = \"a b\"\n", "'a b' is no name"},
       {no_box + voxels + "fluid_labels = [0]\nfluid_above = 1\n", "contradicts 'fluid_below'/'fluid_above'"},
       {no_box + voxels + "fluid_labels = [0]\nfluid_below = 1\n", "contradicts 'fluid_below'/'fluid_above'"},
       {no_box + voxels + "fluid_labels = []\n", "leaves no fluid"},
       {no_box + voxels + "bits = 12\nfluid_labels = [0]\n", "bits"},
       {no_box + voxels + "endian = \"little\"\nfluid_labels = [0]\n", "has no meaning for 8-bit voxels"},
       {"[domain]\ndimension = 2\n" + no_box + voxels + "fluid_labels = [0]\n", "needs one layer of voxels, not 4"},
       {"[domain]\ndimension = 2\n" + no_box + "[geometry.mask]\nfile = \"a.png\"\ndepth = 2\n",
        "is not possible in 2D"},
       {no_box + "[geometry.mask]\nfile = \"a.png\"\n", "a mask of depth 1 is a 2D case"},
       {no_box + voxels + "fluid_labels = [0]\n[geometry.mask]\nfile = \"a.png\"\ndepth = 2\n", "give one of them"}});
}

TEST(Neighbours, Generators) {
  const auto generator = [](const std::string& lines) { return no_box + "[geometry.generator]\n" + lines; };
  const auto packed = [](const std::string& lines) {
    return good + "[geometry.generator]\nkind = \"sphere_packing\"\ndiameter = 3\nporosity = 0.5\n" + lines;
  };
  expect_accepted({packed("seed = 3\ncenters_in_fluid = true\n"), generator("kind = \"pipe\"\ndiameter = 5\n"),
                   generator("kind = \"aneurysm\"\ndiameter = 6\nbend_radius = 3.01\n"),
                   generator("kind = \"aneurysm\"\ndiameter = 6\n"),
                   generator("kind = \"coarctation\"\ndiameter = 6\nseverity = 0.3\nlength = 40\n"),
                   generator("kind = \"network\"\ndiameter = 6\ngenerations = 2\nseed = 4\n")});
  expect_refused(
      {{generator("kind = \"aneurysm\"\ndiameter = 6\nbend_radius = 3\n"), "must be above half the diameter (3)"},
       {generator("kind = \"pipe\"\ndiameter = 0\n"), "diameter: '0' must be above 0"},
       {generator("kind = \"pipe\"\ndiameter = 6\nseed = 2\n"), "'seed' has no meaning for kind 'pipe'"},
       {generator("kind = \"coarctation\"\ndiameter = 6\n"), "'severity' is missing"},
       {no_box + "[geometry.generator]\nkind = \"sphere_packing\"\ndiameter = 3\nporosity = 0.5\n",
        "how large is the box?"}});
}

TEST(Neighbours, Boxes) {
  const auto domain = [](const std::string& lines) { return no_box + "[domain]\n" + lines; };
  const std::string percolating = "nodes = [8, 8, 8]\nperiodic = [false, true, false]\n[geometry]\npercolating_axis = ";
  expect_accepted({domain("size = [8.0, 8.0, 8.0]\n"), domain("dimension = 2\nsize = [8.0, 8.0]\n"),
                   domain("dimension = 2\nnodes = [8, 8]\nperiodic = [true, true]\n"),
                   domain(percolating + "\"y\"\n")});
  expect_refused({{domain("size = [8.0, 8.0, 0.0]\n"), "domain.size: '0' must be above 0"},
                  {domain("size = [8.0, 0.0, 8.0]\n"), "domain.size: '0' must be above 0"},
                  {domain("dimension = 2\nsize = [0.0, 8.0]\n"), "domain.size: '0' must be above 0"},
                  {domain(percolating + "\"x\"\n"), "'x' is not periodic"},
                  {domain(percolating + "\"z\"\n"), "'z' is not periodic"}});
}

TEST(Neighbours, Walls) {
  const std::string ball = shape("kind = \"sphere\"\ncenter = [1, 1, 1]\nradius = 1\n"),
                    image = voxels + "fluid_labels = [0]\n";
  expect_accepted(
      {no_box + image + "[walls]\nsmooth = true\n",
       no_box + image + "[walls]\nsmooth = true\nmethod = \"interpolated\"\n",
       good + ball + "[walls]\nmethod = \"interpolated\"\n", good + ball + "[walls]\nmethod = \"half-way\"\n",
       good + "[walls]\nmodel = \"spalding\"\nsand_grain = 0.1\n", good + "[walls]\nmodel = \"none\"\n",
       good + "[walls]\nmodel = \"spalding\"\n[output]\nwall = true\n", good + "[walls]\nmethod = \"half-way\"\n",
       good + ball + "[walls]\naccuracy = \"viscosity-independent\"\n",
       no_box + "[geometry.generator]\nkind = \"pipe\"\ndiameter = 6\n[walls]\nmethod = \"interpolated\"\n"});
  expect_refused(
      {{good + "[walls]\nsand_grain = 0.1\n", "'sand_grain' has no meaning without 'model'"},
       {good + "[walls]\nmodel = \"spaldin\"\n", "did you mean 'spalding'?"},
       {"[domain]\nnodes = [8, 8, 8]\nperiodic = [true, true, true]\n" + no_box + "[walls]\nmodel = \"spalding\"\n",
        "'spalding' has no wall to act on"},
       {good + "[walls]\nmodel = \"spalding\"\n[output]\nfields = [\"wall_shear_stress\"]\n",
        "which is not that of 'x_min', type \"wall_function\""},
       {good + "[walls]\nmodel = \"spalding\"\n[output]\nwall = true\n[[refine]]\nlevel = 1\nbox = [[2, 2, 2], "
               "[4, 4, 4]]\n",
        "'true' does not know the stress of 'x_min', type \"wall_function\", on levels of refinement"},
       {good + ball + "[walls]\nsmooth = true\n", "is for voxels and masks"},
       {no_box + image + "[walls]\nsmooth = true\nmethod = \"half-way\"\n", "contradicts walls.method"},
       {no_box + image + "[walls]\nmethod = \"interpolated\"\n", "needs a smooth surface"},
       {good + "[walls]\nmethod = \"interpolated\"\n", "has no meaning without shapes"},
       {no_box + image + "[walls]\naccuracy = \"viscosity-independent\"\n", "has no meaning for half-way walls"}});
}

/// A model of all walls says what a boundary of each says; boundaries of their own and bodies that move stay out.
TEST(Neighbours, ModelsOfAllWalls) {
  const auto types = [](const std::string& text) {
    std::map<std::string, std::string> found;
    for (const Case::Boundary& b : parse_case(text, "case.toml").boundaries) {
      found[b.surface] = b.type;
      if (b.type == "wall_function") {
        EXPECT_EQ(b.values.at("sand_grain"), 0.2) << b.surface;
      }
    }
    return found;
  };
  const std::string model = "[walls]\nmodel = \"spalding\"\nsand_grain = 0.2\n",
                    ball = shape("kind = \"sphere\"\nname = \"ball\"\ncenter = [4, 4, 4]\nradius = 1\n"),
                    rest = shape("kind = \"sphere\"\ncenter = [2, 2, 2]\nradius = 1\n"),
                    open = inlet("speed = 0.1\n") + "[[boundary]]\nsurface = \"y_min\"\ntype = \"wall\"\n";
  using Types = std::map<std::string, std::string>;
  EXPECT_EQ(
      types("[domain]\nnodes = [8, 8, 8]\nperiodic = [false, false, true]\n" + no_box + ball + rest + open + model),
      (Types{{"x_min", "velocity"},
             {"x_max", "wall_function"},
             {"y_min", "wall"},
             {"y_max", "wall_function"},
             {"ball", "wall_function"},
             {"wall", "wall_function"}}));
  EXPECT_EQ(types(flat + model).size(), 4u);
  EXPECT_EQ(types(good + ball + "[[body]]\nsurface = \"ball\"\n[body.motion]\nvelocity = [0.01, 0, 0]\n" + model)
                .count("ball"),
            0u);
}

TEST(Neighbours, Openings) {
  const auto opening = [](const std::string& lines) {
    return good + "[[opening]]\nname = \"vent\"\ncenter = [1, 1, 1]\n" + lines;
  };
  expect_accepted({opening(""), opening("normal = [0, 0, 1]\nradius = 2\n")});
  expect_refused({{opening("radius = 2\n"), "'normal' is missing"},
                  {opening("normal = [0, 0, 1]\n"), "'radius' is missing"},
                  {opening("normal = [0, 0, 0]\nradius = 2\n"), "has no direction"},
                  {opening("") + shape("kind = \"sphere\"\nname = \"vent\"\ncenter = [1, 1, 1]\nradius = 1\n"),
                   "is the name of a shape already"},
                  {good + "[[opening]]\nname = \"wall\"\ncenter = [1, 1, 1]\n", "is the name of the wall already"}});
}

TEST(Neighbours, Boundaries) {
  const std::string series = "series = \"a.csv\"\nseries_quantity = \"speed\"\n";
  expect_accepted({good + inlet("speed = 0.1\n"), good + inlet("flow_rate = 0.1\nprofile = \"parabolic\"\n"),
                   good + inlet("velocity = [0.1, 0, 0]\n"), good + inlet(series),
                   good + inlet(series + "profile = \"womersley\"\n"),
                   good + inlet(series + "series_scale = 2\nseries_periodic = false\n"),
                   good + inlet(series + "series_period = 2\n"),
                   good + inlet("profile = \"table\"\nprofile_file = \"a.csv\"\n"),
                   good + inlet(series + "profile = \"logarithmic\"\nroughness = 0.1\nreference_height = 3\nground = "
                                         "\"y_min\"\n"),
                   good + inlet("flow_rate = 1\nprofile = \"power\"\nexponent = 0.2\nground = \"y_min\"\n"),
                   good + inlet("profile = \"table\"\nprofile_file = \"a.csv\"\nseries_periodic = false\n"),
                   good + inlet("profile = \"table\"\nprofile_file = \"a.csv\"\nspeed = 0.1\n"),
                   good + inlet("speed = 0.1\nsponge = 2\n"),
                   good + inlet("speed = 0.1\nramp = 9\nturbulence = { intensity = 0.5, length = 5 }\n"),
                   good + inlet("velocity = [0.1, 0, 0]\nturbulence = { intensity = 0.1, length = 5, seed = 4 }\n"),
                   good + "[[boundary]]\nsurface = \"x_min\"\ntype = \"moving_wall\"\nvelocity = [0, 0.1, 0]\n",
                   good + "[[boundary]]\nsurface = \"wall\"\ntype = \"moving_wall\"\nrotation_center = [1, 1, "
                          "1]\nangular_velocity = [0.1, 0, 0]\n",
                   flat + "[[boundary]]\nsurface = \"wall\"\ntype = \"moving_wall\"\nrotation_center = [1, "
                          "1]\nangular_velocity = [0, 0, 1]\n",
                   "[domain]\nperiodic = [false, true, true]\n" + std::string("nodes = [8, 8, 8]\n") + no_box +
                       inlet("speed = 0.1\n")});
  expect_refused(
      {{good + inlet(series + "speed = 0.1\n"), "contradict each other; give exactly one"},
       {good + inlet(series + "turbulence = { intensity = 0.1, length = 5 }\n"),
        "boundary[0].turbulence: contradicts 'series'"},
       {good + inlet("speed = 0.1\nturbulence = { intensity = 0, length = 5 }\n"),
        "turbulence.intensity: '0' is out of range; must be above 0"},
       {good + inlet("speed = 0.1\nturbulence = { intensity = 0.1 }\n"), "'length' is missing"},
       {good + "[[boundary]]\nsurface = \"x_min\"\ntype = \"pressure\"\npressure = 0\nturbulence = { intensity = "
               "0.1, length = 5 }\n",
        "'turbulence' has no meaning for type 'pressure'"},
       {good + inlet("flow_rate = 1\nvelocity = [0.1, 0, 0]\n"), "contradict each other; give exactly one"},
       {good + inlet("speed = 0.1\nprofile_file = \"a.csv\"\n"), "is read only with profile"},
       {good + inlet("speed = 0.1\nprofile = \"table\"\n"), "'table' needs 'profile_file'"},
       {good + inlet("velocity = [0.1, 0, 0]\nprofile = \"developed\"\n"),
        "needs 'speed' or 'flow_rate' (mean values)"},
       {good + inlet("speed = 0.1\nseries_periodic = true\n"), "'series_periodic' has no meaning without 'series'"},
       {good + inlet("speed = 0.1\nseries_period = 2\n"), "'series_period' has no meaning without 'series'"},
       {good + inlet(series + "series_period = 2\nseries_periodic = false\n"), "contradicts 'series_periodic = false'"},
       {good + inlet("speed = 0.1\nseries_scale = 2\n"), "'series_scale' has no meaning without 'series'"},
       {good + inlet("series = \"a.csv\"\n"), "'series_quantity' is missing"},
       {good + inlet("speed = 0.1\nangular_velocity = [0, 0, 1]\n"), "'angular_velocity' has no meaning"},
       {good + "[[boundary]]\nsurface = \"x_min\"\ntype = \"moving_wall\"\n", "a moving wall needs 'velocity'"},
       {good + "[[boundary]]\nsurface = \"x_min\"\ntype = \"moving_wall\"\nvelocity = [0, 1, 0]\nrotation_center = [1, "
               "1, 1]\n",
        "'angular_velocity' is missing"},
       {good + "[[boundary]]\nsurface = \"x_min\"\ntype = \"moving_wall\"\nangular_velocity = [1, 1, 1]\n",
        "'rotation_center' is missing"},
       {flat + "[[boundary]]\nsurface = \"wall\"\ntype = \"moving_wall\"\nrotation_center = [1, 1]\nangular_velocity = "
               "[1, 0, 1]\n",
        "must be [0, 0, w]"},
       {flat + "[[boundary]]\nsurface = \"wall\"\ntype = \"moving_wall\"\nrotation_center = [1, 1]\nangular_velocity = "
               "[0, 1, 1]\n",
        "must be [0, 0, w]"},
       {good + "[[boundary]]\nsurface = \"wall\"\ntype = \"pressure\"\n", "'wall' cannot be of type pressure"},
       {flat + "[[boundary]]\nsurface = \"z_max\"\ntype = \"pressure\"\n", "'z_max' does not exist in a 2D case"}});
}

TEST(Neighbours, NumericsAndViscosity) {
  const auto numerics = [](const std::string& lines) { return good + "[numerics]\n" + lines; };
  expect_accepted({numerics("gpu_threads = 96\n"), numerics("gpu_threads = 128\ngpu_rows = 4\n"),
                   numerics("rounding = \"stochastic\"\nformat = \"fp16c\"\n"),
                   numerics("collision = \"trt\"\nmagic = 0.2\n"), numerics("lattice = \"D3Q19\"\n"),
                   good + "[physics]\ninitial_flow = \"taylor-green\"\ninitial_speed = 0.1\n"});
  expect_refused({{numerics("gpu_threads = 100\n"), "expected a multiple of 32"},
                  {numerics("gpu_rows = 4\n"), "expected gpu_threads to be a multiple of 128"},
                  {numerics("gpu_threads = 96\ngpu_rows = 2\n"), "is 2 with gpu_threads = 96"},
                  {numerics("rounding = \"stochastic\"\nformat = \"fp32\"\n"), "has no meaning for format 'fp32'"},
                  {numerics("collision = \"trt\"\nmrt_rates = {e = 1.0}\n"), "has no meaning for collision 'trt'"},
                  {numerics("lattice = \"D2Q9\"\n"), "does not fit domain.dimension = 3"}});
  EXPECT_EQ(viscosity_model(parse_case(good, "case.toml")), "newtonian");
  EXPECT_EQ(viscosity_model(parse_case(good + "[physics]\nsmagorinsky = 0.1\n", "case.toml")), "smagorinsky");
}

TEST(Neighbours, RunAndMonitors) {
  const std::string with_speed = "[units]\nviscosity = 0.1\nreference_velocity = 0.1\n" + box;
  const auto monitor = [&](const std::string& lines) { return with_speed + "[monitor]\n" + lines; };
  const std::string both = inlet("speed = 0.1\n") + "[[boundary]]\nsurface = \"x_max\"\ntype = \"pressure\"\n";
  expect_accepted(
      {monitor("every = 1\naverage_from = 9\n"), monitor("every = 3\naverage_from = 9\n"),
       monitor("forces = [\"wall\"]\nreference_area = 2\ndrag_axis = [0, 0, 1]\n"),
       monitor("forces = [\"wall\"]\nforce_parts = [\"integral\", \"exchange\"]\n"),
       monitor("permeability_axis = \"x\"\n") + both,
       monitor("permeability_axis = \"z\"\n") + "[physics]\nacceleration = [0, 0, 1e-5]\n",
       good + "[monitor]\npermeability_axis = \"x\"\n" + both + "[run.steady]\nquantity = \"permeability\"\n",
       good + "[run.steady]\nquantity = \"force:wall\"\n"});
  expect_refused(
      {{monitor("every = 4\naverage_from = 9\n"), "nothing to average from step 9 to the end of the run (step 10)"},
       {monitor("every = 1\naverage_from = 10\n"), "'10' is not before the end of the run (step 10)"},
       {monitor("permeability_axis = \"x\"\n") + inlet("speed = 0.1\n"), "nothing drives a flow along 'x'"},
       {monitor("permeability_axis = \"y\"\n") + both, "nothing drives a flow along 'y'"},
       {monitor("force_parts = [\"integral\"]\n"), "has no meaning without 'forces'"},
       {monitor("forces = [\"wall\", \"wall\"]\n"), "'wall' is there twice"},
       {monitor("forces = [\"wall\"]\nforce_parts = [\"integral\", \"integral\"]\n"), "'integral' is there twice"},
       {good + "[run.steady]\nquantity = \"force:a b\"\n", "'a b' is no name"},
       {good + "[run.steady]\nquantity = \"force\"\n", "is not allowed"}});
}

TEST(Neighbours, Output) {
  const auto region = [](const std::string& text, const std::string& value) {
    return text + "[output]\nregion = " + value + "\n";
  };
  expect_accepted({region(good, "[[0, 0, 0], [1, 2, 3]]"), region(flat, "[[0, 0], [1, 2]]"),
                   good + "[output]\nwall = true\n", flat + "[[output.slice]]\nfield = \"velocity\"\naxis = \"z\"\n",
                   good + "[monitor]\nevery = 3\naverage_from = 3\n[output]\nfields = [\"average_velocity\"]\n",
                   flat + "[[output.slice]]\nfield = \"velocity_y\"\nstreamlines = 200\nformats = [\"pdf\"]\n",
                   flat + "[[output.slice]]\nfield = \"vorticity_z\"\n",
                   good + "[[output.slice]]\nfield = \"velocity_z\"\n"});
  expect_refused({{region(good, "[[0, 0, 3], [1, 2, 3]]"), "along z '3' is not above '3'"},
                  {region(good, "[[2, 0, 0], [1, 2, 3]]"), "along x '1' is not above '2'"},
                  {region(flat, "[[0, 2], [1, 2]]"), "along y '2' is not above '2'"},
                  {flat + "[[output.slice]]\nfield = \"velocity\"\naxis = \"y\"\n", "'y' is not possible in a 2D case"},
                  {good + "[output]\nfields = [\"average_velocity\"]\n", "needs monitor.average_from"},
                  {good + "[[output.slice]]\nfield = \"average_velocity_x\"\n", "needs monitor.average_from"},
                  {good + "[[output.slice]]\nstreamlines = 201\n", "must be 0 to 200"},
                  {good + "[output]\nfields = [\"velocity_x\"]\n", "has 'velocity_x', not allowed"},
                  {good + "[output]\nfields = [\"velocity\", \"velocity\"]\n", "is there twice"}});
}

}  // namespace
}  // namespace fluvia::test
