// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <vector>

#include "fluvia/cuda/solver/prepared_case.hpp"

namespace fluvia::cuda {

/// Keys of the random bits of some steps that follow each other, on the GPU.
class RoundingKeys {
 public:
  RoundingKeys(const Device& device, const PreparedCase& prepared)
      : count_(most_keys(prepared.specification)), keys_(device, prepared.key_bytes(), "keys of random bits") {}

  [[nodiscard]] bool have(std::int64_t step, int steps) const {
    return first_ && step >= *first_ && step + steps <= *first_ + count_;
  }
  /// Those from a step on.
  void upload(const Stream& stream, std::int64_t step) {
    std::vector<core::StepKey> keys(static_cast<std::size_t>(count_));
    for (int k = 0; k < count_; ++k)
      keys[static_cast<std::size_t>(k)] = core::step_key(static_cast<core::Uint64>(step + k));
    keys_.upload(stream, keys.data(), keys.size() * sizeof(keys[0]));
    first_ = step;
  }
  /// Where that of a step is.
  [[nodiscard]] const core::StepKey* of(std::int64_t step) const {
    return keys_.data<core::StepKey>() + (step - *first_);
  }

 private:
  int count_;
  DeviceBuffer keys_;
  std::optional<std::int64_t> first_;  ///< step of the first key there
};

}  // namespace fluvia::cuda
