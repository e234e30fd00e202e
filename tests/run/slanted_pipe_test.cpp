// SPDX-License-Identifier: Apache-2.0
// Round pipes at an angle to the lattice between two pressures: holes of their mesh, or discs across them, let pass
// what a long pipe lets pass.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <memory>
#include <numbers>

#include "fluvia/case/physics/registered_physics.hpp"
#include "fluvia/run/prepared_flow.hpp"
#include "reference/scene.hpp"
#include "support/temporary_folder.hpp"

namespace fluvia::test {
namespace {

/// A pipe between two openings, and how they are made.
struct SlantedPipe {
  Real3 axis;  ///< unit
  double length;
  bool discs = false;  ///< across a longer pipe, else the mesh's own ends
  double diameter = 12;
  Real3 middle{0.137, 0.071, -0.043};  ///< off the nodes

  [[nodiscard]] Real3 end(bool out) const { return middle + (out ? 0.5 : -0.5) * length * axis; }
  /// Open at both ends.
  void write(const std::filesystem::path& file) const {
    const Real3 helper = std::abs(axis[2]) < 0.7 ? Real3{0, 0, 1} : Real3{1, 0, 0};
    Real3 first = cross(axis, helper);
    first = (1 / norm(first)) * first;
    const Real3 second = cross(axis, first);
    constexpr int sides = 60;
    const double whole = discs ? length + 0.8 * diameter : length;
    const auto point = [&](int side, double s) {
      const double angle = 2 * std::numbers::pi * side / sides;
      return middle + s * axis + (0.5 * diameter * std::cos(angle)) * first +
             (0.5 * diameter * std::sin(angle)) * second;
    };
    std::ofstream out(file);
    out << "solid pipe\n";
    const auto triangle = [&](const Real3& a, const Real3& b, const Real3& c) {
      out << "facet normal 0 0 0\nouter loop\n";
      for (const Real3& p : {a, b, c}) out << "vertex " << p[0] << ' ' << p[1] << ' ' << p[2] << '\n';
      out << "endloop\nendfacet\n";
    };
    for (int k = 0; k < sides; ++k) {
      triangle(point(k, -0.5 * whole), point(k + 1, -0.5 * whole), point(k, 0.5 * whole));
      triangle(point(k + 1, -0.5 * whole), point(k + 1, 0.5 * whole), point(k, 0.5 * whole));
    }
    out << "endsolid pipe\n";
  }
};

/// A steady creeping flow that a pressure difference of 1e-4 drives.
struct PipeFlow {
  Case c;
  std::unique_ptr<PreparedFlow> flow;
  [[nodiscard]] double rate() const { return std::abs(flow->solver().opening_flow(0).flow_rate); }
};

std::unique_ptr<PipeFlow> pipe_flow(const SlantedPipe& pipe, const std::string& ends, const std::string& walls,
                                    const std::filesystem::path& folder) {
  auto result = std::make_unique<PipeFlow>();
  Case& c = result->c;
  pipe.write(folder / "pipe.stl");
  c.directory = folder;
  c.units.viscosity = 0.1;
  Case::Stl stl;
  stl.file = "pipe.stl";
  c.geometry.stl = {stl};
  c.geometry.allow_defects = pipe.discs;
  c.walls.method = walls;
  c.numerics.device = "cpu";
  c.numerics.format = "fp64";
  c.numerics.collision = "trt";
  c.numerics.threads = 1;
  for (const bool out : {false, true}) {
    Case::OpeningInput opening;
    opening.name = out ? "out" : "in";
    opening.center = pipe.end(out);
    if (pipe.discs) {
      opening.normal = (out ? 1.0 : -1.0) * pipe.axis;
      opening.radius = 0.5 * pipe.diameter + 1;
    }
    c.openings.push_back(opening);
    Case::Boundary b;
    b.surface = opening.name;
    b.type = ends;
    for (const core::Key& key : keys_of(facts_of_boundary(ends))) b.values[key.name] = key.required ? 1 : key.standard;
    b.values["pressure"] = out ? -5e-5 : 5e-5;
    c.boundaries.push_back(b);
  }
  result->flow = std::make_unique<PreparedFlow>(c, PreparedFlow::Warn{});
  result->flow->build();
  result->flow->make_solver();
  Solver& solver = result->flow->solver();
  for (const bool out : {false, true}) {
    const Opening& opening = solver.geometry().openings[out ? 1 : 0];
    solver.set_boundary_value(opening.surface, c.boundaries[opening.name == "out" ? 1 : 0].values.at("pressure"));
  }
  solver.step(facts_of_boundary(ends).holds_pressure ? 900 : 6000);
  return result;
}

/// Slope of the pressure along the middle third of a pipe.
double pressure_slope(const SlantedPipe& pipe, const PipeFlow& of) {
  const Moments m = scene::moments(of.flow->solver());
  const Real3 origin = of.flow->grid().origin;
  double n = 0, ss = 0, sp = 0, s1 = 0, p1 = 0;
  scene::for_each_fluid_node(of.flow->solver().geometry().nodes, [&](const Int3& x, std::uint64_t k) {
    const Real3 at = Real3{x[0] + 0.5, x[1] + 0.5, x[2] + 0.5} + origin - pipe.middle;
    const double s = dot(at, pipe.axis), p = (m.density[k] - 1) / 3;
    if (std::abs(s) > pipe.length / 6) return;
    n += 1, ss += s * s, sp += s * p, s1 += s, p1 += p;
  });
  return (n * sp - s1 * p1) / (n * ss - s1 * s1);
}

/// Every condition that fits the flow through its plane.
std::vector<std::string> conditions_of_plane_fits() {
  std::vector<std::string> names;
  for (const std::string& name : boundary_names())
    if (facts_of_boundary(name).needs_plane_fit) names.push_back(name);
  return names;
}

/// The flow rate in a slope of the pressure of 1, from the middle of a pipe five diameters long.
double conductivity_of(SlantedPipe pipe, const std::string& walls, const std::filesystem::path& folder) {
  pipe.length = 5 * pipe.diameter;
  const auto of = pipe_flow(pipe, "pressure", walls, folder);
  return of->rate() / std::abs(pressure_slope(pipe, *of));
}

/// Disc or hole, the plane is where the case says: of a disc it was where the links of the stairs are in the mean, by
/// which a pipe as short as this carried 2% too much.
TEST(SlantedPipe, LetsPassWhatALongPipeDoes) {
  const TemporaryFolder folder;
  for (const auto& [axis, walls] : {std::pair(Real3{2, 1, 0}, "interpolated"), std::pair(Real3{3, 1, 2}, "half-way")}) {
    SlantedPipe pipe{(1 / norm(axis)) * axis, 0};
    const double conductivity = conductivity_of(pipe, walls, folder.path());
    pipe.length = 1.33 * pipe.diameter;
    for (const bool discs : {false, true})
      for (const std::string& ends : conditions_of_plane_fits()) {
        pipe.discs = discs;
        // What follows flow rates holds its pressure by the same rule.
        if (discs && facts_of_boundary(ends).control != core::Control::none) continue;
        const double flow = pipe_flow(pipe, ends, walls, folder.path())->rate();
        const double error = flow / (conductivity * 1e-4 / pipe.length) - 1;
        EXPECT_NEAR(error, 0, 0.015) << walls << ", " << ends << (discs ? ", discs" : ", holes");
      }
  }
}

}  // namespace
}  // namespace fluvia::test
