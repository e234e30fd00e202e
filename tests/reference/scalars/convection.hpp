// SPDX-License-Identifier: Apache-2.0
// A flow in a closed box that a scalar drives: Boussinesq's force on D2Q9 or D3Q19, bounce-back half-way at the faces.
#pragma once
#include "reference/scalars/scalar_solver.hpp"

namespace reference::scalars {

struct ConvectionScene {
  ScalarScene scalar;  ///< its velocity is that of the flow
  std::string lattice = "D2Q9";
  double viscosity = 0.05, magic = 0.25;
  Real3 buoyancy{};      ///< force on the density 1 for T = reference + 1
  double reference = 0;  ///< T without a force
};

class Convection {
 public:
  explicit Convection(ConvectionScene scene)
      : scene_(std::move(scene)), lattice_(make_lattice(scene_.lattice)), scalar_(with_velocity()) {
    flow_.assign(scalar_.cells(), lattice_.w);
    velocity_.assign(scalar_.cells(), Real3{});
  }

  [[nodiscard]] ScalarSolver& scalar() { return scalar_; }
  [[nodiscard]] const Real3& velocity(std::size_t n) const { return velocity_[n]; }

  void step() {
    auto collided = flow_;
    for (std::size_t n = 0; n < flow_.size(); ++n) collide(n, collided[n]);
    scalar_.step();
    for (std::size_t n = 0; n < flow_.size(); ++n) stream(n, collided);
  }

 private:
  ScalarScene with_velocity() {
    ScalarScene scene = scene_.scalar;
    scene.velocity = [this](const Int3& c) { return velocity_[scalar_.index(c)]; };
    return scene;
  }
  [[nodiscard]] double dot_c(int i, const Real3& v) const {
    return lattice_.c[i][0] * v[0] + lattice_.c[i][1] * v[1] + lattice_.c[i][2] * v[2];
  }
  /// Two relaxation times, with Guo, Zheng & Shi's force (2002).
  void collide(std::size_t n, std::vector<double>& result) {
    const std::vector<double>& f = flow_[n];
    const double warmer = scalar_.scalar(n) - scene_.reference;
    Real3 force{}, u{};
    double density = 0;
    for (int a = 0; a < 3; ++a) force[a] = scene_.buoyancy[a] * warmer;
    for (int i = 0; i < lattice_.size(); ++i) {
      density += f[i];
      for (int a = 0; a < 3; ++a) u[a] += f[i] * lattice_.c[i][a];
    }
    for (int a = 0; a < 3; ++a) u[a] = (u[a] + force[a] / 2) / density;
    velocity_[n] = u;
    const double plus = 1 / (0.5 + 3 * scene_.viscosity), minus = 1 / (0.5 + scene_.magic / (1 / plus - 0.5));
    const auto equilibrium = [&](int i) {
      const double cu = dot_c(i, u);
      return lattice_.w[i] * density * (1 + 3 * cu + 4.5 * cu * cu - 1.5 * fluvia::dot(u, u));
    };
    const auto source = [&](int i) {
      return lattice_.w[i] * (3 * (dot_c(i, force) - fluvia::dot(u, force)) + 9 * dot_c(i, u) * dot_c(i, force));
    };
    for (int i = 0; i < lattice_.size(); ++i) {
      const int o = lattice_.opposite[i];
      const double here = f[i] - equilibrium(i), there = f[o] - equilibrium(o);
      result[i] = f[i] - plus * (here + there) / 2 - minus * (here - there) / 2 +
                  (1 - plus / 2) * (source(i) + source(o)) / 2 + (1 - minus / 2) * (source(i) - source(o)) / 2;
    }
  }
  void stream(std::size_t n, const std::vector<std::vector<double>>& collided) {
    const ScalarScene& s = scene_.scalar;
    for (int i = 0; i < lattice_.size(); ++i) {
      Int3 from = scalar_.cell(n);
      bool inside = true;
      for (int a = 0; a < 3; ++a) {
        from[a] -= lattice_.c[i][a];
        if (s.periodic[a]) from[a] = (from[a] + s.size[a]) % s.size[a];
        inside = inside && from[a] >= 0 && from[a] < s.size[a];
      }
      flow_[n][i] = inside ? collided[scalar_.index(from)][i] : collided[n][lattice_.opposite[i]];
    }
  }

  ConvectionScene scene_;
  Lattice lattice_;
  std::vector<Real3> velocity_;
  ScalarSolver scalar_;
  std::vector<std::vector<double>> flow_;
};

}  // namespace reference::scalars
