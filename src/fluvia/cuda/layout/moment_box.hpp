// SPDX-License-Identifier: Apache-2.0
// A dense box whose nodes keep moments, in two copies; kernels/passes/pass_moments.hpp.
#pragma once
#include <vector>

#include "fluvia/cuda/layout/passes.hpp"

namespace fluvia::cuda {

class MomentLayout : public PassLayout {
 public:
  MomentLayout(const NodeMap& nodes, Specification& specification, const TileRoles& roles = {});

  /// Two copies, which together have room for the populations that a flow begins with.
  [[nodiscard]] Extent extent() const override;
  [[nodiscard]] std::uint64_t bytes() const override;
  void mark_conditions(const BoundaryArrays& boundaries) override;
  void place_arrays(ArrayStore& store) override;
  [[nodiscard]] bool completes_in_step() const override { return true; }
  [[nodiscard]] bool begins_with_populations() const override { return true; }
  [[nodiscard]] std::size_t step_shared_bytes() const override { return shared_bytes(step_tile_); }
  void set_parameters(const core::CollisionParameters<double>& parameters) override { parameters_ = parameters; }
  void place_in_domain(const NodeMap& domain, int first_layer) override;
  [[nodiscard]] Argument geometry(const StepAddresses& at) const override;
  void append_step(const StepAddresses& at, StepShare share, Program& program) const override;

 protected:
  /// Elements of the moments at one time, of what walls return besides, and from the moments of a copy to that.
  [[nodiscard]] std::uint64_t moment_elements() const { return numbers_ * arrays_.stride; }
  [[nodiscard]] std::uint64_t returned_elements() const { return returned_elements_; }
  [[nodiscard]] virtual std::uint64_t elements_before_returned() const { return moment_elements(); }
  /// The slots that populations begin in which do not lie where moments will be, and where these are.
  [[nodiscard]] unsigned slots_of_beginning() const { return directions_ - numbers_; }
  [[nodiscard]] virtual std::uint64_t beginning(const StepAddresses& at) const;
  [[nodiscard]] const kernels::PassTile& step_tile() const { return step_tile_; }
  /// Appends the first step after populations were placed, all of it with the share of the border.
  void append_first_step(const StepAddresses& at, StepShare share, Program& program) const;

 private:
  [[nodiscard]] std::uint64_t offset_in_group(unsigned k) const;
  [[nodiscard]] std::uint64_t bytes_of(std::uint64_t elements) const {
    return elements * (slot_bytes_ / arrays_.stride);
  }
  [[nodiscard]] std::uint64_t copy_elements() const { return moment_elements() + returned_elements_; }
  void number_returned_rows(const Specification& specification);

  kernels::PassTile step_tile_;
  unsigned directions_, numbers_;
  std::uint64_t slot_bytes_, returned_elements_ = 0;
  std::vector<std::uint32_t> returned_rows_;  ///< kernels::ReturnedPopulations::rows
  std::uint64_t returned_row_bytes_ = 0;
  kernels::ReturnedPopulations returned_{};
  core::CollisionParameters<double> parameters_{};
  std::uint32_t first_ = 0, first_wrapped_ = 0, wrapped_from_ = kernels::none;  ///< as kernels::MomentBox has them
};

}  // namespace fluvia::cuda
