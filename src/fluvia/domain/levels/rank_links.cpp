// SPDX-License-Identifier: Apache-2.0
#include "fluvia/domain/levels/rank_links.hpp"

#include <cstddef>
#include <utility>

#include "fluvia/domain/rank_group.hpp"

namespace fluvia::domain {

namespace {

/// Parts have the numbers of their ranks.
class RankValues final : public ValueExchange {
 public:
  explicit RankValues(PlaceMessages messages) : messages_(std::move(messages)) {
    for (const PlaceMessages::With& with : messages_.parts) {
      leaving_.emplace_back(with.leaving.size());
      arriving_.emplace_back(with.arriving.size());
    }
  }

  void start(std::span<const std::span<double>> values) override {
    const std::span<double> own = values.front();
    const std::vector<PlaceMessages::With>& parts = messages_.parts;
    for (std::size_t p = 0; p < parts.size(); ++p)
      if (!arriving_[p].empty()) under_way_.receive(parts[p].part, bytes_of(arriving_[p]), size_of(arriving_[p]));
    for (std::size_t p = 0; p < parts.size(); ++p) {
      if (leaving_[p].empty()) continue;
      for (std::size_t k = 0; k < leaving_[p].size(); ++k) leaving_[p][k] = own[parts[p].leaving[k]];
      under_way_.send(parts[p].part, bytes_of(leaving_[p]), size_of(leaving_[p]));
    }
  }

  void wait(std::span<const std::span<double>> values) override {
    under_way_.wait();
    const std::span<double> own = values.front();
    const std::vector<PlaceMessages::With>& parts = messages_.parts;
    for (std::size_t p = 0; p < parts.size(); ++p)
      for (std::size_t k = 0; k < arriving_[p].size(); ++k) own[parts[p].arriving[k]] = arriving_[p][k];
  }

 private:
  static std::byte* bytes_of(std::vector<double>& numbers) { return reinterpret_cast<std::byte*>(numbers.data()); }
  static std::size_t size_of(const std::vector<double>& numbers) { return numbers.size() * sizeof(double); }

  PlaceMessages messages_;
  std::vector<std::vector<double>> leaving_, arriving_;  ///< by PlaceMessages::parts
  ranks::Messages under_way_;
};

}  // namespace

std::unique_ptr<Exchange> RankLinks::halos(const std::vector<BlockSolver*>& parts) const {
  return std::make_unique<RankExchange>(*parts.front());
}

std::unique_ptr<ValueExchange> RankLinks::values(std::vector<PlaceMessages> messages) const {
  return std::make_unique<RankValues>(std::move(messages.front()));
}

}  // namespace fluvia::domain
