// SPDX-License-Identifier: Apache-2.0
// A stream between two parallel walls with wall functions, along the lattice and at angles to it.
#include "fluvia/solver/initial_state.hpp"
#include "physics/support.hpp"

namespace physics_test {
namespace {

constexpr double speed = 0.05, gap = 18.3, tau = 0.503;

/// Two planes that rise by `rise` nodes in `run`, in a periodic box with whole periods of them.
struct Planes {
  int rise = 0, run = 1;
  [[nodiscard]] double length() const { return std::hypot(rise, run); }
  [[nodiscard]] Int3 box() const { return {rise == 0 ? 16 : 32 * run / rise, 32, 1}; }
  [[nodiscard]] Real3 along() const { return {run / length(), rise / length(), 0}; }
  /// From the lower plane.
  [[nodiscard]] double height(const Int3& node) const {
    const double period = 32 * run / length();
    const double h = std::fmod((run * node[1] - rise * node[0]) / length() + 0.37 + 8 * period, period);
    return h > 0.5 * (period + gap) ? h - period : h;  // as near to zero as it gets
  }
  [[nodiscard]] bool is_fluid(const Int3& node) const { return height(node) > 0 && height(node) < gap; }
  [[nodiscard]] fluvia::Geometry geometry() const {
    fluvia::Geometry g;
    const Int3 shape = fluvia::tile_shape(2);
    const Planes self = *this;
    g.nodes = fluvia::NodeMap::build(2, box(), {true, true, false}, [&](const Int3& tile) {
      std::uint64_t mask = 0;
      for (int bit = 0; bit < fluvia::nodes_per_tile; ++bit) {
        const Int3 l = fluvia::tile_local(2, bit);
        if (is_fluid({tile[0] * shape[0] + l[0], tile[1] * shape[1] + l[1], 0})) mask |= std::uint64_t{1} << bit;
      }
      return mask;
    });
    g.surfaces = {"x_min", "x_max", "y_min", "y_max", "z_min", "z_max", "wall", "planes"};
    g.surface_of = [](const Int3&, const Int3&) { return fluvia::surface_id::first_named; };
    const auto rises = [self](const Int3& offset) {
      return (self.run * offset[1] - self.rise * offset[0]) / self.length();
    };
    g.distance_of = [=](const Int3& node, const Int3& offset) {
      const double h = self.height(node);
      return rises(offset) < 0 ? h / -rises(offset) : (gap - h) / rises(offset);
    };
    g.normal_of = [=](const Int3&, const Int3& offset) {
      const double sign = rises(offset) < 0 ? 1 : -1;
      return Real3{sign * self.along()[1], -sign * self.along()[0], 0};
    };
    return g;
  }
};

std::unique_ptr<fluvia::Solver> stream_between(const Planes& planes, const std::string& scheme = "pull") {
  omp_set_num_threads(1);
  fluvia::Case c;
  c.domain.dimension = 2;
  c.boundaries.emplace_back();
  c.boundaries[0].surface = "planes";
  c.boundaries[0].type = "wall_function";
  c.boundaries[0].values["sand_grain"] = 0;
  c.numerics.lattice = "D2Q9";
  c.numerics.collision = "recursive-regularized";
  c.numerics.scheme = scheme;
  c.numerics.format = "fp64";
  c.numerics.device = "cpu";
  c.numerics.threads = 1;
  auto solver = fluvia::make_solver({c, scene::make_units(tau), planes.geometry()});
  solver->initialise([&](const Int3&, double& density, Real3& velocity) {
    density = 1;
    for (int a = 0; a < 3; ++a) velocity[a] = speed * planes.along()[a];
  });
  fluvia::bounce_cut_links(*solver);
  return solver;
}

/// Mean velocity along the planes.
double velocity_along(const Planes& planes, const fluvia::Solver& solver) {
  const Real3 momentum = solver.totals().momentum;
  return (momentum[0] * planes.along()[0] + momentum[1] * planes.along()[1]) /
         static_cast<double>(solver.geometry().nodes.fluid_nodes);
}

/// What the stream loses is what the law takes of it, whatever the angle, after the first steps, in which walls still
/// hold it fast. There is no boundary layer yet, so that the law asks for more where the first nodes are nearer to the
/// wall. When fluid could not pass the steps of a wall that does not follow the lattice, a stream along stairs lost
/// nearly twice as much.
TEST(WallFunctionFlow, TakesTheFrictionOfTheLawAtAnyAngle) {
  const auto lost = [&](const Planes& planes) {
    const auto solver = stream_between(planes);
    solver->step(100);
    const double before = velocity_along(planes, *solver);
    solver->step(500);
    return (before - velocity_along(planes, *solver)) / speed;
  };
  const double aligned = lost({0, 1});
  EXPECT_GT(aligned, 0.02);
  for (const Planes& planes : {Planes{1, 1}, Planes{1, 2}, Planes{1, 4}}) {
    SCOPED_TRACE(std::to_string(planes.rise) + ":" + std::to_string(planes.run));
    EXPECT_NEAR(lost(planes) / aligned, 1, 0.35);
  }
}

/// Fluid that passes the steps of such walls comes back through the others but for what the speed changes on the way;
/// the wall mass correction acts on them.
TEST(WallFunctionFlow, LosesHardlyAnyMass) {
  const auto solver = stream_between({1, 2});
  const auto nodes = static_cast<double>(solver->geometry().nodes.fluid_nodes);
  solver->step(600);
  EXPECT_LT(std::abs(solver->totals().mass), 1e-2 * nodes);  // of deviations
  const double given = solver->set_wall_mass_correction(1e-6 * nodes);
  EXPECT_NEAR(given, 1e-6 * nodes, 1e-8 * nodes);
  const auto plain = stream_between({1, 2});
  plain->step(600);
  solver->step(300);
  plain->step(300);
  EXPECT_NEAR(solver->totals().mass - plain->totals().mass, 300 * given, 0.25 * 300 * given);
}

TEST(WallFunctionFlow, HasTheSameBitsWithEveryScheme) {
  const auto reference = stream_between({1, 2});
  reference->step(41);
  const fluvia::Moments expected = scene::moments(*reference);
  for (const std::string scheme : {"aa", "esoteric-pull", "compact-pull", "compact-aa"}) {
    const auto solver = stream_between({1, 2}, scheme);
    solver->step(41);
    const fluvia::Moments found = scene::moments(*solver);
    EXPECT_TRUE(found.velocity == expected.velocity) << scheme;
  }
}

}  // namespace
}  // namespace physics_test
