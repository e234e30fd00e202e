// SPDX-License-Identifier: Apache-2.0
#include "fluvia/domain/levels/level_exchange.hpp"

#include <algorithm>

namespace fluvia::domain {

void LevelExchange::step(std::int64_t count) {
  while (count > 0) {
    const std::int64_t replayed = replay(count, [this] { advance(0, 0); });
    if (replayed == 0) advance(0, 0);
    count -= std::max<std::int64_t>(replayed, 1);
  }
  finish();
}

void LevelExchange::advance(std::size_t level, int step) {
  begin_step(level, step);
  if (level + 1 < levels())
    for (const int finer : {0, 1}) advance(level + 1, finer);
  end_step(level);
}

}  // namespace fluvia::domain
