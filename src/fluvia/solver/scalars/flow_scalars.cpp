// SPDX-License-Identifier: Apache-2.0
#include "fluvia/solver/scalars/flow_scalars.hpp"

#include <algorithm>

namespace fluvia {

ScalarSummary summary_of(std::span<const ScalarPart> parts, double reference) {
  ScalarSummary all;
  all.least = parts.front().least;
  all.most = parts.front().most;
  double sum = 0, volume = 0;
  for (const ScalarPart& part : parts) {
    sum += part.value;
    volume += part.volume;
    all.source += part.source;
    all.least = std::min(all.least, part.least);
    all.most = std::max(all.most, part.most);
    all.finite = all.finite && part.finite;
  }
  all.mean = reference + sum / volume;
  all.content = reference * volume + sum;
  all.least += reference;
  all.most += reference;
  return all;
}

}  // namespace fluvia
