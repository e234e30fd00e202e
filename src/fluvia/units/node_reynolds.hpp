// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace fluvia {

/// Reynolds number of a node, speed x spacing / viscosity, up to which the check "grid Reynolds number" is good: the
/// grid resolves the flow, and a model of eddies would only make the fluid more viscous than it is.
inline constexpr double good_node_reynolds = 20;

}  // namespace fluvia
