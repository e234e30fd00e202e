// SPDX-License-Identifier: Apache-2.0
// Scalars of cases beside the oracle: every lattice of the registry, beside every scheme that runs on CPUs, under every
// condition. The oracle is given the velocities that the flow had in each step.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fluvia/case/physics/registered_scalars.hpp"
#include "fluvia/core/scheme/registry.hpp"
#include "fluvia/run/session.hpp"
#include "fluvia/solver/plan/scheme.hpp"
#include "reference/scalars/scalar_solver.hpp"
#include "scalars/channel_case.hpp"
#include "scalars/session_values.hpp"
#include "support/temporary_folder.hpp"

namespace fluvia::test {
namespace {

using reference::scalars::Condition;
using reference::scalars::ScalarScene;
using reference::scalars::ScalarSolver;

/// The schemes on which D2Q9 with `trt` runs in fp64 on CPUs.
std::vector<std::string> schemes_on_cpus() {
  std::vector<std::string> names;
  for (const core::Scheme& scheme : core::schemes)
    if (scheme.cpu && !scheme.half && scheme_problem(scheme, "D2Q9", "trt", "quasi-compressible").empty() &&
        force_problem(scheme, "trt", true, false).empty())
      names.emplace_back(scheme.name);
  return names;
}

/// What surfaces of the channel prescribe when it changes, by time in steps: the post as in changing_post().
double inlet_at(double t) {
  return 3 + std::sin(0.2 * t);
}
double flux_at(double t) {
  return 1e-4 * t;
}
double ambient_at(double t) {
  return t < 20 ? 1.5 : 2.5;
}
/// From 4 to 5 in ten steps, and back to 4 in the next five, again and again.
double post_at(double t) {
  const double in_cycle = std::fmod(t, 15);
  return in_cycle < 10 ? 4 + 0.1 * in_cycle : 5 - 0.2 * (in_cycle - 10);
}
/// The channel under conditions that change, with a series in `folder`.
void change(ChannelCase& channel, const TemporaryFolder& folder) {
  std::ofstream(folder.path() / "post.csv") << "time,value\n0,4\n10,5\n15,4\n";
  channel.inlet = "\"3 + sin(0.2*t)\"";
  channel.flux = "\"1e-4*t\"";
  channel.ambient = "\"t < 20 ? 1.5 : 2.5\"";
  channel.post = fmt::format("{{ series = \"{}\", periodic = true }}", (folder.path() / "post.csv").string());
  channel.source = "1e-4*x*cos(0.3*t)";
}

/// The oracle with the geometry of a session.
class Oracle {
 public:
  Oracle(const Session& session, const ChannelCase& of, const ScalarLatticeFacts& lattice) : session_(session) {
    const NodeMap& nodes = session.geometry().nodes;
    scene_.physics.lattice = lattice.name;
    scene_.physics.diffusivity = of.diffusivity;
    scene_.physics.magic = of.magic;
    scene_.size = nodes.size;
    scene_.periodic = {false, false, true};
    scene_.solid = [&nodes](const Int3& x) { return !nodes.is_fluid(x); };
    scene_.condition = [this](const Int3& x, const Int3& c) { return condition(x, c); };
    scene_.distance = [this](const Int3& x, const Int3& c) {
      const Geometry& geometry = session_.geometry();
      const bool between = geometry.distance_of && geometry.surface_of(x, c) > surface_id::wall;
      return between ? geometry.distance_of(x, c) : 0.5;
    };
    is_adiabatic_ = of.of_post == "adiabatic";
    scene_.volume = [this](const Int3& x) { return volume(x); };
    if (is_adiabatic_ && session.geometry().distance_of)
      scene_.face = [this](const Int3& x, const Int3& c) { return face(x, c); };
    scene_.velocity = [this](const Int3& x) { return velocity_[place(x)]; };
    scene_.source = [this](const Int3& x) { return 1e-4 * (x[0] + 0.5) * (changes_ ? std::cos(0.3 * time_) : 1); };
    velocity_.resize(static_cast<std::size_t>(nodes.size[0]) * nodes.size[1] * nodes.size[2], Real3{});
    solver_.emplace(scene_);
    for (std::size_t n = 0; n < solver_->cells(); ++n) {
      const Int3 x = solver_->cell(n);
      solver_->set(n, 2 + 0.3 * std::sin(0.2 * (x[0] + 0.5)) * std::cos(0.3 * (x[1] + 0.5)));
    }
  }
  /// What the channel prescribes changes with the step.
  void change() { changes_ = true; }
  /// What is prescribed, and sources, are those of this step.
  void set_time(int step) { time_ = step; }
  /// One step with the velocities that the flow has now.
  void step() {
    const std::vector<double> u = values_of(session_, "velocity");
    for (std::size_t n = 0; n < velocity_.size(); ++n)
      velocity_[n] = solver_->computes(n) ? Real3{u[3 * n], u[3 * n + 1], u[3 * n + 2]} : Real3{};
    solver_->step();
  }
  [[nodiscard]] double largest_difference() const {
    const std::vector<double> values = values_of(session_, "heat");
    double most = 0;
    for (std::size_t n = 0; n < values.size(); ++n)
      if (solver_->computes(n)) most = std::max(most, std::abs(values[n] - solver_->scalar(n)));
    return most;
  }

 private:
  [[nodiscard]] std::size_t place(const Int3& x) const {
    return (static_cast<std::size_t>(x[2]) * scene_.size[1] + x[1]) * scene_.size[0] + x[0];
  }
  [[nodiscard]] Condition condition(const Int3& x, const Int3& c) const {
    const int surface = session_.geometry().surface_of(x, c);
    const auto constant = [](double value) { return [value](const Real3&) { return value; }; };
    if (surface == surface_id::x_min) return {Condition::Kind::inflow, constant(changes_ ? inlet_at(time_) : 3)};
    if (surface == surface_id::x_max) return {Condition::Kind::outflow};
    if (surface == surface_id::y_min) return {Condition::Kind::flux, constant(changes_ ? flux_at(time_) : 0.002), 0, 1};
    if (surface == surface_id::y_max)
      return {Condition::Kind::exchange, constant(changes_ ? ambient_at(time_) : 1.5), 0.03, 1};
    if (is_adiabatic_) return {};
    return {Condition::Kind::value, constant(changes_ ? post_at(time_) : 4)};
  }
  /// Cells beside a post that lets nothing through end at its surface: 1 and the strips behind links along axes, by the
  /// squares of their parts of the normal. Others have other surfaces beside them.
  [[nodiscard]] double volume(const Int3& x) const {
    const Geometry& geometry = session_.geometry();
    if (!is_adiabatic_ || !geometry.distance_of || !geometry.nodes.is_fluid(x)) return 1;
    double volume = 1;
    for (int axis = 0; axis < 2; ++axis)
      for (const int side : {-1, 1}) {
        Int3 c{}, there = x;
        c[axis] = side;
        there[axis] += side;
        if (there[axis] < 0 || there[axis] >= geometry.nodes.size[axis] || geometry.nodes.is_fluid(there)) continue;
        const double along = geometry.normal_of(x, c)[axis];
        volume += std::round(256 * along * along) / 256 * (std::round(256 * geometry.distance_of(x, c)) / 256 - 0.5);
      }
    return std::round(256 * volume) / 256;
  }
  /// The open part of the face from a cell along c: on each of its sides the wall goes straight from above one cell to
  /// above the other, at most 1.5 high, by the squares of its normal's parts across c.
  [[nodiscard]] double face(const Int3& x, const Int3& c) const {
    const Int3 there = wrapped({x[0] + c[0], x[1] + c[1], x[2] + c[2]});
    double area = 1;
    for (int axis = 0; axis < 2; ++axis)
      for (const int side : {-1, 1}) {
        if (c[axis] != 0) continue;
        const Wall one = wall_above(x, axis, side, c), other = wall_above(there, axis, side, c);
        if (one.share + other.share == 0) continue;
        const double share = one.share * other.share > 0 ? (one.share + other.share) / 2 : one.share + other.share;
        area += share * (std::min((one.height + other.height) / 2, 1.5) - 0.5);
      }
    return std::max(std::round(256 * area) / 256, 1.0 / 32);
  }
  struct Wall {
    double height, share;
  };
  [[nodiscard]] Wall wall_above(const Int3& x, int axis, int side, const Int3& across) const {
    const Geometry& geometry = session_.geometry();
    Int3 c{}, next = x;
    c[axis] = side;
    next[axis] += side;
    const auto is_inside = [&](const Int3& at) { return at[axis] >= 0 && at[axis] < geometry.nodes.size[axis]; };
    if (!is_inside(next)) return {0.5, 0};
    if (geometry.nodes.is_fluid(next)) {
      Int3 last = next;
      last[axis] += side;
      if (!is_inside(last)) return {1.5, 0};
      return {geometry.nodes.is_fluid(last) ? 2 : 1 + std::round(256 * geometry.distance_of(next, c)) / 256, 0};
    }
    const Real3 n = geometry.normal_of(x, c);
    double section = 0;
    for (int a = 0; a < 3; ++a) section += across[a] == 0 ? n[a] * n[a] : 0;
    return {std::round(256 * geometry.distance_of(x, c)) / 256, std::round(256 * n[axis] * n[axis] / section) / 256};
  }
  [[nodiscard]] Int3 wrapped(const Int3& x) const {
    const Int3& size = session_.geometry().nodes.size;
    return {x[0], x[1], (x[2] + size[2]) % size[2]};
  }
  bool is_adiabatic_ = false;
  const Session& session_;
  ScalarScene scene_;
  std::vector<Real3> velocity_;
  bool changes_ = false;
  double time_ = 0;
  std::optional<ScalarSolver> solver_;
};

class OnEachScalarLattice : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(ScalarTransport, OnEachScalarLattice, ::testing::ValuesIn(scalar_lattice_names()),
                         [](const auto& info) { return info.param; });

/// What differs is rounding: 40 steps of sums of numbers of size 4.
TEST_P(OnEachScalarLattice, GivesTheScalarOfTheOracle) {
  ChannelCase channel;
  channel.lattice = GetParam();
  channel.dimension = GetParam()[1] - '0';
  const ScalarLatticeFacts& lattice = facts_of_scalar_lattice(channel.lattice, channel.dimension);
  for (const char* walls : {"interpolated", "half-way"})
    for (const auto& [diffusivity, magic] : {std::pair{0.04, 0.25}, std::pair{0.2, 1.0 / 12}}) {
      SCOPED_TRACE(fmt::format("{} {}", walls, diffusivity));
      channel.walls = walls;
      channel.diffusivity = diffusivity;
      channel.magic = magic;
      Session session(channel.made());
      Oracle oracle(session, channel, lattice);
      EXPECT_LT(oracle.largest_difference(), 1e-12);
      for (int t = 0; t < 40; ++t) {
        oracle.step();
        session.advance(1);
      }
      EXPECT_LT(oracle.largest_difference(), 1e-11);
    }
}

/// Beside walls that let nothing through and lie between the nodes, cells end at the wall.
TEST_P(OnEachScalarLattice, FollowsTheOracleBesideAdiabaticWalls) {
  ChannelCase channel;
  channel.lattice = GetParam();
  channel.dimension = GetParam()[1] - '0';
  channel.of_post = "adiabatic";
  channel.post = "true";
  Session session(channel.made());
  Oracle oracle(session, channel, facts_of_scalar_lattice(channel.lattice, channel.dimension));
  for (int t = 0; t < 40; ++t) {
    oracle.step();
    session.advance(1);
  }
  EXPECT_LT(oracle.largest_difference(), 1e-11);
}

TEST_P(OnEachScalarLattice, FollowsTheOracleWhereWhatIsPrescribedChanges) {
  const TemporaryFolder folder;
  ChannelCase channel;
  channel.lattice = GetParam();
  channel.dimension = GetParam()[1] - '0';
  change(channel, folder);
  Session session(channel.made());
  Oracle oracle(session, channel, facts_of_scalar_lattice(channel.lattice, channel.dimension));
  oracle.change();
  for (int t = 0; t < 40; ++t) {
    oracle.step();
    oracle.set_time(t + 1);
    session.advance(1);
  }
  EXPECT_LT(oracle.largest_difference(), 1e-11);
}

/// Bits of a scalar and of the flow that it drives after some steps.
struct Bits {
  std::vector<double> heat, velocity;
  bool operator==(const Bits&) const = default;
};
Bits bits_of(const Session& session) {
  Bits bits{values_of(session, "heat"), values_of(session, "velocity")};
  for (std::vector<double>* values : {&bits.heat, &bits.velocity})
    for (double& value : *values)
      if (std::isnan(value)) value = -1;  // where there is no fluid
  return bits;
}

/// The channel with a scalar that drives the flow that carries it.
Case driven_with(const std::string& scheme, int threads, const std::string& format, ChannelCase channel = {}) {
  channel.scheme = scheme;
  channel.threads = threads;
  channel.format = format;
  Case c = channel.made();
  c.physics.gravity = {0, -1e-4, 0};
  c.scalars[0].expansion = 0.5;
  c.scalars[0].reference = 2.5;
  return c;
}

TEST(ScalarTransport, EverySchemeAndNumberOfThreadsGivesTheSameBits) {
  for (const char* format : {"fp32", "fp64"}) {
    Session first(driven_with("pull", 1, format));
    first.advance(30);
    const Bits expected = bits_of(first);
    int threads = 1;
    for (const std::string& scheme : schemes_on_cpus()) {
      SCOPED_TRACE(scheme + " " + format);
      Session session(driven_with(scheme, 1 + threads++ % 3, format));
      session.advance(30);
      EXPECT_TRUE(bits_of(session) == expected);
    }
  }
}

TEST(ScalarTransport, GoesOnFromACheckpointBitByBit) {
  const TemporaryFolder folder;
  ChannelCase changing;
  change(changing, folder);
  ChannelCase adiabatic;
  adiabatic.of_post = "adiabatic";
  adiabatic.post = "true";
  for (const ChannelCase& channel : {ChannelCase{}, changing, adiabatic})
    for (const char* scheme : {"aa", "compact-pull"}) {
      Session whole(driven_with("pull", 2, "fp32", channel));
      whole.advance(31);
      Session before(driven_with(scheme, 1, "fp32", channel));
      before.advance(14);
      before.save(folder.path() / "half.h5");
      Session after(driven_with("esoteric-pull", 2, "fp32", channel));
      after.advance(3);
      after.restore(folder.path() / "half.h5");
      const Bits restored = bits_of(after);
      EXPECT_TRUE(restored == bits_of(before)) << scheme;
      after.advance(17);
      EXPECT_TRUE(bits_of(after) == bits_of(whole)) << scheme;
    }
}

/// A scalar without expansion is told the velocities and changes nothing.
TEST(ScalarTransport, PassiveScalarsLeaveTheBitsOfTheFlow) {
  const ChannelCase channel;
  Session with(channel.made());
  Case bare = channel.made();
  bare.scalars.clear();
  for (Case::Boundary& boundary : bare.boundaries) boundary.scalars.clear();
  Session without(bare);
  with.advance(30);
  without.advance(30);
  const std::vector<double> one = values_of(with, "velocity"), other = values_of(without, "velocity");
  for (std::size_t k = 0; k < one.size(); ++k) {
    if (std::isnan(other[k])) continue;
    ASSERT_EQ(one[k], other[k]) << k;
  }
}

}  // namespace
}  // namespace fluvia::test
