// SPDX-License-Identifier: Apache-2.0
#include "fluvia/domain/levels/level_exchange.hpp"

#include <algorithm>

#include "fluvia/base/error.hpp"

namespace fluvia::domain {

std::size_t neighbour_of(const BlockSolver& solver, int level, int scalar) {
  const ExchangeLink link = level > solver.block().level ? ExchangeLink::fine_to_coarse : ExchangeLink::coarse_to_fine;
  const auto& neighbours = solver.block().neighbours;
  for (std::size_t k = 0; k < neighbours.size(); ++k)
    if (neighbours[k].link == link && neighbours[k].scalar == scalar) return k;
  throw Error(ExitCode::internal, "two levels do not agree about being neighbours");
}

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
  if (level + 1 < levels()) {
    if (takes_pass(level + 1))
      pass(level + 1);
    else
      for (const int finer : {0, 1}) advance(level + 1, finer);
  }
  end_step(level);
}

}  // namespace fluvia::domain
