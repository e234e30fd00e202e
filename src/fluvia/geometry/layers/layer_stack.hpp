// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "fluvia/geometry/layers/layer.hpp"

namespace fluvia::geometry {

/// The layers of a geometry, one on top of the other, on a base that is all fluid or all solid. A tree over the tiles
/// of the box, and the tiles next to it, says which layers may decide the nodes of a tile, so that a question takes as
/// long with ten thousand small shapes as with one. Const functions may be called concurrently.
class LayerStack {
 public:
  /// No layers on a base of fluid.
  LayerStack() : LayerStack({}, false, 3, {1, 1, 1}) {}
  /// `dimension`, `size`: of the box of nodes.
  LayerStack(Layers layers, bool base_solid, int dimension, const Int3& size);

  /// What a node is, and the number of the layer that says so; -1: the base.
  struct Verdict {
    int layer;
    Decision decision;
  };
  /// Of the layers that decide the node the topmost counts.
  [[nodiscard]] Verdict decide(const Int3& node) const;
  /// Fluid bits of a tile of the box after all layers.
  [[nodiscard]] std::uint64_t apply(const Int3& tile) const;
  /// How many nodes of a box of so many nodes are fluid on the base, and after each layer.
  [[nodiscard]] std::vector<std::uint64_t> fluid_after_each(const Int3& size) const;
  /// Calls visit(number, layer) for each layer that may decide one of two nodes, which may lie a tile beyond the box,
  /// the topmost first, until it returns true.
  template <class Visit>
  void visit_from_top(const Int3& a, const Int3& b, const Visit& visit) const {
    const Numbers of_a = layers_at(a), of_b = layers_at(b);
    std::size_t i = of_a.size(), j = of_b.size();
    while (i > 0 || j > 0) {
      const int next_a = i > 0 ? static_cast<int>(of_a[i - 1]) : -1,
                next_b = j > 0 ? static_cast<int>(of_b[j - 1]) : -1;
      const int number = next_a > next_b ? next_a : next_b;
      if (next_a == number) --i;
      if (next_b == number) --j;
      if (visit(number, layer(number))) return;
    }
  }
  [[nodiscard]] const Layer& layer(int number) const { return *layers_[static_cast<std::size_t>(number)]; }
  [[nodiscard]] const Layers& layers() const { return layers_; }
  [[nodiscard]] bool empty() const { return layers_.empty(); }
  [[nodiscard]] bool base_solid() const { return base_solid_; }

 private:
  using Numbers = std::span<const std::uint32_t>;  ///< of layers, the lowest first

  /// Part of the box: two halves of it, or the layers that may decide its nodes.
  struct Part {
    int axis = -1;                     ///< of the halves; -1: not halved
    int middle = 0;                    ///< first tile of the second half
    std::uint32_t halves = 0;          ///< place of the first half, which the second follows
    std::uint64_t first = 0, end = 0;  ///< of its layers in `numbers_`
  };
  void fill(std::uint32_t part, const Int3& low, const Int3& high, const std::vector<std::uint32_t>& candidates);
  [[nodiscard]] Numbers layers_of_tile(const Int3& tile) const;
  [[nodiscard]] Numbers layers_at(const Int3& node) const;

  Layers layers_;
  bool base_solid_;
  int dimension_;
  std::vector<Part> parts_;  ///< the first is the whole
  std::vector<std::uint32_t> numbers_;
};

}  // namespace fluvia::geometry
