// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cuda/layout/halo_population_arrays.hpp"

#include <algorithm>
#include <bit>
#include <tuple>
#include <unordered_map>

#include "fluvia/base/error.hpp"

namespace fluvia::cuda {

namespace {

constexpr std::uint64_t message_alignment = 256;

std::uint64_t aligned(std::uint64_t bytes, std::uint64_t alignment) {
  return (bytes + alignment - 1) / alignment * alignment;
}

constexpr std::uint64_t block_values = std::uint64_t{1} << kernels::message_block_log2;

/// A halo population, and its entry in the list.
struct ListedHaloPopulation {
  std::uint32_t tile;
  std::uint8_t direction, bit;
  std::uint32_t entry;
  bool is_copy;  ///< between parts of a level
};

/// Halo populations direction by direction: those that follow each other in a message then lie near each other in
/// memory.
std::vector<HaloPopulation> in_message_order(std::vector<HaloPopulation> halo_populations) {
  std::sort(halo_populations.begin(), halo_populations.end(), [](const HaloPopulation& a, const HaloPopulation& b) {
    return std::tuple(a.arrival.direction, a.arrival.tile, a.arrival.bit) <
           std::tuple(b.arrival.direction, b.arrival.tile, b.arrival.bit);
  });
  return halo_populations;
}

/// Appends the tiles with runs of nodes that follow each other in the list.
void append_tiles(std::vector<ListedHaloPopulation>& all,
                  const std::function<std::uint32_t(std::uint32_t)>& storage_index_of, HaloPopulationArrays& arrays) {
  std::sort(all.begin(), all.end(), [](const ListedHaloPopulation& a, const ListedHaloPopulation& b) {
    return std::tuple(a.tile, a.entry) < std::tuple(b.tile, b.entry);
  });
  const ListedHaloPopulation* before = nullptr;
  for (const ListedHaloPopulation& c : all) {
    const bool begins_tile = before == nullptr || before->tile != c.tile;
    if (begins_tile)
      arrays.tiles.push_back({storage_index_of(c.tile), static_cast<std::uint32_t>(arrays.runs.size()), 0});
    if (begins_tile || before->direction != c.direction || before->entry + 1 != c.entry || before->bit >= c.bit) {
      arrays.runs.push_back({0, c.direction, c.entry});
      ++arrays.tiles.back().count;
    }
    arrays.runs.back().mask |= std::uint64_t{1} << c.bit;
    before = &c;
  }
}

/// Appends blocks of so many values, which follow each other from `offset` bytes on; returns the first entry.
std::uint64_t append_blocks(std::uint64_t count, std::uint64_t offset, std::uint64_t value_bytes, bool is_kept,
                            HaloPopulationArrays& arrays) {
  const std::uint64_t first = arrays.blocks.size() * block_values;
  for (std::uint64_t k = 0; k < count; k += block_values)
    arrays.blocks.push_back({offset + k * value_bytes, 0, static_cast<std::uint32_t>(std::min(block_values, count - k)),
                             is_kept ? 1U : 0U});
  arrays.entries.resize(arrays.blocks.size() * block_values, 0);
  return first;
}

HaloPopulationArrays make_arrays(const Block& block, bool leaving, const std::vector<HaloMemory>& memory,
                                 const std::function<std::uint32_t(std::uint32_t)>& storage_index_of,
                                 const ValueBytes& bytes, const std::vector<std::uint64_t>& behind,
                                 std::vector<ListedHaloPopulation>& all) {
  const auto population = static_cast<std::uint64_t>(bytes.population),
             number = static_cast<std::uint64_t>(bytes.number);
  HaloPopulationArrays arrays;
  std::uint64_t offset = 0;
  for (std::size_t n = 0; n < block.neighbours.size(); ++n) {
    const Neighbour& neighbour = block.neighbours[n];
    const std::uint64_t begin = offset;
    static const std::vector<HaloPopulation> of_scalars;  // which lie elsewhere, and in `behind` alone
    const std::vector<HaloPopulation>& listed = neighbour.scalar != Neighbour::of_flow ? of_scalars
                                                : leaving                              ? neighbour.leaves
                                                                                       : neighbour.arrives;
    // What passes between levels is known by its number in the list.
    const bool is_copy = neighbour.link == ExchangeLink::copy;
    const std::vector<HaloPopulation> halo_populations = is_copy ? in_message_order(listed) : listed;
    const std::uint64_t alignment = is_copy ? message_alignment : population;
    for (std::size_t first = 0, end = 0; first < halo_populations.size(); first = end) {
      while (end < halo_populations.size() &&
             halo_populations[end].arrival.direction == halo_populations[first].arrival.direction)
        ++end;
      offset = aligned(offset, alignment);
      const std::uint64_t entry = append_blocks(end - first, offset, population, false, arrays);
      for (std::size_t k = first; k < end; ++k)
        all.push_back({halo_populations[k].tile, halo_populations[k].direction, halo_populations[k].bit,
                       static_cast<std::uint32_t>(entry + k - first), is_copy});
      offset += (end - first) * population;
    }
    const std::vector<std::uint32_t>& kept = leaving ? memory[n].leaves : memory[n].arrives;
    if (is_copy || !kept.empty()) offset = aligned(offset, message_alignment);
    const std::uint64_t entry = append_blocks(kept.size(), offset, number, true, arrays);
    std::copy(kept.begin(), kept.end(), arrays.entries.begin() + static_cast<std::ptrdiff_t>(entry));
    offset += kept.size() * number;
    if (!behind.empty() && behind[n] > 0) offset = aligned(offset, message_alignment) + behind[n];
    arrays.messages.push_back({begin, offset - begin});
    arrays.end_blocks.push_back(arrays.blocks.size());
    offset = aligned(offset, message_alignment);
  }
  if (arrays.entries.size() >> 32 != 0)
    throw_resource(
        "domain: more crosses between parts than 32-bit numbers count; use more devices or a larger spacing");
  append_tiles(all, storage_index_of, arrays);
  return arrays;
}

}  // namespace

void list_numbers_of_nodes(const NodeMap& nodes, const std::vector<Int3>& velocities, const KeptOfNode& kept,
                           Block& block) {
  std::vector<HaloPopulation>* list = nullptr;
  const auto append = [&](std::uint32_t tile, int bit, int number) {
    const auto of_node = static_cast<std::uint8_t>(bit), k = static_cast<std::uint8_t>(number);
    list->push_back({tile, of_node, k, false, {tile, of_node, k}});
  };
  const auto append_returned = [&](std::uint32_t tile, int bit) {
    const Int3 x = nodes.node_position(nodes.tiles[tile], bit);
    for (std::size_t i = 1; i < velocities.size(); ++i) {
      const Int3& c = velocities[i];
      if (nodes.find_fluid({x[0] - c[0], x[1] - c[1], x[2] - c[2]})) continue;
      for (int e = 0; e < kept.elements_of_returned; ++e)
        append(tile, bit, kept.numbers + (static_cast<int>(i) - 1) * kept.elements_of_returned + e);
    }
  };
  const auto append_all = [&](const Halo& halo) {
    for (std::size_t ring = 0; ring < halo.size(); ++ring)
      for (const NodesOfTile& some : halo[ring])
        for (std::uint64_t bits = some.mask; bits != 0; bits &= bits - 1) {
          const int bit = std::countr_zero(bits);
          for (int k = 0; k < kept.numbers; ++k) append(some.tile, bit, k);
          const bool is_stepped = ring + 1 < halo.size();
          if (is_stepped && kept.elements_of_returned > 0) append_returned(some.tile, bit);
        }
  };
  for (Neighbour& neighbour : block.neighbours) {
    list = &neighbour.arrives;
    append_all(part_of(block.halo, neighbour.tiles));
    list = &neighbour.leaves;
    append_all(neighbour.halo);
  }
}

HaloPopulationArrays make_leaving(const Block& block, const std::vector<HaloMemory>& memory,
                                  const std::function<std::uint32_t(std::uint32_t)>& storage_index_of,
                                  const ValueBytes& bytes, const std::vector<std::uint64_t>& behind) {
  std::vector<ListedHaloPopulation> all;
  return make_arrays(block, true, memory, storage_index_of, bytes, behind, all);
}

HaloPopulationArrays make_arriving(const Block& block, const std::vector<HaloMemory>& memory,
                                   const std::function<std::uint32_t(std::uint32_t)>& storage_index_of,
                                   const ValueBytes& bytes, const std::vector<std::uint64_t>& behind) {
  std::vector<ListedHaloPopulation> all;
  return make_arrays(block, false, memory, storage_index_of, bytes, behind, all);
}

std::vector<kernels::ForwardedValue> find_forwarded(const Block& block, const std::vector<HaloMemory>& memory,
                                                    const ValueBytes& bytes) {
  const auto is_copy = [](const Neighbour& neighbour) { return neighbour.link == ExchangeLink::copy; };
  if (std::ranges::none_of(block.neighbours, is_copy) || std::ranges::all_of(block.neighbours, is_copy)) return {};
  const auto listed = [&](bool leaving) {
    std::vector<ListedHaloPopulation> all;
    (void)make_arrays(
        block, leaving, memory, [](std::uint32_t tile) { return tile; }, bytes, {}, all);
    return all;
  };
  const auto key = [](const ListedHaloPopulation& p) {
    return std::uint64_t{p.tile} << 16 | std::uint64_t{p.bit} << 8 | std::uint64_t{p.direction};
  };
  std::unordered_map<std::uint64_t, std::uint32_t> arrived;
  for (const ListedHaloPopulation& p : listed(false))
    if (p.is_copy) arrived.emplace(key(p), p.entry);
  std::vector<kernels::ForwardedValue> forwarded;
  for (const ListedHaloPopulation& p : listed(true)) {
    if (p.is_copy) continue;
    if (const auto found = arrived.find(key(p)); found != arrived.end()) forwarded.push_back({found->second, p.entry});
  }
  std::ranges::sort(forwarded, {}, &kernels::ForwardedValue::to);
  return forwarded;
}

namespace {

/// One end of all pairs; pairs between the same two directions have blocks of their own, so that the populations of a
/// block lie near each other in memory.
HaloPopulationArrays one_end(const std::vector<ExchangedPair>& pairs, ExchangedEnd ExchangedPair::*end,
                             const std::function<std::uint32_t(std::uint32_t)>& storage_index_of) {
  HaloPopulationArrays arrays;
  std::vector<ListedHaloPopulation> all;
  const auto directions = [&](std::size_t k) { return std::pair(pairs[k].first.direction, pairs[k].second.direction); };
  for (std::size_t first = 0, last = 0; first < pairs.size(); first = last) {
    while (last < pairs.size() && directions(last) == directions(first)) ++last;
    const std::uint64_t entry = append_blocks(last - first, 0, 0, false, arrays);
    for (std::size_t k = first; k < last; ++k) {
      const ExchangedEnd& e = pairs[k].*end;
      all.push_back({e.tile, e.direction, e.bit, static_cast<std::uint32_t>(entry + k - first), false});
    }
  }
  if (arrays.entries.size() >> 32 != 0)
    throw_resource(
        "domain: more populations meet planes of symmetry and sheets than 32-bit numbers count; use a larger spacing");
  arrays.messages.push_back({});
  arrays.end_blocks.push_back(arrays.blocks.size());
  append_tiles(all, storage_index_of, arrays);
  return arrays;
}

}  // namespace

ExchangedArrays make_exchanged_arrays(std::vector<ExchangedPair> pairs,
                                      const std::function<std::uint32_t(std::uint32_t)>& storage_index_of) {
  if (pairs.empty()) return {};
  std::stable_sort(pairs.begin(), pairs.end(), [](const ExchangedPair& a, const ExchangedPair& b) {
    return std::pair(a.first.direction, a.second.direction) < std::pair(b.first.direction, b.second.direction);
  });
  return {one_end(pairs, &ExchangedPair::first, storage_index_of),
          one_end(pairs, &ExchangedPair::second, storage_index_of)};
}

}  // namespace fluvia::cuda
