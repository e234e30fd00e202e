// SPDX-License-Identifier: Apache-2.0
// All registered physics, for tests that go through the registries: new entries are tested unasked.
#pragma once
#include <algorithm>
#include <optional>
#include <ostream>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "fluvia/case/physics/registered_formats.hpp"
#include "fluvia/case/physics/rheology.hpp"
#include "fluvia/core/collision/registry.hpp"
#include "fluvia/core/equilibrium/registry.hpp"
#include "fluvia/core/format/registry.hpp"
#include "fluvia/core/format/rounding.hpp"
#include "fluvia/core/lattice/registry.hpp"
#include "fluvia/core/scheme/registry.hpp"
#include "reference/reference_solver.hpp"

namespace scene {

struct Combination {
  reference::Physics physics;
  int dimension = 2, directions = 9;
};

inline std::ostream& operator<<(std::ostream& out, const Combination& c) {
  return out << c.physics.lattice;
}

/// A fluid of every registered model, lattice units; thinning at the shear rates of the scenes, about 0.01. A new model
/// needs a line here, or the tests say so.
inline std::vector<reference::Rheology> rheologies() {
  const std::vector<reference::Rheology> known = {
      {"carreau-yasuda",
       {{"zero_shear_viscosity", 0.23},
        {"infinite_shear_viscosity", 0.012},
        {"relaxation_time", 310},
        {"yasuda_exponent", 0.9},
        {"power_index", 0.35}}},
      {"casson", {{"yield_stress", 1.1e-4}, {"plastic_viscosity", 0.017}}, 0.017, 0.41},
      {"power-law", {{"consistency", 0.011}, {"flow_index", 0.6}}, 0.008, 0.5}};
  std::vector<reference::Rheology> result;
  for (const std::string& model : fluvia::rheology_names()) {
    const auto found = std::find_if(known.begin(), known.end(), [&](const auto& r) { return r.model == model; });
    if (found == known.end()) throw std::invalid_argument("tests/reference/combinations.hpp has no fluid for " + model);
    result.push_back(*found);
  }
  return result;
}

inline std::string viscosity_name(const reference::Physics& p) {
  return p.smagorinsky > 0 ? "les" : p.rheology.model;
}

/// Constant, that of large eddies, and every fluid that a lattice can have, or only that whose turn it is.
inline std::vector<reference::Physics> viscosities(const std::string& lattice, std::optional<std::size_t> turn) {
  std::vector<reference::Physics> result(2);
  result[1].smagorinsky = 0.18;
  std::vector<reference::Rheology> fluids;
  for (const reference::Rheology& fluid : rheologies())
    if (fluvia::viscosity_problem(fluid.model, lattice).empty()) fluids.push_back(fluid);
  for (std::size_t k = 0; k < fluids.size(); ++k)
    if (!turn || k == *turn % fluids.size()) {
      result.emplace_back();
      result.back().rheology = fluids[k];
    }
  return result;
}

/// Every lattice x collision x equilibrium with its viscosities, or, if the fluids take turns, with every fluid for BGK
/// and one for others; the numbers are uneven so that no two terms can stand in for each other.
inline std::vector<Combination> collect_combinations(bool fluids_take_turns) {
  using fluvia::core::for_each_type;
  std::vector<Combination> result;
  std::size_t turn = 0;
  for_each_type(fluvia::core::Lattices{}, [&]<class Lattice>(Lattice) {
    for_each_type(fluvia::core::Collisions{}, [&]<class Collision>(Collision) {
      for_each_type(fluvia::core::Equilibria{}, [&]<class Equilibrium>(Equilibrium) {
        if constexpr (fluvia::core::combines<Lattice, Collision, Equilibrium>) {
          const bool has_turns = fluids_take_turns && !std::is_same_v<Collision, fluvia::core::Bgk>;
          const std::size_t now = turn++;
          for (const reference::Physics& viscosity :
               viscosities(Lattice::name, has_turns ? std::optional(now) : std::nullopt)) {
            const double smagorinsky = viscosity.smagorinsky;
            Combination c;
            c.physics.rheology = viscosity.rheology;
            c.dimension = Lattice::D;
            c.directions = Lattice::Q;
            c.physics.lattice = Lattice::name;
            c.physics.collision = Collision::name;
            c.physics.equilibrium = Equilibrium::name;
            c.physics.smagorinsky = smagorinsky;
            c.physics.tau = smagorinsky > 0 ? 0.53 : 0.71;
            c.physics.magic = smagorinsky > 0 ? 0.21 : 3.0 / 16;
            if (smagorinsky > 0) c.physics.rates = {{"energy", 1.3}, {"energy_flux", 1.7}};
            result.push_back(c);
          }
        }
      });
    });
  });
  return result;
}

/// Every lattice x collision x equilibrium x viscosity.
inline std::vector<Combination> every_combination() {
  return collect_combinations(false);
}

/// Of every combination those with all fluids for BGK, and for other collisions with one of them in turn.
inline std::vector<Combination> combinations() {
  return collect_combinations(true);
}

/// A scheme with one of the sizes of its tiles; 0 if it has no choice.
struct Variant {
  fluvia::core::Scheme scheme;
  int tile = 0;
};

inline std::ostream& operator<<(std::ostream& out, const Variant& v) {
  out << v.scheme.name;
  return v.tile > 0 ? out << "_tile_" << v.tile : out;
}

/// Every scheme of a device that works with every lattice, with every size of its tiles.
inline std::vector<Variant> variants(int dimension, const std::string& device = "cpu") {
  std::vector<Variant> result;
  for (const fluvia::core::Scheme& scheme : fluvia::core::schemes) {
    if (!(device == "cpu" ? scheme.cpu : scheme.cuda) || scheme.half) continue;
    if (!scheme.has_tiles()) result.push_back({scheme});
    for (int k = 0; k < 3; ++k)
      if (const int edge = scheme.edges(dimension)[k]; edge != 0) result.push_back({scheme, edge});
  }
  return result;
}

/// A format, and how it rounds if it does.
struct Encoding {
  std::string format, rounding = "auto";
};

inline std::ostream& operator<<(std::ostream& out, const Encoding& e) {
  return out << e.format << ' ' << e.rounding;
}

inline std::vector<Encoding> encodings() {
  std::vector<Encoding> result;
  fluvia::core::for_each_type(fluvia::core::Formats{}, [&]<class Format>(Format) {
    if constexpr (fluvia::core::rounds<Format>)
      for (const char* rounding : fluvia::core::rounding_names) result.push_back({Format::name, rounding});
    else
      result.push_back({Format::name});
  });
  return result;
}

}  // namespace scene
