// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <string>

#include "fluvia/case/case.hpp"

namespace fluvia {

/// A number that a case prescribes, at any time. Copies share what they read.
class PrescribedNumber {
 public:
  /// `key`: where the case has it. Throws Error(input) with it for what is no formula of the time, or is no finite
  /// number at time 0, and as TimeSeries does.
  PrescribedNumber(const Case& c, const Case::Prescribed& from, const std::string& key);

  /// At a time in case units, as the case gives it. Called by one thread at a time.
  [[nodiscard]] double at(double time) const;

 private:
  struct Course;
  std::shared_ptr<const Course> course_;  ///< null: it stays as it is
  double number_;
};

}  // namespace fluvia
