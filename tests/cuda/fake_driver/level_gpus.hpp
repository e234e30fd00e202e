// SPDX-License-Identifier: Apache-2.0
// Levels of refinement on GPUs of the fake driver: kernels, and flows with all that crosses between levels.
#pragma once
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <span>
#include <vector>

#include "cuda/fake_driver/many_gpus.hpp"
#include "cuda/scalars/scalar_kernels.hpp"
#include "fluvia/backend/backend.hpp"
#include "fluvia/cuda/kernels/levels.hpp"
#include "support/sheets.hpp"

namespace fluvia::cuda {

template <class Spec>
class LevelGpus : public ManyGpus<Spec> {
 public:
  LevelGpus() {
    using Format = typename Spec::Format;
    this->kernels_.push_back(fake_cuda::host_kernel<false>("14exchange_first", kernels::exchange_first<Format>));
    this->kernels_.push_back(fake_cuda::host_kernel<false>("15exchange_second", kernels::exchange_second<Format>));
    this->kernels_.push_back(fake_cuda::host_kernel<false>("12move_surplus", kernels::move_surplus<Format>));
    this->kernels_.push_back(fake_cuda::host_kernel<false>("12add_to_links", kernels::add_to_links<Format>));
    this->kernels_.push_back(fake_cuda::host_kernel<false>("13add_to_places", kernels::add_to_places<Format>));
    this->kernels_.push_back(fake_cuda::host_kernel<false>("12begin_forces", kernels::begin_forces<Format>));
    this->kernels_.push_back(fake_cuda::host_kernel<false>("10end_forces", kernels::end_forces<Format>));
    if constexpr (Spec::Scalars::size > 0) append_scalar_kernels<Spec>(this->kernels_);
  }
};

inline Case::Refine region(int level, const Real3& lower, const Real3& upper) {
  Case::Refine refine;
  refine.level = level;
  refine.box = {lower, upper};
  return refine;
}

/// What a case has besides levels.
enum class Beside {
  walls,
  mirrors,
  openings,
  own_forces,
  rheology,
  sheets,
  moving_walls,
  sliding_walls,
  scalars,
  changing_scalars
};

inline Case::Boundary boundary(const char* surface, const char* type) {
  Case::Boundary b;
  b.surface = surface;
  b.type = type;
  return b;
}

inline Case::Prescribed prescribed(double number, const char* formula = "") {
  Case::Prescribed value;
  value.number = number;
  value.formula = formula;
  return value;
}

/// A temperature that drives the flow and the age of the fluid, with all that surfaces do to them, on all levels that
/// these meet. `changes`: in time.
inline void add_scalars(bool changes, Case& c) {
  c.physics.gravity = {0, -1e-3, 0};
  Case::Scalar& heat = c.scalars.emplace_back();
  heat.name = "heat";
  heat.diffusivity = 0.04;
  heat.initial = 2;
  heat.reference = 2;
  heat.initial_formula = "0.3*sin(0.4*x)*cos(0.3*y)";
  heat.expansion = 0.3;
  Case::Scalar age;
  age.name = "age";
  age.diffusivity = 0.02;
  age.initial = 0;
  age.source = changes ? "1 + 0.1*x*cos(0.4*t)" : "age";
  c.scalars.push_back(age);
  c.boundaries[0].scalars["heat"].value = prescribed(3, changes ? "3 + sin(0.3*t)" : "");
  c.boundaries[0].scalars["age"].value = prescribed(0);
  c.boundaries.push_back(boundary("y_min", "wall"));
  c.boundaries.back().scalars["heat"].exchange = 0.03;
  c.boundaries.back().scalars["heat"].ambient = prescribed(1.5);
  c.boundaries.push_back(boundary("y_max", "wall"));
  c.boundaries.back().scalars["heat"].flux = prescribed(0.002, changes ? "1e-3*t" : "");
  c.boundaries.back().scalars["age"].value = prescribed(2);
  c.boundaries.push_back(boundary("ball", "wall"));
  c.boundaries.back().scalars["heat"].value = prescribed(4);
}

/// Puts, in tiles of the coarsest level, finer regions and the ball to where all that is there is crossed.
template <class Spec, class At>
void put_beside(Beside beside, const At& at, Case& c) {
  constexpr int finest = Spec::Lattice::D == 2 ? 2 : 1;
  Case::Shape& ball = c.geometry.shapes[0];
  const auto move_ball = [&](const Real3& center) {
    ball.center = center;
    ball.from = {center[0], center[1], -1};
    ball.to = {center[0], center[1], 2};
  };
  if (beside == Beside::mirrors) {
    c.domain.periodic = {false, false, true};
    c.boundaries = {boundary("x_min", "symmetry"), boundary("y_min", "symmetry")};
    c.boundaries[1].sponge = Spec::Lattice::D == 2 ? 20 : 10;
    c.refine = {region(finest, at(0, 0, 2), at(1, 1, 3))};
    move_ball(at(2.05, 0, 2.6));
  }
  if (beside == Beside::openings) {
    c.domain.periodic = {false, false, true};
    c.boundaries = {boundary("x_min", "velocity"), boundary("x_max", "pressure")};
    c.boundaries[0].speed = 0.02;
    c.boundaries[1].sponge = Spec::Lattice::D == 2 ? 12 : 6;
    c.refine = {region(finest, at(0, 2, 2), at(6, 2.5, 2.5))};
    move_ball(at(2.05, 3.1, 2.6));
  }
  if (beside == Beside::scalars || beside == Beside::changing_scalars) {  // strips, and the ball across an interface
    // Kernels here are one kind: where walls lie between nodes, they must on each level.
    constexpr int level = Spec::walls == core::WallRule::half_way ? finest : 1;
    c.domain.periodic = {false, false, true};
    c.boundaries = {boundary("x_min", "velocity"), boundary("x_max", "pressure")};
    c.boundaries[0].speed = 0.02;
    c.refine = {region(level, at(0, 2, 2), at(6, 2.5, 2.5)), region(1, at(2, 0, 0), at(3, 6, 6))};
    move_ball(at(1.95, 4, 2.6));
    add_scalars(beside == Beside::changing_scalars, c);
  }
  if (beside == Beside::sheets)  // one on the finest level and one on the coarsest
    c.geometry.stl = {fluvia::test::sheets_across_x(
        {{at(2.5, 2.3, 2.3), at(2.5, 2.7, 2.7)}, {at(4.5, 0.5, 0.5), at(4.5, 1.9, 1.9)}}, Spec::Lattice::D == 2)};
  if (beside == Beside::moving_walls) {  // that interfaces cross, which one wall of the box and the ball do, too
    c.boundaries = {boundary("y_min", "moving_wall"), boundary("y_max", "moving_wall"),
                    boundary("ball", "moving_wall")};
    c.boundaries[0].velocity = {-0.02, 0, 0};
    c.boundaries[1].velocity = {0.03, 0, 0};
    c.boundaries[2].angular_velocity = {0, 0, 0.01};
    c.boundaries[2].rotation_center = ball.center;
    c.refine.push_back(region(finest, at(2, 0, 2), at(3, 0.5, 3)));
  }
  if (beside == Beside::sliding_walls) {  // that interfaces cross
    c.boundaries = {boundary("y_min", "half_slip"), boundary("y_max", "wall_function")};
    c.boundaries[0].values["slip_length"] = 0.8;
    c.refine.push_back(region(finest, at(2, 0, 2), at(3, 0.5, 3)));
  }
  if (beside == Beside::own_forces) c.physics.acceleration_formula = {"1e-4*sin(0.7*y)", "2e-4*cos(0.5*x)", "0"};
  if (beside == Beside::rheology) {
    c.physics.rheology.emplace();
    c.physics.rheology->model = "carreau-yasuda";
    c.physics.rheology->values = {{"zero_shear_viscosity", 0.03},
                                  {"infinite_shear_viscosity", 0.01},
                                  {"relaxation_time", 80},
                                  {"yasuda_exponent", 2},
                                  {"power_index", 0.4}};
  }
}

/// Three levels with a ball across an interface and walls, so that links there give to others; a force as the kernels
/// here have.
template <class Spec>
Case case_with_levels(const std::string& device, Beside beside = Beside::walls) {
  constexpr bool flat = Spec::Lattice::D == 2;
  const double s = flat ? 8 : 4;
  const int tiles = flat ? 6 : 5;
  const auto at = [&](double x, double y, double z) { return Real3{s * x, s * y, flat ? 1 : s * z}; };
  Case c;
  c.domain.dimension = Spec::Lattice::D;
  const int edge = static_cast<int>(s) * tiles;
  c.domain.nodes = {edge, edge, flat ? 1 : edge};
  c.domain.periodic = {true, false, true};
  c.refine = {region(flat ? 2 : 1, at(2, 2, 2), at(3, 3, 3))};
  Case::Shape ball;
  ball.name = "ball";
  ball.kind = flat ? "cylinder" : "sphere";
  ball.center = at(flat ? 1.05 : 2.05, 2.6, 2.6);
  ball.from = {ball.center[0], ball.center[1], -1};
  ball.to = {ball.center[0], ball.center[1], 2};
  ball.radius = 0.3 * s;
  c.geometry.shapes = {ball};
  c.units.tau = 0.55;
  c.walls.method = Spec::walls == core::WallRule::half_way ? "half-way" : "interpolated";
  c.physics.acceleration = {1e-5, -2e-5, 0};
  c.numerics.lattice = Spec::Lattice::name;
  c.numerics.collision = Spec::Collision::name;
  c.numerics.scheme = device == "cpu" ? "compact-pull" : Spec::scheme.name;
  c.numerics.format = Spec::Format::name;
  if (sizeof(typename Spec::Format::Storage) == 2) c.numerics.rounding = "nearest";
  c.numerics.device = device;
  c.numerics.gpu_threads = Spec::threads;
  c.monitors.forces = {"ball"};
  c.run.steps = 1;
  put_beside<Spec>(beside, at, c);
  return c;
}

/// Begins a flow that is smooth on no level.
inline std::unique_ptr<Solver> started(std::unique_ptr<Solver> solver) {
  for (const FlowLevel& level : solver->levels())
    const_cast<Solver&>(*level.state).initialise([&](const Int3& node, double& density, Real3& velocity) {
      const double x = level.units.spacing * (node[0] + 0.5), y = level.units.spacing * (node[1] + 0.5);
      density = 1 + 0.01 * std::sin(0.4 * x + 0.2);
      velocity = {0.03 * std::sin(0.7 * y) + 0.01, 0.02 * std::cos(0.5 * x + 0.3), 0};
    });
  return solver;
}
inline std::unique_ptr<Solver> make(const Case& c) {
  const Grid grid = make_grid(c);
  return started(fluvia::make_solver({c, make_units(c, grid.spacing), build_geometry(c, grid)}));
}

/// Calls visit(range, bytes) for all populations that there are.
template <class Visit>
void for_each_range(const Solver& solver, const Visit& visit) {
  const NodeMap& nodes = solver.geometry().nodes;
  for (std::size_t a = 0; a < solver.arrays().size(); ++a) {
    const NodeArray& array = solver.arrays()[a];
    const auto value = static_cast<std::size_t>(storage_bytes(array.format(solver.plan().format->name)));
    for (int component = 0; component < array.components; ++component)
      visit(ArrayRange{a, component, 0, nodes.tiles.size()}, array.entries(nodes, 0, nodes.tiles.size()).count * value);
  }
}

inline std::vector<std::byte> saved(const Solver& solver) {
  std::vector<std::byte> all;
  for_each_range(solver, [&](const ArrayRange& range, std::size_t bytes) {
    std::vector<std::byte> part(bytes);
    solver.save(range, part);
    all.insert(all.end(), part.begin(), part.end());
  });
  return all;
}

inline void load(Solver& solver, std::span<const std::byte> all) {
  for_each_range(solver, [&](const ArrayRange& range, std::size_t bytes) {
    solver.load(range, all.first(bytes));
    all = all.subspan(bytes);
  });
}

constexpr int number_of(const char* name) {
  int k = 0;
  while (!emulation::same(core::schemes[k].name, name)) ++k;
  return k;
}

}  // namespace fluvia::cuda
