// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <string>
#include <vector>

#include "fluvia/case/case.hpp"
#include "fluvia/run/divergence/diagnosis.hpp"
#include "fluvia/units/units.hpp"

namespace fluvia {

/// A change of a case that may keep its flow from diverging.
struct Remedy {
  std::vector<std::string> settings;  ///< texts for --set
  Case changed;                       ///< the case with these settings
  double steps_ratio = 1;             ///< number of steps that span as much time as one of the case
};

/// Remedies that are worth a try: first those that change neither flow nor steps, then those that do, then several at
/// once.
std::vector<Remedy> possible_remedies(const Case& c, const Units& units);

/// The flow of a case with time steps shorter by this factor, SI only.
Remedy with_shorter_steps(const Case& c, const Units& units, double by);

/// Tries remedies from the start, one after the other, writing nothing, for 1.2 times as long as the flow took to
/// diverge. Returns a line with the first that the flow survives, or one that says that none was found, within
/// `seconds`; not even tried if that is not enough for one.
std::string try_remedies(const Case& c, const Divergence& divergence, double seconds,
                         const std::atomic<bool>* interrupt);

}  // namespace fluvia
