// SPDX-License-Identifier: Apache-2.0
// What the kernel headers need from a compiler. They are freestanding: host compilers and NVRTC read the same text.
#pragma once

#if defined(__CUDACC__)
#define FLUVIA_FUNCTION __host__ __device__ inline __attribute__((always_inline))
#else
#define FLUVIA_FUNCTION inline __attribute__((always_inline))
#endif

namespace fluvia::core {

using Uint16 = unsigned short;
using Uint32 = unsigned int;
using Uint64 = unsigned long long;
using Int64 = long long;

template <class... Types>
struct TypeList {
  static constexpr int size = static_cast<int>(sizeof...(Types));
};

/// Calls `visit(Type{})` for every type of a list.
template <class... Types, class Visitor>
constexpr void for_each_type(TypeList<Types...>, Visitor&& visit) {
  (visit(Types{}), ...);
}

template <int value>
struct Index {
  static constexpr int i = value;
  constexpr operator int() const { return value; }
};

template <int count, int first = 0, class Body>
FLUVIA_FUNCTION constexpr void unroll(Body&& body) {
  if constexpr (first < count) {
    body(Index<first>{});
    unroll<count, first + 1>(body);
  }
}

/// Calls body(p, n) for every pair of opposite directions p, n = p + 1.
template <class Lattice, int p = 1, class Body>
FLUVIA_FUNCTION constexpr void for_each_pair(Body&& body) {
  if constexpr (p < Lattice::Q) {
    body(Index<p>{}, Index<p + 1>{});
    for_each_pair<Lattice, p + 2>(body);
  }
}

/// Scalar type of T: T itself, or the element type if T is a pack of several nodes.
template <class T, class = void>
struct ScalarOf {
  using type = T;
};
template <class T>
struct ScalarOf<T, decltype(static_cast<void>(sizeof(typename T::value_type)))> {
  using type = typename T::value_type;
};
template <class T>
using Scalar = typename ScalarOf<T>::type;

/// What T * T is: T, or a product that is not rounded before a sum needs it (core/contraction.hpp).
template <class T>
using ProductOf = decltype(*static_cast<const T*>(nullptr) * *static_cast<const T*>(nullptr));

}  // namespace fluvia::core
