// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace fluvia::core {

/// How 16 bits are stored: the nearest value, or, at random, one of the two next to it, so that the mean is exact
/// (docs/decisions/0016-stochastic-rounding.md). Formats of the arithmetic's own precision do not round.
enum class Rounding { nearest, stochastic };
inline constexpr const char* rounding_names[] = {"nearest", "stochastic"};

}  // namespace fluvia::core
