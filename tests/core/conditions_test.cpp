// SPDX-License-Identifier: Apache-2.0
// Code that is compiled for some conditions does what code for all of them does.
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <utility>

#include "fluvia/core/boundary/registry.hpp"
#include "fluvia/core/lattice/registry.hpp"

namespace fluvia::core {
namespace {

using Lattice = D3Q19;

struct Outcome {
  double f[Lattice::Q];
  std::array<double, 64> memory;
};

/// What becomes of a node at rest but for a wave, two neighbours of which are behind a surface.
template <ConditionSet conditions>
Outcome applied(int rule, bool sponge) {
  Outcome outcome{};
  double loaded[Lattice::Q];
  for (int i = 0; i < Lattice::Q; ++i) outcome.f[i] = loaded[i] = 0.01 * (i % 5) - 0.02;
  for (std::size_t k = 0; k < outcome.memory.size(); ++k) outcome.memory[k] = 0.001 * static_cast<double>(k);
  CutLinks links{.directions = sponge ? (1u << Lattice::Q) - 1 : 0, .velocity = {0.03, 0.01, 0}, .normal = {-1, 0, 0}};
  for (int i = 0; i < Lattice::Q; ++i)
    if (Lattice::c[i][0] > 0) links.directions |= 1u << i;
  if (boundary_facts(rule).sees_opening()) links.opening = {};  // nobody upstream, nor beside it
  links.memory = 0;
  links.damping = sponge ? 0.3f : 0.0f;
  const SurfaceState surface{.rule = rule, .kind = rule, .values = {0.02, 0.01}};
  CollisionParameters<double> parameters{};
  apply_boundary<Lattice, QuasiCompressible, conditions>(outcome.f, loaded, links, surface, parameters, {},
                                                         outcome.memory.data(), outcome.memory.data());
  return outcome;
}

void expect_same(const Outcome& a, const Outcome& b, const char* name) {
  for (int i = 0; i < Lattice::Q; ++i) EXPECT_EQ(a.f[i], b.f[i]) << name << ", direction " << i;
  EXPECT_EQ(a.memory, b.memory) << name;
}

template <int kind>
void check() {
  if constexpr (boundary_rule(kind) == kind) {
    const Outcome all = applied<all_conditions>(kind, false);
    expect_same(applied<1u << kind>(kind, false), all, boundary_facts(kind).name);
    if (boundary_facts(kind).acts) {
      const Outcome others = applied<all_conditions & ~(1u << kind)>(kind, false);
      bool changes = others.memory != all.memory;  // one that looks at the step before begins by keeping something
      for (int i = 0; i < Lattice::Q; ++i) changes |= others.f[i] != all.f[i];
      EXPECT_TRUE(changes) << boundary_facts(kind).name;
    }
  }
}

TEST(ConditionSet, DoesWhatAllOfThemDo) {
  [&]<int... kinds>(std::integer_sequence<int, kinds...>) {
    (check<kinds>(), ...);
  }
  (std::make_integer_sequence<int, Boundaries::size>{});
  expect_same(applied<sponges>(1, true), applied<all_conditions>(1, true), "sponge");
}

}  // namespace
}  // namespace fluvia::core
