// SPDX-License-Identifier: Apache-2.0
#include "fluvia/case/scalars/schema_scalars.hpp"

#include "fluvia/case/names.hpp"

namespace fluvia::schema {

void carried_scalar(Section& s, Case::Scalar& scalar) {
  s.key("name", scalar.name, required(any()), "of fields, columns and conditions: `temperature`");
  s.key("unit", scalar.unit, any(), "what files and pictures call its unit: `K`; nothing is converted");
  s.key("diffusivity", scalar.diffusivity, positive("m2/s"), "how fast it spreads; give this or `prandtl`");
  s.key("prandtl", scalar.prandtl, positive(),
        "Prandtl or Schmidt number, `units.viscosity` / diffusivity; give this or `diffusivity`");
  s.key("initial", scalar.initial, any(), "everywhere at the start");
  s.key("initial_formula", scalar.initial_formula, any(),
        "added to that: a formula of x, y, z, as in `physics.initial_velocity_formula`");
  s.key("initial_file", scalar.initial_file, input_file(),
        "added as well: the field of this name of a `.vtkhdf` file or of the last one in the folder of a run, on any "
        "grid; or a `.npy` array of this box, nodes along z, y, x");
  s.key("reference", scalar.reference, any(),
        "value without buoyancy; numbers are stored as what lies above it, so that small differences keep their "
        "digits; default: `initial`");
  s.key("expansion", scalar.expansion, any(),
        "relative loss of density per unit of the scalar, 1/K: drives the flow along `physics.gravity`; 0 = passive");
  s.key("source", scalar.source, any(),
        "what is added per second, a formula of x, y, z and the time t; `age`: 1, so that the scalar is the time since "
        "the inlet");
  s.key("lattice", scalar.lattice, one_of(names::scalar_lattices), "auto: D2Q5 in 2D, D3Q7 in 3D");
  s.key("magic", scalar.magic, positive(),
        "magic parameter: 1/4 is the most stable, 1/12 has the least error of what is carried along, 1/6 of what "
        "spreads");
  s.key("reference_length", scalar.reference_length, positive("m"),
        "records the Nusselt (Sherwood) number of every surface through which the scalar passes");
  s.key("reference_difference", scalar.reference_difference, positive(),
        "of these numbers; default: between the largest and the least value that surfaces hold");
}

void scalar_condition(Section& s, Case::Boundary::ScalarCondition& condition) {
  s.over_time("value", condition.value, any(),
              "the scalar has this value at the surface; required where fluid comes in. Over time: a formula of t in "
              "quotes, or a series, `{ series = \"t.csv\" }`, CSV `time,value`, with `periodic = true` if it repeats");
  s.over_time("flux", condition.flux, any("m/s"),
              "into the fluid per area, times the unit of the scalar; of heat: W/m2 over density and heat capacity; "
              "over time as `value`");
  s.key("exchange", condition.exchange, positive("m/s"),
        "coefficient h of a flux h (ambient - T); of heat: W/(m2 K) over density and heat capacity");
  s.over_time("ambient", condition.ambient, any(), "value outside, beside `exchange`; over time as `value`");
  s.key("adiabatic", condition.adiabatic, any(), "nothing passes; the default of walls");
}

void conducting_solid(Section& s, Case::Solid& body) {
  s.key("surface", body.surface, required(any()),
        "name of shapes or of an STL: what lies in them, and is not fluid, is of this material");
  s.key("scalar", body.scalar, any(), "which scalar spreads in it; default: the only one");
  s.key("diffusivity", body.diffusivity, required(positive("m2/s")),
        "how fast it spreads; of heat: conductivity over density and heat capacity");
  s.key("capacity_ratio", body.capacity_ratio, positive(),
        "how much of it a volume takes up over what the fluid does; of heat: the ratio of density times heat capacity");
  s.key("source", body.source, any(),
        "what is added to the solid per second, a formula of x, y, z and the time t; of heat: W/m3 over density and "
        "heat capacity of the solid");
}

}  // namespace fluvia::schema
