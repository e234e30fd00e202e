// SPDX-License-Identifier: Apache-2.0
// What passes between nodes of different materials, or whose cells differ in volume (docs/decisions/0059, 0062, 0066).
#pragma once
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "fluvia/core/scalar/conditions.hpp"
#include "fluvia/cpu/flush_denormals.hpp"
#include "fluvia/solver/scalars/scalar_links.hpp"
#include "fluvia/solver/scalars/scalar_sums.hpp"

namespace fluvia::cpu {

/// A step of the populations of a scalar: those that arrived, and those that a step writes; by elements of memory.
template <class T>
struct ScalarCopies {
  const T* arrived;
  T* next;
  const T* source;  ///< by storage index, of the step; null: none
};

template <class Lattice, class T>
class ScalarJoints {
 public:
  ScalarJoints() = default;
  /// With elements of memory for places, of which so many are one direction. `rates`: by material.
  ScalarJoints(std::vector<ScalarJoint> joints, std::uint64_t size, std::vector<core::ScalarRates<T>> rates)
      : all_(std::move(joints)), passed_(all_.size(), T(0)), size_(size), rates_(std::move(rates)) {}

  [[nodiscard]] std::size_t count() const { return all_.size(); }
  void restart() { passed_.assign(all_.size(), T(0)); }

  /// After all nodes were stepped, what passes through a joint; of one with the fluid of another block what the solid
  /// says of it. Thread-safe for different ones.
  void step(std::size_t k, const ScalarCopies<T>& of) {
    const ScalarJoint& joint = all_[k];
    T& second = of.next[joint.back[1]];
    if (joint.is_elsewhere) return say(end_of(joint, 1, of), joint.says + ScalarJoint::said, of);
    T& one = of.next[joint.back[0]];
    const T before = one;
    const T shift = joint.distance == 0.5 ? T(0) : core::joint_shift(end_of(joint, 0, of), end_of(joint, 1, of));
    pass(joint, one, second, shift);
    passed_[k] = one - before;
  }

  /// Before that, when all groups of the border were stepped: puts what the fluid says of its joints with solids to
  /// where messages take it.
  void tell(const ScalarCopies<T>& of) const {
    const FlushDenormals flush;
    for (const ScalarJoint& joint : all_) {
      if (joint.says == ScalarJoint::nothing || joint.is_elsewhere) continue;
      of.next[joint.says] = of.next[joint.back[0]];
      say(end_of(joint, 0, of), joint.says + 1, of);
    }
  }

  /// When the message of the block that has the fluid of a joint has come: what passes to the solid, as that block has
  /// it. `now`: what the step has written.
  void pass_to_solid(std::size_t k, T* now) {
    const FlushDenormals flush;
    const ScalarJoint& joint = all_[k];
    const auto said = [&](std::uint32_t place, std::size_t end) {
      return core::ScalarEnd<T>{now[place], now[place + 1], rates_[joint.material[end]].minus, before_of(joint, end)};
    };
    T one = now[joint.says];
    const T before = one;
    const T shift = joint.distance == 0.5
                        ? T(0)
                        : core::joint_shift(said(joint.says + 1, 0), said(joint.says + ScalarJoint::said, 1));
    pass(joint, one, now[joint.back[1]], shift);
    passed_[k] = one - before;
  }

  /// What came from solids into the fluid through a surface in the last step.
  [[nodiscard]] ScalarPassage passage(int surface) const {
    ScalarPassage passage;
    for (std::size_t k = 0; k < all_.size(); ++k) {
      if (all_[k].surface != surface) continue;
      passage.rate += passed_[k];
      passage.area += all_[k].area;
    }
    return passage;
  }

 private:
  static void pass(const ScalarJoint& joint, T& one, T& second, T shift) {
    core::pass_between(one, second, static_cast<T>(joint.capacity[0]), static_cast<T>(joint.capacity[1]),
                       static_cast<T>(joint.part), shift);
  }
  static void say(const core::ScalarEnd<T>& end, std::uint32_t place, const ScalarCopies<T>& of) {
    of.next[place] = end.even;
    of.next[place + 1] = end.slope;
  }
  [[nodiscard]] static T before_of(const ScalarJoint& joint, std::size_t end) {
    return static_cast<T>(end == 0 ? joint.distance : 1 - joint.distance);
  }
  /// What the node at an end of a joint says, and what it sends there in this step.
  [[nodiscard]] core::ScalarEnd<T> end_of(const ScalarJoint& joint, std::size_t end, const ScalarCopies<T>& of) const {
    const std::uint64_t place = joint.back[end], index = place % size_;
    const auto back = static_cast<int>(place / size_), out = core::opposite(back);
    T g[Lattice::Q];
    for (int i = 0; i < Lattice::Q; ++i) g[i] = of.arrived[static_cast<std::uint64_t>(i) * size_ + index];
    const T source = of.source == nullptr ? T(0) : of.source[index];
    return core::scalar_end(core::scalar_direction<Lattice, T>(out).weight, g[out], of.arrived[place], of.next[place],
                            core::scalar_of<Lattice>(g, 1, source), source, rates_[joint.material[end]],
                            before_of(joint, end));
  }

  std::vector<ScalarJoint> all_;
  std::vector<T> passed_;  ///< what the first node of each got in the last step
  std::uint64_t size_ = 0;
  std::vector<core::ScalarRates<T>> rates_;
};

}  // namespace fluvia::cpu
