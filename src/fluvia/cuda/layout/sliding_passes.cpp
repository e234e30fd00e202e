// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cuda/layout/sliding_passes.hpp"

#include <algorithm>

namespace fluvia::cuda {

SlidingPassLayout::SlidingPassLayout(const NodeMap& nodes, Specification& s, const TileRoles& roles,
                                     unsigned least_blocks)
    : PassLayout(nodes, s, roles) {
  const kernels::DenseBox& box = arrays_.box;
  const int last = nodes.dimension - 1;
  const auto along = static_cast<std::uint64_t>(nodes.size[last]);
  const LaunchShape shape = pass_shape(tile(), static_cast<unsigned>(along));
  const unsigned layer_blocks = shape.blocks.x * shape.blocks.y;
  parts_ = (least_blocks + layer_blocks - 1) / layer_blocks;
  // Populations that leave the box at its end come to its begin, which has been overwritten by then.
  const std::uint64_t ahead = std::uint64_t{2} * parts_ * planes() + static_cast<std::uint64_t>(tile().stages);
  const std::uint64_t slides = nodes.periodic[last] ? along : std::min(along, ahead);
  shift_ = slides * box.pitch * (last == 2 ? box.size[1] : 1);
  shift_ = (shift_ + 63) / 64 * 64;
  set_stride(arrays_.stride + shift_);
  counters_ = SweepCounters(std::uint64_t{shape.blocks.z / parts_ + 1});
}

void SlidingPassLayout::place_arrays(ArrayStore& store) {
  PassLayout::place_arrays(store);
  counters_.place(store);
}

void SlidingPassLayout::append(const StepAddresses& at, StepShare share, int steps, KernelKind kind,
                               Program& program) const {
  if (share == StepShare::interior) return;
  const auto [first, end] = stepped_layers();
  kernels::SlidingPassArguments sliding{arguments(), counters_.order(at.update), parts_};
  sliding.pass.first = first;
  sliding.pass.end = end;
  kernels::PassTile shape = tile();
  shape.stages = steps;
  program.push_back(
      {.kernel = kind, .shape = pass_shape(shape, end - first), .geometry = geometry(at), .more = Argument(sliding)});
}

void SlidingPassLayout::append_step(const StepAddresses& at, StepShare share, Program& program) const {
  append(at, share, 1, KernelKind::step, program);
}

void SlidingPassLayout::append_pass(const StepAddresses& at, StepShare share, Program& program) const {
  append(at, share, tile().stages, KernelKind::pass, program);
}

}  // namespace fluvia::cuda
