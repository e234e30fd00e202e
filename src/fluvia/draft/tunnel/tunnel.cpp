// SPDX-License-Identifier: Apache-2.0
#include "fluvia/draft/tunnel/tunnel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "fluvia/base/text.hpp"
#include "fluvia/draft/tunnel/heat.hpp"
#include "fluvia/draft/tunnel/tunnel_box.hpp"

namespace fluvia::draft {

namespace {

constexpr double tunnel_passages = 4;  ///< how often the wind passes through the box
constexpr double turns = 10;           ///< of a body that turns: the wake of the start has left it by then

/// The file, or the folder of several files, that the bodies come from.
std::filesystem::path source_path(const DraftRequest& request) {
  if (request.files.size() == 1) return request.files.front();
  return std::filesystem::absolute(request.files.front()).lexically_normal().parent_path();
}

std::string source_of(const DraftRequest& request) {
  return shorten(source_path(request).filename().string());
}

void write_head(CaseText& text, const DraftRequest& request, const Tunnel& t) {
  const double u = t.reference_speed(*request.wind), along = t.size / t.finest_spacing();
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
  if (t.spin) write_spin_head(text, *t.spin, *request.wind);
  if (request.wall_functions) {
    text.comment(fmt::format(
        "The Reynolds number is that of the real flow, {}. Layers at walls are thinner than the nodes are apart: their "
        "friction is that of the law of the wall (docs/wall-functions.md), and eddies that the grid has not are "
        "modelled (LES). Do not believe the drag: walls at an angle to the lattice take up to twice the friction, and "
        "an "
        "Ahmed body had twice its drag (docs/validation/high-reynolds.md). Look at y+ in the verdict.",
        show_count(u * t.size / t.viscosity)));
    return;
  }
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
  Real3 velocity_of_wind{};
  velocity_of_wind[t.along] = (t.forwards ? 1 : -1) * *request.wind;
  const auto mirror = [&](int axis, bool upper, const char* comment) {
    if (t.spin) {  // bodies move between walls, not between planes of symmetry
      text.section("[[boundary]]").key("surface", t.face(axis, upper)).key("type", "moving_wall", comment);
      text.key("velocity", velocity_of_wind, "m/s: as the wind");
      if (!quiet) text.key("ramp", ramp);
      return;
    }
    text.section("[[boundary]]").key("surface", t.face(axis, upper)).key("type", "symmetry", comment);
    if (quiet && t.room(axis, upper) > t.spacing) layer(axis, upper, "");
  };
  mirror(t.side, false, "beside the body no wall holds up the air");
  mirror(t.side, true, "");
  if (request.ground == "moving") {
    text.section("[[boundary]]").key("surface", t.face(t.up, false));
    text.key("type", "moving_wall", "the ground, as the body sees it").key("velocity", velocity_of_wind);
    if (!quiet) text.key("ramp", ramp);
  } else if (request.ground == "no_slip") {
    text.section("[[boundary]]").key("surface", t.face(t.up, false));
    text.key("type", request.wall_functions ? "wall_function" : "wall", "the ground, at rest");
    // A wind over sand grains of a size k_s has the roughness length k_s/30 (docs/wall-functions.md).
    if (request.wall_functions && request.roughness)
      text.key("sand_grain", rounded(30 * *request.roughness, 3), "m: 30 roughness lengths");
  } else {
    mirror(t.up, false, request.ground == "none" ? "" : "the ground, which does not hold up the air");
  }
  mirror(t.up, true, "");
  if (!request.wall_functions) return;
  for (const Body& body : t.bodies) text.section("[[boundary]]").key("surface", body.name).key("type", "wall_function");
}

void write_run(CaseText& text, const DraftRequest& request, const Tunnel& t) {
  const double passage = t.nodes[t.along] * t.spacing / *request.wind;
  const auto steps_of = [&](double seconds) {
    return static_cast<std::int64_t>(rounded_up(seconds / t.step.seconds, 2));
  };
  const std::int64_t steps = steps_of(t.spin ? turns * t.spin->turn() : tunnel_passages * passage);
  text.section("[run]").key("steps", steps,
                            t.spin ? fmt::format("{} turns, {:.0f} steps each", turns, t.spin->turn() / t.step.seconds)
                                   : fmt::format("the wind passes the box {} times, in {} s each", tunnel_passages,
                                                 format_short(passage, 3)));
  Real3 drag{}, lift{};
  drag[t.along] = t.forwards ? 1 : -1;
  lift[t.up] = 1;
  std::vector<std::string> names;
  for (const Body& body : t.bodies) names.push_back(body.name);
  const bool one = names.size() == 1, ground = request.ground != "none";
  Real3 center;
  for (int axis = 0; axis < 3; ++axis)
    center[axis] = rounded_coordinate(t.spin                   ? t.spin->center[axis]
                                      : axis == t.up && ground ? t.origin[axis]
                                                               : 0.5 * (t.body.lower[axis] + t.body.upper[axis]),
                                      t.spacing);
  text.section("[monitor]")
      .key("every", std::max(10, static_cast<int>(rounded(t.spin ? 0.02 * t.spin->turn() / t.step.seconds
                                                                 : 0.05 * t.size / *request.wind / t.step.seconds,
                                                          1))))
      .key("forces", names)
      .key("reference_area", rounded(t.spin ? std::numbers::pi * t.spin->radius * t.spin->radius : t.largest->area, 4),
           t.spin ? "m2, of the circle of the tips"
           : one  ? "m2, frontal: measured on the mesh"
                  : "m2, frontal, of '" + t.largest->name + "': coefficients of all bodies refer to it")
      .key("drag_axis", drag, "C_d_" + names.front() + " in monitors.csv")
      .key("lift_axis", lift, "C_l_" + names.front())
      .key("torque_center", center,
           t.spin   ? "m: the center of mass"
           : ground ? "m: on the ground below the middle"
                    : "m: the middle of the box around all");
  std::vector<std::string> fields = {"pressure", "velocity"};
  if (request.wall_functions) {
    text.key("average_from", steps / 2, "steps: the mean flow is that from there on");
    fields.emplace_back("average_velocity");
  } else {
    text.comment(
        fmt::format("average_from = {} and fields of the name average_velocity would show the mean flow", steps / 2));
  }
  if (request.heat) fields.emplace_back("temperature");
  text.section("[output]").key("fields", fields);
  const bool stress_is_known = !request.wall_functions || t.levels.finest == 0;  // that of the law is on one level
  if (stress_is_known)
    text.key("wall", request.wall_files,
             request.wall_files ? "pressure and stress on the body, wall-*.vtp" : "not known beside sheets");
  for (const char* field : {"velocity", request.heat ? "temperature" : "pressure"}) {
    text.slice(field, t.side);
    const geometry::BoundingBox& box = t.largest->box;
    const double middle = t.spin ? t.spin->center[t.side] : 0.5 * (box.lower[t.side] + box.upper[t.side]);
    text.key("position", rounded_coordinate(middle, t.spacing),
             one ? "m: the middle of the body" : "m: the middle of '" + t.largest->name + "'");
  }
}

}  // namespace

Draft draft_tunnel(const DraftRequest& request) {
  const Tunnel t = choose_tunnel(request);
  const bool one = t.bodies.size() == 1;
  Draft draft;
  draft.name = plain_stem(source_path(request));
  CaseText text("Flow around " + title_words(source_path(request)));
  write_head(text, request, t);
  const double along = t.size / t.finest_spacing();
  write_units(text, t.medium, t.finest_spacing(),
              fmt::format("m: {} nodes along the {}", format_short(along, 3), one ? "body" : "bodies"),
              rounded(t.reference_speed(*request.wind), 6), t.spin ? "m/s, of the tips" : "m/s",
              rounded(t.spin ? 2 * t.spin->radius : t.size, 4),
              t.spin ? "m, diameter of the circle of the tips"
              : one  ? "m, longest edge of the body"
                     : "m, longest edge of the box around the bodies",
              t.step, t.viscosity, t.levels.finest > 0);
  Real3 origin, size;
  for (int axis = 0; axis < 3; ++axis) {
    // Rounded to a millionth of a node or less, so that a body that is meant to lie on the ground does.
    const double grain = std::pow(10.0, std::floor(std::log10(1e-6 * t.spacing)));
    origin[axis] = rounded(std::round(t.origin[axis] / grain) * grain, 12) + 0.0;
    size[axis] = rounded(t.nodes[axis] * t.spacing, 9);
  }
  text.section("[domain]")
      .key("size", size, fmt::format("m: {} x {} x {} nodes", t.nodes[0], t.nodes[1], t.nodes[2]))
      .key("origin", origin, "m: the corner in the coordinates of the file");
  write_bodies(text, request, t);
  if (t.spin) write_spin(text, *t.spin, t.bodies.front());
  if (t.levels.finest > 0) {
    std::vector<std::string> at_rest;
    for (const Body& body : t.bodies)
      if (!t.spin) at_rest.push_back(body.name);
    write_levels(text, t.levels, at_rest, t.finest_spacing());
  }
  write_boundaries(text, request, t);
  if (t.step.eddies || begins_moving(request, t)) text.section("[physics]");
  if (begins_moving(request, t)) {
    Real3 wind{};
    wind[t.along] = (t.forwards ? 1 : -1) * *request.wind;
    text.key("initial_velocity", wind, "m/s: the wind blows from the start");
  }
  if (t.step.eddies)
    text.key("smagorinsky", request.wall_functions ? 0.1 : 0.14,
             "constant of the model of eddies that the grid does not resolve");
  if (request.wall_functions)
    text.section("[numerics]")
        .key("lattice", "D3Q27")
        .key("collision", "cumulant", "with wall functions others become unstable at high Reynolds numbers");
  if (request.heat) write_heat(text, heating_of(request, t), t.bodies.front(), t.viscosity);
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
                    "what to believe{}",
                    show_count(t.reference_speed(*request.wind) * t.size / t.medium.viscosity), format_short(along, 3),
                    show_count(t.reference_speed(*request.wind) * t.size / t.viscosity),
                    t.spin ? "" : "; --wall-functions computes the real one with the friction of a law"));
  return draft;
}

}  // namespace fluvia::draft
