// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cuda/layout/sliding_passes.hpp"

namespace fluvia::cuda {

SlidingPassLayout::SlidingPassLayout(const NodeMap& nodes, Specification& s, const TileRoles& roles,
                                     unsigned least_blocks)
    : PassLayout(nodes, s, roles), slide_(make_slide(nodes, least_blocks)) {
  set_stride(arrays_.stride + slide_.nodes());
}

void SlidingPassLayout::place_arrays(ArrayStore& store) {
  PassLayout::place_arrays(store);
  slide_.place(store);
}

void SlidingPassLayout::append_step(const StepAddresses& at, StepShare share, Program& program) const {
  kernels::PassTile shape = tile();
  shape.stages = 1;
  append_in_order(slide_, at, share, shape, KernelKind::step, program);
}

void SlidingPassLayout::append_pass(const StepAddresses& at, StepShare share, Program& program) const {
  append_in_order(slide_, at, share, tile(), KernelKind::pass, program);
}

}  // namespace fluvia::cuda
