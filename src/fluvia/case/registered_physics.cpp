// SPDX-License-Identifier: Apache-2.0
#include "fluvia/case/registered_physics.hpp"

#include "fluvia/base/text.hpp"
#include "fluvia/core/collision/registry.hpp"
#include "fluvia/core/format/formats.hpp"
#include "fluvia/core/lattice/registry.hpp"

namespace fluvia {

std::vector<std::string> lattice_names(int dimension) {
  std::vector<std::string> names;
  core::for_each_type(core::Lattices{}, [&]<class Lattice>(Lattice) {
    if (dimension == 0 || dimension == Lattice::D) names.emplace_back(Lattice::name);
  });
  return names;
}

std::string default_lattice(int dimension) {
  return dimension == 2 ? core::D2Q9::name : core::D3Q19::name;
}

std::string collision_problem(const std::string& collision, const std::string& lattice) {
  std::vector<std::string> valid;
  std::string needed;
  core::for_each_type(core::Lattices{}, [&]<class Lattice>(Lattice) {
    if (lattice != Lattice::name) return;
    core::for_each_type(core::Collisions{}, [&]<class Collision>(Collision) {
      if constexpr (Collision::template supports<Lattice>)
        valid.emplace_back(Collision::name);
      else if (collision == Collision::name)
        needed = Collision::needs;
    });
  });
  if (needed.empty()) return "";
  return "'" + collision + "' does not work on " + lattice + ": it needs " + needed + "; use " + join(valid, " or ");
}

bool format_rounds(const std::string& format) {
  bool result = false;
  core::for_each_type(core::Formats{}, [&]<class Format>(Format) {
    if (format == Format::name) result = core::rounds<Format>;
  });
  return result;
}

std::vector<std::string> mrt_rate_names(const std::string& lattice) {
  std::vector<std::string> names;
  core::for_each_type(core::Lattices{}, [&]<class Lattice>(Lattice) {
    if constexpr (core::MrtBasis<Lattice>::available) {
      using Basis = core::MrtBasis<Lattice>;
      if (lattice == Lattice::name) names.assign(Basis::rate_names, Basis::rate_names + Basis::free_rates);
    }
  });
  return names;
}

}  // namespace fluvia
