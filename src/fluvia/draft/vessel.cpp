// SPDX-License-Identifier: Apache-2.0
#include "fluvia/draft/vessel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>

#include "fluvia/base/error.hpp"
#include "fluvia/base/text.hpp"
#include "fluvia/draft/choices.hpp"
#include "fluvia/draft/vessel_shape.hpp"

namespace fluvia::draft {

namespace {

constexpr double usual_vessel_nodes = 2e6;
constexpr int usual_nodes_across = 16;
constexpr double fewest_nodes_across = 8;  ///< with fewer, a profile is no parabola any more
/// Reynolds number of the inlet if the request does not say how fast the fluid flows.
constexpr double usual_reynolds = 150;
constexpr double developed_peak = 2;   ///< largest speed of a round pipe's profile / mean
constexpr double vessel_passages = 3;  ///< how often the fluid passes through the vessel until the flow is steady

/// Everything that the text of the case needs.
struct Vessel {
  VesselShape shape;
  std::size_t inlet = 0;
  Lumen lumen;
  Medium medium;
  double spacing = 0, flow = 0, peak = 0;
  double jet = 0;  ///< largest mean speed of any throat or end, per flow rate
  bool flow_given = false;
  TimeStep step;

  [[nodiscard]] const VesselEnd& in() const { return shape.ends[inlet]; }
  [[nodiscard]] double speed() const { return flow / in().area; }
  [[nodiscard]] double narrowest() const {
    double d = in().diameter();
    for (const Throat& throat : lumen.throats) d = std::min(d, throat.diameter);
    return d;
  }
  [[nodiscard]] double nodes() const { return lumen.volume / (spacing * spacing * spacing); }
};

/// The inlet that a request means: a name of a patch, a number from 1 on in the order of areas, or the largest.
std::size_t find_inlet(const DraftRequest& request, const VesselShape& shape) {
  if (request.inlet.empty()) {
    for (std::size_t i = 0; i < shape.ends.size(); ++i)
      if (shape.ends[i].name == "inlet") return i;
    return 0;
  }
  std::string list;
  for (std::size_t i = 0; i < shape.ends.size(); ++i) {
    const VesselEnd& end = shape.ends[i];
    if (!end.name.empty() && end.name == request.inlet) return i;
    list += fmt::format("\n  {}{}  {} wide, at {}", i + 1, end.name.empty() ? "" : " " + end.name,
                        show_length(end.diameter()), show_point(end.center));
  }
  std::size_t number = 0;
  const char* const last = request.inlet.data() + request.inlet.size();
  const auto [end, error] = std::from_chars(request.inlet.data(), last, number);
  if (error == std::errc() && end == last && number >= 1 && number <= shape.ends.size()) return number - 1;
  throw Error(ExitCode::usage,
              fmt::format("--inlet: '{}' is no opening of this vessel, which are:{}", shorten(request.inlet), list));
}

void name_ends(VesselShape& shape, std::size_t inlet) {
  int outlet = 0;
  const bool one = shape.ends.size() == 2;
  for (std::size_t i = 0; i < shape.ends.size(); ++i) {
    if (!shape.ends[i].name.empty()) continue;
    if (i == inlet) {
      shape.ends[i].name = "inlet";
    } else {
      ++outlet;
      shape.ends[i].name = one ? "outlet" : fmt::format("outlet_{}", outlet);
    }
  }
}

/// The case as far as its geometry goes, to be measured.
Case bare_case(const VesselShape& shape) {
  Case c;
  c.units.system = "si";
  c.geometry.stl = shape.files;
  c.geometry.allow_defects = true;
  for (const VesselEnd& end : shape.ends) {
    if (!end.patch) c.openings.push_back({end.name, end.center, {}, {}});
    Case::Boundary b;
    b.surface = end.name;
    b.type = "pressure";
    c.boundaries.push_back(b);
  }
  return c;
}

/// The largest mean speed anywhere for a flow rate of 1. How the flow divides among outlets is not known yet: with the
/// third power of their diameters (Murray, Proc. Natl. Acad. Sci. 12 (1926) 207).
double find_jet(const Vessel& v) {
  double total = 0;
  const auto weight = [&](std::size_t i) { return std::pow(v.shape.ends[i].area, 1.5); };
  for (std::size_t i = 0; i < v.shape.ends.size(); ++i) total += i == v.inlet ? 0 : weight(i);
  double jet = 1 / v.in().area;
  for (const Throat& throat : v.lumen.throats) {
    double share = 0;
    for (const int end : throat.downstream) share += weight(static_cast<std::size_t>(end)) / total;
    jet = std::max(jet, share / (std::numbers::pi / 4 * throat.diameter * throat.diameter));
  }
  return jet;
}

double spacing_for(const Vessel& v, double nodes) {
  return std::cbrt(v.lumen.volume / nodes);
}

void choose_spacing(const DraftRequest& request, Vessel& v) {
  const double narrowest = v.narrowest();
  if (request.spacing || request.nodes_across) {
    v.spacing = request.spacing ? *request.spacing : rounded_down(narrowest / *request.nodes_across, 3);
    return;
  }
  double wanted = narrowest / usual_nodes_across;
  if (v.flow_given) wanted = std::min(wanted, resolved * v.medium.viscosity / (developed_peak * v.flow * v.jet));
  const double least = spacing_for(v, request.most_nodes.value_or(usual_vessel_nodes));
  v.spacing = wanted > least ? rounded_down(wanted, 3) : rounded_up(least, 3);
}

/// Chooses flow rate, peak speed and time step at the spacing.
void choose_flow(const DraftRequest& request, Vessel& v) {
  if (!v.flow_given) {
    // The flow is as fast as in a middle-sized artery, or as the grid resolves.
    const double by_reynolds = usual_reynolds * v.medium.viscosity / v.in().diameter() * v.in().area;
    const double by_grid = 0.8 * resolved * v.medium.viscosity / v.spacing / (developed_peak * v.jet);
    v.flow = rounded_down(std::min(by_reynolds, by_grid), 3);
  }
  v.peak = developed_peak * v.flow * v.jet;
  v.step = choose_time_step(v.speed(), v.peak, v.spacing, v.medium.viscosity);
  if (v.step.node_reynolds <= survivable) return;
  const double finer = survivable * v.medium.viscosity / v.peak;
  throw Error(
      ExitCode::usage,
      fmt::format(
          "{}: out of reach: the flow is about {} fast in the narrowest lumen ({} wide), a Reynolds number of {} "
          "there, and on nodes of {} one of {} a node. Up to {} large eddies are computed (LES), but there is no "
          "wall model; up to {} the flow is resolved. {} is what this spacing carries; or give --spacing {:.3g}m "
          "({} nodes)",
          request.flow_rate ? "--flow" : "--speed", show_speed(v.peak), show_length(v.narrowest()),
          format_short(v.peak / developed_peak * v.narrowest() / v.medium.viscosity, 3), show_length(v.spacing),
          format_short(v.step.node_reynolds, 3), survivable, resolved,
          request.flow_rate
              ? "--flow " + format_short(rounded_down(6e7 * v.flow * survivable / v.step.node_reynolds, 2), 2) +
                    "ml/min"
              : "--speed " + format_short(rounded_down(v.speed() * survivable / v.step.node_reynolds, 2), 2) + "m/s",
          rounded_down(finer, 3), show_count(v.lumen.volume / (finer * finer * finer))));
}

std::int64_t steps_for(double seconds, const TimeStep& step, double least) {
  return static_cast<std::int64_t>(rounded_up(std::max(least, seconds / step.seconds), 2));
}

/// Time in which friction reaches the middle of the inlet from its wall: what a slow flow needs to become steady.
double viscous_time(const Vessel& v) {
  return v.in().area / v.medium.viscosity;
}

/// Time of the ramp: long enough for sound to go through the vessel some times and for the fluid to pass the inlet.
double ramp_of(const Vessel& v) {
  const Real3 box = v.shape.upper - v.shape.lower;
  const double longest = std::max({box[0], box[1], box[2]}) / v.spacing;
  const double across = std::min(2 * v.in().diameter() / v.speed(), viscous_time(v) / 3) / v.step.seconds;
  return rounded_up(std::max({500.0, 4 * std::sqrt(3.0) * longest, across}) * v.step.seconds, 2);
}

/// Name of the draft: the file's, or that of the folder that holds the wall and its patches.
std::string name_of(const DraftRequest& request) {
  const auto& file = request.files.front();
  return shorten(
      (request.files.size() == 1 ? file : std::filesystem::absolute(file).parent_path()).filename().string());
}

void write_head(CaseText& text, const DraftRequest& request, const Vessel& v) {
  const double nodes_across = v.narrowest() / v.spacing;
  text.comment(
      fmt::format("Made from {} by `fluvia new --from`. {} with {} openings and a volume of {} ml. Its lumen is "
                  "narrowest, {}, at {}: "
                  "{} nodes across. {} fluid nodes, which take about {}.",
                  name_of(request), "A vessel", v.shape.ends.size(), format_short(v.lumen.volume * 1e6, 3),
                  show_length(v.narrowest()), show_point(v.lumen.throats.front().center), format_short(nodes_across, 3),
                  show_count(v.nodes()), show_memory(v.nodes() * 100)));
  if (!v.flow_given)
    text.comment(fmt::format(
        "Nobody said how fast the fluid flows (--flow or --speed): {} through the inlet, Re = {}, is {}. Give yours.",
        show_flow(v.flow), format_short(v.speed() * v.in().diameter() / v.medium.viscosity, 3),
        v.step.node_reynolds > 0.7 * resolved ? "what these nodes resolve everywhere"
                                              : "that of a middle-sized artery"));
  if (v.step.eddies)
    text.comment(fmt::format(
        "The flow is faster than these nodes resolve: the Reynolds number of a node is {} where it is fastest, and up "
        "to "
        "{} layers at walls and vortices are resolved. So a Smagorinsky model takes the eddies that the grid has not, "
        "which "
        "keeps the flow alive; there is no wall model, and stress at walls is too small. Resolved would be --spacing "
        "{:.3g}m, "
        "{} nodes.",
        format_short(v.step.node_reynolds, 3), resolved, rounded_down(v.spacing * resolved / v.step.node_reynolds, 2),
        show_count(v.nodes() * std::pow(v.step.node_reynolds / resolved, 3))));
  if (nodes_across < fewest_nodes_across)
    text.comment(
        fmt::format("Fewer than {} nodes across the narrowest lumen: too coarse there to believe. --nodes-across {} "
                    "would be {} nodes.",
                    fewest_nodes_across, usual_nodes_across,
                    show_count(v.nodes() * std::pow(usual_nodes_across / nodes_across, 3))));
}

void write_geometry(CaseText& text, const DraftRequest& request, const Vessel& v) {
  for (const Case::Stl& stl : v.shape.files) {
    text.section("[[geometry.stl]]").key("file", file_in_case(stl.file, request.folder), "relative to this case");
    if (!stl.part.empty()) text.key("part", stl.part, "the solid or group of the file");
    if (stl.role == "opening") text.key("name", stl.name).key("role", "opening", "a patch that closes the wall");
    text.key("unit", stl.unit, "metres per unit of the file");
  }
  for (const VesselEnd& end : v.shape.ends) {
    if (end.patch) continue;
    text.section("[[opening]]").key("name", end.name);
    Real3 center;
    for (int axis = 0; axis < 3; ++axis) center[axis] = rounded_coordinate(end.center[axis], 0.1 * end.diameter());
    text.key("center", center, fmt::format("m: the nearest hole or flat end, {} wide", show_length(end.diameter())));
  }
}

void write_boundaries(CaseText& text, const DraftRequest& request, const Vessel& v) {
  text.section("[[boundary]]").key("surface", v.in().name).key("type", "velocity");
  if (request.speed)
    text.key("speed", v.speed(), "m/s, mean; into the vessel, whatever its direction");
  else
    text.key("flow_rate", v.flow, fmt::format("m3/s: {}, a mean of {}", show_flow(v.flow), show_speed(v.speed())));
  text.key("profile", "developed", "that of a long pipe of this cross-section; or uniform, womersley with a series");
  text.key("ramp", ramp_of(v), "s, in which the flow starts from rest, so that no shock runs through the vessel");
  for (std::size_t i = 0; i < v.shape.ends.size(); ++i) {
    if (i == v.inlet) continue;
    text.section("[[boundary]]").key("surface", v.shape.ends[i].name).key("type", "pressure");
    text.key("pressure", 0.0, "Pa, gauge; or take flow_split, windkessel (docs/openings.md)");
  }
}

void write_run(CaseText& text, const Vessel& v) {
  const double passage = v.lumen.volume / v.flow;
  const bool creeps = 2 * viscous_time(v) < vessel_passages * passage;
  const double settled = creeps ? 2 * viscous_time(v) : vessel_passages * passage;
  const std::int64_t steps = steps_for(ramp_of(v) + settled, v.step, 3000);
  text.section("[run]").key("steps", steps,
                            creeps ? "the ramp, and twice the time that friction takes to the middle of the inlet"
                                   : fmt::format("the ramp and {} times the volume of the vessel, {} s each",
                                                 vessel_passages, format_short(passage, 3)));
  const auto window =
      std::max<std::int64_t>(500, static_cast<std::int64_t>(rounded(static_cast<double>(steps) / 40, 1)));
  if (!v.step.eddies)
    text.section("[run.steady]")
        .key("quantity", "kinetic_energy", "ends earlier once this changes by less than the tolerance in a window")
        .key("tolerance", 1e-4)
        .key("window", window);
  text.section("[monitor]").key("every", std::max<std::int64_t>(20, window / 10), "steps between rows of monitors.csv");
  text.section("[output]")
      .key("fields", std::vector<std::string>{"pressure", "velocity", "wall_shear_stress"})
      .key("wall", true, "also the stress on the triangles of the wall, wall-*.vtp");
  for (const char* field : {"velocity", "pressure"}) {
    text.slice(field, v.lumen.slice_axis);
    text.key("position", rounded_coordinate(v.lumen.slice_position, v.spacing), "m: the plane with most fluid in it");
  }
}

}  // namespace

Draft draft_vessel(const DraftRequest& request) {
  Vessel v;
  v.medium = medium_of(request, "blood");
  v.shape = read_vessel(request);
  v.inlet = find_inlet(request, v.shape);
  name_ends(v.shape, v.inlet);
  v.lumen = measure_lumen(bare_case(v.shape), v.shape, static_cast<int>(v.inlet),
                          std::clamp(request.most_nodes.value_or(usual_vessel_nodes), 5e4, 1e6));
  v.jet = find_jet(v);
  v.flow_given = request.flow_rate || request.speed;
  if (v.flow_given) v.flow = request.flow_rate ? *request.flow_rate : *request.speed * v.in().area;
  choose_spacing(request, v);
  choose_flow(request, v);

  Draft draft;
  draft.name = plain_stem(name_of(request));
  CaseText text("Flow through " + title_words(name_of(request)));
  write_head(text, request, v);
  write_units(text, v.medium, v.spacing,
              fmt::format("m: {} nodes across the narrowest lumen", format_short(v.narrowest() / v.spacing, 3)),
              rounded(v.speed(), 4), "m/s, mean at the inlet", rounded(v.in().diameter(), 4),
              "m, diameter of the inlet", v.step, v.medium.viscosity);
  write_geometry(text, request, v);
  write_boundaries(text, request, v);
  if (v.step.eddies)
    draft.notes.push_back(fmt::format(
        "the flow is faster than the nodes resolve (Reynolds number of a node {}, up to {}): see the case's comments",
        format_short(v.step.node_reynolds, 3), resolved));
  if (v.step.eddies)
    text.section("[physics]")
        .key("smagorinsky", 0.14, "constant of the model of eddies that the grid does not resolve");
  write_run(text, v);
  draft.text = text.text();
  for (std::size_t i = 0; i < v.shape.ends.size(); ++i)
    draft.notes.push_back(fmt::format("{:<12} {:>8} wide, at {}{}", v.shape.ends[i].name,
                                      show_length(v.shape.ends[i].diameter()), show_point(v.shape.ends[i].center),
                                      i == v.inlet ? ": " + show_flow(v.flow) + " in" : ""));
  constexpr std::size_t most_told = 4;
  for (std::size_t i = 0; i < std::min(most_told, v.shape.left_out.size()); ++i) {
    const LeftOut& one = v.shape.left_out[i];
    draft.notes.push_back(fmt::format("{:<12} {:>8} wide, at {}: {}; --ends or --end opens it", "wall",
                                      show_length(one.end.diameter()), show_point(one.end.center), one.why));
  }
  if (v.shape.left_out.size() > most_told)
    draft.notes.push_back(fmt::format("wall         {} more plane pieces or holes, smaller than these",
                                      v.shape.left_out.size() - most_told));
  return draft;
}

}  // namespace fluvia::draft
