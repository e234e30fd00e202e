// SPDX-License-Identifier: Apache-2.0
// Index maps of schemes that step by tile. What comes from other tiles depends on the lattice, so there is one for
// each.
#include <array>
#include <string>

#include "fluvia/base/error.hpp"
#include "fluvia/core/lattice/registry.hpp"
#include "fluvia/core/scheme/registry.hpp"
#include "fluvia/cpu/published/indexed_site_places.hpp"

namespace fluvia::cpu {

namespace {

/// Element of the population of a direction of one node, for each direction.
template <class Places>
using ElementOf = core::Uint64 (*)(const core::Sites&, const typename Places::Node&);
template <class Places, int... i>
constexpr std::array<ElementOf<Places>, sizeof...(i)> readers(std::integer_sequence<int, i...>) {
  return {[](const core::Sites& s, const typename Places::Node& n) { return Places::template read<0, i>(s, n); }...};
}
template <class Places, int... i>
constexpr std::array<ElementOf<Places>, sizeof...(i)> writers(std::integer_sequence<int, i...>) {
  return {[](const core::Sites& s, const typename Places::Node& n) { return Places::template write<0, i>(s, n); }...};
}

/// Between steps populations are where the streaming leaves them on tiles; in a step, where Places says.
template <class Lattice, class Places>
class TileSitePlaces final : public IndexedSitePlaces<typename Places::Addressing, core::Order::by_slot> {
  using Base = IndexedSitePlaces<typename Places::Addressing, core::Order::by_slot>;
  using Directions = std::make_integer_sequence<int, Lattice::Q>;

 public:
  TileSitePlaces(const core::Sites& sites, const Ghosts& ghosts) : Base(sites), ghosts_(ghosts) {}

  void reads(std::uint64_t first, std::uint64_t mask, const StepAccess& step, std::uint32_t directions,
             PlaceTable& out) const override {
    if (ghosts_.copies == 1 && !step.reads_ghosts)
      Base::reads(first, mask, step, directions, out);
    else
      find(first, mask, step, directions, readers<Places>(Directions{}), out);
  }
  void writes(std::uint64_t first, std::uint64_t mask, const StepAccess& step, std::uint32_t directions,
              PlaceTable& out) const override {
    find(first, mask, step, directions, writers<Places>(Directions{}), out);
  }
  void update_ghosts(std::uint64_t first_cell, std::uint64_t cells,
                     std::vector<std::pair<std::uint64_t, std::uint64_t>>& moves) const override {
    if constexpr (requires { Places::values_of_block; }) {
      // A call for each move: there are hundreds of them in the text of an update.
      const auto add = [&](core::Uint64 from, core::Uint64 to) __attribute__((noinline)) {
        moves.emplace_back(from, to);
      };
      for (std::uint64_t cell = first_cell; cell < first_cell + cells; ++cell)
        Places::update(this->sites(), static_cast<core::Uint32>(cell), add);
    }
  }

 private:
  template <class Functions>
  void find(std::uint64_t first, std::uint64_t mask, const StepAccess& step, std::uint32_t directions,
            const Functions& element_of, PlaceTable& out) const {
    core::Sites sites = this->sites();
    ghosts_.place(sites, step.turn);
    for (; mask != 0; mask &= mask - 1) {
      const int lane = std::countr_zero(mask);
      const auto node = this->open(first, lane);
      for (std::uint32_t rest = directions; rest != 0; rest &= rest - 1) {
        const int i = std::countr_zero(rest);
        out[i][lane] = element_of[static_cast<std::size_t>(i)](sites, node);
      }
    }
  }

  Ghosts ghosts_;
};

}  // namespace

std::unique_ptr<SitePlaces> make_tile_places(const SiteLayout& layout, const NodeMap& nodes, const Scheme& scheme,
                                             const Plan& plan) {
  std::unique_ptr<SitePlaces> places;
  const core::Sites sites = layout.sites(nodes);
  const auto make = [&]<class Lattice, int edge>(Lattice, std::integral_constant<int, edge>) {
    if (plan.lattice != Lattice::name || plan.tile != edge) return;
    if (scheme.stepping == core::Stepping::ghost_cells)
      places = std::make_unique<TileSitePlaces<Lattice, core::GhostCells<Lattice, edge>>>(sites, layout.count.ghosts);
    else
      places = std::make_unique<TileSitePlaces<Lattice, core::GhostBuffers<Lattice, edge>>>(sites, layout.count.ghosts);
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
  if (!places)
    throw Error(ExitCode::internal, "no tiles of " + std::to_string(plan.tile) + " nodes for " + plan.lattice);
  return places;
}

}  // namespace fluvia::cpu
