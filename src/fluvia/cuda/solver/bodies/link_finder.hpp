// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <utility>
#include <vector>

#include "fluvia/cuda/layout/bodies/body_search.hpp"
#include "fluvia/cuda/solver/block/block_kernels.hpp"
#include "fluvia/cuda/solver/bodies/body_room.hpp"

namespace fluvia::cuda {

/// Finds the links of bodies on the GPU (docs/decisions/0068): lists as those of BodyArrays, but that some tiles have
/// no nodes. Those of the last step stay. It has a stream of its own, since a search needs nothing of the step before:
/// it runs beside that, and the host, which waits to be told how many links there are, goes on before the step ends.
template <class T>
class LinkFinder {
 public:
  LinkFinder(const BlockKernels& on, const BodySearchRoom& room, std::vector<Int3> velocities,
             std::vector<double> weights);

  /// The list of the step at hand, whose uses are queued, is that of the last step from now on.
  void begin_step();
  /// Queues the search where bodies are now.
  void find(const MovingBodies& bodies);
  /// Waits until it is known how many links there are, and returns that. If there was no room for them, there is now,
  /// and they are listed again. What the flow's stream gets from now on comes after that.
  std::size_t settle();

  /// How many tiles are in the list of the step at hand, and the list for kernels.
  [[nodiscard]] unsigned tiles() const { return static_cast<unsigned>(now_.places.size()); }
  [[nodiscard]] kernels::BodyLinks<T> lists() const;
  /// The links of the step at hand, or of the last one, as MovingBodies has them.
  [[nodiscard]] std::vector<BodyLink> links() const { return download(now_); }
  [[nodiscard]] std::vector<BodyLink> last_links() const { return download(last_); }

 private:
  struct List {
    explicit List(const Device& device) : listed(device), used(device) {}
    DeviceBuffer tiles, links;  ///< `links`: nodes, then links
    std::size_t room = 0;       ///< for how many links, and nodes
    std::size_t node_count = 0, link_count = 0;
    std::vector<BodySearchArrays::Place> places;
    bool is_settled = true;
    Event listed, used;    ///< it is complete; the flow needs it no more
    bool is_free = false;  ///< `used` comes after all uses
  };
  struct Host {
    PinnedBuffer memory;
    Event copied;
  };
  void upload(const MovingBodies& bodies, bool are_new);
  void queue_listing();
  [[nodiscard]] kernels::SearchedBodies searched() const;
  [[nodiscard]] kernels::FoundBodyNodes found() const;
  [[nodiscard]] std::vector<BodyLink> download(const List& list) const;

  const BlockKernels& on_;
  BodySearchArrays arrays_;
  DeviceBuffer kept_;    ///< what stays while bodies are in the same tiles
  DeviceBuffer each_;    ///< what is new in each step
  DeviceBuffer found_;   ///< what kernels leave for each other
  PinnedBuffer totals_;  ///< kernels::FoundBodyNodes::totals
  Event counted_;        ///< they have come
  Host hosts_[2];        ///< from which `each_` is copied
  int host_ = 0;         ///< the one to be used next
  List now_, last_;
  Stream stream_;  ///< of searches
};

}  // namespace fluvia::cuda
