// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cuda/layout/slide/pass_slide.hpp"

#include <algorithm>

namespace fluvia::cuda {

PassSlide::PassSlide(const March& march, const Dimensions& blocks, unsigned least_blocks) {
  const unsigned layer_blocks = blocks.x * blocks.y;
  parts_ = (least_blocks + layer_blocks - 1) / layer_blocks;
  // What leaves the box at its end comes to its begin, which has been overwritten by then.
  const std::uint64_t ahead =
      std::uint64_t{2} * parts_ * march.planes_of_part + static_cast<std::uint64_t>(march.steps);
  nodes_ = (march.periodic ? march.planes : std::min(march.planes, ahead)) * march.plane_nodes;
  nodes_ = (nodes_ + 63) / 64 * 64;
  counters_ = SweepCounters(std::uint64_t{blocks.z / parts_ + 1});
}

kernels::SlidingPassArguments PassSlide::arguments(kernels::PassArguments pass,
                                                   const std::pair<std::uint32_t, std::uint32_t>& layers,
                                                   std::int64_t update) const {
  pass.first = layers.first;
  pass.end = layers.second;
  return {pass, counters_.order(update), parts_};
}

}  // namespace fluvia::cuda
