// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "fluvia/cuda/solver/device_block.hpp"
#include "fluvia/domain/device_delivery.hpp"
#include "fluvia/domain/exchange.hpp"
#include "fluvia/domain/recording.hpp"

namespace fluvia::domain {

/// Between GPUs of one process, which together have the whole domain, or all of a level, queued beside the steps and
/// ordered by events, so that the host waits for nothing. Where a GPU reaches the other, kernels pack straight into its
/// memory; elsewhere packed messages are copied. Steps of small parts are recorded, and queued many at a time.
class DeviceExchange final : public Exchange {
 public:
  /// `warn` is told why steps are not recorded if the driver refuses that; they are queued one by one then.
  explicit DeviceExchange(const std::vector<cuda::DeviceBlock*>& parts,
                          const std::function<void(const std::string&)>& warn = {});
  void start() override { delivery_.start(); }
  void wait() override;
  int replay(const Schedule& schedule, std::int64_t wanted) override;

  /// Messages that are copied.
  [[nodiscard]] std::size_t copies() const { return delivery_.copies(); }

 private:
  std::vector<cuda::DeviceBlock*> parts_;
  MemoryDelivery delivery_;
  Recording recording_;
};

}  // namespace fluvia::domain
