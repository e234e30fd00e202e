// SPDX-License-Identifier: Apache-2.0
// The scalars of a flow on CPUs, and what both tell each other: the flow its velocities, group by group as it collides;
// the scalars a force. A group has the force of the scalars as they arrived, then its scalars take the step with the
// velocities of the same time (docs/decisions/0057).
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "fluvia/base/vector.hpp"
#include "fluvia/cpu/boundary_index.hpp"
#include "fluvia/cpu/scalars/scalar_transport.hpp"
#include "fluvia/solver/observables.hpp"
#include "fluvia/solver/scalars/flow_scalars.hpp"

namespace fluvia::cpu {

/// T: the arithmetic of the flow.
template <class T>
class CarriedScalars final : public FlowScalars {
 public:
  /// Forces of the lanes of a group, [axis][lane].
  using Forces = std::array<T, 3 * group_lanes>;

  /// Of a block; the geometry of the problem must outlive them. `storage_index_of`: of each node that the block stores;
  /// `groups`: how many there are. The lists of the block for scalars are freed.
  CarriedScalars(const Problem& problem, const std::vector<ScalarMethod>& methods, Block& block,
                 const StorageIndexOf& storage_index_of, std::uint64_t groups, int threads);

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

  /// What crosses to a neighbour of the block and from it: packed in a step, unpacked after finish_step().
  [[nodiscard]] ScalarMessage message(std::size_t neighbour) const {
    ScalarMessage all;
    for (const auto& transport : transports_) {
      const ScalarMessage one = transport->message(neighbour);
      all.leaving += one.leaving;
      all.arriving += one.arriving;
    }
    return all;
  }
  void pack(std::size_t neighbour, std::byte* out) const {
    for (const auto& transport : transports_) {
      transport->pack(neighbour, out);
      out += transport->message(neighbour).leaving;
    }
  }
  void unpack(std::size_t neighbour, const std::byte* in) {
    for (const auto& transport : transports_) {
      transport->unpack(neighbour, in);
      in += transport->message(neighbour).arriving;
    }
  }

  /// What passes to a neighbour that is another level of refinement, of the scalar of its lists: as BlockSolver has
  /// what passes of the flow.
  [[nodiscard]] const ScalarLevelBorder<T>& level(std::size_t neighbour) const { return levels_.at(neighbour); }
  [[nodiscard]] T* populations(int scalar) const {
    return transports_[static_cast<std::size_t>(scalar)]->populations();
  }

  /// Appends the rows of populations in solids behind those of all scalars.
  void append_solid_arrays(std::vector<NodeArray>& arrays) const;
  /// `row`: counted from the row of the first scalar.
  void save(std::size_t row, int component, const EntryRange& entries, std::span<std::byte> out) const {
    const auto [scalar, first] = place_of(row);
    transports_[scalar]->save(component, {first + entries.first, entries.count}, out);
  }
  /// Takes those of nodes that are stored.
  void load(std::size_t row, int component, const EntryRange& entries, std::span<const std::byte> in);
  /// Whether all values at an own node are finite, by its canonical index.
  [[nodiscard]] bool is_finite(std::uint64_t node) const;
  [[nodiscard]] double value(std::size_t scalar, std::uint64_t node) const;

  [[nodiscard]] TileSums<ScalarSum> sums(const ScalarTotals& what) const {
    const ScalarTransport<T>& of = *transports_[static_cast<std::size_t>(what.scalar)];
    return what.solid == ScalarTotals::fluid ? of.sums() : of.sums_in(static_cast<std::size_t>(what.solid));
  }
  [[nodiscard]] TileSums<ScalarPassage> sums(const ScalarThrough& what) const {
    const ScalarTransport<T>& of = *transports_[static_cast<std::size_t>(what.scalar)];
    return what.from_solid ? of.from_solid(what.surface) : of.through(what.surface);
  }
  [[nodiscard]] std::optional<double> value_in_solid(std::size_t scalar, const Int3& node) const override {
    return transports_[scalar]->value_in_solid(node);
  }
  void set(const ScalarValue& of) {
    transports_[static_cast<std::size_t>(of.scalar)]->set_surface(of.surface, of.value);
  }

 private:
  void list_levels(const NodeMap& all, const StorageIndexOf& storage_index_of, Block& block);
  void list_halo(const NodeMap& all, const ScalarNodes& nodes);
  /// Of a row the scalar, and what is added to canonical indices of own nodes to get their numbers.
  [[nodiscard]] std::pair<std::size_t, std::uint64_t> place_of(std::size_t row) const;

  std::vector<ScalarMethod> methods_;
  std::vector<ScalarFields> fields_;
  NodeMap of_block_;                    ///< the nodes that the block stores; empty if it is the whole domain
  std::vector<std::uint32_t> storage_;  ///< by number of the node (ScalarNodes)
  std::uint64_t size_;                  ///< storage indices
  std::vector<std::unique_ptr<ScalarTransport<T>>> transports_;
  std::map<std::size_t, ScalarLevelBorder<T>> levels_;         ///< by neighbours that are other levels
  const NodeMap& nodes_;                                       ///< the stored ones
  EntryRange own_;                                             ///< canonical indices of own nodes
  std::uint64_t shift_ = 0;                                    ///< from these to their numbers, modulo 2^64
  std::vector<std::pair<std::uint64_t, std::uint64_t>> halo_;  ///< canonical index and number of others, ascending
  std::array<T, 3> gravity_{};                                 ///< lattice units
  double time_step_;                                           ///< case units
  bool acts_ = false;
  std::vector<T> velocity_;  ///< [axis][storage index], while a flow begins
};

}  // namespace fluvia::cpu
