// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <span>

#include "fluvia/base/vector.hpp"
#include "fluvia/core/boundary/condition.hpp"

namespace fluvia {

/// Ranks of the faces of the box. Where two faces meet whose boundary conditions do not say which comes first, the one
/// of smaller rank does: it has the links that leave through both, and completes populations before the other. So that
/// no axis is special, the smaller rank belongs to the face across the longer axis, then to the one with the earlier
/// boundary condition by name, then to that of the earlier axis. `size`: NodeMap::whole_size(); `conditions`: those of
/// the six faces.
std::array<int, 6> face_ranks(const Int3& size, std::span<const core::ConditionFacts* const> conditions);

}  // namespace fluvia
