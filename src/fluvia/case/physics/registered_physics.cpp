// SPDX-License-Identifier: Apache-2.0
#include "fluvia/case/physics/registered_physics.hpp"

#include <algorithm>

#include "fluvia/base/error.hpp"
#include "fluvia/base/text.hpp"
#include "fluvia/core/boundary/registry.hpp"
#include "fluvia/core/collision/registry.hpp"
#include "fluvia/core/equilibrium/registry.hpp"
#include "fluvia/core/lattice/registry.hpp"

namespace fluvia {

namespace {

template <class Types>
std::vector<std::string> names_of(Types types) {
  std::vector<std::string> names;
  core::for_each_type(types, [&]<class Type>(Type) { names.emplace_back(Type::name); });
  return names;
}

}  // namespace

std::vector<std::string> collision_names() {
  return names_of(core::Collisions{});
}

namespace {
/// The row of a table with this name, or null.
template <class Facts>
const Facts* find_row(const std::vector<Facts>& rows, const std::string& name) {
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const Facts& row) { return row.name == name; });
  return found == rows.end() ? nullptr : &*found;
}

const CollisionFacts* find_collision(const std::string& name) {
  static const std::vector<CollisionFacts> all = [] {
    std::vector<CollisionFacts> facts;
    core::for_each_type(core::Collisions{}, [&]<class Collision>(Collision) {
      facts.push_back({Collision::facts, Collision::name});
    });
    return facts;
  }();
  return find_row(all, name);
}
}  // namespace

const CollisionFacts& facts_of_collision(const std::string& name) {
  const CollisionFacts* const found = find_collision(name);
  if (found == nullptr) throw Error(ExitCode::internal, "no collision '" + name + "' is registered");
  return *found;
}

const EquilibriumFacts& facts_of_equilibrium(const std::string& name) {
  static const std::vector<EquilibriumFacts> all = [] {
    std::vector<EquilibriumFacts> facts;
    core::for_each_type(core::Equilibria{}, [&]<class Equilibrium>(Equilibrium) {
      facts.push_back({Equilibrium::name, Equilibrium::density(1.0) != 1});
    });
    return facts;
  }();
  const EquilibriumFacts* const found = find_row(all, name);
  if (found == nullptr) throw Error(ExitCode::internal, "no equilibrium '" + name + "' is registered");
  return *found;
}

bool gives_way_early(const std::string& collision) {
  const CollisionFacts* const facts = find_collision(collision);
  return facts != nullptr && facts->gives_way_early;
}

std::vector<std::string> collisions_with(core::OddRates odd_rates) {
  std::vector<std::string> names;
  core::for_each_type(core::Collisions{}, [&]<class Collision>(Collision) {
    if (Collision::facts.odd_rates == odd_rates) names.emplace_back(Collision::name);
  });
  return names;
}

std::vector<std::string> equilibrium_names() {
  return names_of(core::Equilibria{});
}

std::vector<std::string> lattice_names(int dimension) {
  std::vector<std::string> names;
  core::for_each_type(core::Lattices{}, [&]<class Lattice>(Lattice) {
    if (dimension == 0 || dimension == Lattice::D) names.emplace_back(Lattice::name);
  });
  return names;
}

const LatticeFacts& facts_of_lattice(const std::string& name) {
  static const std::vector<LatticeFacts> all = [] {
    std::vector<LatticeFacts> facts;
    core::for_each_type(core::Lattices{}, [&]<class Lattice>(Lattice) {
      LatticeFacts& of = facts.emplace_back();
      of.name = Lattice::name;
      of.dimension = Lattice::D;
      of.directions = Lattice::Q;
      for (int i = 0; i < Lattice::Q; ++i)
        of.velocities.push_back({Lattice::c[i][0], Lattice::c[i][1], Lattice::c[i][2]});
      of.weights.assign(Lattice::w, Lattice::w + Lattice::Q);
      of.isotropic = core::Isotropy<Lattice>::isotropic;
    });
    return facts;
  }();
  const LatticeFacts* const found = find_row(all, name);
  if (found == nullptr)
    throw_input("there is no lattice '" + name + "'" + did_you_mean(name, lattice_names()) +
                " (allowed: " + join(lattice_names()) + ")");
  return *found;
}

std::string default_lattice(int dimension) {
  return dimension == 2 ? core::D2Q9::name : core::D3Q19::name;
}

std::string lattice_of(const Case& c) {
  return c.numerics.lattice == "auto" ? default_lattice(c.domain.dimension) : c.numerics.lattice;
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

std::vector<std::string> boundary_names() {
  std::vector<std::string> names;
  for (int kind = 0; kind < core::Boundaries::size; ++kind) names.emplace_back(core::boundary_facts(kind).name);
  return names;
}

int boundary_kind(const std::string& name) {
  const std::vector<std::string> names = boundary_names();
  const auto found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? -1 : static_cast<int>(found - names.begin());
}

const core::ConditionFacts& facts_of_boundary(const std::string& name) {
  const int kind = boundary_kind(name);
  if (kind < 0)
    throw_input("boundary.type: there is no '" + name + "'" + did_you_mean(name, boundary_names()) +
                " (allowed: " + join(boundary_names()) + ")");
  return core::boundary_facts(kind);
}

std::vector<core::Key> keys_of(const core::ConditionFacts& facts) {
  std::vector<core::Key> keys;
  for (const core::Key& key : facts.keys)
    if (key.name != nullptr) keys.push_back(key);
  return keys;
}

std::vector<std::string> series_quantities(const core::ConditionFacts* facts) {
  std::vector<std::string> quantities;
  const auto add = [&](const std::string& name) {
    if (std::find(quantities.begin(), quantities.end(), name) == quantities.end()) quantities.push_back(name);
  };
  for (int kind = 0; kind < core::Boundaries::size; ++kind) {
    const core::ConditionFacts& row = core::boundary_facts(kind);
    if (facts != nullptr && &row != facts) continue;
    if (row.velocity == core::VelocityKeys::opening) {
      add("speed");
      add("flow_rate");
    }
    for (const core::Key& key : keys_of(row))
      if (key.series) add(key.name);
  }
  return quantities;
}

std::string equilibrium_problem(const std::string& equilibrium, const std::string& collision,
                                const std::string& lattice) {
  std::vector<std::string> valid;
  std::string problem;
  const auto look_at = [&]<class Lattice, class Equilibrium>(Lattice, Equilibrium) {
    bool accepted = true;
    core::for_each_type(core::Collisions{}, [&]<class Collision>(Collision) {
      if (collision == Collision::name) accepted = core::accepts<Collision, Equilibrium>;
    });
    if (Equilibrium::template supports<Lattice> && accepted) valid.emplace_back(Equilibrium::name);
    if (equilibrium != Equilibrium::name) return;
    if (!Equilibrium::template supports<Lattice>)
      problem = "does not work on " + lattice + ": it needs " + Equilibrium::needs;
    else if (!accepted)
      problem = "does not work with collision '" + collision + "', which has an equilibrium of its own";
  };
  core::for_each_type(core::Lattices{}, [&]<class Lattice>(Lattice) {
    if (lattice != Lattice::name) return;
    core::for_each_type(core::Equilibria{}, [&]<class Equilibrium>(Equilibrium) { look_at(Lattice{}, Equilibrium{}); });
  });
  if (problem.empty()) return "";
  return "'" + equilibrium + "' " + problem + "; use " + join(valid, " or ");
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
