// SPDX-License-Identifier: Apache-2.0
// Decisions that every draft makes in the same way: the fluid, and the time step that a spacing and a speed allow.
#pragma once
#include <string>

#include "fluvia/draft/case_text.hpp"
#include "fluvia/draft/draft.hpp"
#include "fluvia/units/node_reynolds.hpp"
#include "fluvia/units/units.hpp"

namespace fluvia::draft {

struct Medium {
  std::string name;
  double density = 0;    ///< kg/m3
  double viscosity = 0;  ///< kinematic, m2/s
};

/// The fluid that a request names, or `usual`. Throws Error(usage) for an unknown name.
Medium medium_of(const DraftRequest& request, const std::string& usual);

/// The largest lattice speed that a draft lets a flow reach: Mach 0.1.
inline constexpr double fastest = 0.06;
/// Reynolds number of a node, largest speed x spacing / viscosity, up to which a flow is resolved without a model of
/// its eddies, and up to which it lives with one (docs/stability.md), without noise from node to node.
inline constexpr double resolved = resolved_node_reynolds, survivable = 50;
/// Reynolds number of a node up to which a verdict takes a flow for resolved: beyond it eddies are modelled.
inline constexpr double modelled = good_node_reynolds;

/// How a flow is put on the lattice.
struct TimeStep {
  double lattice_velocity = 0;  ///< lattice speed of the reference velocity
  double tau = 0;
  double seconds = 0;  ///< seconds of a step
  double largest = 0;  ///< largest lattice speed
  double node_reynolds = 0;
  bool eddies = false;  ///< whether it needs the Smagorinsky model
};

/// Chooses the time step. `peak`: the largest speed to be expected, m/s. The speed is the fastest allowed, unless tau
/// would exceed 0.9, or sound be slower than `sound`, m/s.
TimeStep choose_time_step(double reference, double peak, double spacing, double viscosity, double sound = 0);

/// The step of the coarsest of so many levels of refinement beside one of the finest.
TimeStep coarsest_step(const TimeStep& of_finest, int levels);

/// Writes the section [units]. `finest`: the spacing is that of the finest level of refinement, the step that of the
/// coarsest.
void write_units(CaseText& text, const Medium& medium, double spacing, const std::string& spacing_why, double velocity,
                 const std::string& velocity_why, double length, const std::string& length_why, const TimeStep& step,
                 double viscosity, bool finest = false);

/// A length with a unit that suits it: "3.2 mm".
std::string show_length(double metres);
/// A speed with a unit that suits it: "0.31 m/s", "5.2 mm/s".
std::string show_speed(double speed);
/// A flow rate with a unit that suits it: "251 ml/min", "0.3 ul/min".
std::string show_flow(double flow_rate);
/// Bytes with a unit that suits them: "190 MiB", "1.2 GiB".
std::string show_memory(double bytes);
/// A count as people write it: "1.2 million", "34,000".
std::string show_count(double count);
/// A point to a hundredth of a length or finer, in the unit of both: "(0.012, 0.02, 0.03)".
std::string show_point(const Real3& point, double length);

}  // namespace fluvia::draft
