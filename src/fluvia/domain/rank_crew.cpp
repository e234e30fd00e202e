// SPDX-License-Identifier: Apache-2.0
#include "fluvia/domain/rank_crew.hpp"

#include <utility>

#include "fluvia/ranks/ranks.hpp"

namespace fluvia::domain {

int RankCrew::count() const {
  return ranks::count();
}

int RankCrew::number() const {
  return ranks::rank();
}

std::vector<Bytes> RankCrew::exchange(Bytes own) {
  return ranks::share(std::move(own));
}

}  // namespace fluvia::domain
