// SPDX-License-Identifier: Apache-2.0
#include "honesty/cases.hpp"

#include <fmt/format.h>

#include <cmath>

namespace fluvia::test {

namespace {

using Settings = std::vector<std::string>;

constexpr const char* ending = R"(
[numerics]
device = "cpu"
threads = 1
trial = false
[run]
steps = 20000
[run.steady]
tolerance = 1e-6
window = 500
[monitor]
every = 20
[output]
vtk = "none"
[checkpoint]
at_end = false
)";

/// Between plates 16 apart, driven by a body force: mean velocity g h^2 / (12 nu) (Poiseuille).
const std::string plates = std::string(R"(
[units]
viscosity = 0.1
[domain]
dimension = 2
nodes = [4, 16]
periodic = [true, false]
[physics]
acceleration = [1e-5, 0]
)") + ending;

/// A flow between two pressures: g is their difference / 32.
const std::string pressures = std::string(R"(
[units]
viscosity = 0.1
[domain]
dimension = 2
nodes = [32, 16]
[[boundary]]
surface = "x_min"
type = "pressure"
pressure = 3.2e-4
[[boundary]]
surface = "x_max"
type = "pressure"
)") + ending;

/// A plate that moves at 0.05, 16 above one at rest: mean velocity half of that (Couette), stress 0.05 nu / 16.
const std::string couette = std::string(R"(
[units]
viscosity = 0.1
[domain]
dimension = 2
nodes = [4, 16]
periodic = [true, false]
[[boundary]]
surface = "y_max"
type = "moving_wall"
velocity = [0.05, 0]
)") + ending;

/// A pipe of diameter 16 along x, driven by a body force: mean velocity in the pipe g D^2 / (32 nu) (Hagen).
const std::string pipe = std::string(R"(
[units]
viscosity = 0.1
[domain]
nodes = [4, 20, 20]
periodic = [true, false, false]
[[geometry.shape]]
kind = "box"
center = [2, 10, 10]
size = [40, 40, 40]
[[geometry.shape]]
kind = "cylinder"
operation = "fluid"
from = [-10, 10, 10]
to = [20, 10, 10]
radius = 8
[physics]
acceleration = [1e-5, 0, 0]
)") + ending;

/// A duct of 12 x 12: mean velocity 0.035144 g a^2 / nu (White, Viscous Fluid Flow, 3rd ed., eq. 3-48).
const std::string duct = std::string(R"(
[units]
viscosity = 0.1
[domain]
nodes = [4, 12, 12]
periodic = [true, false, false]
[physics]
acceleration = [1e-5, 0, 0]
)") + ending;

/// Cylinders in a square array, solid share c = pi r^2 / L^2 = 0.2 with L = 32: drag F / (mu U) = 51.53, so that
/// k = L^2 / 51.53 (Sangani & Acrivos, Int. J. Multiphase Flow 8 (1982) 193).
const std::string array = std::string(R"(
[units]
viscosity = 0.1
[domain]
dimension = 2
nodes = [32, 32]
periodic = [true, true]
[[geometry.shape]]
kind = "cylinder"
from = [16, 16, 0]
to = [16, 16, 1]
radius = 8.0740
[physics]
acceleration = [1e-6, 0]
)") + ending;

double mean_of_plates(double height, double force = 1e-5, double viscosity = 0.1) {
  return force * height * height / (12 * viscosity);
}

class Table {
 public:
  void add(const std::string& name, const std::string& text, const Settings& settings, const std::string& result,
           double exact, bool grids = true) {
    rows_.push_back({name, text, settings, result, exact, grids});
  }
  std::vector<HonestCase> rows() { return std::move(rows_); }

 private:
  std::vector<HonestCase> rows_;
};

std::string set(const char* key, const std::string& value) {
  return fmt::format("{}={}", key, value);
}

/// What a careful user would choose, in every combination that matters.
void add_good_settings(Table& t) {
  for (const char* collision : {"bgk", "trt", "mrt", "regularized"}) {
    const std::string how = set("numerics.collision", collision);
    t.add(fmt::format("plates_{}", collision), plates, {how}, "mean_velocity_x", mean_of_plates(16));
    t.add(fmt::format("couette_{}", collision), couette, {how}, "wall_shear_stress_mean", 0.05 * 0.1 / 16);
    t.add(fmt::format("array_{}", collision), array, {how}, "permeability_x", 32.0 * 32 / 51.53);
    t.add(fmt::format("duct_{}", collision), duct, {how}, "mean_velocity_x", 0.035144 * 1e-5 * 144 / 0.1, false);
  }
  for (const char* lattice : {"D3Q15", "D3Q19", "D3Q27"}) {
    t.add(fmt::format("duct_{}", lattice), duct, {set("numerics.lattice", lattice)}, "mean_velocity_x",
          0.035144 * 1e-5 * 144 / 0.1, false);
    t.add(fmt::format("pipe_{}", lattice), pipe, {set("numerics.lattice", lattice)}, "mean_velocity_x",
          1e-5 * 256 / (32 * 0.1), false);
  }
  t.add("duct_grids", duct, {}, "mean_velocity_x", 0.035144 * 1e-5 * 144 / 0.1);
  t.add("pipe_grids", pipe, {}, "mean_velocity_x", 1e-5 * 256 / (32 * 0.1));
  for (const double height : {8.0, 12.0, 20.0, 32.0})
    t.add(fmt::format("plates_of_{}", height), plates, {fmt::format("domain.nodes=[4,{}]", height)}, "mean_velocity_x",
          mean_of_plates(height));
  for (const double tau : {0.51, 0.55, 0.7, 1.0, 1.5, 2.0})
    for (const char* collision : {"bgk", "trt"}) {
      const double viscosity = (tau - 0.5) / 3;
      const Settings how = {set("numerics.collision", collision), fmt::format("units.viscosity={}", viscosity),
                            fmt::format("physics.acceleration=[{},0]", 1e-4 * viscosity), "run.steps=100000"};
      t.add(fmt::format("plates_{}_tau_{}", collision, tau), plates, how, "mean_velocity_x",
            mean_of_plates(16, 1e-4, 1));
    }
}

/// Grids that are too coarse, runs that are too short, parameters out of range.
void add_bad_settings(Table& t) {
  for (const int height : {2, 3, 4, 5, 6})
    for (const char* collision : {"bgk", "trt"})
      t.add(fmt::format("plates_of_{}_{}", height, collision), plates,
            {fmt::format("domain.nodes=[4,{}]", height), set("numerics.collision", collision)}, "mean_velocity_x",
            mean_of_plates(height));
  for (const char* magic : {"0.001", "1", "4", "10", "100"})
    for (const bool grids : {true, false})
      t.add(fmt::format("plates_magic_{}{}", magic, grids ? "" : "_one_grid"), plates,
            {"numerics.collision=trt", set("numerics.magic", magic)}, "mean_velocity_x", mean_of_plates(16), grids);
  for (const int steps : {100, 200, 500, 1000, 2000})
    t.add(fmt::format("plates_after_{}", steps), plates, {fmt::format("run.steps={}", steps)}, "mean_velocity_x",
          mean_of_plates(16));
  for (const char* tolerance : {"1e-2", "1e-3", "1e-4"})
    t.add(fmt::format("plates_steady_{}", tolerance), plates,
          {set("run.steady.tolerance", tolerance), "run.steady.window=100"}, "mean_velocity_x", mean_of_plates(16));
  for (const int cell : {8, 16}) {
    const double radius = cell * 8.0740 / 32;
    t.add(fmt::format("array_of_{}", cell), array,
          {fmt::format("domain.nodes=[{0},{0}]", cell), fmt::format("geometry.shape.1.radius={}", radius),
           fmt::format("geometry.shape.1.from=[{0},{0},0]", cell / 2),
           fmt::format("geometry.shape.1.to=[{0},{0},1]", cell / 2)},
          "permeability_x", cell * cell / 51.53);
  }
}

/// Digits.
void add_formats(Table& t) {
  for (const char* format : {"fp64", "fp32"})
    for (const char* force : {"1e-7", "1e-6", "1e-5"})
      t.add(fmt::format("plates_{}_{}", format, force), plates,
            {set("numerics.format", format), fmt::format("physics.acceleration=[{},0]", force)}, "mean_velocity_x",
            mean_of_plates(16, std::stod(force)));
  for (const char* format : {"fp16s", "fp16c"})
    for (const char* force : {"2e-8", "1e-7", "1e-6"})
      for (const bool grids : {true, false})
        t.add(fmt::format("plates_{}_{}{}", format, force, grids ? "" : "_one_grid"), plates,
              {set("numerics.format", format), fmt::format("physics.acceleration=[{},0]", force)}, "mean_velocity_x",
              mean_of_plates(16, std::stod(force)), grids);
}

/// Between pressures: flow rate h times the mean velocity.
void add_openings(Table& t) {
  for (const int length : {16, 32, 64})
    for (const bool grids : {true, false})
      t.add(fmt::format("pressures_{}{}", length, grids ? "" : "_one_grid"), pressures,
            {fmt::format("domain.nodes=[{},16]", length), fmt::format("boundary.x_min.pressure={}", 1e-5 * length)},
            "flow_x_min", 16 * mean_of_plates(16), grids);
  for (const double all : {0.001, 0.01, 0.1})  // the density is as far from that at rest
    for (const bool grids : {true, false})
      t.add(
          fmt::format("pressures_at_{}{}", all, grids ? "" : "_one_grid"), pressures,
          {fmt::format("boundary.x_min.pressure={}", all + 1e-5 * 32), fmt::format("boundary.x_max.pressure={}", all)},
          "flow_x_min", 16 * mean_of_plates(16), grids);
}

/// A plate at 11.3 that moves at 0.03 above one at rest, between two openings: half of that times the height passes.
const std::string drawn_along = std::string(R"(
[units]
viscosity = 0.1
[domain]
dimension = 2
nodes = [16, 14]
[[geometry.shape]]
name = "top"
kind = "half_space"
from = [0, 11.3, 0]
normal = [0, -1, 0]
[[boundary]]
surface = "top"
type = "moving_wall"
velocity = [0.03, 0]
[[boundary]]
surface = "x_min"
type = "pressure"
[[boundary]]
surface = "x_max"
type = "pressure"
)") + ending;

/// Between pressures, 16 wide, with a slip length of 2 at one wall.
const std::string sliding = std::string(R"(
[units]
viscosity = 0.1
[domain]
dimension = 2
nodes = [24, 16]
[[boundary]]
surface = "y_max"
type = "half_slip"
slip_length = 2
[[boundary]]
surface = "x_min"
type = "pressure"
pressure = 2.4e-4
[[boundary]]
surface = "x_max"
type = "pressure"
)") + ending;

/// Flow rate for a force g: g / (2 nu) (a H^2 / 2 - H^3 / 3), a = (H^2 + 2 H L) / (H + L).
double flow_of_sliding(double height, double slip, double force, double viscosity) {
  const double a = (height * height + 2 * height * slip) / (height + slip);
  return force / (2 * viscosity) * (a * height * height / 2 - height * height * height / 3);
}

/// Walls between the nodes, walls that move or let the fluid slide, stairs, a model of eddies where there are none.
void add_walls(Table& t) {
  for (const bool grids : {true, false}) {
    const std::string name = grids ? "" : "_one_grid";
    for (const double top : {11.1, 11.3, 11.8})
      t.add(fmt::format("drawn_along_{}{}", top, name), drawn_along,
            {fmt::format("geometry.shape.1.from=[0,{},0]", top)}, "flow_x_min", 0.5 * 0.03 * top, grids);
    for (const double slip : {0.5, 2.0, 8.0})
      t.add(fmt::format("sliding_{}{}", slip, name), sliding, {fmt::format("boundary.y_max.slip_length={}", slip)},
            "flow_x_min", flow_of_sliding(16, slip, 1e-5, 0.1), grids);
    for (const double model : {0.1, 0.2, 0.4})
      t.add(fmt::format("eddies_{}{}", model, name), plates,
            {fmt::format("physics.smagorinsky={}", model), "physics.acceleration=[1e-4,0]", "units.viscosity=0.05"},
            "mean_velocity_x", mean_of_plates(16, 1e-4, 0.05), grids);
    for (const double tau : {1.5, 4.0, 15.0})
      t.add(fmt::format("regularized_{}{}", tau, name), plates,
            {"numerics.collision=regularized", fmt::format("units.viscosity={}", (tau - 0.5) / 3),
             fmt::format("physics.acceleration=[{},0]", 1e-4 * (tau - 0.5) / 3)},
            "mean_velocity_x", mean_of_plates(16, 1e-4, 1), grids);
  }
  for (const double radius : {6.0, 7.3, 8.0})
    for (const char* method : {"half-way", "interpolated"})
      t.add(fmt::format("pipe_{}_{}", method, radius), pipe,
            {set("walls.method", method), fmt::format("geometry.shape.2.radius={}", radius)}, "mean_velocity_x",
            1e-5 * radius * radius / 0.8, false);
}

}  // namespace

std::vector<HonestCase> honest_cases() {
  Table table;
  add_good_settings(table);
  add_bad_settings(table);
  add_formats(table);
  add_openings(table);
  add_walls(table);
  return table.rows();
}

}  // namespace fluvia::test
