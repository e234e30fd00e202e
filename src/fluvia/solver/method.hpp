// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "fluvia/case/physics/registered_formats.hpp"
#include "fluvia/core/format/rounding.hpp"
#include "fluvia/core/scheme/scheme.hpp"
#include "fluvia/solver/distribution.hpp"
#include "fluvia/solver/scalars/scalar_method.hpp"

namespace fluvia {

/// How a problem is computed: every "auto" of the case resolved, every name the row of its registry, and all of them
/// fit for each other, as make_plan() leaves it. Whoever needs to know what a name stands for asks here.
struct Method {
  std::vector<Distribution> distributions;            ///< what is stepped, the flow first; it is the only one today
  std::vector<ScalarMethod> scalars{};                ///< what the flow carries along, in the order of the case
  const core::Scheme* scheme = nullptr;               ///< row of the registry
  const FormatFacts* format = nullptr;                ///< row of the registry
  core::Rounding rounding = core::Rounding::nearest;  ///< rounding of formats of 16 bits
  int tile = 0;                                       ///< nodes along the edge of a tile; 0 if the scheme has none
  int steps_per_pass = 1;                             ///< time steps in one pass over memory

  [[nodiscard]] const Distribution& flow() const { return distributions.front(); }
  [[nodiscard]] std::string scheme_name() const { return scheme->name; }
};

}  // namespace fluvia
