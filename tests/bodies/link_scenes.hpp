// SPDX-License-Identifier: Apache-2.0
// Bodies of all kinds, whose links tests look at.
#pragma once
#include <fmt/format.h>

#include <string>
#include <vector>

#include "fluvia/core/lattice/registry.hpp"
#include "fluvia/geometry/problem.hpp"
#include "fluvia/solver/bodies/moving_bodies.hpp"

namespace fluvia::test {

struct BodyScene {
  std::string name, shapes, center, motion;
  int dimension = 3;
  std::string others = {};  ///< of the case: what stands still, other bodies
};

inline std::string scene_text(const BodyScene& scene) {
  return fmt::format(R"case(
[units]
system = "lattice"
viscosity = 0.06
[domain]
dimension = {}
nodes = {}
periodic = [true, false, {}]
{}
[[body]]
surface = "body"
motion = {{ center = {}, {} }}
{}
[run]
steps = 100
)case",
                     scene.dimension, scene.dimension == 2 ? "[45, 27]" : "[37, 31, 26]", scene.dimension == 3,
                     scene.shapes, scene.center, scene.motion, scene.others);
}

inline std::string shape(const std::string& content) {
  return "[[geometry.shape]]\nname = \"body\"\n" + content + "\n";
}

inline const std::string turning = "velocity = [0.08, 0.021, -0.027], angular_velocity = [0.004, -0.005, 0.0045]";

inline std::vector<BodyScene> body_scenes() {
  const std::string center = "[30.2, 13.13, 12.4]";
  const auto box = [](const std::string& size) {
    return shape("kind = \"box\"\ncenter = [30.2, 13.13, 12.4]\nsize = " + size);
  };
  const std::string post =
      "[[geometry.shape]]\nname = \"post\"\nkind = \"cylinder\"\nfrom = [9.2, 20, -9]\nto = [9.2, 20, 99]\n"
      "radius = 6.1";
  return {
      {"ball", shape("kind = \"sphere\"\ncenter = [30.2, 13.13, 12.4]\nradius = 4.3"), center, turning},
      {"box", box("[7.3, 5.2, 6.1]"), center, turning},
      {"plate", box("[7.3, 0.4, 6.1]"), center, turning},
      {"needle", box("[0.3, 9.1, 0.2]"), center, turning},
      {"cylinder", shape("kind = \"cylinder\"\nfrom = [27.2, 12.1, 10.4]\nto = [33.1, 14.2, 13.4]\nradius = 2.9"),
       center, turning},
      {"disc", shape("kind = \"cylinder\"\nfrom = [30.2, 13.13, 12.2]\nto = [30.3, 13.1, 12.6]\nradius = 4.4"), center,
       turning},
      {"capsule", shape("kind = \"capsule\"\nfrom = [27.2, 12.1, 10.4]\nto = [33.1, 14.2, 13.4]\nradius = 1.9"), center,
       turning},
      {"rotor beside a post",
       box("[13.1, 2.2, 6.1]") + box("[2.2, 13.1, 6.1]") +
           shape("kind = \"cylinder\"\nfrom = [30.2, 13.13, 8]\nto = [30.2, 13.13, 17.2]\nradius = 2.1"),
       center, turning, 3, post},
      {"two", box("[7.3, 5.2, 6.1]"), center, turning, 3,
       "[[geometry.shape]]\nname = \"other\"\nkind = \"sphere\"\ncenter = [11.3, 12.1, 12.4]\nradius = 3.2\n"
       "[[body]]\nsurface = \"other\"\nmotion = { velocity = [0.07, 0.02, 0] }"},
      {"piston", shape("kind = \"box\"\ncenter = [15.2, 15.5, 12.4]\nsize = [7.3, 31, 14.3]"), "[15.2, 15.5, 12.4]",
       "velocity = [0.08, 0, 0.02]"},
      {"piston in a plane", shape("kind = \"box\"\ncenter = [15.2, 13.5]\nsize = [7.3, 27]"), "[15.2, 13.5]",
       "velocity = [0.08, 0]", 2},
      {"bar in a plane", shape("kind = \"box\"\ncenter = [30.2, 13.13]\nsize = [9.2, 2.7]"), "[30.2, 13.13]",
       "velocity = [0.09, 0.01], angular_velocity = [0, 0, 0.011]", 2},
      {"disc in a plane", shape("kind = \"cylinder\"\nfrom = [30.2, 13.13]\nto = [30.2, 13.13]\nradius = 4.4"),
       "[30.2, 13.13]", "velocity = [0.09, 0.01], angular_velocity = [0, 0, 0.011]", 2},
      {"sheet in a plane", shape("kind = \"box\"\ncenter = [30.2, 13.13]\nsize = [9.2, 0.3]"), "[30.2, 13.13]",
       "velocity = [0.09, 0.01], angular_velocity = [0, 0, 0.011]", 2},
  };
}

/// A case with what refers to it.
struct Flow {
  Case settings;
  Grid grid;
  Units units;
  Geometry geometry;
  std::vector<Int3> velocities;
  std::vector<double> weights;

  /// On the lattice with the most directions.
  explicit Flow(const BodyScene& scene) : Flow(scene, scene.dimension == 2 ? "D2Q9" : "D3Q27") {}
  Flow(const BodyScene& scene, const std::string& lattice)
      : settings(parse_case(scene_text(scene), "links.toml")),
        grid(make_grid(settings)),
        units(make_units(settings, grid.spacing)),
        geometry(build_geometry(settings, grid)) {
    core::for_each_type(core::Lattices{}, [&]<class Lattice>(Lattice) {
      if (lattice != Lattice::name) return;
      for (int i = 0; i < Lattice::Q; ++i) {
        velocities.push_back({Lattice::c[i][0], Lattice::c[i][1], Lattice::c[i][2]});
        weights.push_back(Lattice::w[i]);
      }
    });
  }
  [[nodiscard]] MovingBodies bodies(int threads) const {
    return MovingBodies({settings, units, geometry}, velocities, threads);
  }
};

}  // namespace fluvia::test
