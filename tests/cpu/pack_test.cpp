// SPDX-License-Identifier: Apache-2.0
// Packs against the same operations on plain numbers.
#include "fluvia/cpu/physics/pack.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace fluvia::cpu {
namespace {

template <class T>
class Packs : public testing::Test {
 protected:
  static constexpr int size = Pack<T>::size;
  using Values = std::array<T, static_cast<std::size_t>(size)>;
  /// size values from `first` on, an `apart` from each other.
  static Values values(double first, double apart) {
    Values v;
    for (std::size_t k = 0; k < v.size(); ++k) v[k] = static_cast<T>(first + apart * static_cast<double>(k));
    return v;
  }
  static Values of(const Pack<T>& pack) {
    Values v;
    pack.store(v.data());
    return v;
  }
  /// operation(a[k], b[k]) in each lane, of packs and of numbers.
  template <class Operation>
  static void expect_same(const Operation& operation) {
    const Values a = values(-2.25, 0.75), b = values(1.5, 0.3);
    const Values found = of(operation(Pack<T>::load(a.data()), Pack<T>::load(b.data())));
    for (std::size_t k = 0; k < a.size(); ++k) EXPECT_EQ(found[k], operation(a[k], b[k])) << "lane " << k;
  }
};
using Numbers = testing::Types<float, double>;
TYPED_TEST_SUITE(Packs, Numbers);

TYPED_TEST(Packs, CalculateLaneByLane) {
  using T = TypeParam;
  this->expect_same([](auto a, auto b) { return a + b; });
  this->expect_same([](auto a, auto b) { return a - b; });
  this->expect_same([](auto a, auto b) { return a * b; });
  this->expect_same([](auto a, auto b) { return a / b; });
  this->expect_same([](auto a, auto) { return -a; });
  this->expect_same([](auto a, auto b) { return a += b; });
  this->expect_same([](auto a, auto b) { return a -= b; });
  this->expect_same([](auto a, auto b) { return a *= b; });
  this->expect_same([](auto a, auto b) { return a /= b; });
  this->expect_same([](auto a, auto) { return a * T(3) + T(0.5); });
  this->expect_same([](auto a, auto) {
    using std::abs;
    return abs(a);
  });
  this->expect_same([](auto, auto b) {
    using std::sqrt;
    return sqrt(b);
  });
}

TYPED_TEST(Packs, HoldOneValueInAllLanes) {
  const typename TestFixture::Values v = this->of(Pack<TypeParam>(TypeParam(0.1)));
  for (const TypeParam x : v) EXPECT_EQ(x, TypeParam(0.1));
}

/// From any place, and only the first lanes where no more are wanted.
TYPED_TEST(Packs, AreStoredInPart) {
  using T = TypeParam;
  constexpr int lanes = TestFixture::size;
  const typename TestFixture::Values v = this->values(1, 1);
  for (int count = 1; count <= lanes; ++count) {
    std::array<T, static_cast<std::size_t>(3 * lanes)> row;
    row.fill(T(-1));
    const int first = 1 + count % 3;
    Pack<T>::load(v.data()).store_first(row.data() + first, count);
    for (int k = 0; k < 3 * lanes; ++k) {
      const bool is_stored = k >= first && k < first + count;
      EXPECT_EQ(row[static_cast<std::size_t>(k)], is_stored ? T(1 + k - first) : T(-1)) << count << " from " << first;
    }
    EXPECT_EQ(this->of(Pack<T>::load(row.data() + first))[0], T(1));
  }
}

}  // namespace
}  // namespace fluvia::cpu
