// SPDX-License-Identifier: Apache-2.0
// What a part of two neighbouring levels does of what passes between them (docs/decisions/0058): all that arrives at
// its own nodes, by the lists of the whole, of values that it has and of values that other parts send. Each sum is made
// by one part, in the order of the whole, so that its bits do not depend on the cuts.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "fluvia/domain/levels/level_links.hpp"

namespace fluvia::domain {

/// Values of places of a level, which part by part are handed over to those parts that need them. Places are numbers in
/// the list of the part that has the messages; those that arrive from a part follow each other.
struct PlaceMessages {
  struct With {
    int part;
    std::vector<std::uint32_t> leaving, arriving;  ///< the other part has the same places in the same order
  };
  std::vector<With> parts;  ///< by number; those with messages either way
};

/// The share of a part. Its lists begin with places that it owns, in the order of the whole list; places that others
/// own, whose values it gets or whose sums it makes besides, follow part by part.
struct LevelShare {
  LevelLinks links;
  std::size_t own_reads = 0, own_writes = 0, own_places = 0;  ///< of coarse_reads, coarse_writes, fine_places
  PlaceMessages coarse;                                       ///< coarse_reads, after a coarse step
  PlaceMessages fine;                                         ///< fine_places, after each fine step
  std::vector<LevelShare> scalars{};                          ///< the same of LevelLinks::scalars

  [[nodiscard]] int scalar_count() const { return static_cast<int>(scalars.size()); }
  /// That of a scalar, by its number, or of the flow (Neighbour::of_flow).
  [[nodiscard]] const LevelShare& of(int scalar) const {
    return scalar == Neighbour::of_flow ? *this : scalars[static_cast<std::size_t>(scalar)];
  }
};

/// Which parts of two levels own which tiles, as cut_tiles() says.
struct LevelCuts {
  std::vector<std::uint64_t> coarse, fine;
  [[nodiscard]] int parts() const { return static_cast<int>(coarse.size()) - 1; }
};

/// The shares of some of the parts in what passes between two levels; of a single part, all of it.
std::vector<LevelShare> shares_of(const LevelLinks& all, const LevelCuts& cuts, const std::vector<int>& parts);
inline LevelShare share_of(const LevelLinks& all, const LevelCuts& cuts, int part) {
  return std::move(shares_of(all, cuts, {part}).front());
}

/// The lists of what a block exchanges with a level, of the lists of its part: Block::neighbours, behind those of its
/// own level.
void add_level_neighbours(const LevelShare& share, Block& coarse, Block& fine);

/// Likewise of the values that it hands over to other parts, for blocks that pack these as they pack halos. Where
/// values of others arrive is no matter of blocks.
void add_value_neighbours(const LevelShare& share, Block& coarse, Block& fine);

/// Carries values of places from the parts that own them to those that need them.
class ValueExchange {
 public:
  ValueExchange() = default;
  ValueExchange(const ValueExchange&) = delete;
  ValueExchange& operator=(const ValueExchange&) = delete;
  virtual ~ValueExchange() = default;
  /// `values`: by place, of each part in this process. Own ones stay as they are until wait() has returned.
  virtual void start(std::span<const std::span<double>> values) = 0;
  /// Sets those of `values`, the same as before, that other parts own.
  virtual void wait(std::span<const std::span<double>> values) = 0;
};

/// Between parts that are all in this process; `messages`: of each.
class MemoryValues final : public ValueExchange {
 public:
  explicit MemoryValues(std::vector<PlaceMessages> messages) : messages_(std::move(messages)) {}
  void start(std::span<const std::span<double>>) override {}
  void wait(std::span<const std::span<double>> values) override;

 private:
  std::vector<PlaceMessages> messages_;
};

}  // namespace fluvia::domain
