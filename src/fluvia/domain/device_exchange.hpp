// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/cuda/solver/device_part.hpp"
#include "fluvia/domain/exchange.hpp"

namespace fluvia::domain {

/// Between GPUs of one process, which together have the whole domain, queued beside the steps and ordered by events, so
/// that the host waits for nothing. Where a GPU reaches the other, kernels pack straight into its memory; elsewhere
/// packed messages are copied.
class DeviceExchange final : public Exchange {
 public:
  explicit DeviceExchange(std::vector<cuda::DevicePart*> parts);
  void start() override;
  void wait() override;

  /// Messages that are copied.
  [[nodiscard]] std::size_t copies() const;

 private:
  struct Neighbour {
    std::size_t end;  ///< among ends_
    cuda::DeviceMessage leaving, arriving;  ///< here and there, if it is copied; else of no bytes
  };
  struct End {
    cuda::DevicePart* part;
    cuda::Event sent;  ///< all that leaves
    std::vector<Neighbour> neighbours;
  };
  std::vector<End> ends_;
};

}  // namespace fluvia::domain
