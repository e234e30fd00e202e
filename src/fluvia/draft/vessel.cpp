// SPDX-License-Identifier: Apache-2.0
#include "fluvia/draft/vessel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fluvia/base/error.hpp"
#include "fluvia/base/text.hpp"
#include "fluvia/draft/choices.hpp"
#include "fluvia/draft/vessel_flow.hpp"

namespace fluvia::draft {

namespace {

constexpr double millimetre_of_mercury = 133.322;                     ///< Pa
constexpr double clinical_resistance = millimetre_of_mercury / 1e-6;  ///< Pa s/m3 of 1 mmHg s/ml
constexpr double clinical_compliance = 1e-6 / millimetre_of_mercury;  ///< m3/Pa of 1 ml/mmHg
constexpr double fewest_nodes_across = 8;                             ///< with fewer, a profile is no parabola any more

/// Name of the draft: the file's, or that of the folder that holds the wall and its patches.
std::string name_of(const DraftRequest& request) {
  const auto& file = request.files.front();
  return shorten(
      (request.files.size() == 1 ? file : std::filesystem::absolute(file).parent_path()).filename().string());
}

/// "6.8 nodes across, 3.1 mm, at (...) m".
std::string show_throat(const Vessel& v, const Throat& throat) {
  return fmt::format("{} wide at {}, {} nodes", show_length(throat.diameter),
                     show_point(throat.center, throat.diameter) + " m",
                     format_short(v.nodes_across(throat.diameter), 2));
}

/// What chose a flow that nobody gave.
std::string why_flow(const Vessel& v) {
  return fmt::format("{} through the inlet, Re = {}, {}", show_flow(v.flow),
                     format_short(v.speed() * v.in().diameter() / v.medium.viscosity, 3),
                     v.step.node_reynolds > 0.7 * resolved ? "is what these nodes resolve everywhere"
                                                           : "is that of a middle-sized artery");
}

/// Names of the ends behind a throat.
std::string ends_behind(const Vessel& v, const Throat& throat) {
  std::vector<std::string> names;
  for (const int end : throat.downstream) names.push_back(v.shape.ends[static_cast<std::size_t>(end)].name);
  return join(names);
}

void write_head(CaseText& text, const DraftRequest& request, const Vessel& v) {
  const double nodes_across = v.nodes_across(v.narrowest());
  text.comment(
      fmt::format("Made from {} by `fluvia new --from`. {} with {} openings and a volume of {} ml. Its main path is "
                  "narrowest, {}, at {}: "
                  "{} nodes across. {} fluid nodes, which take about {}.",
                  name_of(request), "A vessel", v.shape.ends.size(), format_short(v.lumen.volume * 1e6, 3),
                  show_length(v.narrowest()), show_point(v.main_throat().center, v.narrowest()) + " m",
                  format_short(nodes_across, 3), show_count(v.nodes()), show_memory(v.nodes() * 100)));
  if (!v.flow_given)
    text.comment("Nobody said how fast the fluid flows (--flow, --speed or --waveform): " + why_flow(v) +
                 ". Give yours.");
  if (v.step.eddies)
    text.comment(fmt::format(
        "The flow is faster than these nodes resolve: the Reynolds number of a node is {} where it is fastest, and up "
        "to {} layers at walls and vortices are resolved. So a Smagorinsky model takes the eddies that the grid has "
        "not, which keeps the flow alive; there is no wall model, and stress at walls is too small. Resolved would be "
        "--spacing {:.3g}m, {} nodes.",
        format_short(v.step.node_reynolds, 3), resolved,
        rounded_down(v.finest_spacing() * resolved / v.step.node_reynolds, 2),
        show_count(v.nodes() * std::pow(v.step.node_reynolds / resolved, 3))));
  if (nodes_across < fewest_nodes_across)
    text.comment(
        fmt::format("Fewer than {} nodes across the main path: too coarse there to believe. --nodes-across {} "
                    "would be {} nodes.",
                    fewest_nodes_across, usual_nodes_across,
                    show_count(v.nodes() * std::pow(usual_nodes_across / nodes_across, 3))));
  if (v.levels > 0)
    text.comment(
        fmt::format("Narrow places are computed on {} finer level{}, which is where the nodes across come from; an "
                    "opening that one "
                    "of them comes to is as fine as a whole.",
                    v.levels, v.levels == 1 ? "" : "s"));
  for (const Throat& throat : v.lumen.throats)
    if (!v.is_main(throat) && v.nodes_across(throat.diameter) < enough_nodes_across)
      text.comment(fmt::format("The way to {} is thinner: {}.", ends_behind(v, throat), show_throat(v, throat)));
}

void write_geometry(CaseText& text, const DraftRequest& request, const Vessel& v) {
  const auto holes = std::count_if(v.shape.closed.begin(), v.shape.closed.end(),
                                   [&](double area) { return area >= v.spacing * v.spacing; });
  if (holes > 0)
    text.section("[geometry]")
        .key("allow_defects", true,
             fmt::format("{} hole{} of the surface that {} no opening {} closed as walls", holes, holes == 1 ? "" : "s",
                         holes == 1 ? "is" : "are", holes == 1 ? "is" : "are"));
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

void write_inflow(CaseText& text, const DraftRequest& request, const Vessel& v) {
  text.section("[[boundary]]").key("surface", v.in().name).key("type", "velocity");
  if (v.waveform) {
    const Waveform& w = *v.waveform;
    text.key("series", w.file,
             fmt::format("a cycle: a mean of {}, {}, and up to {}", show_flow(v.flow), show_speed(v.speed()),
                         show_flow(w.peak())));
    text.key("series_quantity", w.quantity);
    if (w.scale != 1) text.key("series_scale", w.scale, "brings the values of the file to SI");
    if (w.period) text.key("series_period", *w.period, "s: the file leaves the last row of the cycle out");
    text.key("profile", "womersley", "that of such a flow in a long pipe of this cross-section");
  } else {
    if (request.speed)
      text.key("speed", v.speed(), "m/s, mean; into the vessel, whatever its direction");
    else
      text.key("flow_rate", v.flow, fmt::format("m3/s: {}, a mean of {}", show_flow(v.flow), show_speed(v.speed())));
    text.key("profile", "developed", "that of a long pipe of this cross-section; or uniform, womersley with a series");
  }
  text.key("ramp", v.ramp, "s, in which the flow starts from rest, so that no shock runs through the vessel");
  if (request.age) text.section("[boundary.scalars.age]").key("value", 0.0, "s: what comes in is new");
}

/// The time since the fluid came in, and the mean of it at each outlet: the volume over the flow, if nothing rests.
void write_age(CaseText& text) {
  text.section("[[scalar]]")
      .key("name", "age")
      .key("unit", "s")
      .key("source", "age", "the time since the inlet; monitors.csv has its mean at each outlet, bulk_age_...")
      .key("prandtl", 1.0, "Schmidt's number: it spreads as momentum does; the means at outlets hardly know it");
}

/// What is behind the outlets altogether, as a comment.
void describe_windkessel(CaseText& text, const DraftRequest& request, const Vessel& v) {
  const Windkessel& w = *v.windkessel;
  const double own = v.own_compliance();
  text.section(fmt::format("# Behind the outlets lie {} mmHg s/ml and {} ml/mmHg altogether.",
                           format_short(w.resistance() / clinical_resistance, 3),
                           format_short(w.compliance / clinical_compliance, 3)));
  text.comment(fmt::format(
      "{}, {}. They are divided with the cube of the diameters (Murray), so that each outlet has its share of the mean "
      "flow at {} mmHg; a tenth of each resistance lies before the compliance. The lattice's fluid can be compressed, "
      "and takes up {} ml/mmHg itself, which is taken off.",
      request.resistance ? "The resistance was given" : "The resistance makes a mean pressure of 93 mmHg",
      request.compliance ? "the compliance, too" : "the compliance lets it fall by 1/e in 1.5 s",
      format_short(w.mean_pressure / millimetre_of_mercury, 3), format_short(own / clinical_compliance, 2)));
}

void write_outflow(CaseText& text, const DraftRequest& request, const Vessel& v) {
  if (v.windkessel) describe_windkessel(text, request, v);
  for (std::size_t i = 0; i < v.shape.ends.size(); ++i) {
    if (i == v.inlet) continue;
    text.section("[[boundary]]").key("surface", v.shape.ends[i].name);
    if (!v.windkessel) {
      text.key("type", "pressure").key("pressure", 0.0, "Pa, gauge; or take flow_split, windkessel (docs/openings.md)");
      continue;
    }
    const Windkessel& w = *v.windkessel;
    const double share = v.share(i);
    text.key("type", "windkessel", fmt::format("{}% of the flow", format_short(100 * share, 3)));
    text.key("proximal_resistance", rounded(w.proximal / share, 6), "Pa s/m3");
    text.key("distal_resistance", rounded(w.distal / share, 6));
    text.key("compliance", rounded(std::max(0.0, w.compliance - v.own_compliance()) * share, 6), "m3/Pa");
  }
}

/// The length of a run of a steady flow, and when it ends earlier.
void write_steady_run(CaseText& text, const Vessel& v, bool with_age) {
  const double passage = v.lumen.volume / v.flow;
  const bool creeps = 2 * viscous_time(v) < vessel_passages * passage;
  const double settled = creeps ? 2 * viscous_time(v) : vessel_passages * passage;
  const auto steps = static_cast<std::int64_t>(rounded_up(std::max(3000.0, (v.ramp + settled) / v.step.seconds), 2));
  text.section("[run]").key("steps", steps,
                            creeps ? "the ramp, and twice the time that friction takes to the middle of the inlet"
                                   : fmt::format("the ramp and {} times the volume of the vessel, {} s each",
                                                 vessel_passages, format_short(passage, 3)));
  const auto window =
      std::max<std::int64_t>(500, static_cast<std::int64_t>(rounded(static_cast<double>(steps) / 40, 1)));
  if (!v.step.eddies)
    text.section("[run.steady]")
        .key("quantity", with_age ? "scalar:age" : "kinetic_energy",
             "ends earlier once this changes by less than the tolerance in a window")
        .key("tolerance", 1e-5)
        .key("window", window);
  text.section("[monitor]").key("every", std::max<std::int64_t>(20, window / 10), "steps between rows of monitors.csv");
}

/// The length of a run of a flow that beats, and from when on it is averaged: over its last two cycles.
void write_pulsating_run(CaseText& text, const DraftRequest& request, const Vessel& v) {
  constexpr double rows = 50;
  constexpr int averaged = averaged_cycles;
  const int cycles = request.cycles.value_or(v.usual_cycles());
  const double cycle = v.waveform->cycle(), steps = cycle / v.step.seconds;
  text.section("[run]").key(
      "time", rounded(cycles * cycle, 9),
      fmt::format("s: {} cycles of {} s, {} steps each", cycles, format_short(cycle, 4), show_count(steps)));
  text.section("[monitor]")
      .key("every", std::max<std::int64_t>(1, static_cast<std::int64_t>(steps / rows)),
           "steps between rows of monitors.csv")
      .key("average_from", static_cast<std::int64_t>((cycles - averaged) * steps),
           fmt::format("step: averages, TAWSS and OSI are of the last {} cycles", averaged));
}

void write_run(CaseText& text, const DraftRequest& request, const Vessel& v) {
  std::vector<std::string> fields = {"pressure", "velocity", "wall_shear_stress"};
  if (v.waveform) {
    write_pulsating_run(text, request, v);
    fields = {"pressure", "velocity", "average_velocity", "average_wall_shear_stress"};
  } else {
    write_steady_run(text, v, request.age);
  }
  if (request.age) fields.emplace_back("age");
  text.section("[output]")
      .key("fields", fields)
      .key("wall", request.wall_files,
           request.wall_files ? "also the stress on the triangles of the wall, wall-*.vtp" : "not known beside sheets");
  for (const char* field : {v.waveform ? "average_velocity" : "velocity", "pressure"}) {
    text.slice(field, v.lumen.slice_axis);
    text.key("position", rounded_coordinate(v.lumen.slice_position, v.spacing), "m: the plane with most fluid in it");
  }
}

}  // namespace

namespace {

void write_physics(CaseText& text, const Vessel& v) {
  if (v.step.eddies || v.windkessel) text.section("[physics]");
  if (v.windkessel)
    text.key("initial_pressure", v.windkessel->start_pressure,
             "Pa, from which the windkessels are in their cycle once the flow is");
  if (v.step.eddies) text.key("smagorinsky", 0.14, "constant of the model of eddies that the grid does not resolve");
  // Sound has to be so much faster than the flow that tau comes near 1/2, where noise of other collisions stays.
  constexpr double smallest_tau = 0.51;
  if (v.windkessel && v.step.tau < smallest_tau)
    text.section("[numerics]")
        .key("lattice", "D3Q27")
        .key("collision", "cumulant", "stable at this tau, which is small since the flow is slow on the lattice");
}

/// Lines on what was found and chosen, for the terminal.
std::vector<std::string> notes_of(const DraftRequest& request, const Vessel& v) {
  std::vector<std::string> notes;
  for (std::size_t i = 0; i < v.shape.ends.size(); ++i)
    notes.push_back(fmt::format("{:<12} {:>8} wide, at {}{}", v.shape.ends[i].name,
                                show_length(v.shape.ends[i].diameter()),
                                show_in_file(v.shape.ends[i].center, *request.unit, v.shape.ends[i].diameter()),
                                i == v.inlet   ? ": " + show_flow(v.flow) + (v.waveform ? " in, mean" : " in")
                                : v.windkessel ? fmt::format(": {}% out", format_short(100 * v.share(i), 3))
                                               : ""));
  constexpr std::size_t most_told = 4;
  for (std::size_t i = 0; i < std::min(most_told, v.shape.left_out.size()); ++i) {
    const LeftOut& one = v.shape.left_out[i];
    notes.push_back(fmt::format("{:<12} {:>8} wide, at {}: {}; --ends or --end opens it", "wall",
                                show_length(one.end.diameter()),
                                show_in_file(one.end.center, *request.unit, one.end.diameter()), one.why));
  }
  if (v.shape.left_out.size() > most_told)
    notes.push_back(fmt::format("wall         {} more plane pieces or holes, smaller than these",
                                v.shape.left_out.size() - most_told));
  if (!v.flow_given) notes.push_back("flow         nobody gave one (--flow, --speed, --waveform): " + why_flow(v));
  if (v.waveform) notes.insert(notes.end(), v.waveform->told.begin(), v.waveform->told.end());
  if (v.windkessel)
    notes.push_back(fmt::format(
        "windkessel   {} mmHg s/ml{}, {} ml/mmHg{}, divided with the cube of the outlets' diameters: a mean of {} mmHg",
        format_short(v.windkessel->resistance() / clinical_resistance, 3), request.resistance ? "" : " (a usual one)",
        format_short(v.windkessel->compliance / clinical_compliance, 3), request.compliance ? "" : " (a usual one)",
        format_short(v.windkessel->mean_pressure / millimetre_of_mercury, 3)));
  for (const Throat& throat : v.lumen.throats)
    if (!v.is_main(throat) && v.nodes_across(throat.diameter) < enough_nodes_across)
      notes.push_back(fmt::format("thin         the way to {}: {} across, too few to believe its flow",
                                  ends_behind(v, throat), show_throat(v, throat)));
  if (v.levels < request.levels)
    notes.push_back(
        fmt::format("levels       {}: {} nodes lie across the thinnest place, {} mm wide, {}; a larger "
                    "--spacing leaves more to levels",
                    v.levels == 0 ? "none" : fmt::to_string(v.levels) + " are enough",
                    format_short(v.nodes_across(v.thinnest()), 3), format_short(1e3 * v.thinnest(), 3),
                    v.levels == 0 ? "without any" : "with them"));
  if (v.step.eddies)
    notes.push_back(fmt::format(
        "the flow is faster than the nodes resolve (Reynolds number of a node {}, up to {}): see the case's comments",
        format_short(v.step.node_reynolds, 3), resolved));
  return notes;
}

}  // namespace

Draft draft_vessel(const DraftRequest& request) {
  const Vessel v = plan_vessel(request);
  Draft draft;
  draft.name = plain_stem(name_of(request));
  draft.across = v.nodes_across(v.narrowest());
  draft.enough_across = enough_nodes_across;
  draft.across_what = "the narrowest place of the main path";
  CaseText text("Flow through " + title_words(name_of(request)));
  write_head(text, request, v);
  write_units(text, v.medium, v.finest_spacing(),
              fmt::format("m: {} nodes across the main path where it is narrowest", format_short(draft.across, 3)),
              rounded(v.speed(), 4), "m/s, mean at the inlet", rounded(v.in().diameter(), 4),
              "m, diameter of the inlet", v.step, v.medium.viscosity, v.levels > 0);
  if (v.windkessel)
    text.key("reference_pressure", rounded(v.windkessel->mean_pressure, 5),
             "Pa: the mean pressure, for which the density at rest stands");
  write_geometry(text, request, v);
  if (v.levels > 0)
    text.section("[[refine]]")
        .key("gap", enough_nodes_across, "nodes across passages that have fewer on the coarsest level ...")
        .key("level", v.levels, "... up to this level");
  write_inflow(text, request, v);
  write_outflow(text, request, v);
  if (request.age) write_age(text);
  write_physics(text, v);
  write_run(text, request, v);
  draft.text = text.text();
  draft.notes = notes_of(request, v);
  return draft;
}

}  // namespace fluvia::draft
