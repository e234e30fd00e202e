// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <bit>

#include "fluvia/core/published/registry.hpp"
#include "fluvia/cpu/published/group_indices.hpp"

namespace fluvia::cpu {

inline Int3 position_in_rows(const NodeMap& nodes, std::uint64_t number) {
  const auto row = static_cast<std::uint64_t>(nodes.size[0]), plane = row * static_cast<std::uint64_t>(nodes.size[1]);
  return {static_cast<int>(number % row), static_cast<int>(number % plane / row), static_cast<int>(number / plane)};
}

/// The node that a step visits as some number, for each addressing; the inverse of fluvia::visit_number().
template <class Addressing>
struct Positions {  // FullBox, FluidIndexArray
  static Int3 of(const core::IndexTables&, const NodeMap& nodes, std::uint64_t number) {
    return position_in_rows(nodes, number);
  }
};
template <>
struct Positions<core::ConnectivityMatrix> {
  static Int3 of(const core::IndexTables&, const NodeMap& nodes, std::uint64_t number) {
    const auto tile = std::upper_bound(nodes.tiles.begin(), nodes.tiles.end(), number,
                                       [](std::uint64_t node, const NodeMap::Tile& t) { return node < t.first_node; }) -
                      1;
    std::uint64_t bits = tile->mask;
    for (std::uint64_t k = tile->first_node; k < number; ++k) bits &= bits - 1;
    return nodes.node_position(*tile, std::countr_zero(bits));
  }
};
template <>
struct Positions<core::HalfBox> {
  static Int3 of(const core::IndexTables& tables, const NodeMap& nodes, std::uint64_t number) {
    const std::uint64_t row = core::HalfBox::row(tables);
    const int y = static_cast<int>(number / row) % nodes.size[1], z = static_cast<int>(number / row) / nodes.size[1];
    return {2 * static_cast<int>(number % row) + (y + z) % 2, y, z};
  }
};
template <int dimension, int edge>
struct Positions<core::Tiles<dimension, edge>> {
  using Tiles = core::Tiles<dimension, edge>;
  static Int3 of(const core::IndexTables& tables, const NodeMap&, std::uint64_t number) {
    core::BoxNode node;
    Tiles::open(tables, static_cast<core::Uint32>(number), node);
    return {static_cast<int>(node.at[0][1]), static_cast<int>(node.at[1][1]), static_cast<int>(node.at[2][1])};
  }
};

/// Reads and writes of a streaming by an index map.
template <class Addressing, core::Order order>
class MapGroupIndices : public GroupIndices {
 public:
  explicit MapGroupIndices(const core::IndexTables& tables) : tables_(tables) {}

  [[nodiscard]] std::uint64_t fluid_lanes(std::uint64_t first, int count) const override {
    std::uint64_t lanes = 0;
    for (int lane = 0; lane < count; ++lane)
      lanes |= std::uint64_t{open(first, lane).stored_node != core::no_index} << lane;
    return lanes;
  }
  [[nodiscard]] Int3 position(const NodeMap& nodes, std::uint64_t number) const override {
    return Positions<Addressing>::of(tables_, nodes, number);
  }
  void reads(std::uint64_t first, std::uint64_t mask, const StepAccess& step, std::uint32_t directions,
             ElementTable& out) const override {
    find(first, mask, step, directions, step.read, step.read_cut, StepAccess::opposite, out);
  }
  void writes(std::uint64_t first, std::uint64_t mask, const StepAccess& step, std::uint32_t directions,
              ElementTable& out) const override {
    find(
        first, mask, step, directions, step.write, step.write_cut, [](int i) { return i; }, out);
  }

 protected:
  [[nodiscard]] const core::IndexTables& tables() const { return tables_; }
  [[nodiscard]] typename Addressing::Node open(std::uint64_t first, int lane) const {
    typename Addressing::Node node;
    Addressing::open(tables_, static_cast<core::Uint32>(first) + static_cast<core::Uint32>(lane), node);
    return node;
  }

 private:
  /// `link_of(i)`: the direction that leads to the far end of the link of direction i.
  template <class LinkOf>
  void find(std::uint64_t first, std::uint64_t mask, const StepAccess& step, std::uint32_t directions,
            const core::Access* regular, const core::Access* cut, LinkOf link_of, ElementTable& out) const {
    const auto link = [&](int d) { return core::Link{d, {step.c[d][0], step.c[d][1], step.c[d][2]}}; };
    const auto with_slot = [&](core::Access access) { return core::SlotAccess{access, link(access.slot)}; };
    for (; mask != 0; mask &= mask - 1) {
      const int lane = std::countr_zero(mask);
      const typename Addressing::Node node = open(first, lane);
      for (std::uint32_t rest = directions; rest != 0; rest &= rest - 1) {
        const int i = std::countr_zero(rest);
        out[i][lane] = core::find_element<Addressing, order>(tables_, step.directions, node, with_slot(regular[i]),
                                                             with_slot(cut[i]), link(link_of(i)));
      }
    }
  }

  core::IndexTables tables_;
};

}  // namespace fluvia::cpu
