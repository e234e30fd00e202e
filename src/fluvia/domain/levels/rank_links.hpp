// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <vector>

#include "fluvia/domain/levels/host_level_exchange.hpp"

namespace fluvia::domain {

/// Each rank has one part of each level; messages of MPI carry what crosses.
class RankLinks final : public PartLinks {
 public:
  [[nodiscard]] std::unique_ptr<Exchange> halos(const std::vector<BlockSolver*>& parts) const override;
  [[nodiscard]] std::unique_ptr<ValueExchange> values(std::vector<PlaceMessages> messages) const override;
};

}  // namespace fluvia::domain
