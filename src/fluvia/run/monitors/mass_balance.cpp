// SPDX-License-Identifier: Apache-2.0
#include "fluvia/run/monitors/mass_balance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace fluvia {

namespace {
constexpr double tolerated_share = 0.01;  ///< part of what passed through openings
constexpr double tolerated_drift = 1e-3;  ///< part of the fluid, where nothing can leave: rounding
constexpr double tolerated_start = 0.05;  ///< part of the fluid: sound of a sudden start, which rows do not follow
constexpr double tolerated_sound = 0.01;  ///< part of the fluid: what is left of that sound later
}  // namespace

void MassBalance::add(std::int64_t step, double mass, const std::vector<OpeningFlow>& flows) {
  if (begun_ && step <= last_step_) return;
  double passing = 0;
  for (const OpeningFlow& flow : flows) passing += 0.5 * std::abs(flow.flow_rate);
  const bool begins = !begun_;
  if (begins) account_.first_mass = mass;
  const double steps = begun_ ? static_cast<double>(step - last_step_) : 0;
  account_.inflow.add(steps, net_inflow(flows));
  passing_.add(steps, passing);
  begun_ = true;
  last_step_ = step;
  last_mass_ = mass;
  if (begins) {
    first_step_ = step;
    judged_ = next_ = now();
  } else if (step - first_step_ >= 2 * std::max<std::int64_t>(1, next_.step - first_step_)) {
    judged_ = next_;
    next_ = now();
  }
}

MassBalance::Mark MassBalance::change() const {
  const Mark last = now(), first = start();
  return {last.step - first.step, last.mass - first.mass, last.inflow - first.inflow, last.passed - first.passed};
}

bool MassBalance::holds() const {
  const Mark since = change();
  const double of_fluid = passed() == 0                  ? tolerated_drift
                          : judged_from() == first_step_ ? tolerated_start
                                                         : tolerated_sound;
  return std::abs(since.inflow - since.mass) <= std::max(tolerated_share * since.passed, of_fluid * fluid_);
}

nlohmann::json MassBalance::json() const {
  return {{"gained", gained()},   {"let_in", let_in()}, {"passed", passed()},
          {"missing", missing()}, {"holds", holds()},   {"judged_from", judged_from()}};
}

std::string MassBalance::warning(std::int64_t every) const {
  const Mark since = change();
  std::string text =
      fmt::format("mass is not balanced: since step {} the fluid has {} {:.3g} ({:.2g}% of it)", judged_from(),
                  since.mass < 0 ? "lost" : "gained", std::abs(since.mass), 100 * std::abs(since.mass) / fluid_);
  if (since.passed > 0)
    text += fmt::format(", but openings have let {} {:.3g} ({:.2g}% of what passed through is missing)",
                        since.inflow < 0 ? "out" : "in", std::abs(since.inflow),
                        100 * std::abs(since.inflow - since.mass) / since.passed);
  text += "; in lattice units. Walls may leak, or 16-bit formats drift";
  if (since.passed > 0) text += fmt::format(", or rows every {} steps are too far apart to follow the flow", every);
  return text;
}

std::vector<double> MassBalance::state() const {
  if (!begun_) return {};
  std::vector<double> state = {static_cast<double>(last_step_),
                               account_.first_mass,
                               last_mass_,
                               account_.inflow.rate,
                               passing_.rate,
                               account_.inflow.sum,
                               passing_.sum,
                               static_cast<double>(first_step_)};
  for (const Mark& mark : {judged_, next_})
    state.insert(state.end(), {static_cast<double>(mark.step), mark.mass, mark.inflow, mark.passed});
  return state;
}

void MassBalance::restore(const std::vector<double>& state) {
  if (state.size() != 7 && state.size() != 16) return;
  begun_ = true;
  last_step_ = static_cast<std::int64_t>(state[0]);
  account_ = {state[1], {state[3], state[5]}};
  last_mass_ = state[2];
  passing_ = {state[4], state[6]};
  first_step_ = last_step_;  // a checkpoint without the step where the account began: judged from here on
  judged_ = next_ = now();
  if (state.size() == 7) return;
  first_step_ = static_cast<std::int64_t>(state[7]);
  const auto mark = [&](std::size_t k) {
    return Mark{static_cast<std::int64_t>(state[k]), state[k + 1], state[k + 2], state[k + 3]};
  };
  judged_ = mark(8);
  next_ = mark(12);
}

}  // namespace fluvia
