// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>

#include "fluvia/cuda/layout/bodies/body_search.hpp"

namespace fluvia::cuda {

/// Takes pieces of memory one after the other.
class Sections {
 public:
  /// Offset in bytes of so many values of so many bytes each.
  std::size_t take(std::size_t count, std::size_t each) {
    constexpr std::size_t alignment = 256;
    const std::size_t offset = end_;
    end_ += (count * each + alignment - 1) / alignment * alignment;
    return offset;
  }
  [[nodiscard]] std::size_t end() const { return end_; }

 private:
  std::size_t end_ = 0;
};

/// Where the lists of BodyArrays are in one piece of memory: offsets in bytes, for an arithmetic type of so many.
struct BodySections {
  std::size_t tiles, nodes, links, covered, uncovered, uncovered_nodes, neighbours, beside;
  std::size_t uploaded;  ///< the end of what comes from the host
  std::size_t values;    ///< of what kernels find beside uncovered nodes
  std::size_t end;

  BodySections(const BodyArrays& arrays, std::size_t arithmetic_bytes) {
    Sections all;
    const auto take = [&all](std::size_t count, std::size_t each) { return all.take(count, each); };
    tiles = take(arrays.tiles().size(), sizeof(kernels::TileReference));
    nodes = take(arrays.nodes().size(), sizeof(kernels::BodyNode));
    links = take(arrays.links().size(), 2 * arithmetic_bytes);
    covered = take(arrays.covered().size(), sizeof(kernels::TileReference));
    uncovered = take(arrays.uncovered().size(), sizeof(kernels::TileReference));
    uncovered_nodes = take(arrays.uncovered_nodes().size(), sizeof(kernels::UncoveredNode));
    neighbours = take(arrays.neighbours().size(), sizeof(std::uint32_t));
    beside = take(arrays.beside().size(), sizeof(kernels::TileReference));
    uploaded = values = all.end();
    take(arrays.beside_count(), sizeof(kernels::BesideUncovered));
    end = all.end();
  }
};

/// Where what BodySearchArrays tell kernels is in memory that stays while bodies are in the same tiles, and in that
/// which is new in each step: offsets in bytes.
struct SearchSections {
  std::size_t parts, fluid, pieces, kept_end, bodies, covered, beside, each_end;

  explicit SearchSections(const BodySearchArrays& arrays) {
    Sections kept, each;
    parts = kept.take(arrays.parts().size(), sizeof(core::BodyPart));
    fluid = kept.take(arrays.fluid().size(), sizeof(std::uint64_t));
    pieces = kept.take(arrays.pieces().size(), sizeof(kernels::BodyPiece));
    kept_end = kept.end();
    bodies = each.take(arrays.bodies().size(), sizeof(kernels::SearchedBody));
    covered = each.take(arrays.fluid().size(), sizeof(std::uint64_t));
    beside = each.take(arrays.beside().size(), sizeof(std::uint32_t));
    each_end = each.end();
  }
};

/// Where kernels leave what they find in so many pieces for each other.
struct FoundSections {
  std::size_t totals, nodes, links, end;

  explicit FoundSections(std::size_t pieces) {
    Sections all;
    totals = all.take(2, sizeof(std::uint32_t));
    nodes = all.take(pieces * kernels::nodes_per_tile, sizeof(kernels::BodyNode));
    links = all.take(pieces, sizeof(std::uint32_t));
    end = all.end();
  }
};

/// Where a list of links is: of as many nodes as links, at most.
struct ListSections {
  std::size_t nodes, links, end;

  ListSections(std::size_t room, std::size_t arithmetic_bytes) {
    Sections all;
    nodes = all.take(room, sizeof(kernels::BodyNode));
    links = all.take(room, 2 * arithmetic_bytes);
    end = all.end();
  }
};

/// Memory for links that the GPU finds, in bytes; `pieces` in which they are looked for, and `links`.
struct BodySearchRoom {
  std::uint64_t kept_bytes = 0, each_bytes = 0, pieces = 0, links = 0;

  [[nodiscard]] std::uint64_t found_bytes() const { return pieces == 0 ? 0 : FoundSections(pieces).end; }
  [[nodiscard]] std::uint64_t tile_bytes() const { return pieces * sizeof(kernels::TileReference); }
  [[nodiscard]] std::uint64_t list_bytes(std::uint64_t arithmetic_bytes) const {
    return ListSections(links, arithmetic_bytes).end;
  }
  [[nodiscard]] std::uint64_t device_bytes(std::uint64_t arithmetic_bytes) const {
    return kept_bytes + each_bytes + found_bytes() + 2 * (tile_bytes() + list_bytes(arithmetic_bytes));
  }
  [[nodiscard]] std::uint64_t host_bytes() const {
    return pieces == 0 ? 0 : 2 * each_bytes + 2 * sizeof(std::uint32_t);
  }

  /// For as much as is looked for now, and half of it.
  static BodySearchRoom around(const BodySearchArrays& arrays, std::uint64_t links) {
    constexpr std::uint64_t least_bytes = std::uint64_t{1} << 12, least_pieces = 64;
    const SearchSections sections(arrays);
    return {sections.kept_end + sections.kept_end / 2 + least_bytes,
            sections.each_end + sections.each_end / 2 + least_bytes,
            arrays.beside().size() + arrays.beside().size() / 2 + least_pieces, more(links)};
  }
  /// Half as many links again, and some.
  static std::uint64_t more(std::uint64_t links) {
    constexpr std::uint64_t least_links = 1024;
    return links + links / 2 + least_links;
  }
};

/// Memory for bodies that move: of their lists, once on the GPU and twice on the host, and of what goes over so many
/// links, twice. More is taken where links become more than half as many again.
struct BodyRoom {
  std::uint64_t list_bytes = 0, links = 0;
  BodySearchRoom search{};  ///< nothing where the GPU finds no links

  [[nodiscard]] std::uint64_t exchanged_bytes(std::uint64_t arithmetic_bytes) const {
    return links * 2 * arithmetic_bytes;
  }
  [[nodiscard]] std::uint64_t device_bytes(std::uint64_t arithmetic_bytes) const {
    return list_bytes + 2 * exchanged_bytes(arithmetic_bytes) + search.device_bytes(arithmetic_bytes);
  }
  [[nodiscard]] std::uint64_t host_bytes() const { return 2 * list_bytes + search.host_bytes(); }

  /// For as much as these lists have, and half of it; and as much for so many links.
  static BodyRoom around(const BodyArrays& arrays, std::uint64_t links, std::size_t arithmetic_bytes) {
    constexpr std::uint64_t least_bytes = std::uint64_t{1} << 16;
    const std::uint64_t bytes = BodySections(arrays, arithmetic_bytes).end;
    return {bytes + bytes / 2 + least_bytes, BodySearchRoom::more(links)};
  }
};

}  // namespace fluvia::cuda
