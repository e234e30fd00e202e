// SPDX-License-Identifier: Apache-2.0
#include "fluvia/run/checks/parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "fluvia/base/text.hpp"
#include "fluvia/case/ground.hpp"
#include "fluvia/case/physics/registered_physics.hpp"
#include "fluvia/run/findings/body_extent.hpp"
#include "fluvia/solver/plan/collision_choice.hpp"
#include "fluvia/solver/profiles/prescribed_flux.hpp"
#include "fluvia/solver/profiles/time_series.hpp"

namespace fluvia {

namespace {

constexpr double half_way_magic = 3.0 / 16;
constexpr double least_magic = 1.0 / 12, most_magic = 0.5, absurd_magic = 2;
constexpr double least_rate = 0.5, most_rate = 1.99;
constexpr double doubtful_error = 0.02, bad_error = 0.05;
constexpr double digits_of_magic = 1e-3;  // 0.0833 is 1/12
constexpr int too_few_nodes = 5, enough_nodes = 10;
constexpr double most_reynolds_of_few_rates = 10;  ///< grid Reynolds number

/// The boundary condition at a face of the box; null: a wall at rest.
const core::ConditionFacts* facts_at(const Case& c, const Geometry& geometry, int face) {
  for (const Case::Boundary& b : c.boundaries)
    if (b.surface == geometry.surfaces[static_cast<std::size_t>(face)]) return &facts_of_boundary(b.type);
  return nullptr;
}

double parameter_flow_error(double magic, double width) {
  return width > 0 ? (16 * magic - 3) / (2 * width * width) : 0;
}

std::string consequence(double error, double width) {
  if (width == 0) return "";
  const std::string walls = fmt::format(" between walls {} nodes apart", format_short(width, 3));
  if (std::abs(error) < 0.5) return fmt::format("; a flow{} is about {}% off", walls, format_short(100 * error, 2));
  return fmt::format("; a flow{} is about {} times the exact one", walls, format_short(1 + error, 3));
}

std::string collision_of(const Problem& problem) {
  const Case& c = problem.settings;
  if (c.numerics.collision != "auto") return c.numerics.collision;
  const std::string lattice = lattice_of(c);
  return choose_collision(lattice, c.numerics.equilibrium, problem.units.tau, problem.units.reference_velocity,
                          interfaces_of(problem))
      .collision;
}

bool is_grave(double error, double magic) {
  return std::abs(error) > bad_error || magic > absurd_magic;
}

void check_magic(const Problem& problem, double width, std::vector<UnusualParameter>& found) {
  const Case& c = problem.settings;
  const double given = c.numerics.magic;
  const double magic = c.refine.empty() ? given : magic_beside_levels(given, problem.units.tau);
  const double error = parameter_flow_error(magic, width);
  const bool usual = magic >= least_magic * (1 - digits_of_magic) && magic <= most_magic * (1 + digits_of_magic);
  if (usual && std::abs(error) <= doubtful_error) return;
  found.push_back({fmt::format("numerics.magic = {}{} is {}, where 3/16 puts straight walls half-way between nodes{}",
                               format_short(magic), magic < given ? ", which is what it is beside finer levels," : "",
                               usual ? "within the usual 1/12 to 1/2" : "outside of the usual 1/12 to 1/2",
                               consequence(error, width)),
                   error, is_grave(error, magic), magic < given ? "numerics.collision=auto" : "numerics.magic=0.1875"});
}

/// Text that names the collision under which walls stay where they are, whatever the viscosity.
std::string keep_walls() {
  return "numerics.collision=" + collisions_with(core::OddRates::magic).front();
}

/// Checks a collision with one rate for all moments, in which the magic parameter follows from the viscosity.
void check_single_rate(const Units& units, const std::string& collision, double width,
                       std::vector<UnusualParameter>& found) {
  const double magic = (units.tau - 0.5) * (units.tau - 0.5), error = parameter_flow_error(magic, width);
  if (std::abs(error) <= doubtful_error) return;
  found.push_back({fmt::format("numerics.collision = \"{}\" moves walls with the viscosity, tau = {}{}", collision,
                               format_short(units.tau), consequence(error, width)),
                   error, is_grave(error, magic), keep_walls()});
}

/// Checks collisions that keep only the stress: they relax the moment that stands for the energy flux at a rate of 1.
void check_regularized(const Units& units, const std::string& collision, double width,
                       std::vector<UnusualParameter>& found) {
  const double magic = 0.5 * (units.tau - 0.5), error = parameter_flow_error(magic, width);
  if (std::abs(error) <= doubtful_error) return;
  found.push_back({fmt::format("numerics.collision = \"{}\" moves walls with the viscosity, tau = {}{}", collision,
                               format_short(units.tau), consequence(error, width)),
                   error, std::abs(error) > bad_error, keep_walls()});
}

void check_rates(const Problem& problem, double width, std::vector<UnusualParameter>& found) {
  for (const auto& [name, rate] : problem.settings.numerics.mrt_rates) {
    const std::string key = "numerics.mrt_rates." + name;
    if (name != "energy_flux") {
      if (rate >= least_rate && rate <= most_rate) continue;
      found.push_back(
          {fmt::format("{} = {} is outside of the usual {} to {}", key, format_short(rate), least_rate, most_rate), 0,
           rate == 0, key + "=1"});
      continue;
    }
    const double shear = problem.units.tau - 0.5, magic = rate > 0 ? shear * (1 / rate - 0.5) : 1e300;
    const double error = parameter_flow_error(magic, width);
    if (magic <= most_magic * (1 + digits_of_magic) && std::abs(error) <= doubtful_error) continue;
    found.push_back(
        {fmt::format("{} = {} moves walls as a magic parameter of {} does, which is {}3/16 where they lie "
                     "half-way between nodes{}",
                     key, format_short(rate), format_short(magic, 3),
                     magic > most_magic ? "outside of the usual 1/12 to 1/2, and " : "", consequence(error, width)),
         error, is_grave(error, magic), key + "=" + format_short(1 / (0.5 + half_way_magic / shear), 4)});
  }
}

/// Largest speed of a boundary's profile over its mean.
double peak_of(const Case::Boundary& b, int dimension) {
  if (b.profile == "uniform" || b.profile == "table") return 1;
  return dimension == 2 ? 1.5 : 2;
}

/// Speed of a wind above a ground at the height of the box, lattice units.
double speed_at_top(const Problem& problem, const Case::Boundary& b) {
  const auto axis = static_cast<std::size_t>(ground_of(problem.settings, b, "boundary '" + b.surface + "'") / 2);
  const double height = problem.units.spacing * problem.geometry.nodes.size[axis];
  return std::abs(problem.units.velocity(speed_at_height(b, height)));
}

/// The largest speed that the case names, lattice units; without tables.
double named_speed(const Problem& problem) {
  const int dimension = problem.geometry.nodes.dimension;
  double speed = problem.units.reference_velocity;
  for (const Case::Boundary& b : problem.settings.boundaries) {
    speed = std::max(speed, problem.units.velocity(norm(b.velocity)));
    if (b.series.empty() && is_above_ground(b) && b.speed) speed = std::max(speed, speed_at_top(problem, b));
    if (!prescribes_flux(b)) continue;
    const double most = b.series.empty() ? 1 : b.series_scale * read_series(problem.settings, b).extreme();
    for (const Opening& opening : problem.geometry.openings)
      if (problem.geometry.surfaces[static_cast<std::size_t>(opening.surface)] == b.surface && opening.area > 0)
        speed =
            std::max(speed, peak_of(b, dimension) *
                                std::abs(most * prescribed_flux(b, problem.units, opening, dimension)) / opening.area);
  }
  return speed;
}

/// The collision to take where that of the case is among the first to become unstable (docs/stability.md); ""
/// elsewhere. Collisions that "auto" chooses are not among these where it chooses them.
std::string stabler_collision(const Problem& problem, double speed) {
  const Case& c = problem.settings;
  const std::string& collision = c.numerics.collision;
  if (!gives_way_early(collision) || c.physics.smagorinsky > 0 || c.physics.rheology) return "";
  if (speed / problem.units.viscosity <= most_reynolds_of_few_rates * (1 + 1e-9)) return "";
  const std::string lattice = lattice_of(c);
  const std::string better =
      choose_collision(lattice, c.numerics.equilibrium, problem.units.tau, speed, interfaces_of(problem)).collision;
  return better == collision ? "" : better;
}

/// What to say of a stream past levels that is too thin for outlets with its collision; "" where it is not. `speed`:
/// the largest that the case names; that of an opening may be more than the reference velocity, by which "auto"
/// chooses.
std::string advise_thin_stream(const Problem& problem, double speed) {
  const Case& c = problem.settings;
  if (c.physics.smagorinsky > 0 || c.physics.rheology || collision_of(problem) == "recursive-regularized" ||
      !is_thin_stream(lattice_of(c), c.numerics.equilibrium, problem.units.tau, speed, interfaces_of(problem)))
    return "";
  return fmt::format(
      "numerics.collision = \"{}\" lets short waves grow in the outlets of a stream past levels, and the Reynolds "
      "number "
      "of a node of the coarsest (largest speed that the case names, spacing, viscosity) is {}; "
      "--set numerics.collision=recursive-regularized",
      collision_of(problem), format_short(speed / problem.units.viscosity, 3));
}

std::string advise_stability(const Problem& problem) {
  const double speed = named_speed(problem);
  if (std::string advice = advise_thin_stream(problem, speed); !advice.empty()) return advice;
  const std::string better = stabler_collision(problem, speed);
  if (better.empty()) return "";
  return fmt::format(
      "numerics.collision = \"{}\" is among the first to become unstable, and the Reynolds number of a node (largest "
      "speed that the case names, spacing, viscosity) is {}, above {}; --set numerics.collision={}",
      problem.settings.numerics.collision, format_short(speed / problem.units.viscosity, 3), most_reynolds_of_few_rates,
      better);
}

/// The largest speed of a laminar flow that the forces and pressures of the case drive through its narrowest way, G H^2
/// / (8 nu), lattice units; 0 if there are none, or no walls.
double driven_speed(const Problem& problem) {
  double drive = 0;
  for (int axis = 0; axis < problem.geometry.nodes.dimension; ++axis)
    drive = std::max(drive, std::abs(problem.units.acceleration(problem.settings.physics.acceleration[axis])));
  std::vector<std::pair<double, Real3>> held;  // density of an opening, and its position
  for (const Case::Boundary& b : problem.settings.boundaries) {
    const core::ConditionFacts& facts = facts_of_boundary(b.type);
    const auto given = b.values.find(facts.keys[0].name == nullptr ? "" : facts.keys[0].name);
    if (!facts.holds_pressure) continue;
    for (const Opening& opening : problem.geometry.openings)
      if (opening.name == b.surface)
        held.emplace_back(problem.units.gauge_pressure(given == b.values.end() ? 0 : given->second), opening.centroid);
  }
  for (const auto& [high, from] : held)
    for (const auto& [low, to] : held)
      if (const double apart = norm(to - from); apart > 1) drive = std::max(drive, (high - low) / apart);
  const double width = narrowest_way(problem.settings, problem.geometry);
  return drive * width * width / (8 * problem.units.viscosity);
}

/// How many times as fast as at its openings a flow in 3D may be where its way is narrower: of a way inside a vessel
/// that is not known to be narrow, as narrow as may be. A box is as wide everywhere as its faces are.
double largest_narrowing(const Problem& problem) {
  const Geometry& geometry = problem.geometry;
  if (geometry.nodes.dimension != 3) return 1;
  int known = geometry.report.narrowest_way;
  const bool is_vessel = std::any_of(geometry.openings.begin(), geometry.openings.end(),
                                     [](const Opening& opening) { return opening.surface > surface_id::z_max; });
  if (known == 0 && is_vessel) known = wide_way;
  if (known == 0) return 1;
  // Its nodes may be those of finer levels, which openings are not on.
  const double way = std::ldexp(known, -problem.settings.finest_level());
  double narrowing = 1;
  for (const double across : nodes_across_openings(geometry))
    narrowing = std::max(narrowing, across * across / (way * way));
  return narrowing;
}

/// Warning of a model of eddies where the grid resolves all of them: it makes the fluid more viscous.
std::string advise_eddies(const Problem& problem) {
  if (!(problem.settings.physics.smagorinsky > 0)) return "";
  const double speed = std::max(largest_narrowing(problem) * named_speed(problem), driven_speed(problem));
  if (!(speed > 0) || speed / problem.units.viscosity > good_node_reynolds) return "";
  Case without = problem.settings;
  without.physics.smagorinsky = 0;
  const std::string better = stabler_collision(problem.with(without), speed);
  return fmt::format(
      "physics.smagorinsky = {} makes the fluid more viscous where it is sheared, and the grid resolves this flow "
      "without it: the Reynolds number of a node (largest speed that the case names or drives, spacing, viscosity) is "
      "{}, not above {}; --set physics.smagorinsky=0{}",
      format_short(problem.settings.physics.smagorinsky), format_short(speed / problem.units.viscosity, 3),
      good_node_reynolds, better.empty() ? "" : " --set numerics.collision=" + better);
}

/// What half-way walls do to a flow between them, as far as it is known before the run; text of a warning.
std::string advise_half_way_walls(const Geometry& geometry) {
  const auto error = half_way_error(geometry);
  if (!error || std::abs(error->flow) <= doubtful_error) return "";
  return fmt::format("{}; --set walls.method=auto", error->text);
}

}  // namespace

std::optional<BoxWidth> narrowest_box_width(const Case& c, const Geometry& geometry) {
  std::optional<BoxWidth> narrowest;
  for (int axis = 0; axis < geometry.nodes.dimension; ++axis) {
    if (geometry.nodes.periodic[axis] || geometry.nodes.size[axis] < 1) continue;
    int walls = 0, mirrors = 0;
    for (int side = 0; side < 2; ++side) {
      const core::ConditionFacts* const facts = facts_at(c, geometry, 2 * axis + side);
      walls += facts == nullptr || facts->sticks;
      mirrors += facts != nullptr && facts->mirrors_on_faces;
    }
    if (walls == 0 || walls + mirrors < 2) continue;
    const int nodes = (mirrors + 1) * geometry.nodes.size[axis];
    if (!narrowest || nodes < narrowest->nodes) narrowest = BoxWidth{axis, nodes};
  }
  if (narrowest) narrowest->is_flat = flat_axis(c, geometry.nodes.size) == narrowest->axis;
  return narrowest;
}

std::vector<double> nodes_across_openings(const Geometry& geometry) {
  std::vector<bool> wanted(geometry.surfaces.size(), false);
  for (const Opening& opening : geometry.openings) wanted[static_cast<std::size_t>(opening.surface)] = true;
  const std::vector<int> images = count_images(geometry, wanted);
  const auto across = [&](const Opening& opening) {
    const NodeMap& nodes = geometry.nodes;
    const double area = images[static_cast<std::size_t>(opening.surface)] * opening.area;
    if (nodes.dimension == 2) return area;
    for (int axis = 0; axis < 3; ++axis)
      if (nodes.periodic[axis] && opening.normal[axis] == 0) return area / nodes.size[axis];
    return std::sqrt(4 * area / std::numbers::pi);
  };
  std::vector<double> widths;
  for (const Opening& opening : geometry.openings) widths.push_back(across(opening));
  return widths;
}

double narrowest_way(const Case& c, const Geometry& geometry) {
  double width = 0;
  const auto take = [&](double nodes) {
    if (nodes > 0 && (width == 0 || nodes < width)) width = nodes;
  };
  if (const auto box = narrowest_box_width(c, geometry)) take(box->nodes);
  if (geometry.report.boundary_nodes > 0)
    for (const double across : nodes_across_openings(geometry)) take(across);
  return width;
}

Advice advise_width(const Case& c, const Adviser& adviser, const BoxWidth& width, double wanted) {
  const std::string axis(1, "xyz"[width.axis]);
  if (!width.is_flat) return adviser.finer(wanted / width.nodes);
  Bool3 periodic = c.domain.periodic;
  periodic[width.axis] = true;
  return {"leave the walls along " + axis + " out, or give domain.dimension = 2",
          {fmt::format("domain.periodic=[{},{},{}]", periodic[0], periodic[1], periodic[2])},
          false};
}

std::optional<HalfWayError> half_way_error(const Geometry& geometry) {
  const GeometryReport& report = geometry.report;
  if (!report.half_way_walls) return {};
  // Measured for round pipes on D3Q19, at any place and from 4 to 12 nodes in radius, Lambda = 1/12 to 1/4: 0.08 to
  // 0.16.
  constexpr double friction_of_stairs = 0.12;
  const auto volume = static_cast<double>(report.fluid_nodes);
  const double wider = -report.half_way_walls->excess / volume;  // cross-section that is missing, as a part of it
  // Mean velocities are proportional to the square of the width: in pipes to the area.
  const double power = geometry.nodes.dimension == 2 ? 2 : 1;
  const double velocity = power * (wider - friction_of_stairs * report.half_way_walls->stairs / volume);
  HalfWayError error;
  for (const double each : {wider, velocity, velocity + wider})
    if (std::abs(each) > std::abs(error.flow)) error.flow = each;
  error.text = fmt::format(
      "walls are half-way along links, not where they are (walls.method = \"half-way\"), an error of first order: the "
      "fluid has {}% of its cross-section too {}, and a flow between such walls is about {}% too {}",
      format_short(100 * std::abs(wider), 2), wider > 0 ? "much" : "little",
      format_short(100 * std::abs(error.flow), 2), error.flow > 0 ? "large" : "small");
  return error;
}

std::vector<UnitsAdvice> advise_units(const Case& c, const Units& units) {
  // A flow that the grid resolves may be as slow on the lattice as one likes where its collision stays stable.
  const int finest = c.finest_level();
  const bool resolved =
      units.reynolds() > 0 && units.reynolds() <= resolved_reynolds(units.of_level(finest).reference_length);
  Units calm = units;
  if (resolved && c.numerics.collision != "auto" && !gives_way_early(c.numerics.collision))
    calm.tau = std::max(1.0, calm.tau);
  return advise(calm, c.physics.smagorinsky, {finest, c.units.finest_spacing.has_value()});
}

std::vector<UnusualParameter> find_unusual_parameters(const Problem& problem) {
  const Case& c = problem.settings;
  const Units& units = problem.units;
  std::vector<UnusualParameter> found;
  const double width = narrowest_way(c, problem.geometry);
  const std::string collision = collision_of(problem);
  const bool viscosity_is_given = !c.physics.rheology;
  switch (facts_of_collision(collision).odd_rates) {
    case core::OddRates::magic:
      check_magic(problem, width, found);
      break;
    case core::OddRates::omega:
      if (viscosity_is_given) check_single_rate(units, collision, width, found);
      break;
    case core::OddRates::one:
      if (viscosity_is_given) check_regularized(units, collision, width, found);
      break;
    case core::OddRates::given:
      check_rates(problem, width, found);
      break;
    case core::OddRates::own:
      break;
  }
  return found;
}

std::vector<std::string> advise_parameters(const Problem& problem) {
  const Case& c = problem.settings;
  std::vector<std::string> warnings;
  for (const std::string& text :
       {advise_stability(problem), advise_eddies(problem), advise_half_way_walls(problem.geometry)})
    if (!text.empty()) warnings.push_back(text);
  for (const UnusualParameter& each : find_unusual_parameters(problem))
    warnings.push_back(each.text + "; --set " + each.setting);
  const Adviser adviser(c, problem.units, problem.grid(), c.run.steps.value_or(1));
  const GeometryReport& report = problem.geometry.report;  // which warns of gaps by itself
  const auto width = narrowest_box_width(c, problem.geometry);
  // These are walls of which the next warning speaks.
  const bool is_box = width && !width->is_flat && report.narrowest_way == width->nodes;
  if (report.narrowest_way > 0 && report.narrowest_way < too_few_nodes && report.narrowest_gap == 0 && !is_box) {
    const Advice advice = adviser.finer(static_cast<double>(enough_nodes) / report.narrowest_way);
    const std::string options = as_options(advice, false);
    warnings.push_back(
        fmt::format("{} has to pass a place of only {} nodes from wall to wall, where a "
                    "flow needs {} or more: {}{}",
                    report.narrowest_way_of, report.narrowest_way, enough_nodes, advice.text,
                    options.empty() ? "" : ": " + options));
  }
  if (!width || width->nodes >= too_few_nodes) return warnings;
  const Advice advice = advise_width(c, adviser, *width, enough_nodes);
  const std::string options = as_options(advice, false);
  warnings.push_back(
      fmt::format("only {} node{} between the walls at {}_min and {}_max, where a flow needs {} or "
                  "more: {}{}",
                  width->nodes, width->nodes == 1 ? " lies" : "s lie", "xyz"[width->axis], "xyz"[width->axis],
                  enough_nodes, advice.text, options.empty() ? "" : ": " + options));
  return warnings;
}

}  // namespace fluvia
