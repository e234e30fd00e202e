// SPDX-License-Identifier: Apache-2.0
// Passes of several steps, run on the host, against single steps.
#pragma once
#include <algorithm>
#include <vector>

#include "cuda/emulation/emulated.hpp"

namespace emulation {

/// Passes of another number of steps.
template <class Base, int number>
struct WithSteps : Base {
  static constexpr int steps = number;
};

template <class First, class Second>
void expect_near(const std::vector<First>& found, const std::vector<Second>& expected, double tolerance) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t n = 0; n < found.size(); ++n) ASSERT_NEAR(found[n], expected[n], tolerance) << "number " << n;
}

/// What stored numbers stand for.
template <class Format>
std::vector<double> decoded(const std::vector<typename Format::Storage>& stored) {
  std::vector<double> values(stored.size());
  std::transform(stored.begin(), stored.end(), values.begin(), [](auto x) { return Format::decode(x); });
  return values;
}

/// A pass of several steps gives what single steps do in these scenes: whatever conditions do, and keep. `Single`: what
/// takes those. `first_steps`: single steps before the first pass.
template <class OfScheme, class Single = OfScheme>
void compare_passes_in(const std::vector<scene::Scene>& scenes, double tolerance, int first_steps) {
  using Lattice = typename OfScheme::Lattice;
  using Format = typename OfScheme::Format;
  for (const scene::Scene& s : scenes) {
    SCOPED_TRACE(testing::Message() << s.name << ' ' << Lattice::name);
    reference::Physics physics;
    physics.lattice = Lattice::name;
    physics.collision = OfScheme::Collision::name;
    Emulated<OfScheme> passes(s, {physics, OfScheme::scheme.name, Format::name, 1, "cuda"});
    Emulated<Single> single(s, {physics, Single::scheme.name, Single::Format::name, 1, "cuda"});
    const auto start = scene::make_solver(s, {physics, "pull", Format::name, 1, "cpu"});
    const fluvia::NodeMap& nodes = start->geometry().nodes;
    using SingleFormat = typename Single::Format;
    std::vector<typename Format::Storage> a(nodes.fluid_nodes);
    std::vector<typename SingleFormat::Storage> b(nodes.fluid_nodes);
    for (int i = 0; i < Lattice::Q; ++i) {
      start->save({fluvia::flow_populations, i, 0, nodes.tiles.size()}, std::as_writable_bytes(std::span(a)));
      std::transform(a.begin(), a.end(), b.begin(), [](auto x) {
        return SingleFormat::encode(static_cast<typename SingleFormat::Arithmetic>(Format::decode(x)));
      });
      passes.exchange(i, a, true);
      single.exchange(i, b, true);
    }
    for (int step = 0; step < first_steps; ++step) {
      passes.step();
      single.step();
    }
    for (int pass = 0; pass < 3; ++pass) {
      passes.pass();
      for (int step = 0; step < OfScheme::steps; ++step) single.step();
    }
    for (int i = 0; i < Lattice::Q; ++i) {
      passes.exchange(i, a, false);
      single.exchange(i, b, false);
      SCOPED_TRACE(testing::Message() << "direction " << i);
      ASSERT_NO_FATAL_FAILURE(expect_near(decoded<Format>(a), decoded<SingleFormat>(b), tolerance));
    }
    ASSERT_NO_FATAL_FAILURE(expect_near(passes.memory(), single.memory(), tolerance));
  }
}

/// In all scenes, and in channels that openings and sponges quieten.
template <class OfScheme, class Single = OfScheme>
void compare_passes_of(double tolerance, int first_steps) {
  using Lattice = typename OfScheme::Lattice;
  std::vector<scene::Scene> scenes = scene::all_scenes(Lattice::D);
  const scene::Scene channel = scene::channel(Lattice::D == 3 ? fluvia::Int3{13, 7, 9} : fluvia::Int3{37, 21, 1});
  for (const double sponge : {0.0, 5.0}) scenes.push_back(scene::quiet(channel, sponge));
  // The other way around, what is remembered lies where columns behind the end of the box wrap to.
  std::swap(scenes.back().conditions[0].surface, scenes.back().conditions[1].surface);
  compare_passes_in<OfScheme, Single>(scenes, tolerance, first_steps);
}

/// By another collision.
template <class Base, class Other>
struct WithCollision : Base {
  using Collision = Other;
};

}  // namespace emulation
