// SPDX-License-Identifier: Apache-2.0
#include "fluvia/case/physics/registered_scalars.hpp"

#include "fluvia/base/error.hpp"
#include "fluvia/core/scalar/lattices.hpp"

namespace fluvia {

namespace {

const std::vector<ScalarLatticeFacts>& scalar_lattice_rows() {
  static const std::vector<ScalarLatticeFacts> rows = [] {
    std::vector<ScalarLatticeFacts> made;
    core::for_each_type(core::ScalarLattices{}, [&]<class Lattice>(Lattice) {
      ScalarLatticeFacts& facts = made.emplace_back();
      facts.name = Lattice::name;
      facts.dimension = Lattice::D;
      facts.directions = Lattice::Q;
      facts.sound_squared = Lattice::sound_squared;
      for (int i = 0; i < Lattice::Q; ++i) {
        facts.velocities.push_back({Lattice::c[i][0], Lattice::c[i][1], Lattice::c[i][2]});
        facts.weights.push_back(Lattice::w[i]);
      }
    });
    return made;
  }();
  return rows;
}

}  // namespace

std::vector<std::string> scalar_lattice_names() {
  std::vector<std::string> names;
  for (const ScalarLatticeFacts& facts : scalar_lattice_rows()) names.push_back(facts.name);
  return names;
}

const ScalarLatticeFacts& facts_of_scalar_lattice(const std::string& name, int dimension) {
  for (const ScalarLatticeFacts& facts : scalar_lattice_rows())
    if (name == "auto" ? facts.dimension == dimension : facts.name == name) return facts;
  throw Error(ExitCode::internal, "there is no lattice of scalars '" + name + "'");
}

}  // namespace fluvia
