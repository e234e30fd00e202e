// SPDX-License-Identifier: Apache-2.0
// Models of viscosity solve their own equation, whatever the numbers, and stay between their limits.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "fluvia/core/viscosity/registry.hpp"

namespace fluvia::core {
namespace {

/// Logarithms and powers of 2 against the library's: round-off of the result, or of 1 where that is larger.
template <class S>
void expect_powers_and_logarithms() {
  constexpr double unit = std::numeric_limits<S>::epsilon();
  for (double x = -120; x < 120; x += 0.01371) {
    const S power = binary_power(static_cast<S>(x));
    EXPECT_NEAR(static_cast<double>(power) / std::exp2(static_cast<double>(static_cast<S>(x))), 1, 2 * unit) << x;
    const S number = static_cast<S>(std::exp2(x));
    const double logarithm = std::log2(static_cast<double>(number));
    EXPECT_NEAR(static_cast<double>(binary_logarithm(number)), logarithm, unit * std::max(2.0, std::abs(logarithm)));
  }
  EXPECT_EQ(binary_logarithm(S(1)), S(0));
  EXPECT_EQ(binary_power(S(0)), S(1));
  EXPECT_GT(binary_power(S(-1e9)), S(0));
  EXPECT_TRUE(std::isfinite(binary_power(S(1e9))));
}

TEST(BinaryFunctions, AreAsGoodAsTheNumbers) {
  expect_powers_and_logarithms<float>();
  expect_powers_and_logarithms<double>();
}

/// Numbers of a fluid's keys, and how far its solution may be from that of its equation, relative.
struct Fluid {
  std::vector<double> keys;
  double tolerance;
};

/// Ordinary fluids (the first is blood on a lattice with a time step of 1 ms and nodes of 0.3 mm), and the least
/// favourable that the keys allow.
template <class Model>
std::vector<Fluid> fluids() {
  if constexpr (std::is_same_v<Model, Smagorinsky>) return {{{0.17}, 1e-14}, {{1}, 1e-14}};
  if constexpr (std::is_same_v<Model, CarreauYasuda>)
    return {{{1.68, 0.037, 8200, 0.64, 0.2128}, 2e-14}, {{0.1, 0.1, 10, 2, 0.5}, 1e-14}, {{3, 3e-4, 1e3, 4, 0}, 1e-8}};
  if constexpr (std::is_same_v<Model, Casson>) return {{{1e-4, 0.01}, 1e-13}, {{0, 0.1}, 1e-14}, {{1, 1e-5}, 1e-12}};
  if constexpr (std::is_same_v<Model, PowerLaw>)
    return {{{0.01, 0.5}, 1e-13}, {{0.01, 1.5}, 1e-13}, {{0.1, 1}, 1e-13}, {{1e-3, 0.1}, 1e-11}, {{10, 3}, 1e-12}};
}

template <class Visitor>
void for_each_fluid(Visitor&& visit) {
  for_each_type(Viscosities{}, [&]<class Model>(Model) {
    if constexpr (Model::varies) {
      const std::vector<Fluid> known = fluids<Model>();
      ASSERT_FALSE(known.empty()) << Model::facts.name << " needs numbers in this test";
      for (std::size_t k = 0; k < known.size(); ++k) {
        SCOPED_TRACE(testing::Message() << Model::facts.name << ' ' << k);
        double keys[max_viscosity_keys] = {};
        std::copy(known[k].keys.begin(), known[k].keys.end(), keys);
        CollisionParameters<double> p;
        p.tau = 0.6;
        p.omega = 1 / p.tau;
        const ViscosityNumbers numbers = Model::prepare(keys, (p.tau - 0.5) / 3, 1);
        ASSERT_EQ(numbers.problem, nullptr);
        for (int i = 0; i < max_viscosity_numbers; ++i) p.viscosity[i] = numbers.value[i];
        const double least = std::max(numbers.least, 1e-4), most = std::min(numbers.most, 4.0);
        p.least_log_tau = std::log2(3 * least + 0.5);
        p.most_log_tau = std::log2(3 * most + 0.5);
        visit(Model{}, p, known[k].tolerance, least, most);
      }
    }
  });
}

/// tau = 1/2 + 3 nu(|S|) with |S| = x / tau, or a limit, over 14 decades of x.
TEST(Viscosities, SolveTheirOwnEquation) {
  for_each_fluid([]<class Model>(Model, const auto& p, double tolerance, double least, double most) {
    for (double x = 1e-12; x < 100; x *= 1.37) {
      const double tau = 1 / Model::omega(x, p), shear_rate = x / tau;
      double viscosity = Model::viscosity(shear_rate, p);
      if (Model::facts.of_fluid) viscosity = std::min(std::max(viscosity, least), most);
      EXPECT_NEAR(tau / (0.5 + 3 * viscosity), 1, tolerance) << "x " << x;
    }
  });
}

/// Nothing to divide by at rest; and single precision finds what double precision does.
TEST(Viscosities, AreFiniteAtRestAndTheSameInSinglePrecision) {
  for_each_fluid([]<class Model>(Model, const auto& p, double tolerance, double, double) {
    CollisionParameters<float> single;
    single.tau = static_cast<float>(p.tau);
    single.omega = static_cast<float>(p.omega);
    for (int i = 0; i < max_viscosity_numbers; ++i) single.viscosity[i] = static_cast<float>(p.viscosity[i]);
    single.least_log_tau = static_cast<float>(p.least_log_tau);
    single.most_log_tau = static_cast<float>(p.most_log_tau);
    for (double x = 0; x < 100; x = x * 1.37 + 1e-9) {
      const double omega = Model::omega(x, p);
      ASSERT_TRUE(omega > 0 && omega < 2) << omega;
      // log2 of x is up to 30: its last digit is 2e-6.
      EXPECT_NEAR(static_cast<double>(Model::omega(static_cast<float>(x), single)) / omega, 1, 1e-5 + tolerance) << x;
    }
  });
}

/// What a registered fluid must refuse.
TEST(Viscosities, RefuseContradictions) {
  const auto problem = [](auto model, std::vector<double> values) {
    double keys[max_viscosity_keys] = {};
    std::copy(values.begin(), values.end(), keys);
    return decltype(model)::prepare(keys, 0.1, 1).problem;
  };
  EXPECT_EQ(problem(CarreauYasuda{}, {0.2, 0.1, 10, 2, 0.5}), nullptr);
  EXPECT_NE(problem(CarreauYasuda{}, {0.1, 0.2, 10, 2, 0.5}), nullptr);
  EXPECT_NE(problem(CarreauYasuda{}, {0.2, 0, 10, 2, 0.5}), nullptr);
  EXPECT_NE(problem(CarreauYasuda{}, {0.2, 0.1, 0, 2, 0.5}), nullptr);
  EXPECT_NE(problem(PowerLaw{}, {0, 0.5}), nullptr);
  EXPECT_NE(problem(Casson{}, {0.1, 0}), nullptr);
}

}  // namespace
}  // namespace fluvia::core
