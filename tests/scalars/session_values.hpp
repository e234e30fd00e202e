// SPDX-License-Identifier: Apache-2.0
// What tests of scalars read of a session.
#pragma once
#include <algorithm>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "fluvia/run/session.hpp"

namespace fluvia::test {

/// A field at all nodes of the box, x fastest; NaN where it is not.
inline std::vector<double> values_of(const Session& session, const std::string& field) {
  std::vector<double> values(session.field_shape(field).count());
  session.field(field, std::span(values));
  return values;
}

/// The monitor whose title begins so.
inline double column(const Session& session, const std::string& name) {
  const std::vector<std::string> names = session.monitor_names();
  const auto found = std::find_if(names.begin(), names.end(), [&](const auto& each) { return each.starts_with(name); });
  if (found == names.end()) throw std::logic_error("no column is called " + name);
  return session.monitors()[static_cast<std::size_t>(found - names.begin())];
}

}  // namespace fluvia::test
