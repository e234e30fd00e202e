// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <span>
#include <vector>

#include "fluvia/cuda/layout/live_boundaries.hpp"
#include "fluvia/cuda/solver/block/block_kernels.hpp"
#include "fluvia/cuda/solver/block/kept_arrays.hpp"
#include "fluvia/solver/blocks/block_solver.hpp"
#include "fluvia/solver/links/wall_links.hpp"

namespace fluvia::cuda {

/// The boundaries of a block on its GPU: records of nodes with cut links, surfaces and what they have at a time,
/// profiles that change, and what walls between the nodes give.
template <class T>
class BlockBoundaries {
 public:
  /// `arrays` gets what never changes. `kept`: what conditions keep.
  BlockBoundaries(const BlockKernels& on, const PreparedCase& prepared, const KeptArrays<T>& kept,
                  DeviceArrays& arrays);

  /// Sets what kernels know of boundaries.
  void show(kernels::Physics<T>& physics) const {
    physics.boundaries = known_;
    physics.walls = walls_;
    physics.stages = stages_;
  }
  [[nodiscard]] unsigned tiles() const { return known_.tile_count; }
  [[nodiscard]] const core::SurfaceState* surface_states() const { return known_.surfaces; }

  /// Takes a part in what walls between the nodes give for links of bodies, which have this weight.
  void supply_bodies(double weight) { weight_of_bodies_ = weight; }
  /// core::WallBlocks::supply.
  [[nodiscard]] float supply() const { return correction_.per_weight; }

  // As Solver and BlockSolver have them.
  double apply(const FlowChange& change) {
    on_.device.make_current();
    return std::visit([this](const auto& row) { return set(row); }, change);
  }
  void set_values_ahead(std::span<const BoundaryValues> values);
  [[nodiscard]] BlockSolver::SurfaceMotion motion_of(int surface) const;
  /// Takes the links that these tiles have now (BlockSolver::take_links()). Nothing may use the old ones any more.
  void take_links(const LinkTable& table, std::span<const std::uint32_t> tiles);
  /// From now on passes find what all other kernels do.
  void forget_values_ahead();

  /// Copies of what changes, for a state that stays.
  struct Copy {
    DeviceBuffer surface_states, records;
    Copy(const Device& device, const PreparedCase& prepared)
        : surface_states(device, prepared.surface_bytes(), "a snapshot of the surfaces"),
          records(device, prepared.changing_bytes(), "a snapshot of the boundary records") {}
  };
  /// Queues the copying, and lets kernels with `physics` find it.
  void copy_to(const Copy& copy, kernels::Physics<T>& physics) const;

 private:
  void put(const BoundaryValue& boundary) { core::set_value(surfaces_[boundary.surface], boundary.value); }
  double set(const BoundaryValue& boundary);
  double set(const ProfileTime& profile);
  double set(const WallMass& walls);
  static double set(const BodyVelocity&) { return 0; }  // the solver has bodies
  static double set(const ScalarValue&) { return 0; }   // and scalars

  const BlockKernels& on_;
  std::vector<core::SurfaceState> surfaces_;
  std::vector<SurfaceForce> carried_;  ///< BoundarySetup::carried
  std::vector<CornerFlow> corners_;    ///< BoundarySetup::corners
  ProfileRecords changing_;
  std::vector<kernels::BoundaryRecord> host_records_;  ///< as on the GPU, if some change
  /// What cut links are made of, which may change (take_links()).
  DeviceBuffer records_, tiles_, first_records_, wall_blocks_, wall_words_;
  struct LiveLinks {
    LiveBoundaries boundaries;
    WallLinks walls;
  };
  std::optional<LiveLinks> live_links_;  ///< as on the GPU, once links have changed
  DeviceBuffer surface_states_;
  DeviceBuffer stage_records_, stage_surfaces_;  ///< in the steps of a pass, if they change
  WallMassCorrection correction_;
  double weight_of_bodies_ = 0;  ///< as WallMassCorrection::weight
  DeviceBuffer correction_value_;
  kernels::Boundaries known_{};
  core::WallBlocks walls_{};
  kernels::Stages<T> stages_{};
};

}  // namespace fluvia::cuda
