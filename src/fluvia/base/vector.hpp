// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cmath>
#include <cstdint>

namespace fluvia {

using Int3 = std::array<int, 3>;
using Bool3 = std::array<bool, 3>;
using Real3 = std::array<double, 3>;

constexpr Real3 operator+(const Real3& a, const Real3& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}
constexpr Real3 operator-(const Real3& a, const Real3& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
constexpr Real3 operator*(double s, const Real3& a) {
  return {s * a[0], s * a[1], s * a[2]};
}
constexpr double dot(const Real3& a, const Real3& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
constexpr Real3 cross(const Real3& a, const Real3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
inline double norm(const Real3& a) {
  return std::sqrt(dot(a, a));
}

}  // namespace fluvia
