// SPDX-License-Identifier: Apache-2.0
#include "fluvia/solver/method.hpp"

#include "fluvia/case/physics/registered_formats.hpp"
#include "fluvia/case/physics/registered_physics.hpp"
#include "fluvia/solver/links/cut_links.hpp"
#include "fluvia/solver/plan/scheme.hpp"

namespace fluvia {

const core::Scheme& Method::scheme_facts() const {
  return parse_scheme(scheme);
}

const core::CollisionFacts& Method::collision_facts() const {
  return facts_of_collision(collision);
}

int Method::directions() const {
  return facts_of_lattice(lattice).directions;
}

std::vector<Int3> Method::velocities() const {
  return lattice_velocities(lattice);
}

std::vector<double> Method::weights() const {
  return lattice_weights(lattice);
}

int Method::storage_bytes() const {
  return fluvia::storage_bytes(format);
}

int Method::arithmetic_bytes() const {
  return fluvia::arithmetic_bytes(format);
}

bool Method::rounds() const {
  return format_rounds(format);
}

}  // namespace fluvia
