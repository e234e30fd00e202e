// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "fluvia/core/scheme/omission.hpp"
#include "fluvia/solver/plan/scheme.hpp"

namespace fluvia {

/// The set of core::Omission whose names these are, joined by '+' ("barriers+ghosts"); empty for none. Throws
/// Error(input) for a name that there is not, and if steps of the scheme have no such thing.
core::Uint32 parse_omissions(const std::string& names, const Scheme& scheme);

/// Whether steps with these omissions compute what complete steps do.
bool keeps_flow(core::Uint32 omissions);

}  // namespace fluvia
