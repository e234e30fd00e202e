// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "fluvia/output/node_image.hpp"

namespace fluvia {

/// Fluid nodes around a node, connected through faces of nodes within the window; beyond planes of symmetry their
/// images.
class Neighbourhood {
 public:
  static constexpr int half_window = 3;  ///< nodes to either side
  struct Member {
    Int3 step;  ///< step from the node in the middle
    NodeImage image;
  };
  /// Finds the neighbourhood. `wanted(step)`: whether a node is near enough.
  template <class Wanted>
  const std::vector<Member>& find(const NodeMap& nodes, const Int3& middle, const Wanted& wanted) {
    seen_.fill(false);
    members_.clear();
    visit(nodes, middle, {0, 0, 0}, wanted);
    for (std::size_t next = 0; next < members_.size(); ++next) {
      for (int axis = 0; axis < 3; ++axis) {
        for (const int side : {-1, 1}) {
          Int3 step = members_[next].step;
          step[axis] += side;
          if (std::abs(step[axis]) <= half_window) visit(nodes, middle, step, wanted);
        }
      }
    }
    return members_;
  }

 private:
  template <class Wanted>
  void visit(const NodeMap& nodes, const Int3& middle, const Int3& step, const Wanted& wanted) {
    const int place = (step[0] + half_window) + window * ((step[1] + half_window) + window * (step[2] + half_window));
    if (seen_[place]) return;
    seen_[place] = true;
    if (step != Int3{} && !wanted(step)) return;
    const auto image = NodeImage::at(nodes, {middle[0] + step[0], middle[1] + step[1], middle[2] + step[2]});
    if (image) members_.push_back({step, *image});
  }
  static constexpr int window = 2 * half_window + 1;

  std::array<bool, window * window * window> seen_{};
  std::vector<Member> members_;
};

}  // namespace fluvia
