// SPDX-License-Identifier: Apache-2.0
#include "fluvia/run/findings/findings.hpp"

#include "fluvia/run/findings/findings_parts.hpp"

namespace fluvia {

std::vector<Finding> find_out(const RunEnd& end, const Assessment& assessment) {
  using namespace findings;
  // The questions in the order in which they count: a fault of an early one spoils the later ones.
  constexpr Question questions[] = {
      complete,       drive,          reynolds,      flat_box,    parameters, half_way_walls,   slip,
      steady,         statistics,     balance,       density,     mach,       viscosity_bounds, reference_velocity,
      reference_area, blockage,       body,          walls,       passages,   grid_reynolds,    eddies,
      creeping,       scalar_balance, scalar_bounds, cell_peclet, rounding,   settings,         findings::grid_error};
  const Material material{end, assessment, {end.c, end.seen.units, end.seen.grid, end.planned_end}};
  std::vector<Finding> found;
  for (const Question question : questions)
    if (auto finding = question(material)) found.push_back(std::move(*finding));
  return found;
}

}  // namespace fluvia
