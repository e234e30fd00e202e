// SPDX-License-Identifier: Apache-2.0
// Lid-driven cavity against published centreline velocities. Unit square, lid y = 1 moves with U = 1 along x, Re = U
// L/nu.
#include "physics/support.hpp"

namespace physics_test {
namespace {

using namespace fluvia::surface_id;

struct Point {
  double position, value;
};

struct Table {
  double reynolds;
  std::vector<Point> u;  ///< u(0.5, y)
  std::vector<Point> v;  ///< v(x, 0.5)
};
void PrintTo(const Table& value, std::ostream* out) {
  *out << "Re " << value.reynolds;
}

/// Re 100 and 400: Ghia, Ghia & Shin, J. Comput. Phys. 48 (1982) 387, tables I and II; without v(0.9063) at Re 400, a
/// known misprint. Re 1000: Botella & Peyret, Comput. Fluids 27 (1998) 421, spectral, to 7 digits.
const Table re100 = {100,
                     {{0.9766, 0.84123},
                      {0.9688, 0.78871},
                      {0.9609, 0.73722},
                      {0.9531, 0.68717},
                      {0.8516, 0.23151},
                      {0.7344, 0.00332},
                      {0.6172, -0.13641},
                      {0.5000, -0.20581},
                      {0.4531, -0.21090},
                      {0.2813, -0.15662},
                      {0.1719, -0.10150},
                      {0.1016, -0.06434},
                      {0.0703, -0.04775},
                      {0.0625, -0.04192},
                      {0.0547, -0.03717}},
                     {{0.9688, -0.05906},
                      {0.9609, -0.07391},
                      {0.9531, -0.08864},
                      {0.9453, -0.10313},
                      {0.9063, -0.16914},
                      {0.8594, -0.22445},
                      {0.8047, -0.24533},
                      {0.5000, 0.05454},
                      {0.2344, 0.17527},
                      {0.2266, 0.17507},
                      {0.1563, 0.16077},
                      {0.0938, 0.12317},
                      {0.0781, 0.10890},
                      {0.0703, 0.10091},
                      {0.0625, 0.09233}}};
const Table re400 = {400,
                     {{0.9766, 0.75837},
                      {0.9688, 0.68439},
                      {0.9609, 0.61756},
                      {0.9531, 0.55892},
                      {0.8516, 0.29093},
                      {0.7344, 0.16256},
                      {0.6172, 0.02135},
                      {0.5000, -0.11477},
                      {0.4531, -0.17119},
                      {0.2813, -0.32726},
                      {0.1719, -0.24299},
                      {0.1016, -0.14612},
                      {0.0703, -0.10338},
                      {0.0625, -0.09266},
                      {0.0547, -0.08186}},
                     {{0.9688, -0.12146},
                      {0.9609, -0.15663},
                      {0.9531, -0.19254},
                      {0.9453, -0.22847},
                      {0.8594, -0.44993},
                      {0.8047, -0.38598},
                      {0.5000, 0.05186},
                      {0.2344, 0.30174},
                      {0.2266, 0.30203},
                      {0.1563, 0.28124},
                      {0.0938, 0.22965},
                      {0.0781, 0.20920},
                      {0.0703, 0.19713},
                      {0.0625, 0.18360}}};
const Table re1000 = {1000,
                      {{0.9766, 0.6644227},
                       {0.9688, 0.5808359},
                       {0.9609, 0.5169277},
                       {0.9531, 0.4723329},
                       {0.8516, 0.3372212},
                       {0.7344, 0.1886747},
                       {0.6172, 0.0570178},
                       {0.5000, -0.0620561},
                       {0.4531, -0.1081999},
                       {0.2813, -0.2803696},
                       {0.1719, -0.3885691},
                       {0.1016, -0.3004561},
                       {0.0703, -0.2228955},
                       {0.0625, -0.2023300},
                       {0.0547, -0.1812881}},
                      {{0.9688, -0.2279225},
                       {0.9609, -0.2936869},
                       {0.9531, -0.3553213},
                       {0.9453, -0.4103754},
                       {0.9063, -0.5264392},
                       {0.8594, -0.4264545},
                       {0.8047, -0.3202137},
                       {0.5000, 0.0257995},
                       {0.2344, 0.3253592},
                       {0.2266, 0.3339924},
                       {0.1563, 0.3769189},
                       {0.0938, 0.3330442},
                       {0.0781, 0.3099097},
                       {0.0703, 0.2962703},
                       {0.0625, 0.2807056}}};

constexpr int n = 129;
constexpr double lid = 0.1;

/// Velocity component along a centreline, in units of the lid's speed: `across` is the coordinate that varies.
std::vector<double> centreline(const fluvia::Solver& solver, int component, int across) {
  const fluvia::Moments m = scene::moments(solver);
  std::vector<double> line;
  for (int k = 0; k < n; ++k) {
    Int3 x = {n / 2, n / 2, 0};
    x[across] = k;
    line.push_back(velocity_at(solver, m, x)[component] / lid);
  }
  return line;
}

/// Cubic interpolation between the nodes, which lie at (k + 1/2) / n.
double at(const std::vector<double>& line, double position) {
  const double place = position * n - 0.5;
  const int first = std::clamp(static_cast<int>(place) - 1, 0, n - 4);
  double value = 0;
  for (int a = first; a < first + 4; ++a) {
    double weight = 1;
    for (int b = first; b < first + 4; ++b)
      if (b != a) weight *= (place - b) / (a - b);
    value += weight * line[a];
  }
  return value;
}

/// Steps until the centreline changes by less than 1e-4 of the lid's speed in 2000 steps (1.5 turnovers L/U), a
/// hundredth of the tolerance.
std::vector<double> run_to_steady_state(fluvia::Solver& solver) {
  std::vector<double> before = centreline(solver, 0, 1);
  for (int round = 0; round < 60; ++round) {
    solver.step(2000);
    std::vector<double> now = centreline(solver, 0, 1);
    double change = 0;
    for (int k = 0; k < n; ++k) change = std::max(change, std::abs(now[k] - before[k]));
    before = std::move(now);
    if (change < 1e-4) return before;
  }
  ADD_FAILURE() << "no steady state";
  return before;
}

class Cavity : public testing::TestWithParam<Table> {};

/// 1% of the lid's speed. Most of the difference is the tables' own at Re 100 and 400: there Ghia et al. are off by up
/// to 0.009 (see the extrema below). What remains is second order in 1/n and in the Mach number of 0.17.
TEST_P(Cavity, CentrelinesAreThePublishedOnes) {
  const Table& table = GetParam();
  scene::Scene s = box(2, {n, n, 1}, {false, false, true});
  s.conditions = {{y_max, "moving_wall", {lid, 0, 0}}};
  auto o = options("D2Q9", "trt", 0.5 + 3 * lid * n / table.reynolds);
  o.format = "fp32";
  const auto solver = scene::make_solver(s, o);
  const std::vector<double> u = run_to_steady_state(*solver), v = centreline(*solver, 1, 0);
  for (const Point& p : table.u) EXPECT_NEAR(at(u, p.position), p.value, 0.01) << "u at y = " << p.position;
  for (const Point& p : table.v) EXPECT_NEAR(at(v, p.position), p.value, 0.01) << "v at x = " << p.position;
  double worst = 0;
  for (const Point& p : table.u) worst = std::max(worst, std::abs(at(u, p.position) - p.value));
  for (const Point& p : table.v) worst = std::max(worst, std::abs(at(v, p.position) - p.value));
  RecordProperty("worst", std::to_string(worst));
  RecordProperty("steps", std::to_string(solver->time_step()));
}

/// Extrema at Re 100 from spectral computations, quoted with Botella & Peyret's tables: u_min on x = 1/2, v_max and
/// v_min on y = 1/2. Ma^2/3 = 1% of quantities of order 0.2.
TEST(CavityExtrema, AreTheSpectralOnes) {
  scene::Scene s = box(2, {n, n, 1}, {false, false, true});
  s.conditions = {{y_max, "moving_wall", {lid, 0, 0}}};
  auto o = options("D2Q9", "mrt", 0.5 + 3 * lid * n / 100, "incompressible");
  o.format = "fp32";
  const auto solver = scene::make_solver(s, o);
  const std::vector<double> u = run_to_steady_state(*solver), v = centreline(*solver, 1, 0);
  EXPECT_NEAR(*std::min_element(u.begin(), u.end()), -0.2140424, 0.002);
  EXPECT_NEAR(*std::min_element(v.begin(), v.end()), -0.2538030, 0.002);
  EXPECT_NEAR(*std::max_element(v.begin(), v.end()), 0.1795728, 0.002);
}

INSTANTIATE_TEST_SUITE_P(Re, Cavity, testing::Values(re100, re400, re1000),
                         [](const auto& table) { return std::to_string(static_cast<int>(table.param.reynolds)); });

}  // namespace
}  // namespace physics_test
