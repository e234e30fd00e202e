// SPDX-License-Identifier: Apache-2.0
// The scalars of a flow on one GPU (docs/decisions/0057): memory in which kernels step them along with the flow, and
// all that is read of them.
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

namespace fluvia::cuda {

template <class T>
class CarriedScalars final {
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

  void save(std::size_t scalar, int component, const EntryRange& entries, std::span<std::byte> out) const;
  void load(std::size_t scalar, int component, const EntryRange& entries, std::span<const std::byte> in);

  /// At a node, by its canonical index. Thread-safe.
  [[nodiscard]] double value(std::size_t scalar, std::uint64_t node) const;
  // Solids in which scalars spread are on CPUs only. Domains are in one piece, of which sums are given as one.
  [[nodiscard]] TileSums<ScalarSum> sums(const ScalarTotals& what) const;
  [[nodiscard]] TileSums<ScalarPassage> sums(const ScalarThrough& what) const;
  void set(const ScalarValue& of);

 private:
  struct Of {
    std::vector<ScalarAtSurface> surfaces;
    std::vector<std::uint16_t> surface_of_cut;
    std::vector<double> area_of_cut, volume_of_cut;
    std::vector<double> source;  ///< by storage index; empty: none
    DeviceBuffer populations[2], gained, rules, sources;
    // What value() has read, until something changes; several threads may ask.
    mutable std::atomic<bool> has_values = false;
    mutable std::vector<T> values;  ///< by storage index, above the reference
  };
  /// Storage indices of some nodes.
  [[nodiscard]] std::pair<std::uint64_t, std::uint64_t> span_of(const EntryRange& entries) const;
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
  std::uint32_t most_links_ = 0;
  DeviceBuffer sums_;                    ///< kernels::ScalarSums
  kernels::FlowScalars<T> arguments_{};  ///< but for the parity
  std::vector<T> velocity_;              ///< [axis][node], while a flow begins
  mutable std::mutex reading_;
};

}  // namespace fluvia::cuda
