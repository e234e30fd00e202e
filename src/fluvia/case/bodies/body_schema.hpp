// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/case/case.hpp"
#include "fluvia/case/toml/visitor.hpp"

namespace fluvia::schema {

/// The keys of a [[body]], as describe() walks through all others.
void describe_body(Section& s, Case::Body& b);

}  // namespace fluvia::schema
