// SPDX-License-Identifier: Apache-2.0
#include "fluvia/case/physics/opening_profiles.hpp"

#include <cmath>

#include "fluvia/base/error.hpp"

namespace fluvia {
namespace {

constexpr core::Key reference_height = {.name = "reference_height",
                                        .dimension = core::Dimension::length,
                                        .meaning = "height above the ground at which the speed is `speed`",
                                        .required = true,
                                        .least = 0,
                                        .above_least = true};

double logarithmic(double height, const std::vector<double>& values) {
  return std::log1p(height / values[0]);
}

double power(double height, const std::vector<double>& values) {
  return std::pow(height, values[0]);
}

}  // namespace

const std::vector<OpeningProfile>& opening_profiles() {
  static const std::vector<OpeningProfile> profiles = {
      {"uniform", "one speed"},
      {"parabolic", "zero on the rim"},
      {"developed", "that of a long pipe of the opening's own cross-section"},
      {"womersley", "that of a pulsating flow in such a pipe, from a periodic `series` of `speed` or `flow_rate`"},
      {"table", "from `profile_file`"},
      {"logarithmic",
       "the wind above rough ground, `speed` ln((z + z0) / z0) / ln((h + z0) / z0) at the height z above `ground`, "
       "with "
       "z0 = `roughness` and h = `reference_height`",
       {{{.name = "roughness",
          .dimension = core::Dimension::length,
          .meaning =
              "aerodynamic roughness length z0 of the ground: 0.0002 m over water, 0.03 m over grass, 1 m over a "
              "town",
          .required = true,
          .least = 0,
          .above_least = true}}},
       logarithmic},
      {"power",
       "the wind as `speed` (z / h)^`exponent`",
       {{{.name = "exponent",
          .meaning = "0.1 over water, 1/7 over grass, 0.3 over a town",
          .required = true,
          .least = 0,
          .most = 1,
          .above_least = true}}},
       power}};
  return profiles;
}

const OpeningProfile& opening_profile(const std::string& name) {
  for (const OpeningProfile& profile : opening_profiles())
    if (name == profile.name) return profile;
  throw Error(ExitCode::internal, "profile " + name + " is not registered");
}

std::vector<core::Key> keys_of(const OpeningProfile& profile) {
  std::vector<core::Key> keys;
  for (const core::Key& key : profile.keys)
    if (key.name != nullptr) keys.push_back(key);
  if (profile.at_height != nullptr) keys.push_back(reference_height);
  return keys;
}

}  // namespace fluvia
