// SPDX-License-Identifier: Apache-2.0
#include "fluvia/permeability/principal.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace fluvia {
namespace {

using Matrix = std::array<Real3, 3>;

/// Turns a symmetric matrix so that its entry (p, q) becomes 0, and the columns of `vectors` with it.
void rotate(Matrix& a, Matrix& vectors, int p, int q) {
  if (a[static_cast<std::size_t>(p)][q] == 0) return;
  const auto at = [&](int i, int j) -> double& { return a[static_cast<std::size_t>(i)][j]; };
  const double theta = (at(q, q) - at(p, p)) / (2 * at(p, q));
  const double t = (theta >= 0 ? 1 : -1) / (std::abs(theta) + std::hypot(theta, 1.0)), c = 1 / std::hypot(t, 1.0);
  const double s = t * c;
  for (int k = 0; k < 3; ++k) {
    const double kp = at(k, p), kq = at(k, q);
    at(k, p) = c * kp - s * kq;
    at(k, q) = s * kp + c * kq;
  }
  for (int k = 0; k < 3; ++k) {
    const double pk = at(p, k), qk = at(q, k);
    at(p, k) = c * pk - s * qk;
    at(q, k) = s * pk + c * qk;
  }
  for (Real3& row : vectors) {
    const double kp = row[p], kq = row[q];
    row[p] = c * kp - s * kq;
    row[q] = s * kp + c * kq;
  }
}

}  // namespace

double PrincipalPermeability::anisotropy() const {
  return values.back() > 0 ? values.front() / values.back() : std::numeric_limits<double>::infinity();
}

std::optional<PrincipalPermeability> principal_permeability(const PermeabilitySettings& settings,
                                                            const std::vector<AxisPermeability>& results) {
  const int dimension = settings.image.domain.dimension;
  if (static_cast<int>(results.size()) != dimension) return std::nullopt;
  const bool whole = settings.ends == "periodic" && settings.sides == "periodic";
  Matrix tensor{}, vectors{Real3{1, 0, 0}, Real3{0, 1, 0}, Real3{0, 0, 1}};
  for (const AxisPermeability& result : results)
    for (int i = 0; i < dimension; ++i)
      if (whole || i == result.axis) tensor[static_cast<std::size_t>(result.axis)][i] = result.permeability[i];
  PrincipalPermeability principal;
  double asymmetry = 0;
  for (int i = 0; i < dimension; ++i)
    for (int j = 0; j < i; ++j) {
      double &a = tensor[static_cast<std::size_t>(i)][j], &b = tensor[static_cast<std::size_t>(j)][i];
      asymmetry = std::max(asymmetry, std::abs(a - b));
      a = b = 0.5 * (a + b);
    }
  constexpr int sweeps = 20;  // each squares what is off the diagonal; five suffice
  for (int sweep = 0; sweep < sweeps; ++sweep)
    for (int p = 0; p < dimension; ++p)
      for (int q = p + 1; q < dimension; ++q) rotate(tensor, vectors, p, q);
  std::vector<int> order(static_cast<std::size_t>(dimension));
  std::iota(order.begin(), order.end(), 0);
  const auto value = [&](int i) { return tensor[static_cast<std::size_t>(i)][i]; };
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return value(a) > value(b); });
  for (const int i : order) {
    principal.values.push_back(value(i));
    Real3 direction{vectors[0][i], vectors[1][i], vectors[2][i]};
    const int longest =
        static_cast<int>(std::max_element(direction.begin(), direction.end(),
                                          [](double x, double y) { return std::abs(x) < std::abs(y); }) -
                         direction.begin());
    if (direction[longest] < 0) direction = -1.0 * direction;
    principal.directions.push_back(direction);
  }
  if (principal.values.front() > 0) principal.asymmetry = asymmetry / principal.values.front();
  return principal;
}

}  // namespace fluvia
