// SPDX-License-Identifier: Apache-2.0
// Where the neighbours of a group of CompactRows are stored.
//
// A streaming that stays in the node copies whole groups. One that moves goes through links, one per segment and
// direction: the neighbours among 64 positions of the neighbouring row, and where the first of them is stored. Chunks
// of 16 positions are gathered and scattered without a branch on the geometry:
//
//   neighbours as stored    p q r s              a run of memory, from `offset` on
//   expanded by `there`     . p q . r . . . s .  one value a position, where there is a neighbour
//   compressed by the mask  q . r ...            one value a lane; none comes over a link that is `cut`
#pragma once
#include <cstdint>
#include <vector>

#include "fluvia/cpu/storage/compact_rows.hpp"

namespace fluvia::cpu {

class CompactLinks {
 public:
  /// Finds all that a step moves from and to a group.
  void open(const CompactRows& rows, std::uint64_t group, const StepAccess& step);
  /// Lanes that hold a node.
  [[nodiscard]] std::uint64_t mask() const { return lanes_below(nodes_); }

 protected:
  /// Shape of a chunk: one run, anything else, or 16 nodes that are all fluid and have all neighbours.
  enum class Shape : std::uint8_t { run, scattered, whole };
  struct Chunk {
    std::uint16_t mask;
    std::uint8_t lane;
    Shape shape;
  };
  /// Arrays over the neighbours of a node, as StepAccess::neighbour counts them, filled up to whole vectors: compilers
  /// find the links of all directions together.
  static constexpr int most_links = 32;
  template <class T>
  using Links = T[most_links];

  /// Neighbours of a chunk over each link: those of its nodes `there`, stored from `offset` on, and the nodes without,
  /// whose link is `cut`. If they are one run, as in all chunks but scattered ones, `offset` belongs to the first
  /// position.
  struct alignas(64) ChunkLinks {
    Links<std::uint64_t> offset;
    Links<std::uint32_t> stride;
    Links<std::uint16_t> there, cut;
  };
  /// A neighbour stored apart from the others of its row.
  struct Edge {
    std::uint64_t offset;
    std::uint32_t stride;
    std::uint8_t neighbour, lane;
  };

  [[nodiscard]] const ChunkLinks& links_of(int chunk) const { return links_[static_cast<std::size_t>(chunk)]; }

  /// Up to this many runs in a segment, chunks are runs; with more, chunks are the nodes among 16 positions.
  static constexpr int most_runs = 4;
  static constexpr int last_chunk = group_lanes - 1;

  int nodes_ = 0, directions_ = 0;
  std::uint64_t base_ = 0, stride_ = 0;
  bool is_whole_run_ = false;  ///< whole chunks of one segment: neighbours lie in the order of the lanes
  int partial_chunks_ = 0, whole_chunks_ = 0;
  Chunk chunks_[group_lanes];      ///< partial chunks from the start, whole ones from the end
  std::vector<ChunkLinks> links_;  ///< [chunk]
  std::vector<Edge> edges_;

 private:
  using Segment = CompactRows::Segment;
  /// Where a segment's neighbours over each link are: bit k of `there` is set if the k-th node has one, and these are
  /// consecutive in storage from `offset` on.
  struct alignas(64) SegmentLinks {
    Links<std::uint64_t> offset, there;
    Links<std::uint64_t> cut;  ///< nodes without a neighbour
    Links<std::uint32_t> stride;
    void set(int neighbour, std::uint64_t first, std::uint64_t nodes_there, std::uint64_t nodes_cut,
             std::uint32_t block_nodes) {
      offset[neighbour] = first;
      there[neighbour] = nodes_there;
      cut[neighbour] = nodes_cut;
      stride[neighbour] = block_nodes;
    }
  };
  /// The neighbour of a segment's first or last node, if it is stored apart from the others of its row.
  struct EdgeLink {
    std::uint64_t offset;
    std::uint32_t stride;
    std::int8_t bit, neighbour;  ///< numbers of the bit, and of the neighbour by StepAccess::neighbour
  };

  /// Links of one segment to its 27 neighbours, as StepAccess::neighbour counts them, and the number of edges.
  static int find_links(const CompactRows& rows, std::uint32_t segment, const StepAccess& step, SegmentLinks& links,
                        EdgeLink* edges);
  /// Finds the links to the segment `there`, beyond whose ends lies what `ends` says; `neighbour` is the number of the
  /// neighbour with dx = -1.
  static void link_row(const CompactRows& rows, std::uint64_t mask, const Segment& there, std::uint64_t ends, int last,
                       int neighbour, SegmentLinks& links);
  /// Finds what lies beyond the ends of a segment that is empty or has neighbours stored apart from it, and these
  /// neighbours; `first` is the slot of the row's first segment.
  static std::uint64_t find_edges(const CompactRows& rows, std::uint64_t mask, const Segment& there,
                                  std::uint64_t first, std::uint32_t column, int neighbour, EdgeLink* edges,
                                  int& edge_count);
  /// Cuts a segment into chunks, the first of which begins at `lane`.
  void cut_chunks(std::uint64_t mask, const SegmentLinks& links, int& lane);
  static void link_chunk(const SegmentLinks& links, int first, int width, ChunkLinks& out);
  /// True if the neighbours over each link are one run.
  [[nodiscard]] static bool are_runs(const ChunkLinks& links);
  static void begin_at_first_position(ChunkLinks& links);
};

}  // namespace fluvia::cpu
