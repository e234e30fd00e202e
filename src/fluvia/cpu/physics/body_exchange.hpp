// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "fluvia/core/boundary/moving_body.hpp"
#include "fluvia/cpu/storage/step_access.hpp"
#include "fluvia/solver/bodies/body_forces.hpp"

namespace fluvia::cpu {

/// The links that bodies cut in a step, by groups and lanes, and what goes over them.
template <class T>
class BodyExchange {
 public:
  /// Whether some nodes of the group have links to bodies in the step to come.
  [[nodiscard]] bool acts_on(std::uint64_t group) const { return !first_.empty() && first_[group] != none; }
  /// Ends a step: what went over its links is that of the last one from now on. The next one has the same links unless
  /// it is given others.
  void finish_step() {
    std::swap(exchanged_, last_);
    exchanged_.assign(links_.size(), {});
  }
  /// Takes the links of the step to come. `storage_index_of(node)`: group * group_lanes + lane.
  template <class StorageIndexOf>
  void take(const MovingBodies& bodies, std::uint64_t groups, const std::vector<double>& weights,
            const StorageIndexOf& storage_index_of) {
    const std::vector<BodyLink>& links = bodies.links();
    first_.resize(groups, none);
    for (const Link& link : links_) first_[link.group] = none;
    unsorted_.clear();
    // How many each group has, then where it begins: groups come as they are met, which nobody minds.
    met_.clear();
    for (std::size_t k = 0; k < links.size(); ++k) {
      const BodyLink& link = links[k];
      const std::uint64_t index = k > 0 && link.node == links[k - 1].node
                                      ? std::uint64_t{unsorted_.back().group} * group_lanes + unsorted_.back().lane
                                      : storage_index_of(bodies.node_of(link));
      const auto group = static_cast<std::uint32_t>(index / group_lanes);
      const double weight = weights[link.direction];
      unsorted_.push_back({group, static_cast<std::uint32_t>(k), static_cast<std::uint8_t>(index % group_lanes),
                           link.direction, static_cast<T>(link.part),
                           static_cast<T>(3 * weight * bodies.speed_along(link)), static_cast<T>(weight)});
      if (first_[group] == none) {
        first_[group] = 0;
        met_.push_back(group);
      }
      ++first_[group];
    }
    std::uint32_t end = 0;
    for (const std::uint32_t group : met_) end += std::exchange(first_[group], end);
    links_.resize(unsorted_.size());
    for (const Link& link : unsorted_) links_[first_[link.group]++] = link;
    for (std::size_t k = links_.size(); k-- > 0;) first_[links_[k].group] = static_cast<std::uint32_t>(k);
    exchanged_.assign(links_.size(), {});
  }
  /// Forgets what was exchanged.
  void forget() { last_.clear(), exchanged_.clear(); }
  /// What went over each of MovingBodies::links() in the step at hand.
  [[nodiscard]] const std::vector<ExchangedOverLink>& now() const { return exchanged_; }
  /// What went over each of MovingBodies::last_links().
  [[nodiscard]] const std::vector<ExchangedOverLink>& last() const { return last_; }

  /// Takes the links of the whole domain, as a solver is made, for their WallMassCorrection::weight: about that of all
  /// steps, and the same after a restart.
  void weigh(const std::vector<BodyLink>& links, const std::vector<double>& weights) {
    for (const BodyLink& link : links) weight_ += 2 * static_cast<double>(static_cast<T>(weights[link.direction]));
  }
  [[nodiscard]] double weight() const { return weight_; }
  /// What links need of the populations of their nodes before the collision: of each link of a group, in order.
  struct Before {
    T even[(max_directions - 1) * group_lanes], density[(max_directions - 1) * group_lanes];
  };
  /// `f`: deviations that arrive, by direction and lane.
  void look_before(std::uint64_t group, int directions, const T* const* f, Before& before) const {
    std::size_t at = 0;
    for (std::size_t k = first_[group]; k < links_.size() && links_[k].group == group; ++k, ++at) {
      const Link& link = links_[k];
      before.even[at] = (f[link.direction][link.lane] + f[core::opposite(link.direction)][link.lane]) * T(0.5);
      if (at > 0 && links_[k - 1].lane == link.lane) {
        before.density[at] = before.density[at - 1];
        continue;
      }
      T density(0);
      for (int i = 0; i < directions; ++i) density += f[i][link.lane];
      before.density[at] = T(1) + density;
    }
  }
  /// Replaces what a group sends to bodies by what comes back, which has yet to be brought to its place. `after`:
  /// populations that leave after the collision; `supply`: what each link gives, in parts of its weight
  /// (core::WallBlocks::supply). Where both links of a pair are cut each reads what the other one
  /// replaces, so that all is read first.
  void give_back(std::uint64_t group, T supply, const Before& before, const T* const* after, T* const* out) {
    const std::size_t first = first_[group];
    std::size_t end = first;
    for (; end < links_.size() && links_[end].group == group; ++end) {
      const Link& link = links_[end];
      const T sent = after[link.direction][link.lane], other = after[core::opposite(link.direction)][link.lane];
      const T returned = core::returned_by_body(before.even[end - first], (sent + other) * T(0.5), link.part,
                                                before.density[end - first], link.drive) +
                         supply * link.weight;
      exchanged_[link.number] = {static_cast<double>(sent), static_cast<double>(returned)};
    }
    for (std::size_t k = first; k < end; ++k)
      out[links_[k].direction][links_[k].lane] = static_cast<T>(exchanged_[links_[k].number].returned);
  }

 private:
  static constexpr std::uint32_t none = 0xffffffffu;
  struct Link {
    std::uint32_t group, number;  ///< number: in MovingBodies::links()
    std::uint8_t lane, direction;
    T part, drive;  ///< core::returned_by_body
    T weight;       ///< of the direction
  };
  std::vector<std::uint32_t> first_;  ///< [group], its first link; empty without bodies
  std::vector<Link> links_;           ///< by groups
  std::vector<Link> unsorted_;        ///< the same, as they come
  std::vector<std::uint32_t> met_;    ///< groups with links
  double weight_ = 0;
  std::vector<ExchangedOverLink> exchanged_, last_;  ///< [MovingBodies::links()] of this step, and of the last one
};

}  // namespace fluvia::cpu
