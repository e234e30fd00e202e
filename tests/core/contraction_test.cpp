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
class Numbers : public testing::Test {
 protected:
  using T = Contracted<S>;
  /// Squares end in a bit that no S keeps.
  const S a = 1 + std::numeric_limits<S>::epsilon(), b = 1 - 2 * std::numeric_limits<S>::epsilon(), c = S(-1);
  static S rounded(S x, S y) {
    volatile S product = x * y;  // no sum sees how it was made
    return product;
  }
};
using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(Numbers, Types);

TYPED_TEST(Numbers, FuseAProductWithItsSum) {
  using T = typename TestFixture::T;
  const auto a = this->a, b = this->b, c = this->c;
  ASSERT_NE(std::fma(a, b, c), this->rounded(a, b) + c);
  EXPECT_EQ((T(a) * T(b) + T(c)).value, std::fma(a, b, c));
  EXPECT_EQ((T(c) + T(a) * T(b)).value, std::fma(a, b, c));
  EXPECT_EQ((T(a) * T(b) - T(-c)).value, std::fma(a, b, c));
  EXPECT_EQ((T(c) - T(a) * T(b)).value, std::fma(-a, b, c));
  T sum = c;
  sum += T(a) * T(b);
  EXPECT_EQ(sum.value, std::fma(a, b, c));
  sum = c;
  sum -= T(a) * T(b);
  EXPECT_EQ(sum.value, std::fma(-a, b, c));
}

TYPED_TEST(Numbers, RoundAProductThatHasAName) {
  using T = typename TestFixture::T;
  const T product = T(this->a) * T(this->b);
  EXPECT_EQ((product + T(this->c)).value, this->rounded(this->a, this->b) + this->c);
}

TYPED_TEST(Numbers, FuseTheSecondOfTwoProductsAndTheLastOfThree) {
  using T = typename TestFixture::T;
  const auto a = this->a, b = this->b;
  EXPECT_EQ((T(a) * T(a) + T(-b) * T(b)).value, std::fma(-b, b, this->rounded(a, a)));
  EXPECT_EQ((T(a) * T(a) - T(b) * T(b)).value, std::fma(-b, b, this->rounded(a, a)));
  EXPECT_EQ((T(a) * T(b) * T(b) + T(-1)).value, std::fma(this->rounded(a, b), b, this->c));
}

TYPED_TEST(Numbers, KeepTheirSize) {
  using T = typename TestFixture::T;
  static_assert(sizeof(T) == sizeof(T::value) && std::is_trivially_copyable_v<T> &&
                std::is_trivially_default_constructible_v<T>);
}

}  // namespace
}  // namespace fluvia::core
