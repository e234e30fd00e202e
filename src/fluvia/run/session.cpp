// SPDX-License-Identifier: Apache-2.0
#include "fluvia/run/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>
#include <tuple>
#include <utility>

#include "fluvia/base/error.hpp"
#include "fluvia/base/text.hpp"
#include "fluvia/case/physics/registered_physics.hpp"
#include "fluvia/core/lattice/lattice.hpp"
#include "fluvia/geometry/map/box_array.hpp"
#include "fluvia/initial/regular_samples.hpp"
#include "fluvia/output/checkpoint/array_ranges.hpp"
#include "fluvia/output/checkpoint/checkpoint.hpp"
#include "fluvia/output/checkpoint/checkpoint_formats.hpp"
#include "fluvia/output/sampling.hpp"
#include "fluvia/run/box_field.hpp"
#include "fluvia/run/divergence/diagnosis.hpp"
#include "fluvia/run/populations.hpp"
#include "fluvia/run/prepared_flow.hpp"
#include "fluvia/run/simulation.hpp"
#include "fluvia/solver/initial_state.hpp"
#include "fluvia/solver/links/cut_links.hpp"
#include "fluvia/solver/links/earlier_memory.hpp"
#include "fluvia/units/limits.hpp"

namespace fluvia {

namespace {

/// The case without output files, which the program writes itself if it wants any.
Case without_files(Case c) {
  c.output.every = 0;
  c.checkpoint.every = 0;
  c.monitors.average_from.reset();
  c.output = c.output.without_averages();
  return c;
}

/// The mean speed, lattice units, at which a flow rate in the unit of the case passes an opening.
double mean_speed(const Geometry& geometry, const Units& units, int surface, double flow_rate) {
  for (const Opening& opening : geometry.openings)
    if (opening.surface == surface && opening.area > 0)
      return units.flow_rate(flow_rate, geometry.nodes.dimension) / opening.area;
  return 0;
}

/// True if what one flow consists of can be loaded into the other.
bool fit_together(const FlowState& one, const FlowState& other) {
  const auto fits = [](const NodeArray& a, const NodeArray& b) {
    return a.name == b.name && a.components == b.components && a.size == b.size;
  };
  const auto rows = one.arrays(), others = other.arrays();
  return hash_nodes(one.geometry().nodes) == hash_nodes(other.geometry().nodes) &&
         one.plan().flow().lattice == other.plan().flow().lattice && one.plan().format == other.plan().format &&
         std::equal(rows.begin(), rows.end(), others.begin(), others.end(), fits);
}

/// Gives a solver the flow of another one, with its time.
void copy_flow(const Solver& from, Solver& to) {
  std::vector<std::byte> buffer;
  for (std::size_t array = 0; array < from.arrays().size(); ++array) {
    const std::size_t bytes = format_bytes(from.arrays()[array].format(from.plan().format->name));
    for_each_range(from, array, [&](const ArrayRange& range, const EntryRange& entries) {
      buffer.resize(entries.count * bytes);
      from.save(range, buffer);
      to.load(range, buffer);
    });
  }
  to.resume_at(from.time_step());
}

/// A state that is given at the nodes of the coarsest level, at those of any: linear between fluid nodes around.
class StateBetween {
 public:
  template <class Density, class Velocity>
  StateBetween(const NodeMap& nodes, const Density& density, const Velocity& velocity) : nodes_(nodes) {
    const BoxArray box(nodes.size);
    for (RegularSamples* samples : {&density_, &velocity_}) {
      samples->first = {0.5, 0.5, 0.5};
      for (std::size_t a = 0; a < 3; ++a) samples->count[a] = nodes.size[static_cast<int>(a)];
    }
    velocity_.components = 3;
    density_.values.assign(box.count(), std::numeric_limits<float>::quiet_NaN());
    velocity_.values.assign(3 * box.count(), std::numeric_limits<float>::quiet_NaN());
    for (const NodeMap::Tile& tile : nodes.tiles)
      for (std::uint64_t bits = tile.mask; bits; bits &= bits - 1) {
        const std::size_t at = box(nodes.node_position(tile, std::countr_zero(bits)));
        const Real3 u = velocity(at);
        density_.values[at] = static_cast<float>(density(at) - 1);
        for (std::size_t a = 0; a < 3; ++a) velocity_.values[3 * at + a] = static_cast<float>(u[a]);
      }
  }
  void operator()(int level, const Int3& node, double& density, Real3& velocity) const {
    const double spacing = std::ldexp(1.0, -level);
    Real3 x{0.5, 0.5, 0.5};
    for (int a = 0; a < nodes_.dimension; ++a) x[static_cast<std::size_t>(a)] = spacing * (node[a] + 0.5);
    density = 1 + density_.at(x).value_or(Real3{})[0];
    velocity = velocity_.at(x).value_or(Real3{});
  }

 private:
  const NodeMap& nodes_;
  RegularSamples density_, velocity_;
};

}  // namespace

struct Session::Parts {
  explicit Parts(Case from)
      : flow_case(without_files(std::move(from))),
        flow(flow_case, [this](const std::string& text) { warnings.push_back(text); }) {
    flow.build();
    flow.make_solver();
    restart();
    simulation->begin();
  }
  [[nodiscard]] Solver& solver() const { return flow.solver(); }
  [[nodiscard]] const Solver& seen() const { return flow.seen(); }
  [[nodiscard]] OutputContext output() const { return {seen(), flow.units(), flow.grid()}; }
  /// Throws if the flow cannot go on; called by everything that looks at the flow.
  void look() {
    if (looked_at == solver().time_step()) return;
    if (!simulation->is_sound()) fail();
    looked_at = solver().time_step();
  }
  [[noreturn]] void fail() const {
    throw Error(ExitCode::unstable, diagnose_instability(flow_case, output(), seen().totals()));
  }
  /// Begins the time loop again, after the flow began anew or goes on from elsewhere.
  void restart() {
    looked_at = -1;
    simulation.emplace(flow_case, flow.grid(), flow.units(), solver(), seen(), options);
  }

  std::vector<std::string> warnings;
  Case flow_case;
  PreparedFlow flow;
  RunOptions options;
  std::optional<Simulation> simulation;
  std::int64_t looked_at = -1;  ///< time step at which the flow was last checked
};

Session::Session(Case c) : parts_(std::make_unique<Parts>(std::move(c))) {}
Session::~Session() = default;

const Case& Session::flow_case() const {
  return parts_->flow_case;
}
const Grid& Session::grid() const {
  return parts_->flow.grid();
}
const Units& Session::units() const {
  return parts_->flow.units();
}
const Geometry& Session::geometry() const {
  return parts_->seen().geometry();
}
const Plan& Session::plan() const {
  return parts_->solver().plan();
}
const std::vector<std::string>& Session::warnings() const {
  return parts_->warnings;
}
std::int64_t Session::time_step() const {
  return parts_->solver().time_step();
}
double Session::time() const {
  return parts_->flow.units().si_time(static_cast<double>(time_step()));
}
std::vector<std::string> Session::monitor_names() const {
  return parts_->simulation->monitors().titles();
}

const Tracers* Session::tracers() const {
  return parts_->simulation->tracers();
}

bool Session::advance(std::int64_t count, const std::function<bool()>& stop) {
  if (count < 0) throw_input(fmt::format("steps: '{}' is not possible; give 0 or more", count));
  const Completion end = parts_->simulation->watch(
      time_step() + count, stop ? stop : [] { return false; });
  if (end == Completion::diverged) parts_->fail();
  return end == Completion::completed;
}

std::vector<double> Session::monitors() const {
  parts_->look();
  const Solver& seen = parts_->seen();
  return parts_->simulation->monitors().sample(seen.totals(), opening_flows(parts_->solver()));
}

NodeShape Session::field_shape(const std::string& name) const {
  const Field field = find_field(name, parts_->output());
  const BoxArray box(grid().size);
  return {{box.z, box.y, box.x}, field.components, field.unit};
}

NodeValues Session::field(const std::string& name) const {
  NodeValues result{field_shape(name), {}};
  result.values.resize(result.count());
  field(name, result.values);
  return result;
}

void Session::field(const std::string& name, std::span<float> values) const {
  compute_field(name, values);
}

void Session::field(const std::string& name, std::span<double> values) const {
  compute_field(name, values);
}

template <class Value>
void Session::compute_field(const std::string& name, std::span<Value> values) const {
  if (const std::size_t count = field_shape(name).count(); values.size() != count)
    throw_input(fmt::format("field '{}': an array of {} values was given; expected {}", name, values.size(), count));
  parts_->look();
  fill_box(parts_->output(), find_field(name, parts_->output()), values, [](const Int3&) { return true; });
}

int Session::level_count() const {
  return std::max<int>(1, static_cast<int>(parts_->seen().levels().size()));
}

void Session::require_level(const std::string& what, int level) const {
  if (level < 0 || level >= level_count())
    throw_input(fmt::format("{}: there is no level {}; the flow has levels 0 to {}", what, level, level_count() - 1));
}

NodeShape Session::level_shape(const std::string& name, int level) const {
  require_level("field '" + name + "'", level);
  NodeShape shape = field_shape(name);
  const auto levels = parts_->seen().levels();
  if (!levels.empty()) {
    const BoxArray box(levels[static_cast<std::size_t>(level)].grid.size);
    shape.nodes = {box.z, box.y, box.x};
  }
  return shape;
}

std::vector<double> Session::field_of_level(const std::string& name, int level, bool own_only) const {
  std::vector<double> values(level_shape(name, level).count());
  const auto levels = parts_->seen().levels();
  if (levels.empty()) {
    field(name, std::span(values));
    return values;
  }
  parts_->look();
  const FlowLevel& own = levels[static_cast<std::size_t>(level)];
  const NodeMap& computed = own.state->geometry().nodes;
  const std::unique_ptr<FlowState> view = parts_->seen().seen_at(level, [](const Int3&) { return true; });
  const OutputContext output{*view, own.units, own.grid};
  fill_box(output, find_field(name, output), std::span(values),
           [&](const Int3& node) { return !own_only || computed.is_fluid(node); });
  return values;
}

DeviceArray Session::device_field(const std::string& name) const {
  const Field field = find_field(name, parts_->output());
  const Solver& solver = parts_->solver();
  const DeviceFields* const device = solver.device_fields();
  if (device == nullptr)
    throw_input(fmt::format("field '{}': there is no array of it on a GPU, as the flow is {}; take it on the host",
                            name, plan().device == "cpu" ? "on the CPU" : "on several GPUs"));
  parts_->look();
  // Where half of the nodes are stored, values of the others come from these.
  if (field.linear && &parts_->seen() == &solver) return device->compute(*field.linear);
  return device->upload(this->field(name).values);
}

std::vector<std::uint8_t> Session::fluid() const {
  return fluid_array(geometry().nodes);
}

NodeShape Session::populations_shape(int level) const {
  require_level("populations", level);
  const BoxArray box = box_of_level(parts_->solver(), level);
  return {{box.z, box.y, box.x}, plan().flow().lattice->directions, ""};
}

std::vector<double> Session::populations(int level) const {
  require_level("populations", level);
  parts_->look();
  return populations_of_level(parts_->solver(), level);
}

void Session::set_populations(std::span<const double> deviations, int level) {
  require_level("populations", level);
  replace_populations(parts_->solver(), level, deviations);
  parts_->looked_at = -1;
}

void Session::change_case(Case c) {
  c.hash = parts_->flow_case.hash;
  auto next = std::make_unique<Parts>(std::move(c));
  if (!fit_together(parts_->solver(), next->solver()))
    throw_input(
        "the case to go on with has other nodes, another lattice or storage format, or boundary conditions that keep "
        "something else; begin another flow with it");
  copy_flow(parts_->solver(), next->solver());
  next->restart();
  next->simulation->restore(parts_->simulation->state());
  next->simulation->begin();
  parts_ = std::move(next);
}

std::vector<double> Session::points_of(const std::string& surface) const {
  const Solver& solver = parts_->solver();
  const Geometry& all = solver.geometry();
  const auto opening = std::find_if(all.openings.begin(), all.openings.end(),
                                    [&](const Opening& o) { return all.surfaces[o.surface] == surface; });
  if (opening == all.openings.end()) {
    std::vector<std::string> names;
    for (const Opening& o : all.openings) names.push_back("'" + all.surfaces[o.surface] + "'");
    throw_input(fmt::format("'{}' is no opening of the flow (it has: {})", printable(surface),
                            names.empty() ? "none" : join(names)));
  }
  std::vector<bool> wanted(all.surfaces.size(), false);
  wanted[static_cast<std::size_t>(opening->surface)] = true;
  std::vector<Int3> nodes;
  for (const CutLink& link : collect_cut_links(all, solver.plan().flow().lattice->velocities, wanted))
    nodes.push_back(all.nodes.node_position(all.nodes.tiles[link.tile], link.bit));
  const auto by_place = [](const Int3& a, const Int3& b) {
    return std::tuple(a[2], a[1], a[0]) < std::tuple(b[2], b[1], b[0]);
  };
  std::sort(nodes.begin(), nodes.end(), by_place);
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  std::vector<double> points;
  for (const Int3& node : nodes) {
    Real3 x{node[0] + 0.5, node[1] + 0.5, node[2] + 0.5};
    x = x - dot(x - opening->centroid, opening->normal) * opening->normal;
    for (std::size_t axis = 0; axis < 3; ++axis) points.push_back(all.origin[axis] + units().spacing * x[axis]);
  }
  return points;
}

void Session::set_state(const std::vector<double>& pressure, const std::vector<double>& velocity) {
  const NodeMap& nodes = geometry().nodes;
  const BoxArray index(nodes.size);
  const std::size_t count = index.count();
  const auto check_size = [&](const std::vector<double>& values, std::size_t components, const char* name) {
    if (!values.empty() && values.size() != count * components)
      throw_input(fmt::format("{}: {} values given; the box of {} x {} x {} nodes needs {}", name, values.size(),
                              index.x, index.y, index.z, count * components));
  };
  check_size(pressure, 1, "pressure");
  check_size(velocity, 3, "velocity");
  const Units& units = parts_->flow.units();
  const auto velocity_at = [&](std::size_t at) {
    Real3 u{};
    if (!velocity.empty())
      for (std::size_t axis = 0; axis < 3; ++axis) u[axis] = units.velocity(velocity[3 * at + axis]);
    return u;
  };
  const auto density_at = [&](std::size_t at) {
    return pressure.empty() ? 1.0 : 1 + units.gauge_pressure(pressure[at]) / core::sound_speed_squared;
  };
  for (const NodeMap::Tile& tile : nodes.tiles)  // all values are checked before anything is changed
    for (std::uint64_t bits = tile.mask; bits; bits &= bits - 1) {
      const Int3 x = nodes.node_position(tile, std::countr_zero(bits));
      const std::size_t at = index(x);
      const double speed = norm(velocity_at(at)), density = density_at(at);
      const std::string where = fmt::format("[{}, {}, {}]", x[2], x[1], x[0]);
      if (!std::isfinite(speed) || !std::isfinite(density))
        throw_input((std::isfinite(speed) ? "pressure" : "velocity") + where + ": expected finite numbers");
      check_speed(parts_->flow_case, units, "velocity" + where, units.si_velocity(speed), speed);
      check_pressure(parts_->flow_case, units, "pressure" + where,
                     pressure.empty() ? units.reference_pressure : pressure[at],
                     (density - 1) * core::sound_speed_squared);
    }
  Solver& solver = parts_->solver();
  const auto start = [&](Solver& of_level, const Solver::InitialState& state) {
    of_level.initialise(state);
    if (!velocity.empty()) bounce_cut_links(of_level);
  };
  const Solver::InitialState coarsest = [&](const Int3& node, double& rho, Real3& u) {
    const std::size_t at = index(node);
    rho = density_at(at);
    u = velocity_at(at);
  };
  if (const int levels = level_count(); levels > 1) {
    const StateBetween between(nodes, density_at, velocity_at);
    start(*solver.solver_of_level(0), coarsest);
    for (int level = 1; level < levels; ++level)
      start(*solver.solver_of_level(level),
            [&](const Int3& node, double& rho, Real3& u) { between(level, node, rho, u); });
  } else {
    start(solver, coarsest);
  }
  parts_->restart();
  parts_->simulation->begin();
}

std::vector<BodyReport> Session::bodies() const {
  parts_->look();
  return report_bodies(flow_case(), parts_->solver(), units());
}

void Session::set_motion(const std::string& body, const Real3& velocity, const Real3& angular_velocity) {
  parts_->solver().apply(velocity_of_body(flow_case(), units(), body, velocity, angular_velocity));
}

void Session::set_boundary(const std::string& surface, const std::string& quantity, double value) {
  const Case& c = parts_->flow_case;
  const auto boundary = std::find_if(c.boundaries.begin(), c.boundaries.end(),
                                     [&](const Case::Boundary& b) { return b.surface == surface; });
  if (boundary == c.boundaries.end()) {
    std::vector<std::string> names;
    for (const Case::Boundary& b : c.boundaries) names.push_back("'" + b.surface + "'");
    throw_input(fmt::format("boundary '{}': the case has none of this name (it has: {})", printable(surface),
                            names.empty() ? "none" : join(names)));
  }
  const Case::Boundary& b = *boundary;
  const std::vector<ScalarMethod>& scalars = plan().scalars;
  for (std::size_t k = 0; k < scalars.size(); ++k) {
    if (scalars[k].name != quantity) continue;
    if (!std::isfinite(value))
      throw_input(fmt::format("boundary '{}': {}: expected a finite number", surface, quantity));
    const auto& names = parts_->solver().geometry().surfaces;
    parts_->solver().apply(ScalarValue{
        static_cast<int>(k), static_cast<int>(std::find(names.begin(), names.end(), surface) - names.begin()), value});
    return;
  }
  if (!b.series.empty())
    throw_input(fmt::format("boundary '{}': its {} comes from a time series; leave 'series' out of the case to set it",
                            surface, b.series_quantity));
  const core::ConditionFacts& facts = facts_of_boundary(b.type);
  std::vector<std::string> possible;
  for (const std::string& name : series_quantities(&facts)) {
    if ((name == "speed" && !b.speed) || (name == "flow_rate" && !b.flow_rate)) continue;
    if (facts.control == core::Control::none) possible.push_back(name);
  }
  if (std::find(possible.begin(), possible.end(), quantity) == possible.end())
    throw_input(fmt::format("boundary '{}': '{}' cannot be set ({})", surface, printable(quantity),
                            possible.empty() ? "no number can, with what the case says of it"
                                             : "what the case gives it: " + join(possible)));
  if (!std::isfinite(value)) throw_input(fmt::format("boundary '{}': {}: expected a finite number", surface, quantity));
  const Geometry& geometry = parts_->solver().geometry();
  const auto name = std::find(geometry.surfaces.begin(), geometry.surfaces.end(), surface);
  const int number = static_cast<int>(name - geometry.surfaces.begin());
  const Units& units = parts_->flow.units();
  if (quantity == "speed" || quantity == "flow_rate") {
    const double base = quantity == "speed" ? *b.speed : *b.flow_rate;
    if (base == 0)
      throw_input(
          fmt::format("boundary '{}': the case gives a {} of 0, which cannot be scaled to another; give it any "
                      "other there",
                      surface, quantity));
    check_speed(c, units, "boundary '" + surface + "'", value,
                quantity == "speed" ? units.velocity(value) : mean_speed(geometry, units, number, value));
    parts_->simulation->set_boundary_value(number, value / base);
    return;
  }
  check_pressure(c, units, "boundary '" + surface + "'", value, units.gauge_pressure(value));
  parts_->simulation->set_boundary_value(number, units.gauge_pressure(value));
}

void Session::save(const std::filesystem::path& file) const {
  parts_->look();
  const Case& c = parts_->flow_case;
  write_checkpoint(file, parts_->solver(), {version(), c.title, c.hash, parts_->simulation->state()});
}

std::string Session::restore(const std::filesystem::path& file) {
  const auto of_earlier = [this](const std::vector<double>& memory) {
    const Solver& solver = parts_->solver();
    return memory_of_earlier({parts_->flow_case, units(), solver.geometry()}, solver.plan().flow().lattice->name,
                             memory);
  };
  const LoadedCheckpoint loaded = read_checkpoint(file, parts_->solver(), {parts_->flow_case.hash, false, of_earlier});
  parts_->restart();
  parts_->simulation->restore(loaded.monitors);
  parts_->simulation->begin();
  return loaded.note;
}

}  // namespace fluvia
