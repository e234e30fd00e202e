// SPDX-License-Identifier: Apache-2.0
#include "fluvia/draft/tunnel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fluvia/base/error.hpp"
#include "fluvia/base/text.hpp"
#include "fluvia/case/ground.hpp"
#include "fluvia/draft/bodies.hpp"
#include "fluvia/draft/choices.hpp"
#include "fluvia/draft/heat.hpp"
#include "fluvia/draft/wake_levels.hpp"
#include "fluvia/geometry/input_file.hpp"

namespace fluvia::draft {

namespace {

constexpr double usual_tunnel_nodes = 2e6;
/// Length of the box before and behind the body, in body lengths: longer with levels, since there it costs little.
struct Reach {
  double upstream, downstream;
};
constexpr Reach reach_of(int levels) {
  return levels == 0 ? Reach{1.5, 3} : Reach{2.5, 4.5};
}
constexpr double most_blockage = 0.05;  ///< largest part of the cross-section that the body may take
constexpr double tunnel_passages = 4;   ///< how often the wind passes through the box

struct Tunnel {
  std::vector<Body> bodies;
  geometry::BoundingBox body;     ///< bounding box of all bodies, m
  double area = 0;                ///< frontal area of all bodies, without regard to which hides which, m2
  const Body* largest = nullptr;  ///< the body of the largest frontal area
  int along = 0, up = 2, side = 1;
  bool forwards = true;  ///< the wind blows along the axis, not against it
  double size = 0;       ///< longest edge of the body's box, m
  double spacing = 0;    ///< of the coarsest level
  Int3 nodes{};          ///< of the box, on the coarsest level
  WakeLevels levels;
  LevelWork work;
  Real3 origin{};
  Medium medium;
  double viscosity = 0;  ///< viscosity that is computed with, m2/s
  TimeStep step;         ///< of the coarsest level

  /// Distance of nodes at the body.
  [[nodiscard]] double finest_spacing() const { return std::ldexp(spacing, -levels.finest); }
  [[nodiscard]] double extent(int axis) const { return body.upper[axis] - body.lower[axis]; }
  [[nodiscard]] std::string face(int axis, bool upper) const {
    return std::string(1, "xyz"[axis]) + (upper ? "_max" : "_min");
  }
  /// Room between the bodies and a face of the box.
  [[nodiscard]] double room(int axis, bool upper) const {
    return upper ? origin[axis] + nodes[axis] * spacing - body.upper[axis] : body.lower[axis] - origin[axis];
  }
  [[nodiscard]] double blockage() const { return area / (1.0 * nodes[up] * nodes[side] * spacing * spacing); }
};

void read_body(const DraftRequest& request, Tunnel& t) {
  t.bodies = read_bodies(request, t.along);
  if (request.heat) check_heating(request, t.bodies);
  for (const Body& body : t.bodies) {
    t.body.add(body.box.lower);
    t.body.add(body.box.upper);
    t.area += body.area;
    if (t.largest == nullptr || body.area > t.largest->area) t.largest = &body;
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

double sponge_of(const Tunnel& t, double spacing) {
  return rounded(std::max(0.5 * t.size, 10 * spacing), 3);
}

WakeSite site_of(const Tunnel& t, const geometry::BoundingBox& tunnel, double spacing) {
  return {t.body, tunnel, t.size, t.along, t.forwards, sponge_of(t, spacing)};
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
    return (t.extent(t.side) + 2 * margin) * (t.extent(t.up) + (ground ? 1 : 2) * margin);
  };
  while (t.area > most_blockage * cross_section()) margin *= 1.05;
  Real3 before{}, after{};
  before[t.side] = after[t.side] = margin;
  before[t.up] = ground ? 0 : margin;
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
    // On ground the lowest point of the body lies on the face of the box.
    t.origin[axis] = t.body.lower[axis] - (before[axis] == 0 ? 0 : std::round(before[axis] / t.spacing) * t.spacing);
  }
}

/// The wind as a boundary of the case prescribes it.
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

/// The largest speed to be expected: beside the bodies, or where a wind above a ground is fastest.
double peak_of(const DraftRequest& request, const Tunnel& t) {
  const double beside = peak_beside_body * *request.wind;
  const Case::Boundary wind = wind_of(request, t);
  return is_above_ground(wind) ? std::max(beside, speed_at_height(wind, t.nodes[t.up] * t.spacing)) : beside;
}

void choose_flow(const DraftRequest& request, Tunnel& t) {
  const double u = *request.wind, peak = peak_of(request, t);
  t.viscosity = t.medium.viscosity;
  const double spacing = t.finest_spacing();
  t.step = choose_time_step(u, peak, spacing, t.viscosity);
  if (t.step.node_reynolds > survivable) {
    t.viscosity = rounded_up(peak * spacing / survivable, 3);
    t.step = choose_time_step(u, peak, spacing, t.viscosity);
  }
  // Up to there plans and verdicts say that the grid resolves the flow, and that a model would only hold it up. Streams
  // past bodies that slow are laminar, and their largest speed is little above that of the wind.
  t.step.eddies = u * spacing / t.viscosity > modelled;
  t.step = coarsest_step(t.step, t.levels.finest);
}

/// The file, or the folder of several files, that the bodies come from.
std::filesystem::path source_path(const DraftRequest& request) {
  if (request.files.size() == 1) return request.files.front();
  return std::filesystem::absolute(request.files.front()).lexically_normal().parent_path();
}

std::string source_of(const DraftRequest& request) {
  return shorten(source_path(request).filename().string());
}

void write_head(CaseText& text, const DraftRequest& request, const Tunnel& t) {
  const double u = *request.wind, along = t.size / t.finest_spacing();
  const bool one = t.bodies.size() == 1;
  const auto [upstream, downstream] = reach_of(request.levels);
  text.comment(fmt::format(
      "Made from {} by `fluvia new --from`. {} {} x {} x {}, {} {} m2; the box is {:.3g} lengths of {} long before {} "
      "and {:.3g} behind, and {:.2g}% of its cross-section is blocked. {} nodes along that length, {} in the box{}, "
      "which take about {}.",
      source_of(request), one ? "The body is" : fmt::format("The {} bodies are", t.bodies.size()),
      show_length(t.extent(0)), show_length(t.extent(1)), show_length(t.extent(2)),
      one ? "its frontal area" : "their frontal areas add up to", format_short(t.area, 4), upstream,
      one ? "the body" : "all of them", one ? "it" : "them", downstream, 100 * t.blockage(), format_short(along, 3),
      show_count(t.work.nodes), t.levels.finest > 0 ? fmt::format(" on {} levels", t.levels.finest + 1) : "",
      show_memory(t.work.nodes * 100)));
  if (request.ground == "no_slip")
    text.comment(
        "The ground holds up the wind, and there is no wall model: on the way to the bodies the profile becomes that "
        "of "
        "the fluid that is computed, and close to the ground it is slower than in nature. Keep the way short, and look "
        "at the wind in an empty box first (leave out [[geometry.stl]]).");
  if (request.heat && t.viscosity != t.medium.viscosity)
    text.comment(
        "The larger viscosity conducts heat better as well: the body stays cooler than it would be. Believe how the "
        "temperatures of two designs compare, not what they are.");
  if (!t.step.eddies) return;
  const double real = u * t.size / t.medium.viscosity, here = u * t.size / t.viscosity;
  if (t.viscosity != t.medium.viscosity)
    text.comment(fmt::format(
        "The Reynolds number of the real flow is {}, out of reach of these nodes. The case computes {}, with a larger "
        "viscosity, and models the eddies that the grid has not (LES); layers at the body are not resolved, and there "
        "is "
        "no wall model. Drag and wake of bodies with edges, where the flow separates in any case, depend little on "
        "that; "
        "friction, and separation from round bodies, do: do not believe them. Resolved without a model: Re up to {}.",
        show_count(real), show_count(here), show_count(resolved_reynolds(along))));
  else
    text.comment(fmt::format(
        "Re = {} is far more than these nodes resolve, {}: eddies that the grid has not are modelled (LES), "
        "and there is no "
        "wall model, so that friction is too small.",
        show_count(real), show_count(resolved_reynolds(along))));
}

void write_bodies(CaseText& text, const DraftRequest& request, const Tunnel& t) {
  std::size_t holes = 0;
  for (const Body& body : t.bodies) holes += body.holes;
  if (holes > 0)
    text.section("[geometry]")
        .key("allow_defects", true,
             fmt::format("the surface has {} holes, which are closed; look at the slices of `fluvia geometry --png`",
                         holes));
  for (const Body& body : t.bodies) {
    const bool first = &body == &t.bodies.front();
    text.section("[[geometry.stl]]")
        .key("file", file_in_case(body.file, request.folder), first ? "relative to this case" : "");
    if (!body.part.empty()) text.key("part", body.part);
    text.key("name", body.name, first ? "the surface whose force is recorded" : "")
        .key("unit", *request.unit, first ? "metres per unit of the file" : "")
        .key("fluid", "outside");
  }
}

Heating heating_of(const DraftRequest& request, const Tunnel& t) {
  return {*request.heat, t.bodies.front().volume};
}

/// Whether the wind is there from the start, with layers before the faces of the box that take the sound of the start
/// out: on levels, whose wakes are fine enough to shed vortices, of which sound between the faces would hide the
/// forces. Layers hold up a wind that rises, so it does not; one above a ground that holds it up is nowhere the same.
bool begins_moving(const DraftRequest& request, const Tunnel& t) {
  return t.levels.finest > 0 && request.ground != "no_slip";
}

void write_boundaries(CaseText& text, const DraftRequest& request, const Tunnel& t) {
  const double ramp = rounded_up(std::max(500 * t.step.seconds, t.size / *request.wind), 2);
  const Case::Boundary wind = wind_of(request, t);
  text.section("[[boundary]]").key("surface", wind.surface).key("type", wind.type);
  text.key("speed", *wind.speed, request.roughness ? "m/s, at the reference height" : "");
  if (request.roughness)
    text.key("profile", wind.profile)
        .key("ground", wind.ground)
        .key("roughness", *request.roughness, "m: 0.0002 over water, 0.03 over grass, 1 over a town")
        .key("reference_height", wind.values.at("reference_height"), "m, that of the highest body");
  if (request.heat) write_heat_of_wind(text, heating_of(request, t));
  const bool quiet = begins_moving(request, t);
  const auto layer = [&](int axis, bool upper, const char* comment) {
    text.key("sponge", rounded(std::min(sponge_of(t, t.spacing), 0.5 * t.room(axis, upper)), 3), comment);
  };
  if (quiet)
    layer(t.along, !t.forwards, "m: takes out the sound that comes from the body, so that none comes back");
  else
    text.key("ramp", ramp, "s, in which the wind rises, so that no shock runs through the box");
  text.section("[[boundary]]").key("surface", t.face(t.along, t.forwards)).key("type", "non_reflecting");
  text.key("sponge", sponge_of(t, t.spacing), "m: damps the wake before it leaves");
  const auto mirror = [&](int axis, bool upper, const char* comment) {
    text.section("[[boundary]]").key("surface", t.face(axis, upper)).key("type", "symmetry", comment);
    if (quiet && t.room(axis, upper) > t.spacing) layer(axis, upper, "");
  };
  mirror(t.side, false, "beside the body no wall holds up the air");
  mirror(t.side, true, "");
  if (request.ground == "moving") {
    Real3 velocity{};
    velocity[t.along] = (t.forwards ? 1 : -1) * *request.wind;
    text.section("[[boundary]]").key("surface", t.face(t.up, false));
    text.key("type", "moving_wall", "the ground, as the body sees it").key("velocity", velocity);
    if (!quiet) text.key("ramp", ramp);
  } else if (request.ground == "no_slip") {
    text.section("[[boundary]]").key("surface", t.face(t.up, false)).key("type", "wall", "the ground, at rest");
  } else {
    mirror(t.up, false, request.ground == "none" ? "" : "the ground, which does not hold up the air");
  }
  mirror(t.up, true, "");
}

void write_run(CaseText& text, const DraftRequest& request, const Tunnel& t) {
  const double passage = t.nodes[t.along] * t.spacing / *request.wind;
  const auto steps = static_cast<std::int64_t>(rounded_up(tunnel_passages * passage / t.step.seconds, 2));
  text.section("[run]").key(
      "steps", steps,
      fmt::format("the wind passes the box {} times, in {} s each", tunnel_passages, format_short(passage, 3)));
  Real3 drag{}, lift{};
  drag[t.along] = t.forwards ? 1 : -1;
  lift[t.up] = 1;
  std::vector<std::string> names;
  for (const Body& body : t.bodies) names.push_back(body.name);
  const bool one = names.size() == 1, ground = request.ground != "none";
  Real3 center;
  for (int axis = 0; axis < 3; ++axis)
    center[axis] = rounded_coordinate(
        axis == t.up && ground ? t.body.lower[axis] : 0.5 * (t.body.lower[axis] + t.body.upper[axis]), t.spacing);
  text.section("[monitor]")
      .key("every", std::max(10, static_cast<int>(rounded(0.05 * t.size / *request.wind / t.step.seconds, 1))))
      .key("forces", names)
      .key("reference_area", rounded(t.largest->area, 4),
           one ? "m2, frontal: measured on the mesh"
               : "m2, frontal, of '" + t.largest->name + "': coefficients of all bodies refer to it")
      .key("drag_axis", drag, "C_d_" + names.front() + " in monitors.csv")
      .key("lift_axis", lift, "C_l_" + names.front())
      .key("torque_center", center,
           ground ? "m: on the ground below the middle" : "m: the middle of the box around all")
      .comment(
          fmt::format("average_from = {} and fields of the name average_velocity would show the mean flow", steps / 2));
  std::vector<std::string> fields = {"pressure", "velocity"};
  if (request.heat) fields.emplace_back("temperature");
  text.section("[output]").key("fields", fields);
  text.key("wall", request.wall_files,
           request.wall_files ? "pressure and stress on the body, wall-*.vtp" : "not known beside sheets");
  for (const char* field : {"velocity", request.heat ? "temperature" : "pressure"}) {
    text.slice(field, t.side);
    const geometry::BoundingBox& box = t.largest->box;
    text.key("position", rounded_coordinate(0.5 * (box.lower[t.side] + box.upper[t.side]), t.spacing),
             one ? "m: the middle of the body" : "m: the middle of '" + t.largest->name + "'");
  }
}

}  // namespace

std::vector<std::string> tunnel_grounds() {
  return {"none", "free_slip", "no_slip", "moving"};
}

Draft draft_tunnel(const DraftRequest& request) {
  Tunnel t;
  set_direction(request, t);
  t.medium = medium_of(request, "air");
  read_body(request, t);
  make_box(request, t);
  choose_levels(request, t);
  choose_flow(request, t);

  const bool one = t.bodies.size() == 1;
  Draft draft;
  draft.name = plain_stem(source_path(request));
  CaseText text("Flow around " + title_words(source_path(request)));
  write_head(text, request, t);
  const double along = t.size / t.finest_spacing();
  write_units(text, t.medium, t.finest_spacing(),
              fmt::format("m: {} nodes along the {}", format_short(along, 3), one ? "body" : "bodies"), *request.wind,
              "m/s", rounded(t.size, 4),
              one ? "m, longest edge of the body" : "m, longest edge of the box around the bodies", t.step, t.viscosity,
              t.levels.finest > 0);
  Real3 origin, size;
  for (int axis = 0; axis < 3; ++axis) {
    // Rounded to a millionth of a node, so that a body that is meant to lie on the ground does.
    const double grain = 1e-6 * t.spacing;
    origin[axis] = rounded(std::round(t.origin[axis] / grain) * grain, 12) + 0.0;
    size[axis] = rounded(t.nodes[axis] * t.spacing, 9);
  }
  text.section("[domain]")
      .key("size", size, fmt::format("m: {} x {} x {} nodes", t.nodes[0], t.nodes[1], t.nodes[2]))
      .key("origin", origin, "m: the corner in the coordinates of the file");
  write_bodies(text, request, t);
  if (t.levels.finest > 0) {
    std::vector<std::string> names;
    for (const Body& body : t.bodies) names.push_back(body.name);
    write_levels(text, t.levels, names, t.finest_spacing());
  }
  write_boundaries(text, request, t);
  if (t.step.eddies || begins_moving(request, t)) text.section("[physics]");
  if (begins_moving(request, t)) {
    Real3 wind{};
    wind[t.along] = (t.forwards ? 1 : -1) * *request.wind;
    text.key("initial_velocity", wind, "m/s: the wind blows from the start");
  }
  if (t.step.eddies) text.key("smagorinsky", 0.14, "constant of the model of eddies that the grid does not resolve");
  if (request.heat) {
    write_heat(text, heating_of(request, t), t.bodies.front(), t.viscosity);
    text.section("[numerics]").key("device", "cpu", "scalars spread in solids on CPUs only");
  }
  write_run(text, request, t);
  draft.text = text.text();
  for (const Body& body : t.bodies)
    if (!one)
      draft.notes.push_back(fmt::format(
          "body '{}': {} x {} x {}, frontal area {} m2", body.name, show_length(body.box.upper[0] - body.box.lower[0]),
          show_length(body.box.upper[1] - body.box.lower[1]), show_length(body.box.upper[2] - body.box.lower[2]),
          format_short(body.area, 4)));
  if (t.viscosity != t.medium.viscosity)
    draft.notes.push_back(
        fmt::format("Re = {} is out of reach of {} nodes along the body: the case computes Re = {}; its comments say "
                    "what to believe",
                    show_count(*request.wind * t.size / t.medium.viscosity), format_short(along, 3),
                    show_count(*request.wind * t.size / t.viscosity)));
  return draft;
}

}  // namespace fluvia::draft
