// SPDX-License-Identifier: Apache-2.0
// Synthetic turbulence: a velocity field of random Fourier modes, isotropic and free of divergence, with the spectrum
// of von Karman, which a mean flow carries along as it is (R. H. Kraichnan, Phys. Fluids 13 (1970) 22; T. Saad et al.,
// AIAA J. 55 (2017) 327). Modes of a group have the same wave number along the mean flow, and so the same frequency for
// one who stands still. What a point sees is then a sum over the groups of two vectors that do not change, one times a
// cosine and one times a sine of the time, however many modes there are.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "fluvia/base/vector.hpp"

namespace fluvia {

class RandomField {
 public:
  static constexpr int groups = 32;
  static constexpr int modes_of_group = 24;

  /// What the field is to be; lengths in nodes.
  struct Input {
    int dimension = 3;
    Real3 along{1, 0, 0};  ///< unit vector of the mean flow
    double deviation = 0;  ///< root mean square of a component, over all phases
    double length = 0;  ///< integral of the correlation of the velocity along a line with itself at a distance along it
    double shortest = 4;  ///< of the waves that there are
    Real3 period{};       ///< [axis], after which the field repeats across the mean flow; 0: nowhere
    std::uint64_t seed = 1;
  };
  /// amplitude cos(wave . x - along_of(group) distance + phase); the amplitude is perpendicular to the wave.
  struct Mode {
    Real3 wave, amplitude;
    double phase;
  };
  /// The vectors of a group at a point.
  struct Shape {
    Real3 cosine, sine;
  };

  explicit RandomField(const Input& input);
  [[nodiscard]] int group_count() const { return static_cast<int>(along_.size()); }
  /// Wave number of a group along the mean flow, above 0 and increasing.
  [[nodiscard]] double along_of(int group) const { return along_[static_cast<std::size_t>(group)]; }
  [[nodiscard]] const std::vector<Mode>& modes_of(int group) const { return modes_[static_cast<std::size_t>(group)]; }
  [[nodiscard]] Shape shape(int group, const Real3& point) const;
  /// Velocity at a point after the mean flow has gone so far.
  [[nodiscard]] Real3 velocity(const Real3& point, double distance) const;

 private:
  std::vector<double> along_;             ///< [group]
  std::vector<std::vector<Mode>> modes_;  ///< [group]
};

/// Wave number, times `length`, at which von Karman's spectrum k^4 / (1 + (k/k_e)^2)^(17/6), cut off at `cutoff`, has
/// its k_e, so that the integral length is `length`; `cutoff` is over that, too.
double von_karman_scale(int dimension, double cutoff);

}  // namespace fluvia
