// SPDX-License-Identifier: Apache-2.0
// What synthetic turbulence (random_field.hpp) adds to the velocities of the links of an opening. It lets nothing in:
// of the component along the normal the mean over the opening is taken away. Values follow from the seed, the places of
// the links and the time alone, so that they are the same in parts of a domain and after a restart.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "fluvia/case/case.hpp"
#include "fluvia/geometry/geometry.hpp"
#include "fluvia/units/units.hpp"

namespace fluvia {

class TurbulentInflow {
 public:
  /// Turbulence is made anew each time the mean flow has gone so far, and changes linearly in between; nodes.
  static constexpr double distance_of_frames = 0.5;
  static constexpr int least_length = 4;  ///< nodes in the integral length

  /// Velocities at two distances that the mean flow has gone.
  struct Frames {
    std::int64_t first = -1;  ///< number of `at[0]`; -1: none yet
    std::vector<Real3> at[2];
  };

  /// None.
  TurbulentInflow() = default;
  /// `mean`: velocity through the opening, lattice units, into the fluid; `points` and `rates` of its links on this
  /// level: where they act, nodes of the level, and what velocities of 1 along each axis let in. Throws Error(input)
  /// where the mean flow does not go into the fluid or the length is too short.
  TurbulentInflow(const Case::Boundary& b, const Units& units, const Geometry& geometry, const Opening& opening,
                  const Real3& mean, const std::vector<Real3>& points, std::vector<Real3> rates);
  [[nodiscard]] bool empty() const { return links_.empty(); }
  [[nodiscard]] const std::vector<Real3>& rates() const { return rates_; }
  /// Adds to the velocities of the links those of a time, in case units. `frames` of earlier calls, or new ones.
  void add(double time, Frames& frames, std::vector<Real3>& velocities) const;
  /// One line for `fluvia plan`.
  [[nodiscard]] std::string description() const;
  /// Times over which the turbulence passes its own length sixteen times.
  [[nodiscard]] std::vector<double> times() const;
  /// Bytes of each link, nearly.
  static std::uint64_t bytes_per_link(int dimension);

 private:
  void fill(std::int64_t number, std::vector<Real3>& velocities) const;

  std::vector<std::uint32_t> links_;  ///< [link], its point
  std::vector<Real3> rates_;          ///< [link]
  Real3 inwards_{};
  std::size_t points_ = 0;
  std::vector<double> along_;                         ///< [group], wave number along the mean flow
  std::shared_ptr<const std::vector<float>> shapes_;  ///< [block of points][group][cosine, sine][axis][point in it]
  std::vector<double> surplus_;                       ///< [group][cosine, sine], normal speed that is taken away
  double scale_ = 0;                                  ///< of the shapes
  double speed_ = 0;                                  ///< of the mean flow, nodes per unit of time
  double intensity_ = 0, length_ = 0;
};

}  // namespace fluvia
