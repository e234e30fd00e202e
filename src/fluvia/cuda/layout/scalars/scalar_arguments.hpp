// SPDX-License-Identifier: Apache-2.0
// What ScalarArrays have, as kernels take it, in the arithmetic type of a flow.
#pragma once
#include <vector>

#include "fluvia/cuda/layout/scalars/scalar_arrays.hpp"

namespace fluvia::cuda {

template <class T>
std::vector<kernels::ScalarRule<T>> rules_as(const std::vector<ScalarAtSurface>& surfaces) {
  std::vector<kernels::ScalarRule<T>> rules;
  rules.reserve(surfaces.size());
  for (const ScalarAtSurface& at : surfaces)
    rules.push_back({at.rule, {static_cast<T>(at.value), static_cast<T>(at.coefficient)}});
  return rules;
}

template <class T>
std::vector<kernels::ScalarCut<T>> cuts_as(const std::vector<ScalarCutLink>& cuts) {
  std::vector<kernels::ScalarCut<T>> converted;
  converted.reserve(cuts.size());
  for (const ScalarCutLink& cut : cuts)
    converted.push_back({cut.node, cut.inner, cut.surface, cut.out, static_cast<T>(cut.distance),
                         static_cast<T>(cut.area / cut.volume), static_cast<T>(cut.reach)});
  return converted;
}

static_assert(kernels::joint_said == ScalarJoint::said && kernels::joint_kept == ScalarJoint::kept &&
              kernels::none == ScalarJoint::nothing);

template <class T>
std::vector<kernels::ScalarExchangeOfCells<T>> joints_as(const std::vector<ScalarJoint>& joints) {
  std::vector<kernels::ScalarExchangeOfCells<T>> converted;
  converted.reserve(joints.size());
  for (const ScalarJoint& joint : joints)
    converted.push_back({{joint.back[0], joint.back[1]},
                         {static_cast<T>(joint.capacity[0]), static_cast<T>(joint.capacity[1])},
                         static_cast<T>(joint.part),
                         static_cast<T>(joint.distance),
                         {joint.material[0], joint.material[1]},
                         static_cast<unsigned char>(joint.is_elsewhere ? 1 : 0),
                         joint.says});
  return converted;
}

template <class T>
core::ScalarRates<T> rates_of(const ScalarMethod& method, double diffusivity) {
  core::ScalarRates<T> rates{};
  core::for_each_type(core::ScalarLattices{}, [&]<class Lattice>(Lattice) {
    if (method.lattice->name == Lattice::name) rates = core::scalar_rates<Lattice, T>(diffusivity, method.magic);
  });
  return rates;
}

template <class T>
std::vector<kernels::ScalarStrength<T>> strengths_as(const ScalarArrays& from) {
  std::vector<kernels::ScalarStrength<T>> converted;
  converted.reserve(from.strength.size());
  for (const float strength : from.strength)
    converted.push_back({static_cast<T>(strength), rates_of<T>(from.method, strength * from.method.diffusivity)});
  return converted;
}

template <class T>
std::vector<kernels::ScalarSpread<T>> materials_as(const ScalarArrays& from) {
  std::vector<kernels::ScalarSpread<T>> converted;
  converted.reserve(from.solids.material.size());
  for (const ScalarMaterial& material : from.solids.material)
    converted.push_back({rates_of<T>(from.method, material.diffusivity), static_cast<T>(material.diffusivity)});
  return converted;
}

/// Capacity, over that of a cell of fluid, of the node of a cut link.
inline double capacity_of(const ScalarArrays& from, const ScalarCutLink& cut) {
  const std::uint32_t first_solid = kernels::first_solid_node(from.storage_indices);
  const std::size_t material =
      cut.node < first_solid ? 0 : from.material_of_block[(cut.node - first_solid) / kernels::nodes_per_tile];
  return cut.volume * from.solids.material[material].capacity;
}

}  // namespace fluvia::cuda
