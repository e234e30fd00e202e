// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <bit>
#include <memory>
#include <span>
#include <vector>

#include "fluvia/cuda/program/case_kernels.hpp"
#include "fluvia/cuda/solver/channel.hpp"
#include "fluvia/cuda/solver/device_arrays.hpp"
#include "fluvia/cuda/solver/prepared_case.hpp"

namespace fluvia::cuda {

/// A flow as kernels read it: populations at one time, and what completes those at boundaries.
template <class T>
struct FlowView {
  const Channel& channel;
  std::int64_t update;              ///< steps or passes before
  std::uint64_t populations, next;  ///< addresses; `next` is where a step writes
  kernels::Physics<T> physics;
  bool placed = false;          ///< StepAddresses::placed
  std::uint64_t beginning = 0;  ///< StepAddresses::beginning

  [[nodiscard]] StepAddresses addresses() const { return {populations, next, update, placed, beginning}; }
};

/// The kernels of a block on its GPU, and what they go through: the layout, the tiles that are stored, the channel in
/// whose order they run. Nothing of it changes with the flow.
struct BlockKernels {
  std::shared_ptr<const Geometry> shared_geometry;
  const NodeMap& nodes;  ///< of the domain
  Block block;
  Specification specification;
  SpecificationFacts facts;
  Device device;
  std::shared_ptr<const Channel> shared_channel;
  const Channel& channel;
  CaseKernels kernels;
  DeviceArrays arrays;  ///< of the layout, and of others that stay as they are
  std::unique_ptr<Layout> layout;
  std::vector<std::uint32_t> storage_indices;  ///< of own tiles
  std::vector<PreparedCase::StoredTile> halo;  ///< stored tiles of others whose nodes are stepped, too

  /// Takes the layout of what was prepared. `channel`: null for one of its own.
  BlockKernels(std::shared_ptr<const Geometry> geometry, const Device& gpu, KernelCache& cache, PreparedCase& prepared,
               std::shared_ptr<const Channel> channel_of_all);

  /// Storage index of a tile, own or of the halo.
  [[nodiscard]] std::uint32_t storage_index_of(std::uint64_t tile) const;
  /// The canonical node of tile * 64 + bit.
  [[nodiscard]] std::uint64_t node_of(std::uint64_t id) const;

  /// Launches a kernel on `blocks` tiles; its first argument is the geometry.
  template <class T, class... Arguments>
  void launch(const FlowView<T>& flow, KernelKind kind, unsigned blocks, const Arguments&... arguments) const {
    kernels.get(kind, flow.update)
        .launch(flow.channel.stream, {{blocks}, {static_cast<unsigned>(kernels::nodes_per_tile)}},
                layout->geometry(flow.addresses()), arguments...);
  }

  /// Calls body(first, count, nodes) for chunks of canonical tiles whose references are on the GPU then.
  template <class Body>
  void for_each_chunk(const Channel& through, std::uint64_t first_tile, std::uint64_t tile_count, Body&& body) const {
    device.make_current();
    std::vector<kernels::TileReference> references;
    for (std::uint64_t done = 0; done < tile_count;) {
      const std::uint64_t first = first_tile + done;
      const std::uint64_t count = std::min({chunk_tiles, block.tiles.count(), tile_count - done});  // room there is
      references.clear();
      std::uint32_t output = 0;
      for (std::uint64_t t = first; t < first + count; ++t) {
        references.push_back({nodes.tiles[t].mask, storage_index_of(t), output});
        output += static_cast<std::uint32_t>(std::popcount(nodes.tiles[t].mask));
      }
      through.references.upload(through.stream, references.data(), references.size() * sizeof(references[0]));
      body(nodes.tiles[first].first_node - nodes.tiles[first_tile].first_node, static_cast<unsigned>(count), output);
      done += count;
    }
  }

  /// Calls body(first, count) for runs of tiles in a range, own ones or of the halo, whose nodes are stepped.
  template <class Body>
  void for_each_stored(std::uint64_t first_tile, std::uint64_t tile_count, const Body& body) const {
    const TileRange& own = block.tiles;
    const std::uint64_t end_tile = first_tile + tile_count, first = std::max(first_tile, own.first),
                        end = std::min(end_tile, own.end);
    if (first < end) body(first, end - first);
    const auto begin = std::lower_bound(halo.begin(), halo.end(), first_tile,
                                        [](const auto& tile, std::uint64_t t) { return tile.tile < t; });
    for (auto run = begin; run != halo.end() && run->tile < end_tile;) {
      auto next = run + 1;
      while (next != halo.end() && next->tile < end_tile && next->tile == (next - 1)->tile + 1) ++next;
      body(run->tile, static_cast<std::uint64_t>(next - run));
      run = next;
    }
  }
};

}  // namespace fluvia::cuda
