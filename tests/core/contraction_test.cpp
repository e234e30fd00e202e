// SPDX-License-Identifier: Apache-2.0
// Numbers that round by rule: what is fused, what is rounded, and in which order. The numbers are chosen so that every
// other choice has another result.
#include "fluvia/core/contraction.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <type_traits>

namespace fluvia::core {
namespace {

template <class S>
class Numbers : public testing::Test {};

/// Their products end in a bit that no S keeps.
template <class S>
constexpr S a = 1 + std::numeric_limits<S>::epsilon();
template <class S>
constexpr S b = 1 - 2 * std::numeric_limits<S>::epsilon();
template <class S>
constexpr S c = S(-1);

template <class S>
S rounded(S x, S y) {
  volatile S product = x * y;  // no sum sees how it was made
  return product;
}
using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(Numbers, Types);

TYPED_TEST(Numbers, FuseAProductWithItsSum) {
  using S = TypeParam;
  using T = Contracted<S>;
  ASSERT_NE(std::fma(a<S>, b<S>, c<S>), rounded(a<S>, b<S>) + c<S>);
  EXPECT_EQ((T(a<S>) * T(b<S>) + T(c<S>)).value, std::fma(a<S>, b<S>, c<S>));
  EXPECT_EQ((T(c<S>) + T(a<S>) * T(b<S>)).value, std::fma(a<S>, b<S>, c<S>));
  EXPECT_EQ((T(a<S>) * T(b<S>) - T(-c<S>)).value, std::fma(a<S>, b<S>, c<S>));
  EXPECT_EQ((T(c<S>) - T(a<S>) * T(b<S>)).value, std::fma(-a<S>, b<S>, c<S>));
  T sum = c<S>;
  sum += T(a<S>) * T(b<S>);
  EXPECT_EQ(sum.value, std::fma(a<S>, b<S>, c<S>));
  sum = c<S>;
  sum -= T(a<S>) * T(b<S>);
  EXPECT_EQ(sum.value, std::fma(-a<S>, b<S>, c<S>));
}

TYPED_TEST(Numbers, RoundAProductThatHasAName) {
  using S = TypeParam;
  using T = Contracted<S>;
  const T product = T(a<S>) * T(b<S>);
  EXPECT_EQ((product + T(c<S>)).value, rounded(a<S>, b<S>) + c<S>);
}

TYPED_TEST(Numbers, FuseTheSecondOfTwoProductsAndTheLastOfThree) {
  using S = TypeParam;
  using T = Contracted<S>;
  EXPECT_EQ((T(a<S>) * T(a<S>) + T(-b<S>) * T(b<S>)).value, std::fma(-b<S>, b<S>, rounded(a<S>, a<S>)));
  EXPECT_EQ((T(a<S>) * T(a<S>) - T(b<S>) * T(b<S>)).value, std::fma(-b<S>, b<S>, rounded(a<S>, a<S>)));
  EXPECT_EQ((T(a<S>) * T(b<S>) * T(b<S>) + T(-1)).value, std::fma(rounded(a<S>, b<S>), b<S>, c<S>));
}

TYPED_TEST(Numbers, KeepTheirSize) {
  using S = TypeParam;
  using T = Contracted<S>;
  static_assert(sizeof(T) == sizeof(T::value) && std::is_trivially_copyable_v<T> &&
                std::is_trivially_default_constructible_v<T>);
}

}  // namespace
}  // namespace fluvia::core
