// SPDX-License-Identifier: Apache-2.0
// The oracle for heat and species: a slow solver of dT/dt + div(u T) = div(D grad T) + S in fp64, beside walls,
// openings and solids that conduct. It defines what kernels for scalars have to compute.
#pragma once
#include <algorithm>
#include <functional>
#include <stdexcept>
#include <vector>

#include "reference/scalars/scalar_lattice.hpp"

namespace reference::scalars {

/// What a surface does to a scalar.
struct Condition {
  enum class Kind {
    value,     ///< T = value, at a wall
    inflow,    ///< T = value, where fluid passes
    flux,      ///< D dT/dn into the fluid = value, per area; 0: adiabatic
    exchange,  ///< the flux is coefficient (value - T at the wall)
    outflow    ///< T goes on as it comes
  };
  Kind kind = Kind::flux;
  std::function<double(const Real3&)> value = [](const Real3&) { return 0.0; };  ///< where a link meets the surface
  double coefficient = 0;
  int axis = 0;  ///< across which the face lies that gives a flux or exchanges
};

struct ScalarPhysics {
  std::string lattice = "D2Q5";
  double diffusivity = 0.1;
  double magic = 0.25;           ///< (1/omega+ - 1/2)(1/omega- - 1/2)
  double solid_diffusivity = 0;  ///< of solids that conduct; 0: none do
  double capacity_ratio = 1;     ///< rho c of these over that of the fluid
};

/// A box of cells, each fluid or solid. Faces that are not periodic, and solids that do not conduct, are surfaces.
struct ScalarScene {
  ScalarPhysics physics;
  Int3 size{1, 1, 1};
  Bool3 periodic{true, true, true};
  std::function<bool(const Int3&)> solid = [](const Int3&) { return false; };
  /// The condition on the link from a fluid cell along c.
  std::function<Condition(const Int3& cell, const Int3& c)> condition = [](const Int3&, const Int3&) {
    return Condition{};
  };
  /// The part of that link in the fluid; values act there, all else half-way.
  std::function<double(const Int3& cell, const Int3& c)> distance = [](const Int3&, const Int3&) { return 0.5; };
  std::function<Real3(const Int3&)> velocity = [](const Int3&) { return Real3{}; };
  std::function<double(const Int3&)> source = [](const Int3&) { return 0.0; };
};

class ScalarSolver {
 public:
  explicit ScalarSolver(const ScalarScene& scene)
      : scene_(scene), lattice_(make_scalar_lattice(scene.physics.lattice)) {
    const auto count = static_cast<std::size_t>(scene.size[0]) * scene.size[1] * scene.size[2];
    populations_.assign(count, std::vector<double>(directions().w.size(), 0.0));
    collided_ = populations_;
    for (std::size_t n = 0; n < count; ++n) solid_.push_back(scene.solid(cell(n)));
  }

  [[nodiscard]] const Lattice& directions() const { return lattice_.directions; }
  [[nodiscard]] std::size_t cells() const { return populations_.size(); }
  [[nodiscard]] Int3 cell(std::size_t index) const {
    const auto n = static_cast<int>(index);
    return {n % scene_.size[0], n / scene_.size[0] % scene_.size[1], n / scene_.size[0] / scene_.size[1]};
  }
  [[nodiscard]] std::size_t index(const Int3& c) const {
    return (static_cast<std::size_t>(c[2]) * scene_.size[1] + c[1]) * scene_.size[0] + c[0];
  }
  [[nodiscard]] bool computes(std::size_t n) const { return !solid_[n] || scene_.physics.solid_diffusivity > 0; }

  /// T = sum g + S/2.
  [[nodiscard]] double scalar(std::size_t n) const {
    double sum = scene_.source(cell(n)) / 2;
    for (const double g : populations_[n]) sum += g;
    return sum;
  }
  /// Sets a cell to T with the gradient that its flux has.
  void set(std::size_t n, double value, const Real3& gradient = {}) {
    const Real3 u = velocity_at(n);
    for (int i = 0; i < directions().size(); ++i) {
      double along = 0;
      for (int a = 0; a < 3; ++a) along += directions().c[i][a] * gradient[a];
      populations_[n][i] =
          equilibrium(i, value, u) - directions().w[i] * (along / rate_minus(n) + scene_.source(cell(n)) / 2);
    }
  }
  /// What all cells hold; of solids times their capacity.
  [[nodiscard]] double total() const {
    double sum = 0;
    for (std::size_t n = 0; n < cells(); ++n)
      if (computes(n)) sum += (solid_[n] ? scene_.physics.capacity_ratio : 1) * scalar(n);
    return sum;
  }

  void step() {
    for (std::size_t n = 0; n < cells(); ++n)
      if (computes(n)) collide(n);
    auto next = populations_;
    for (std::size_t n = 0; n < cells(); ++n)
      if (computes(n))
        for (int i = 0; i < directions().size(); ++i) next[n][i] = arriving(n, i);
    populations_ = std::move(next);
  }

 private:
  [[nodiscard]] Real3 velocity_at(std::size_t n) const { return solid_[n] ? Real3{} : scene_.velocity(cell(n)); }
  /// 1/omega- = 1/2 + D / c_s^2.
  [[nodiscard]] double rate_minus(std::size_t n) const {
    const double d = solid_[n] ? scene_.physics.solid_diffusivity : scene_.physics.diffusivity;
    return 1 / (0.5 + d / lattice_.sound_squared);
  }
  [[nodiscard]] double rate_plus(std::size_t n) const {
    return 1 / (0.5 + scene_.physics.magic / (1 / rate_minus(n) - 0.5));
  }
  [[nodiscard]] double equilibrium(int i, double value, const Real3& u) const {
    double cu = 0;
    for (int a = 0; a < 3; ++a) cu += directions().c[i][a] * u[a];
    return directions().w[i] * value * (1 + cu / lattice_.sound_squared);
  }

  /// Two relaxation times (Ginzburg 2005): g+ and g- relax to the even and the odd part of the equilibrium; the source
  /// is even.
  void collide(std::size_t n) {
    const std::vector<double>& g = populations_[n];
    const double value = scalar(n), source = scene_.source(cell(n));
    const double plus = rate_plus(n), minus = rate_minus(n);
    const Real3 u = velocity_at(n);
    for (int i = 0; i < directions().size(); ++i) {
      const int o = directions().opposite[i];
      const double e = equilibrium(i, value, u), e_back = equilibrium(o, value, u);
      const double even = (g[i] - e + g[o] - e_back) / 2, odd = (g[i] - e - g[o] + e_back) / 2;
      collided_[n][i] = g[i] - plus * even - minus * odd + (1 - plus / 2) * directions().w[i] * source;
    }
  }

  [[nodiscard]] double arriving(std::size_t n, int i) const {
    Int3 from = cell(n);
    bool inside = true;
    for (int a = 0; a < 3; ++a) {
      from[a] -= directions().c[i][a];
      if (scene_.periodic[a]) from[a] = (from[a] + scene_.size[a]) % scene_.size[a];
      inside = inside && from[a] >= 0 && from[a] < scene_.size[a];
    }
    if (inside && computes(index(from)))
      return solid_[index(from)] == solid_[n] ? collided_[index(from)][i] : across(n, index(from), i);
    return from_surface(n, i);
  }

  /// Between fluid and a solid that conducts, half-way: T and the flux of heat go on without a jump. With R the ratio
  /// of capacities, solid over fluid, what comes to the fluid is ((1 - R) own + 2 R of the solid) / (1 + R), and to the
  /// solid ((R - 1) own + 2 of the fluid) / (1 + R) (Li, Chen, Mei & Klausner 2014).
  [[nodiscard]] double across(std::size_t n, std::size_t from, int i) const {
    const double r = scene_.physics.capacity_ratio;
    const double own = collided_[n][directions().opposite[i]], other = collided_[from][i];
    return solid_[n] ? ((r - 1) * own + 2 * other) / (1 + r) : ((1 - r) * own + 2 * r * other) / (1 + r);
  }

  [[nodiscard]] double from_surface(std::size_t n, int i) const {
    const int o = directions().opposite[i];
    const Int3& out = directions().c[o];
    const Condition condition = scene_.condition(cell(n), out);
    const double left = collided_[n][o];
    const double q = condition.kind == Condition::Kind::value ? scene_.distance(cell(n), out) : 0.5;
    Real3 place{};
    for (int a = 0; a < directions().dimension; ++a) place[a] = cell(n)[a] + 0.5 + q * out[a];
    const double value = condition.value(place);
    switch (condition.kind) {
      case Condition::Kind::value:
      case Condition::Kind::inflow:
        return of_value(n, i, q, value, condition.kind == Condition::Kind::inflow);
      case Condition::Kind::flux:
        return left + value * area(out, condition.axis);
      case Condition::Kind::exchange:
        return of_exchange(n, i, condition, value);
      case Condition::Kind::outflow:
        return of_inner_neighbour(n, i);
    }
    throw std::logic_error("a surface has a condition that nobody knows");
  }

  /// Each link through a face carries the part of its flux that its weight is of all that cross the face.
  [[nodiscard]] double area(const Int3& out, int axis) const {
    double through = 0;
    for (int k = 0; k < directions().size(); ++k)
      if (directions().c[k][axis] == out[axis]) through += directions().w[k];
    return directions().w[directions().find(out)] / through;
  }

  /// T at a wall at distance q. With n- = -(c.grad e+) / omega- what is given, w T_w = e+ - q omega- n- along the way
  /// out, and what comes back is e+ - e- - n- + (even parts). With a of w T_w and 1 - a of e+ it is
  ///   a w T_w + (1 - a) e+ - e- - (1 - omega+) n+ + (a q omega- - 1) n-.
  /// a = 2 at q = 1/2 is anti-bounce-back. All factors stay within 1 with a = min(2, 2 / (q omega-)). Where the flow
  /// passes, n+ = -(c.grad e-) / omega+ does not vanish in a linear profile, and comes back as n+.
  [[nodiscard]] double of_value(std::size_t n, int i, double q, double wanted, bool passes) const {
    const int o = directions().opposite[i];
    const std::vector<double>& g = populations_[n];
    const double value = scalar(n), source = scene_.source(cell(n)), w = directions().w[i];
    const Real3 u = velocity_at(n);
    const double e = equilibrium(o, value, u), e_back = equilibrium(i, value, u);
    const double even = (g[o] - e + g[i] - e_back) / 2, odd = (g[o] - e - g[i] + e_back) / 2;
    const double minus = rate_minus(n), plus = rate_plus(n), a = std::min(2.0, 2 / (q * minus));
    const double evens = passes ? even : -(1 - plus) * even - (1 - plus / 2) * w * source;
    return a * w * wanted + (1 - a) * (e + e_back) / 2 - (e - e_back) / 2 + evens + (a * q * minus - 1) * odd;
  }

  /// q = h (T_out - T_wall) with T_wall = T + q / (2 D), half a link away.
  [[nodiscard]] double of_exchange(std::size_t n, int i, const Condition& condition, double outside) const {
    const int o = directions().opposite[i];
    const double h = condition.coefficient / (1 + condition.coefficient / (2 * scene_.physics.diffusivity));
    return collided_[n][o] + h * (outside - scalar(n)) * area(directions().c[o], condition.axis);
  }

  /// Along the same direction at the next cell away from the surface.
  [[nodiscard]] double of_inner_neighbour(std::size_t n, int i) const {
    Int3 inner = cell(n);
    const Int3 c = directions().c[i];
    for (int a = 0; a < 3; ++a) {
      const int back = inner[a] - c[a];
      if (!scene_.periodic[a] && (back < 0 || back >= scene_.size[a])) inner[a] += c[a];
    }
    return populations_[index(inner)][i];
  }

  ScalarScene scene_;
  ScalarLattice lattice_;
  std::vector<std::vector<double>> populations_, collided_;
  std::vector<char> solid_;
};

}  // namespace reference::scalars
