// SPDX-License-Identifier: Apache-2.0
// The scalars of a flow on CPUs, and what both tell each other: the flow its velocities, group by group as it collides;
// the scalars a force. A group has the force of the scalars as they arrived, then its scalars take the step with the
// velocities of the same time (docs/decisions/0057).
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "fluvia/base/vector.hpp"
#include "fluvia/cpu/scalars/scalar_transport.hpp"

namespace fluvia::cpu {

/// T: the arithmetic of the flow.
template <class T>
class CarriedScalars final : public FlowScalars {
 public:
  /// Forces of the lanes of a group, [axis][lane].
  using Forces = std::array<T, 3 * group_lanes>;

  /// The geometry of the problem must outlive them. `storage`: storage index, group x lanes + lane, of each fluid node
  /// in canonical order; `groups`: how many there are.
  CarriedScalars(const Problem& problem, const std::vector<ScalarMethod>& methods, std::vector<std::uint32_t> storage,
                 std::uint64_t groups, int threads);

  /// Makes room for the velocities with which a flow begins, which are forgotten by initialise().
  void expect_velocities() { velocity_.assign(3 * size_, T(0)); }
  void set_velocity(std::uint64_t group, int lane, const Real3& velocity) {
    const std::uint64_t index = group * group_lanes + static_cast<std::uint64_t>(lane);
    for (int axis = 0; axis < 3; ++axis)
      velocity_[static_cast<std::uint64_t>(axis) * size_ + index] = static_cast<T>(velocity[axis]);
  }
  /// Begins with the fields of the case and these velocities, or at rest.
  void initialise();

  /// What surfaces prescribe, and sources, are those of the time of a step from now on.
  void set_step(std::int64_t step);

  /// Whether they act on the flow.
  [[nodiscard]] bool acts() const { return acts_; }
  /// Adds their forces on the lanes of a group.
  void add_forces(std::uint64_t group, Forces& forces) const {
    alignas(64) T lift[group_lanes] = {};
    for (const auto& transport : transports_) transport->add_lift(group, lift);
    for (std::size_t axis = 0; axis < 3; ++axis)
      for (std::size_t lane = 0; lane < group_lanes; ++lane)
        forces[axis * group_lanes + lane] += lift[lane] * gravity_[axis];
  }
  /// Takes a step of the nodes of a group with their velocities. Thread-safe for different groups.
  void step(std::uint64_t group, const T (&velocity)[3][group_lanes]) const {
    for (const auto& transport : transports_) transport->step(group, velocity);
  }
  /// After all groups were stepped; `step`: how many steps there were.
  void finish_step(std::int64_t step) {
    for (const auto& transport : transports_) transport->finish_step();
    set_step(step);
  }

  /// Appends the rows of populations in solids behind those of all scalars.
  void append_solid_arrays(std::vector<NodeArray>& arrays) const;
  /// `row`: counted from the row of the first scalar.
  void save(std::size_t row, int component, const EntryRange& entries, std::span<std::byte> out) const {
    const auto [scalar, first] = place_of(row);
    transports_[scalar]->save(component, {first + entries.first, entries.count}, out);
  }
  void load(std::size_t row, int component, const EntryRange& entries, std::span<const std::byte> in) {
    const auto [scalar, first] = place_of(row);
    transports_[scalar]->load(component, {first + entries.first, entries.count}, in);
  }
  /// Whether all values at a node are finite.
  [[nodiscard]] bool is_finite(std::uint64_t node) const;

  [[nodiscard]] double value(std::size_t scalar, std::uint64_t node) const override;
  [[nodiscard]] ScalarSummary summary(std::size_t scalar) const override { return transports_[scalar]->summary(); }
  [[nodiscard]] ScalarPassage through(std::size_t scalar, int surface) const override {
    return transports_[scalar]->through(surface);
  }
  [[nodiscard]] ScalarSummary summary_in(std::size_t scalar, std::size_t solid) const override {
    return transports_[scalar]->summary_in(solid);
  }
  [[nodiscard]] std::optional<double> value_in_solid(std::size_t scalar, const Int3& node) const override {
    return transports_[scalar]->value_in_solid(node);
  }
  [[nodiscard]] ScalarPassage from_solid(std::size_t scalar, int surface) const override {
    return transports_[scalar]->from_solid(surface);
  }
  void set_surface(std::size_t scalar, int surface, double value) override;

 private:
  /// Of a row the scalar, and the number of its first node.
  [[nodiscard]] std::pair<std::size_t, std::uint64_t> place_of(std::size_t row) const;

  std::vector<ScalarMethod> methods_;
  std::vector<ScalarFields> fields_;
  std::vector<std::uint32_t> storage_;  ///< by canonical index
  std::uint64_t size_;                  ///< storage indices
  std::vector<std::unique_ptr<ScalarTransport<T>>> transports_;
  const NodeMap& nodes_;
  std::array<T, 3> gravity_{};  ///< lattice units
  double time_step_;            ///< case units
  bool acts_ = false;
  std::vector<T> velocity_;  ///< [axis][storage index], while a flow begins
};

}  // namespace fluvia::cpu
