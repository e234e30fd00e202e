// SPDX-License-Identifier: Apache-2.0
// Moments of 16 bits: what words hold, and that nothing drifts however long a flow runs.
#include "fluvia/core/format/moment_words.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "fluvia/core/collision/collide_moments.hpp"
#include "fluvia/core/lattice/registry.hpp"

namespace {

namespace core = fluvia::core;
using core::Uint32;
using core::Uint64;
using T = core::Contracted<float>;

template <class Lattice>
using Words = core::MomentWords<Lattice>;
template <class Lattice>
constexpr int count = core::SecondMoments<Lattice>::count;

/// Calls test<Lattice>() for every lattice whose populations follow from these moments.
template <class Test>
void on_lattices(const Test& test) {
  core::for_each_type(core::Lattices{}, [&]<class Lattice>(Lattice) {
    if constexpr (core::SecondMoments<Lattice>::supports) {
      SCOPED_TRACE(Lattice::name);
      test(Lattice{});
    }
  });
}

/// Moments of a flow with a speed of some tenths, its stress near that of equilibrium.
template <class Lattice>
void draw(std::mt19937& random, T (&m)[count<Lattice>]) {
  std::uniform_real_distribution<float> any(-1, 1);
  m[0] = T(0.2f * any(random));
  for (int a = 0; a < Lattice::D; ++a) m[1 + a] = T(0.2f * any(random));
  for (int k = 0; k < 6; ++k)
    if (const int at = core::SecondMoments<Lattice>::stress(k); at >= 0)
      m[at] = T(0.03f * any(random) + m[1 + core::tensor_row[k]].value * m[1 + core::tensor_column[k]].value);
}

bool is_whole(float x, float unit) {
  return x / unit == std::nearbyint(x / unit);
}

TEST(MomentWords, HoldMomentsToAUnit) {
  on_lattices([]<class Lattice>(Lattice) {
    std::mt19937 random(1);
    for (int k = 0; k < 1000; ++k) {
      T m[count<Lattice>], again[count<Lattice>];
      draw<Lattice>(random, m);
      Uint32 words[Words<Lattice>::count];
      Words<Lattice>::encode(m, static_cast<Uint32>(random()), words);
      Words<Lattice>::decode(words, again);
      for (int i = 0; i < count<Lattice>; ++i)
        // The momentum that is kept also stands in what is kept of the stress.
        ASSERT_NEAR(again[i].value, m[i].value, (i <= Lattice::D ? 1.0 : 1.5) * Words<Lattice>::unit) << "moment " << i;
      // What is kept is kept: words of words are the same but for the last digit of the stress.
      Uint32 of_these[Words<Lattice>::count];
      Words<Lattice>::encode(again, static_cast<Uint32>(random()), of_these);
      T third[count<Lattice>];
      Words<Lattice>::decode(of_these, third);
      for (int i = 0; i <= Lattice::D; ++i) ASSERT_EQ(third[i].value, again[i].value);
    }
  });
}

TEST(MomentWords, RoundToTheRightMean) {
  on_lattices([]<class Lattice>(Lattice) {
    std::mt19937 random(2);
    T m[count<Lattice>];
    draw<Lattice>(random, m);
    for (T& moment : m) moment = T(moment.value * 1e-4f);  // parts of a unit count
    std::vector<double> mean(count<Lattice>, 0.0);
    constexpr int draws = 20000;
    for (int k = 0; k < draws; ++k) {
      Uint32 words[Words<Lattice>::count];
      T again[count<Lattice>];
      Words<Lattice>::encode(m, static_cast<Uint32>(random()), words);
      Words<Lattice>::decode(words, again);
      for (int i = 0; i < count<Lattice>; ++i) mean[i] += again[i].value / draws;
    }
    for (int i = 0; i < count<Lattice>; ++i)
      EXPECT_NEAR(mean[i], m[i].value, 5 * 0.5 / std::sqrt(draws) * Words<Lattice>::unit) << "moment " << i;
  });
}

TEST(MomentWords, TellWhatTheyCannotHold) {
  on_lattices([]<class Lattice>(Lattice) {
    const float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
    for (const int bad : {0, 1})
      for (const float value : {nan, infinity, -infinity, 0.25f, -0.25f, 3.0f, 1e30f}) {
        T m[count<Lattice>] = {}, again[count<Lattice>];
        m[bad] = T(value);
        Uint32 words[Words<Lattice>::count];
        Words<Lattice>::encode(m, 5, words);
        Words<Lattice>::decode(words, again);
        EXPECT_TRUE(std::isnan(again[0].value)) << "moment " << bad << " of " << value;
        T f[Lattice::Q];
        core::SecondMoments<Lattice>::rebuild(again, f);
        Words<Lattice>::round(again, Words<Lattice>::bits_of(words, 0), f);
        EXPECT_TRUE(std::isnan(f[0].value));
      }
    // A stress beyond its bounds is the nearest.
    T m[count<Lattice>] = {}, again[count<Lattice>];
    m[1 + Lattice::D] = T(0.5f);
    m[2 + Lattice::D] = T(-0.5f);
    Uint32 words[Words<Lattice>::count];
    Words<Lattice>::encode(m, 5, words);
    Words<Lattice>::decode(words, again);
    EXPECT_NEAR(again[1 + Lattice::D].value, 0.0625f, 2 * Words<Lattice>::unit);
    EXPECT_NEAR(again[2 + Lattice::D].value, -0.0625f, 2 * Words<Lattice>::unit);
    EXPECT_EQ(again[0].value, 0);
  });
}

/// Rebuilt populations are whole, have the mass and momentum of their node exactly, and the right mean.
TEST(MomentWords, RebuildWholePopulations) {
  on_lattices([]<class Lattice>(Lattice) {
    std::mt19937 random(3);
    T m[count<Lattice>];
    draw<Lattice>(random, m);
    Uint32 words[Words<Lattice>::count];
    Words<Lattice>::encode(m, 7, words);
    Words<Lattice>::decode(words, m);
    T exact[Lattice::Q];
    core::SecondMoments<Lattice>::rebuild(m, exact);
    std::vector<double> mean(Lattice::Q, 0.0);
    constexpr int draws = 20000;
    for (int k = 0; k < draws; ++k) {
      T f[Lattice::Q];
      for (int i = 0; i < Lattice::Q; ++i) f[i] = exact[i];
      Words<Lattice>::round(m, Words<Lattice>::bits_of(words, static_cast<Uint32>(k)), f);
      double mass = 0, momentum[3] = {};
      for (int i = 0; i < Lattice::Q; ++i) {
        ASSERT_TRUE(is_whole(f[i].value, Words<Lattice>::unit));
        mean[i] += f[i].value / draws;
        mass += f[i].value;
        for (int a = 0; a < Lattice::D; ++a) momentum[a] += Lattice::c[i][a] * f[i].value;
      }
      ASSERT_EQ(mass, m[0].value);
      for (int a = 0; a < Lattice::D; ++a) ASSERT_EQ(momentum[a], m[1 + a].value);
    }
    // That at rest makes up for all others.
    for (int i = 0; i < Lattice::Q; ++i)
      EXPECT_NEAR(mean[i], exact[i].value, (i == 0 ? 12 : 5) * 0.5 / std::sqrt(draws) * Words<Lattice>::unit)
          << "direction " << i;
  });
}

/// A flow between walls or in a periodic box, D2Q9, as passes over moments of 16 bits step it.
class SmallFlow {
 public:
  using Lattice = core::D2Q9;
  SmallFlow(int nx, int ny, bool walls, double viscosity, float force)
      : nx_(nx), ny_(ny), walls_(walls), leaving_(nx * ny), arrived_(leaving_) {
    parameters_.omega = T(static_cast<float>(1 / (3 * viscosity + 0.5)));
    parameters_.force[0] = T(force);
  }
  void set(int x, int y, float density, float u, float v) {
    T m[6] = {T(density - 1),     T(density * u),     T(density * v),
              T(density * u * u), T(density * v * v), T(density * u * v)};
    leave(x + nx_ * y, m);
  }
  void step() {
    ++step_;
    for (int y = 0; y < ny_; ++y)
      for (int x = 0; x < nx_; ++x)
        for (int i = 0; i < 9; ++i) {
          const int from = y - Lattice::c[i][1];
          const bool is_cut = walls_ && (from < 0 || from >= ny_);
          const int at = (x - Lattice::c[i][0] + nx_) % nx_ + nx_ * ((from + ny_) % ny_);
          arrived_[x + nx_ * y].f[i] = is_cut ? leaving_[x + nx_ * y].f[core::opposite(i)] : leaving_[at].f[i];
        }
    for (int n = 0; n < nx_ * ny_; ++n) {
      T m[6];
      core::SecondMoments<Lattice>::find(arrived_[n].f, m);
      core::collide_moments<Lattice, core::QuasiCompressible, true, core::Newtonian>(m, parameters_);
      leave(n, m);
    }
  }
  /// Sums over all nodes of the mass and of the momentum along each axis.
  [[nodiscard]] std::vector<double> sums() const {
    std::vector<double> result(3, 0.0);
    for (const Node& node : leaving_)
      for (int i = 0; i < 9; ++i) {
        result[0] += node.f[i].value;
        for (int a = 0; a < 2; ++a) result[1 + a] += Lattice::c[i][a] * static_cast<double>(node.f[i].value);
      }
    return result;
  }

 private:
  struct Node {
    T f[9];
  };
  void leave(int n, const T (&m)[6]) {
    Uint32 words[3];
    T kept[6];
    Words<Lattice>::encode(m, core::node_bits(static_cast<Uint32>(n), core::step_key(step_)), words);
    Words<Lattice>::decode(words, kept);
    core::SecondMoments<Lattice>::rebuild(kept, leaving_[n].f);
    Words<Lattice>::round(kept, Words<Lattice>::bits_of(words, static_cast<Uint32>(n)), leaving_[n].f);
  }
  int nx_, ny_;
  bool walls_;
  std::vector<Node> leaving_, arrived_;
  core::CollisionParameters<T> parameters_{};
  Uint64 step_ = 0;
};

/// Mass and momentum of a periodic flow, and the mass between walls, are what they were, to the last bit.
TEST(MomentWords, LetNothingDrift) {
  constexpr int n = 12, steps = 100'000;
  for (const bool walls : {false, true}) {
    SmallFlow flow(n, n, walls, 0.02, 0);
    for (int y = 0; y < n; ++y)
      for (int x = 0; x < n; ++x) {
        const double k = 2 * 3.14159265358979 / n;
        flow.set(x, y, static_cast<float>(1 + 0.003 * std::cos(k * x)),
                 static_cast<float>(0.022 + 0.05 * std::sin(k * x) * std::cos(k * y)),
                 static_cast<float>(-0.05 * std::cos(k * x) * std::sin(k * y)));
      }
    const std::vector<double> before = flow.sums();
    for (int step = 0; step < steps; ++step) flow.step();
    const std::vector<double> after = flow.sums();
    EXPECT_EQ(after[0], before[0]);
    if (walls) continue;
    EXPECT_EQ(after[1], before[1]);
    EXPECT_EQ(after[2], before[2]);
  }
}

/// A flow of some units of speed that a force of thousandths of a unit drives reaches what it should: to the nearest,
/// it would stand still or run away (decision 0042 has the same flow over populations).
TEST(MomentWords, DriveSlowFlows) {
  constexpr int length = 32, width = 20, steps = 20'000;
  constexpr double viscosity = 0.1, force = 2e-8;
  SmallFlow flow(length, width, true, viscosity, static_cast<float>(force));
  for (int y = 0; y < width; ++y)
    for (int x = 0; x < length; ++x) flow.set(x, y, 1, 0, 0);
  double momentum = 0;
  int samples = 0;
  for (int step = 0; step < steps; ++step) {
    flow.step();
    if (step < steps / 4 || step % 50 != 0) continue;
    momentum += flow.sums()[1];
    ++samples;
  }
  double expected = 0;
  for (int y = 0; y < width; ++y) expected += length * force / (2 * viscosity) * (y + 0.5) * (width - y - 0.5);
  EXPECT_NEAR(momentum / samples / expected, 1, 0.05);
}

}  // namespace
