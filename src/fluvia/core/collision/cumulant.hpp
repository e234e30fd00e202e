// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/core/collision/parameters.hpp"
#include "fluvia/core/equilibrium/equilibrium.hpp"
#include "fluvia/core/force/guo.hpp"
#include "fluvia/core/lattice/d3q27.hpp"
#include "fluvia/core/math.hpp"

namespace fluvia::core {

/// The rates of a cumulant collision besides omega, from the relaxation time of the whole domain.
struct CumulantRates {
  static constexpr int count = 5;
  /// Third order: of C120 + C102, of C120 - C102, of C111; fourth order: factors A of C220, C202, C022 and B of C211,
  /// C121, C112. The error of the diffusion is then of fourth order (Geier, Pasquali & Schoenherr, J. Comput. Phys. 348
  /// (2017) 862, eqs 14-18 and 112-113). The rate of C120 - C102 is positive for omega > 7/4 only; with more viscosity
  /// all rates are 1 and both factors 0 (AllOne of Geier et al. 2015), for which nothing needs be small.
  double value[count] = {1, 1, 1, 0, 0};
  /// Of those of third order.
  [[nodiscard]] constexpr double slowest() const {
    const double least = value[0] < value[1] ? value[0] : value[1];
    return least < value[2] ? least : value[2];
  }

  explicit constexpr CumulantRates(double omega) {
    if (omega <= 1.75) return;
    const double w = omega, square = w * w, cube = w * w * w;
    value[0] = 8 * (w - 2) * (1 + 2 * w) / (-8 - 14 * w + 7 * square);
    value[1] = 8 * (w - 2) * (-7 + 4 * w) / (56 - 50 * w + 9 * square);
    value[2] = 24 * (w - 2) * (-2 - 7 * w + 3 * square) / (48 + 152 * w - 130 * square + 29 * cube);
    value[3] = (4 + 2 * w - 3 * square) / (2 - 7 * w + 5 * square);
    value[4] = (4 + 28 * w - 14 * square) / (6 - 21 * w + 15 * square);
  }

  /// In two dimensions nothing is left to make the error of fourth order: that of a shear wave k is k^2 nu times
  /// s^2/3 + 1/12 - 2/3 s r along an axis and s^2/3 - s r/6 along a diagonal, where s = 1/omega - 1/2 and r is the same
  /// of the rate of C12 and C21. With s r = 1/6 it is the same in every direction.
  static constexpr CumulantRates planar(double omega) {
    CumulantRates rates(1);
    rates.value[0] = 1 / (0.5 + 1 / (6 * (1 / omega - 0.5)));
    return rates;
  }
};

/// Relaxation of cumulants, the part of each central moment that products of lower ones do not explain: Galilean
/// invariant to the order of the lattice, with an equilibrium of its own, the Maxwellian's cumulants. Geier,
/// Schoenherr, Pasquali & Krafczyk, Comput. Math. Appl. 70 (2015) 507; rates by CumulantRates, limited at large third
/// cumulants with lambda = 0.01 (2017, eqs 116-121). Works on central moments minus those of the weights, so that small
/// deviations keep their digits. A body force turns the sign of the first central moment, -F/2 before and F/2 after.
struct Cumulant {
  static constexpr const char* name = "cumulant";
  template <class Lattice>
  static constexpr bool supports = Lattice::Q == (Lattice::D == 3 ? 27 : 9);
  static constexpr const char* needs = "all velocities of -1, 0 and 1 along each axis";
  static constexpr bool needs_stress = false;
  static constexpr CollisionFacts facts = {.odd_rates = OddRates::own};
  /// Values of CollisionParameters::free_rates for a lattice.
  template <class Lattice>
  static constexpr CumulantRates own_rates(double omega) {
    return Lattice::D == 3 ? CumulantRates(omega) : CumulantRates::planar(omega);
  }

  template <class Lattice, class Equilibrium, bool force, class T>
  static FLUVIA_FUNCTION void relax(T (&f)[Lattice::Q], const Macroscopic<T>& m, const T (&)[6], const T& omega,
                                    const CollisionParameters<Scalar<T>>& parameters) {
    using S = Scalar<T>;
    transform<Lattice, true>(f, m.velocity);
    const T density = m.density_deviation + S(1);
    const T inverse = T(S(1)) / density;
    if constexpr (force) {
      moment<Lattice, 1, 0, 0>(f) += T(parameters.force[0]);
      moment<Lattice, 0, 1, 0>(f) += T(parameters.force[1]);
      if constexpr (Lattice::D == 3) moment<Lattice, 0, 0, 1>(f) += T(parameters.force[2]);
    }
    if constexpr (Lattice::D == 2) {
      relax_planar<Lattice>(f, m, omega, density, inverse, parameters.free_rates[0]);
    } else {
      T fourth[6];  // C220, C022, C202, C112, C211, C121
      relax_stress<Lattice>(f, m, omega, parameters, fourth);
      relax_third<Lattice>(f, density, parameters);
      complete<Lattice>(f, m.density_deviation, inverse, fourth);
    }
    transform<Lattice, false>(f, m.velocity);
  }

 private:
  /// Element of f of the moment of order (a, b, c) along (x, y, z): orders 0, 1, 2 in place of velocities 0, 1, -1.
  template <class Lattice>
  static constexpr int element(int a, int b, int c) {
    return direction_of<Lattice>(a == 2 ? -1 : a, b == 2 ? -1 : b, c == 2 ? -1 : c);
  }
  template <class Lattice, int a, int b, int c, class T>
  static FLUVIA_FUNCTION T& moment(T (&f)[Lattice::Q]) {
    return f[element<Lattice>(a, b, c)];
  }

  /// Populations to central moments, axis by axis, or back; both without what the weights w_i contribute at rest. Geier
  /// et al. 2015, appendix J. `weight`: sum of the weights in a line of three, or what is left of it as a moment.
  template <class Lattice, bool forth, class T>
  static FLUVIA_FUNCTION void transform(T (&f)[Lattice::Q], const T (&u)[3]) {
    unroll<Lattice::D>([&](auto step) {
      constexpr int axis = forth ? step.i : Lattice::D - 1 - step.i;
      constexpr int seconds = Lattice::D == 3 ? 3 : 1;
      unroll<3 * seconds>([&](auto line) {
        constexpr int first = line.i / seconds, second = line.i % seconds;
        // Axes before this one carry orders (0, 1, 2), those behind it velocities (0, 1, -1).
        constexpr double before[3] = {1, 0, 1.0 / 3}, behind[3] = {2.0 / 3, 1.0 / 6, 1.0 / 6};
        constexpr double weight =
            (axis > 0 ? before : behind)[first] * (Lattice::D < 3 ? 1 : (axis > 1 ? before : behind)[second]);
        constexpr int k0 = on_line<Lattice>(axis, first, second, 0), k1 = on_line<Lattice>(axis, first, second, 1),
                      k2 = on_line<Lattice>(axis, first, second, 2);
        const T zeroth = f[k0], plus = f[k1], minus = f[k2];
        if constexpr (forth) {
          const T sum = plus + minus, difference = plus - minus;
          const T total = sum + zeroth, carried = u[axis] * (total + Scalar<T>(weight));
          f[k0] = total;
          f[k1] = difference - carried;
          f[k2] = sum - u[axis] * (difference * Scalar<T>(2) - carried);
        } else {
          const T carried = u[axis] * (zeroth + Scalar<T>(weight));
          const T difference = plus + carried, sum = minus + u[axis] * (plus + difference);
          f[k0] = zeroth - sum;
          f[k1] = (sum + difference) * Scalar<T>(0.5);
          f[k2] = (sum - difference) * Scalar<T>(0.5);
        }
      });
    });
  }
  template <class Lattice>
  static constexpr int on_line(int axis, int first, int second, int k) {
    return axis == 0   ? element<Lattice>(k, first, second)
           : axis == 1 ? element<Lattice>(first, k, second)
                       : element<Lattice>(first, second, k);
  }

  /// Second order: traces with rate 1, the rest with omega, and the terms in u^2 that make the viscosity Galilean
  /// invariant (2015, eqs 58-63). Fourth order from the strain rates (2017, eqs 66-71).
  template <class Lattice, class T>
  static FLUVIA_FUNCTION void relax_stress(T (&f)[Lattice::Q], const Macroscopic<T>& m, const T& omega,
                                           const CollisionParameters<Scalar<T>>& parameters, T (&fourth)[6]) {
    using S = Scalar<T>;
    T &xx = moment<Lattice, 2, 0, 0>(f), &yy = moment<Lattice, 0, 2, 0>(f), &zz = moment<Lattice, 0, 0, 2>(f);
    T &xy = moment<Lattice, 1, 1, 0>(f), &yz = moment<Lattice, 0, 1, 1>(f), &zx = moment<Lattice, 1, 0, 1>(f);
    const T trace = xx + yy + zz, x_y = xx - yy, x_z = xx - zz;
    // density times the velocity's derivatives du/dx, dv/dy, dw/dz
    const T dx = (omega * (x_y + x_z) + trace - m.density_deviation) * S(-0.5);
    const T dy = dx + omega * x_y * S(1.5), dz = dx + omega * x_z * S(1.5);
    const T uu = m.velocity[0] * m.velocity[0], vv = m.velocity[1] * m.velocity[1], ww = m.velocity[2] * m.velocity[2];
    const T keep = T(S(1)) - omega, half = (omega * S(-0.5) + S(1));
    const T new_trace = m.density_deviation - (uu * dx + vv * dy + ww * dz) * S(1.5);
    const T new_x_y = keep * x_y - half * (uu * dx - vv * dy) * S(3);
    const T new_x_z = keep * x_z - half * (uu * dx - ww * dz) * S(3);
    // (1/omega - 1/2) of shear strains, which are -3 omega / density times the moment
    const T a = (T(S(1)) / omega - S(0.5)) * (parameters.free_rates[3] * S(-2.0 / 3));
    const T b = half * parameters.free_rates[4];
    fourth[0] = a * (dx + dy);
    fourth[1] = a * (dy + dz);
    fourth[2] = a * (dx + dz);
    fourth[3] = b * xy;
    fourth[4] = b * yz;
    fourth[5] = b * zx;
    xx = (new_trace + new_x_y + new_x_z) * S(1.0 / 3);
    yy = xx - new_x_y;
    zz = xx - new_x_z;
    xy *= keep;
    yz *= keep;
    zx *= keep;
  }

  /// Part of a cumulant that is left; its rate rises from `rate` to 1 where the cumulant is large beside `limit` =
  /// lambda rho.
  template <class T>
  static FLUVIA_FUNCTION T kept(const T& cumulant, const T& limit, const Scalar<T>& rate) {
    using S = Scalar<T>;
    return cumulant * (limit * (S(1) - rate)) / (limit + magnitude(cumulant));
  }

  template <class Lattice, class T>
  static FLUVIA_FUNCTION void relax_third(T (&f)[Lattice::Q], const T& density,
                                          const CollisionParameters<Scalar<T>>& parameters) {
    using S = Scalar<T>;
    const T limit = density * S(0.01);
    const auto pair = [&](T& first, T& second) {
      const T sum = kept(T(first + second), limit, parameters.free_rates[0]) * S(0.5);
      const T difference = kept(T(first - second), limit, parameters.free_rates[1]) * S(0.5);
      first = sum + difference;
      second = sum - difference;
    };
    pair(moment<Lattice, 1, 2, 0>(f), moment<Lattice, 1, 0, 2>(f));
    pair(moment<Lattice, 2, 1, 0>(f), moment<Lattice, 0, 1, 2>(f));
    pair(moment<Lattice, 2, 0, 1>(f), moment<Lattice, 0, 2, 1>(f));
    T& mixed = moment<Lattice, 1, 1, 1>(f);
    mixed = kept(mixed, limit, parameters.free_rates[2]);
  }

  /// Products of two variances, (xx yy - rho/9 + 2 xy^2) / rho, of variances without the weights' 1/3: without the
  /// digits that those take.
  template <class T>
  static FLUVIA_FUNCTION T variances(const T& p, const T& q, const T& covariance, const T& deviation,
                                     const T& inverse) {
    using S = Scalar<T>;
    return (p * q + (p + q) * S(1.0 / 3) - deviation * S(1.0 / 9) + covariance * covariance * S(2)) * inverse;
  }

  /// The whole collision in two dimensions, where the trace of the stress is 2/3 of the density at rest and C22 is 0.
  template <class Lattice, class T>
  static FLUVIA_FUNCTION void relax_planar(T (&f)[Lattice::Q], const Macroscopic<T>& m, const T& omega,
                                           const T& density, const T& inverse, const Scalar<T>& rate) {
    using S = Scalar<T>;
    T &xx = moment<Lattice, 2, 0, 0>(f), &yy = moment<Lattice, 0, 2, 0>(f), &xy = moment<Lattice, 1, 1, 0>(f);
    T &xxy = moment<Lattice, 2, 1, 0>(f), &xyy = moment<Lattice, 1, 2, 0>(f);
    const T rest = m.density_deviation * S(2.0 / 3), x_y = xx - yy, compression = xx + yy - rest;
    // density times u^2 du/dx and v^2 dv/dy
    const T dx = (compression + omega * x_y) * S(-0.75) * m.velocity[0] * m.velocity[0];
    const T dy = (compression - omega * x_y) * S(-0.75) * m.velocity[1] * m.velocity[1];
    const T keep = T(S(1)) - omega, half = (omega * S(-0.5) + S(1)), limit = density * S(0.01);
    const T new_x_y = keep * x_y - half * (dx - dy) * S(3);
    xx = (rest - (dx + dy) * S(1.5) + new_x_y) * S(0.5);
    yy = xx - new_x_y;
    xy *= keep;
    xxy = kept(xxy, limit, rate);
    xyy = kept(xyy, limit, rate);
    moment<Lattice, 2, 2, 0>(f) = variances(xx, yy, xy, m.density_deviation, inverse);
  }

  /// Central moments of orders four to six from their cumulants, those of orders five and six being 0 (2015, eqs 81-83
  /// with moments on the left).
  template <class Lattice, class T>
  static FLUVIA_FUNCTION void complete(T (&f)[Lattice::Q], const T& deviation, const T& inverse, const T (&fourth)[6]) {
    using S = Scalar<T>;
    const auto at = [&](auto a, auto b, auto c) -> T& { return moment<Lattice, a.i, b.i, c.i>(f); };
    constexpr Index<0> o;
    constexpr Index<1> i;
    constexpr Index<2> d;
    const T third = T(S(1.0 / 3));
    const T dx = at(d, o, o), dy = at(o, d, o), dz = at(o, o, d);  // without the weights' 1/3
    const T xx = dx + third, yy = dy + third, zz = dz + third;
    const T xy = at(i, i, o), yz = at(o, i, i), zx = at(i, o, i), xyz = at(i, i, i);
    const T xyy = at(i, d, o), xzz = at(i, o, d), xxy = at(d, i, o), yzz = at(o, i, d), xxz = at(d, o, i),
            yyz = at(o, d, i);
    at(d, d, o) = fourth[0] + variances(dx, dy, xy, deviation, inverse);
    at(o, d, d) = fourth[1] + variances(dy, dz, yz, deviation, inverse);
    at(d, o, d) = fourth[2] + variances(dx, dz, zx, deviation, inverse);
    at(i, i, d) = fourth[3] + (zz * xy + zx * yz * S(2)) * inverse;
    at(d, i, i) = fourth[4] + (xx * yz + xy * zx * S(2)) * inverse;
    at(i, d, i) = fourth[5] + (yy * zx + xy * yz * S(2)) * inverse;
    at(i, d, d) = (zz * xyy + yy * xzz + (yz * xyz * S(2) + zx * yyz + xy * yzz) * S(2)) * inverse;
    at(d, i, d) = (zz * xxy + xx * yzz + (zx * xyz * S(2) + yz * xxz + xy * xzz) * S(2)) * inverse;
    at(d, d, i) = (yy * xxz + xx * yyz + (xy * xyz * S(2) + yz * xxy + zx * xyy) * S(2)) * inverse;
    const T pairs = xyz * xyz * S(4) + xx * fourth[1] + yy * fourth[2] + zz * fourth[0] +
                    (yz * fourth[4] + zx * fourth[5] + xy * fourth[3]) * S(4) +
                    (xyy * xzz + xxy * yzz + xxz * yyz) * S(2);
    // xx yy zz - rho^2 / 27
    const T cube = dx * dy * dz + (dx * dy + dy * dz + dx * dz) * S(1.0 / 3) + (dx + dy + dz) * S(1.0 / 9) -
                   deviation * (deviation + S(2)) * S(1.0 / 27);
    const T triples = cube + (xx * yz * yz + yy * zx * zx + zz * xy * xy) * S(2) + xy * yz * zx * S(8);
    at(d, d, d) = (pairs + triples * inverse) * inverse;
  }
};

/// The equilibrium of the cumulant collision is its own; to second order that of QuasiCompressible, whose density and
/// stress it shares.
template <>
inline constexpr bool accepts<Cumulant, Incompressible> = false;

}  // namespace fluvia::core
