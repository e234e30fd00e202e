// SPDX-License-Identifier: Apache-2.0
// Plane channels between two openings at an angle to the lattice, and every condition that may be at their ends.
#pragma once
#include <array>

#include "fluvia/solver/initial_state.hpp"
#include "physics/support.hpp"

namespace physics_test {

using fluvia::surface_id::first_named;
using fluvia::surface_id::wall;

inline constexpr int inlet = first_named, outlet = first_named + 1;

/// Plane channel between two openings, in a frame of its own: s along it from the inlet on, t across it.
struct SlantedChannel {
  std::array<double, 2> axis;  ///< unit
  double length, width;
  bool straight = false;  ///< along x: planes half-way between nodes
  [[nodiscard]] std::array<double, 2> place(const Int3& node) const {
    // Nodes on a plane would be on either side of it by rounding.
    const double x = node[0] - origin()[0], y = node[1] - origin()[1];
    return {axis[0] * x + axis[1] * y - (straight ? -0.5 : 0.0137),
            -axis[1] * x + axis[0] * y - (straight ? -0.5 : 0.0071)};
  }
  [[nodiscard]] std::array<int, 2> origin() const { return {static_cast<int>(width * axis[1]) + 3, straight ? 1 : 3}; }
  [[nodiscard]] bool contains(const Int3& node) const {
    const auto [s, t] = place(node);
    return s > 0 && s < length && t > 0 && t < width;
  }
  [[nodiscard]] Int3 box() const {
    return {static_cast<int>(length * axis[0] + width * axis[1]) + 7,
            static_cast<int>(length * axis[1] + width * axis[0]) + 7, 1};
  }
  /// The plane that a link meets first.
  [[nodiscard]] int surface_of(const Int3& node, const Int3& offset) const {
    const auto [s, t] = place(node);
    const auto [far_s, far_t] = place({node[0] + offset[0], node[1] + offset[1], 0});
    double nearest = 9;
    int found = wall;
    const auto meets = [&](double part, int surface) {
      if (part < nearest - 1e-9) {
        nearest = part;
        found = surface;
      }
    };
    if (far_t <= 0) meets(t / (t - far_t), wall);
    if (far_t >= width) meets((width - t) / (far_t - t), wall);
    if (far_s <= 0) meets(s / (s - far_s), inlet);
    if (far_s >= length) meets((length - s) / (far_s - s), outlet);
    return found;
  }
  [[nodiscard]] fluvia::Geometry geometry() const {
    fluvia::Geometry g;
    const Int3 shape = fluvia::tile_shape(2);
    g.nodes = fluvia::NodeMap::build(2, box(), {false, false, false}, [&](const Int3& tile) {
      std::uint64_t mask = 0;
      for (int bit = 0; bit < fluvia::nodes_per_tile; ++bit) {
        const Int3 l = fluvia::tile_local(2, bit);
        if (contains({tile[0] * shape[0] + l[0], tile[1] * shape[1] + l[1], 0})) mask |= std::uint64_t{1} << bit;
      }
      return mask;
    });
    g.surfaces = {"x_min", "x_max", "y_min", "y_max", "z_min", "z_max", "wall", "inlet", "outlet"};
    for (const bool end : {false, true}) {
      const double sign = end ? 1 : -1, s = (end ? length : 0) + (straight ? -0.5 : 0.0137), t = 0.5 * width;
      fluvia::Opening o;
      o.name = end ? "outlet" : "inlet";
      o.surface = end ? outlet : inlet;
      o.normal = {sign * axis[0], sign * axis[1], 0};
      o.centroid = {0.5 + origin()[0] + s * axis[0] - t * axis[1], 0.5 + origin()[1] + s * axis[1] + t * axis[0], 0.5};
      o.area = width;
      g.openings.push_back(o);
    }
    const SlantedChannel self = *this;
    g.surface_of = [self](const Int3& node, const Int3& offset) { return self.surface_of(node, offset); };
    return g;
  }
};

inline SlantedChannel channel_at(int rise, int run, double length, double width) {
  const double size = std::hypot(rise, run);
  return {{run / size, rise / size}, length, width, rise == 0};
}

/// Every condition that fits the flow through its plane. What follows flow rates to set its pressure is not in a
/// solver, so that these hold what Solver::set_boundary_value() gives them.
inline std::vector<std::string> conditions_with_plane_fits() {
  std::vector<std::string> names;
  for (const std::string& name : fluvia::boundary_names())
    if (fluvia::facts_of_boundary(name).needs_plane_fit) names.push_back(name);
  return names;
}

/// Ends with these conditions, whose keys have their default values, or 1 where there is none.
inline fluvia::Case case_of(const std::string& in, const std::string& out, const std::string& collision) {
  fluvia::Case c;
  c.domain.dimension = 2;
  for (const bool end : {false, true}) {
    fluvia::Case::Boundary b;
    b.surface = end ? "outlet" : "inlet";
    b.type = end ? out : in;
    for (const fluvia::core::Key& key : fluvia::keys_of(fluvia::facts_of_boundary(b.type)))
      b.values[key.name] = key.required ? 1 : key.standard;
    c.boundaries.push_back(b);
  }
  c.numerics.lattice = "D2Q9";
  c.numerics.collision = collision;
  c.numerics.scheme = "pull";
  c.numerics.format = "fp64";
  c.numerics.device = "cpu";
  c.numerics.threads = 1;
  return c;
}

using State = std::function<reference::NodeState(double s, double t)>;  ///< velocity along and across

inline std::unique_ptr<fluvia::Solver> solver_of(const SlantedChannel& channel, const fluvia::Case& c, double tau,
                                                 const State& state) {
  auto solver = fluvia::make_solver({c, scene::make_units(tau), channel.geometry()});
  solver->initialise([&](const Int3& node, double& density, Real3& velocity) {
    const auto [s, t] = channel.place(node);
    const reference::NodeState made = state(s, t);
    density = made.density;
    const auto& [ex, ey] = channel.axis;
    velocity = {made.velocity[0] * ex - made.velocity[1] * ey, made.velocity[0] * ey + made.velocity[1] * ex, 0};
  });
  fluvia::bounce_cut_links(*solver);
  return solver;
}

}  // namespace physics_test
