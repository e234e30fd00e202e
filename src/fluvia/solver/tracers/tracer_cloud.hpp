// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "fluvia/base/numbers/draws.hpp"
#include "fluvia/solver/tracers/emitter.hpp"
#include "fluvia/solver/tracers/near_velocities.hpp"
#include "fluvia/solver/tracers/node_cells.hpp"

namespace fluvia {

/// A point that goes with the flow: places in nodes from the corner of the box, times in steps.
struct TracerPoint {
  std::uint64_t id = 0;  ///< 0, 1, ... in the order in which the points of a tracer appear
  double born = 0;       ///< when it appeared
  Real3 place{};
  Real3 velocity{};   ///< of the fluid there, by which it goes on
  int stuck_to = -1;  ///< the surface that holds it; -1: none, it moves
};

/// A point that has left through an opening.
struct TracerDeparture {
  std::uint64_t id = 0;
  double time = 0, born = 0;
  Real3 place{};
  int surface = 0;  ///< of the opening
};

/// The points of one [[tracer]], which move every few steps of the flow: by the method of Heun, of second order in
/// space and time, with the velocities at the old place then and at the new one now. Their random walk takes, along
/// each axis, numbers that are even between +-sqrt(6 D t), whose variance is 2 D t. Faces of the box and surfaces in it
/// mirror what would enter them. The same bits for any number of threads.
class TracerCloud {
 public:
  /// `cells` must outlive it. Throws Error(input) as Emitter does, and for moves of a random walk of more than half a
  /// node.
  TracerCloud(const Problem& problem, const NodeCells& cells, std::size_t number);

  /// Asks for the velocities that the next call of advance() and begin() takes.
  void want(NearVelocities& near, std::int64_t step) const;
  /// Points that appear at the first step of a run.
  void begin(std::int64_t step, std::span<const Real3> velocities);
  /// Whether points move at a step.
  [[nodiscard]] bool due(std::int64_t step) const { return step % every_ == 0; }
  /// The step at which they are.
  [[nodiscard]] std::int64_t step() const { return at_; }
  /// Moves all points to the time of `step` and adds those that appear now.
  void advance(std::int64_t step, std::span<const Real3> velocities);

  [[nodiscard]] const std::vector<TracerPoint>& points() const { return points_; }
  /// Those that have left, in the order in which they did.
  [[nodiscard]] const std::vector<TracerDeparture>& departures() const { return departures_; }
  /// Points that have appeared.
  [[nodiscard]] std::uint64_t appeared() const { return appeared_; }
  /// Points that stick to a surface.
  [[nodiscard]] std::uint64_t stuck_to(int surface) const;
  [[nodiscard]] std::uint64_t moving() const;
  /// Points that have left through the opening with this surface.
  [[nodiscard]] std::uint64_t left_by(int surface) const;

  /// All that it has to know to go on, as numbers, and back. Returns false, and changes nothing, for numbers that
  /// state() has not written.
  [[nodiscard]] std::vector<double> state() const;
  bool restore(std::span<const double> state);

 private:
  void emit(std::int64_t step, std::span<const Real3> velocities);
  /// The end of a way of a point, and what becomes of it there.
  struct Landing {
    Real3 place{};
    int opening = -1;  ///< the surface through which it leaves
    int stuck_to = -1;
    double part = 1;  ///< of the way at which it leaves
  };
  [[nodiscard]] Landing land(const Real3& from, Real3 to) const;
  [[nodiscard]] bool meet_faces(const Real3& from, Landing& landing) const;
  [[nodiscard]] bool meet_walls(const Real3& from, Landing& landing) const;
  [[nodiscard]] double reach_of(int surface) const { return sticks_[static_cast<std::size_t>(surface)] ? radius_ : 0; }
  void wrap(Real3& place) const;
  [[nodiscard]] Landing move(const TracerPoint& point, std::int64_t step, std::span<const Real3> velocities) const;

  const NodeCells& cells_;
  Emitter emitter_;
  Draws draws_;
  double walk_ = 0;  ///< largest part of the random walk in a step along an axis, nodes; that of n is sqrt(n) larger
  std::int64_t every_ = 1, at_ = 0;
  std::vector<char> sticks_;  ///< for each surface
  double radius_ = 0;         ///< distance at which a point touches what it sticks to, nodes
  std::vector<TracerPoint> points_;
  std::vector<TracerDeparture> departures_;
  std::uint64_t appeared_ = 0;
};

}  // namespace fluvia
