// SPDX-License-Identifier: Apache-2.0
#include "fluvia/run/monitors/monitors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "fluvia/base/error.hpp"
#include "fluvia/case/physics/registered_physics.hpp"
#include "fluvia/core/lattice/isotropy.hpp"
#include "fluvia/run/checks/preflight.hpp"

namespace fluvia {

namespace {
constexpr double darcy = 9.869233e-13;  // m2, CODATA definition via atmosphere and centipoise
using Kind = MonitorSignal::Kind;
const std::string flow_prefix = "flow_rate:", force_prefix = "force:";

/// Unit label, or "lattice" for cases in lattice units.
std::string unit(const Units& units, const char* si) {
  return units.si ? si : "lattice";
}

/// Volume of the fluid over the area of its walls, nodes; the ends of the axis are no walls.
double hydraulic_radius(const NodeMap& nodes, int axis) {
  std::uint64_t walls = 0;
  for (const NodeMap::Tile& tile : nodes.tiles)
    for (std::uint64_t bits = tile.mask; bits != 0; bits &= bits - 1) {
      const Int3 x = nodes.node_position(tile, std::countr_zero(bits));
      for (int side = 0; side < 2 * nodes.dimension; ++side) {
        Int3 there = x;
        there[side / 2] += side % 2 == 0 ? -1 : 1;
        const NodeMap::Landing landing = nodes.land(there);
        if (landing.inside ? !nodes.is_fluid(landing.node) : side / 2 != axis) ++walls;
      }
    }
  return static_cast<double>(nodes.fluid_nodes) / static_cast<double>(std::max<std::uint64_t>(walls, 1));
}
}  // namespace

Monitors::Monitors(const Case& c, const MonitorContext& output) : output_(output) {
  const Geometry& geometry = output.solver.geometry();
  const bool planar = geometry.nodes.dimension == 2;
  add("time", "s");
  columns_.emplace_back("kinetic_energy [lattice]");
  add("max_velocity", "m/s");
  columns_.emplace_back("max_mach [-]");
  columns_.emplace_back("mass_deviation [lattice]");
  add_forces(c);
  with_openings_ = c.monitors.openings;
  if (with_openings_)
    for (const Opening& opening : geometry.openings) {
      add("flow_" + opening.name, planar ? "m2/s" : "m3/s");
      mark(Kind::flow_rate, opening.name);
      add("pressure_" + opening.name, "Pa");
      mark(Kind::pressure, opening.name);
    }
  if (c.monitors.permeability_axis) add_permeability(c);
  add_probes(c);
  add_planes(c);
}

void Monitors::mark(Kind kind, const std::string& subject, int axis) {
  signals_.push_back({columns_.size() - 1, kind, subject, axis});
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
  add("permeability", "m2");
  mark(Kind::permeability, "", axis);
  if (units.si) columns_.emplace_back("permeability [darcy]");
}

/// A prescribed velocity is not that of a flow that has come a long way through the medium, and takes its pressure to
/// become so. That happens within about two hydraulic radii.
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

void Monitors::add(const std::string& name, const char* si) {
  columns_.push_back(name + " [" + unit(output_.units, si) + "]");
}

void Monitors::add_forces(const Case& c) {
  const Units& units = output_.units;
  const int dimension = output_.solver.geometry().nodes.dimension;
  const bool planar = dimension == 2;
  with_torque_ = c.monitors.torque_center.has_value();
  if (with_torque_)
    for (int axis = 0; axis < 3; ++axis)
      torque_center_[axis] = units.length((*c.monitors.torque_center)[axis] - output_.grid.origin[axis]);
  const auto asked = [&](const std::string& part) {
    return std::find(c.monitors.force_parts.begin(), c.monitors.force_parts.end(), part) !=
           c.monitors.force_parts.end();
  };
  exchange_parts_ = asked("exchange");
  integral_parts_ = asked("integral");
  if (c.monitors.reference_area) {
    const double area = *c.monitors.reference_area / std::pow(units.spacing, dimension - 1);
    coefficient_scale_ = 2 / (units.reference_velocity * units.reference_velocity * area);
    if (with_torque_ && units.reference_length > 0)
      torque_coefficient_scale_ = coefficient_scale_ / units.reference_length;
    for (const auto& axis : {c.monitors.drag_axis, c.monitors.lift_axis})
      if (axis) coefficient_axes_.push_back((1 / norm(*axis)) * *axis);
  }
  for (const std::string& name : c.monitors.forces) {
    force_surfaces_.push_back(surface(name));
    const auto add_vector = [&](const std::string& quantity, Kind kind) {
      for (int axis = 0; axis < dimension; ++axis) {
        add(quantity + "_" + name + "_" + "xyz"[axis], planar ? "N/m" : "N");
        mark(kind, name, axis);
      }
    };
    add_vector("force", Kind::force);
    if (with_torque_)
      for (int axis = planar ? 2 : 0; axis < 3; ++axis) {
        add("torque_" + name + "_" + "xyz"[axis], planar ? "N" : "N m");
        mark(Kind::torque, name, axis);
      }
    if (coefficient_scale_ > 0) add_coefficients(c, name);
    for (const std::string way : {"exchange", "integral"})
      if (asked(way)) {
        add_vector("pressure_" + way, Kind::force_part);
        add_vector("viscous_" + way, Kind::force_part);
      }
  }
  if (exchange_parts_ || integral_parts_) integrals_.emplace(output_.solver, force_surfaces_);
}

void Monitors::add_coefficients(const Case& c, const std::string& surface) {
  const int dimension = output_.solver.geometry().nodes.dimension;
  const auto add_coefficient = [&](const std::string& name, Kind kind, int axis) {
    columns_.push_back(name + " [-]");
    mark(kind, surface, axis);
  };
  for (int axis = 0; axis < dimension; ++axis)
    add_coefficient("coefficient_" + surface + "_" + "xyz"[axis], Kind::coefficient, axis);
  if (c.monitors.drag_axis) add_coefficient("C_d_" + surface, Kind::drag, -1);
  if (c.monitors.lift_axis) add_coefficient("C_l_" + surface, Kind::drag, -1);
  if (torque_coefficient_scale_ > 0)
    for (int axis = dimension == 2 ? 2 : 0; axis < 3; ++axis)
      add_coefficient("C_m_" + surface + "_" + "xyz"[axis], Kind::torque_coefficient, axis);
}

void Monitors::sample_coefficients(const SurfaceForce& f, std::vector<double>& row) const {
  const int dimension = output_.solver.geometry().nodes.dimension;
  for (int axis = 0; axis < dimension; ++axis) row.push_back(coefficient_scale_ * f.force[axis]);
  for (const Real3& axis : coefficient_axes_) row.push_back(coefficient_scale_ * dot(f.force, axis));
  if (torque_coefficient_scale_ > 0)
    for (int axis = dimension == 2 ? 2 : 0; axis < 3; ++axis) row.push_back(torque_coefficient_scale_ * f.torque[axis]);
}

void Monitors::sample_forces(std::vector<double>& row) const {
  const int dimension = output_.solver.geometry().nodes.dimension;
  const auto push = [&](const Real3& force) {
    for (int axis = 0; axis < dimension; ++axis) row.push_back(output_.units.si_force(force[axis], dimension));
  };
  const std::vector<ForceParts> parts = integrals_ ? integrals_->evaluate() : std::vector<ForceParts>{};
  for (std::size_t k = 0; k < force_surfaces_.size(); ++k) {
    const SurfaceForce f = output_.solver.surface_force(force_surfaces_[k], torque_center_);
    push(f.force);
    if (with_torque_)
      for (int axis = dimension == 2 ? 2 : 0; axis < 3; ++axis)
        row.push_back(output_.units.si_torque(f.torque[axis], dimension));
    if (coefficient_scale_ > 0) sample_coefficients(f, row);
    if (exchange_parts_) {
      push(parts[k].exchanged_pressure);
      push(f.force - parts[k].exchanged_pressure);
    }
    if (integral_parts_) {
      push(parts[k].pressure);
      push(parts[k].viscous);
    }
  }
}

void Monitors::add_probes(const Case& c) {
  const NodeMap& nodes = output_.solver.geometry().nodes;
  const Int3 shape = tile_shape(nodes.dimension);
  for (const auto& probe : c.monitors.probes) {
    Int3 node{};
    const std::int64_t index = probe_node(probe, output_.grid, output_.units, nodes, node);
    const std::uint32_t tile =
        nodes.directory[nodes.directory_index({node[0] / shape[0], node[1] / shape[1], node[2] / shape[2]})];
    probes_.push_back({tile, static_cast<std::uint64_t>(index) - nodes.tiles[tile].first_node});
    const char* names[4] = {"u", "v", "w", "pressure"};
    for (int k = 0; k < 4; ++k)
      if (k != 2 || nodes.dimension == 3) {
        add(probe.name + "_" + names[k], k < 3 ? "m/s" : "Pa");
        mark(k < 3 ? Kind::velocity : Kind::pressure, probe.name, k < 3 ? k : -1);
      }
  }
}

void Monitors::add_planes(const Case& c) {
  const NodeMap& nodes = output_.solver.geometry().nodes;
  for (const Case::Plane& plane : c.monitors.planes) {
    planes_.emplace_back(plane, Problem{c, output_.units, output_.solver.geometry()});
    add("flow_" + plane.name, nodes.dimension == 2 ? "m2/s" : "m3/s");
    mark(Kind::plane_flow, plane.name);
    add("pressure_" + plane.name, "Pa");
    mark(Kind::pressure, plane.name);
  }
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
  // Darcy: U = k/nu (g - dp/dx / rho), lattice units with rho = 1.
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
  const Units& units = output_.units;
  const Solver& solver = output_.solver;
  const int dimension = solver.geometry().nodes.dimension;
  std::vector<double> row = {units.si_time(static_cast<double>(solver.time_step())), totals.kinetic_energy,
                             units.si_velocity(totals.max_speed), std::sqrt(3.0) * totals.max_speed, totals.mass};
  sample_forces(row);
  if (with_openings_)
    for (const OpeningFlow& flow : flows) {
      row.push_back(units.si_flow_rate(flow.flow_rate, dimension));
      row.push_back(units.si_gauge_pressure(flow.mean_pressure));
    }
  if (permeability_axis_) {
    row.push_back(permeability(totals));
    if (units.si) row.push_back(row.back() / darcy);
  }
  Moments m;
  for (const Probe& probe : probes_) {
    solver.moments(probe.tile, 1, false, m);
    for (int axis = 0; axis < dimension; ++axis) row.push_back(units.si_velocity(m.velocity[probe.node_in_tile][axis]));
    row.push_back(units.si_gauge_pressure(core::sound_speed_squared * (m.density[probe.node_in_tile] - 1)));
  }
  for (const PlaneFlowRate& plane : planes_) {
    const OpeningFlow through = plane.measure(solver);
    row.push_back(units.si_flow_rate(through.flow_rate, dimension));
    row.push_back(units.si_gauge_pressure(through.mean_pressure));
  }
  return row;
}

double Monitors::quantity(const std::string& name, const Totals& totals) const {
  if (name == "kinetic_energy") return totals.kinetic_energy;
  if (name == "max_velocity") return totals.max_speed;
  if (name == "permeability") {
    if (!permeability_axis_) throw_input("run.steady: 'permeability' needs monitor.permeability_axis");
    return permeability(totals);
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
