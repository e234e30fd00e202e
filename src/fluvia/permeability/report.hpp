// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "fluvia/permeability/permeability.hpp"

namespace fluvia {

/// The result for one axis as text, for `fluvia permeability`.
std::string permeability_text(const PermeabilitySettings& settings, const AxisPermeability& result);

/// The results for all axes, the tensor, settings and units; docs/permeability.md explains the entries. Numbers that
/// are not finite become null.
nlohmann::json permeability_json(const PermeabilitySettings& settings, const std::vector<AxisPermeability>& results);

/// Lines about the principal permeabilities; empty unless the flows along all axes were measured.
std::string principal_text(const PermeabilitySettings& settings, const std::vector<AxisPermeability>& results);

}  // namespace fluvia
