// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>

#include "fluvia/cuda/solver/device_part.hpp"
#include "fluvia/domain/exchange.hpp"

namespace fluvia::domain {

/// Between GPUs of one process, which together have the whole domain, queued beside the steps and ordered by events, so
/// that the host waits for nothing. Where a GPU reaches the other, kernels pack straight into its memory; elsewhere
/// packed messages are copied. Steps of small parts are recorded, and queued many at a time.
class DeviceExchange final : public Exchange {
 public:
  explicit DeviceExchange(const std::vector<cuda::DevicePart*>& parts);
  void start() override;
  void wait() override;
  int replay(std::int64_t wanted) override;

  /// Messages that are copied.
  [[nodiscard]] std::size_t copies() const;

 private:
  struct Neighbour {
    std::size_t end;                        ///< among ends_
    cuda::DeviceMessage leaving, arriving;  ///< here, of no bytes if it is not copied, and there
  };
  struct End {
    cuda::DevicePart* part;
    cuda::Event sent;                            ///< all that leaves
    cuda::Event border_queued, interior_queued;  ///< all of these streams
    std::vector<Neighbour> neighbours;
  };
  /// Lets all streams wait for the first part's, or that for all others.
  void fork() const;
  void join() const;
  void record(int steps);

  std::vector<PartSolver*> parts_;
  std::vector<End> ends_;
  cuda::Event forked_;
  std::optional<cuda::Graph> graph_;
};

}  // namespace fluvia::domain
