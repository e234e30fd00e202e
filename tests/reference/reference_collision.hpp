// SPDX-License-Identifier: Apache-2.0
// Textbook collisions of absolute populations f_i in double precision: loops over all directions, no pairs, no
// deviations, no factoring out. Shares nothing with the kernels.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "reference/reference_d3q13.hpp"
#include "reference/reference_lattice.hpp"
#include "reference/reference_moments.hpp"

namespace reference {

using Populations = std::vector<double>;
using Tensor = std::array<std::array<double, 3>, 3>;

/// A fluid whose viscosity follows from the shear rate, lattice units.
struct Rheology {
  std::string model;                      ///< empty: none
  std::map<std::string, double> numbers;  ///< by the names that case files have
  double least = 0, most = 1e300;         ///< viscosities between which it stays

  [[nodiscard]] double viscosity(double shear_rate) const { return std::min(std::max(law()(shear_rate), least), most); }
  /// tau = 1/2 + 3 nu of a shear rate whose product with tau is known; the product grows with the shear rate.
  [[nodiscard]] double relaxation_time(double product) const {
    const auto unbounded = law();
    const auto tau = [&](double rate) { return 0.5 + 3 * std::min(std::max(unbounded(rate), least), most); };
    double low = 1e-60, high = 1e6;
    while (high / low > 1 + 4e-16) {
      const double middle = std::sqrt(low) * std::sqrt(high);
      if (middle <= low || middle >= high) break;
      (tau(middle) * middle < product ? low : high) = middle;
    }
    return tau(low);
  }

 private:
  /// Viscosity of a shear rate without bounds; the numbers are looked up once for the many rates that are tried.
  [[nodiscard]] std::function<double(double)> law() const {
    const auto number = [&](const char* name) { return numbers.at(name); };
    if (model == "carreau-yasuda") {
      return [zero = number("zero_shear_viscosity"), infinite = number("infinite_shear_viscosity"),
              time = number("relaxation_time"), a = number("yasuda_exponent"), n = number("power_index")](double rate) {
        return infinite + (zero - infinite) * std::pow(1 + std::pow(time * rate, a), (n - 1) / a);
      };
    }
    if (model == "casson") {
      return [stress = number("yield_stress"), plastic = number("plastic_viscosity")](double rate) {
        const double root = std::sqrt(stress) + std::sqrt(plastic * rate);
        return root * root / rate;
      };
    }
    if (model == "power-law") {
      return [consistency = number("consistency"), index = number("flow_index")](double rate) {
        return consistency * std::pow(rate, index - 1);
      };
    }
    throw std::invalid_argument("the reference solver has no model of viscosity " + model);
  }
};

struct Physics {
  std::string lattice = "D2Q9", collision = "bgk", equilibrium = "quasi-compressible";
  double tau = 0.8;
  double magic = 3.0 / 16;
  double smagorinsky = 0;  ///< C_s
  Rheology rheology;
  Real3 force{};
  std::map<std::string, double> rates;  ///< MRT; the others as in the papers
  bool is_level = false;                ///< beside others: CumulantReference::omega_beside_levels()
};

struct NodeState {
  double density = 1;
  Real3 velocity{};
};

/// Moment matrix and the name of each row's rate: "conserved", "shear", "normal" (D3Q13), or that of a free rate.
struct MomentBasis {
  std::vector<std::vector<double>> matrix, inverted;
  std::vector<std::string> rate;
};

inline const std::map<std::string, double>& default_rates(const std::string& lattice) {
  static const std::map<std::string, double> d2q9 = {{"energy", 1.64}, {"energy_square", 1.54}, {"energy_flux", 1.9}};
  static const std::map<std::string, double> d3q13 = {{"energy", 1}, {"cubic", 1}};
  static const std::map<std::string, double> d3q15 = {
      {"energy", 1.6}, {"energy_square", 1.2}, {"energy_flux", 1.8}, {"cubic", 1.9}};
  static const std::map<std::string, double> d3q19 = {
      {"energy", 1.19}, {"energy_square", 1.0}, {"energy_flux", 1.8}, {"stress_quartic", 1.95}, {"cubic", 1.9}};
  return lattice == "D2Q9" ? d2q9 : lattice == "D3Q13" ? d3q13 : lattice == "D3Q15" ? d3q15 : d3q19;
}

/// Lallemand & Luo 2000, eq. 4 with e, eps, q: -4 + 3 s, 4 - 21/2 s + 9/2 s^2, (-5 + 3 s) c.
inline void add_d2q9_rows(const Lattice& lattice, MomentBasis& basis) {
  basis.rate = {"conserved", "energy",      "energy_square", "conserved", "energy_flux",
                "conserved", "energy_flux", "shear",         "shear"};
  basis.matrix.resize(9);
  for (const Int3& c : lattice.c) {
    const double x = c[0], y = c[1], s = x * x + y * y;
    const double rows[9] = {
        1, -4 + 3 * s, 4 - 10.5 * s + 4.5 * s * s, x, (-5 + 3 * s) * x, y, (-5 + 3 * s) * y, x * x - y * y, x * y};
    for (int k = 0; k < 9; ++k) basis.matrix[k].push_back(rows[k]);
  }
}

/// d'Humieres et al. 2002, appendix A.
inline void add_d3q19_rows(const Lattice& lattice, MomentBasis& basis) {
  basis.rate = {"conserved",      "energy",      "energy_square",  "conserved",   "energy_flux",
                "conserved",      "energy_flux", "conserved",      "energy_flux", "shear",
                "stress_quartic", "shear",       "stress_quartic", "shear",       "shear",
                "shear",          "cubic",       "cubic",          "cubic"};
  basis.matrix.resize(19);
  for (const Int3& c : lattice.c) {
    const double x = c[0], y = c[1], z = c[2], s = x * x + y * y + z * z;
    const double rows[19] = {1,
                             19 * s - 30,
                             (21 * s * s - 53 * s + 24) / 2,
                             x,
                             (5 * s - 9) * x,
                             y,
                             (5 * s - 9) * y,
                             z,
                             (5 * s - 9) * z,
                             3 * x * x - s,
                             (3 * s - 5) * (3 * x * x - s),
                             y * y - z * z,
                             (3 * s - 5) * (y * y - z * z),
                             x * y,
                             y * z,
                             x * z,
                             (y * y - z * z) * x,
                             (z * z - x * x) * y,
                             (x * x - y * y) * z};
    for (int k = 0; k < 19; ++k) basis.matrix[k].push_back(rows[k]);
  }
}

/// d'Humieres et al. 2002, appendix A.
inline void add_d3q15_rows(const Lattice& lattice, MomentBasis& basis) {
  basis.rate = {"conserved", "energy",      "energy_square", "conserved",   "energy_flux",
                "conserved", "energy_flux", "conserved",     "energy_flux", "shear",
                "shear",     "shear",       "shear",         "shear",       "cubic"};
  basis.matrix.resize(15);
  for (const Int3& c : lattice.c) {
    const double x = c[0], y = c[1], z = c[2], s = x * x + y * y + z * z;
    const double rows[15] = {1,
                             s - 2,
                             (15 * s * s - 55 * s + 32) / 2,
                             x,
                             0.5 * (5 * s - 13) * x,
                             y,
                             0.5 * (5 * s - 13) * y,
                             z,
                             0.5 * (5 * s - 13) * z,
                             3 * x * x - s,
                             y * y - z * z,
                             x * y,
                             y * z,
                             x * z,
                             x * y * z};
    for (int k = 0; k < 15; ++k) basis.matrix[k].push_back(rows[k]);
  }
}

class Collision {
 public:
  explicit Collision(const Physics& physics) : physics_(physics), lattice_(make_lattice(physics.lattice)) {
    if (powers_of(lattice_).size() == lattice_.c.size()) {
      hermite_ = ProductBasis(lattice_, hermite);
      monomials_ = ProductBasis(lattice_, monomial);
    }
    if (physics.collision != "mrt") return;
    if (physics.lattice == "D2Q9")
      add_d2q9_rows(lattice_, basis_);
    else if (is_d3q13())
      basis_ = {d3q13::moment_matrix(lattice_), {}, d3q13::rates};
    else if (physics.lattice == "D3Q15")
      add_d3q15_rows(lattice_, basis_);
    else if (physics.lattice == "D3Q19")
      add_d3q19_rows(lattice_, basis_);
    else
      throw std::invalid_argument("the reference solver has no MRT on " + physics.lattice);
    basis_.inverted = inverse(basis_.matrix);
  }

  [[nodiscard]] const Lattice& lattice() const { return lattice_; }
  [[nodiscard]] const Physics& physics() const { return physics_; }
  /// sum c c (f - f^eq)
  [[nodiscard]] Tensor stress(const Populations& f) const {
    const Populations feq = equilibrium(state_of(f));
    Tensor p{};
    for (int i = 0; i < lattice_.size(); ++i)
      for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b) p[a][b] += lattice_.c[i][a] * lattice_.c[i][b] * (f[i] - feq[i]);
    return p;
  }
  /// The same with what the force adds to it.
  [[nodiscard]] Tensor corrected_stress(const Populations& f) const {
    const Real3 u = state_of(f).velocity;
    Tensor p = stress(f);
    for (int a = 0; a < lattice_.dimension; ++a)
      for (int b = 0; b < lattice_.dimension; ++b)
        p[a][b] += 0.5 * (u[a] * physics_.force[b] + u[b] * physics_.force[a]);
    return p;
  }

  /// From now on the body force of the node that is asked about.
  void set_force(const Real3& force) { physics_.force = force; }

  /// Populations that are given `own`, a part of the body force, at once; all of the force is in the velocity.
  [[nodiscard]] Populations kicked(Populations f, const Real3& own) const {
    const Populations given = force_terms(state_of(f).velocity, own);
    for (int i = 0; i < lattice_.size(); ++i) f[i] += given[i];
    return f;
  }

  /// rho = sum f, rho_0 u = sum c f + F/2, with rho_0 = rho or, incompressible, 1.
  [[nodiscard]] NodeState state_of(const Populations& f) const {
    NodeState state{0, {}};
    for (int i = 0; i < lattice_.size(); ++i) {
      state.density += f[i];
      for (int a = 0; a < 3; ++a) state.velocity[a] += f[i] * lattice_.c[i][a];
    }
    for (int a = 0; a < lattice_.dimension; ++a) state.velocity[a] += 0.5 * physics_.force[a];
    for (int a = 0; a < 3; ++a) state.velocity[a] /= reference_density(state.density);
    return state;
  }

  [[nodiscard]] double reference_density(double density) const { return is_incompressible_ ? 1.0 : density; }

  /// f_i^eq = w_i (rho + rho_0 (3 c.u + 9/2 (c.u)^2 - 3/2 u^2))
  [[nodiscard]] Populations equilibrium(const NodeState& s) const {
    if (is_d3q13())
      return from_moments(d3q13::equilibrium_moments(s.density, reference_density(s.density), s.velocity));
    if (is_improved_) return improved_equilibrium(s);
    Populations f(lattice_.size());
    for (int i = 0; i < lattice_.size(); ++i) {
      const double cu = dot_c(i, s.velocity), uu = fluvia::dot(s.velocity, s.velocity);
      f[i] = lattice_.w[i] * (s.density + reference_density(s.density) * (3 * cu + 4.5 * cu * cu - 1.5 * uu));
    }
    return f;
  }

  /// Viscous momentum flux: sum c c (f - f^eq), corrected for the force and scaled to the relaxation time without
  /// eddies and, on D3Q13, to that of a lattice with one rate.
  [[nodiscard]] Tensor stress_of(const Populations& f) const {
    const double omega = omega_of(f);
    Tensor p = with_one_rate(corrected_stress(f), 1 / omega);
    for (auto& row : p)
      for (double& x : row) x *= omega * physics_.tau;
    return p;
  }

  [[nodiscard]] Populations collide(const Populations& f) const {
    const double omega = omega_of(f);
    if (physics_.collision == "bgk") return bgk(f, omega, guo(f));
    if (physics_.collision == "trt") return trt(f, omega);
    if (physics_.collision == "mrt") return mrt(f, omega);
    if (physics_.collision == "regularized") return bgk(regularized(f), omega, guo(f));
    if (physics_.collision == "recursive-regularized") return recursive_regularized(f, omega);
    if (physics_.collision == "cumulant") {
      const NodeState s = state_of(f);
      const double all = 1 / physics_.tau;
      const double third =
          physics_.is_level ? CumulantReference::omega_beside_levels(all, lattice_.dimension == 2) : all;
      return CumulantReference(s.density, s.velocity, physics_.force, omega, third).collide(lattice_, monomials_, f);
    }
    throw std::invalid_argument("the reference solver has no collision " + physics_.collision);
  }

  /// What comes back along the opposite of i from a wall at rest at distance q, of populations before and after their
  /// collision. BGK and TRT: ELI of Marson et al. 2021, e+ + (1 - q omega+) n+ + kappa n-, and the parts of the force,
  /// q (1 - omega+/2) S+ and (1 + kappa)/2 S-. Others, whose even part has several rates, and where a part of the force
  /// was given at once: (1 - q) of what arrived and q of what left.
  [[nodiscard]] double interpolated(const Populations& before, const Populations& after, int i, double q, double kappa,
                                    bool is_kicked) const {
    const int o = lattice_.opposite[i];
    const Populations feq = equilibrium(state_of(before)), source = guo(before);
    const double plus = 0.5 * ((before[i] - feq[i]) + (before[o] - feq[o]));
    const double minus = 0.5 * ((before[i] - feq[i]) - (before[o] - feq[o]));
    const double odd = kappa * minus + 0.5 * (1 + kappa) * 0.5 * (source[i] - source[o]);
    if (!is_kicked && (physics_.collision == "bgk" || physics_.collision == "trt")) {
      const double omega = omega_of(before);
      return 0.5 * (feq[i] + feq[o]) + (1 - q * omega) * plus + q * (1 - 0.5 * omega) * 0.5 * (source[i] + source[o]) +
             odd;
    }
    return 0.5 * ((1 - q) * (before[i] + before[o]) + q * (after[i] + after[o])) + odd;
  }

  /// 1/tau_t with tau_t = (tau + sqrt(tau^2 + 18 sqrt(2) C_s^2 sqrt(P:P) / rho_0)) / 2. Hou et al. 1996.
  [[nodiscard]] double omega_of(const Populations& f) const {
    if (!viscosity_varies()) return 1 / physics_.tau;
    double contraction = 0;
    for (const auto& row : with_one_rate(corrected_stress(f), physics_.tau))
      for (const double x : row) contraction += x * x;
    // S = -3 P / (2 rho tau), |S| = sqrt(2 S:S)
    return 1 / tau_of(3 * std::sqrt(contraction / 2) / reference_density(state_of(f).density));
  }
  [[nodiscard]] bool viscosity_varies() const { return physics_.smagorinsky != 0 || !physics_.rheology.model.empty(); }
  /// The relaxation time whose product with the shear rate is known.
  [[nodiscard]] double tau_of(double product) const {
    if (!physics_.rheology.model.empty()) return physics_.rheology.relaxation_time(product);
    const double tau = physics_.tau;
    return (tau + std::sqrt(tau * tau + 12 * physics_.smagorinsky * physics_.smagorinsky * product)) / 2;
  }

 private:
  [[nodiscard]] bool is_d3q13() const { return is_d3q13_; }
  [[nodiscard]] Populations from_moments(const d3q13::Moments& moments) const {
    Populations f(lattice_.size(), 0.0);
    for (int i = 0; i < lattice_.size(); ++i)
      for (int k = 0; k < lattice_.size(); ++k) f[i] += basis_.inverted[i][k] * moments[k];
    return f;
  }
  [[nodiscard]] double viscosity(double tau) const { return (tau - 0.5) / 3; }

  /// Bauer & Ruede, arXiv 1803.04937: Hermite moments of the second order, none of those above, <c_x^2 c_y^2> among
  /// them: rho/9 + rho (u_x^2 + u_y^2)/3 is just without one.
  [[nodiscard]] Populations improved_equilibrium(const NodeState& s) const {
    return hermite_.populations([&](const Int3& powers) {
      const Axes axes = axes_of(powers);
      if (axes.size() > 2) return 0.0;
      double moment = s.density;
      for (const int axis : axes) moment *= s.velocity[axis];
      return moment;
    });
  }

  /// Regularised BGK, and the Hermite moments of third order that relax with it: rho u_a u_b u_c and (Malaspinas, arXiv
  /// 1505.06900, eq. 3.9) u_a Pi_bc + u_b Pi_ac + u_c Pi_ab.
  [[nodiscard]] Populations recursive_regularized(const Populations& f, double omega) const {
    const NodeState s = state_of(f);
    const Tensor p = stress(f);
    Populations result = bgk(regularized(f), omega, guo(f));
    const Populations third = hermite_.populations([&](const Int3& powers) {
      const Axes a = axes_of(powers);
      if (a.size() != 3) return 0.0;
      const Real3& u = s.velocity;
      const double recursion = u[a[0]] * p[a[1]][a[2]] + u[a[1]] * p[a[0]][a[2]] + u[a[2]] * p[a[0]][a[1]];
      return reference_density(s.density) * u[a[0]] * u[a[1]] * u[a[2]] + (1 - omega) * recursion;
    });
    for (int i = 0; i < lattice_.size(); ++i) result[i] += third[i];
    return result;
  }

  [[nodiscard]] double dot_c(int i, const Real3& v) const {
    return lattice_.c[i][0] * v[0] + lattice_.c[i][1] * v[1] + lattice_.c[i][2] * v[2];
  }

  /// Guo, Zheng & Shi 2002 without the factor 1 - omega/2: w_i (3 (c - u) + 9 (c.u) c) . F
  [[nodiscard]] Populations guo(const Populations& f) const {
    return force_terms(state_of(f).velocity, physics_.force);
  }
  [[nodiscard]] Populations force_terms(const Real3& u, const Real3& of_node) const {
    Real3 force{};
    for (int a = 0; a < lattice_.dimension; ++a) force[a] = of_node[a];
    if (is_d3q13()) return from_moments(d3q13::force_moments(u, force));
    Populations source(lattice_.size());
    for (int i = 0; i < lattice_.size(); ++i)
      source[i] = lattice_.w[i] * (3 * (dot_c(i, force) - fluvia::dot(u, force)) + 9 * dot_c(i, u) * dot_c(i, force));
    return source;
  }

  [[nodiscard]] Tensor with_one_rate(Tensor p, double tau) const {
    if (!is_d3q13()) return p;
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b)
        p[a][b] *= a == b ? d3q13::normal_scale(viscosity(tau)) : d3q13::shear_scale(viscosity(tau));
    return p;
  }

  [[nodiscard]] Populations bgk(const Populations& f, double omega, const Populations& source) const {
    const Populations feq = equilibrium(state_of(f));
    Populations result(lattice_.size());
    for (int i = 0; i < lattice_.size(); ++i)
      result[i] = f[i] - omega * (f[i] - feq[i]) + (1 - 0.5 * omega) * source[i];
    return result;
  }

  /// Ginzburg et al. 2008: symmetric and antisymmetric parts with a rate each.
  [[nodiscard]] Populations trt(const Populations& f, double omega_plus) const {
    const double omega_minus = 1 / (physics_.magic / (1 / omega_plus - 0.5) + 0.5);
    const Populations feq = equilibrium(state_of(f)), source = guo(f);
    Populations result(lattice_.size());
    for (int i = 0; i < lattice_.size(); ++i) {
      const int o = lattice_.opposite[i];
      const double plus = 0.5 * ((f[i] - feq[i]) + (f[o] - feq[o]));
      const double minus = 0.5 * ((f[i] - feq[i]) - (f[o] - feq[o]));
      result[i] = f[i] - omega_plus * plus - omega_minus * minus +
                  (1 - 0.5 * omega_plus) * 0.5 * (source[i] + source[o]) +
                  (1 - 0.5 * omega_minus) * 0.5 * (source[i] - source[o]);
    }
    return result;
  }

  [[nodiscard]] double rate_of(const std::string& name, double omega) const {
    if (is_d3q13() && name == "normal") return d3q13::normal_rate(viscosity(1 / omega));
    if (is_d3q13() && name == "shear") return d3q13::shear_rate(viscosity(1 / omega));
    if (name == "shear") return omega;
    if (name == "conserved") return 1;  // any value: with Guo's forcing momentum gains F whatever the rate
    const auto chosen = physics_.rates.find(name);
    return chosen != physics_.rates.end() ? chosen->second : default_rates(physics_.lattice).at(name);
  }

  /// f + M^-1 (S M (f^eq - f) + (1 - S/2) M F) with dense matrices.
  [[nodiscard]] Populations mrt(const Populations& f, double omega) const {
    const Populations feq = equilibrium(state_of(f)), source = guo(f);
    const int q = lattice_.size();
    Populations change(q, 0.0), result = f;
    for (int k = 0; k < q; ++k) {
      const double rate = rate_of(basis_.rate[k], omega);
      for (int i = 0; i < q; ++i)
        change[k] += basis_.matrix[k][i] * (rate * (feq[i] - f[i]) + (1 - 0.5 * rate) * source[i]);
    }
    for (int i = 0; i < q; ++i)
      for (int k = 0; k < q; ++k) result[i] += basis_.inverted[i][k] * change[k];
    return result;
  }

  /// f rebuilt from density, momentum (without the force's half) and stress. Latt & Chopard 2006.
  [[nodiscard]] Populations regularized(const Populations& f) const {
    Populations result = equilibrium(state_of(f));
    const Tensor p = stress(f);
    for (int i = 0; i < lattice_.size(); ++i) {
      double projection = 0;
      for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b)
          projection += (lattice_.c[i][a] * lattice_.c[i][b] - (a == b ? 1.0 / 3 : 0)) * p[a][b];
      double first = 0;  // the first moment of f - f^eq is -F/2
      for (int a = 0; a < lattice_.dimension; ++a) first -= 0.5 * lattice_.c[i][a] * physics_.force[a];
      result[i] += lattice_.w[i] * (3 * first + 4.5 * projection);
    }
    return result;
  }

  Physics physics_;
  Lattice lattice_;
  // Asked for at every node.
  bool is_d3q13_ = physics_.lattice == "D3Q13", is_improved_ = physics_.equilibrium == "improved",
       is_incompressible_ = physics_.equilibrium == "incompressible";
  MomentBasis basis_;
  ProductBasis hermite_, monomials_;
};

}  // namespace reference
