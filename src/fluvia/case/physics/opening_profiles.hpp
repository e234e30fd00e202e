// SPDX-License-Identifier: Apache-2.0
// How the normal speed of what an opening prescribes varies over it. Profiles that rise above a ground are complete
// here: a formula of the height and the keys that it reads; the others follow from the opening itself, in
// solver/profiles/opening_shape.cpp.
#pragma once
#include <array>
#include <string>
#include <vector>

#include "fluvia/core/key.hpp"

namespace fluvia {

struct OpeningProfile {
  const char* name;
  const char* meaning;  ///< for the reference of the case file
  /// Keys of its own besides `speed`, `flow_rate` and, above a ground, `ground` and `reference_height`.
  std::array<core::Key, 2> keys{};
  /// Above a ground: the speed at a height, up to a factor, zero at height 0; values of the keys in their order.
  /// Lengths are in any one unit. Null for profiles that follow from the opening.
  double (*at_height)(double height, const std::vector<double>& values) = nullptr;
};

/// Every profile that a case may name:
///   uniform, parabolic, developed, womersley, table   follow from the opening
///   logarithmic  ln((z + z0) / z0), the flow over rough ground in a neutral atmosphere (P. J. Richards & R. P. Hoxey,
///                J. Wind Eng. Ind. Aerodyn. 46-47 (1993) 145)
///   power        z^exponent, its usual approximation (A. G. Davenport, J. Struct. Div. ASCE 86 (1960) 39)
const std::vector<OpeningProfile>& opening_profiles();

/// The profile with this name. Throws Error(internal) for others.
const OpeningProfile& opening_profile(const std::string& name);

/// Keys of a profile, without the unused rest of the array; above a ground with `reference_height`, the last one.
std::vector<core::Key> keys_of(const OpeningProfile& profile);

}  // namespace fluvia
