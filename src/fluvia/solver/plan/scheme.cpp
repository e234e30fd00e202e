// SPDX-License-Identifier: Apache-2.0
#include "fluvia/solver/plan/scheme.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "fluvia/base/error.hpp"
#include "fluvia/case/physics/registered_formats.hpp"
#include "fluvia/core/collision/collide_moments.hpp"
#include "fluvia/core/collision/registry.hpp"
#include "fluvia/core/equilibrium/registry.hpp"
#include "fluvia/core/format/rounding.hpp"
#include "fluvia/core/lattice/registry.hpp"
#include "fluvia/core/scheme/registry.hpp"
#include "fluvia/solver/plan/storage_family.hpp"

namespace fluvia {

namespace {
template <class Condition>
std::vector<std::string> names_if(const Condition& condition) {
  std::vector<std::string> names;
  for (const Scheme& scheme : core::schemes)
    if (condition(scheme)) names.emplace_back(scheme.name);
  return names;
}
}  // namespace

bool is_splittable(const Scheme& scheme) {
  return !scheme.uses_index_map();
}

bool exchanges_populations(const Scheme& scheme) {
  return is_splittable(scheme) && !scheme.keeps_moments();
}

namespace {

/// Names of the lattices, and of the collisions with an equilibrium, whose populations follow from
/// core::SecondMoments.
std::vector<std::string> lattices_of_moments() {
  std::vector<std::string> names;
  core::for_each_type(core::Lattices{}, [&]<class Lattice>(Lattice) {
    if (core::SecondMoments<Lattice>::supports) names.emplace_back(Lattice::name);
  });
  return names;
}
std::vector<std::string> collisions_of_moments(const std::string& equilibrium) {
  std::vector<std::string> names;
  core::for_each_type(core::Equilibria{}, [&]<class Equilibrium>(Equilibrium) {
    if (equilibrium != Equilibrium::name) return;
    core::for_each_type(core::Collisions{}, [&]<class Collision>(Collision) {
      if (core::follows_from_moments<Collision, Equilibrium>) names.emplace_back(Collision::name);
    });
  });
  return names;
}

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

std::string force_problem(const Scheme& scheme, const std::string& collision, bool force, bool varies) {
  bool third_order = false;
  core::for_each_type(core::Collisions{}, [&]<class Collision>(Collision) {
    third_order = third_order || (collision == Collision::name && core::leaves_third_order<Collision>);
  });
  if (!scheme.keeps_moments() || !third_order || !force || !varies) return "";
  return fmt::format(
      "{} finds what '{}' leaves of third order from a rate that is the same everywhere where a force "
      "acts; use a constant viscosity, collision \"{}\", or scheme \"{}\"",
      scheme.name, collision, core::Regularized::name, scheme.instead);
}

std::string rounding_problem(const Scheme& scheme, const std::string& format, const std::string& rounding) {
  if (!scheme.keeps_moments() || !format_rounds(format) ||
      rounding != core::rounding_names[static_cast<int>(core::Rounding::nearest)])
    return "";
  return fmt::format("\"nearest\" would carry slow flows wrong beside scheme \"{}\" in 16 bits; use \"{}\" or \"auto\"",
                     scheme.name, core::rounding_names[static_cast<int>(core::Rounding::stochastic)]);
}

std::string scheme_problem(const Scheme& scheme, const std::string& lattice, const std::string& collision,
                           const std::string& equilibrium) {
  if (!scheme.keeps_moments()) return "";
  const auto problem = [&](const std::string& what, const std::string& instead) {
    return fmt::format("{} keeps mass, momentum and stress of each node, and {}; use {}, or scheme \"{}\"", scheme.name,
                       what, instead, scheme.instead);
  };
  if (const auto lattices = lattices_of_moments(); !has(lattices, lattice))
    return problem(fmt::format("populations on {} do not follow from these", lattice),
                   fmt::format("lattice {}", fmt::join(lattices, ", ")));
  const std::vector<std::string> collisions = collisions_of_moments(equilibrium);
  if (collisions.empty())
    return problem(fmt::format("equilibrium '{}' has moments of higher order", equilibrium), "another equilibrium");
  if (!has(collisions, collision))
    return problem(fmt::format("collision '{}' leaves more behind", collision),
                   fmt::format("collision \"{}\"", fmt::join(collisions, "\" or \"")));
  return "";
}

const Scheme& parse_scheme(const std::string& name) {
  for (const Scheme& scheme : core::schemes)
    if (name == scheme.name) return scheme;
  throw_input(fmt::format("numerics.scheme: there is no scheme '{}'; choose one of {}", name,
                          fmt::join(names_if([](const Scheme&) { return true; }), ", ")));
}

std::vector<std::string> scheme_names() {
  return names_if([](const Scheme& scheme) { return scheme.cpu && !scheme.half; });
}

std::vector<std::string> gpu_scheme_names() {
  return names_if([](const Scheme& scheme) { return scheme.cuda && !scheme.half; });
}

std::vector<std::string> half_scheme_names(const std::string& device) {
  return names_if([&](const Scheme& scheme) { return scheme.half && (device == "cpu" ? scheme.cpu : scheme.cuda); });
}

void require_device(const Scheme& scheme, const std::string& device) {
  if (device == "cpu" ? scheme.cpu : scheme.cuda) return;
  throw_input(fmt::format("numerics.scheme: {} runs on {} only; use {} on a {}", scheme.name,
                          scheme.serial     ? "one thread of a CPU"
                          : device == "cpu" ? "GPUs"
                                            : "CPUs",
                          scheme.instead, device == "cpu" ? "CPU" : "GPU"));
}

void require_splittable(const Scheme& scheme) {
  if (is_splittable(scheme)) return;
  throw_input(
      fmt::format("numerics.scheme: {} stores the whole box by an index map and does not run on several ranks or GPUs; "
                  "use {}, or auto",
                  scheme.name, fmt::join(names_if(exchanges_populations), ", ")));
}

Crosses what_crosses(const Scheme& scheme) {
  return scheme.keeps_moments() ? Crosses::nodes : Crosses::populations;
}

int numbers_of_node(const Scheme& scheme, const std::string& lattice) {
  int numbers = 0;
  core::for_each_type(core::Lattices{}, [&]<class Lattice>(Lattice) {
    if (scheme.keeps_moments() && lattice == Lattice::name) numbers = core::SecondMoments<Lattice>::count;
  });
  return numbers;
}

void require_populations(const Scheme& scheme) {
  require_splittable(scheme);
  if (exchanges_populations(scheme)) return;
  throw_input(
      fmt::format("numerics.scheme: {} keeps moments instead of the populations that levels of refinement exchange; "
                  "use {}, or auto",
                  scheme.name, fmt::join(names_if(exchanges_populations), ", ")));
}

void require_rows(const Scheme& scheme, int rows) {
  if (rows > 0 && !scheme.has_rows())
    throw_input(
        fmt::format("numerics.gpu_rows: has no meaning for scheme '{}', whose blocks of threads do not go through "
                    "rows of the box; remove it, or take one of {}",
                    scheme.name, fmt::join(names_if([](const Scheme& s) { return s.cuda && s.has_rows(); }), ", ")));
}

int tile_edge(const Scheme& scheme, int dimension, int asked) {
  const int* const edges = scheme.edges(dimension);
  const int* const end = std::find(edges, edges + 3, 0);
  if (asked == 0) return edges == end ? 0 : edges[0];
  if (edges == end)
    throw_input(
        fmt::format("numerics.tile: has no meaning for scheme '{}', which has no tiles; remove it", scheme.name));
  if (std::find(edges, end, asked) == end)
    throw_input(fmt::format("numerics.tile: {} has no tiles of {} nodes along an edge in {}D; choose one of {}",
                            scheme.name, asked, dimension, fmt::join(edges, end, ", ")));
  return asked;
}

}  // namespace fluvia
