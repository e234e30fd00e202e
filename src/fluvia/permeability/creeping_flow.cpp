// SPDX-License-Identifier: Apache-2.0
#include "fluvia/permeability/creeping_flow.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>

#include "fluvia/backend/backend.hpp"
#include "fluvia/base/duration.hpp"
#include "fluvia/base/error.hpp"
#include "fluvia/geometry/map/components.hpp"
#include "fluvia/permeability/transient.hpp"

namespace fluvia {

namespace {

using Seconds = std::chrono::duration<double>;
constexpr const char* axis_names[3] = {"x", "y", "z"};
constexpr double report_seconds = 10;

/// The case of a flow along `axis`, without the force and before fluid is dropped.
Case flow_case(const PermeabilitySettings& settings, int axis, int refine) {
  Case c = settings.image;
  c.units.tau = settings.tau;
  c.numerics.collision = "trt";
  c.numerics.magic = settings.magic;
  c.run.steps = settings.largest_steps;
  Bool3 mirror{};
  for (int k = 0; k < c.domain.dimension; ++k) {
    const std::string& way = k == axis ? settings.ends : settings.sides;
    mirror[k] = way == "mirrored";
    c.domain.periodic[k] = way != "closed";  // an image and its mirror image repeat without a jump
  }
  const auto set_image = [&](auto& image) {
    image.refine = refine;
    image.mirror = mirror;
  };
  if (c.geometry.voxels) set_image(*c.geometry.voxels);
  if (c.geometry.mask) set_image(*c.geometry.mask);
  return c;
}

/// Describes the fluid in the components with keep[component].
void describe(const NodeMap& nodes, const geometry::Components& components, const std::vector<bool>& keep,
              PoreSpace& pores) {
  std::uint64_t volume = 0, wall = 0;
  for (std::size_t t = 0; t < nodes.tiles.size(); ++t)
    for (std::uint64_t rest = nodes.tiles[t].mask; rest != 0; rest &= rest - 1) {
      const int bit = std::countr_zero(rest);
      if (!keep[components.of(t, bit)]) continue;
      ++volume;
      for (int direction = 0; direction < 2 * nodes.dimension; ++direction) {
        Int3 next = nodes.node_position(nodes.tiles[t], bit);
        next[direction / 2] += direction % 2 == 0 ? -1 : 1;
        wall += nodes.is_fluid(next) ? 0 : 1;
      }
    }
  pores.percolating_porosity = static_cast<double>(volume) / static_cast<double>(nodes.box_nodes());
  pores.hydraulic_diameter = wall == 0 ? 0 : 4.0 * static_cast<double>(volume) / static_cast<double>(wall);
}

/// Mean speed over all fluid nodes, lattice units.
double mean_speed(const Solver& solver) {
  constexpr std::uint64_t chunk = 4096;
  const NodeMap& nodes = solver.geometry().nodes;
  double sum = 0;
  Moments moments;
  for (std::uint64_t first = 0; first < nodes.tiles.size(); first += chunk) {
    solver.moments(first, std::min<std::uint64_t>(chunk, nodes.tiles.size() - first), false, moments);
    for (const Real3& u : moments.velocity) sum += norm(u);
  }
  return sum / static_cast<double>(nodes.fluid_nodes);
}

/// A force, lattice units, so small that the flow creeps and its pressure hardly changes the density, and no smaller:
/// in a round pipe of this diameter the Reynolds number would be 0.001.
double small_force(double viscosity, double diameter, int length) {
  const double creeping = 0.001 * 32 * viscosity * viscosity / (diameter * diameter * diameter);
  const double incompressible = 1e-4 / (3.0 * length);
  return std::min(creeping, incompressible);
}

/// Why a solver of this plan would not do, as a sentence; empty if it will.
std::string find_refusal(const Plan& plan) {
  if (!plan.refusal.empty()) return plan.refusal;
  if (plan.domain.is_streamed()) return "the domain does not fit into the memory of the GPU as a whole";
  return {};
}

/// Steps a solver until its mean flux along an axis is steady.
class Approach {
 public:
  Approach(const PermeabilitySettings& settings, Solver& solver, int axis, int refine)
      : settings_(settings), solver_(solver), axis_(axis), refine_(refine) {}

  void run(double tolerance, PermeabilityFlow& flow) {
    // Finer grids take longer; a look at the sums costs about a step.
    const std::int64_t interval = 20 * refine_;
    Transient transient;
    auto shown = Clock::now();
    double seconds = 0;
    while (solver_.time_step() < settings_.largest_steps && !flow.steady && !is_interrupted(settings_)) {
      const auto start = Clock::now();
      solver_.step(std::min(interval, settings_.largest_steps - solver_.time_step()));
      totals_ = solver_.totals();
      seconds += Seconds(Clock::now() - start).count();
      if (!totals_.finite)
        throw Error(ExitCode::unstable, fmt::format("permeability along {}: the flow diverged at step {}; choose a tau "
                                                    "nearer to 1",
                                                    axis_names[axis_], solver_.time_step()));
      if (solver_.time_step() == interval) show_pace(seconds / static_cast<double>(interval));
      transient.add(totals_.momentum[axis_]);
      flow.remaining = transient.remaining();
      flow.steady = flow.remaining <= tolerance;
      if (Seconds(Clock::now() - shown).count() < report_seconds) continue;
      shown = Clock::now();
      show(flow, seconds);
    }
    flow.steps = solver_.time_step();
    flow.mflups = speed(seconds);
  }
  [[nodiscard]] const Totals& totals() const { return totals_; }

 private:
  using Clock = std::chrono::steady_clock;
  [[nodiscard]] double speed(double seconds) const {
    const auto updates =
        static_cast<double>(solver_.geometry().nodes.fluid_nodes) * static_cast<double>(solver_.time_step());
    return seconds > 0 ? updates / seconds / 1e6 : 0;
  }
  /// Says how long steps take, unless nobody will wait for them.
  void show_pace(double seconds_per_step) const {
    constexpr double steps = 1000;
    if (!settings_.on_message || steps * seconds_per_step < report_seconds) return;
    settings_.on_message(fmt::format("along {}, refine {}: {:.0f} steps take about {}", axis_names[axis_], refine_,
                                     steps, duration_text(steps * seconds_per_step)));
  }
  void show(const PermeabilityFlow& flow, double seconds) const {
    if (!settings_.on_message) return;
    settings_.on_message(
        fmt::format("along {}, refine {}: step {}, {:.1f} MFLUPS, {} to go", axis_names[axis_], refine_,
                    solver_.time_step(), speed(seconds),
                    std::isfinite(flow.remaining) ? fmt::format("{:.2g}%", 100 * flow.remaining) : std::string("all")));
  }

  const PermeabilitySettings& settings_;
  Solver& solver_;
  int axis_, refine_;
  Totals totals_;
};

std::optional<PermeabilityFlow> solve(const PermeabilitySettings& settings, const PoreSpace& pores, int axis,
                                      int refine, double tolerance, std::string& refusal) {
  Case c = flow_case(settings, axis, refine);
  c.geometry.percolating_axis = axis;
  const Grid grid = make_grid(c);
  const double viscosity = (settings.tau - 0.5) / 3, diameter = pores.hydraulic_diameter * refine;
  const double force = small_force(viscosity, diameter, grid.size[axis]);
  c.physics.acceleration[axis] = force;
  validate(c);
  const Units units = make_units(c, grid.spacing);
  Geometry geometry = build_geometry(c, grid);
  const Plan plan = plan_case({c, units, geometry});
  refusal = find_refusal(plan);
  if (!refusal.empty()) return std::nullopt;
  const std::unique_ptr<Solver> solver = make_solver({c, units, std::move(geometry)});
  const NodeMap& nodes = solver->geometry().nodes;

  if (settings.on_message)
    settings.on_message(fmt::format("along {}, refine {}: {} nodes, of which {} take part, {:.3g} MiB",
                                    axis_names[axis], refine, nodes.box_nodes(), nodes.fluid_nodes,
                                    static_cast<double>(plan.total_bytes()) / (1 << 20)));
  PermeabilityFlow flow;
  flow.refine = refine;
  flow.nodes = nodes.size;
  flow.fluid_nodes = nodes.fluid_nodes;
  Approach approach(settings, *solver, axis, refine);
  approach.run(tolerance, flow);
  // Darcy's law: U_i = k_ij g_j / viscosity, U the mean over the whole box.
  const Totals& totals = approach.totals();
  const double edge = settings.voxel / refine, scale = viscosity / force / static_cast<double>(nodes.box_nodes());
  for (int i = 0; i < 3; ++i) flow.permeability[i] = scale * totals.momentum[i] * edge * edge;
  const double speed = mean_speed(*solver);
  flow.tortuosity = speed * static_cast<double>(nodes.fluid_nodes) / totals.momentum[axis];
  flow.hydraulic_diameter = diameter * edge;
  flow.reynolds = speed * diameter / viscosity;
  flow.mach = std::sqrt(3.0) * totals.max_speed;
  // The flow that an interruption cuts short is dropped where a coarser one is complete: pictures show what is kept.
  if (settings.on_flow && (flow.steady || !is_interrupted(settings)))
    settings.on_flow({*solver, units, grid, axis, refine});
  return flow;
}

}  // namespace

PoreSpace find_pores(const PermeabilitySettings& settings, int axis) {
  Case c = flow_case(settings, axis, 1);
  c.geometry.keep_isolated = true;
  const Grid grid = make_grid(c);
  validate(c);
  const Geometry geometry = build_geometry(c, grid);
  const NodeMap& nodes = geometry.nodes;
  const geometry::Components components(nodes);
  std::vector<bool> endless;
  for (const Bool3& along : components.endless()) endless.push_back(along[axis]);
  PoreSpace pores;
  pores.porosity = nodes.porosity();
  describe(nodes, components, endless, pores);
  if (pores.percolating_porosity > 0 && pores.hydraulic_diameter == 0)
    throw_input(
        "permeability: no solid is beside the fluid, so that no force is too small to accelerate it for ever; "
        "check which values are fluid, or choose closed sides");
  return pores;
}

std::optional<PermeabilityFlow> solve_creeping_flow(const PermeabilitySettings& settings, const PoreSpace& pores,
                                                    int axis, int refine, double tolerance, std::string& refusal) {
  try {
    return solve(settings, pores, axis, refine, tolerance, refusal);
  } catch (const Error& error) {
    if (error.code() != ExitCode::resource) throw;
    refusal = error.what();
    return std::nullopt;
  }
}

}  // namespace fluvia
