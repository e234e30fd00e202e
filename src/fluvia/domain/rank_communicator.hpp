// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/base/communicator.hpp"

namespace fluvia::domain {

/// The ranks as those who set up a domain together.
class RankCommunicator final : public Communicator {
 public:
  [[nodiscard]] int count() const override;
  [[nodiscard]] int number() const override;

 protected:
  std::vector<Bytes> exchange(Bytes own) override;
};

}  // namespace fluvia::domain
