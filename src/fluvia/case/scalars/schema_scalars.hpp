// SPDX-License-Identifier: Apache-2.0
// The part of the schema that says what scalars are. For schema.cpp alone.
#pragma once
#include "fluvia/case/case.hpp"
#include "fluvia/case/toml/visitor.hpp"

namespace fluvia::schema {

/// What any name begins with: names of scalars are checked once all of a case is known (validate_scalars.cpp beside
/// this).
inline constexpr const char* any_name = "";

inline constexpr const char* meaning_of_scalars =
    "What the flow carries along and spreads by itself: a [temperature, a species, an age](heat.md).";
void carried_scalar(Section& s, Case::Scalar& scalar);

inline constexpr const char* scalars_of_boundary =
    "What the surface does to the scalar NAME: exactly one of `value`, `flux`, `exchange`, `adiabatic`. Written "
    "`scalars = { temperature = { value = 300 } }`.";
void scalar_condition(Section& s, Case::Boundary::ScalarCondition& condition);

inline constexpr const char* meaning_of_solids =
    "A body in which a scalar spreads, as heat does; to the flow it is a [wall](heat.md#solids).";
void conducting_solid(Section& s, Case::Solid& body);

}  // namespace fluvia::schema
