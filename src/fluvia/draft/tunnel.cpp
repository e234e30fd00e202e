// SPDX-License-Identifier: Apache-2.0
#include "fluvia/draft/tunnel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fluvia/base/error.hpp"
#include "fluvia/base/text.hpp"
#include "fluvia/draft/choices.hpp"
#include "fluvia/draft/vessel_shape.hpp"
#include "fluvia/geometry/mesh/mesh.hpp"
#include "fluvia/geometry/mesh/surface_file.hpp"

namespace fluvia::draft {

namespace {

constexpr double usual_tunnel_nodes = 2e6;
constexpr double upstream = 1.5, downstream = 3;  ///< length of the box before and behind the body, in body lengths
constexpr double most_blockage = 0.05;            ///< largest part of the cross-section that the body may take
constexpr double peak = peak_beside_body;
constexpr double tunnel_passages = 4;  ///< how often the wind passes through the box
constexpr int raster = 2000;           ///< cells along a shadow's longer side

struct Tunnel {
  geometry::BoundingBox body;  ///< bounding box, m
  double area = 0;             ///< frontal area, m2
  std::size_t holes = 0;
  int along = 0, up = 2, side = 1;
  bool forwards = true;  ///< the wind blows along the axis, not against it
  double size = 0;       ///< longest edge of the body's box, m
  double spacing = 0;
  Int3 nodes{};
  Real3 origin{};
  Medium medium;
  double viscosity = 0;  ///< viscosity that is computed with, m2/s
  TimeStep step;

  [[nodiscard]] double extent(int axis) const { return body.upper[axis] - body.lower[axis]; }
  [[nodiscard]] double volume() const { return 1.0 * nodes[0] * nodes[1] * nodes[2]; }
  [[nodiscard]] std::string face(int axis, bool upper) const {
    return std::string(1, "xyz"[axis]) + (upper ? "_max" : "_min");
  }
  [[nodiscard]] double blockage() const { return area / (1.0 * nodes[up] * nodes[side] * spacing * spacing); }
};

void read_body(const DraftRequest& request, Tunnel& t) {
  require_unit(request);
  geometry::TriangleSoup soup = geometry::read_surface(request.files.front());
  for (auto& triangle : soup)
    for (Real3& corner : triangle) t.body.add(corner = *request.unit * corner);
  t.area = shadow(soup, t.along);
  if (!(t.area > 0))
    throw_input(fmt::format("{}: the body has no area across the wind", request.files.front().string()));
  const geometry::Patch patch{std::move(soup), 0};
  t.holes = geometry::find_defects(geometry::weld({&patch, 1}, 1e-6 * norm(t.body.upper - t.body.lower))).loops.size();
  t.size = std::max({t.extent(0), t.extent(1), t.extent(2)});
}

void set_direction(const DraftRequest& request, Tunnel& t) {
  const std::string axis = request.direction.starts_with('-') ? request.direction.substr(1) : request.direction;
  const std::size_t at = axis.size() == 1 ? std::string("xyz").find(axis) : std::string::npos;
  if (at == std::string::npos)
    throw Error(ExitCode::usage, "--direction: '" + shorten(request.direction) + "' is not one of x, -x, y, -y, z, -z");
  if (request.ground != "none" && request.ground != "free_slip" && request.ground != "moving")
    throw Error(ExitCode::usage, "--ground: '" + shorten(request.ground) + "' is not one of none, free_slip, moving");
  t.along = static_cast<int>(at);
  t.forwards = !request.direction.starts_with('-');
  t.up = t.along == 2 ? 1 : 2;
  t.side = 3 - t.along - t.up;
}

/// Refuses nodes between which the body would slip through, and says which would not.
void check_thickness(const DraftRequest& request, const Tunnel& t, const Real3& whole) {
  const double thinnest = std::min({t.extent(0), t.extent(1), t.extent(2)});
  if (thinnest >= t.spacing) return;
  const std::string option = request.spacing ? "--spacing" : request.nodes_across ? "--nodes-across" : "--most-nodes";
  if (!(thinnest > 0))
    throw_input(fmt::format("{}: the body has no thickness, so that no node lies in it; give it one",
                            request.files.front().string()));
  constexpr double nodes_across = 1.5;  // at least one, wherever the body lies between the nodes
  const double enough = rounded_down(thinnest / nodes_across, 2);
  throw Error(ExitCode::usage,
              fmt::format("{}: the body is {} thin, and nodes would be {} apart, so that it could vanish between them; "
                          "with --spacing {} or less it stays, in {} nodes",
                          option, show_length(thinnest), show_length(t.spacing), format_short(enough, 2),
                          show_count(whole[0] * whole[1] * whole[2] / (enough * enough * enough))));
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
  before[t.along] = (t.forwards ? upstream : downstream) * t.size;
  after[t.along] = (t.forwards ? downstream : upstream) * t.size;
  const Real3 whole = before + after + (t.body.upper - t.body.lower);
  const double budget = request.most_nodes.value_or(usual_tunnel_nodes);
  if (request.spacing)
    t.spacing = *request.spacing;
  else if (request.nodes_across)
    t.spacing = rounded_down(t.size / *request.nodes_across, 3);
  else
    t.spacing = rounded_up(std::cbrt(whole[0] * whole[1] * whole[2] / budget), 3);
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

void choose_flow(const DraftRequest& request, Tunnel& t) {
  const double u = *request.wind;
  t.viscosity = t.medium.viscosity;
  t.step = choose_time_step(u, peak * u, t.spacing, t.viscosity);
  if (t.step.node_reynolds <= survivable) return;
  t.viscosity = rounded_up(peak * u * t.spacing / survivable, 3);
  t.step = choose_time_step(u, peak * u, t.spacing, t.viscosity);
}

void write_head(CaseText& text, const DraftRequest& request, const Tunnel& t) {
  const double u = *request.wind, along = t.size / t.spacing;
  text.comment(fmt::format(
      "Made from {} by `fluvia new --from`. The body is {} x {} x {}, its frontal area {} m2; the box is {:.3g} body "
      "lengths long before it and {:.3g} behind it, and the body blocks {:.2g}% of its cross-section. {} nodes along "
      "the "
      "body, {} in the box, which take about {}.",
      shorten(request.files.front().filename().string()), show_length(t.extent(0)), show_length(t.extent(1)),
      show_length(t.extent(2)), format_short(t.area, 4), upstream, downstream, 100 * t.blockage(),
      format_short(along, 3), show_count(t.volume()), show_memory(t.volume() * 100)));
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
    text.comment(
        fmt::format("Re = {} is more than these nodes resolve, {}: eddies that the grid has not are modelled (LES), "
                    "and there is no "
                    "wall model, so that friction is too small.",
                    show_count(real), show_count(resolved_reynolds(along))));
}

void write_boundaries(CaseText& text, const DraftRequest& request, const Tunnel& t) {
  const double ramp = rounded_up(std::max(500 * t.step.seconds, t.size / *request.wind), 2);
  text.section("[[boundary]]").key("surface", t.face(t.along, !t.forwards)).key("type", "velocity");
  text.key("speed", *request.wind)
      .key("ramp", ramp, "s, in which the wind rises, so that no shock runs through the box");
  text.section("[[boundary]]").key("surface", t.face(t.along, t.forwards)).key("type", "non_reflecting");
  text.key("sponge", rounded(std::max(0.5 * t.size, 10 * t.spacing), 3), "m: damps the wake before it leaves");
  const auto mirror = [&](int axis, bool upper, const char* comment) {
    text.section("[[boundary]]").key("surface", t.face(axis, upper)).key("type", "symmetry", comment);
  };
  mirror(t.side, false, "beside the body no wall holds up the air");
  mirror(t.side, true, "");
  if (request.ground == "moving") {
    Real3 velocity{};
    velocity[t.along] = (t.forwards ? 1 : -1) * *request.wind;
    text.section("[[boundary]]").key("surface", t.face(t.up, false));
    text.key("type", "moving_wall", "the ground, as the body sees it").key("velocity", velocity).key("ramp", ramp);
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
  text.section("[monitor]")
      .key("every", std::max(10, static_cast<int>(rounded(0.05 * t.size / *request.wind / t.step.seconds, 1))))
      .key("forces", std::vector<std::string>{"body"})
      .key("reference_area", rounded(t.area, 4), "m2, frontal: measured on the mesh")
      .key("drag_axis", drag, "C_d_body in monitors.csv")
      .key("lift_axis", lift, "C_l_body")
      .comment(
          fmt::format("average_from = {} and fields of the name average_velocity would show the mean flow", steps / 2));
  text.section("[output]").key("fields", std::vector<std::string>{"pressure", "velocity"});
  text.key("wall", true, "pressure and stress on the body, wall-*.vtp");
  for (const char* field : {"velocity", "pressure"}) {
    text.slice(field, t.side);
    text.key("position", rounded_coordinate(0.5 * (t.body.lower[t.side] + t.body.upper[t.side]), t.spacing),
             "m: the middle of the body");
  }
}

}  // namespace

double shadow(std::span<const std::array<Real3, 3>> triangles, int axis) {
  const int a = (axis + 1) % 3, b = (axis + 2) % 3;
  geometry::BoundingBox box;
  for (const auto& triangle : triangles)
    for (const Real3& corner : triangle) box.add(corner);
  const double cell = std::max(box.upper[a] - box.lower[a], box.upper[b] - box.lower[b]) / raster;
  if (!(cell > 0) || triangles.empty()) return 0;
  const auto cells = [&](int k) { return static_cast<std::size_t>((box.upper[k] - box.lower[k]) / cell) + 1; };
  const std::size_t width = cells(a), height = cells(b);
  std::vector<bool> covered(width * height, false);
  for (const auto& triangle : triangles) {
    std::array<std::array<double, 2>, 3> p;
    for (int i = 0; i < 3; ++i)
      p[i] = {(triangle[i][a] - box.lower[a]) / cell - 0.5, (triangle[i][b] - box.lower[b]) / cell - 0.5};
    const auto [low, high] = std::minmax({p[0][1], p[1][1], p[2][1]});
    const auto last = std::min(static_cast<double>(height) - 1, std::floor(high));
    for (double y = std::max(0.0, std::ceil(low)); y <= last; ++y) {
      double from = 1e300, to = -1e300;  // range of the row inside the triangle
      for (int i = 0; i < 3; ++i) {
        const auto &u = p[i], &v = p[(i + 1) % 3];
        if ((u[1] < y && v[1] < y) || (u[1] > y && v[1] > y)) continue;
        const double x = u[1] == v[1] ? u[0] : u[0] + (y - u[1]) / (v[1] - u[1]) * (v[0] - u[0]);
        from = std::min(from, x);
        to = std::max(to, x);
        if (u[1] == v[1]) to = std::max(to, v[0]), from = std::min(from, v[0]);
      }
      const double end = std::min(static_cast<double>(width) - 1, std::floor(to));
      for (double x = std::max(0.0, std::ceil(from)); x <= end; ++x)
        covered[static_cast<std::size_t>(y) * width + static_cast<std::size_t>(x)] = true;
    }
  }
  return static_cast<double>(std::count(covered.begin(), covered.end(), true)) * cell * cell;
}

Draft draft_tunnel(const DraftRequest& request) {
  Tunnel t;
  set_direction(request, t);
  t.medium = medium_of(request, "air");
  read_body(request, t);
  make_box(request, t);
  choose_flow(request, t);

  Draft draft;
  draft.name = plain_stem(request.files.front());
  CaseText text("Flow around " + title_words(request.files.front()));
  write_head(text, request, t);
  write_units(text, t.medium, t.spacing, fmt::format("m: {} nodes along the body", format_short(t.size / t.spacing, 3)),
              *request.wind, "m/s", rounded(t.size, 4), "m, longest edge of the body", t.step, t.viscosity);
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
  if (t.holes > 0)
    text.section("[geometry]")
        .key("allow_defects", true,
             fmt::format("the surface has {} holes, which are closed; look at the slices of "
                         "`fluvia geometry --png`",
                         t.holes));
  text.section("[[geometry.stl]]")
      .key("file", file_in_case(request.files.front(), request.folder), "relative to this case")
      .key("name", "body", "the surface whose force is recorded")
      .key("unit", *request.unit, "metres per unit of the file")
      .key("fluid", "outside");
  write_boundaries(text, request, t);
  if (t.step.eddies)
    text.section("[physics]")
        .key("smagorinsky", 0.14, "constant of the model of eddies that the grid does not resolve");
  write_run(text, request, t);
  draft.text = text.text();
  if (t.viscosity != t.medium.viscosity)
    draft.notes.push_back(
        fmt::format("Re = {} is out of reach of {} nodes along the body: the case computes Re = {}; its comments say "
                    "what to believe",
                    show_count(*request.wind * t.size / t.medium.viscosity), format_short(t.size / t.spacing, 3),
                    show_count(*request.wind * t.size / t.viscosity)));
  return draft;
}

}  // namespace fluvia::draft
