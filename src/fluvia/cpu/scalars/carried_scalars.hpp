// SPDX-License-Identifier: Apache-2.0
// The scalars of a flow on CPUs, and what both tell each other: the flow its velocities, as its groups collide; the
// scalars a force. A step of the flow comes first, with the force of the scalars as they are, then one of the scalars
// with the velocities of the same time (docs/decisions/0057).
#pragma once
#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "fluvia/base/vector.hpp"
#include "fluvia/cpu/scalars/scalar_transport.hpp"
#include "fluvia/cpu/storage/step_access.hpp"

namespace fluvia::cpu {

/// T: the arithmetic of the flow.
template <class T>
class CarriedScalars final : public FlowScalars {
 public:
  /// Forces of the lanes of a group, [axis][lane].
  using Forces = std::array<T, 3 * group_lanes>;

  /// The geometry of the problem must outlive them.
  CarriedScalars(const Problem& problem, const std::vector<ScalarMethod>& methods, int threads);

  /// Says where the fluid nodes of a group are in canonical order. Thread-safe for different groups, after reserve().
  void reserve(std::uint64_t groups);
  void place(std::uint64_t group, int lane, std::uint64_t node) {
    canonical_[group * group_lanes + static_cast<std::uint64_t>(lane)] = static_cast<std::uint32_t>(node);
  }

  void set_velocity(std::uint64_t group, int lane, const Real3& velocity) {
    const std::uint64_t node = canonical_[group * group_lanes + static_cast<std::uint64_t>(lane)];
    for (int axis = 0; axis < 3; ++axis)
      velocity_[static_cast<std::uint64_t>(axis) * size_ + node] = static_cast<T>(velocity[axis]);
  }
  /// Takes the velocities of the fluid lanes of a group, [axis][lane], at the time of the scalars.
  void take_velocities(std::uint64_t group, std::uint64_t mask, const T (&velocity)[3][group_lanes]) {
    const std::uint32_t* const node = canonical_.data() + group * group_lanes;
    for (; mask != 0; mask &= mask - 1) {
      const int lane = std::countr_zero(mask);
      for (int axis = 0; axis < 3; ++axis)
        velocity_[static_cast<std::uint64_t>(axis) * size_ + node[lane]] = velocity[axis][lane];
    }
  }
  /// Whether they act on the flow.
  [[nodiscard]] bool acts() const { return !lift_.empty(); }
  /// Adds their forces on the fluid lanes of a group.
  void add_forces(std::uint64_t group, std::uint64_t mask, Forces& forces) const {
    const std::uint32_t* const node = canonical_.data() + group * group_lanes;
    for (; mask != 0; mask &= mask - 1) {
      const auto lane = static_cast<std::size_t>(std::countr_zero(mask));
      for (std::size_t axis = 0; axis < 3; ++axis)
        forces[axis * group_lanes + lane] += lift_[node[lane]] * gravity_[axis];
    }
  }

  /// Begins with the fields of the case and the velocities that were taken.
  void initialise();
  /// One step with the velocities that were taken.
  void step();
  /// After populations were loaded.
  void find_lift();

  void save(std::size_t scalar, int component, const EntryRange& entries, std::span<std::byte> out) const {
    transports_[scalar]->save(component, entries, out);
  }
  void load(std::size_t scalar, int component, const EntryRange& entries, std::span<const std::byte> in) {
    transports_[scalar]->load(component, entries, in);
  }
  /// Whether all values at a node are finite.
  [[nodiscard]] bool is_finite(std::uint64_t node) const;

  [[nodiscard]] double value(std::size_t scalar, std::uint64_t node) const override;
  [[nodiscard]] ScalarSummary summary(std::size_t scalar) const override { return transports_[scalar]->summary(); }
  [[nodiscard]] ScalarPassage through(std::size_t scalar, int surface) const override {
    return transports_[scalar]->through(surface);
  }
  void set_surface(std::size_t scalar, int surface, double value) override;

 private:
  std::vector<ScalarMethod> methods_;
  std::vector<ScalarFields> fields_;
  std::vector<std::unique_ptr<ScalarTransport<T>>> transports_;
  const NodeMap& nodes_;
  std::vector<std::string> surface_names_;
  std::uint64_t size_;                    ///< fluid nodes
  std::array<T, 3> gravity_{};            ///< lattice units
  std::vector<std::uint32_t> canonical_;  ///< by storage index
  std::vector<T> velocity_;               ///< [axis][node]
  std::vector<T> lift_;                   ///< force of a node over gravity; empty if no scalar acts
};

}  // namespace fluvia::cpu
