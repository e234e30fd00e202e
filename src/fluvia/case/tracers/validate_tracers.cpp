// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "fluvia/base/text.hpp"
#include "fluvia/case/names.hpp"
#include "fluvia/case/validate.hpp"

namespace fluvia::validation {

namespace {

/// Refuses points that come from nowhere, or from two places.
void check_emitter(const Case& c, const std::string& path, const Case::Tracer& tracer) {
  const int places = (tracer.from.empty() ? 0 : 1) + (tracer.box ? 1 : 0) + (tracer.sphere ? 1 : 0);
  if (places != 1)
    fail(c, path,
         std::string(places == 0 ? "says nothing of where its points come from"
                                 : "says twice where its points come from") +
             "; give exactly one of 'from' (an opening), 'box', 'sphere'");
  if (tracer.rate.has_value() == tracer.count.has_value())
    fail(c, path,
         std::string(tracer.rate ? "has 'rate' and 'count'; remove one" : "needs 'rate', points per time, or 'count'"));
  if (tracer.count && tracer.end)
    fail(c, path + ".end", "has no meaning beside 'count', all of which appear at 'start'");
  if (tracer.end && *tracer.end <= tracer.start)
    fail(c, path + ".end", "'" + format_real(*tracer.end) + "' is not after 'start', " + format_real(tracer.start));
  if (tracer.sphere) check_flat(c, path + ".sphere.center", tracer.sphere->center);
  if (!tracer.box) return;
  const auto& [lower, upper] = *tracer.box;
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(c.domain.dimension); ++axis)
    if (upper[axis] < lower[axis])
      fail(c, path + ".box",
           "the upper corner must not lie below the lower one, but along " + names::axes[axis] + " '" +
               format_real(upper[axis]) + "' is below '" + format_real(lower[axis]) + "'");
}

/// Refuses what does not go with tracers yet, so that nobody takes numbers for what they are not.
void check_use_of_tracers(const Case& c) {
  const auto refuse = [&](const std::string& key, const std::string& what, const std::string& instead) {
    fail(c, key, what + " is not possible with [[tracer]] yet; " + instead);
  };
  if (!c.bodies.empty()) refuse("body", "a body that moves", "remove [[body]]");
  for (std::size_t k = 0; k < c.geometry.stl.size(); ++k)
    if (c.geometry.stl[k].fluid == "both")
      refuse("geometry.stl[" + std::to_string(k) + "].fluid", "a sheet, fluid = \"both\",",
             "give it a thickness of at least one node");
}

}  // namespace

void check_tracers(const Case& c) {
  for (std::size_t k = 0; k < c.tracers.size(); ++k) {
    const std::string path = "tracer[" + std::to_string(k) + "]";
    const Case::Tracer& tracer = c.tracers[k];
    check_name(c, path + ".name", tracer.name);
    for (std::size_t other = 0; other < k; ++other)
      if (c.tracers[other].name == tracer.name)
        fail(c, path + ".name", "'" + shorten(tracer.name) + "' is the name of another tracer; choose another");
    check_emitter(c, path, tracer);
    if (tracer.radius > 0 && tracer.stick.empty())
      fail(c, path + ".radius", "has no meaning without 'stick', the surfaces to which points stick");
    const int finest = c.finest_level();
    const double longest = std::ldexp(c.spacing().value_or(1), -finest) / 2;
    if (tracer.radius > longest)
      fail(c, path + ".radius",
           "'" + format_real(tracer.radius) + "' is more than half of the " + (finest > 0 ? "finest " : "") +
               "spacing, " + format_real(longest) + ", which is as far as points see surfaces");
  }
  if (!c.tracers.empty()) check_use_of_tracers(c);
}

}  // namespace fluvia::validation
