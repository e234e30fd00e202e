// SPDX-License-Identifier: Apache-2.0
// CpuSolver: what the solver of a subdomain does at its borders. Included only by the files that instantiate it.
#pragma once
#include <cstring>

#include "fluvia/base/error.hpp"
#include "fluvia/cpu/cpu_solver.hpp"

namespace fluvia::cpu {

/// Where what crosses lies when the next step reads it, by the streaming's read_from; a subdomain has the node that
/// reads and the one that wrote, so sender and receiver find the same slot of the same node.
template <class Groups, class Format>
void CpuSolver<Groups, Format>::index_borders() {
  if constexpr (requires(const Groups& g) { g.element(Int3{}, 0); }) {
    if (subdomain_.tiles.count() == geometry_.nodes.tiles.size()) return;
    const NodeMap& nodes = geometry_.nodes;
    const auto node_of = [&](const Crossing& c) { return nodes.node_position(nodes.tiles[c.tile], c.bit); };
    const auto node_along = [&](Int3 x, int direction, int side) {
      const signed char* c = streaming_.step[0].c[direction];
      for (int a = 0; a < 3; ++a) x[a] += side * c[a];
      if (!nodes.wrap(x)) throw Error(ExitCode::internal, "a population crosses out of the box");
      return x;
    };
    const auto find_elements = [&](const std::vector<Crossing>& crossings, BorderList& list) {
      list.elements = crossings.size();
      if (list.elements >> 32 != 0)
        throw_resource("domain: more crosses between parts than 32-bit numbers count; use more ranks");
      for (int parity = 0; parity < streaming_.parities; ++parity) {
        std::vector<Run>& runs = list.runs[parity];
        std::uint32_t at = 0;
        for (const Crossing& c : crossings) {
          const core::Access read = streaming_.step[parity].read[c.direction];
          const std::uint64_t element = groups_.element(node_along(node_of(c), c.direction, read.side), read.slot);
          if (!runs.empty() && runs.back().element + runs.back().count == element)
            ++runs.back().count;
          else
            runs.push_back({element, at, 1});
          ++at;
        }
        runs.shrink_to_fit();
      }
    };
    which_.assign(groups_.count(), Which::none);
    const auto mark = [&](const Int3& node, Which which) {
      std::uint64_t group;
      int lane;
      groups_.locate(node, group, lane);
      which_[group] = std::max(which_[group], which);
    };
    for (std::uint64_t t = subdomain_.tiles.first; t < subdomain_.tiles.end; ++t)
      for (std::uint64_t bits = nodes.tiles[t].mask; bits != 0; bits &= bits - 1)
        mark(nodes.node_position(nodes.tiles[t], std::countr_zero(bits)), Which::interior);
    borders_.resize(subdomain_.neighbours.size());
    for (std::size_t k = 0; k < borders_.size(); ++k) {
      Neighbour& neighbour = subdomain_.neighbours[k];
      find_elements(neighbour.arrives, borders_[k].arrives);
      find_elements(neighbour.leaves, borders_[k].leaves);
      for (const Crossing& c : neighbour.leaves) mark(node_along(node_of(c), c.direction, -1), Which::border);
      std::vector<Crossing>().swap(neighbour.arrives);
      std::vector<Crossing>().swap(neighbour.leaves);
    }
    for (std::uint64_t group = 0; group < which_.size(); ++group)
      if (which_[group] == Which::border) border_groups_.push_back(group);
  }
}

/// What conditions keep of a node upstream of another part's node goes there with the populations.
template <class Groups, class Format>
void CpuSolver<Groups, Format>::index_border_memory(const BoundarySetup& setup,
                                                    const std::vector<NodeRecord>& records) {
  borders_.resize(subdomain_.neighbours.size());
  for (const MemoryCrossing& crossing : memory_crossings(setup, records)) {
    for (std::size_t k = 0; k < borders_.size(); ++k) {
      const TileRange& there = subdomain_.neighbours[k].tiles;
      BorderList* list = nullptr;
      if (owns(crossing.to_tile) && there.contains(crossing.from_tile)) list = &borders_[k].arrives;
      if (owns(crossing.from_tile) && there.contains(crossing.to_tile)) list = &borders_[k].leaves;
      if (list == nullptr) continue;
      for (std::uint32_t n = 0; n < crossing.count; ++n) list->memory.push_back(crossing.memory + n);
    }
  }
}

template <class Groups, class Format>
template <class Copy>
void CpuSolver<Groups, Format>::for_each_run(const BorderList& list, std::int64_t parity, const Copy& copy) const {
  constexpr std::uint64_t worth_threads = 1 << 16;  // bytes; a barrier takes microseconds
  const std::vector<Run>& runs = list.runs[parity];
  const auto count = static_cast<std::int64_t>(runs.size());
  const bool many = list.elements * sizeof(Storage) > worth_threads && plan_.threads > 1;
#pragma omp parallel for schedule(static) num_threads(plan_.threads) if (many)
  for (std::int64_t k = 0; k < count; ++k) copy(runs[static_cast<std::size_t>(k)]);
}

template <class Groups, class Format>
void CpuSolver<Groups, Format>::pack(std::size_t neighbour, std::byte* out) const {
  // Packed between the halves of a step: what the next one will read, in the copy that this one writes.
  const BorderList& list = borders_[neighbour].leaves;
  const Storage* const populations = next();
  for_each_run(list, (updates_ + 1) % streaming_.parities, [&](const Run& run) {
    std::memcpy(out + run.at * sizeof(Storage), populations + run.element, run.count * sizeof(Storage));
  });
  out += list.elements * sizeof(Storage);
  for (std::size_t k = 0; k < list.memory.size(); ++k)
    std::memcpy(out + k * sizeof(T), &memory_of_conditions_[list.memory[k]], sizeof(T));
}

template <class Groups, class Format>
void CpuSolver<Groups, Format>::unpack(std::size_t neighbour, const std::byte* in) {
  const BorderList& list = borders_[neighbour].arrives;
  Storage* const populations = current();
  for_each_run(list, updates_ % streaming_.parities, [&](const Run& run) {
    std::memcpy(populations + run.element, in + run.at * sizeof(Storage), run.count * sizeof(Storage));
  });
  in += list.elements * sizeof(Storage);
  for (std::size_t k = 0; k < list.memory.size(); ++k)
    std::memcpy(&memory_of_conditions_[list.memory[k]], in + k * sizeof(T), sizeof(T));
}

}  // namespace fluvia::cpu
