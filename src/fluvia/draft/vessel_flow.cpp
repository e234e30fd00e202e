// SPDX-License-Identifier: Apache-2.0
#include "fluvia/draft/vessel_flow.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>

#include "fluvia/base/error.hpp"
#include "fluvia/base/text.hpp"

namespace fluvia::draft {

namespace {

constexpr double usual_vessel_nodes = 2e6;
constexpr double fewest_nodes_of_branches = 4;  ///< nodes across a throat below which it may be cut off
constexpr double least_main_share = 0.1;        ///< share of the flow from which on an outlet is one of the main path
/// Reynolds number of the inlet if the request does not say how fast the fluid flows.
constexpr double usual_reynolds = 150;
constexpr double developed_peak = 2;         ///< largest speed of a round pipe's profile / mean
constexpr double most_density_swing = 0.02;  ///< density that pressures of windkessels may make, beside that at rest

/// The inlet that a request means: a name of a patch, a number from 1 on in the order of areas, or the largest.
std::size_t find_inlet(const DraftRequest& request, const VesselShape& shape) {
  if (request.inlet.empty()) {
    std::vector<std::size_t> inlets;
    for (std::size_t i = 0; i < shape.ends.size(); ++i) {
      if (shape.ends[i].name == "inlet") return i;
      if (shape.ends[i].name.starts_with("inlet")) inlets.push_back(i);
    }
    if (inlets.size() > 1)
      throw Error(
          ExitCode::usage,
          fmt::format("--inlet: the patches '{}' and '{}' are both called inlets, and a vessel is made with one; "
                      "say which by --inlet {}, and give the others their flow in the case",
                      shape.ends[inlets[0]].name, shape.ends[inlets[1]].name, shape.ends[inlets[0]].name));
    return inlets.empty() ? 0 : inlets.front();
  }
  std::string list;
  for (std::size_t i = 0; i < shape.ends.size(); ++i) {
    const VesselEnd& end = shape.ends[i];
    if (!end.name.empty() && end.name == request.inlet) return i;
    list += fmt::format("\n  {}{}  {} wide, at {}", i + 1, end.name.empty() ? "" : " " + end.name,
                        show_length(end.diameter()), show_in_file(end.center, *request.unit, end.diameter()));
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

/// The largest mean speed anywhere for a flow rate of 1. How the flow divides among outlets is not known yet.
double find_jet(const Vessel& v) {
  double jet = 1 / v.in().area;
  for (const Throat& throat : v.lumen.throats) {
    double share = 0;
    for (const int end : throat.downstream) share += v.share(static_cast<std::size_t>(end));
    jet = std::max(jet, share / (std::numbers::pi / 4 * throat.diameter * throat.diameter));
  }
  return jet;
}

double spacing_for(const Vessel& v, double nodes) {
  return std::cbrt(v.lumen.volume / nodes);
}

/// Largest flow rate at any moment.
double largest_flow(const Vessel& v) {
  return v.waveform ? v.waveform->peak() : v.flow;
}

/// How many levels finer nodes must be so that enough lie across a passage.
int levels_wanted(double diameter, double spacing) {
  return std::max(0, static_cast<int>(std::ceil(std::log2(enough_nodes_across * spacing / diameter) - 0.05)));
}

/// The spacing of the coarsest level that makes so many nodes of the finest lie across the narrowest place, unless the
/// inlet would have too few.
double spacing_with_levels(const Vessel& v, double finest, int levels) {
  return std::min(std::ldexp(finest, levels), std::max(finest, v.in().diameter() / usual_nodes_across));
}

void choose_spacing(const DraftRequest& request, Vessel& v) {
  const double narrowest = v.narrowest();
  if (request.spacing || request.nodes_across) {
    const double finest = request.spacing ? *request.spacing : rounded_down(narrowest / *request.nodes_across, 3);
    v.spacing = request.levels == 0 ? finest : spacing_with_levels(v, finest, request.levels);
    return;
  }
  // A side branch with fewer nodes may be cut off.
  double wanted = std::min(spacing_with_levels(v, narrowest / usual_nodes_across, request.levels),
                           v.thinnest() / fewest_nodes_of_branches);
  const double peak = developed_peak * largest_flow(v) * v.jet;
  if (v.flow_given) wanted = std::min(wanted, resolved * v.medium.viscosity / peak);
  double least = spacing_for(v, request.most_nodes.value_or(usual_vessel_nodes));
  if (request.lives) {
    least = std::min(least, narrowest / fewest_nodes_of_branches);
    if (v.flow_given) least = std::min(least, survivable * v.medium.viscosity / peak);
  }
  v.spacing = wanted > least ? rounded_down(wanted, 3) : request.lives ? rounded_down(least, 3) : rounded_up(least, 3);
}

/// Refuses a flow that is too fast for the spacing, and says what can be had.
void refuse_fast_flow(const DraftRequest& request, const Vessel& v) {
  const double finer = survivable * v.medium.viscosity / v.peak, factor = survivable / v.step.node_reynolds;
  const bool by_speed = request.speed.has_value();
  throw Error(
      ExitCode::usage,
      fmt::format(
          "{}: out of reach: the flow is about {} fast in the narrowest lumen ({} wide), a Reynolds number of {} "
          "there, and on nodes of {} one of {} a node. Up to {} large eddies are computed (LES), but there is no "
          "wall model; up to {} the flow is resolved. {} is what this spacing carries; or give --spacing {:.3g}m "
          "({} nodes)",
          request.flow_rate ? "--flow"
          : by_speed        ? "--speed"
                            : "--waveform",
          show_speed(v.peak), show_length(v.thinnest()),
          format_short(v.peak / developed_peak * v.thinnest() / v.medium.viscosity, 3), show_length(v.finest_spacing()),
          format_short(v.step.node_reynolds, 3), survivable, resolved,
          by_speed ? "--speed " + format_short(rounded_down(v.speed() * factor, 2), 2) + "m/s"
                   : "--flow " + format_short(rounded_down(6e7 * v.flow * factor, 2), 2) + "ml/min",
          rounded_down(finer, 3), show_count(v.lumen.volume / (finer * finer * finer))));
}

/// The least speed of sound, m/s, with which pressures of windkessels hardly change the density, and the fluid takes up
/// little of what pulsates.
double least_sound(const Vessel& v) {
  if (!v.windkessel) return 0;
  const double modulus = std::max(v.windkessel->swing / most_density_swing,
                                  v.lumen.volume / own_compliance_allowed(*v.windkessel, *v.waveform));
  return std::sqrt(modulus / v.medium.density);
}

/// Time of the ramp: long enough for sound to go through the vessel some times and for the fluid to pass the inlet.
double ramp_of(const Vessel& v) {
  const Real3 box = v.shape.upper - v.shape.lower;
  const double longest = std::max({box[0], box[1], box[2]}) / v.spacing;
  const double across = std::min(2 * v.in().diameter() / v.speed(), viscous_time(v) / 3) / v.step.seconds;
  return rounded_up(std::max({500.0, 4 * std::sqrt(3.0) * longest, across}) * v.step.seconds, 2);
}

/// Chooses flow rate, peak speed and time step at the spacing.
void choose_flow(const DraftRequest& request, Vessel& v) {
  if (!v.flow_given) {
    // The flow is as fast as in a middle-sized artery, or as the grid resolves.
    const double by_reynolds = usual_reynolds * v.medium.viscosity / v.in().diameter() * v.in().area;
    const double by_grid = 0.8 * resolved * v.medium.viscosity / v.finest_spacing() / (developed_peak * v.jet);
    v.flow = rounded_down(std::min(by_reynolds, by_grid), 3);
  }
  if (v.waveform) v.ramp = rounded(v.waveform->cycle() / 4, 3);
  if (request.windkessel) v.windkessel = make_windkessel(request, *v.waveform, v.ramp);
  v.peak = developed_peak * largest_flow(v) * v.jet;
  // Rounded as the case has it, so that steps of a cycle are counted with its time step.
  v.step = choose_time_step(rounded(v.speed(), 4), v.peak, v.finest_spacing(), v.medium.viscosity, least_sound(v));
  if (v.step.node_reynolds > survivable) refuse_fast_flow(request, v);
  v.step = coarsest_step(v.step, v.levels);
  if (!v.waveform) v.ramp = ramp_of(v);
}

}  // namespace

double Vessel::nodes_across(double diameter) const {
  return std::ldexp(diameter / spacing, std::min(levels, levels_wanted(diameter, spacing)));
}

double Vessel::share(std::size_t end) const {
  const auto weight = [&](std::size_t i) { return std::pow(shape.ends[i].area, 1.5); };
  double total = 0;
  for (std::size_t i = 0; i < shape.ends.size(); ++i) total += i == inlet ? 0 : weight(i);
  return end == inlet ? 0 : weight(end) / total;
}

bool Vessel::is_main(const Throat& throat) const {
  double most = 0;
  for (std::size_t i = 0; i < shape.ends.size(); ++i) most = std::max(most, share(i));
  return std::any_of(throat.downstream.begin(), throat.downstream.end(),
                     [&](int end) { return share(static_cast<std::size_t>(end)) >= std::min(least_main_share, most); });
}

const Throat& Vessel::main_throat() const {
  const auto& all = lumen.throats;  // narrowest first, and the largest outlet is behind one of them
  return *std::find_if(all.begin(), all.end(), [&](const Throat& throat) { return is_main(throat); });
}

double Vessel::narrowest() const {
  return std::min(in().diameter(), main_throat().diameter);
}

double Vessel::thinnest() const {
  return std::min(in().diameter(), lumen.throats.front().diameter);
}

int Vessel::usual_cycles() const {
  // What the start of a flow in a pipe leaves dies out like exp(-j^2 nu t / R^2), j = 2.405 the first zero of J0, or is
  // carried out; three times that leave 5%.
  constexpr double decays = 3, first_zero = 2.405;
  const double friction = in().area / (std::numbers::pi * first_zero * first_zero * medium.viscosity);
  const double settled = 0.5 * ramp + decays * std::min(friction, lumen.volume / flow);
  constexpr int fewest = 3, most = 30;
  return std::clamp(static_cast<int>(std::ceil(settled / waveform->cycle())) + averaged_cycles, fewest, most);
}

double Vessel::own_compliance() const {
  const double sound = spacing / (std::sqrt(3.0) * step.seconds);
  return lumen.volume / (medium.density * sound * sound);
}

double viscous_time(const Vessel& v) {
  return v.in().area / v.medium.viscosity;
}

Vessel plan_vessel(const DraftRequest& request) {
  Vessel v;
  v.medium = medium_of(request, "blood");
  v.shape = read_vessel(request);
  v.inlet = find_inlet(request, v.shape);
  name_ends(v.shape, v.inlet);
  v.flow_given = request.flow_rate || request.speed || !request.waveform.empty();
  if (!request.waveform.empty()) {
    v.waveform = read_waveform(request, v.in().area);
    v.flow = v.waveform->mean();
  } else if (v.flow_given) {
    v.flow = request.flow_rate ? *request.flow_rate : *request.speed * v.in().area;
  }
  v.lumen = measure_lumen(bare_case(v.shape), v.shape, static_cast<int>(v.inlet),
                          std::clamp(request.most_nodes.value_or(usual_vessel_nodes), 5e4, 1e6));
  v.jet = find_jet(v);
  choose_spacing(request, v);
  v.levels = std::min(request.levels, levels_wanted(v.thinnest(), v.spacing));
  choose_flow(request, v);
  return v;
}

}  // namespace fluvia::draft
