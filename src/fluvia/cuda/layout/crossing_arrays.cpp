// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cuda/layout/crossing_arrays.hpp"

#include <algorithm>
#include <tuple>

#include "fluvia/base/error.hpp"

namespace fluvia::cuda {

namespace {

constexpr std::uint64_t message_alignment = 256;

std::uint64_t aligned(std::uint64_t bytes, std::uint64_t alignment) {
  return (bytes + alignment - 1) / alignment * alignment;
}

/// A crossing, and the index in the buffer that its population has.
struct PlacedCrossing {
  std::uint32_t tile;
  std::uint8_t direction, bit;
  std::uint32_t output;
};

std::vector<Crossing> in_message_order(std::vector<Crossing> crossings) {
  std::sort(crossings.begin(), crossings.end(), [](const Crossing& a, const Crossing& b) {
    return std::tuple(a.tile, a.direction, a.bit) < std::tuple(b.tile, b.direction, b.bit);
  });
  return crossings;
}

/// Tiles with runs of nodes that follow each other in a message.
void append_tiles(std::vector<PlacedCrossing>& all, const std::function<std::uint32_t(std::uint32_t)>& place_of,
                  CrossingArrays& arrays) {
  std::sort(all.begin(), all.end(), [](const PlacedCrossing& a, const PlacedCrossing& b) {
    return std::tuple(a.tile, a.output) < std::tuple(b.tile, b.output);
  });
  const PlacedCrossing* before = nullptr;
  for (const PlacedCrossing& c : all) {
    const bool begins_tile = before == nullptr || before->tile != c.tile;
    if (begins_tile) arrays.tiles.push_back({place_of(c.tile), static_cast<std::uint32_t>(arrays.runs.size()), 0});
    if (begins_tile || before->direction != c.direction || before->output + 1 != c.output || before->bit > c.bit) {
      arrays.runs.push_back({0, c.direction, c.output});
      ++arrays.tiles.back().count;
    }
    arrays.runs.back().mask |= std::uint64_t{1} << c.bit;
    before = &c;
  }
}

CrossingArrays make_arrays(const Subdomain& subdomain, bool leaving, const std::vector<MemoryCrossings>& memory,
                           const std::function<std::uint32_t(std::uint32_t)>& place_of, const ValueBytes& bytes) {
  const auto population = static_cast<std::uint64_t>(bytes.population),
             number = static_cast<std::uint64_t>(bytes.number);
  CrossingArrays arrays;
  std::vector<PlacedCrossing> all;
  std::uint64_t offset = 0;
  for (std::size_t n = 0; n < subdomain.neighbours.size(); ++n) {
    const Neighbour& neighbour = subdomain.neighbours[n];
    const std::vector<Crossing> crossings = in_message_order(leaving ? neighbour.leaves : neighbour.arrives);
    const std::uint64_t first = offset / population;
    for (std::size_t k = 0; k < crossings.size(); ++k)
      all.push_back(
          {crossings[k].tile, crossings[k].direction, crossings[k].bit, static_cast<std::uint32_t>(first + k)});
    std::uint64_t end = aligned(offset + crossings.size() * population, number);
    for (const std::uint32_t kept : leaving ? memory[n].leaves : memory[n].arrives) {
      arrays.numbers.push_back({kept, static_cast<std::uint32_t>(end / number)});
      end += number;
    }
    arrays.messages.push_back({offset, end - offset});
    offset = aligned(end, message_alignment);
  }
  if (offset / std::min(population, number) >> 32 != 0)
    throw_resource(
        "domain: more crosses between parts than 32-bit numbers count; use more devices or a larger spacing");
  append_tiles(all, place_of, arrays);
  return arrays;
}

}  // namespace

CrossingArrays make_leaving(const Subdomain& subdomain, const std::vector<MemoryCrossings>& memory,
                            const std::function<std::uint32_t(std::uint32_t)>& place_of, const ValueBytes& bytes) {
  return make_arrays(subdomain, true, memory, place_of, bytes);
}

CrossingArrays make_arriving(const Subdomain& subdomain, const std::vector<MemoryCrossings>& memory,
                             const std::function<std::uint32_t(std::uint32_t)>& place_of, const ValueBytes& bytes) {
  return make_arrays(subdomain, false, memory, place_of, bytes);
}

}  // namespace fluvia::cuda
