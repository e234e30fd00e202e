// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cuda/layout/moment_box.hpp"

#include <algorithm>

namespace fluvia::cuda {

MomentLayout::MomentLayout(const NodeMap& nodes, Specification& s, const TileRoles& roles)
    : PassLayout(nodes, s, roles),
      step_tile_(pass_tile(s, 1)),
      directions_(static_cast<unsigned>(facts_of(s).directions)),
      numbers_(static_cast<unsigned>(facts_of(s).numbers)),
      slot_bytes_(arrays_.stride * static_cast<std::uint64_t>(facts_of(s).storage_bytes)) {
  if (s.walls != core::WallRule::half_way) number_returned_rows(s);
}

/// Gives a row to every fluid node whose links are cut.
void MomentLayout::number_returned_rows(const Specification& s) {
  const std::uint32_t cut = (1u << directions_) - 1;
  for (const std::uint32_t word : arrays_.words) {
    const bool has_row = (word & kernels::not_fluid_bit) == 0 && (word & cut) != 0;
    returned_rows_.push_back(has_row ? returned_.count++ : kernels::none);
  }
  const SpecificationFacts facts = facts_of(s);
  const std::uint64_t elements = std::uint64_t{returned_.count} * (directions_ - 1) *
                                 static_cast<std::uint64_t>(facts.arithmetic_bytes / facts.storage_bytes);
  returned_elements_ = (elements + 63) / 64 * 64;  // as slots, copies begin at multiples of 64
  returned_row_bytes_ = returned_rows_.size() * sizeof(returned_rows_[0]);
}

void MomentLayout::mark_conditions(const BoundaryArrays& boundaries) {
  PassLayout::mark_conditions(boundaries);
  if (returned_rows_.empty()) return;
  returned_rows_.resize(arrays_.words.size(), kernels::none);
  returned_row_bytes_ = returned_rows_.size() * sizeof(returned_rows_[0]);
}

std::uint64_t MomentLayout::bytes() const {
  return PassLayout::bytes() + returned_row_bytes_;
}

void MomentLayout::place_arrays(ArrayStore& store) {
  PassLayout::place_arrays(store);
  returned_.rows = store.give(returned_rows_, "links that walls return");
  returned_rows_ = {};
}

Layout::Extent MomentLayout::extent() const {
  const std::uint64_t all =
      std::max<std::uint64_t>(2 * numbers_, directions_) * arrays_.stride + 2 * returned_elements_;
  return {all, all - copy_elements()};
}

/// Bytes from where a node begins in a copy to its number k: those that share a word lie together.
std::uint64_t MomentLayout::offset_in_group(unsigned k) const {
  const std::uint64_t bytes = bytes_of(1), in_word = bytes == 2 ? 2 : 1;
  return (k / in_word * kernels::moment_group * in_word + k % in_word) * bytes;
}

Argument MomentLayout::geometry(const StepAddresses& at) const {
  const kernels::DenseBox nodes = DenseBoxLayout::geometry(at).as<kernels::DenseBox>();
  kernels::MomentBox box{nodes,
                         arguments().mirrored,
                         arguments().mirrors,
                         at.placed ? 1u : 0u,
                         {parameters_.force[0], parameters_.force[1], parameters_.force[2]},
                         parameters_.omega,
                         returned_,
                         first_,
                         first_wrapped_,
                         wrapped_from_};
  const std::uint64_t before_returned = bytes_of(elements_before_returned());
  box.returned.source = at.source + before_returned;
  box.returned.target = at.target + before_returned;
  if (!at.placed) return Argument(box);
  const unsigned before = slots_of_beginning();
  for (unsigned i = 0; i < directions_; ++i)
    box.nodes.source[i] = i < before ? beginning(at) + slot_bytes_ * i : at.target + offset_in_group(i - before);
  return Argument(box);
}

/// Beside the copy where moments will be. Populations may be placed after any number of updates, and so beside either.
std::uint64_t MomentLayout::beginning(const StepAddresses& at) const {
  return at.target == at.source ? at.source + bytes_of(copy_elements()) : at.source;
}

void MomentLayout::place_in_domain(const NodeMap& domain, int first_layer) {
  const int last = domain.dimension - 1, size = domain.size[last];
  const std::uint64_t layer = std::uint64_t{arrays_.box.pitch} * (last == 2 ? arrays_.box.size[1] : 1);
  const std::uint64_t all = layer * static_cast<std::uint64_t>(size);
  const std::uint64_t first =
      layer * static_cast<std::uint64_t>(wrapped(first_layer * tile_shape(domain.dimension)[last], size));
  first_ = static_cast<std::uint32_t>(first);
  first_wrapped_ = static_cast<std::uint32_t>(first - all);
  wrapped_from_ = static_cast<std::uint32_t>(std::min<std::uint64_t>(all - first, kernels::none));
}

void MomentLayout::append_first_step(const StepAddresses& at, StepShare share, Program& program) const {
  if (share == StepShare::interior) return;
  const std::uint64_t tiles = std::uint64_t{arrays_.box.tiles[0]} * arrays_.box.tiles[1] * arrays_.box.tiles[2];
  program.push_back({.kernel = KernelKind::first_step,
                     .shape = blocks_of(kernels::nodes_per_tile, tiles * kernels::nodes_per_tile),
                     .geometry = geometry(at)});
}

void MomentLayout::append_step(const StepAddresses& at, StepShare share, Program& program) const {
  if (at.placed) return append_first_step(at, share, program);
  append_passes(at, share, step_tile_, KernelKind::step, program);
}

}  // namespace fluvia::cuda
