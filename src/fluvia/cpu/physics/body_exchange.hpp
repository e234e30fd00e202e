// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "fluvia/core/boundary/moving_body.hpp"
#include "fluvia/cpu/storage/step_access.hpp"
#include "fluvia/solver/bodies/moving_bodies.hpp"

namespace fluvia::cpu {

/// The links that bodies cut in a step, by groups and lanes, and what goes over them.
template <class T>
class BodyExchange {
 public:
  /// Deviations of what left a node towards a body in a step, and of what comes back.
  struct Exchanged {
    double sent = 0, returned = 0;
  };

  /// Whether some nodes of the group have links to bodies in the step to come.
  [[nodiscard]] bool acts_on(std::uint64_t group) const { return !first_.empty() && first_[group] != none; }
  /// Goes on to the next step with the same links.
  void keep() {
    std::swap(exchanged_, last_);
    exchanged_.assign(links_.size(), {});
  }
  /// Takes the links of the step to come. `storage_index_of(node)`: group * group_lanes + lane.
  template <class StorageIndexOf>
  void take(const std::vector<BodyLink>& links, std::uint64_t groups, const StepAccess& lattice,
            const std::vector<double>& weights, const StorageIndexOf& storage_index_of) {
    first_.resize(groups, none);
    for (const Link& link : links_) first_[link.group] = none;
    links_.clear();
    for (std::size_t k = 0; k < links.size(); ++k) {
      const BodyLink& link = links[k];
      const std::uint64_t index = storage_index_of(link.node);
      const signed char* const c = lattice.c[link.direction];
      const double along = c[0] * link.velocity[0] + c[1] * link.velocity[1] + c[2] * link.velocity[2];
      links_.push_back({static_cast<std::uint32_t>(index / group_lanes), static_cast<std::uint32_t>(k),
                        static_cast<std::uint8_t>(index % group_lanes), link.direction, static_cast<T>(link.part),
                        static_cast<T>(3 * weights[link.direction] * along), static_cast<T>(weights[link.direction])});
    }
    if (weight_ == 0)
      for (const Link& link : links_) weight_ += 2 * static_cast<double>(link.weight);
    std::stable_sort(links_.begin(), links_.end(), [](const Link& a, const Link& b) {
      return a.group != b.group ? a.group < b.group : a.lane < b.lane;
    });
    for (std::size_t k = links_.size(); k-- > 0;) first_[links_[k].group] = static_cast<std::uint32_t>(k);
    keep();
  }
  /// Forgets what was exchanged.
  void forget() { last_.clear(), exchanged_.clear(); }
  /// What went over each of MovingBodies::last_links().
  [[nodiscard]] const std::vector<Exchanged>& last() const { return last_; }

  /// WallMassCorrection::weight of all links when they were first taken, as a solver is made: about that of all steps,
  /// and the same after a restart.
  [[nodiscard]] double weight() const { return weight_; }
  /// Replaces what a group sends to bodies by what comes back, which has yet to be brought to its place. `before`,
  /// `after`: populations around the collision, [direction][lane]; `supply`: what each link gives, in parts of its
  /// weight (core::WallBlocks::supply).
  void give_back(std::uint64_t group, int directions, T supply, const T* before, const T* after, T* const* out) {
    for (std::size_t k = first_[group]; k < links_.size() && links_[k].group == group; ++k) {
      const Link& link = links_[k];
      const T *const f = before + link.lane, *const collided = after + link.lane;
      T density(0);
      for (int i = 0; i < directions; ++i) density += f[i * group_lanes];
      const int there = link.direction * group_lanes, back = core::opposite(link.direction) * group_lanes;
      const T returned =
          core::returned_by_body((f[there] + f[back]) * T(0.5), (collided[there] + collided[back]) * T(0.5), link.part,
                                 T(1) + density, link.drive) +
          supply * link.weight;
      out[link.direction][link.lane] = returned;
      exchanged_[link.number] = {static_cast<double>(collided[there]), static_cast<double>(returned)};
    }
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
  std::vector<Link> links_;           ///< by groups, then lanes
  double weight_ = 0;
  std::vector<Exchanged> exchanged_, last_;  ///< [MovingBodies::links()] of this step, and of the last one
};

}  // namespace fluvia::cpu
