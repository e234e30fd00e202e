// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "fluvia/base/bytes.hpp"
#include "fluvia/solver/blocks/block.hpp"
#include "fluvia/solver/solver.hpp"

namespace fluvia {

class LinkTable;

/// The solver of one block. It speaks of nodes, tiles and surfaces of the whole domain, whose geometry() it has,
/// but knows the populations of its own nodes only: others are missing in what it gives. It takes those of own nodes
/// and of its halo, as far as it steps these, and ignores others; then it needs nothing from neighbours before the
/// first steps.
class BlockSolver : public Solver {
 public:
  [[nodiscard]] virtual const Block& block() const = 0;

  /// How many of the steps that are wanted are taken at once: in a pass, between this exchange and the next.
  [[nodiscard]] virtual int next_steps(std::int64_t wanted) const {
    const int most = block().neighbours.empty() ? plan().steps_per_pass : block().steps;
    return static_cast<int>(std::min<std::int64_t>(wanted, most));
  }
  /// What boundaries have in each of the next steps, which are next_steps(...); the last ones stay.
  virtual void set_values_ahead(std::span<const BoundaryValues> values) = 0;
  void step_with(std::span<const BoundaryValues> values) override {
    while (!values.empty()) {
      const auto steps = static_cast<std::size_t>(next_steps(static_cast<std::int64_t>(values.size())));
      set_values_ahead(values.first(steps));
      step(static_cast<std::int64_t>(steps));
      values = values.subspan(steps);
    }
  }
  /// next_steps(...) steps, in two halves. After the first, everything that leaves to neighbours can
  /// be packed; after the second, what arrives must be unpacked before anything else is asked.
  virtual void step_border(int steps) = 0;
  virtual void step_interior(int steps) = 0;
  /// Rounds in which all parts of a domain tell each other what neighbours do not know, after each step, when what
  /// crosses has been unpacked: as many for all parts.
  [[nodiscard]] virtual int rounds() const { return 0; }
  /// In a round each part says something, and then hears what all have said, in the order of their numbers.
  virtual Bytes say(int round);
  virtual void hear(int round, std::span<const Bytes> said);
  /// The rounds of a part that is the whole domain.
  void talk_alone() {
    for (int round = 0; round < rounds(); ++round) {
      const Bytes said = say(round);
      hear(round, {&said, 1});
    }
  }
  /// After steps, before anything else is asked: waits for those that go on after their functions returned.
  virtual void finish() const {}
  /// Bytes of the messages to and from a neighbour.
  struct MessageBytes {
    std::size_t leaving, arriving;
  };
  /// Those of Block::neighbours[neighbour], whatever the number of steps. Between levels on CPUs messages are
  /// deviations f_i - w_i in fp64.
  [[nodiscard]] virtual MessageBytes message_bytes(std::size_t neighbour) const = 0;
  virtual void pack(std::size_t neighbour, std::byte* out) = 0;
  virtual void unpack(std::size_t neighbour, const std::byte* in) = 0;
  /// Between levels on CPUs, where what leaves lies where something arrives (Neighbour's lists are equal): packs the
  /// message and puts numbers[chosen[k]] in place of its number k at once, unless chosen[k] is `stays`.
  static constexpr std::uint32_t stays = 0xffffffffu;
  virtual void exchange(std::size_t neighbour, std::span<double> leaving, std::span<const double> numbers,
                        std::span<const std::uint32_t> chosen);
  /// What exchange() would do after one of the steps of a pass.
  struct ExchangeInPass {
    std::span<double> leaving;
    std::span<const std::uint32_t> chosen;
  };
  /// Between levels on CPUs: the steps that are taken next are one pass, of as many steps as `steps` has, which does
  /// after each of them what exchange() would do. Numbers of the message that lie where no cut link is read are there
  /// after the last step only. What is given must stay until then.
  virtual void exchange_in_pass(std::size_t neighbour, std::span<const double> numbers,
                                std::span<const ExchangeInPass> steps);
  /// Between levels on CPUs: puts a number in place of one of those that unpack() puts.
  virtual void unpack_number(std::size_t neighbour, std::uint32_t at, double number);

  /// The share of this part in an observable of the whole domain.
  [[nodiscard]] virtual ObservableSums sums_of(const Observable& what) const = 0;
  /// What is added to sums over links of a surface of the whole domain; any part knows it.
  struct SurfaceMotion {
    SurfaceForce carried;    ///< BoundarySetup::carried
    double scale = 1;        ///< SurfaceState::scale
    double corner_flow = 0;  ///< of an opening, over its corners with walls that move (CornerFlow)
  };
  [[nodiscard]] virtual SurfaceMotion motion_of(int surface) const = 0;
  /// From now on the flow has the links of a table that was made of its problem; a solver is made with those of
  /// version 0. Between steps, without a snapshot() that is read. What is replaced costs time, not what stays, but for
  /// what is measured on surfaces. Throws Error(input), and nothing changes, where a solver cannot do so.
  virtual void take_links(const LinkTable& table);
  /// The result of the sums of all parts, made by any of them.
  [[nodiscard]] Observation result_of(const Observable& what, const ObservableSums& of_all) const;
  [[nodiscard]] Observation measure(const Observable& what) const final { return result_of(what, sums_of(what)); }
};

}  // namespace fluvia
