// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <nlohmann/json.hpp>

#include "fluvia/geometry/geometry.hpp"

namespace fluvia {

/// The domain as summary.json has it: dimension, nodes, spacing, fluid nodes, openings, ..., in case units.
nlohmann::json geometry_json(const Geometry& geometry, const Grid& grid);

/// The domain as geometry_json() has it, and all else that `fluvia geometry` finds: surfaces, volume, components,
/// holes, walls, narrow passages, warnings. `si`: whether case units are metres.
nlohmann::json geometry_report_json(const Geometry& geometry, const Grid& grid, bool si);

}  // namespace fluvia
