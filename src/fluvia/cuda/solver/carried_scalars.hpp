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
#include "fluvia/cuda/solver/block/message_lists.hpp"
#include "fluvia/cuda/solver/device_block.hpp"
#include "fluvia/initial/scalar_fields.hpp"
#include "fluvia/solver/observables.hpp"
#include "fluvia/solver/scalars/flow_scalars.hpp"
#include "fluvia/solver/solver.hpp"

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

  /// Begins with the fields of the case and the velocities of a flow, or at rest.
  void initialise(const Solver::InitialState* state = nullptr);

  /// Of a part: from now on what it exchanges goes through these buffers, with what the flow exchanges.
  void exchange_through(const PreparedCase& prepared, const DeviceBuffer& leaving, const DeviceBuffer& arriving);
  /// Puts what leaves to a neighbour to an address, that of the message to it.
  void pack_into(std::size_t neighbour, CuDevicePointer message);
  /// Queue the packing of what leaves, or the unpacking of what has arrived and what follows from it, after so many
  /// updates.
  void queue_pack(const Stream& stream, std::int64_t update, Crossing crossing) const;
  void queue_unpack(const Stream& stream, std::int64_t update, Crossing crossing) const;

  /// `row`: counted from the row of the first scalar; those of solids are behind those of all scalars.
  void save(std::size_t row, int component, const EntryRange& entries, std::span<std::byte> out) const;
  void load(std::size_t row, int component, const EntryRange& entries, std::span<const std::byte> in);
  /// How many there are.
  [[nodiscard]] std::size_t rows() const;

  /// At an own node, by its canonical index. Thread-safe.
  [[nodiscard]] double value(std::size_t scalar, std::uint64_t node) const;
  [[nodiscard]] std::optional<double> value_in_solid(std::size_t scalar, const Int3& node) const override;
  /// Sums over nodes are given as one, whose last bits depend on the number of parts.
  [[nodiscard]] TileSums<ScalarSum> sums(const ScalarTotals& what) const;
  [[nodiscard]] TileSums<ScalarPassage> sums(const ScalarThrough& what) const;
  void set(const ScalarValue& of);

 private:
  struct Of {
    std::vector<ScalarAtSurface> surfaces;
    std::vector<std::uint16_t> surface_of_cut;
    std::vector<std::uint64_t> tile_of_cut;
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
  /// Lists nodes of the halo.
  std::vector<std::uint64_t> list_nodes();
  void carry(const Stream& stream, KernelKind kind, const MessageLists& lists, std::int64_t update,
             Crossing crossing) const;
  /// Writes the start of a scalar, with velocities, [axis][node], or at rest.
  void place(std::size_t scalar, const std::vector<T>& velocity, std::vector<T>& populations) const;
  void load(const Row& to, const EntryRange& entries, std::span<const std::byte> in) const;
  template <class Value>
  [[nodiscard]] TileSums<Value> as_one(const Value& sum) const {
    const bool is_whole = on_.block.tiles.count() == on_.nodes.tiles.size();
    return {{on_.block.tiles.first, is_whole ? tree_levels(on_.nodes.tiles.size()) : 0, sum}};
  }
  /// Of what all parts have: that with the first tile tells it.
  template <class Value>
  [[nodiscard]] TileSums<Value> of_first_tile(const Value& value) const {
    if (on_.block.tiles.first > 0) return {};
    return {{0, 0, value}};
  }
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
  NodeMap of_part_;                                            ///< the nodes of a part, own ones and its halo
  const NodeMap& nodes_;                                       ///< these, or those of the domain
  std::vector<std::uint32_t> storage_;                         ///< storage index of each of them
  EntryRange own_;                                             ///< canonical indices of own nodes
  std::uint64_t shift_;                                        ///< from these to their places in storage_, modulo 2^64
  std::vector<std::pair<std::uint64_t, std::uint64_t>> halo_;  ///< canonical index and place of others, ascending
  std::uint64_t size_;                                         ///< storage indices
  double time_step_;                                           ///< case units
  bool change_in_time_ = false;
  std::uint32_t most_links_ = 0, most_border_joints_ = 0, most_solid_nodes_ = 0;
  DeviceBuffer sums_;                             ///< kernels::ScalarSums
  kernels::FlowScalars<T> arguments_{};           ///< but for the parity
  std::optional<MessageLists> leaves_, arrives_;  ///< of a part
  mutable std::mutex reading_;
};

}  // namespace fluvia::cuda
