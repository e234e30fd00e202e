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

void MassBalance::add(std::int64_t step, double mass, const std::vector<double>& flows) {
  if (begun_ && step <= last_step_) return;
  double net = 0, passing = 0;
  for (const double flow : flows) {
    net += flow;
    passing += 0.5 * std::abs(flow);
  }
  if (begun_) {
    const auto steps = static_cast<double>(step - last_step_);
    let_in_ += 0.5 * steps * (last_net_ + net);
    passed_ += 0.5 * steps * (last_passing_ + passing);
  } else {
    first_mass_ = mass;
    begun_ = true;
  }
  last_step_ = step;
  last_mass_ = mass;
  last_net_ = net;
  last_passing_ = passing;
}

bool MassBalance::holds() const {
  return std::abs(missing()) <=
         std::max(tolerated_share * passed_, (passed_ > 0 ? tolerated_surge : tolerated_drift) * fluid_);
}

nlohmann::json MassBalance::json() const {
  return {{"gained", gained()}, {"let_in", let_in_}, {"passed", passed_}, {"missing", missing()}, {"holds", holds()}};
}

std::string MassBalance::warning(std::int64_t every) const {
  std::string text =
      fmt::format("mass is not balanced: the fluid has {} {:.3g} ({:.2g}% of it)", gained() < 0 ? "lost" : "gained",
                  std::abs(gained()), 100 * std::abs(gained()) / fluid_);
  if (passed_ > 0)
    text += fmt::format(", but openings have let {} {:.3g} ({:.2g}% of what passed through is missing)",
                        let_in_ < 0 ? "out" : "in", std::abs(let_in_), 100 * std::abs(missing()) / passed_);
  text += "; in lattice units. Walls may leak, or 16-bit formats drift";
  if (passed_ > 0) text += fmt::format(", or rows every {} steps are too far apart to follow the flow", every);
  return text;
}

std::vector<double> MassBalance::state() const {
  if (!begun_) return {};
  return {static_cast<double>(last_step_), first_mass_, last_mass_, last_net_, last_passing_, let_in_, passed_};
}

void MassBalance::restore(const std::vector<double>& state) {
  if (state.size() != 7) return;
  begun_ = true;
  last_step_ = static_cast<std::int64_t>(state[0]);
  first_mass_ = state[1];
  last_mass_ = state[2];
  last_net_ = state[3];
  last_passing_ = state[4];
  let_in_ = state[5];
  passed_ = state[6];
}

}  // namespace fluvia
