// SPDX-License-Identifier: Apache-2.0
#include "fluvia/run/findings/flow_survey.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "fluvia/case/physics/rheology.hpp"
#include "fluvia/core/config.hpp"
#include "fluvia/core/lattice/lattice.hpp"
#include "fluvia/solver/viscous_stress.hpp"

namespace fluvia {

namespace {

/// Nodes that are looked at; of larger domains an even sample, so that the end of a run takes no memory that `plan`
/// ignores.
constexpr std::uint64_t most_surveyed_nodes = std::uint64_t{1} << 20;
constexpr std::uint64_t tiles_at_once = 128;
/// Factor beyond a bound of the viscosity from which on it is another viscosity.
constexpr double beside_bounds = 1.05;

bool is_clipped(const LocalViscosity& viscosity, double rate) {
  const double law = viscosity.function(rate, viscosity.parameters);
  return law * beside_bounds < viscosity.least || law > beside_bounds * viscosity.most;
}

/// The value below which a part of the values lies.
double value_at_part(std::vector<float>& values, double part) {
  const auto place = values.begin() + static_cast<std::ptrdiff_t>(part * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), place, values.end());
  return *place;
}

}  // namespace

FlowSurvey survey_flow(const FlowState& state) {
  const NodeMap& nodes = state.geometry().nodes;
  const Plan& plan = state.plan();
  const bool varies = plan.flow().viscosity.varies();
  const bool of_fluid = varies && facts_of_viscosity(plan.flow().viscosity.model).of_fluid;
  const std::uint64_t every = 1 + nodes.fluid_nodes / most_surveyed_nodes, tiles = nodes.tiles.size();
  std::vector<float> deviations;
  deviations.reserve(std::min(nodes.fluid_nodes, 2 * most_surveyed_nodes));
  std::uint64_t clipped = 0;
  double friction = 0, of_eddies = 0;
  Moments moments;
  for (std::uint64_t first = 0; first < tiles; first += every * tiles_at_once) {
    state.moments(first, std::min(tiles_at_once, tiles - first), varies, moments);
    for (const double density : moments.density) deviations.push_back(static_cast<float>(density - 1));
    for (std::size_t k = 0; varies && k < moments.density.size(); ++k) {
      const double rate = shear_rate(plan, moments.density[k], moments.stress[k]);
      if (of_fluid) {
        clipped += is_clipped(plan.flow().viscosity, rate);
        continue;
      }
      const double viscosity = plan.flow().viscosity.at(rate), work = moments.density[k] * rate * rate;
      friction += viscosity * work;
      of_eddies += (viscosity - plan.flow().viscosity.least) * work;
    }
  }
  FlowSurvey survey;
  survey.nodes = deviations.size();
  if (deviations.empty()) return survey;
  constexpr double left_out = 0.01;
  survey.lowest = value_at_part(deviations, left_out);
  survey.highest = value_at_part(deviations, 1 - left_out);
  survey.clipped = static_cast<double>(clipped) / static_cast<double>(survey.nodes);
  if (friction > 0) survey.eddy_share = of_eddies / friction;
  return survey;
}

}  // namespace fluvia
