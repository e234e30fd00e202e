// SPDX-License-Identifier: Apache-2.0
// Walls between the nodes: flows with exact solutions whose walls cut links anywhere. Two grids tell the order.
#include "physics/support.hpp"

namespace physics_test {
namespace {

using namespace fluvia::surface_id;
using fluvia::operator+;
using fluvia::operator-;
using fluvia::operator*;

using Field = std::function<Real3(const Real3& point)>;

/// A flow between walls that are the zeros of `inside`, which is positive in the fluid; with its exact velocity.
struct WallFlow {
  scene::Scene scene;
  Field exact;
  double steps_to_settle = 0;  ///< times the viscosity: in which what is left of the start falls to 1/e
};

Real3 place_of_node(const Int3& x) {
  return {x[0] + 0.5, x[1] + 0.5, x[2] + 0.5};
}

/// Part of the link that lies inside, by bisection.
std::function<double(const Int3&, const Int3&)> distance_in(const std::function<double(const Real3&)>& inside) {
  return [inside](const Int3& x, const Int3& offset) {
    const Real3 from = place_of_node(x), along = {1.0 * offset[0], 1.0 * offset[1], 1.0 * offset[2]};
    double near = 0, far = 1;
    for (int k = 0; k < 40; ++k) (inside(from + 0.5 * (near + far) * along) > 0 ? near : far) = 0.5 * (near + far);
    return far;
  };
}

void put_walls(scene::Scene& s, const std::function<double(const Real3&)>& inside) {
  s.solid = [inside](const Int3& x) { return inside(place_of_node(x)) <= 0; };
  s.distance_of = distance_in(inside);
}

/// Where walls cut links decides how errors add up on one grid; so walls are put in several places.
Real3 place_of(int k) {
  return {0.13 + 0.37 * k, 0.21 + 0.11 * k, 0};
}

/// The inner cylinder spins; `gap` nodes across.
WallFlow couette(double gap, int place) {
  const double inner = 0.8 * gap, outer = 1.8 * gap, speed = 0.32 / gap;
  const int n = static_cast<int>(2 * outer) + 4;
  const Real3 centre = Real3{0.5 * n, 0.5 * n, 0.5} + place_of(place);
  const auto radius = [=](const Real3& p) { return std::hypot(p[0] - centre[0], p[1] - centre[1]); };
  WallFlow flow{box(2, {n, n, 1}, {}), {}, gap * gap / 9.87};
  put_walls(flow.scene, [=](const Real3& p) { return std::min(radius(p) - inner, outer - radius(p)); });
  flow.scene.bodies = {"inner"};
  flow.scene.body_of = [=](const Int3& x) { return radius(place_of_node(x)) < 1.3 * gap ? first_named : wall; };
  flow.scene.conditions = {{first_named, "moving_wall", {}, 0, {0, 0, speed / inner}, {centre[0], centre[1], 0}}};
  const double squares = outer * outer - inner * inner;
  const double a = -speed * inner / squares, b = speed * inner * outer * outer / squares;
  flow.exact = [=](const Real3& p) {
    const double r = radius(p), u = a * r + b / r;
    return Real3{-u * (p[1] - centre[1]) / r, u * (p[0] - centre[0]) / r, 0};
  };
  return flow;
}

/// Channel along (2, 1), periodic in a box twice as long as high, driven by a force.
WallFlow inclined_channel(double width, double viscosity, int place) {
  const int height = static_cast<int>(std::ceil((std::sqrt(5.0) * width + 6) / 2));
  const double length = 2 * height, speed = 0.32 / width;
  // Distance from the lower wall times sqrt 5; the same at (x + length, y) and so on.
  const auto level = [=](const Real3& p) {
    const double s = 2 * p[1] - p[0] + place_of(place)[0];
    return s - length * std::floor((s + 3) / length);
  };
  const double top = std::sqrt(5.0) * width;
  WallFlow flow{box(2, {2 * height, height, 1}, {true, true, false}), {}, width * width / 9.87};
  // Links lead at most 3 levels away, so that those beyond the lower wall are below zero.
  put_walls(flow.scene, [=](const Real3& p) { return std::min(level(p), top - level(p)); });
  const double force = 8 * viscosity * speed / (width * width);
  const Real3 along = {2 / std::sqrt(5.0), 1 / std::sqrt(5.0), 0};
  flow.scene.force = force * along;
  flow.exact = [=](const Real3& p) {
    const double d = level(p) / std::sqrt(5.0);
    return force / (2 * viscosity) * d * (width - d) * along;
  };
  return flow;
}

/// Round pipe along z, driven by a force.
WallFlow pipe(double diameter, double viscosity, int place) {
  const int n = static_cast<int>(diameter) + 4;
  const double radius = 0.5 * diameter, speed = 0.32 / diameter;
  const Real3 axis = Real3{0.5 * n, 0.5 * n, 0} + place_of(place);
  const auto inside = [=](const Real3& p) { return radius - std::hypot(p[0] - axis[0], p[1] - axis[1]); };
  WallFlow flow{box(3, {n, n, 3}, {false, false, true}), {}, radius * radius / 5.78};
  put_walls(flow.scene, inside);
  const double force = 4 * viscosity * speed / (radius * radius);
  flow.scene.force = {0, 0, force};
  flow.exact = [=](const Real3& p) {
    const double d = inside(p);
    return Real3{0, 0, force / (4 * viscosity) * d * (2 * radius - d)};
  };
  return flow;
}

struct Result {
  double error = 0;  ///< sqrt(sum |u - exact|^2 / sum |exact|^2)
  double drift = 0;  ///< of the mean density, a step
};

Result solve(WallFlow flow, const std::string& lattice, double tau, bool viscosity_independent, bool half_way = false) {
  flow.scene.viscosity_independent = viscosity_independent;
  if (half_way) flow.scene.distance_of = nullptr;
  const Field exact = flow.exact;
  flow.scene.initial = [exact](const Int3& x) { return reference::NodeState{1, exact(place_of_node(x))}; };
  auto o = options(lattice, "trt", tau, "incompressible");  // whose velocity does not follow the drift of density
  o.scheme = "aa";
  const auto solver = scene::make_solver(flow.scene, o);
  // What the start lacks of the solution on the grid is of the size of its error, of which 2% are left.
  const int steps = 2 * static_cast<int>(2 * flow.steps_to_settle / viscosity_of(tau));
  solver->step(steps);
  const double nodes = static_cast<double>(solver->geometry().nodes.fluid_nodes);
  const fluvia::Moments m = scene::moments(*solver);
  double difference = 0, scale = 0;
  scene::for_each_fluid_node(solver->geometry().nodes, [&](const Int3& x, std::uint64_t n) {
    const Real3 u = exact(place_of_node(x)), d = m.velocity[n] - u;
    difference += fluvia::dot(d, d);
    scale += fluvia::dot(u, u);
  });
  return {std::sqrt(difference / scale), solver->totals().mass / nodes / steps};
}

struct Setting {
  const char* flow;
  double tau;
  bool viscosity_independent;
};
void PrintTo(const Setting& s, std::ostream* out) {
  *out << s.flow << " tau " << s.tau << (s.viscosity_independent ? " viscosity-independent" : "");
}

class WallsBetweenNodes : public testing::TestWithParam<Setting> {};

/// Mean square over the places, of which the slow case has one.
Result solve_everywhere(const Setting& s, double across) {
  const double nu = viscosity_of(s.tau);
  const std::string name = s.flow;
  const int places = name == "couette" && s.tau < 0.6 ? 1 : 3;
  Result mean;
  for (int k = 0; k < places; ++k) {
    const WallFlow flow = name == "couette"    ? couette(across, k)
                          : name == "inclined" ? inclined_channel(across, nu, k)
                                               : pipe(across, nu, k);
    const Result one = solve(flow, name == "pipe" ? "D3Q19" : "D2Q9", s.tau, s.viscosity_independent);
    mean.error += one.error * one.error / places;
    mean.drift = std::max(mean.drift, std::abs(one.drift));
  }
  mean.error = std::sqrt(mean.error);
  return mean;
}

/// At 32 nodes across less than 0.4% from the exact velocity, and second order. Terms of the viscosity-independent
/// rule that fall faster than h^2 and differ from it in sign are still seen at 16 nodes: 1.7 in place of 1.9. Mass may
/// drift with the third power of the spacing, since what flows between a wall and the middle of its links balances but
/// to the order of the rule: at a speed of 0.32/32 less than 1e-7 of the mean density a step.
TEST_P(WallsBetweenNodes, ConvergeInSecondOrder) {
  const Setting s = GetParam();
  const Result coarse = solve_everywhere(s, 16), fine = solve_everywhere(s, 32);
  const double order = std::log2(coarse.error / fine.error);
  std::printf("%-9s tau %.2f kappa %2d: %.2e %.2e order %.2f, drift %.1e %.1e\n", s.flow, s.tau,
              -static_cast<int>(s.viscosity_independent), coarse.error, fine.error, order, coarse.drift, fine.drift);
  EXPECT_LT(fine.error, 4e-3);
  EXPECT_GT(order, s.viscosity_independent ? 1.7 : 1.9);
  EXPECT_LT(fine.drift, 1e-7);
}

std::vector<Setting> settings() {
  std::vector<Setting> all;
  for (const char* flow : {"couette", "inclined", "pipe"})
    for (const double tau : {0.55, 0.8, 2.0})
      for (const bool viscosity_independent : {false, true}) all.push_back({flow, tau, viscosity_independent});
  return all;
}

INSTANTIATE_TEST_SUITE_P(All, WallsBetweenNodes, testing::ValuesIn(settings()));

}  // namespace
}  // namespace physics_test
