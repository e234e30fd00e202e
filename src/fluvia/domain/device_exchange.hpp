// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "fluvia/cuda/solver/device_block.hpp"
#include "fluvia/domain/exchange.hpp"

namespace fluvia::domain {

/// Between GPUs of one process, which together have the whole domain, queued beside the steps and ordered by events, so
/// that the host waits for nothing. Where a GPU reaches the other, kernels pack straight into its memory; elsewhere
/// packed messages are copied. Steps of small parts are recorded, and queued many at a time.
class DeviceExchange final : public Exchange {
 public:
  /// `warn` is told why steps are not recorded if the driver refuses that; they are queued one by one then.
  explicit DeviceExchange(const std::vector<cuda::DeviceBlock*>& parts,
                          std::function<void(const std::string&)> warn = {});
  void start() override;
  void wait() override;
  int replay(const Schedule& schedule, std::int64_t wanted) override;

  /// Messages that are copied.
  [[nodiscard]] std::size_t copies() const;

 private:
  struct Neighbour {
    std::size_t end;                        ///< among ends_
    cuda::DeviceMessage leaving, arriving;  ///< here, of no bytes if it is not copied, and there
  };
  struct End {
    cuda::DeviceBlock* part;
    cuda::Event sent;                            ///< all that leaves
    cuda::Event border_queued, interior_queued;  ///< all of these streams
    std::vector<Neighbour> neighbours;
  };
  /// Lets all streams wait for the first part's, or that for all others.
  void fork() const;
  void join() const;
  /// False if the driver refuses.
  bool record(const Schedule& schedule, int steps);

  std::function<void(const std::string&)> warn_;
  std::vector<End> ends_;
  cuda::Event forked_;
  std::optional<cuda::Graph> graph_;
  bool refused_ = false;  ///< a recording
};

}  // namespace fluvia::domain
