// SPDX-License-Identifier: Apache-2.0
// The number of CPU kernels: one vector register of values, on which every operation works lane by lane. Made of the
// vectors that GCC and Clang have built in, so that an operation is one for the compiler, too: kernels are a thousand
// of them, and a class of the standard library (std::experimental::simd) is five calls deep in each.
#pragma once
#include "fluvia/core/config.hpp"
#include "fluvia/cpu/physics/lanes.hpp"

namespace fluvia::cpu {

#if defined(__AVX512F__)
inline constexpr int vector_bytes = 64;
#elif defined(__AVX__)
inline constexpr int vector_bytes = 32;
#else
inline constexpr int vector_bytes = 16;
#endif

namespace detail {
template <class T>
struct Registers {
  typedef T Vector __attribute__((vector_size(vector_bytes)));
  typedef T Anywhere __attribute__((vector_size(vector_bytes), aligned(alignof(T)), may_alias));
};
}  // namespace detail

/// A pack of as many float or double values as a vector register holds.
template <class T>
class Pack {
  using Vector = typename detail::Registers<T>::Vector;
  using Anywhere = typename detail::Registers<T>::Anywhere;

 public:
  using value_type = T;
  static constexpr int size = vector_bytes / static_cast<int>(sizeof(T));

  Pack() = default;
  /// A pack with x in all lanes.
  FLUVIA_FUNCTION Pack(T x) : values_(x - Vector{}) {}
  /// The values from `p` on, of any alignment.
  static FLUVIA_FUNCTION Pack load(const T* p) { return Pack(Vector(*reinterpret_cast<const Anywhere*>(p))); }
  FLUVIA_FUNCTION void store(T* p) const { *reinterpret_cast<Anywhere*>(p) = values_; }
  /// Stores the first `count` lanes; nothing else is written.
  FLUVIA_FUNCTION void store_first(T* p, int count) const { store_lanes_below(p, count, values_); }

  FLUVIA_FUNCTION Pack operator-() const { return Pack(-values_); }
  friend FLUVIA_FUNCTION Pack operator+(const Pack& x, const Pack& y) { return Pack(x.values_ + y.values_); }
  friend FLUVIA_FUNCTION Pack operator-(const Pack& x, const Pack& y) { return Pack(x.values_ - y.values_); }
  friend FLUVIA_FUNCTION Pack operator*(const Pack& x, const Pack& y) { return Pack(x.values_ * y.values_); }
  friend FLUVIA_FUNCTION Pack operator/(const Pack& x, const Pack& y) { return Pack(x.values_ / y.values_); }
  FLUVIA_FUNCTION Pack& operator+=(const Pack& x) {
    values_ += x.values_;
    return *this;
  }
  FLUVIA_FUNCTION Pack& operator-=(const Pack& x) {
    values_ -= x.values_;
    return *this;
  }
  FLUVIA_FUNCTION Pack& operator*=(const Pack& x) {
    values_ *= x.values_;
    return *this;
  }
  FLUVIA_FUNCTION Pack& operator/=(const Pack& x) {
    values_ /= x.values_;
    return *this;
  }
  friend FLUVIA_FUNCTION Pack abs(const Pack& x) { return Pack(x.values_ < T(0) ? -x.values_ : x.values_); }
  friend FLUVIA_FUNCTION Pack sqrt(const Pack& x) {
    Pack root;
    for (int k = 0; k < size; ++k) root.values_[k] = root_of(x.values_[k]);
    return root;
  }

 private:
  explicit FLUVIA_FUNCTION Pack(Vector values) : values_(values) {}
  static FLUVIA_FUNCTION float root_of(float x) { return __builtin_sqrtf(x); }
  static FLUVIA_FUNCTION double root_of(double x) { return __builtin_sqrt(x); }

  Vector values_;
};

}  // namespace fluvia::cpu
