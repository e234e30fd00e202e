// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cuda/layout/slide/sliding_moments.hpp"

#include <algorithm>

namespace fluvia::cuda {

SlidingMomentLayout::SlidingMomentLayout(const NodeMap& nodes, Specification& s, const TileRoles& roles,
                                         unsigned least_blocks)
    : MomentLayout(nodes, s, roles), slide_(make_slide(nodes, least_blocks)) {
  // Groups of nodes take the places of groups, and rows that walls return those of none that are still to be read.
  const std::uint64_t numbers = moment_elements() / arrays_.stride, of_groups = numbers * 64;
  const std::uint64_t least = (returned_elements() + of_groups - 1) / of_groups * of_groups;
  slide_elements_ = std::max(numbers * slide_.nodes(), least);
}

Layout::Extent SlidingMomentLayout::extent() const {
  const std::uint64_t behind = returned_elements() > 0 ? slide_elements_ + returned_elements() : 0;
  return {moment_elements() + slide_elements_ + behind, slide_elements_, true, slots_of_beginning() * arrays_.stride};
}

void SlidingMomentLayout::place_arrays(ArrayStore& store) {
  MomentLayout::place_arrays(store);
  slide_.place(store);
}

void SlidingMomentLayout::append_step(const StepAddresses& at, StepShare share, Program& program) const {
  if (at.placed) return append_first_step(at, share, program);
  append_in_order(slide_, at, share, step_tile(), KernelKind::step, program);
}

void SlidingMomentLayout::append_pass(const StepAddresses& at, StepShare share, Program& program) const {
  append_in_order(slide_, at, share, tile(), KernelKind::pass, program);
}

}  // namespace fluvia::cuda
