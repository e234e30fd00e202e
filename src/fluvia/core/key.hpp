// SPDX-License-Identifier: Apache-2.0
// Numbers of the case file that a registered boundary condition or model asks for. The schema, its checks, the
// reference of the case file and the conversion to lattice units follow from these rows; no other code knows the names.
#pragma once

namespace fluvia::core {

/// Physical dimension of a key, which says how its value becomes one in lattice units.
enum class Dimension {
  none,
  length,
  time,
  velocity,
  pressure,
  viscosity,    ///< dynamic
  consistency,  ///< stress at a shear rate of 1; becomes a pressure, see ViscosityFacts
  resistance,
  compliance
};

/// Bounds of a key that has none.
inline constexpr double no_least = -1e300, no_most = 1e300;

struct Key {
  const char* name = nullptr;  ///< null: there are no more
  Dimension dimension = Dimension::none;
  const char* meaning = "";
  double standard = 0;    ///< value if none is given
  bool required = false;  ///< the table must give it; then `standard` has no meaning
  bool series = false;    ///< boundaries: a time series may give it; at most one key of a boundary condition
  double least = no_least, most = no_most;  ///< values that are allowed, case units
  bool above_least = false;                 ///< `least` itself is refused
};

}  // namespace fluvia::core
