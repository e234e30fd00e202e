// SPDX-License-Identifier: Apache-2.0
// Lists of the places at which populations pass between levels. For find_level_links() alone.
#pragma once
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "fluvia/base/error.hpp"
#include "fluvia/domain/levels/level_links.hpp"

namespace fluvia::domain::crossing {

/// A list of places, each once.
class Places {
 public:
  Places(const NodeMap& nodes, std::vector<HaloPopulation>& list) : nodes_(nodes), list_(list) {}
  std::uint32_t at(const Int3& cell, int direction, bool is_cut) {
    const auto node = nodes_.find_fluid(cell);
    if (!node) throw Error(ExitCode::internal, "levels: a population passes where there is no fluid");
    const auto i = static_cast<std::uint8_t>(direction);
    const std::uint64_t key = std::uint64_t{node->tile} << 16 | std::uint64_t{node->bit} << 8 |
                              static_cast<std::uint64_t>(i) << 1 | static_cast<std::uint64_t>(is_cut);
    const auto [known, is_new] = index_.try_emplace(key, static_cast<std::uint32_t>(list_.size()));
    if (is_new) list_.push_back({node->tile, node->bit, i, is_cut, {node->tile, node->bit, i}});
    return known->second;
  }

 private:
  const NodeMap& nodes_;
  std::vector<HaloPopulation>& list_;
  std::unordered_map<std::uint64_t, std::uint32_t> index_;
};

/// Brings a list of places into the order in which storages have them. Returns, for each place, its new number.
inline std::vector<std::uint32_t> sort_places(const NodeMap& nodes, PlaceOrder order_of_places,
                                              std::vector<HaloPopulation>& list) {
  std::vector<std::uint32_t> order(list.size()), number(list.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto key = [&](std::uint32_t k) {
    const HaloPopulation& p = list[k];
    Int3 at{static_cast<int>(p.bit), static_cast<int>(p.tile), 0};
    if (order_of_places == PlaceOrder::rows) at = nodes.node_position(nodes.tiles[p.tile], p.bit);
    return std::tuple(p.direction, p.is_cut, at[2], at[1], at[0]);
  };
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return key(a) < key(b); });
  std::vector<HaloPopulation> sorted;
  for (std::uint32_t k = 0; k < order.size(); ++k) {
    number[order[k]] = k;
    sorted.push_back(list[order[k]]);
  }
  list = std::move(sorted);
  return number;
}

/// A coarse link whose lists begin where those of `links` end.
inline LevelLinks::CoarseLink end_of(const LevelLinks& links) {
  const auto size = [](const auto& list) { return static_cast<std::uint32_t>(list.size()); };
  return {LevelLinks::none, size(links.link_children), {size(links.leaving[0]), size(links.leaving[1])}};
}

/// Gives places of `links` their new numbers, `read` of coarse_reads and `fine` of fine_places, and ends lists.
inline void number_places(const std::vector<std::uint32_t>& read, const std::vector<std::uint32_t>& fine,
                          LevelLinks& links) {
  for (LevelLinks::Source& source : links.sources) {
    source.at = read[source.at];
    for (std::uint32_t& k : source.upper) k = read[k];
    for (std::uint32_t& k : source.lower) k = read[k];
  }
  links.sources.push_back({});
  links.sources.back().first_child = static_cast<std::uint32_t>(links.children.size());
  for (LevelLinks::Child& child : links.children)
    if (child.place != LevelLinks::none) child.place = fine[child.place];
  for (LevelLinks::Passing& passing : links.passing) {
    passing.from = fine[passing.from];
    passing.to = fine[passing.to];
  }
  for (LevelLinks::Continued& continued : links.continued)
    for (std::uint32_t* const k : {&continued.place, &continued.near, &continued.far})
      if (*k != LevelLinks::none) *k = fine[*k];
  for (LevelLinks::WallGain& gain : links.place_gains) gain.to = fine[gain.to];
  for (LevelLinks::CoarseLink& link : links.links)
    if (link.streamed != LevelLinks::none) link.streamed = read[link.streamed];
  for (auto& list : links.leaving)
    for (std::uint32_t& k : list) k = fine[k];
  for (auto& list : links.forces.of_leaving)
    for (LevelLinks::WallForce& force : list) force.number = fine[force.number];
}

/// Brings sources, and with them what their children carry, into the order of what they read: then what arrives at
/// places that follow each other follows each other, too. Sums keep their order.
inline void sort_sources(LevelLinks& links) {
  std::vector<std::uint32_t> order(links.sources.size() - 1), number(links.children.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](auto a, auto b) { return links.sources[a].at < links.sources[b].at; });
  std::vector<LevelLinks::Source> sources;
  std::vector<LevelLinks::Child> children;
  for (const std::uint32_t k : order) {
    sources.push_back(links.sources[k]);
    sources.back().first_child = static_cast<std::uint32_t>(children.size());
    for (std::uint32_t n = links.sources[k].first_child; n < links.sources[k + 1].first_child; ++n) {
      number[n] = static_cast<std::uint32_t>(children.size());
      children.push_back(links.children[n]);
    }
  }
  sources.push_back(links.sources.back());
  links.sources = std::move(sources);
  links.children = std::move(children);
  for (LevelLinks::LinkChild& child : links.link_children) child.child = number[child.child];
  for (LevelLinks::WallForce& force : links.forces.of_children) force.number = number[force.number];
}

}  // namespace fluvia::domain::crossing
