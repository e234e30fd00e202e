// SPDX-License-Identifier: Apache-2.0
#include "fluvia/base/numbers/extrapolation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace fluvia {

namespace {

constexpr double lowest_order = 0.7, highest_order = 2.5, same_order = 1e-6;

double power(const GridValue& grid, double order) {
  return std::pow(1.0 / grid.refine, order);
}

/// Weight of the finer of two grids in the limit; the coarser has what is left of 1.
double weight(const GridValue& coarse, const GridValue& fine, double order) {
  return power(coarse, order) / (power(coarse, order) - power(fine, order));
}

double limit(const GridValue& coarse, const GridValue& fine, double order) {
  const double w = weight(coarse, fine, order);
  return w * fine.value + (1 - w) * coarse.value;
}

/// p with (a - b) / (b - c) = (h_a^p - h_b^p) / (h_b^p - h_c^p), by bisection: the right side grows with p.
double observed_order(const GridValue& a, const GridValue& b, const GridValue& c) {
  const double ratio = (a.value - b.value) / (b.value - c.value);
  double low = lowest_order, high = highest_order;
  for (int k = 0; k < 60; ++k) {
    const double p = 0.5 * (low + high);
    const bool below = (power(a, p) - power(b, p)) / (power(b, p) - power(c, p)) < ratio;
    (below ? low : high) = p;
  }
  return 0.5 * (low + high);
}

Extrapolation of_order(const GridValue& coarse, const GridValue& fine, double order, double low, double high) {
  Extrapolation result;
  result.order = order;
  result.last = weight(coarse, fine, order);
  result.previous = 1 - result.last;
  result.value = limit(coarse, fine, order);
  result.uncertainty = 0.5 * std::abs(limit(coarse, fine, low) - limit(coarse, fine, high));
  return result;
}

/// The order whose limit is the middle of those for 1 and 2.
double middle_order(const GridValue& coarse, const GridValue& fine) {
  const double w = 0.5 * (weight(coarse, fine, 1) + weight(coarse, fine, 2));
  // w = 1 / (1 - (h_fine / h_coarse)^p)
  return std::log(1 - 1 / w) / std::log(coarse.refine / fine.refine);
}

/// Everything of an extrapolation but its relative error.
Extrapolation find_limit(std::span<const GridValue> grids) {
  const GridValue& last = grids.back();
  Extrapolation result{.value = last.value};
  if (grids.size() == 1) {
    result.uncertainty = std::numeric_limits<double>::infinity();
    return result;
  }
  const GridValue& previous = grids[grids.size() - 2];
  if (grids.size() == 2) return of_order(previous, last, middle_order(previous, last), 1, 2);
  const GridValue& first = grids[grids.size() - 3];
  if ((first.value - previous.value) * (previous.value - last.value) > 0) {
    const double p = observed_order(first, previous, last);
    result = of_order(previous, last, p, std::max(p - 0.5, lowest_order), p + 0.5);
    result.observed = p > lowest_order + same_order && p < highest_order - same_order;
    // Beyond that range grids are too coarse to show an order, and the limit may lie as far from this value as this
    // value from the finest grid's, and again.
    if (!result.observed)
      result.uncertainty = std::max(2 * result.uncertainty, 2 * std::abs(last.value - result.value));
    return result;
  }
  result.uncertainty = std::max(std::abs(first.value - last.value), std::abs(previous.value - last.value));
  return result;
}

}  // namespace

Extrapolation extrapolate(std::span<const GridValue> grids) {
  Extrapolation result = find_limit(grids);
  result.error = result.uncertainty > 0 ? result.uncertainty / std::abs(result.value) : 0;
  return result;
}

double distance_to_limit(const Extrapolation& limit, double value) {
  return std::abs(value - limit.value) + limit.uncertainty;
}

}  // namespace fluvia
