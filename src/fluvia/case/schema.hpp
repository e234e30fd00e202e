// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/case/case.hpp"
#include "fluvia/case/toml/visitor.hpp"

namespace fluvia::schema {

/// Walks through every key that a case file can have. To add a key: one member in Case and one line here; reading,
/// checking, hashing and docs/case-file.md follow.
void describe(Visitor& visitor, Case& c);

}  // namespace fluvia::schema
