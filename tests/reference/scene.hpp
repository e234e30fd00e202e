// SPDX-License-Identifier: Apache-2.0
// A flow domain described once and built twice: as a Case and Geometry for Fluvia's solvers, and as a domain of the
// reference solver. Geometry is made by hand, so that nothing but the solver is tested.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fluvia/backend/backend.hpp"
#include "fluvia/case/physics/registered_physics.hpp"
#include "fluvia/core/format/registry.hpp"
#include "fluvia/geometry/map/link_search.hpp"
#include "fluvia/solver/distribution.hpp"
#include "fluvia/solver/plan/scheme.hpp"
#include "reference/reference_solver.hpp"

namespace scene {

using fluvia::Bool3;
using fluvia::Int3;
using fluvia::Real3;
using fluvia::operator+;
using fluvia::operator-;

/// Condition of one surface, lattice units.
struct Condition {
  int surface = 0;
  std::string type;  ///< as in a case: moving_wall, velocity, pressure, ...
  Real3 velocity{};
  double pressure = 0;  ///< gauge
  Real3 angular_velocity{}, rotation_center{};
  double relaxation = 0.25, slip_length = 0;
  double grain = 0;  ///< of a wall with friction
  double sponge = 0;
  // The reference solver does not know these.
  double ramp = 0;
  std::string profile = "uniform";
  std::filesystem::path profile_file{}, series{};  ///< of speeds
  std::optional<fluvia::Case::Boundary::Turbulence> turbulence{};
};

struct Scene {
  std::string name;
  int dimension = 2;
  Int3 size{1, 1, 1};
  Bool3 periodic{};
  std::function<bool(const Int3&)> solid = [](const Int3&) { return false; };
  std::vector<std::string> bodies;  ///< names of the surfaces after "wall"
  /// Surface of a solid node of the box: fluvia::surface_id::wall or first_named + index into `bodies`.
  std::function<int(const Int3&)> body_of = [](const Int3&) { return fluvia::surface_id::wall; };
  /// Surface of the sheet between a fluid node and the end of an offset, or -1; the same for both ends of a link.
  std::function<int(const Int3& node, const Int3& offset)> sheet_of;
  std::vector<int> sheets;                 ///< surfaces that it gives, which are half-way
  std::array<int, 3> face_order{0, 1, 2};  ///< axis whose face owns a link that leaves the box through several
  std::vector<Condition> conditions;
  std::vector<std::string> monitored;  ///< surfaces whose force is wanted
  std::vector<fluvia::Opening> openings;
  Real3 force{};
  /// Body forces that nodes have beside it, and the formulas that say the same (Case::Physics::acceleration_formula).
  std::function<Real3(const Int3&)> own_force;
  std::vector<std::string> force_formula;
  /// Where walls other than faces of the box are on their links; empty: half-way.
  std::function<double(const Int3& node, const Int3& offset)> distance_of;
  bool viscosity_independent = false;
  double supply = 0;  ///< what walls between the nodes give over each link, in parts of its weight
  std::function<reference::NodeState(const Int3&)> initial = [](const Int3&) { return reference::NodeState{}; };

  /// Beside a face that a link leaves through, what is solid goes on outside the box.
  [[nodiscard]] int surface_of(const Int3& node, const Int3& offset) const {
    if (const int sheet = sheet_of ? sheet_of(node, offset) : -1; sheet >= 0) return sheet;
    const std::array<bool, 6> mirror = mirrors();
    Int3 far = node;
    int face = -1;
    for (const int a : face_order) {
      const int there = node[a] + offset[a], side = 2 * a + (there < 0 ? 0 : 1);
      if (there >= 0 && there < size[a])
        far[a] = there;
      else if (periodic[a])
        far[a] = (there + size[a]) % size[a];
      else if (!mirror[static_cast<std::size_t>(side)] && face < 0)
        face = side;
    }
    return face < 0 || solid(far) ? body_of(far) : face;
  }
  /// Faces that are planes of symmetry.
  [[nodiscard]] std::array<bool, 6> mirrors() const {
    std::array<bool, 6> mirror{};
    for (const Condition& c : conditions)
      if (c.surface < 6) mirror[c.surface] = c.type == "free_slip" || c.type == "symmetry";
    return mirror;
  }
  [[nodiscard]] std::vector<std::string> surfaces() const {
    std::vector<std::string> names = {"x_min", "x_max", "y_min", "y_max", "z_min", "z_max", "wall"};
    names.insert(names.end(), bodies.begin(), bodies.end());
    return names;
  }
};

/// What is computed, and how.
struct Options {
  reference::Physics physics;
  std::string scheme = "aa", format = "fp64";
  int threads = 1;
  std::string device = "cpu";
  int tile = 0;
  double memory_limit = 0;           ///< MiB
  std::string rounding = "nearest";  ///< reproducible by the reference solver up to the format's own unit
  int steps_per_pass = 0;
};

/// The links of a scene that sheets cross.
inline std::shared_ptr<const fluvia::BarredLinks> barred_links(const Scene& s, const fluvia::NodeMap& nodes) {
  std::vector<fluvia::BarredLinks::Node> barred;
  for (const fluvia::NodeMap::Tile& tile : nodes.tiles)
    for (int bit = 0; bit < fluvia::nodes_per_tile; ++bit) {
      if ((tile.mask >> bit & 1) == 0) continue;
      const Int3 x = nodes.node_position(tile, bit);
      for (const Int3& offset : fluvia::neighbour_offsets(s.dimension, 3)) {
        const fluvia::NodeMap::Landing there = nodes.land({x[0] + offset[0], x[1] + offset[1], x[2] + offset[2]});
        const int sheet = there.inside && nodes.is_fluid(there.node) ? s.sheet_of(x, offset) : -1;
        if (sheet < 0) continue;
        barred.push_back({nodes.directory_index(tile.position), fluvia::BarredLinks::bit_of(offset),
                          static_cast<std::uint16_t>(sheet), static_cast<std::uint8_t>(bit)});
      }
    }
  return std::make_shared<const fluvia::BarredLinks>(s.dimension, nodes.tiles_in_box, std::move(barred));
}

inline fluvia::Geometry make_geometry(const Scene& s) {
  fluvia::Geometry geometry;
  const Int3 shape = fluvia::tile_shape(s.dimension);
  geometry.nodes = fluvia::NodeMap::build(s.dimension, s.size, s.periodic, [&](const Int3& tile) {
    std::uint64_t mask = 0;
    for (int bit = 0; bit < fluvia::nodes_per_tile; ++bit) {
      const Int3 l = fluvia::tile_local(s.dimension, bit);
      const Int3 x = {tile[0] * shape[0] + l[0], tile[1] * shape[1] + l[1], tile[2] * shape[2] + l[2]};
      const bool inside = x[0] < s.size[0] && x[1] < s.size[1] && x[2] < s.size[2];
      if (inside && !s.solid(x)) mask |= std::uint64_t{1} << bit;
    }
    return mask;
  });
  geometry.nodes.mirrors = s.mirrors();
  if (s.sheet_of) geometry.nodes.barred = barred_links(s, geometry.nodes);
  geometry.surfaces = s.surfaces();
  geometry.openings = s.openings;
  geometry.surface_of = [s](const Int3& node, const Int3& offset) { return s.surface_of(node, offset); };
  geometry.distance_of = s.distance_of;
  return geometry;
}

inline fluvia::Case make_case(const Scene& s, const Options& o) {
  fluvia::Case c;
  c.domain.dimension = s.dimension;
  for (const Condition& condition : s.conditions) {
    fluvia::Case::Boundary b;
    b.surface = s.surfaces()[condition.surface];
    b.type = condition.type;
    b.velocity = condition.velocity;
    if (condition.type == "pressure" || condition.type == "non_reflecting") b.values["pressure"] = condition.pressure;
    if (condition.type == "non_reflecting") b.values["relaxation"] = condition.relaxation;
    b.sponge = condition.sponge;
    b.ramp = condition.ramp;
    b.profile = condition.profile;
    b.profile_file = condition.profile_file;
    b.series = condition.series;
    if (!b.series.empty()) b.series_quantity = "speed";
    b.turbulence = condition.turbulence;
    if (condition.type == "half_slip") b.values["slip_length"] = condition.slip_length;
    if (condition.type == "wall_function") b.values["sand_grain"] = condition.grain;
    if (fluvia::norm(condition.angular_velocity) > 0) {
      b.angular_velocity = condition.angular_velocity;
      b.rotation_center = condition.rotation_center;
    }
    c.boundaries.push_back(b);
  }
  if (s.viscosity_independent) c.walls.accuracy = "viscosity-independent";
  c.physics.acceleration = s.force;
  c.physics.acceleration_formula = s.force_formula;
  c.physics.smagorinsky = o.physics.smagorinsky;
  if (const reference::Rheology& rheology = o.physics.rheology; !rheology.model.empty()) {
    c.physics.rheology.emplace();
    c.physics.rheology->model = rheology.model;
    c.physics.rheology->values = rheology.numbers;
    if (rheology.least > 0) c.physics.rheology->least_viscosity = rheology.least;
    if (rheology.most < 1e300) c.physics.rheology->most_viscosity = rheology.most;
  }
  c.numerics.lattice = o.physics.lattice;
  c.numerics.collision = o.physics.collision;
  c.numerics.equilibrium = o.physics.equilibrium;
  c.numerics.magic = o.physics.magic;
  c.numerics.mrt_rates = o.physics.rates;
  c.numerics.scheme = o.scheme;
  c.numerics.format = o.format;
  // Some schemes have but one way to round.
  c.numerics.rounding =
      o.scheme == "auto" || fluvia::rounding_problem(fluvia::parse_scheme(o.scheme), o.format, o.rounding).empty()
          ? o.rounding
          : "auto";
  c.numerics.threads = o.threads;
  c.numerics.device = o.device;
  c.numerics.tile = o.tile;
  c.numerics.steps_per_pass = o.steps_per_pass;
  c.numerics.memory_limit = o.memory_limit;
  c.monitors.forces = s.monitored;
  return c;
}

inline fluvia::Units make_units(double tau) {
  fluvia::Units units;
  units.tau = tau;
  units.viscosity = (tau - 0.5) / 3;
  return units;
}

inline void initialise(fluvia::Solver& solver, const Scene& s) {
  solver.initialise([&](const Int3& x, double& density, Real3& velocity) {
    const reference::NodeState state = s.initial(x);
    density = state.density;
    velocity = state.velocity;
  });
}

inline std::unique_ptr<fluvia::Solver> make_solver(const Scene& s, const Options& o) {
  auto solver = fluvia::make_solver({make_case(s, o), make_units(o.physics.tau), make_geometry(s)});
  if (s.supply != 0) {
    const double all = solver->set_wall_mass_correction(1e9) / 1e-3;  // bounded by 1/1000 of all weights
    solver->set_wall_mass_correction(s.supply * all);
  }
  initialise(*solver, s);
  return solver;
}

inline reference::Solver make_reference(const Scene& s, reference::Physics physics) {
  physics.force = s.force;
  reference::Domain domain;
  domain.size = s.size;
  domain.periodic = s.periodic;
  domain.mirrors = s.mirrors();
  domain.fluid = [s](const Int3& x) { return !s.solid(x); };
  domain.surface_of = [s](const Int3& node, const Int3& offset) { return s.surface_of(node, offset); };
  domain.surfaces.resize(s.surfaces().size());
  if (s.sheet_of)
    domain.is_barred = [s](const Int3& node, const Int3& offset) { return s.sheet_of(node, offset) >= 0; };
  domain.distance_of = s.distance_of;
  domain.kappa = s.viscosity_independent ? -1 : 0;
  domain.supply = s.supply;
  domain.own_force = s.own_force;
  Options options;
  options.physics = physics;
  domain.curvature =
      fluvia::collision_parameters<double>(fluvia::make_flow(make_case(s, options), make_units(physics.tau))).curvature;
  for (std::size_t k = fluvia::surface_id::wall; k < domain.surfaces.size(); ++k)
    domain.surfaces[k].interpolated = s.distance_of && std::count(s.sheets.begin(), s.sheets.end(), k) == 0;
  for (const Condition& condition : s.conditions) {
    reference::Surface& surface = domain.surfaces[condition.surface];
    surface.axis = condition.surface / 2;
    surface.outwards = condition.surface % 2 == 0 ? -1 : 1;
    surface.slip_length = condition.slip_length;
    surface.grain = condition.grain;
    surface.relaxation = condition.relaxation;
    surface.sponge = condition.sponge;
    surface.density = 1 + 3 * condition.pressure;
    surface.velocity = [condition](const Real3& point) {
      return condition.velocity + fluvia::cross(condition.angular_velocity, point - condition.rotation_center);
    };
    surface.opening = fluvia::facts_of_boundary(condition.type).is_opening;
    surface.holds = condition.type == "moving_wall";
    if (condition.type == "moving_wall" || condition.type == "velocity") surface.kind = reference::Kind::velocity;
    if (condition.type == "pressure") surface.kind = reference::Kind::pressure;
    if (condition.type == "non_reflecting") surface.kind = reference::Kind::non_reflecting;
    if (condition.type == "half_slip") surface.kind = reference::Kind::half_slip;
    if (condition.type == "wall_function") surface.kind = reference::Kind::friction;
  }
  reference::Solver solver(physics, domain);
  solver.initialise(s.initial);
  return solver;
}

/// All populations in canonical order, direction by direction, in the format's bits.
inline std::vector<std::byte> save(const fluvia::FlowState& solver, int directions, std::size_t value_bytes) {
  const fluvia::NodeMap& nodes = solver.geometry().nodes;
  const std::size_t bytes = nodes.fluid_nodes * value_bytes;
  std::vector<std::byte> result(bytes * directions);
  for (int i = 0; i < directions; ++i)
    solver.save({fluvia::flow_populations, i, 0, nodes.tiles.size()}, {result.data() + i * bytes, bytes});
  return result;
}

inline void load(fluvia::Solver& solver, int directions, const std::vector<std::byte>& from) {
  const std::size_t bytes = from.size() / directions;
  for (int i = 0; i < directions; ++i)
    solver.load({fluvia::flow_populations, i, 0, solver.geometry().nodes.tiles.size()},
                {from.data() + i * bytes, bytes});
}

/// Calls visit(range, first, count) for all arrays of a state but populations, component by component: where their
/// numbers are in a list of all of them.
template <class Visit>
void for_each_kept(const fluvia::FlowState& state, const Visit& visit) {
  std::size_t first = 0;
  for (std::size_t array = 0; array < state.arrays().size(); ++array) {
    const fluvia::NodeArray& row = state.arrays()[array];
    if (row.number == fluvia::NumberType::storage_format) continue;
    for (int component = 0; component < row.components; ++component, first += row.size)
      visit(fluvia::ArrayRange{array, component, 0, state.geometry().nodes.tiles.size()}, first, row.size);
  }
}

/// All numbers of a state but its populations, in canonical order.
inline std::vector<double> save_kept(const fluvia::FlowState& state) {
  std::vector<double> numbers(fluvia::kept_numbers(state.arrays()));
  for_each_kept(state, [&](const fluvia::ArrayRange& range, std::size_t first, std::size_t count) {
    state.save(range, std::as_writable_bytes(std::span(numbers).subspan(first, count)));
  });
  return numbers;
}

inline void load_kept(fluvia::Solver& solver, const std::vector<double>& numbers) {
  for_each_kept(solver, [&](const fluvia::ArrayRange& range, std::size_t first, std::size_t count) {
    solver.load(range, std::as_bytes(std::span(numbers).subspan(first, count)));
  });
}

inline std::size_t bytes_of(const std::string& format) {
  std::size_t bytes = 0;
  fluvia::core::for_each_type(fluvia::core::Formats{}, [&]<class Format>(Format) {
    if (format == Format::name) bytes = sizeof(typename Format::Storage);
  });
  return bytes;
}

inline std::vector<double> decode(const std::vector<std::byte>& bytes, const std::string& format) {
  std::vector<double> values;
  fluvia::core::for_each_type(fluvia::core::Formats{}, [&]<class Format>(Format) {
    if (format != Format::name) return;
    typename Format::Storage stored;
    for (std::size_t k = 0; k < bytes.size(); k += sizeof(stored)) {
      std::memcpy(&stored, bytes.data() + k, sizeof(stored));
      values.push_back(Format::decode(stored));
    }
  });
  return values;
}

/// Calls body(node, canonical index) for every fluid node.
template <class Body>
void for_each_fluid_node(const fluvia::NodeMap& nodes, Body&& body) {
  for (const auto& tile : nodes.tiles) {
    std::uint64_t index = tile.first_node;
    for (int bit = 0; bit < fluvia::nodes_per_tile; ++bit)
      if (tile.mask >> bit & 1) body(nodes.node_position(tile, bit), index++);
  }
}

/// Moments of all nodes in canonical order.
inline fluvia::Moments moments(const fluvia::FlowState& solver, bool with_stress = false) {
  fluvia::Moments m;
  solver.moments(0, solver.geometry().nodes.tiles.size(), with_stress, m);
  return m;
}

}  // namespace scene
