// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/core/format/fp16c.hpp"
#include "fluvia/core/format/fp16s.hpp"
#include "fluvia/core/format/fp32.hpp"
#include "fluvia/core/format/fp64.hpp"

namespace fluvia::core {
/// Every format; add one here and nowhere else.
using Formats = TypeList<Fp64, Fp32, Fp16S, Fp16C>;
}  // namespace fluvia::core
