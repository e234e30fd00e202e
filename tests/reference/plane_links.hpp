// SPDX-License-Identifier: Apache-2.0
// Links of a node that a plane normal to an axis cuts, and what they carry along it.
#pragma once
#include <array>
#include <vector>

#include "reference/reference_collision.hpp"

namespace reference {

class PlaneLinks {
 public:
  PlaneLinks(const Lattice& lattice, int normal) : lattice_(lattice), normal_(normal) {}
  void add(int i) {
    cut_.push_back(i);
    weight_ += lattice_.w[i];
    for (int a = 0; a < 2; ++a) sum_[a] += lattice_.w[i] * lattice_.c[i][axis(a)];
  }
  [[nodiscard]] bool empty() const { return cut_.empty(); }
  /// One of the two axes along the plane.
  [[nodiscard]] int axis(int a) const { return (normal_ + 1 + a) % 3; }
  /// Part of the plane that belongs to the node, with the sign of the directions along the normal.
  [[nodiscard]] double area() const {
    double area = 0;
    for (const int i : cut_) area += 6 * lattice_.w[i] * lattice_.c[i][normal_];
    return area;
  }
  /// Momentum along the plane of the populations on the links, without what brings mass.
  [[nodiscard]] std::array<double, 2> carried(const Populations& f) const {
    std::array<double, 2> h{};
    for (const int i : cut_)
      for (int a = 0; a < 2; ++a) h[a] += along(i, a) * (f[i] - lattice_.w[i]);
    return h;
  }
  /// Takes this momentum off the populations; `least` beside 1/18 for directions along which there is no link.
  void take(const std::array<double, 2>& h, double least, Populations& f) const {
    double g[2][2] = {{least, 0}, {0, least}};
    for (const int i : cut_)
      for (int a = 0; a < 2; ++a)
        for (int k = 0; k < 2; ++k) g[a][k] += lattice_.w[i] * along(i, a) * along(i, k);
    const double det = g[0][0] * g[1][1] - g[0][1] * g[1][0];
    const double away[2] = {(h[0] * g[1][1] - h[1] * g[0][1]) / det, (h[1] * g[0][0] - h[0] * g[1][0]) / det};
    for (const int i : cut_) f[i] -= lattice_.w[i] * (along(i, 0) * away[0] + along(i, 1) * away[1]);
  }

 private:
  [[nodiscard]] double along(int i, int a) const { return lattice_.c[i][axis(a)] - sum_[a] / weight_; }
  const Lattice& lattice_;
  int normal_;
  std::vector<int> cut_;
  double weight_ = 0, sum_[2] = {};
};

}  // namespace reference
