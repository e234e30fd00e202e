// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/core/streaming/aa.hpp"
#include "fluvia/core/streaming/esoteric_pull.hpp"
#include "fluvia/core/streaming/pull.hpp"
#include "fluvia/core/streaming/push.hpp"

namespace fluvia::core {
/// Every streaming; add one here and nowhere else.
using Streamings = TypeList<Pull, Aa, EsotericPull, Push>;
}  // namespace fluvia::core
