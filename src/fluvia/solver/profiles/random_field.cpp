// SPDX-License-Identifier: Apache-2.0
#include "fluvia/solver/profiles/random_field.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "fluvia/base/numbers/draws.hpp"

namespace fluvia {

namespace {

constexpr double pi = std::numbers::pi;
constexpr double smallest_wave = 1e-3;  ///< over k_e; there is next to nothing below
constexpr int cells_of_table = 400;
/// Multiples of both, without their whole parts, fill a square evenly: M. Roberts' R2 sequence, powers of the root of
/// x^3 = x + 1.
constexpr std::array<double, 2> evenly = {0.7548776662466927, 0.5698402909980532};

double fraction(double x) {
  return x - std::floor(x);
}

/// von Karman's spectrum over the wave number in k_e, up to a factor.
double spectrum(double k) {
  return std::pow(k, 4) / std::pow(1 + k * k, 17.0 / 6);
}

/// A density over cells from 0 on, whose edges grow by the same factor up to `end`.
class ShareOfWaves {
 public:
  template <class Density>
  ShareOfWaves(double end, const Density& density) {
    const double first = std::min(smallest_wave, 0.5 * end);
    for (int i = 0; i <= cells_of_table; ++i) {
      edges_.push_back(i == 0 ? 0 : first * std::pow(end / first, (i - 1.0) / (cells_of_table - 1)));
      if (i == 0) continue;
      const double middle = 0.5 * (edges_[i - 1u] + edges_.back());
      sums_.push_back(sums_.back() + density(middle) * (edges_.back() - edges_[i - 1u]));
    }
  }
  [[nodiscard]] double sum() const { return sums_.back(); }
  /// Below it lies the share `part` of everything.
  [[nodiscard]] double quantile(double part) const {
    const double wanted = part * sums_.back();
    const auto above = std::upper_bound(sums_.begin() + 1, sums_.end() - 1, wanted);
    const auto i = static_cast<std::size_t>(above - sums_.begin());
    return edges_[i - 1] + (edges_[i] - edges_[i - 1]) * (wanted - sums_[i - 1]) / (sums_[i] - sums_[i - 1]);
  }

 private:
  std::vector<double> edges_, sums_{0};
};

/// Energy of waves by their wave numbers along a direction (p) and across it (q), over k_e.
double density(int dimension, double p, double q) {
  const double k = std::hypot(p, q);
  return spectrum(k) * (dimension == 3 ? q / (k * k) : 1 / k);
}

/// Those across, for one along.
ShareOfWaves across(int dimension, double p, double cutoff) {
  return {std::sqrt(cutoff * cutoff - p * p), [=](double q) { return density(dimension, p, q); }};
}

/// Two unit vectors across another one. If that lies in the plane x, y, so does the first.
std::array<Real3, 2> vectors_across(const Real3& along) {
  std::size_t nearest = 0;
  for (std::size_t a = 1; a < 3; ++a)
    if (std::abs(along[a]) > std::abs(along[nearest])) nearest = a;
  const std::size_t other = nearest == 0 ? 1 : 0;
  Real3 first{};
  first[nearest] = -along[other];
  first[other] = along[nearest];
  first = (1 / norm(first)) * first;
  return {first, cross(along, first)};
}

/// Makes components of a wave multiples of what fits into the box, up or down by chance, so that the mean stays.
Real3 fitted(Real3 wave, const Real3& along, const Real3& period, const std::array<double, 2>& chance) {
  std::size_t drawn = 0;
  for (std::size_t a = 0; a < 3; ++a) {
    if (period[a] == 0 || along[a] != 0) continue;
    const double step = 2 * pi / period[a];
    wave[a] = step * std::floor(wave[a] / step + chance[drawn++]);
  }
  return wave;
}

/// A unit vector perpendicular to a wave, turned about it by an angle; in 2D there is one.
Real3 polarisation(int dimension, const Real3& wave, double angle) {
  const Real3 unit = (1 / norm(wave)) * wave;
  if (dimension == 2) return {-unit[1], unit[0], 0};
  const std::array<Real3, 2> plane = vectors_across(unit);
  return std::cos(angle) * plane[0] + std::sin(angle) * plane[1];
}

}  // namespace

double von_karman_scale(int dimension, double cutoff) {
  // The integral length is pi/2 times what waves across the line have, over the mean square of a component.
  const double factor = dimension == 3 ? 0.75 * pi : 2;
  const auto length = [&](double scale) {
    const double end = cutoff / scale;
    const ShareOfWaves energy(end, spectrum), by_wave(end, [](double k) { return spectrum(k) / k; });
    return factor * by_wave.sum() / energy.sum() / scale;
  };
  double low = 0.01, high = 10;
  constexpr int halvings = 60;
  for (int i = 0; i < halvings; ++i) {
    const double middle = std::sqrt(low * high);
    (length(middle) > 1 ? low : high) = middle;
  }
  return low;
}

RandomField::RandomField(const Input& in) {
  const double longest = 2 * pi / in.shortest, scale = von_karman_scale(in.dimension, longest * in.length) / in.length;
  const double cutoff = longest / scale;
  const ShareOfWaves by_along(cutoff, [&](double p) { return across(in.dimension, p, cutoff).sum(); });
  const std::array<Real3, 2> plane = vectors_across(in.along);
  const Draws draws(in.seed);
  const double amplitude = in.deviation * std::sqrt(2.0 * in.dimension / (groups * modes_of_group));
  for (int g = 0; g < groups; ++g) {
    const auto draw = [&](int mode, int number) {
      return draws(static_cast<std::uint64_t>(g), static_cast<std::uint64_t>(mode), static_cast<std::uint64_t>(number));
    };
    // Away from the ends of its share: no group stands still, none beats slowly with the next one.
    const double p = by_along.quantile((g + 0.25 + 0.5 * draw(0, 0)) / groups);
    along_.push_back(scale * p);
    const ShareOfWaves of_across = across(in.dimension, p, cutoff);
    std::vector<Mode>& modes = modes_.emplace_back();
    const double first_azimuth = draw(0, 2), first_turn = draw(0, 5);
    for (int m = 0; m < modes_of_group; ++m) {
      const double q = scale * of_across.quantile((m + draw(m, 1)) / modes_of_group);
      const double azimuth = 2 * pi * fraction(first_azimuth + m * evenly[0]);
      const Real3 beside = in.dimension == 2 ? (azimuth < pi ? q : -q) * plane[0]
                                             : q * std::cos(azimuth) * plane[0] + q * std::sin(azimuth) * plane[1];
      const Real3 wave = fitted(along_.back() * in.along + beside, in.along, in.period, {draw(m, 3), draw(m, 4)});
      modes.push_back({wave, amplitude * polarisation(in.dimension, wave, 2 * pi * (first_turn + m * evenly[1])),
                       2 * pi * draw(m, 6)});
    }
  }
}

RandomField::Shape RandomField::shape(int group, const Real3& point) const {
  Shape shape{};
  for (const Mode& mode : modes_of(group)) {
    const double phase = dot(mode.wave, point) + mode.phase;
    shape.cosine = shape.cosine + std::cos(phase) * mode.amplitude;
    shape.sine = shape.sine + std::sin(phase) * mode.amplitude;
  }
  return shape;
}

Real3 RandomField::velocity(const Real3& point, double distance) const {
  Real3 sum{};
  for (int g = 0; g < group_count(); ++g) {
    const Shape at = shape(g, point);
    const double phase = along_of(g) * distance;
    sum = sum + std::cos(phase) * at.cosine + std::sin(phase) * at.sine;
  }
  return sum;
}

}  // namespace fluvia
