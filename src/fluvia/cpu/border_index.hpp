// SPDX-License-Identifier: Apache-2.0
// What a subdomain exchanges with its neighbours, as elements of memory, and which groups have a share in it; whatever
// the addressing and the format.
#pragma once
#include <cstdint>
#include <functional>
#include <vector>

#include "fluvia/cpu/boundary_index.hpp"
#include "fluvia/solver/part_solver.hpp"
#include "fluvia/solver/scheme.hpp"

namespace fluvia::cpu {

/// Groups of a step: those whose populations leave to neighbours, the other own ones, or all.
enum class Which : std::uint8_t { none, interior, border, all };

/// Element of a slot of a stored node.
using ElementOf = std::function<std::uint64_t(const Int3& node, int slot)>;

/// Elements that follow each other in memory and in a message.
struct Run {
  std::uint64_t element;
  std::uint32_t at, count;  ///< in elements
};

/// What one side of a border exchanges with the other: runs by parity, then numbers that conditions keep.
struct BorderList {
  std::vector<Run> runs[2];
  std::uint64_t elements = 0;
  std::vector<std::uint32_t> memory;
  [[nodiscard]] std::size_t bytes(std::size_t element, std::size_t number) const {
    return elements * element + memory.size() * number;
  }
};

struct BorderIndex {
  struct Border {
    BorderList arrives, leaves;
  };
  std::vector<Border> borders;         ///< by Subdomain::neighbours
  std::vector<Which> which;            ///< per group: none, interior or border; empty without neighbours
  std::vector<std::uint64_t> leaving;  ///< groups of the border, ascending
};

/// Takes what crosses out of `subdomain`. `records`: node_records(setup). Throws Error(resource) if more crosses than
/// 32-bit numbers count.
BorderIndex index_borders(const BoundarySetup& setup, const std::vector<NodeRecord>& records, const NodeMap& nodes,
                          const StreamingTable& streaming, Subdomain& subdomain, std::uint64_t groups,
                          const PlaceOf& place_of, const ElementOf& element_of);

}  // namespace fluvia::cpu
