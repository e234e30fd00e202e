// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace fluvia::names {

/// The field that says what solids consist of, in cases that have some in which a scalar spreads.
inline constexpr const char* material_field = "material";

}  // namespace fluvia::names
