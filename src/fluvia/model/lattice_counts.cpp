// SPDX-License-Identifier: Apache-2.0
#include "fluvia/model/lattice_counts.hpp"

#include <fmt/format.h>

#include "fluvia/base/error.hpp"
#include "fluvia/base/text.hpp"
#include "fluvia/core/lattice/registry.hpp"

namespace fluvia::model {

const std::vector<LatticeCounts>& lattice_counts() {
  static const std::vector<LatticeCounts> all = [] {
    std::vector<LatticeCounts> lattices;
    core::for_each_type(core::Lattices{}, [&]<class Lattice>(Lattice) {
      int with[4] = {};  // velocities with so many components
      for (const auto& c : Lattice::c) ++with[(c[0] != 0) + (c[1] != 0) + (c[2] != 0)];
      lattices.push_back({Lattice::name, Lattice::D, with[1], with[2], with[3]});
    });
    return lattices;
  }();
  return all;
}

const LatticeCounts& lattice_counts(const std::string& name) {
  std::vector<std::string> names;
  for (const LatticeCounts& lattice : lattice_counts()) {
    if (lattice.name == name) return lattice;
    names.push_back(lattice.name);
  }
  throw_input(fmt::format("model: there is no lattice '{}'; choose one of {}", name, join(names)));
}

}  // namespace fluvia::model
