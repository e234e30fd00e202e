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
  int axis = 0;        ///< across which the face lies that gives a flux or exchanges
  double reach = 0.5;  ///< from the node to the surface that exchanges, along its normal
};

struct ScalarPhysics {
  std::string lattice = "D2Q5";
  double diffusivity = 0.1;
  double magic = 0.25;           ///< (1/omega+ - 1/2)(1/omega- - 1/2)
  double solid_diffusivity = 0;  ///< of solids that conduct; 0: none do
  double capacity_ratio = 1;     ///< rho c of these over that of the fluid
};

/// A solid that conducts, or does not.
struct Material {
  double diffusivity = 0;  ///< 0: it does not conduct
  double capacity = 1;     ///< rho c over that of the fluid
};

/// A box of cells, each fluid or solid. Faces that are not periodic, and solids that do not conduct, are surfaces.
struct ScalarScene {
  ScalarPhysics physics;
  Int3 size{1, 1, 1};
  Bool3 periodic{true, true, true};
  std::function<bool(const Int3&)> solid = [](const Int3&) { return false; };
  /// What a solid cell is made of; if empty, all of what the physics has.
  std::function<Material(const Int3&)> material;
  /// The condition on the link from a fluid cell along c.
  std::function<Condition(const Int3& cell, const Int3& c)> condition = [](const Int3&, const Int3&) {
    return Condition{};
  };
  /// The part of a link before what cuts it: of one from a cell to a surface, where values act and all else half-way;
  /// and of one between two materials from the first of its cells, those of the fluid before those of solids.
  std::function<double(const Int3& cell, const Int3& c)> distance = [](const Int3&, const Int3&) { return 0.5; };
  /// The part of a fluid cell that is fluid, or how much more it stands for: what it holds counts by that.
  std::function<double(const Int3&)> volume = [](const Int3&) { return 1.0; };
  /// The open part of the face between a fluid cell and its fluid neighbour along c; if empty, as much as the volumes
  /// of both let pass, of which the harmonic mean.
  std::function<double(const Int3& cell, const Int3& c)> face;
  /// A fluid cell whose populations a surface needs as they are, so that it may not spread more than others.
  std::function<bool(const Int3&)> tied = [](const Int3&) { return false; };
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
    for (std::size_t n = 0; n < count; ++n) {
      solid_.push_back(scene.solid(cell(n)));
      material_.push_back(!solid_.back()   ? Material{scene.physics.diffusivity, scene.volume(cell(n))}
                          : scene.material ? scene.material(cell(n))
                                           : Material{scene.physics.solid_diffusivity, scene.physics.capacity_ratio});
    }
    strength_.assign(count, 1);
    if (scene.face)
      for (std::size_t n = 0; n < count; ++n)
        if (!solid_[n] && !scene.tied(cell(n))) strength_[n] = strength_of(n);
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
  [[nodiscard]] bool computes(std::size_t n) const { return material_[n].diffusivity > 0; }

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
      if (computes(n)) sum += material_[n].capacity * scalar(n);
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
  [[nodiscard]] Real3 velocity_at(std::size_t n) const {
    return solid_[n] ? Real3{} : fluvia::operator*(strength_[n], scene_.velocity(cell(n)));
  }
  /// The cell along c, or the number of cells if that is outside.
  [[nodiscard]] std::size_t next_to(std::size_t n, const Int3& c) const {
    Int3 there = cell(n);
    for (int a = 0; a < 3; ++a) {
      there[a] += c[a];
      if (scene_.periodic[a]) there[a] = (there[a] + scene_.size[a]) % scene_.size[a];
      if (there[a] < 0 || there[a] >= scene_.size[a]) return cells();
    }
    return index(there);
  }
  [[nodiscard]] double odd_time() const { return scene_.physics.diffusivity / lattice_.sound_squared; }
  /// Steps for which what passes a face may lag behind: at most 32, and fewer than D / u^2 for speeds up to 0.1, since
  /// what lags travels at sqrt(D / lag) and a flow that is faster makes it grow.
  [[nodiscard]] double most_lag() const { return std::min(32.0, 100 * scene_.physics.diffusivity); }
  /// What a small cell with a large face spreads, and how fast the flow carries it, are so many times those of others,
  /// that half of each link lets as much pass as its face does. At most 4 times, and less where what goes straight
  /// through would lag.
  [[nodiscard]] double strength_of(std::size_t n) const {
    double most = 1;
    for (const Int3& c : directions().c) {
      const std::size_t there = next_to(n, c);
      if (std::abs(c[0]) + std::abs(c[1]) + std::abs(c[2]) == 1 && there < cells() && !solid_[there])
        most = std::max(most, scene_.face(cell(n), c) / material_[n].capacity);
    }
    const double lag = 2 * odd_time() * most_lag();
    return std::ceil(256 * std::min({most, 4.0, lag < 1 ? 1 / (1 - lag) : 4.0})) / 256;
  }

  /// 1/omega- = 1/2 + D / c_s^2.
  [[nodiscard]] double rate_minus(std::size_t n) const {
    return 1 / (0.5 + strength_[n] * material_[n].diffusivity / lattice_.sound_squared);
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
      return scene_.face && !solid_[n] && !solid_[index(from)] ? through_face(n, index(from), i)
             : is_alike(n, index(from))                        ? collided_[index(from)][i]
                                                               : across(n, index(from), i);
    return from_surface(n, i);
  }

  [[nodiscard]] bool is_alike(std::size_t a, std::size_t b) const {
    return solid_[a] == solid_[b] && material_[a].diffusivity == material_[b].diffusivity &&
           material_[a].capacity == material_[b].capacity;
  }
  /// What the populations of a cell say of a link that leaves it along i, before the step.
  struct End {
    double capacity, minus;
    double even, advected, slope;  ///< w T; w T c.u / c_s^2; -n-, the gradient of w T along i over omega-
    double rest;                   ///< even part out of equilibrium after the collision
  };
  [[nodiscard]] End end_of(std::size_t n, int i) const {
    const std::vector<double>& g = populations_[n];
    const int o = directions().opposite[i];
    const double value = scalar(n), plus = rate_plus(n), e = equilibrium(i, value, velocity_at(n)),
                 e_back = equilibrium(o, value, velocity_at(n)), w = directions().w[i];
    return {material_[n].capacity,
            rate_minus(n),
            w * value,
            (e - e_back) / 2,
            -(g[i] - e - g[o] + e_back) / 2,
            (1 - plus) * (g[i] - e + g[o] - e_back) / 2 + (1 - plus / 2) * w * scene_.source(cell(n))};
  }
  /// Between two materials at the part q of the link, or half-way between cells of the fluid of which one is larger.
  /// Along it w T at the joint is what each side says, even + q minus slope, and the flux of heat that comes to the
  /// first is capacity (2 - minus) slope on its side. A part `a` of the jump of w T is taken, and of the fluxes the
  /// mean by the capacities; all factors stay within 1 with a = min(1, 1 / (q minus)) on both sides. At q = 1/2 that is
  /// the rule of Li, Chen, Mei & Klausner (2014).
  [[nodiscard]] double across(std::size_t n, std::size_t from, int i) const {
    const int o = directions().opposite[i];
    const bool is_first = solid_[n] != solid_[from] ? !solid_[n] : n < from;
    const double part = !solid_[n] && !solid_[from] ? 0.5
                        : is_first                  ? scene_.distance(cell(n), directions().c[o])
                                                    : 1 - scene_.distance(cell(from), directions().c[i]);
    const End here = end_of(n, o), there = end_of(from, i);
    const double both = 2 * here.capacity * there.capacity / (here.capacity + there.capacity),
                 a = std::min({1.0, 1 / (part * here.minus), 1 / ((1 - part) * there.minus)});
    const double jump =
        there.even + (1 - part) * there.minus * there.slope - here.even - part * here.minus * here.slope;
    const double flux = both * (a * jump + ((2 - here.minus) * here.slope - (2 - there.minus) * there.slope) / 2 +
                                there.rest - here.rest + there.advected - here.advected);
    return collided_[n][o] + flux / here.capacity;
  }

  /// Between cells of the fluid through a face of area h. With magic = 1/4 what leaves a cell in a steady state is
  /// w T + (1/(2 tau) - 1) F/(2 V), of its volume, tau = 1/omega- - 1/2, and the flux F that comes to it through this
  /// face, whatever passes the others. So F = K (what leaves there - what leaves here) is 2 tau_0 h w (T_there -
  /// T_here) with tau_0 of an open cell and
  ///   1/K = (1/V + 1/V')/2 + (1/h - (1/(V tau) + 1/(V' tau')) tau_0 / 2) / (2 tau_0).
  /// For any populations V g^2 + V' g'^2 does not grow, since K is at most the harmonic mean of the volumes. Of links
  /// that are no axes the face is what the volumes let pass.
  [[nodiscard]] double through_face(std::size_t n, std::size_t from, int i) const {
    const int o = directions().opposite[i];
    const Int3& c = directions().c[o];
    const double here = material_[n].capacity, there = material_[from].capacity, both = (1 / here + 1 / there) / 2;
    double face = 1 / both;
    if (std::abs(c[0]) + std::abs(c[1]) + std::abs(c[2]) == 1) face = scene_.face(cell(n), c);
    face = std::min({face, here * strength_[n], there * strength_[from]});
    const double lacks =
        (1 / face - (1 / (here * strength_[n]) + 1 / (there * strength_[from])) / 2) / (2 * odd_time());
    const double conductance = 1 / (both + std::min(lacks, most_lag() * both));
    return collided_[n][o] + conductance / here * (collided_[from][i] - collided_[n][o]);
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
        return left + value * area(out, condition.axis) / material_[n].capacity;
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

  /// q = h (T_out - T_wall) with T_wall = T + q reach / D, so far from the cell along the normal.
  [[nodiscard]] double of_exchange(std::size_t n, int i, const Condition& condition, double outside) const {
    const int o = directions().opposite[i];
    const double h = condition.coefficient / (1 + condition.coefficient * condition.reach / material_[n].diffusivity);
    const double volume = solid_[n] ? 1 : material_[n].capacity;
    return collided_[n][o] + h * (outside - scalar(n)) * area(directions().c[o], condition.axis) / volume;
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
  std::vector<Material> material_;
  std::vector<double> strength_;  ///< how many times as much a cell spreads as others
};

}  // namespace reference::scalars
