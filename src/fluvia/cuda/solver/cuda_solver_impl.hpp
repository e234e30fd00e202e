// SPDX-License-Identifier: Apache-2.0
// Members of CudaSolver that its source files use.
#pragma once
#include <algorithm>
#include <bit>

#include "fluvia/cuda/solver/cuda_solver.hpp"

namespace fluvia::cuda {

template <class T>
template <class... Arguments>
void CudaSolver<T>::launch(const Source& source, KernelKind kind, unsigned blocks,
                           const Arguments&... arguments) const {
  kernels_.get(kind, source.update)
      .launch(source.channel.stream, {{blocks}, {static_cast<unsigned>(kernels::nodes_per_tile)}},
              layout_->geometry(addresses(source)), arguments...);
}

template <class T>
template <class Body>
void CudaSolver<T>::for_each_chunk(const Channel& channel, std::uint64_t first_tile, std::uint64_t tile_count,
                                   Body&& body) const {
  device_.make_current();
  const NodeMap& nodes = geometry_.nodes;
  std::vector<kernels::TileReference> references;
  for (std::uint64_t done = 0; done < tile_count;) {
    const std::uint64_t first = first_tile + done;
    const std::uint64_t left = tile_count - done;
    const std::uint64_t count = std::min({chunk_tiles, block_.tiles.count(), left});  // room there is
    references.clear();
    std::uint32_t output = 0;
    for (std::uint64_t t = first; t < first + count; ++t) {
      references.push_back({nodes.tiles[t].mask, place_of(t), output});
      output += static_cast<std::uint32_t>(std::popcount(nodes.tiles[t].mask));
    }
    channel.references.upload(channel.stream, references.data(), references.size() * sizeof(references[0]));
    body(nodes.tiles[first].first_node - nodes.tiles[first_tile].first_node, static_cast<unsigned>(count), output);
    done += count;
  }
}

template <class T>
template <class Body>
void CudaSolver<T>::for_each_stored(std::uint64_t first_tile, std::uint64_t tile_count, const Body& body) const {
  const TileRange& own = block_.tiles;
  const std::uint64_t end_tile = first_tile + tile_count, first = std::max(first_tile, own.first),
                      end = std::min(end_tile, own.end);
  if (first < end) body(first, end - first);
  const auto begin = std::lower_bound(halo_.begin(), halo_.end(), first_tile,
                                      [](const auto& tile, std::uint64_t t) { return tile.tile < t; });
  for (auto run = begin; run != halo_.end() && run->tile < end_tile;) {
    auto next = run + 1;
    while (next != halo_.end() && next->tile < end_tile && next->tile == (next - 1)->tile + 1) ++next;
    body(run->tile, static_cast<std::uint64_t>(next - run));
    run = next;
  }
}

template <class T>
template <class Body>
void CudaSolver<T>::timed(double StepTimes::*part, Body&& body) const {
  if (!spans_) return body();
  Span span{part, Event(device_, EventKind::timing), Event(device_, EventKind::timing)};
  span.start.record(channel_.stream);
  body();
  span.end.record(channel_.stream);
  spans_->push_back(std::move(span));
}

}  // namespace fluvia::cuda
