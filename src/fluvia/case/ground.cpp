// SPDX-License-Identifier: Apache-2.0
#include "fluvia/case/ground.hpp"

#include <algorithm>
#include <vector>

#include "fluvia/base/text.hpp"
#include "fluvia/case/names.hpp"
#include "fluvia/case/physics/opening_profiles.hpp"
#include "fluvia/case/physics/registered_physics.hpp"
#include "fluvia/case/validate.hpp"

namespace fluvia {

namespace {

int face_of(const std::string& name) {
  const auto found = std::find(names::faces.begin(), names::faces.end(), name);
  return found == names::faces.end() ? -1 : static_cast<int>(found - names::faces.begin());
}

/// Whether fluid at a face of the box is at rest there.
bool is_wall_at_rest(const Case& c, int face) {
  const auto axis = static_cast<std::size_t>(face / 2);
  if (c.domain.periodic[axis] || (c.domain.dimension == 2 && axis == 2)) return false;
  const std::string& name = names::faces[static_cast<std::size_t>(face)];
  for (const Case::Boundary& b : c.boundaries) {
    if (b.surface != name) continue;
    const core::ConditionFacts& facts = facts_of_boundary(b.type);
    return facts.sticks && !facts.is_opening && facts.velocity == core::VelocityKeys::none;
  }
  return true;
}

}  // namespace

bool is_above_ground(const Case::Boundary& b) {
  return opening_profile(b.profile).at_height != nullptr;
}

int ground_of(const Case& c, const Case::Boundary& b, const std::string& path) {
  const int own = face_of(b.surface);
  const std::string above = "profile = \"" + b.profile + "\"";
  if (!b.ground.empty()) {
    const int ground = face_of(b.ground);
    if (own >= 0 && ground / 2 == own / 2)
      validation::fail(c, path + ".ground",
                       "'" + b.ground + "' does not meet '" + b.surface + "'; name a face of the box beside it");
    if (!is_wall_at_rest(c, ground))
      validation::fail(c, path + ".ground",
                       "'" + b.ground + "' is no wall at rest, on which the speed of " + above +
                           " is 0; give it type = \"wall\", or use profile = \"uniform\"");
    return ground;
  }
  if (own < 0)
    validation::fail(c, path + ".profile",
                     "'" + b.profile + "' needs 'ground', the face of the box above which it rises, since '" +
                         b.surface + "' is no face of the box");
  std::vector<std::string> walls;
  for (int face = 0; face < 2 * c.domain.dimension; ++face)
    if (face / 2 != own / 2 && is_wall_at_rest(c, face)) walls.push_back(names::faces[static_cast<std::size_t>(face)]);
  if (walls.size() != 1)
    validation::fail(c, path + ".profile",
                     "'" + b.profile + "' needs a ground, and " +
                         (walls.empty() ? "no face beside '" + b.surface +
                                              "' is a wall at rest; give the ground type = \"wall\", or use profile = "
                                              "\"uniform\""
                                        : join(walls) + " are walls at rest; say which one with 'ground'"));
  return face_of(walls.front());
}

double speed_at_height(const Case::Boundary& b, double height) {
  const OpeningProfile& profile = opening_profile(b.profile);
  std::vector<double> values;
  for (const core::Key& key : keys_of(profile)) {
    const auto given = b.values.find(key.name);
    values.push_back(given == b.values.end() ? key.standard : given->second);
  }
  const double shape = height > 0 ? profile.at_height(height, values) : 0;
  const double reference = values.back();
  if (!(reference > 0)) return shape;
  return b.speed.value_or(1) * shape / profile.at_height(reference, values);
}

}  // namespace fluvia
