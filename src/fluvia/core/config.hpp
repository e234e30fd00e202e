// SPDX-License-Identifier: Apache-2.0
// What the kernel headers need from a compiler. They are freestanding: host compilers and NVRTC read the same text.
#pragma once

#if defined(__CUDACC__)
#define FLUVIA_FUNCTION __host__ __device__ inline __attribute__((always_inline))
#elif !defined(FLUVIA_FUNCTION)  // what runs kernels without haste compiles them with less inlining
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

namespace detail {
template <int... k>
struct Indices {};
/// The numbers 0 to count - 1.
template <int count, int... k>
struct IndicesBelow : IndicesBelow<count - 1, count - 1, k...> {};
template <int... k>
struct IndicesBelow<0, k...> {
  using type = Indices<k...>;
};

// One function that calls the body for every number. A function for each number that calls the next would be shorter;
// compilers would then copy and simplify the last bodies as often as there are numbers before.
template <int first, int step, class Body, int... k>
FLUVIA_FUNCTION constexpr void call_with_each(Body& body, Indices<k...>) {
  (body(Index<first + step * k>{}), ...);
}
}  // namespace detail

/// Calls body(Index<k>{}) for every k from `first` to `count` - 1.
template <int count, int first = 0, class Body>
FLUVIA_FUNCTION constexpr void unroll(Body&& body) {
  detail::call_with_each<first, 1>(body, typename detail::IndicesBelow<count - first>::type{});
}

/// Calls body(p, n) for every pair of opposite directions p, n = p + 1.
template <class Lattice, class Body>
FLUVIA_FUNCTION constexpr void for_each_pair(Body&& body) {
  unroll<(Lattice::Q - 1) / 2>([&](auto pair) { body(Index<2 * pair.i + 1>{}, Index<2 * pair.i + 2>{}); });
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

/// An element of an array that no kernel writes: on a GPU such reads may be moved and merged past writes.
template <class T>
FLUVIA_FUNCTION T constant(const T* address) {
#if defined(__CUDA_ARCH__)
  return __ldg(address);
#else
  return *address;
#endif
}

}  // namespace fluvia::core
