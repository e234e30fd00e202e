// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "fluvia/base/text.hpp"
#include "fluvia/run/findings/findings_parts.hpp"
#include "fluvia/run/findings/other_reynolds.hpp"

namespace fluvia {

std::string other_reynolds(const Units& units) {
  if (!(units.physical_viscosity > 0) || units.physical_viscosity == units.viscosity) return "";
  if (units.reynolds() > 0)
    return fmt::format("Re = {}, not {}", format_count(units.reynolds()), format_count(units.physical_reynolds()));
  return fmt::format("{} times the viscosity", format_count(units.viscosity / units.physical_viscosity));
}

namespace findings {

std::optional<Finding> reynolds(const Material& m) {
  const Units& units = m.end.seen.units;
  if (!(units.physical_viscosity > 0)) return {};
  // The drag coefficient of a body that creeps is proportional to 1 / Re, that of one in a fast flow falls to a fifth
  // at once where its layers turn turbulent: there is no bound for what another number does.
  constexpr double good = 1.02, bad = 1.5;
  const double ratio = units.viscosity / units.physical_viscosity, factor = std::max(ratio, 1 / ratio);
  Finding f{"Reynolds number", judge(factor, good, bad), factor, good, "times"};
  if (units.reynolds() > 0)
    f.found =
        fmt::format("{} computed, {} asked", format_count(units.reynolds()), format_count(units.physical_reynolds()));
  else
    f.found = fmt::format("computed with {} times the viscosity of the real fluid", format_count(ratio));
  if (f.judgement == Judgement::good) return f;
  f.brief = "another flow than the one that was asked for (Reynolds number: " + f.found + ")";
  f.advice.text = fmt::format(
      "take no coefficient for that of the real flow; with its own viscosity, units.viscosity = {}, the grid would "
      "need "
      "nodes {} times as close for the same number of each node",
      format_short(m.end.c.units.physical_viscosity.value_or(0), 6), format_count(std::max(ratio, 1.0)));
  return f;
}

}  // namespace findings

}  // namespace fluvia
