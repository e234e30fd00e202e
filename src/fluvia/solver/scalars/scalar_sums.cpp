// SPDX-License-Identifier: Apache-2.0
#include "fluvia/solver/scalars/scalar_sums.hpp"

namespace fluvia {

ScalarSummary summary_of(const ScalarSum& sum, double reference) {
  ScalarSummary all;
  all.volume = sum.volume;
  all.source = sum.source;
  all.finite = sum.finite;
  all.mean = reference + sum.value / sum.volume;
  all.content = reference * sum.volume + sum.value;
  all.least = reference + sum.least;
  all.most = reference + sum.most;
  return all;
}

}  // namespace fluvia
