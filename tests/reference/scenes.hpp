// SPDX-License-Identifier: Apache-2.0
// Small domains that together use every boundary condition, with sizes that divide nothing: no tile, no group of 64
// nodes and no vector.
#pragma once
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <vector>

#include "reference/scene.hpp"

namespace scene {

namespace detail {
/// A fixed pseudo-random number in [0, 1) for every node.
inline double noise(const Int3& x, unsigned seed) {
  unsigned h = seed * 2654435761U;
  for (int a = 0; a < 3; ++a) h = (h ^ static_cast<unsigned>(x[a] + 1)) * 2246822519U, h ^= h >> 15;
  return (h & 0xffffffU) / 16777216.0;
}

/// Density and velocity that vary from node to node, Mach number 0.1.
inline reference::NodeState uneven_state(const Int3& x, int dimension) {
  const double phase = 0.7 * x[0] + 1.3 * x[1] + 0.9 * x[2];
  reference::NodeState s;
  s.density = 1 + 0.01 * std::sin(phase);
  s.velocity = {0.04 * std::cos(phase), 0.03 * std::sin(1.7 * phase), dimension == 3 ? -0.03 * std::sin(phase) : 0.0};
  return s;
}

inline bool in_ball(const Int3& x, const Real3& center, double radius) {
  double squared = 0;
  for (int a = 0; a < 3; ++a) squared += std::pow(x[a] + 0.5 - center[a], 2);
  return squared < radius * radius;
}

inline fluvia::Opening opening(int surface, const Int3& size) {
  fluvia::Opening o;
  const int axis = surface / 2;
  o.name = surface % 2 == 0 ? "inlet" : "outlet";
  o.surface = surface;
  o.normal[axis] = surface % 2 == 0 ? -1 : 1;
  o.area = 1;
  for (int a = 0; a < 3; ++a)
    if (a != axis) o.area *= size[a];
  for (int a = 0; a < 3; ++a) o.centroid[a] = a == axis ? (surface % 2) * size[a] : 0.5 * size[a];
  return o;
}
}  // namespace detail

inline Scene base_scene(const char* name, const Int3& size, const Bool3& periodic) {
  Scene s;
  s.name = name;
  s.dimension = size[2] == 1 ? 2 : 3;
  s.size = size;
  s.periodic = periodic;
  const int dimension = s.dimension;
  s.initial = [dimension](const Int3& x) { return detail::uneven_state(x, dimension); };
  return s;
}

/// Velocity inlet, pressure outlet, walls, a round obstacle and a body force.
inline Scene channel(const Int3& size) {
  using namespace fluvia::surface_id;
  Scene s = base_scene("channel", size, {false, false, false});
  const Real3 center = {0.4 * size[0], 0.45 * size[1], 0.5 * size[2]};
  const double radius = 0.22 * size[1];
  s.solid = [=](const Int3& x) { return detail::in_ball(x, center, radius); };
  s.bodies = {"ball"};
  s.body_of = [](const Int3&) { return first_named; };
  s.conditions = {{x_min, "velocity", {0.03, 0.004, 0}}, {x_max, "pressure", {}, 0.002}};
  s.openings = {detail::opening(x_min, size), detail::opening(x_max, size)};
  s.monitored = {"ball", "y_min", "wall"};
  s.force = {1e-4, -5e-5, s.dimension == 3 ? 3e-5 : 0};
  return s;
}

/// A closed box with a moving lid, a spinning ball and stray solid nodes; no force.
inline Scene cavity(const Int3& size) {
  using namespace fluvia::surface_id;
  Scene s = base_scene("cavity", size, {false, false, false});
  const Real3 center = {0.6 * size[0], 0.5 * size[1], 0.5 * size[2]};
  const double radius = 0.2 * size[1], spin = std::min(5e-3, 0.1 / radius);  // slow enough in large boxes, too
  s.solid = [=](const Int3& x) { return detail::in_ball(x, center, radius) || detail::noise(x, 3) < 0.1; };
  s.bodies = {"ball"};
  s.body_of = [=](const Int3& x) { return detail::in_ball(x, center, radius) ? first_named : wall; };
  s.face_order = {1, 0, 2};
  s.conditions = {{y_max, "moving_wall", {0.05, 0, s.dimension == 3 ? 0.02 : 0}},
                  {first_named, "moving_wall", {}, 0, {s.dimension == 3 ? 2e-3 : 0, 0, spin}, center}};
  s.monitored = {"ball", "y_max"};
  return s;
}

/// Porous and periodic along x (and z), driven by a body force; free slip below, moving wall above.
inline Scene porous(const Int3& size) {
  using namespace fluvia::surface_id;
  Scene s = base_scene("porous", size, {true, false, true});
  s.solid = [](const Int3& x) { return detail::noise(x, 8) < 0.35; };
  s.conditions = {{y_min, "free_slip"}, {y_max, "moving_wall", {-0.02, 0, 0}}};
  s.monitored = {"wall", "y_max"};
  s.force = {3e-4, 1e-4, 0};
  return s;
}

/// Free-slip planes that meet each other and walls, and two pressure openings; no force.
inline Scene slippery(const Int3& size) {
  using namespace fluvia::surface_id;
  Scene s = base_scene("slippery", size, {false, false, false});
  // None beside the openings: what hangs there by a single link, on D3Q13, has no flow to speak of.
  s.solid = [size](const Int3& x) { return x[0] > 0 && x[0] < size[0] - 1 && detail::noise(x, 21) < 0.05; };
  s.face_order = {2, 1, 0};
  s.conditions = {{y_max, "free_slip"}, {x_min, "pressure", {}, 0.004}, {x_max, "non_reflecting", {}, -0.001}};
  s.conditions[2].sponge = 3.2;
  if (s.dimension == 2) {
    s.conditions.push_back({y_min, "half_slip"});
    s.conditions.back().slip_length = 1.5;
  }
  if (s.dimension == 3) {
    s.conditions.push_back({z_min, "free_slip"});
    s.conditions.push_back({z_max, "free_slip"});
  }
  s.openings = {detail::opening(x_min, size), detail::opening(x_max, size)};
  s.monitored = {"wall"};
  return s;
}

/// A duct, periodic along x and driven by a force, with rough walls above and below beside which layers are turbulent.
inline Scene rough_duct(const Int3& size) {
  using namespace fluvia::surface_id;
  Scene s = base_scene("rough duct", size, {true, false, true});
  s.solid = [](const Int3& x) { return detail::noise(x, 8) < 0.1; };
  s.conditions = {{y_min, "wall_function"}, {y_max, "wall_function"}};
  s.conditions[0].grain = 5;
  s.conditions[1].grain = 0.3;
  s.monitored = {"wall", "y_max"};
  s.force = {3e-4, 0, s.dimension == 3 ? 1e-4 : 0};
  return s;
}

/// A box of planes of symmetry that meet each other, a lid, an inlet and an outlet, and cut a ball.
inline Scene mirrors(const Int3& size) {
  using namespace fluvia::surface_id;
  Scene s = base_scene("mirrors", size, {false, false, false});
  const Real3 center = {0.5 * size[0], 0.0, 0.0};
  const double radius = 0.3 * size[1];
  s.solid = [=](const Int3& x) {
    return detail::in_ball(x, center, radius) || (x[0] > 1 && detail::noise(x, 5) < 0.04);
  };
  s.bodies = {"ball"};
  s.body_of = [=](const Int3& x) { return detail::in_ball(x, center, radius) ? first_named : wall; };
  s.conditions = {{x_min, "velocity", {0.03, 0, 0}}, {x_max, "pressure", {}, 0.001}, {y_min, "symmetry"}};
  if (s.dimension == 3) {
    s.conditions.push_back({z_min, "symmetry"});
    s.conditions.push_back({z_max, "free_slip"});
  }
  s.openings = {detail::opening(x_min, size), detail::opening(x_max, size)};
  s.monitored = {"ball"};
  return s;
}

/// mirrors() with a sponge before the plane across y.
inline Scene damped_mirrors(const Int3& size) {
  Scene s = mirrors(size);
  s.name += " with a sponge";
  s.conditions[2].sponge = 4.6;
  return s;
}

/// A sheet across an axis, between two layers of nodes. What crosses it does so half-way, where links meet planes of
/// symmetry and periodic faces, so that both ends of a link see the same.
struct SheetPlane {
  int axis, behind;  ///< the sheet lies behind this layer of nodes
  Real3 from, to;    ///< nodes
  int surface;

  [[nodiscard]] bool crosses(const Int3& node, const Int3& offset) const {
    const int there = node[axis] + offset[axis];
    if (offset[axis] == 0 || std::min(node[axis], there) != behind) return false;
    for (int a = 0; a < 3; ++a) {
      const double at = node[a] + 0.5 + 0.5 * offset[a];
      if (a != axis && (at < from[a] || at > to[a])) return false;
    }
    return true;
  }
};

/// Adds sheets to a scene, across links between two nodes of fluid: others belong to the solid at their end.
inline Scene with_sheets(Scene s, std::vector<SheetPlane> planes) {
  const auto ends_in_fluid = [solid = s.solid, size = s.size, periodic = s.periodic, mirror = s.mirrors()](
                                 Int3 x, const Int3& offset) {
    for (std::size_t a = 0; a < 3; ++a) {
      const int there = x[a] + offset[a];
      const bool inside = there >= 0 && there < size[a];
      if (!inside && !periodic[a] && !mirror[2 * a + (there < 0 ? 0 : 1)]) return false;
      if (inside || periodic[a]) x[a] = (there + size[a]) % size[a];
    }
    return !solid(x);
  };
  s.name += " with sheets";
  for (const SheetPlane& plane : planes) s.sheets.push_back(plane.surface);
  s.sheet_of = [planes = std::move(planes), ends_in_fluid](const Int3& x, const Int3& offset) {
    for (const SheetPlane& plane : planes)
      if (plane.crosses(x, offset) && ends_in_fluid(x, offset)) return plane.surface;
    return -1;
  };
  return s;
}

/// A scene with walls instead of its planes of symmetry.
inline Scene without_mirrors(Scene s) {
  std::erase_if(s.conditions, [](const Condition& c) { return c.type == "free_slip" || c.type == "symmetry"; });
  return s;
}

/// Periodic along all axes without a solid node: every group is interior or touches only the wrap.
inline Scene open_box(const Int3& size) {
  Scene s = base_scene("open box", size, {true, true, true});
  s.force = {1e-4, 2e-4, s.dimension == 3 ? -1e-4 : 0};
  return s;
}

/// Half-way walls all around and nothing else.
inline Scene closed_box(const Int3& size) {
  Scene s = base_scene("closed box", size, {false, false, false});
  s.force = {1e-4, -2e-4, s.dimension == 3 ? 1e-4 : 0};
  return s;
}

/// A scene whose walls are anywhere on their links, at distances that kernels know exactly.
inline Scene between_nodes(Scene s, bool viscosity_independent) {
  s.name += viscosity_independent ? ", walls between nodes, viscosity-independent" : ", walls between nodes";
  s.viscosity_independent = viscosity_independent;
  s.supply = 1.0 / 16384;
  s.distance_of = [](const Int3& x, const Int3& offset) {
    const unsigned link = static_cast<unsigned>(offset[0] + 1 + 3 * (offset[1] + 1) + 9 * (offset[2] + 1));
    return (1 + std::floor(256 * detail::noise(x, 31 + link))) / 256;
  };
  return s;
}

/// A scene some of whose nodes have body forces of their own; whole rows have none.
inline Scene with_own_forces(Scene s) {
  s.name += ", forces of nodes";
  s.force_formula = {"x > 2 && y < 6 ? 2e-4*sin(0.7*x+1.1*y+0.4*z) : 0", "x > 2 && y < 6 ? 3e-4*cos(1.3*x-0.2*z) : 0",
                     "x > 2 && y < 6 ? 1e-4 : 0"};
  s.own_force = [flat = s.dimension == 2](const Int3& node) -> Real3 {
    const double x = node[0] + 0.5, y = node[1] + 0.5, z = node[2] + 0.5;
    if (x < 2 || y > 6) return {};
    return {2e-4 * std::sin(0.7 * x + 1.1 * y + 0.4 * z), 3e-4 * std::cos(1.3 * x - 0.2 * z), flat ? 0 : 1e-4};
  };
  return s;
}

/// Own forces with openings, with sound that leaves, and beside walls between the nodes.
inline std::vector<Scene> own_force_scenes(int dimension) {
  if (dimension == 2)
    return {with_own_forces(channel({67, 13, 1})), with_own_forces(slippery({11, 23, 1})),
            with_own_forces(between_nodes(porous({130, 9, 1}), true)),
            with_own_forces(between_nodes(channel({37, 11, 1}), false))};
  return {with_own_forces(channel({13, 8, 9})), with_own_forces(slippery({7, 8, 6})),
          with_own_forces(between_nodes(porous({67, 7, 5}), true)),
          with_own_forces(between_nodes(cavity({9, 11, 5}), false))};
}

/// Walls between nodes with a force, an inlet and an outlet; spinning; periodic with a force.
inline std::vector<Scene> wall_scenes(int dimension) {
  if (dimension == 2)
    return {between_nodes(channel({37, 21, 1}), false), between_nodes(cavity({125, 11, 1}), true),
            between_nodes(porous({130, 9, 1}), true), between_nodes(cavity({67, 19, 1}), false)};
  return {between_nodes(channel({13, 7, 9}), true), between_nodes(cavity({9, 11, 5}), false),
          between_nodes(porous({67, 5, 6}), false), between_nodes(cavity({11, 7, 6}), true)};
}

/// Sheets in a stream through a box that is periodic along two axes, where they end in the flow, meet walls and each
/// other, and one goes around the box; and in a box with planes of symmetry.
inline std::vector<Scene> sheet_scenes(int dimension) {
  using namespace fluvia::surface_id;
  const bool flat = dimension == 2;
  Scene stream = porous(flat ? Int3{70, 19, 1} : Int3{67, 7, 9});
  stream.solid = [](const Int3& x) { return detail::noise(x, 8) < 0.1; };
  stream.bodies = {"plate", "fin"};
  stream.monitored = {"plate", "fin", "y_max"};
  Scene half = mirrors(flat ? Int3{67, 13, 1} : Int3{13, 7, 6});
  half.bodies.emplace_back("plate");
  half.monitored.emplace_back("plate");
  constexpr int plate = first_named, fin = first_named + 1, plate_in_half = first_named + 1;
  stream = with_sheets(stream, {{1, 3, {-1, 0, -1}, {200, 0, 200}, plate},
                                {0, 9, {0, -0.2, flat ? -1.0 : 1.0}, {0, flat ? 11.0 : 5.0, 6.2}, fin},
                                {0, 65, {0, 5.1, -1}, {0, flat ? 16.0 : 6.0, 20}, fin}});
  Scene moving = stream;
  moving.name += ", one moves";
  moving.conditions.push_back({plate, "moving_wall", {0.02, 0, flat ? 0 : -0.01}});
  return {stream, with_sheets(half, {{0, 5, {0, -1, -1}, {0, 4.3, flat ? 2.0 : 4.6}, plate_in_half}}), moving,
          between_nodes(stream, true)};
}

/// A scene with an even number of nodes along periodic axes, for schemes that store every second node.
inline std::vector<Scene> half_scenes() {
  return {channel({13, 7, 9}), cavity({8, 11, 6}), without_mirrors(porous({66, 5, 6})),
          without_mirrors(slippery({5, 7, 6})), open_box({66, 4, 2})};
}

/// The last two have rows of more than two segments of 64 nodes, without solid nodes.
inline std::vector<Scene> all_scenes(int dimension) {
  if (dimension == 2)
    return {channel({37, 21, 1}), cavity({125, 11, 1}),        porous({130, 9, 1}),     slippery({11, 23, 1}),
            mirrors({67, 13, 1}), damped_mirrors({67, 13, 1}), closed_box({197, 4, 1}), open_box({135, 3, 1})};
  return {channel({13, 7, 9}), cavity({9, 11, 5}),         porous({67, 5, 6}),      slippery({5, 7, 6}),
          mirrors({13, 7, 6}), damped_mirrors({13, 7, 6}), closed_box({130, 3, 3}), open_box({131, 3, 3})};
}

/// A channel with an inlet whose profile changes its shape (solver/profiles/changing_profile.hpp); writes `series` for
/// that.
inline Scene pulsating_channel(const Int3& size, const std::filesystem::path& series) {
  std::ofstream(series) << "0,0.03\n2,0.05\n3,0.01\n7,0.03\n";
  Scene s = channel(size);
  s.conditions[0] = {fluvia::surface_id::x_min, "velocity"};
  s.conditions[0].profile = "womersley";
  s.conditions[0].series = series;
  s.monitored.emplace_back("x_min");
  return s;
}

/// A channel that random eddies come into (solver/profiles/turbulent_inflow.hpp).
inline Scene turbulent_channel(const Int3& size) {
  Scene s = channel(size);
  s.conditions[0] = {fluvia::surface_id::x_min, "velocity", {0.03, 0, 0}};
  s.conditions[0].turbulence = {0.3, 5, 1};
  s.monitored.emplace_back("x_min");
  return s;
}

/// A scene with an outlet that sound leaves, which keeps something from step to step; with a sponge before it.
inline Scene quiet(Scene s, double sponge) {
  s.name += sponge > 0 ? " with a sponge" : " that does not reflect";
  s.conditions[1].type = "non_reflecting";
  s.conditions[1].sponge = sponge;
  return s;
}

/// A scene with conditions that change before every step: of_step() says how.
inline Scene changing(Scene s) {
  s.name += ", changing";
  for (Condition& condition : s.conditions) condition.ramp = 1;
  return s;
}
inline bool is_changing(const Scene& s) {
  return std::any_of(s.conditions.begin(), s.conditions.end(),
                     [](const Condition& c) { return c.ramp > 0 || !c.series.empty() || c.turbulence; });
}
inline fluvia::BoundaryValues of_step(const Scene& s, std::int64_t step) {
  fluvia::BoundaryValues values;
  values.profile_time = static_cast<double>(step);
  for (const Condition& c : s.conditions) {
    const double swing = std::sin(0.8 * static_cast<double>(step) + c.surface);
    if (c.type == "pressure" || c.type == "non_reflecting")
      values.values.push_back({c.surface, c.pressure + 0.002 * swing});
    else if (c.type == "velocity" || c.type == "moving_wall")
      values.values.push_back({c.surface, 1 + 0.3 * swing});
  }
  return values;
}

/// So many steps; of scenes that change each with its own values, which a solver may take in passes.
inline void advance(fluvia::Solver& solver, const Scene& s, std::int64_t steps) {
  if (!is_changing(s)) return solver.step(steps);
  std::vector<fluvia::BoundaryValues> values;
  for (std::int64_t k = 0; k < steps; ++k) values.push_back(of_step(s, solver.time_step() + k));
  solver.step_with(values);
}

}  // namespace scene
