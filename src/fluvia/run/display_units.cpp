// SPDX-License-Identifier: Apache-2.0
#include "fluvia/run/display_units.hpp"

#include "fluvia/base/quantity.hpp"

namespace fluvia {

namespace {

struct Row {
  const char* si;
  const char* unit;
  QuantityKind kind;
};
constexpr Row of_blood[] = {{"m3/s", "ml/min", QuantityKind::flow_rate}, {"Pa", "mmHg", QuantityKind::pressure}};

bool is_stress(const Quantity& q) {
  return q.name.find("shear_stress") != std::string::npos;
}

}  // namespace

bool is_blood(const Case& c) {
  constexpr double least = 1040, most = 1070;  // kg/m3
  if (c.units.system != "si") return false;
  const bool dense = c.units.density >= least && c.units.density <= most;
  return dense || (c.physics.rheology && c.physics.rheology->fluid == "blood");
}

void add_display_units(const Case& c, std::vector<Quantity>& results) {
  if (!is_blood(c)) return;
  for (Quantity& q : results)
    for (const Row& row : of_blood)
      if (q.unit == row.si && !is_stress(q)) q.also = OtherUnit{row.unit, 1 / *find_unit(row.unit, row.kind)};
}

}  // namespace fluvia
