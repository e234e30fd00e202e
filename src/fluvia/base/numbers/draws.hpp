// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace fluvia {

/// Random numbers that follow from what they are for and not from the order in which they are drawn: the same for any
/// number of threads, and after a restart.
class Draws {
 public:
  /// `stream`: what tells emitters apart.
  explicit Draws(std::uint64_t stream) : stream_(stream) {}
  /// The number of a draw for a point at a step, evenly in [0, 1) with 53 bits. Numbers with different arguments have
  /// nothing to do with each other.
  [[nodiscard]] double operator()(std::uint64_t point, std::uint64_t step, std::uint64_t draw) const {
    const std::uint64_t bits = mix(mix(mix(mix(stream_) ^ point) ^ step) ^ draw);
    return static_cast<double>(bits >> 11) * 0x1p-53;
  }

 private:
  /// The finaliser of SplitMix64 (Steele, Lea & Flood, OOPSLA 2014) after its increment.
  static std::uint64_t mix(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
  }
  std::uint64_t stream_;
};

}  // namespace fluvia
