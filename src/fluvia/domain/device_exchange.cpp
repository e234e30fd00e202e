// SPDX-License-Identifier: Apache-2.0
#include "fluvia/domain/device_exchange.hpp"

#include <algorithm>

#include "fluvia/cuda/solver/prepared_case.hpp"

namespace fluvia::domain {

namespace {

std::vector<DeviceEnd> halo_ends(const std::vector<cuda::DeviceBlock*>& parts) {
  std::vector<DeviceEnd> ends;
  for (cuda::DeviceBlock* part : parts) ends.push_back(halo_end(*part));
  return ends;
}

}  // namespace

DeviceExchange::DeviceExchange(const std::vector<cuda::DeviceBlock*>& parts,
                               const std::function<void(const std::string&)>& warn)
    : parts_(parts),
      delivery_(halo_ends(parts), cuda::Crossing::halos),
      recording_(parts, "steps of several GPUs", warn) {}

void DeviceExchange::wait() {
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    if (!delivery_.has_messages(p)) continue;
    parts_[p]->device().make_current();
    delivery_.wait(p, parts_[p]->border_stream());
    parts_[p]->queue_unpack(cuda::Crossing::halos);
  }
}

int DeviceExchange::replay(const Schedule& schedule, std::int64_t wanted) {
  if (recording_.is_refused()) return 0;
  int steps = parts_.front()->recorded_steps(wanted);
  for (const cuda::DeviceBlock* part : parts_) steps = std::min(steps, part->recorded_steps(wanted));
  if (steps == 0) return 0;
  for (cuda::DeviceBlock* part : parts_) {
    part->device().make_current();
    part->prepare_recorded();
  }
  const int pass = steps / cuda::graph_passes;
  const bool is_done = recording_.replay(1, pass, [&] {
    for (int k = 0; k < cuda::graph_passes; ++k) schedule.cycle(*this, pass);
  });
  return is_done ? steps : 0;
}

}  // namespace fluvia::domain
