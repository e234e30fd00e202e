// SPDX-License-Identifier: Apache-2.0
#include "fluvia/draft/tunnel/heat.hpp"

#include <fmt/format.h>

#include "fluvia/base/error.hpp"
#include "fluvia/draft/choices.hpp"

namespace fluvia::draft {

namespace {

// Air at 20 °C and 1 bar, and aluminium of heat sinks, EN AW-6060 (VDI Heat Atlas, 2nd edition, D2.2 and D6).
constexpr double prandtl = 0.71, air_conductivity = 0.0258, air_capacity = 1.2 * 1006;  // W/(m K), J/(m3 K)
constexpr double metal_conductivity = 200;                                              // W/(m K)
/// Heat capacity of the metal over that of air that is computed with; 2000 in nature.
constexpr double capacity_ratio = 5;

}  // namespace

void check_heating(const DraftRequest& request, const std::vector<Body>& bodies) {
  if (bodies.size() != 1)
    throw Error(ExitCode::usage,
                fmt::format("--heat: heats one body, and there are {}; give a file with one", bodies.size()));
  if (request.levels > 0)
    throw Error(ExitCode::usage, "--heat: solids that conduct do not run on levels yet; leave out --levels");
  if (!request.fluid.empty() && request.fluid != "air")
    throw Error(ExitCode::usage, "--heat: is for a body in air; leave out --fluid");
  if (bodies.front().holes > 0)
    throw_input(fmt::format("{}: the body has {} holes, so that its volume is not known; close them for --heat",
                            bodies.front().file.string(), bodies.front().holes));
}

void write_heat_of_wind(CaseText& text, const Heating& heating) {
  text.table("scalars", fmt::format("{{ temperature = {{ value = {:.1f} }} }}", heating.air), "K, of the wind");
}

void write_heat(CaseText& text, const Heating& heating, const Body& body, double viscosity) {
  text.section("[[scalar]]")
      .key("name", "temperature")
      .key("unit", "K")
      .key("prandtl", prandtl, "of air: viscosity over thermal diffusivity")
      .key("initial", heating.air);
  text.section("[[solid]]").key("surface", body.name, "of aluminium");
  text.comment(fmt::format(
      "Aluminium has 2000 times the heat capacity of air, and would take as much longer to become warm. The steady end "
      "knows only the product with the diffusivity, the ratio of conductivities, {:.0f}: so here it takes up less.",
      metal_conductivity / air_conductivity));
  text.key("capacity_ratio", capacity_ratio)
      .key("diffusivity", rounded(metal_conductivity / air_conductivity * viscosity / prandtl / capacity_ratio, 4),
           "m2/s")
      .key("source", format_short(heating.power / (heating.volume * capacity_ratio * air_capacity), 5),
           fmt::format("K/s: {} W over {} m3 and {:.0f} J/(m3 K)", format_short(heating.power, 4),
                       format_short(heating.volume, 4), capacity_ratio * air_capacity));
}

}  // namespace fluvia::draft
