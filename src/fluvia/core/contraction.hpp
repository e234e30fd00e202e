// SPDX-License-Identifier: Apache-2.0
// Numbers that round by a rule of this file, not by what a compiler finds convenient. Compilers contract a product and
// the sum that it goes into to one operation with one rounding, and which products they choose depends on what stands
// around: on a GPU the same collision had other last digits in another kernel. Physics is templates over the number;
// with `Contracted` it has the same bits in every kernel, for every GPU and compiler.
#pragma once
#include "fluvia/core/math.hpp"

namespace fluvia::core {

namespace detail {
#if defined(__CUDA_ARCH__)
FLUVIA_FUNCTION float rounded_sum(float a, float b) {
  return __fadd_rn(a, b);
}
FLUVIA_FUNCTION double rounded_sum(double a, double b) {
  return __dadd_rn(a, b);
}
FLUVIA_FUNCTION float rounded_product(float a, float b) {
  return __fmul_rn(a, b);
}
FLUVIA_FUNCTION double rounded_product(double a, double b) {
  return __dmul_rn(a, b);
}
FLUVIA_FUNCTION float fused(float a, float b, float c) {
  return __fmaf_rn(a, b, c);
}
FLUVIA_FUNCTION double fused(double a, double b, double c) {
  return __fma_rn(a, b, c);
}
FLUVIA_FUNCTION float reciprocal(float x) {
  float guess;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(guess) : "f"(x));
  return __fmaf_rn(guess, __fmaf_rn(-x, guess, 1.0f), guess);
}
FLUVIA_FUNCTION double reciprocal(double x) {
  double guess;
  asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(guess) : "d"(x));
  const double error = __fma_rn(-x, guess, 1.0);
  const double better = __fma_rn(guess, __fma_rn(error, error, error), guess);
  return __fma_rn(better, __fma_rn(-x, better, 1.0), better);
}
#else
// For kernels that tests run on the host.
template <class S>
FLUVIA_FUNCTION S rounded_sum(S a, S b) {
  return a + b;
}
template <class S>
FLUVIA_FUNCTION S rounded_product(S a, S b) {
  S product = a * b;
  asm("" : "+m"(product));  // compilers do not see that it is a product
  return product;
}
FLUVIA_FUNCTION float fused(float a, float b, float c) {
  return __builtin_fmaf(a, b, c);
}
FLUVIA_FUNCTION double fused(double a, double b, double c) {
  return __builtin_fma(a, b, c);
}
template <class S>
FLUVIA_FUNCTION S reciprocal(S x) {
  return 1 / x;
}
#endif
}  // namespace detail

template <class S>
struct Contracted;

/// A product that is not rounded yet. As a number it is; as a term of a sum it is part of that sum.
template <class S>
struct Product {
  using Number = Contracted<S>;
  S a, b;

  FLUVIA_FUNCTION operator Number() const { return Number(detail::rounded_product(a, b)); }
  FLUVIA_FUNCTION Product operator-() const { return {-a, b}; }

  friend FLUVIA_FUNCTION Number operator+(Product p, Number x) { return detail::fused(p.a, p.b, x.value); }
  friend FLUVIA_FUNCTION Number operator+(Number x, Product p) { return p + x; }
  friend FLUVIA_FUNCTION Number operator-(Product p, Number x) { return p + -x; }
  friend FLUVIA_FUNCTION Number operator-(Number x, Product p) { return -p + x; }
  /// In a sum of two products the second is fused, the first is rounded.
  friend FLUVIA_FUNCTION Number operator+(Product p, Product q) { return q + Number(p); }
  friend FLUVIA_FUNCTION Number operator-(Product p, Product q) { return -q + Number(p); }
  friend FLUVIA_FUNCTION Product operator*(Product p, Number x) { return Number(p) * x; }
  friend FLUVIA_FUNCTION Product operator*(Number x, Product p) { return x * Number(p); }
  friend FLUVIA_FUNCTION Product operator*(Product p, Product q) { return Number(p) * Number(q); }
};

/// A float or double, `S`, that contracts every product with the sum it is written in, a * b + c, and nothing else. A
/// product that has a name, `const T x = a * b`, is rounded.
template <class S>
struct Contracted {
  S value;

  Contracted() = default;
  FLUVIA_FUNCTION constexpr Contracted(float x) : value(static_cast<S>(x)) {}
  FLUVIA_FUNCTION constexpr Contracted(double x) : value(static_cast<S>(x)) {}
  FLUVIA_FUNCTION constexpr Contracted(int x) : value(static_cast<S>(x)) {}
  template <class Number>
  explicit FLUVIA_FUNCTION constexpr operator Number() const {
    return static_cast<Number>(value);
  }

  FLUVIA_FUNCTION Contracted operator-() const { return -value; }
  friend FLUVIA_FUNCTION Contracted operator+(Contracted x, Contracted y) {
    return detail::rounded_sum(x.value, y.value);
  }
  friend FLUVIA_FUNCTION Contracted operator-(Contracted x, Contracted y) { return x + -y; }
  friend FLUVIA_FUNCTION Product<S> operator*(Contracted x, Contracted y) { return {x.value, y.value}; }
  friend FLUVIA_FUNCTION Contracted operator/(Contracted x, Contracted y) { return x.value / y.value; }

  FLUVIA_FUNCTION Contracted& operator+=(Contracted x) { return *this = *this + x; }
  FLUVIA_FUNCTION Contracted& operator-=(Contracted x) { return *this = *this - x; }
  FLUVIA_FUNCTION Contracted& operator+=(Product<S> p) { return *this = *this + p; }
  FLUVIA_FUNCTION Contracted& operator-=(Product<S> p) { return *this = *this - p; }
  FLUVIA_FUNCTION Contracted& operator*=(Contracted x) { return *this = *this * x; }
  FLUVIA_FUNCTION Contracted& operator/=(Contracted x) { return *this = *this / x; }

  /// 1/x of a number that is neither close to 0 nor very large, in a third of the instructions of a division.
  friend FLUVIA_FUNCTION Contracted inverse(Contracted x) { return detail::reciprocal(x.value); }
  friend FLUVIA_FUNCTION bool operator<(Contracted x, Contracted y) { return x.value < y.value; }
  friend FLUVIA_FUNCTION bool operator>(Contracted x, Contracted y) { return x.value > y.value; }
  friend FLUVIA_FUNCTION Contracted abs(Contracted x) { return magnitude(x.value); }
  friend FLUVIA_FUNCTION Contracted sqrt(Contracted x) {
    using std::sqrt;
    return sqrt(x.value);
  }
};

namespace detail {
template <class S>
struct FloatLayout<Contracted<S>> : FloatLayout<S> {};
}  // namespace detail

}  // namespace fluvia::core
