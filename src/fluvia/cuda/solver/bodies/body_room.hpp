// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>

#include "fluvia/cuda/layout/bodies/body_arrays.hpp"

namespace fluvia::cuda {

/// Where the lists of BodyArrays are in one piece of memory: offsets in bytes, for an arithmetic type of so many.
struct BodySections {
  std::size_t tiles, nodes, links, covered, uncovered, uncovered_nodes, neighbours, beside;
  std::size_t uploaded;  ///< the end of what comes from the host
  std::size_t values;    ///< of what kernels find beside uncovered nodes
  std::size_t end;

  BodySections(const BodyArrays& arrays, std::size_t arithmetic_bytes) {
    std::size_t at = 0;
    const auto take = [&at](std::size_t count, std::size_t each) {
      constexpr std::size_t alignment = 256;
      const std::size_t offset = at;
      at += (count * each + alignment - 1) / alignment * alignment;
      return offset;
    };
    tiles = take(arrays.tiles().size(), sizeof(kernels::TileReference));
    nodes = take(arrays.nodes().size(), sizeof(kernels::BodyNode));
    links = take(arrays.links().size(), 2 * arithmetic_bytes);
    covered = take(arrays.covered().size(), sizeof(kernels::TileReference));
    uncovered = take(arrays.uncovered().size(), sizeof(kernels::TileReference));
    uncovered_nodes = take(arrays.uncovered_nodes().size(), sizeof(kernels::UncoveredNode));
    neighbours = take(arrays.neighbours().size(), sizeof(std::uint32_t));
    beside = take(arrays.beside().size(), sizeof(kernels::TileReference));
    uploaded = values = at;
    take(arrays.beside_count(), sizeof(kernels::BesideUncovered));
    end = at;
  }
};

/// Memory for bodies that move: of their lists, once on the GPU and twice on the host, and of what goes over so many
/// links, twice. More is taken where links become more than half as many again.
struct BodyRoom {
  std::uint64_t list_bytes = 0, links = 0;

  [[nodiscard]] std::uint64_t exchanged_bytes(std::uint64_t arithmetic_bytes) const {
    return links * 2 * arithmetic_bytes;
  }
  [[nodiscard]] std::uint64_t device_bytes(std::uint64_t arithmetic_bytes) const {
    return list_bytes + 2 * exchanged_bytes(arithmetic_bytes);
  }
  [[nodiscard]] std::uint64_t host_bytes() const { return 2 * list_bytes; }

  /// For as much as these lists have, and half of it.
  static BodyRoom around(const BodyArrays& arrays, std::size_t arithmetic_bytes) {
    constexpr std::uint64_t least_bytes = std::uint64_t{1} << 16, least_links = 1024;
    const std::uint64_t bytes = BodySections(arrays, arithmetic_bytes).end, links = arrays.links().size();
    return {bytes + bytes / 2 + least_bytes, links + links / 2 + least_links};
  }
};

}  // namespace fluvia::cuda
