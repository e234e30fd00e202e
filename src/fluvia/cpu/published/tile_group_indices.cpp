// SPDX-License-Identifier: Apache-2.0
// Index maps of schemes that step by tile. What comes from other tiles depends on the lattice, so there is one for
// each.
#include <array>
#include <string>

#include "fluvia/base/error.hpp"
#include "fluvia/core/lattice/registry.hpp"
#include "fluvia/core/scheme/registry.hpp"
#include "fluvia/cpu/published/map_group_indices.hpp"

namespace fluvia::cpu {

namespace {

/// Element of the population of a direction of one node, for each direction.
template <class Indices>
using ElementOf = core::Uint64 (*)(const core::IndexTables&, const typename Indices::Node&);
template <class Indices, int... i>
constexpr std::array<ElementOf<Indices>, sizeof...(i)> readers(std::integer_sequence<int, i...>) {
  return {[](const core::IndexTables& s, const typename Indices::Node& n) {
    return Indices::template read<0, i>(s, n);
  }...};
}
template <class Indices, int... i>
constexpr std::array<ElementOf<Indices>, sizeof...(i)> writers(std::integer_sequence<int, i...>) {
  return {[](const core::IndexTables& s, const typename Indices::Node& n) {
    return Indices::template write<0, i>(s, n);
  }...};
}

/// Between steps populations are where the streaming leaves them on tiles; in a step, where Indices says.
template <class Lattice, class Indices>
class TileGroupIndices final : public MapGroupIndices<typename Indices::Addressing, core::Order::by_slot> {
  using Base = MapGroupIndices<typename Indices::Addressing, core::Order::by_slot>;
  using Directions = std::make_integer_sequence<int, Lattice::Q>;

 public:
  TileGroupIndices(const core::IndexTables& tables, const Ghosts& ghosts) : Base(tables), ghosts_(ghosts) {}

  void reads(std::uint64_t first, std::uint64_t mask, const StepAccess& step, std::uint32_t directions,
             ElementTable& out) const override {
    if (ghosts_.copies == 1 && !step.reads_ghosts)
      Base::reads(first, mask, step, directions, out);
    else
      find(first, mask, step, directions, readers<Indices>(Directions{}), out);
  }
  void writes(std::uint64_t first, std::uint64_t mask, const StepAccess& step, std::uint32_t directions,
              ElementTable& out) const override {
    find(first, mask, step, directions, writers<Indices>(Directions{}), out);
  }
  void update_ghosts(std::uint64_t first_cell, std::uint64_t cells,
                     std::vector<std::pair<std::uint64_t, std::uint64_t>>& moves) const override {
    if constexpr (requires { Indices::values_of_block; }) {
      // A call for each move: there are hundreds of them in the text of an update.
      const auto add = [&](core::Uint64 from, core::Uint64 to) __attribute__((noinline)) {
        moves.emplace_back(from, to);
      };
      for (std::uint64_t cell = first_cell; cell < first_cell + cells; ++cell)
        Indices::update(this->tables(), static_cast<core::Uint32>(cell), add);
    }
  }

 private:
  template <class Functions>
  void find(std::uint64_t first, std::uint64_t mask, const StepAccess& step, std::uint32_t directions,
            const Functions& element_of, ElementTable& out) const {
    core::IndexTables tables = this->tables();
    ghosts_.locate(tables, step.turn);
    for (; mask != 0; mask &= mask - 1) {
      const int lane = std::countr_zero(mask);
      const auto node = this->open(first, lane);
      for (std::uint32_t rest = directions; rest != 0; rest &= rest - 1) {
        const int i = std::countr_zero(rest);
        out[i][lane] = element_of[static_cast<std::size_t>(i)](tables, node);
      }
    }
  }

  Ghosts ghosts_;
};

}  // namespace

std::unique_ptr<GroupIndices> make_tile_group_indices(const IndexMapArrays& layout, const NodeMap& nodes,
                                                      const Scheme& scheme, const Plan& plan) {
  std::unique_ptr<GroupIndices> indices;
  const core::IndexTables tables = layout.tables(nodes);
  const auto make = [&]<class Lattice, int edge>(Lattice, std::integral_constant<int, edge>) {
    if (plan.flow().lattice->name != Lattice::name || plan.tile != edge) return;
    if (scheme.stepping == core::Stepping::ghost_cells)
      indices =
          std::make_unique<TileGroupIndices<Lattice, core::GhostCells<Lattice, edge>>>(tables, layout.count.ghosts);
    else
      indices =
          std::make_unique<TileGroupIndices<Lattice, core::GhostBuffers<Lattice, edge>>>(tables, layout.count.ghosts);
  };
  core::for_each_type(core::Lattices{}, [&]<class Lattice>(Lattice lattice) {
    make(lattice, std::integral_constant<int, 8>{});
    if constexpr (Lattice::D == 3) {
      make(lattice, std::integral_constant<int, 4>{});
    } else {
      make(lattice, std::integral_constant<int, 16>{});
      make(lattice, std::integral_constant<int, 32>{});
    }
  });
  if (!indices)
    throw Error(ExitCode::internal,
                "no tiles of " + std::to_string(plan.tile) + " nodes for " + plan.flow().lattice->name);
  return indices;
}

}  // namespace fluvia::cpu
