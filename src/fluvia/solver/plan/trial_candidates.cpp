// SPDX-License-Identifier: Apache-2.0
#include "fluvia/solver/plan/trial_candidates.hpp"

#include <algorithm>

#include "fluvia/case/physics/registered_formats.hpp"
#include "fluvia/case/physics/registered_physics.hpp"
#include "fluvia/solver/plan/passes.hpp"
#include "fluvia/solver/plan/scheme.hpp"

namespace fluvia {

namespace {

/// Whether all schemes give the same bits with this plan, whatever they round.
bool bits_are_equal(const Plan& plan) {
  return plan.device == "cpu" || !plan.format->rounds;
}

/// Schemes that the case leaves open, with the fraction of the roofline that is expected of each.
std::vector<model::Expectation> open_schemes(const Case& c, const NodeMap& nodes, const Plan& plan,
                                             const model::Situation& situation) {
  if (c.numerics.scheme == "auto") return model::schemes_to_choose_from(situation, nodes);
  return {{plan.scheme_name(), plan.expected_fraction}};
}

}  // namespace

model::Situation situation_of(const Case& c, const NodeMap& nodes, const Plan& plan, std::uint64_t device_memory) {
  return {plan.device,
          plan.flow().lattice->name,
          plan.format->name,
          plan.format->storage_bytes,
          device_memory,
          [&](const std::string& scheme) { return gain_of_passes(c, parse_scheme(scheme), nodes, plan); }};
}

std::vector<TrialCandidate> trial_candidates(const Case& c, const NodeMap& nodes, const Plan& plan,
                                             std::uint64_t device_memory) {
  const TrialCandidate first = {plan.scheme_name(), plan.steps_per_pass, plan.expected_fraction};
  const bool whole = plan.domain.is_whole() && plan.refusal.empty();
  if (!whole || !bits_are_equal(plan)) return {first};
  std::vector<TrialCandidate> others;
  for (const model::Expectation& expected : open_schemes(c, nodes, plan, situation_of(c, nodes, plan, device_memory))) {
    const std::vector<PassOption> options = pass_options(c, parse_scheme(expected.scheme), nodes, plan);
    for (const PassOption& option : options)
      others.push_back({expected.scheme, option.steps, expected.fraction * option.gain / options.front().gain});
  }
  std::erase_if(others, [&](const TrialCandidate& candidate) {
    return candidate.scheme == first.scheme && candidate.steps_per_pass == first.steps_per_pass;
  });
  double best = first.fraction;
  for (const TrialCandidate& candidate : others) best = std::max(best, candidate.fraction);
  // Nothing is expected of schemes that were never measured, so that all their numbers of steps are worth a trial.
  std::erase_if(others,
                [&](const TrialCandidate& candidate) { return candidate.fraction < candidate_fraction * best; });
  std::stable_sort(others.begin(), others.end(),
                   [](const TrialCandidate& a, const TrialCandidate& b) { return a.fraction > b.fraction; });
  if (others.size() >= most_candidates) others.resize(most_candidates - 1);
  others.insert(others.begin(), first);
  return others;
}

}  // namespace fluvia
