// SPDX-License-Identifier: Apache-2.0
#include "fluvia/draft/tunnel/tunnel_box.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fluvia/base/error.hpp"
#include "fluvia/base/text.hpp"
#include "fluvia/case/ground.hpp"
#include "fluvia/draft/tunnel/heat.hpp"
#include "fluvia/draft/tunnel/tunnel.hpp"
#include "fluvia/geometry/input_file.hpp"

namespace fluvia::draft {

namespace {

constexpr double usual_tunnel_nodes = 2e6;
constexpr double most_blockage = 0.05;  ///< largest part of the cross-section that the body may take

void read_body(const DraftRequest& request, Tunnel& t) {
  t.bodies = read_bodies(request, t.along);
  if (request.heat) check_heating(request, t.bodies);
  for (const Body& body : t.bodies) {
    t.body.add(body.box.lower);
    t.body.add(body.box.upper);
    t.area += body.area;
    if (t.largest == nullptr || body.area > t.largest->area) t.largest = &body;
  }
  if (request.spin) {
    t.spin = make_spin(request, t.bodies, t.along, t.forwards);
    t.body = t.spin->box;
  }
  t.size = std::max({t.extent(0), t.extent(1), t.extent(2)});
}

/// The axis that points up: as the request says, or as the files do. glTF says that it is y (Khronos Group, glTF 2.0
/// specification, section 3.4); most others have z.
int up_of(const DraftRequest& request) {
  if (!request.up.empty()) return request.up == "y" ? 1 : 2;
  const auto is_gltf = [](const std::filesystem::path& file) {
    const std::string extension = geometry::extension_of(file);
    return extension == ".gltf" || extension == ".glb";
  };
  return std::all_of(request.files.begin(), request.files.end(), is_gltf) ? 1 : 2;
}

void set_direction(const DraftRequest& request, Tunnel& t) {
  const std::string axis = request.direction.starts_with('-') ? request.direction.substr(1) : request.direction;
  const std::size_t at = axis.size() == 1 ? std::string("xyz").find(axis) : std::string::npos;
  if (at == std::string::npos)
    throw Error(ExitCode::usage, "--direction: '" + shorten(request.direction) + "' is not one of x, -x, y, -y, z, -z");
  const std::vector<std::string> grounds = tunnel_grounds();
  if (std::find(grounds.begin(), grounds.end(), request.ground) == grounds.end())
    throw Error(ExitCode::usage, "--ground: '" + shorten(request.ground) + "' is not one of " + join(grounds));
  if (request.roughness && request.ground != "no_slip")
    throw Error(ExitCode::usage, "--roughness: is that of a ground which holds up the wind; give --ground no_slip");
  if (request.clearance != 0 && request.ground == "none")
    throw Error(ExitCode::usage, "--clearance: is that of a ground; give --ground moving, no_slip or free_slip");
  if (!(request.clearance >= 0))
    throw Error(ExitCode::usage, "--clearance: the ground lies below the body; give a length of 0 or more");
  if (request.heat && request.wall_functions)
    throw Error(ExitCode::usage,
                "--wall-functions: have no law for heat, which would be that of a layer as thick as a node; leave out "
                "--heat or --wall-functions");
  t.along = static_cast<int>(at);
  t.forwards = !request.direction.starts_with('-');
  t.up = up_of(request);
  if (t.up == t.along && !request.up.empty())
    throw Error(ExitCode::usage, fmt::format("--up: the wind blows along {} (--direction)", request.up));
  if (t.up == t.along) t.up = t.along == 2 ? 1 : 2;
  t.side = 3 - t.along - t.up;
}

/// Refuses nodes between which the body would slip through, and says which would not.
void check_thickness(const DraftRequest& request, const Tunnel& t, const Real3& whole) {
  // A node of the finest level, which surrounds the bodies, has to lie in each.
  const double spacing = std::ldexp(t.spacing, -request.levels);
  double thinnest = 1e300;
  std::string file, name = "the body";
  for (const Body& body : t.bodies)
    for (int axis = 0; axis < 3; ++axis) {
      if (!(body.box.upper[axis] - body.box.lower[axis] < thinnest)) continue;
      thinnest = body.box.upper[axis] - body.box.lower[axis];
      file = body.file.string();
      if (t.bodies.size() > 1) name = "'" + body.name + "'";
    }
  if (thinnest >= spacing) return;
  const std::string option = request.spacing ? "--spacing" : request.nodes_across ? "--nodes-across" : "--most-nodes";
  if (!(thinnest > 0))
    throw_input(fmt::format("{}: {} has no thickness, so that no node lies in it; give it one", file, name));
  constexpr double nodes_across = 1.5;  // at least one, wherever the body lies between the nodes
  const double enough = rounded_down(thinnest / nodes_across, 2);
  throw Error(ExitCode::usage,
              fmt::format("{}: {} is {} thin, and nodes would be {} apart, so that it could vanish between them; "
                          "with --spacing {} or less it stays, in {} nodes",
                          option, name, show_length(thinnest), show_length(spacing), format_short(enough, 2),
                          show_count(whole[0] * whole[1] * whole[2] / (enough * enough * enough))));
}

WakeSite site_of(const Tunnel& t, const geometry::BoundingBox& tunnel, double spacing) {
  return {t.body, tunnel, t.size, t.along, t.forwards, sponge_of(t, spacing), t.spin.has_value()};
}

/// The spacing of the finest level with which a step of it computes so many nodes.
double affordable_spacing(const DraftRequest& request, const Tunnel& t, const geometry::BoundingBox& tunnel,
                          double budget) {
  double fine = 1e-4 * t.size, coarse = t.size;
  while (coarse > 1.001 * fine) {
    const double spacing = std::sqrt(fine * coarse);
    const WakeSite site = site_of(t, tunnel, std::ldexp(spacing, request.levels));
    const bool fits = work_of(site, wake_levels(site, request.levels, spacing), spacing).nodes_a_step <= budget;
    (fits ? coarse : fine) = spacing;
  }
  return coarse;
}

/// Chooses the levels, and refuses what leaves too little room for them before the body.
void choose_levels(const DraftRequest& request, Tunnel& t) {
  geometry::BoundingBox tunnel;
  tunnel.add(t.origin);
  tunnel.add(t.origin + t.spacing * Real3{1.0 * t.nodes[0], 1.0 * t.nodes[1], 1.0 * t.nodes[2]});
  const WakeSite site = site_of(t, tunnel, t.spacing);
  const double finest = std::ldexp(t.spacing, -request.levels);
  t.levels = wake_levels(site, request.levels, finest);
  t.work = work_of(site, t.levels, finest);
  if (request.levels == 0) {
    t.levels = {};
    t.work.nodes = t.work.nodes_a_step = 1.0 * t.nodes[0] * t.nodes[1] * t.nodes[2];
    return;
  }
  const double room = reach_of(request.levels).upstream * t.size / t.spacing, needed = nodes_before(t.levels, finest);
  if (room < needed)
    throw Error(
        ExitCode::usage,
        fmt::format("--levels: {} nodes of the coarsest level lie before the body, and {} levels around it need "
                    "{}; take fewer levels, or --spacing {:.3g}m or less at the body",
                    std::floor(room), request.levels, std::ceil(needed), rounded_down(finest * room / needed, 2)));
}

/// Makes the box for a spacing, in whole nodes: lengths of it before and behind the body, and as much room beside the
/// body as keeps the blockage small.
void make_box(const DraftRequest& request, Tunnel& t) {
  const bool ground = request.ground != "none";
  double margin = std::max(t.extent(t.up), t.extent(t.side));
  const auto cross_section = [&] {
    return (t.extent(t.side) + 2 * margin) * (t.extent(t.up) + margin + (ground ? request.clearance : margin));
  };
  while (t.area > most_blockage * cross_section()) margin *= 1.05;
  Real3 before{}, after{};
  before[t.side] = after[t.side] = margin;
  before[t.up] = ground ? request.clearance : margin;
  after[t.up] = margin;
  const auto [upstream, downstream] = reach_of(request.levels);
  before[t.along] = (t.forwards ? upstream : downstream) * t.size;
  after[t.along] = (t.forwards ? downstream : upstream) * t.size;
  const Real3 whole = before + after + (t.body.upper - t.body.lower);
  const double budget = request.most_nodes.value_or(usual_tunnel_nodes);
  double finest = 0;
  if (request.spacing)
    finest = *request.spacing;
  else if (request.nodes_across)
    finest = rounded_down(t.size / *request.nodes_across, 3);
  else if (request.levels == 0)
    finest = rounded_up(std::cbrt(whole[0] * whole[1] * whole[2] / budget), 3);
  else
    finest = rounded_up(affordable_spacing(request, t, {t.body.lower - before, t.body.upper + after}, budget), 3);
  t.spacing = std::ldexp(finest, request.levels);
  check_thickness(request, t, whole);
  for (int axis = 0; axis < 3; ++axis) {
    const double wanted = std::round(whole[axis] / t.spacing);
    if (!(wanted >= 1 && wanted <= 1048576))
      throw Error(ExitCode::usage,
                  fmt::format("--spacing: the box would have {:.3g} nodes along {}; the body is {} long", wanted,
                              "xyz"[axis], show_length(t.size)));
    t.nodes[axis] = static_cast<int>(wanted);
    // The ground is a face of the box, and lies where it is wanted.
    const bool exact = axis == t.up && ground;
    t.origin[axis] = t.body.lower[axis] - (exact ? before[axis] : std::round(before[axis] / t.spacing) * t.spacing);
  }
}

/// The largest speed to be expected: beside the bodies, or where a wind above a ground is fastest.
double peak_of(const DraftRequest& request, const Tunnel& t) {
  double beside = peak_beside_body * *request.wind;
  // Beside tips the air is little faster than these are, as that before a body that rests is.
  if (t.spin) beside = std::max(beside, peak_beside_body * std::hypot(t.spin->tip_speed(), *request.wind));
  const Case::Boundary wind = wind_of(request, t);
  return is_above_ground(wind) ? std::max(beside, speed_at_height(wind, t.nodes[t.up] * t.spacing)) : beside;
}

void choose_flow(const DraftRequest& request, Tunnel& t) {
  const double u = t.reference_speed(*request.wind), peak = peak_of(request, t);
  t.viscosity = t.medium.viscosity;
  const double spacing = t.finest_spacing();
  t.step = choose_time_step(u, peak, spacing, t.viscosity);
  if (t.step.node_reynolds > survivable && !request.wall_functions) {
    t.viscosity = rounded_up(peak * spacing / survivable, 3);
    t.step = choose_time_step(u, peak, spacing, t.viscosity);
  }
  // Up to there plans and verdicts say that the grid resolves the flow, and that a model would only hold it up. Streams
  // past bodies that slow are laminar, and their largest speed is little above that of the wind.
  t.step.eddies = u * spacing / t.viscosity > modelled;
  t.step = coarsest_step(t.step, t.levels.finest);
}

}  // namespace

std::vector<std::string> tunnel_grounds() {
  return {"none", "free_slip", "no_slip", "moving"};
}

double sponge_of(const Tunnel& t, double spacing) {
  return rounded(std::max(0.5 * t.size, 10 * spacing), 3);
}

Case::Boundary wind_of(const DraftRequest& request, const Tunnel& t) {
  Case::Boundary wind;
  wind.surface = t.face(t.along, !t.forwards);
  wind.type = "velocity";
  wind.speed = *request.wind;
  if (!request.roughness) return wind;
  wind.profile = "logarithmic";
  wind.ground = t.face(t.up, false);
  wind.values = {{"roughness", *request.roughness}, {"reference_height", t.extent(t.up)}};
  return wind;
}

Tunnel choose_tunnel(const DraftRequest& request) {
  Tunnel t;
  set_direction(request, t);
  t.medium = medium_of(request, "air");
  read_body(request, t);
  make_box(request, t);
  choose_levels(request, t);
  choose_flow(request, t);
  return t;
}

}  // namespace fluvia::draft
