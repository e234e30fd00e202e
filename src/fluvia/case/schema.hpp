// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/case/case.hpp"
#include "fluvia/case/toml/visitor.hpp"

namespace fluvia::schema {

inline constexpr double max_nodes = 1 << 20;  ///< along one axis, as in NodeMap

/// Walks through every key that a case file can have. To add a key: one member in Case and one line here; reading,
/// checking, hashing and docs/case-file.md follow.
void describe(Visitor& visitor, Case& c);
/// Parts of it: the tables [geometry] and [[refine]].
void describe_geometry(Section& s, Case::GeometryInput& g);
void describe_refine(Section& s, Case::Refine& r);

}  // namespace fluvia::schema
