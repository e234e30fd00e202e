// SPDX-License-Identifier: Apache-2.0
// Solids in which a scalar spreads: beside the oracle, against exact solutions, and what cases may not say of them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "fluvia/case/case.hpp"
#include "fluvia/case/physics/registered_scalars.hpp"
#include "fluvia/run/session.hpp"
#include "reference/scalars/scalar_solver.hpp"
#include "scalars/session_values.hpp"
#include "support/errors.hpp"
#include "support/temporary_folder.hpp"

namespace fluvia::test {
namespace {

using reference::scalars::Condition;
using reference::scalars::Material;
using reference::scalars::ScalarScene;
using reference::scalars::ScalarSolver;

/// A channel with a plate on its warm lower wall, a fin on the plate, of another material, a post that heats itself,
/// and a block in which nothing spreads. The plate reaches the lower face, which no fluid touches there.
/// `swollen`: how much farther all of them reach than half-way to the next nodes, with walls that are where they are.
std::string channel_with_solids(const std::string& lattice, const std::string& scheme, const std::string& format,
                                int threads, double swollen = 0) {
  const bool flat = lattice[1] == '2';
  const auto box = [&](const char* name, const char* center, double width, double height) {
    return fmt::format("[[geometry.shape]]\nname = \"{}\"\nkind = \"box\"\ncenter = [{}{}]\nsize = [{}, {}{}]\n", name,
                       center, flat ? "" : ", 2.5", width + 2 * swollen, height + 2 * swollen, flat ? "" : ", 20");
  };
  return fmt::format(R"case(
[units]
viscosity = 0.06
[domain]
dimension = {}
nodes = {}
periodic = [false, false, {}]
[walls]
method = "{}"
{}{}{}{}
[[boundary]]
surface = "x_min"
type = "velocity"
velocity = {}
scalars = {{ heat = {{ value = 1 }} }}
[[boundary]]
surface = "x_max"
type = "pressure"
[[boundary]]
surface = "y_min"
type = "wall"
scalars = {{ heat = {{ exchange = 0.04, ambient = 3 }} }}
[[boundary]]
surface = "y_max"
type = "wall"
scalars = {{ heat = {{ flux = 0.002 }} }}
[[boundary]]
surface = "block"
type = "wall"
scalars = {{ heat = {{ value = 2 }} }}
[[scalar]]
name = "heat"
diffusivity = 0.05
lattice = "{}"
reference = 0
initial = 1
initial_formula = "0.2*sin(0.3*x)*cos(0.2*y)"
[[scalar]]
name = "dye"
diffusivity = 0.02
initial_formula = "exp(-0.1*x)"
[[solid]]
surface = "plate"
scalar = "heat"
diffusivity = 0.2
capacity_ratio = 0.4
[[solid]]
surface = "fin"
scalar = "heat"
diffusivity = 0.1
capacity_ratio = 3
[[solid]]
surface = "post"
scalar = "heat"
diffusivity = 0.3
capacity_ratio = 1.7
source = "1e-3*x*(1 + 0.1*t)"
[numerics]
lattice = "{}"
scheme = "{}"
format = "{}"
threads = {}
device = "cpu"
trial = false
[run]
steps = 100
)case",
                     flat ? 2 : 3, flat ? "[37, 19]" : "[27, 13, 5]", flat ? "false" : "true",
                     swollen == 0 ? "half-way" : "interpolated", box("plate", "10, 1.5", 8, 3),
                     box("fin", "9, 4.5", 2, 3), box("post", "17, 9", 4, 4), box("block", "13, 3.5", 2, 5),
                     flat ? "[0.03, 0]" : "[0.03, 0, 0]", lattice, flat ? "D2Q9" : "D3Q19", scheme, format, threads);
}

bool lies_in(const Int3& x, int x0, int x1, int y0, int y1) {
  return x[0] >= x0 && x[0] < x1 && x[1] >= y0 && x[1] < y1;
}
/// Number of the body at a cell: plate, fin, post, block; later shapes lie on top of earlier ones.
int body_at(const Int3& x) {
  if (lies_in(x, 12, 14, 1, 6)) return 4;
  if (lies_in(x, 15, 19, 7, 11)) return 3;
  if (lies_in(x, 8, 10, 3, 6)) return 2;
  return lies_in(x, 6, 14, 0, 3) ? 1 : 0;
}

/// The oracle beside that channel.
class SolidsOracle {
 public:
  SolidsOracle(const Session& session, const std::string& lattice, double swollen)
      : session_(session), swollen_(swollen) {
    const NodeMap& nodes = session.geometry().nodes;
    scene_.physics.lattice = lattice;
    scene_.physics.diffusivity = 0.05;
    scene_.size = nodes.size;
    scene_.periodic = {false, false, true};
    scene_.solid = [](const Int3& x) { return body_at(x) != 0; };
    scene_.material = [](const Int3& x) {
      constexpr Material materials[] = {{}, {0.2, 0.4}, {0.1, 3}, {0.3, 1.7}, {}};
      return materials[body_at(x)];
    };
    scene_.condition = [nodes](const Int3& x, const Int3& c) { return condition_at(nodes.size, x, c); };
    scene_.velocity = [this](const Int3& x) { return velocity_[solver_->index(x)]; };
    scene_.distance = [this](const Int3& x, const Int3& c) { return distance(x, c); };
    scene_.source = [this](const Int3& x) { return body_at(x) == 3 ? 1e-3 * (x[0] + 0.5) * (1 + 0.1 * time_) : 0; };
    velocity_.resize(nodes.box_nodes(), Real3{});
    solver_.emplace(scene_);
    for (std::size_t n = 0; n < solver_->cells(); ++n) {
      const Int3 x = solver_->cell(n);
      solver_->set(n, 1 + 0.2 * std::sin(0.3 * (x[0] + 0.5)) * std::cos(0.2 * (x[1] + 0.5)));
    }
  }
  void step() {
    const std::vector<double> u = values_of(session_, "velocity");
    for (std::size_t n = 0; n < velocity_.size(); ++n)
      velocity_[n] = body_at(solver_->cell(n)) == 0 ? Real3{u[3 * n], u[3 * n + 1], u[3 * n + 2]} : Real3{};
    solver_->step();
    ++time_;
  }
  [[nodiscard]] double largest_difference() const {
    const std::vector<double> values = values_of(session_, "heat");
    double most = 0;
    for (std::size_t n = 0; n < values.size(); ++n) {
      EXPECT_EQ(std::isnan(values[n]), !solver_->computes(n)) << n;
      if (solver_->computes(n)) most = std::max(most, std::abs(values[n] - solver_->scalar(n)));
    }
    return most;
  }

 private:
  /// Links through corners of the box go by the face that the case gives to the fluid, the wall first.
  static Condition condition_at(const Int3& size, const Int3& x, const Int3& c) {
    const auto constant = [](double value) { return [value](const Real3&) { return value; }; };
    const Int3 there{x[0] + c[0], x[1] + c[1], 0};
    if (there[1] < 0) return {Condition::Kind::exchange, constant(3), 0.04, 1};
    if (there[1] >= size[1]) return {Condition::Kind::flux, constant(0.002), 0, 1};
    if (there[0] < 0) return {Condition::Kind::inflow, constant(1)};
    if (there[0] >= size[0]) return {Condition::Kind::outflow};
    if (body_at(there) == 4) return {Condition::Kind::value, constant(2)};
    return {};
  }
  /// Part of a link before the swollen box of the body that lies on top: that of the higher number.
  [[nodiscard]] double distance(const Int3& x, const Int3& c) const {
    const Int3 there{x[0] + c[0], x[1] + c[1], 0};
    const bool leaves_box = there[0] < 0 || there[1] < 0 || there[0] >= scene_.size[0] || there[1] >= scene_.size[1];
    if (swollen_ == 0 || leaves_box) return 0.5;
    if (body_at(x) > body_at(there)) return 1 - distance(there, {-c[0], -c[1], 0});
    return 0.5 - swollen_;  // by whichever face a link comes into a box, along axes and diagonals
  }
  const Session& session_;
  const double swollen_;
  ScalarScene scene_;
  std::vector<Real3> velocity_;
  double time_ = 0;
  std::optional<ScalarSolver> solver_;
};

class SolidsOnEachLattice : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Solids, SolidsOnEachLattice, ::testing::ValuesIn(scalar_lattice_names()),
                         [](const auto& info) { return info.param; });

/// What differs is rounding: 40 steps of sums of numbers of size 4.
TEST_P(SolidsOnEachLattice, GiveTheScalarOfTheOracle) {
  for (const double swollen : {0.0, 0.2}) {
    SCOPED_TRACE(swollen);
    Session session(parse_case(channel_with_solids(GetParam(), "pull", "fp64", 2, swollen), "solids.toml"));
    SolidsOracle oracle(session, GetParam(), swollen);
    EXPECT_LT(oracle.largest_difference(), 1e-12);
    for (int t = 0; t < 40; ++t) {
      oracle.step();
      session.advance(1);
    }
    EXPECT_LT(oracle.largest_difference(), 1e-11);
  }
}

/// Values at all nodes, -1 where there are none.
std::vector<double> bits_with_solids(const Session& session) {
  std::vector<double> all = values_of(session, "heat");
  const std::vector<double> dye = values_of(session, "dye");
  all.insert(all.end(), dye.begin(), dye.end());
  for (double& value : all)
    if (std::isnan(value)) value = -1;
  return all;
}

TEST(Solids, HaveTheSameBitsWithEverySchemeAndAfterRestarts) {
  const TemporaryFolder folder;
  const auto session_with = [](const char* lattice, const char* scheme, const char* format, int threads) {
    return Session(parse_case(channel_with_solids(lattice, scheme, format, threads), "solids.toml"));
  };
  for (const char* const lattice : {"D2Q5", "D3Q7"})
    for (const char* const format : {"fp32", "fp64", "fp16c"}) {
      Session whole = session_with(lattice, "pull", format, 1);
      whole.advance(31);
      const std::vector<double> expected = bits_with_solids(whole);
      for (const char* const scheme : {"aa", "esoteric-pull", "compact-aa"}) {
        SCOPED_TRACE(fmt::format("{} {} {}", lattice, format, scheme));
        Session before = session_with(lattice, scheme, format, 3);
        before.advance(14);
        before.save(folder.path() / "half.h5");
        const std::vector<double> half = bits_with_solids(before);
        before.advance(17);
        EXPECT_TRUE(bits_with_solids(before) == expected);
        Session after = session_with(lattice, "compact-pull", format, 2);
        after.advance(3);
        after.restore(folder.path() / "half.h5");
        EXPECT_TRUE(bits_with_solids(after) == half) << "restored";
        after.advance(17);
        EXPECT_TRUE(bits_with_solids(after) == expected) << "restarted";
      }
    }
}

/// A gap of 5 mm of fluid between solids of 4 mm and 3 mm, at 290 K below and 310 K above, in SI.
std::string series_of_solids(double ratio, const std::string& more = "", const std::string& lower = "value = 290") {
  return fmt::format(R"case(
[units]
system = "si"
spacing = 1e-3
density = 1
viscosity = 1e-5
time_step = 0.02
[domain]
dimension = 2
nodes = [4, 12]
periodic = [true, false]
[[geometry.shape]]
name = "lower"
kind = "box"
center = [2e-3, 2e-3]
size = [1, 4e-3]
[[geometry.shape]]
name = "upper"
kind = "box"
center = [2e-3, 10.5e-3]
size = [1, 3e-3]
[[boundary]]
surface = "y_min"
type = "wall"
scalars = {{ temperature = {{ {} }} }}
[[boundary]]
surface = "y_max"
type = "wall"
scalars = {{ temperature = {{ value = 310 }} }}
[[scalar]]
name = "temperature"
unit = "K"
diffusivity = 5e-6
initial = 300
reference_length = 5e-3
reference_difference = 20
[[solid]]
surface = "lower"
diffusivity = 1.25e-5
capacity_ratio = {}
{}
[[solid]]
surface = "upper"
diffusivity = 8e-6
capacity_ratio = 0.7
[numerics]
format = "fp64"
device = "cpu"
[run]
steps = 10000
)case",
                     lower, ratio, more);
}

/// Temperature is linear in each, and what passes is the same in all.
TEST(Solids, InSeriesAreExactInSi) {
  for (const double ratio : {0.2, 1.0, 5.0}) {
    Session session(parse_case(series_of_solids(ratio), "series.toml"));
    session.advance(10000);
    const double lower = 1 / (1.25e-5 * ratio), fluid = 1 / 5e-6, upper = 1 / (8e-6 * 0.7),
                 flux = 20 / (4e-3 * lower + 5e-3 * fluid + 3e-3 * upper);  // K m/s, towards lower y
    const std::vector<double> temperature = values_of(session, "temperature");
    for (int k = 0; k < 12; ++k) {
      const double y = (k + 0.5) * 1e-3;
      const double expected = 290 + flux * (lower * std::min(y, 4e-3) + fluid * std::clamp(y - 4e-3, 0.0, 5e-3) +
                                            upper * std::max(y - 9e-3, 0.0));
      EXPECT_NEAR(temperature[static_cast<std::size_t>(4 * k)], expected, 20 * 1e-10) << ratio << " at " << k;
    }
    EXPECT_NEAR(column(session, "flux_temperature_y_min") / (-flux * 4e-3), 1, 1e-9);
    EXPECT_NEAR(column(session, "flux_temperature_lower") / (-flux * 4e-3), 1, 1e-9);
    EXPECT_NEAR(column(session, "flux_temperature_upper") / (flux * 4e-3), 1, 1e-9);
    EXPECT_NEAR(column(session, "nusselt_temperature_upper"), flux * 5e-3 / (5e-6 * 20), 1e-9);
    EXPECT_NEAR(column(session, "mean_temperature_lower"), 290 + flux * lower * 2e-3, 20 * 1e-10);
    EXPECT_NEAR(column(session, "max_temperature_lower"), 290 + flux * lower * 3.5e-3, 20 * 1e-10);
  }
}

/// What a solid makes goes out above, if nothing passes below: as much as volume, source and capacity say.
TEST(Solids, GiveAwayWhatTheirSourcesMake) {
  Session session(parse_case(series_of_solids(5, "source = \"0.1\"", "adiabatic = true"), "series.toml"));
  session.advance(40000);
  const double made = 0.1 * 5 * 4e-3 * 4e-3;  // K m2/s
  EXPECT_NEAR(column(session, "flux_temperature_lower") / made, 1, 1e-8);
  EXPECT_NEAR(column(session, "flux_temperature_y_max") / -made, 1, 1e-8);
}

/// Two half-spaces that were at 0 and 1 when they met: the plane between them has e_s / (e_s + e_f) at once and for
/// ever, with the effusivities e = capacity sqrt(D), and error functions on both sides (Carslaw & Jaeger, 2.15).
TEST(Solids, FollowTwoHalfSpacesThatMeet) {
  const double d_fluid = 0.1, d_solid = 0.4, ratio = 3, time = 1500;
  Session session(parse_case(fmt::format(R"case(
[units]
viscosity = 0.1
[domain]
dimension = 2
nodes = [4, 300]
periodic = [true, false]
[[geometry.shape]]
name = "slab"
kind = "box"
center = [2, 0]
size = [20, 400]
[[scalar]]
name = "heat"
diffusivity = {}
initial_formula = "y < 200 ? 1 : 0"
reference = 0
[[solid]]
surface = "slab"
diffusivity = {}
capacity_ratio = {}
[numerics]
format = "fp64"
device = "cpu"
[run]
steps = 10000
)case",
                                         d_fluid, d_solid, ratio),
                             "plate.toml"));
  session.advance(static_cast<int>(time));
  const std::vector<double> heat = values_of(session, "heat");
  const double effusivity = ratio * std::sqrt(d_solid), at_plane = effusivity / (effusivity + std::sqrt(d_fluid));
  double worst = 0;
  for (int k = 100; k < 250; ++k) {
    const double z = k + 0.5 - 200;
    const double expected = z > 0 ? at_plane * std::erfc(z / std::sqrt(4 * d_fluid * time))
                                  : at_plane + (1 - at_plane) * std::erf(-z / std::sqrt(4 * d_solid * time));
    worst = std::max(worst, std::abs(heat[static_cast<std::size_t>(4 * k)] - expected));
  }
  EXPECT_LT(worst, 0.01);
}

/// The error, L2, in a ring of fluid around a ring of solid around a core that keeps 1, in a tube that keeps 0: T goes
/// with the logarithm of the radius in both. `inner`: a second solid inside the ring, all of whose joints are between
/// solids.
double error_of_annulus(int size, const std::string& walls, bool two_solids = false) {
  const double ratio = 3, d_fluid = 0.1, d_solid = 0.2, d_inset = 0.05, core = 0.12 * size,
               inset = (two_solids ? 0.2 : 0.12) * size, between = 0.28 * size, tube = 0.46 * size,
               middle = 0.5 * size + 0.13;
  const auto cylinder = [&](const char* name, const char* operation, double radius) {
    return fmt::format(
        "[[geometry.shape]]\nname = \"{}\"\nkind = \"cylinder\"\noperation = \"{}\"\nfrom = [{}, {}]\nradius = {}\n",
        name, operation, middle, middle, radius);
  };
  Session session(parse_case(
      fmt::format(R"case(
[units]
viscosity = 0.1
[domain]
dimension = 2
nodes = [{}, {}]
[walls]
method = "{}"
{}{}{}{}
[[boundary]]
surface = "tube"
type = "wall"
scalars = {{ heat = {{ value = 0 }} }}
[[boundary]]
surface = "core"
type = "wall"
scalars = {{ heat = {{ value = 1 }} }}
[[scalar]]
name = "heat"
diffusivity = {}
[[solid]]
surface = "ring"
diffusivity = {}
capacity_ratio = {}
{}
[numerics]
format = "fp64"
threads = 1
trial = false
device = "cpu"
[run]
steps = 10000
)case",
                  size, size, walls, cylinder("tube", "fluid", tube), cylinder("ring", "solid", between),
                  two_solids ? cylinder("inset", "solid", inset) : "", cylinder("core", "solid", core), d_fluid,
                  d_solid, ratio,
                  two_solids ? fmt::format("[[solid]]\nsurface = \"inset\"\ndiffusivity = {}\n", d_inset) : ""),
      "annulus.toml"));
  session.advance(6 * size * size);
  const std::vector<double> heat = values_of(session, "heat");
  const double conductivity = ratio * d_solid / d_fluid, of_inset = d_inset / d_fluid,
               in_fluid = std::log(tube / between), in_solid = std::log(between / inset) / conductivity,
               in_inset = std::log(inset / core) / of_inset, flux = 1 / (in_fluid + in_solid + in_inset);
  double off = 0;
  int count = 0;
  for (std::size_t n = 0; n < heat.size(); ++n) {
    if (std::isnan(heat[n])) continue;
    const double r =
        std::hypot(static_cast<double>(n % size) + 0.5 - middle, static_cast<double>(n / size) + 0.5 - middle);
    const double expected = r > between ? flux * std::log(tube / r)
                            : r > inset ? flux * (in_fluid + std::log(between / r) / conductivity)
                                        : 1 - flux * std::log(r / core) / of_inset;
    off += (heat[n] - expected) * (heat[n] - expected);
    ++count;
  }
  return std::sqrt(off / count);
}

/// Between the materials the ring is a staircase, so that errors fall by steps: 1.9%, 0.5%, 0.4% at 20, 40, 60 nodes.
TEST(Solids, BetweenCylindersConverge) {
  const double coarse = error_of_annulus(20, "half-way"), fine = error_of_annulus(60, "half-way");
  EXPECT_LT(coarse, 0.025);
  EXPECT_LT(fine, coarse / 3);
}

/// Where they are between the nodes as well: second order, of joints with the fluid and of those between solids.
TEST(Solids, BetweenCylindersAreOfSecondOrder) {
  for (const bool two_solids : {false, true}) {
    const double coarse = error_of_annulus(20, "interpolated", two_solids),
                 fine = error_of_annulus(40, "interpolated", two_solids);
    EXPECT_LT(coarse, 0.01) << two_solids;
    EXPECT_GT(std::log2(coarse / fine), 1.8) << two_solids;
  }
}

TEST(Solids, WhatCasesMayNotSayIsRefused) {
  const auto refused = [](const std::string& from, const std::string& to, const std::string& part) {
    std::string text = series_of_solids(2);
    text.replace(text.find(from), from.size(), to);
    EXPECT_CONTAINS(error_of(ExitCode::input, [&] { Session session(parse_case(text, "series.toml")); }), part);
  };
  const std::string lower = "[[solid]]\nsurface = \"lower\"";
  refused(lower, "[[solid]]\nsurface = \"lowe\"", "did you mean 'lower'");
  refused(lower, "[[solid]]\nsurface = \"y_min\"", "is no body in the fluid");
  refused(lower, "[[solid]]\nsurface = \"upper\"", "is there twice");
  refused(lower, lower + "\nscalar = \"temperatur\"", "did you mean 'temperature'");
  refused(lower, "[[scalar]]\nname = \"dye\"\ndiffusivity = 1e-5\n" + lower, "'scalar' is missing");
  refused("diffusivity = 1.25e-5", "", "'diffusivity' is missing");
  refused("diffusivity = 1.25e-5", "diffusivity = 1e-9", "within 0.001 of 1/2");
  refused("capacity_ratio = 2", "capacity_ratio = 0", "out of range");
  refused("capacity_ratio = 2", "capacity_ratio = 2\nsource = \"1/(x-x)\"", "no finite number");
  refused("[[scalar]]",
          "[[boundary]]\nsurface = \"lower\"\ntype = \"wall\"\nscalars = { temperature = { value = 1 } }\n[[scalar]]",
          "says what that surface does to it");
  refused("[[boundary]]",
          "[[geometry.shape]]\nname = \"cover\"\nkind = \"box\"\ncenter = [2e-3, 2e-3]\nsize = [1, 4e-3]\n[[boundary]]",
          "no node lies in 'lower'");
}

}  // namespace
}  // namespace fluvia::test
