// SPDX-License-Identifier: Apache-2.0
#include "fluvia/domain/rank_communicator.hpp"

#include <utility>

#include "fluvia/ranks/ranks.hpp"

namespace fluvia::domain {

int RankCommunicator::count() const {
  return ranks::count();
}

int RankCommunicator::number() const {
  return ranks::rank();
}

std::vector<Bytes> RankCommunicator::exchange(Bytes own) {
  return ranks::share(std::move(own));
}

}  // namespace fluvia::domain
