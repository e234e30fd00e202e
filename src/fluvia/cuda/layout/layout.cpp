// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cuda/layout/layout.hpp"

#include <iterator>
#include <type_traits>

#include "fluvia/base/error.hpp"
#include "fluvia/cuda/layout/dense_box.hpp"
#include "fluvia/cuda/layout/moment_box.hpp"
#include "fluvia/cuda/layout/passes.hpp"
#include "fluvia/cuda/layout/published/index_map.hpp"
#include "fluvia/cuda/layout/slide/sliding_moments.hpp"
#include "fluvia/cuda/layout/sliding_passes.hpp"
#include "fluvia/cuda/layout/sliding_tiles.hpp"

namespace fluvia::cuda {

std::uint32_t Layout::storage_index_of(const NodeMap& nodes, std::uint64_t tile) const {
  return static_cast<std::uint32_t>(nodes.directory_index(nodes.tiles[tile].position));
}

std::uint64_t Layout::tile_at(const NodeMap& nodes, std::uint64_t storage_index) const {
  return nodes.directory[storage_index];
}

void Layout::append_pass(const StepAddresses&, StepShare, Program&) const {
  throw Error(ExitCode::internal, "a pass of several steps by a scheme that takes one at a time");
}

void append_boundaries(const Layout& layout, const StepAddresses& at, unsigned boundary_tiles, Program& program) {
  if (boundary_tiles > 0 && !layout.completes_in_step())
    program.push_back({.kernel = KernelKind::complete_boundaries,
                       .shape = {{boundary_tiles}, {static_cast<unsigned>(kernels::nodes_per_tile)}},
                       .geometry = layout.geometry(at)});
}

void append_step(const Layout& layout, const StepAddresses& at, unsigned boundary_tiles, Program& program) {
  append_boundaries(layout, at, boundary_tiles, program);
  layout.append_step(at, StepShare::all, program);
}

namespace {

using Make = std::unique_ptr<Layout> (*)(const NodeMap&, Specification&, const TileRoles&);

template <class Kind>
std::unique_ptr<Layout> make(const NodeMap& nodes, Specification& s, const TileRoles& roles) {
  if constexpr (std::is_constructible_v<Kind, const NodeMap&, Specification&, const TileRoles&>)
    return std::make_unique<Kind>(nodes, s, roles);
  else
    return std::make_unique<Kind>(nodes, s);
}

/// Constructors of layouts, [StorageKind].
constexpr Make kinds[] = {make<DenseBoxLayout>,    make<PassLayout>,          make<SlidingPassLayout>,
                          make<MomentLayout>,      make<SlidingMomentLayout>, make<CompactTileLayout>,
                          make<SlidingTileLayout>, make<IndexMapLayout>,      make<IndexMapLayout>,
                          make<TwoKernelLayout>,   make<RowBlockLayout>};
static_assert(std::size(kinds) == static_cast<std::size_t>(StorageKind::row_blocks) + 1);

}  // namespace

std::unique_ptr<Layout> make_layout(const NodeMap& nodes, Specification& s, const TileRoles& roles) {
  return kinds[static_cast<int>(kernels_of(s.scheme).storage)](nodes, s, roles);
}

}  // namespace fluvia::cuda
