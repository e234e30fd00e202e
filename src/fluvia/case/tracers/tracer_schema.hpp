// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/case/case.hpp"
#include "fluvia/case/toml/visitor.hpp"

namespace fluvia::schema {

/// The keys of a [[tracer]], as describe() walks through all others.
void describe_tracer(Section& s, Case::Tracer& t);

}  // namespace fluvia::schema
