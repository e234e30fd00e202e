// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "fluvia/cuda/layout/bodies/body_arrays.hpp"
#include "fluvia/cuda/solver/block/block_kernels.hpp"
#include "fluvia/cuda/solver/bodies/body_room.hpp"
#include "fluvia/cuda/solver/bodies/link_finder.hpp"
#include "fluvia/solver/bodies/body_forces.hpp"

namespace fluvia::cuda {

/// The bodies that move through a flow on one GPU (docs/decisions/0067). The host knows where they are, and looks,
/// while the GPU steps, for what they will cover then; the GPU finds the links that they cut, exchanges over these, and
/// fills nodes. Links of what has no formulas (MovingBodies::have_formulas()), or is near to another body, the host
/// finds.
template <class T>
class DeviceBodies {
 public:
  /// The geometry of the problem must stay, as `on` must.
  DeviceBodies(const BlockKernels& on, const BodyRoom& room, const Problem& problem, const Plan& plan);

  [[nodiscard]] const MovingBodies& bodies() const { return bodies_; }
  /// WallMassCorrection::weight of all links that there are at first: about that of all steps.
  [[nodiscard]] double supply_weight() const { return supply_weight_; }

  /// The row of the bodies in the arrays of a flow.
  void save(int component, const EntryRange& entries, std::span<std::byte> out) const;
  void load(int component, const EntryRange& entries, std::span<const std::byte> in);

  /// Puts bodies where they begin, into the flow as it is now.
  void begin(const FlowView<T>& flow);
  /// Puts them where they are at a step, into the flow as it is now.
  void start_at(std::int64_t step, const FlowView<T>& flow);
  /// Gives a body other velocities.
  void set(const BodyVelocity& of);

  /// Queues, before the step of a flow whose boundaries are complete, what finds what comes back. `supply`: what each
  /// link gives, in parts of its weight.
  void queue_meeting(const FlowView<T>& flow, float supply);
  /// Queues, after it, what brings that to its place; moves bodies on to the step that has been reached, and queues
  /// what nodes get that are covered and uncovered. `flow`: after the step.
  void finish_step(const FlowView<T>& flow, std::int64_t step);

  /// What a body took from the fluid in the last step, about `center`.
  [[nodiscard]] TileSums<ForceSum> sums(int body, const Real3& center) const;

 private:
  /// Memory of the host from which lists are copied while others are made.
  struct Room {
    PinnedBuffer memory;
    Event copied;
  };
  /// What goes over links in a step.
  struct Exchange {
    DeviceBuffer values;    ///< kernels::BodyExchanged, in the order of the links
    std::size_t count = 0;  ///< of links
    bool is_found = false;  ///< whether the GPU found them
  };
  [[nodiscard]] std::vector<ExchangedOverLink> exchanged(const Exchange& exchange) const;
  [[nodiscard]] kernels::BodyLinks<T> lists(float supply) const;
  [[nodiscard]] unsigned tiles() const;
  /// Those of the step at hand.
  [[nodiscard]] std::vector<BodyLink> links() const;
  void settle();
  void grow(DeviceBuffer& buffer, std::size_t needed, std::size_t bytes, const char* purpose) const;
  void begin_exchange(std::size_t count);
  void make_room();
  void take_links();
  /// Takes all that is new where bodies have moved, and queues what that does to the flow.
  void take_all(const FlowView<T>& flow);
  /// Queues the way of the lists to the GPU.
  void upload();
  /// Queues what kernels do to nodes that have come to be covered or uncovered.
  void queue_changes(const FlowView<T>& flow) const;

  const BlockKernels& on_;
  std::vector<Int3> velocities_;
  std::vector<double> weights_;
  int threads_;  ///< of the host, which make lists
  MovingBodies bodies_;
  BodyArrays arrays_;
  BodySections sections_;
  std::optional<LinkFinder<T>> finder_;  ///< none where the host finds all links
  double supply_weight_ = 0;
  DeviceBuffer lists_;
  Room rooms_[2];
  int room_ = 0;              ///< the one to be used next
  Exchange now_, last_;       ///< over the links of the step at hand, and of the last one
  bool has_stepped_ = false;  ///< whether there was one
};

}  // namespace fluvia::cuda
