// SPDX-License-Identifier: Apache-2.0
#include "fluvia/run/mass_balance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace fluvia {

namespace {
constexpr double tolerated_share = 0.01;  ///< of what passed through
constexpr double tolerated_drift = 1e-3;  ///< of the fluid, where nothing can leave: rounding
constexpr double tolerated_surge = 0.05;  ///< of the fluid: sound of a sudden start, which rows do not follow
}  // namespace

void MassBalance::add(std::int64_t step, double mass, const std::vector<OpeningFlow>& flows) {
  if (begun_ && step <= last_step_) return;
  double passing = 0;
  for (const OpeningFlow& flow : flows) passing += 0.5 * std::abs(flow.flow_rate);
  if (!begun_) account_.first_mass = mass;
  const double steps = begun_ ? static_cast<double>(step - last_step_) : 0;
  account_.inflow.add(steps, net_inflow(flows));
  passing_.add(steps, passing);
  begun_ = true;
  last_step_ = step;
  last_mass_ = mass;
}

bool MassBalance::holds() const {
  return std::abs(missing()) <=
         std::max(tolerated_share * passed(), (passed() > 0 ? tolerated_surge : tolerated_drift) * fluid_);
}

nlohmann::json MassBalance::json() const {
  return {{"gained", gained()}, {"let_in", let_in()}, {"passed", passed()}, {"missing", missing()}, {"holds", holds()}};
}

std::string MassBalance::warning(std::int64_t every) const {
  std::string text =
      fmt::format("mass is not balanced: the fluid has {} {:.3g} ({:.2g}% of it)", gained() < 0 ? "lost" : "gained",
                  std::abs(gained()), 100 * std::abs(gained()) / fluid_);
  if (passed() > 0)
    text += fmt::format(", but openings have let {} {:.3g} ({:.2g}% of what passed through is missing)",
                        let_in() < 0 ? "out" : "in", std::abs(let_in()), 100 * std::abs(missing()) / passed());
  text += "; in lattice units. Walls may leak, or 16-bit formats drift";
  if (passed() > 0) text += fmt::format(", or rows every {} steps are too far apart to follow the flow", every);
  return text;
}

std::vector<double> MassBalance::state() const {
  if (!begun_) return {};
  return {static_cast<double>(last_step_),
          account_.first_mass,
          last_mass_,
          account_.inflow.rate,
          passing_.rate,
          account_.inflow.sum,
          passing_.sum};
}

void MassBalance::restore(const std::vector<double>& state) {
  if (state.size() != 7) return;
  begun_ = true;
  last_step_ = static_cast<std::int64_t>(state[0]);
  account_ = {state[1], {state[3], state[5]}};
  last_mass_ = state[2];
  passing_ = {state[4], state[6]};
}

}  // namespace fluvia
