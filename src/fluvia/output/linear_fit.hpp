// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <array>
#include <cmath>

#include "fluvia/base/vector.hpp"

namespace fluvia {

/// Fits samples around a point: the value there of the straight line in x, y and z that fits them best, by least
/// squares. Slopes that they do not determine are zero.
class LinearFit {
 public:
  /// Adds a sample at this distance from the point.
  void add(const Real3& from_place, double weight) {
    const std::array<double, 4> row = row_of(from_place);
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) matrix_[i][j] += weight * row[i] * row[j];
  }
  /// Solves for the line, after all samples were added.
  void solve() {
    auto& a = matrix_;
    for (int i = 1; i < 4; ++i) a[i][i] += 1e-6 * a[0][0];
    for (int j = 0; j < 4; ++j) {  // Cholesky decomposition
      for (int k = 0; k < j; ++k) a[j][j] -= a[j][k] * a[j][k];
      a[j][j] = std::sqrt(std::max(a[j][j], 1e-300));
      for (int i = j + 1; i < 4; ++i) {
        for (int k = 0; k < j; ++k) a[i][j] -= a[i][k] * a[j][k];
        a[i][j] /= a[j][j];
      }
    }
    solution_ = {1, 0, 0, 0};
    for (int i = 0; i < 4; ++i) {
      for (int k = 0; k < i; ++k) solution_[i] -= a[i][k] * solution_[k];
      solution_[i] /= a[i][i];
    }
    for (int i = 3; i >= 0; --i) {
      for (int k = i + 1; k < 4; ++k) solution_[i] -= a[k][i] * solution_[k];
      solution_[i] /= a[i][i];
    }
  }
  /// The factor of a sample's value; all factors add up to 1.
  [[nodiscard]] double factor(const Real3& from_place, double weight) const {
    const std::array<double, 4> row = row_of(from_place);
    return weight * (solution_[0] + solution_[1] * row[1] + solution_[2] * row[2] + solution_[3] * row[3]);
  }

 private:
  static std::array<double, 4> row_of(const Real3& d) { return {1, d[0], d[1], d[2]}; }
  std::array<std::array<double, 4>, 4> matrix_{};
  std::array<double, 4> solution_{};
};

}  // namespace fluvia
