// SPDX-License-Identifier: Apache-2.0
#include "fluvia/solver/plan/omissions.hpp"

#include <fmt/format.h>

#include <sstream>

#include "fluvia/base/error.hpp"

namespace fluvia {

namespace {

/// Whether an omission applies: to steps that are one kernel, of tiles or of boxes whose nodes have types; steps with
/// ghost cells are two kernels.
bool has(const Scheme& scheme, const core::OmissionFacts& facts) {
  using enum core::Addressing;
  if (scheme.addressing == tiles)
    return scheme.stepping != core::Stepping::ghost_cells &&
           (scheme.copies == 1 ? facts.of_one_copy : facts.of_two_copies);
  if (!scheme.cuda || scheme.stepping != core::Stepping::single) return false;
  const bool is_box = scheme.addressing == array_of_structures || scheme.addressing == structure_of_arrays;
  return (is_box && facts.of_boxes) || (scheme.addressing == half_box && facts.of_half_boxes);
}

}  // namespace

core::Uint32 parse_omissions(const std::string& names, const Scheme& scheme) {
  core::Uint32 set = 0;
  std::istringstream list(names);
  for (std::string name; std::getline(list, name, '+');) {
    core::Uint32 bit = 0;
    std::string known;
    for (const core::OmissionFacts& facts : core::omissions) {
      if (!has(scheme, facts)) continue;
      if (name == facts.name) bit = facts.bit;
      known += (known.empty() ? "" : ", ") + std::string(facts.name);
    }
    if (bit == 0)
      throw_input(fmt::format(
          "--without: steps of {} cannot do without '{}'; {}", scheme.name, name,
          known.empty() ? "those of tiles (t2c, tgb) and of whole boxes (soa-push, ...) can do without something"
                        : "they can do without " + known));
    set |= bit;
  }
  return set;
}

bool keeps_flow(core::Uint32 omissions) {
  for (const core::OmissionFacts& facts : core::omissions)
    if (!facts.keeps_flow && (omissions & facts.bit) != 0) return false;
  return true;
}

}  // namespace fluvia
