// SPDX-License-Identifier: Apache-2.0
// The scalars of a flow on one GPU (docs/decisions/0057), and the solids in which they spread (0059): memory in which
// kernels step them along with the flow, and all that is read of them.
#pragma once
#include <atomic>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "fluvia/cuda/solver/block/block_flow.hpp"
#include "fluvia/initial/scalar_fields.hpp"
#include "fluvia/solver/observables.hpp"
#include "fluvia/solver/scalars/flow_scalars.hpp"

namespace fluvia::cuda {

template <class T>
class CarriedScalars final : public FlowScalars {
 public:
  /// Takes the arrays of what was prepared. `flow` says how many updates there were, and must stay, as `on` must.
  CarriedScalars(const BlockKernels& on, const BlockFlow<T>& flow, PreparedCase& prepared, const Problem& problem,
                 const std::vector<ScalarMethod>& methods, DeviceArrays& arrays);

  /// What kernels are given for the update after so many.
  [[nodiscard]] kernels::FlowScalars<T> view(std::int64_t update) const;
  /// Queues what completes them after the launches of a step, before it is counted.
  void queue_completion(const Stream& stream) const;
  /// What surfaces prescribe, and sources, are those of the time of a step from now on. What is queued then sees it.
  void set_step(std::int64_t step);
  /// Whether that makes a difference, so that steps cannot be recorded.
  [[nodiscard]] bool change_in_time() const { return change_in_time_; }
  /// Says that they are not what they were when values were read.
  void mark_changed() {
    for (Of& of : of_) of.has_values = false;
  }

  /// The velocity with which a flow begins at a node, by its canonical index; then the start with all of them.
  void set_velocity(std::uint64_t node, const Real3& velocity);
  void initialise();

  /// `row`: counted from the row of the first scalar; those of solids are behind those of all scalars.
  void save(std::size_t row, int component, const EntryRange& entries, std::span<std::byte> out) const;
  void load(std::size_t row, int component, const EntryRange& entries, std::span<const std::byte> in);
  /// How many there are.
  [[nodiscard]] std::size_t rows() const;

  /// At a node, by its canonical index. Thread-safe.
  [[nodiscard]] double value(std::size_t scalar, std::uint64_t node) const;
  [[nodiscard]] std::optional<double> value_in_solid(std::size_t scalar, const Int3& node) const override;
  // Domains are in one piece, of which sums are given as one.
  [[nodiscard]] TileSums<ScalarSum> sums(const ScalarTotals& what) const;
  [[nodiscard]] TileSums<ScalarPassage> sums(const ScalarThrough& what) const;
  void set(const ScalarValue& of);

 private:
  struct Of {
    std::vector<ScalarAtSurface> surfaces;
    std::vector<std::uint16_t> surface_of_cut;
    std::vector<double> area_of_cut, capacity_of_cut;
    std::vector<std::uint16_t> surface_of_joint;  ///< if there are solids
    std::vector<double> area_of_joint;
    ScalarSolids solids;
    std::vector<std::uint32_t> solid_nodes;    ///< numbers of their nodes (kernels::CarriedScalar)
    std::uint64_t solid_room = 0;              ///< numbers from those of the flow on
    std::vector<ScalarArrays::Blocks> blocks;  ///< the fluid, then solids
    std::vector<double> source;                ///< by number of the node; empty: none
    DeviceBuffer populations[2], gained, passed, rules, sources;
    // What value() has read, until something changes; several threads may ask.
    mutable std::atomic<bool> has_values = false;
    mutable std::vector<T> values;  ///< by number of the node, above the reference
  };
  /// Numbers of nodes of a row, and what is added to them to find a component in memory, modulo 2^64.
  struct Row {
    std::size_t scalar;
    std::span<const std::uint32_t> nodes;
    std::uint64_t offset;
  };
  [[nodiscard]] Row row(std::size_t number, int component) const;
  /// Where some nodes of a row lie in memory: from the first to the last.
  [[nodiscard]] static EntryRange span_of(const Row& row, const EntryRange& entries);
  /// Writes the start of a scalar, with velocities.
  void place(std::size_t scalar, std::vector<T>& populations) const;
  /// At a node, by its number.
  [[nodiscard]] double value_at(std::size_t scalar, std::uint32_t node) const;
  [[nodiscard]] const DeviceBuffer& now(std::size_t scalar) const {
    return of_[scalar].populations[flow_.updates() % 2];
  }
  /// Room that the next step will write to.
  [[nodiscard]] const DeviceBuffer& room(std::size_t scalar) const {
    return of_[scalar].populations[(flow_.updates() + 1) % 2];
  }
  void give_rules(std::size_t scalar) const;
  void give_sources(std::size_t scalar) const;
  void read_values(std::size_t scalar) const;

  const BlockKernels& on_;
  const BlockFlow<T>& flow_;
  std::vector<ScalarMethod> methods_;
  std::vector<ScalarFields> fields_;
  std::deque<Of> of_;
  std::vector<std::uint32_t> storage_;  ///< storage index of each fluid node
  std::uint64_t size_;                  ///< storage indices
  double time_step_;                    ///< case units
  bool change_in_time_ = false;
  std::uint32_t most_links_ = 0, most_solid_nodes_ = 0;
  DeviceBuffer sums_;                    ///< kernels::ScalarSums
  kernels::FlowScalars<T> arguments_{};  ///< but for the parity
  std::vector<T> velocity_;              ///< [axis][node], while a flow begins
  mutable std::mutex reading_;
};

}  // namespace fluvia::cuda
