// SPDX-License-Identifier: Apache-2.0
#include "fluvia/run/monitors/monitors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <memory>
#include <ranges>
#include <utility>

#include "fluvia/base/error.hpp"
#include "fluvia/case/physics/registered_physics.hpp"
#include "fluvia/core/lattice/isotropy.hpp"
#include "fluvia/output/levels/flow_view.hpp"
#include "fluvia/output/sections.hpp"
#include "fluvia/run/bodies/body_reports.hpp"
#include "fluvia/run/checks/preflight.hpp"
#include "fluvia/run/monitors/surface_integrals.hpp"
#include "fluvia/run/scalars/scalar_columns.hpp"

namespace fluvia {

namespace {
constexpr double darcy = 9.869233e-13;  // m2, CODATA definition via atmosphere and centipoise
using Kind = MonitorSignal::Kind;
constexpr const char* lattice = "lattice";
const std::string flow_prefix = "flow_rate:", force_prefix = "force:", scalar_prefix = "scalar:";

/// Volume of the fluid over the area of its walls, nodes; the ends of the axis are no walls.
double hydraulic_radius(const NodeMap& nodes, int axis) {
  std::uint64_t walls = 0;
  for (const NodeMap::Tile& tile : nodes.tiles)
    for (std::uint64_t bits = tile.mask; bits != 0; bits &= bits - 1) {
      const Int3 x = nodes.node_position(tile, std::countr_zero(bits));
      for (int side = 0; side < 2 * nodes.dimension; ++side) {
        Int3 there = x, step{};
        step[side / 2] = side % 2 == 0 ? -1 : 1;
        there[side / 2] += step[side / 2];
        const NodeMap::Landing landing = nodes.land(there);
        if (nodes.barring_surface(x, step) >= 0)
          ++walls;
        else if (landing.inside ? !nodes.is_fluid(landing.node) : side / 2 != axis)
          ++walls;
      }
    }
  return static_cast<double>(nodes.fluid_nodes) / static_cast<double>(std::max<std::uint64_t>(walls, 1));
}
}  // namespace

Monitors::Monitors(const Case& c, const MonitorContext& output, std::vector<MonitorColumn> more) : output_(output) {
  add({"time", "s", [](FlowSample& flow) { return flow.units.si_time(static_cast<double>(flow.solver.time_step())); }});
  add({"kinetic_energy", lattice, [](FlowSample& flow) { return flow.totals.kinetic_energy; }});
  add({"max_velocity", "m/s", [](FlowSample& flow) { return flow.units.si_velocity(flow.totals.max_speed); }});
  add({"max_mach", "-", [](FlowSample& flow) { return std::sqrt(3.0) * flow.totals.max_speed; }});
  add({"mass_deviation", lattice, [](FlowSample& flow) { return flow.totals.mass; }});
  add_forces(c);
  add_bodies(c);
  if (c.monitors.openings) add_openings();
  if (c.monitors.permeability_axis) add_permeability(c);
  for (MonitorColumn& column : scalar_columns(c, output_.solver, output_.units)) add(std::move(column));
  add_probes(c);
  add_planes(c);
  for (MonitorColumn& column : more) add(std::move(column));
}

void Monitors::add(MonitorColumn column) {
  if (!output_.units.si && column.unit != "-") column.unit = lattice;
  if (column.signal) {
    column.signal->column = columns_.size();
    signals_.push_back(*column.signal);
  }
  columns_.push_back(std::move(column));
}

void Monitors::add_vector(const std::string& name, const char* unit, int first, int end, const MonitorSignal& signal,
                          const VectorValue& value) {
  for (int axis = first; axis < end; ++axis)
    add({name + "_" + "xyz" [axis], unit, [value, axis](FlowSample& flow) { return value(flow)[axis]; },
         MonitorSignal { signal.kind, signal.subject, axis }});
}

std::vector<std::string> Monitors::titles() const {
  std::vector<std::string> titles;
  for (const MonitorColumn& column : columns_) titles.push_back(column.title());
  return titles;
}

void Monitors::add_openings() {
  const Geometry& geometry = output_.solver.geometry();
  for (std::size_t k = 0; k < geometry.openings.size(); ++k) {
    const std::string& name = geometry.openings[k].name;
    add({"flow_" + name, geometry.nodes.dimension == 2 ? "m2/s" : "m3/s",
         [k](FlowSample& flow) { return flow.units.si_flow_rate(flow.flows[k].flow_rate, flow.dimension()); },
         MonitorSignal{Kind::flow_rate, name}});
    add({"pressure_" + name, "Pa",
         [k](FlowSample& flow) { return flow.units.si_gauge_pressure(flow.flows[k].mean_pressure); },
         MonitorSignal{Kind::pressure, name}});
  }
}

void Monitors::add_permeability(const Case& c) {
  const Units& units = output_.units;
  const int axis = *c.monitors.permeability_axis;
  permeability_axis_ = axis;
  drive_ = units.acceleration(c.physics.acceleration[axis]);
  const auto& openings = output_.solver.geometry().openings;
  std::vector<bool> wanted(openings.size(), false);
  for (std::size_t k = 0; k < openings.size(); ++k) {
    if (openings[k].surface / 2 != axis) continue;
    wanted[k] = true;
    driven_ends_.push_back({static_cast<int>(k), openings[k].surface % 2, 0, {}});
  }
  if (drive_ == 0 && driven_ends_.size() != 2) {
    const std::string key = "monitor.permeability_axis", name(1, "xyz"[axis]);
    throw_input(
        fmt::format("{}: {}: nothing drives a flow along {}: give physics.acceleration along it, or pressure "
                    "or velocity boundaries at both {}_min and {}_max; or name the axis that is driven",
                    c.place(key), key, name, name, name));
  }
  if (driven_ends_.size() == 2) {
    plane_pressures_.emplace(output_.solver, wanted);
    for (DrivenEnd& end : driven_ends_) look_inside(c, axis, end);
  }
  const Shared<double> measured([this](FlowSample& flow) { return permeability(flow.totals); });
  add({"permeability", "m2", [measured](FlowSample& flow) { return measured.of(flow); },
       MonitorSignal{Kind::permeability, "", axis}});
  if (units.si) add({"permeability", "darcy", [measured](FlowSample& flow) { return measured.of(flow) / darcy; }});
}

/// Finds the plane inside the medium for an end with a prescribed velocity. Such a velocity is not that of a flow that
/// has come a long way through the medium, and takes its pressure to become so, within about two hydraulic radii.
void Monitors::look_inside(const Case& c, int axis, DrivenEnd& end) const {
  const Geometry& geometry = output_.solver.geometry();
  const std::string& name = geometry.openings[static_cast<std::size_t>(end.opening)].name;
  const bool prescribes = std::any_of(c.boundaries.begin(), c.boundaries.end(), [&](const Case::Boundary& b) {
    return b.surface == name && facts_of_boundary(b.type).velocity == core::VelocityKeys::opening;
  });
  const int size = geometry.nodes.size[axis];
  const int nodes = std::min(static_cast<int>(std::ceil(2 * hydraulic_radius(geometry.nodes, axis))), size / 4);
  if (!prescribes || nodes < 1) return;
  Case::Plane plane;
  plane.connected = false;
  plane.normal[axis] = 1;
  const Grid& grid = output_.grid;
  for (int a = 0; a < 3; ++a) plane.center[a] = grid.origin[a] + 0.5 * grid.spacing * geometry.nodes.size[a];
  end.depth = nodes + 0.5;
  plane.center[axis] = grid.origin[axis] + grid.spacing * (end.side == 0 ? end.depth : size - end.depth);
  end.inside.emplace(plane, Problem{c, output_.units, geometry});
}

void Monitors::add_forces(const Case& c) {
  const Units& units = output_.units;
  const int dimension = output_.solver.geometry().nodes.dimension, first_of_torque = dimension == 2 ? 2 : 0;
  const bool planar = dimension == 2, with_torque = c.monitors.torque_center.has_value();
  if (with_torque)
    for (int axis = 0; axis < 3; ++axis)
      torque_center_[axis] = units.length((*c.monitors.torque_center)[axis] - output_.grid.origin[axis]);
  const auto asked = [&](const std::string& part) {
    return std::find(c.monitors.force_parts.begin(), c.monitors.force_parts.end(), part) !=
           c.monitors.force_parts.end();
  };
  if (c.monitors.reference_area) {
    const double area = *c.monitors.reference_area / std::pow(units.spacing, dimension - 1);
    coefficient_scale_ = 2 / (units.reference_velocity * units.reference_velocity * area);
    if (with_torque && units.reference_length > 0)
      torque_coefficient_scale_ = coefficient_scale_ / units.reference_length;
  }
  std::vector<int> surfaces;
  for (const std::string& name : c.monitors.forces) surfaces.push_back(surface(name));
  const Shared<std::vector<ForceParts>> parts(
      [integrals = asked("exchange") || asked("integral")
                       ? std::make_shared<const SurfaceIntegrals>(output_.solver, surfaces)
                       : nullptr](FlowSample&) { return integrals->evaluate(); });
  for (std::size_t k = 0; k < surfaces.size(); ++k) {
    const std::string& name = c.monitors.forces[k];
    const Shared<SurfaceForce> force([of = surfaces[k], center = torque_center_](FlowSample& flow) {
      return flow.solver.surface_force(of, center);
    });
    const auto add_force = [&](const std::string& quantity, Kind kind, const VectorValue& lattice_force) {
      add_vector(quantity + "_" + name, planar ? "N/m" : "N", 0, dimension, {kind, name},
                 [lattice_force](FlowSample& flow) {
                   const Real3 f = lattice_force(flow);
                   const auto si = [&](double x) { return flow.units.si_force(x, flow.dimension()); };
                   return Real3{si(f[0]), si(f[1]), si(f[2])};
                 });
    };
    add_force("force", Kind::force, [force](FlowSample& flow) { return force.of(flow).force; });
    if (with_torque)
      add_vector("torque_" + name, planar ? "N" : "N m", first_of_torque, 3, {Kind::torque, name},
                 [force](FlowSample& flow) {
                   const Real3& t = force.of(flow).torque;
                   const auto si = [&](double x) { return flow.units.si_torque(x, flow.dimension()); };
                   return Real3{si(t[0]), si(t[1]), si(t[2])};
                 });
    if (coefficient_scale_ > 0) add_coefficients(c, name, force);
    const auto part = [parts, k](FlowSample& flow) -> const ForceParts& { return parts.of(flow)[k]; };
    if (asked("exchange")) {
      add_force("pressure_exchange", Kind::force_part,
                [part](FlowSample& flow) { return part(flow).exchanged_pressure; });
      add_force("viscous_exchange", Kind::force_part,
                [part, force](FlowSample& flow) { return force.of(flow).force - part(flow).exchanged_pressure; });
    }
    if (asked("integral")) {
      add_force("pressure_integral", Kind::force_part, [part](FlowSample& flow) { return part(flow).pressure; });
      add_force("viscous_integral", Kind::force_part, [part](FlowSample& flow) { return part(flow).viscous; });
    }
  }
}

/// Force, torque about their centers and power of the bodies that move: of the last step, as their surfaces felt them.
void Monitors::add_bodies(const Case& c) {
  const int dimension = output_.solver.geometry().nodes.dimension;
  const bool planar = dimension == 2;
  for (int k = 0; k < static_cast<int>(c.bodies.size()); ++k) {
    const std::string& name = c.bodies[static_cast<std::size_t>(k)].surface;
    struct Felt {
      Pose pose;
      SurfaceForce by;
    };
    const Shared<Felt> felt([k, of = surface(name)](FlowSample& flow) {
      const Pose pose = last_seen_pose(flow.solver, k);
      return Felt{pose, flow.solver.surface_force(of, pose.center)};
    });
    const auto& forces = c.monitors.forces;
    if (std::find(forces.begin(), forces.end(), name) == forces.end())
      add_vector("force_" + name, planar ? "N/m" : "N", 0, dimension, {Kind::force, name}, [felt](FlowSample& flow) {
        const Real3& f = felt.of(flow).by.force;
        const auto si = [&](double x) { return flow.units.si_force(x, flow.dimension()); };
        return Real3{si(f[0]), si(f[1]), si(f[2])};
      });
    add_vector("shaft_torque_" + name, planar ? "N" : "N m", planar ? 2 : 0, 3, {Kind::torque, name},
               [felt](FlowSample& flow) {
                 const Real3& t = felt.of(flow).by.torque;
                 const auto si = [&](double x) { return flow.units.si_torque(x, flow.dimension()); };
                 return Real3{si(t[0]), si(t[1]), si(t[2])};
               });
    // What the body does to the fluid, with the velocities of its way to the next step.
    add({"power_" + name, planar ? "W/m" : "W", [felt](FlowSample& flow) {
           const Felt& now = felt.of(flow);
           const double power = -dot(now.by.force, now.pose.velocity) - dot(now.by.torque, now.pose.angular_velocity);
           return flow.units.si_velocity(flow.units.si_force(power, flow.dimension()));
         }});
    if (c.bodies[static_cast<std::size_t>(k)].free) add_course(name, k);
  }
}

/// Where a free body is, how far it has turned, and how fast it is.
void Monitors::add_course(const std::string& name, int body) {
  const Geometry& geometry = output_.solver.geometry();
  const int dimension = geometry.nodes.dimension, first_turn = dimension == 2 ? 2 : 0;
  const auto add_each = [&](const std::string& what, const char* unit, int first, int end, const auto& value) {
    for (int axis = first; axis < end; ++axis)
      add({what + "_" + name + "_" + "xyz"[axis], unit, [body, value, axis](FlowSample& flow) {
             return value(seen_state(flow.solver, body), flow.units)[static_cast<std::size_t>(axis)];
           }});
  };
  add_each("position", "m", 0, dimension, [origin = geometry.origin](const BodyState& of, const Units& units) {
    return origin + units.spacing * of.pose.center;
  });
  add_each("velocity", "m/s", 0, dimension,
           [](const BodyState& of, const Units& units) { return units.si_velocity(1) * of.pose.velocity; });
  add_each("angle", "-", first_turn, 3, [](const BodyState& of, const Units&) { return of.turn.angle(); });
  add_each("angular_velocity", "1/s", first_turn, 3,
           [](const BodyState& of, const Units& units) { return units.si_rate(1) * of.pose.angular_velocity; });
}

void Monitors::add_coefficients(const Case& c, const std::string& surface, const Shared<SurfaceForce>& force) {
  const int dimension = output_.solver.geometry().nodes.dimension;
  add_vector("coefficient_" + surface, "-", 0, dimension, {Kind::coefficient, surface},
             [force, scale = coefficient_scale_](FlowSample& flow) { return scale * force.of(flow).force; });
  const auto add_along = [&](const std::string& name, Kind kind, const std::optional<Real3>& axis) {
    if (!axis) return;
    const Real3 direction = (1 / norm(*axis)) * *axis;
    add({name + "_" + surface, "-",
         [force, direction, scale = coefficient_scale_](FlowSample& flow) {
           return scale * dot(force.of(flow).force, direction);
         },
         MonitorSignal{kind, surface}});
  };
  add_along("C_d", Kind::drag, c.monitors.drag_axis);
  add_along("C_l", Kind::lift, c.monitors.lift_axis);
  if (torque_coefficient_scale_ > 0)
    add_vector("C_m_" + surface, "-", dimension == 2 ? 2 : 0, 3, {Kind::torque_coefficient, surface},
               [force, scale = torque_coefficient_scale_](FlowSample& flow) { return scale * force.of(flow).torque; });
}

void Monitors::add_probes(const Case& c) {
  const int dimension = output_.solver.geometry().nodes.dimension;
  const Int3 shape = tile_shape(dimension);
  struct At {
    double density;
    Real3 velocity;
    std::vector<double> scalars;
  };
  for (const auto& probe : c.monitors.probes) {
    Int3 node{};
    const MonitorContext finest = finest_at(probe.position);
    const NodeMap& nodes = finest.solver.geometry().nodes;
    const auto index = static_cast<std::uint64_t>(probe_node(probe, finest.grid, finest.units, nodes, node));
    const std::uint32_t tile =
        nodes.directory[nodes.directory_index({node[0] / shape[0], node[1] / shape[1], node[2] / shape[2]})];
    const Shared<At> here([&solver = finest.solver, tile, of_tile = index - nodes.tiles[tile].first_node,
                           count = c.scalars.size()](FlowSample&) {
      Moments m;
      solver.moments(tile, 1, false, m);
      const auto scalars = m.scalars.begin() + static_cast<std::ptrdiff_t>(of_tile * count);
      return At{m.density[of_tile], m.velocity[of_tile], {scalars, scalars + static_cast<std::ptrdiff_t>(count)}};
    });
    // Lattice velocities and pressures are the same on all levels.
    for (int axis = 0; axis < dimension; ++axis)
      add({probe.name + "_" + "uvw"[axis], "m/s",
           [here, axis](FlowSample& flow) { return flow.units.si_velocity(here.of(flow).velocity[axis]); },
           MonitorSignal{Kind::velocity, probe.name, axis}});
    add({probe.name + "_pressure", "Pa",
         [here](FlowSample& flow) {
           return flow.units.si_gauge_pressure(core::sound_speed_squared * (here.of(flow).density - 1));
         },
         MonitorSignal{Kind::pressure, probe.name}});
    for (std::size_t k = 0; k < c.scalars.size(); ++k)
      add({probe.name + "_" + c.scalars[k].name, c.scalars[k].unit == "1" ? "-" : c.scalars[k].unit,
           [here, k](FlowSample& flow) { return here.of(flow).scalars[k]; },
           MonitorSignal{Kind::scalar, probe.name + "_" + c.scalars[k].name}});
  }
}

void Monitors::add_planes(const Case& c) {
  const OutputContext flow{output_.solver, output_.units, output_.grid};
  const int dimension = output_.grid.dimension;
  for (const Case::Plane& plane : c.monitors.planes) {
    const auto view = std::make_shared<const std::optional<FlowView>>(
        FlowView::finest(output_.solver, region_of(plane, output_.grid)));
    const OutputContext& finest = *view ? (*view)->output() : flow;
    const Geometry& geometry = finest.state.geometry();
    if (*view) check_section(plane, finest.grid, geometry.nodes, "monitor.plane");
    const Shared<OpeningFlow> through(
        [view, &state = finest.state, &units = finest.units, dimension,
         rate = std::make_shared<const PlaneFlowRate>(plane, Problem{c, finest.units, geometry})](FlowSample&) {
          const OpeningFlow now = rate->measure(state);
          return OpeningFlow{units.si_flow_rate(now.flow_rate, dimension), units.si_gauge_pressure(now.mean_pressure)};
        });
    add({"flow_" + plane.name, dimension == 2 ? "m2/s" : "m3/s",
         [through](FlowSample& now) { return through.of(now).flow_rate; },
         MonitorSignal{Kind::plane_flow, plane.name}});
    add({"pressure_" + plane.name, "Pa", [through](FlowSample& now) { return through.of(now).mean_pressure; },
         MonitorSignal{Kind::pressure, plane.name}});
  }
}

MonitorContext Monitors::finest_at(const Real3& position) const {
  const auto levels = output_.solver.levels();
  for (const FlowLevel& level : std::views::reverse(levels))
    if (is_in_fluid(level.state->geometry().nodes, level.grid, position))
      return {*level.state, level.units, level.grid};
  if (levels.empty() || !is_in_fluid(output_.solver.geometry().nodes, output_.grid, position)) return output_;
  // In the fluid to the coarsest level only: no level computes what is there.
  return {*levels.back().state, levels.back().units, levels.back().grid};
}

int Monitors::surface(const std::string& name) const {
  const auto& names = output_.solver.geometry().surfaces;
  const auto it = std::find(names.begin(), names.end(), name);
  if (it == names.end()) throw_input(fmt::format("monitor: there is no surface '{}'", name));
  return static_cast<int>(it - names.begin());
}

double Monitors::permeability(const Totals& totals) const {
  const Geometry& geometry = output_.solver.geometry();
  const int axis = *permeability_axis_;
  const double superficial = totals.momentum[axis] / static_cast<double>(geometry.nodes.box_nodes());
  // Darcy's law: U = k/nu (g - dp/dx / rho), lattice units with rho = 1.
  double gradient = drive_;
  if (driven_ends_.size() == 2) {
    const auto steps = plane_pressures_->measure();
    double pressure[2] = {0, 0}, length = geometry.nodes.size[axis];
    for (const DrivenEnd& end : driven_ends_) {
      if (end.inside) {
        pressure[end.side] = end.inside->measure(output_.solver).mean_pressure;
        length -= end.depth;
        continue;
      }
      const PlanePressures::Step& step = steps[static_cast<std::size_t>(end.opening)];
      pressure[end.side] = output_.solver.opening_flow(end.opening).mean_pressure + step.change;
      length -= step.depth;
    }
    gradient += (pressure[0] - pressure[1]) / std::max(1.0, length);
  }
  if (gradient == 0) return std::numeric_limits<double>::quiet_NaN();
  return output_.units.si_permeability(darcy_permeability(output_.units, superficial, gradient));
}

std::vector<double> Monitors::sample(const Totals& totals, const std::vector<OpeningFlow>& flows) const {
  FlowSample flow{output_.solver, output_.units, totals, flows};
  std::vector<double> row;
  for (const MonitorColumn& column : columns_) row.push_back(column.value(flow));
  return row;
}

double Monitors::quantity(const std::string& name, const Totals& totals) const {
  if (name == "kinetic_energy") return totals.kinetic_energy;
  if (name == "max_velocity") return totals.max_speed;
  if (name == "permeability") {
    if (!permeability_axis_) throw_input("run.steady: 'permeability' needs monitor.permeability_axis");
    return permeability(totals);
  }
  if (name.starts_with(scalar_prefix)) {
    const auto& scalars = output_.solver.plan().scalars;
    for (std::size_t k = 0; k < scalars.size(); ++k)
      if (scalars[k].name == name.substr(scalar_prefix.size())) return output_.solver.scalar_summary(k).mean;
    throw_input(fmt::format("run.steady: there is no scalar '{}'", name.substr(scalar_prefix.size())));
  }
  if (name.starts_with(force_prefix))
    return norm(output_.solver.surface_force(surface(name.substr(force_prefix.size())), torque_center_).force);
  if (name.starts_with(flow_prefix)) {
    const auto& openings = output_.solver.geometry().openings;
    for (std::size_t k = 0; k < openings.size(); ++k)
      if (openings[k].name == name.substr(flow_prefix.size()))
        return output_.solver.opening_flow(static_cast<int>(k)).flow_rate;
    throw_input(fmt::format("run.steady: there is no opening '{}'", name.substr(flow_prefix.size())));
  }
  throw_input(fmt::format("run.steady: there is no quantity '{}'", name));
}

}  // namespace fluvia
