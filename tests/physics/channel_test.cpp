// SPDX-License-Identifier: Apache-2.0
// Flows between plane walls and in ducts that have exact solutions.
#include "physics/support.hpp"

namespace physics_test {
namespace {

using namespace fluvia::surface_id;

constexpr double force = 1e-6;

/// Channel of `height` nodes between walls normal to `wall`, driven along `flow`.
scene::Scene plane_channel(int dimension, int height, int wall_axis, int flow) {
  Int3 size = {3, 3, dimension == 3 ? 3 : 1};
  size[wall_axis] = height;
  Bool3 periodic = {true, true, true};
  periodic[wall_axis] = false;
  scene::Scene s = box(dimension, size, periodic);
  s.force[flow] = force;
  return s;
}

/// A collision that puts walls half-way: TRT with Lambda = 3/16, and on D3Q13, where (1/s'_nu - 1/2)(1/s_h - 1/2) takes
/// the place of Lambda and nodes slip by (4 Lambda - 1) / H^2, MRT with Lambda = 1/4.
scene::Options half_way_options(const std::string& lattice, double tau,
                                const std::string& equilibrium = "quasi-compressible") {
  if (lattice != "D3Q13") return options(lattice, "trt", tau, equilibrium);
  auto o = options(lattice, "mrt", tau, equilibrium);
  o.physics.rates = {{"cubic", 1 / (0.5 + 0.25 / (2 * viscosity_of(tau)))}};
  return o;
}

struct Channel {
  std::string lattice;
  int wall, flow;
};
void PrintTo(const Channel& value, std::ostream* out) {
  *out << value.lattice << " wall " << value.wall << " flow " << value.flow;
}

class Poiseuille : public testing::TestWithParam<Channel> {};

/// With Lambda = 3/16 half-way bounce-back puts the walls of a channel exactly half-way for every viscosity (Ginzburg,
/// Verhaeghe & d'Humieres 2008), so the nodes lie on the parabola up to round-off. The slowest mode decays with
/// nu pi^2 / H^2: after 30 such times e^-30 is left. MRT relaxes the u^2 part of the normal stresses by other rates,
/// which bends the parabola by 1e-3 Ma^2 with Ma^2 up to 6e-7.
TEST_P(Poiseuille, BodyForceGivesTheParabolaExactly) {
  const auto& [lattice, wall_axis, flow] = GetParam();
  const int height = 11;
  for (const char* equilibrium : {"quasi-compressible", "incompressible"})
    for (const double tau : {0.6, 1.0, 1.7}) {
      SCOPED_TRACE(testing::Message() << equilibrium << " tau " << tau);
      const double nu = viscosity_of(tau);
      const auto solver = scene::make_solver(plane_channel(lattice[1] - '0', height, wall_axis, flow),
                                             half_way_options(lattice, tau, equilibrium));
      solver->step(static_cast<int>(30 * height * height / (nu * 9.87)));
      const auto parabola = [&, wall_axis = wall_axis](const Real3& x) {
        return force / (2 * nu) * x[wall_axis] * (height - x[wall_axis]);
      };
      EXPECT_LT(largest_error(*solver, flow, parabola), lattice == "D3Q13" ? 6e-10 : 1e-10);
    }
}

INSTANTIATE_TEST_SUITE_P(All, Poiseuille,
                         testing::Values(Channel{"D2Q9", 1, 0}, Channel{"D2Q9", 0, 1}, Channel{"D3Q19", 1, 0},
                                         Channel{"D3Q19", 2, 1}, Channel{"D3Q19", 0, 2}, Channel{"D3Q27", 1, 0},
                                         Channel{"D3Q27", 0, 2}, Channel{"D3Q15", 1, 0}, Channel{"D3Q15", 2, 1},
                                         Channel{"D3Q13", 1, 0}, Channel{"D3Q13", 0, 2}),
                         [](const auto& channel) {
                           return channel.param.lattice + "_walls_" + "xyz"[channel.param.wall] + "_flow_" +
                                  "xyz"[channel.param.flow];
                         });

/// Another Lambda moves the walls: all nodes slip by (16 Lambda / 3 - 1) / H^2 of the largest speed (He, Zou, Luo &
/// Dembo, J. Stat. Phys. 87 (1997) 115, with (tau - 1/2)^2 = Lambda).
TEST(PoiseuilleWalls, MoveWithTheMagicParameter) {
  auto o = options("D2Q9", "trt", 1.0);
  o.physics.magic = 0.25;
  const int height = 11;
  const auto solver = scene::make_solver(plane_channel(2, height, 1, 0), o);
  solver->step(8000);
  const auto parabola = [&](const Real3& x) { return 3 * force * x[1] * (height - x[1]); };
  EXPECT_NEAR(largest_error(*solver, 0, parabola), (16 * 0.25 / 3 - 1) / (height * height), 1e-8);
}

/// Pressure openings 12 heights apart. The disturbances of the ends decay like e^(-4.2 x/H) (the slowest mode of
/// creeping flow between plates), so 6 heights away 1e-11 is left; the speed is small because compressibility is not
/// the subject.
TEST(PressureDriven, ChannelHasTheParabolaOfItsOwnGradient) {
  const int height = 9, length = 12 * height, middle = length / 2;
  const double tau = 0.9, nu = viscosity_of(tau);
  scene::Scene s = box(2, {length, height, 1}, {false, false, true});
  s.face_order = {1, 0, 2};
  s.conditions = {{x_min, "pressure", {}, 2e-6}, {x_max, "pressure", {}, -2e-6}};
  const auto solver = scene::make_solver(s, options("D2Q9", "trt", tau, "incompressible"));
  solver->step(60000);
  const fluvia::Moments m = scene::moments(*solver);
  const fluvia::NodeMap& nodes = solver->geometry().nodes;
  const auto density = [&](int x) { return m.density[nodes.node_index({x, height / 2, 0})]; };
  const double gradient = (density(middle - height) - density(middle + height)) / 3 / (2 * height);
  // The ends, where the flow adjusts, act like a channel that is shorter by less than a tenth of its height each.
  EXPECT_NEAR(gradient, 4e-6 / length, 0.02 * 4e-6 / length);
  const double fastest = gradient / (8 * nu) * height * height;
  for (int y = 0; y < height; ++y) {
    const double expected = gradient / (2 * nu) * (y + 0.5) * (height - y - 0.5);
    const Real3 u = m.velocity[nodes.node_index({middle, y, 0})];
    EXPECT_NEAR(u[0], expected, 1e-10 * fastest) << "row " << y;
    EXPECT_NEAR(u[1], 0, 1e-10 * fastest) << "row " << y;
  }
}

/// A linear profile has no second derivative, so that collisions give it to round-off. MRT relaxes the u^2 part of the
/// normal stresses by other rates, which bends the line by 1e-3 Ma^2 (3e-6 at speed 0.05); it is tested at low speed.
TEST(Couette, ProfileIsLinearExactly) {
  const int height = 10;
  for (const std::string lattice : {"D2Q9", "D3Q13", "D3Q15", "D3Q19", "D3Q27"})
    for (const std::string collision : {"bgk", "trt", "mrt", "regularized"}) {
      if (!fluvia::collision_problem(collision, lattice).empty()) continue;
      SCOPED_TRACE(lattice + " " + collision);
      const double speed = collision == "mrt" ? 1e-5 : 0.05;
      scene::Scene s = box(lattice[1] - '0', {3, height, lattice[1] == '3' ? 2 : 1}, {true, false, true});
      s.conditions = {{y_max, "moving_wall", {speed, 0, 0}}};
      const auto solver = scene::make_solver(s, options(lattice, collision, 0.9));
      solver->step(3500);
      const auto line = [&](const Real3& x) { return speed * x[1] / height; };
      EXPECT_LT(largest_error(*solver, 0, line), collision == "mrt" ? 1e-11 : 1e-12);
    }
}

/// The middle of a channel is a plane without shear: half the channel with free slip is the same flow at all times.
TEST(FreeSlip, HalfChannelIsTheFullChannel) {
  const int half = 7;
  for (const int axis : {1, 2}) {
    SCOPED_TRACE(axis);
    const auto o = options("D3Q19", "trt", 0.7);
    const auto full = scene::make_solver(plane_channel(3, 2 * half, axis, 0), o);
    scene::Scene s = plane_channel(3, half, axis, 0);
    s.conditions = {{2 * axis + 1, "free_slip"}};
    const auto slip = scene::make_solver(s, o);
    for (const int steps : {1, 20, 400}) {
      full->step(steps);
      slip->step(steps);
      const fluvia::Moments whole = scene::moments(*full), part = scene::moments(*slip);
      scene::for_each_fluid_node(slip->geometry().nodes, [&](const Int3& x, std::uint64_t n) {
        for (int a = 0; a < 3; ++a)
          ASSERT_NEAR(part.velocity[n][a], velocity_at(*full, whole, x)[a], 1e-17) << "speed is of order 1e-4";
      });
      EXPECT_GT(slip->totals().max_speed, force / 2);
    }
  }
}

/// u in a square duct |y|, |z| <= a: 16 a^2 G/(mu pi^3) sum over odd k of (-1)^((k-1)/2)
/// [1 - cosh(k pi z/2a)/cosh(k pi/2)] cos(k pi y/2a)/k^3. White, Viscous Fluid Flow, eq. 3-48.
double duct_velocity(double y, double z, double a, double nu) {
  double sum = 0;
  for (int k = 1; k < 80; k += 2) {
    const double w = k * std::numbers::pi / (2 * a);
    const double ratio =
        (std::exp(w * (std::abs(z) - a)) + std::exp(-w * (std::abs(z) + a))) / (1 + std::exp(-2 * w * a));
    sum += (k % 4 == 1 ? 1 : -1) * (1 - ratio) * std::cos(w * y) / (double(k) * k * k);
  }
  return 16 * a * a * force / (nu * std::pow(std::numbers::pi, 3)) * sum;
}

/// The scheme is of second order: 1/n^2 = 0.3% of the largest speed at n = 18, times a number of order one; the corners
/// are the worst places.
TEST(SquareDuct, FollowsTheSeries) {
  const int n = 18;
  const double tau = 0.9, nu = viscosity_of(tau);
  for (const char* lattice : {"D3Q13", "D3Q15", "D3Q19", "D3Q27"}) {
    SCOPED_TRACE(lattice);
    scene::Scene s = box(3, {2, n, n}, {true, false, false});
    s.force[0] = force;
    const auto solver = scene::make_solver(s, half_way_options(lattice, tau));
    solver->step(4000);
    const auto series = [&](const Real3& x) { return duct_velocity(x[1] - n / 2.0, x[2] - n / 2.0, n / 2.0, nu); };
    EXPECT_LT(largest_error(*solver, 0, series), 0.005);
  }
}

}  // namespace
}  // namespace physics_test
