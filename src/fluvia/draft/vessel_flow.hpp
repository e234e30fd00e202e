// SPDX-License-Identifier: Apache-2.0
// A vessel, how its grid is chosen, and the flow through it.
#pragma once
#include <cmath>
#include <cstdint>
#include <optional>

#include "fluvia/draft/choices.hpp"
#include "fluvia/draft/pulse.hpp"
#include "fluvia/draft/vessel_shape.hpp"

namespace fluvia::draft {

inline constexpr int usual_nodes_across = 16;
inline constexpr double enough_nodes_across = 10;  ///< what the verdict of a run asks for (passages)
inline constexpr int averaged_cycles = 2;          ///< the last ones, which averages are of
inline constexpr double vessel_passages =
    3;  ///< how often the fluid passes through the vessel until the flow is steady

/// Everything that the text of the case needs.
struct Vessel {
  VesselShape shape;
  std::size_t inlet = 0;
  Lumen lumen;
  Medium medium;
  double spacing = 0;  ///< of the coarsest level, on which the openings are
  int levels = 0;      ///< finer ones, of narrow places
  double flow = 0, peak = 0;
  double jet = 0;  ///< largest mean speed of any throat or end, per flow rate
  bool flow_given = false;
  TimeStep step;                         ///< of the coarsest level
  std::optional<Waveform> waveform;      ///< of a flow that beats; `flow` is its mean
  std::optional<Windkessel> windkessel;  ///< what is behind the outlets, if not a pressure
  double ramp = 0;                       ///< s, in which the flow starts

  [[nodiscard]] const VesselEnd& in() const { return shape.ends[inlet]; }
  [[nodiscard]] double speed() const { return flow / in().area; }
  /// Nodes across a passage so wide, with the levels that it gets.
  [[nodiscard]] double nodes_across(double diameter) const;
  [[nodiscard]] double finest_spacing() const { return std::ldexp(spacing, -levels); }
  [[nodiscard]] double nodes() const { return lumen.volume / (spacing * spacing * spacing); }
  /// The share of what leaves that an outlet gets, with the third power of its diameter (Murray, Proc. Natl. Acad. Sci.
  /// 12 (1926) 207).
  [[nodiscard]] double share(std::size_t end) const;
  /// Whether the grid follows a throat: one on the way to an outlet of the main path, which has a tenth of the flow or
  /// more.
  [[nodiscard]] bool is_main(const Throat& throat) const;
  /// The narrowest throat of the main path.
  [[nodiscard]] const Throat& main_throat() const;
  [[nodiscard]] double narrowest() const;  ///< diameter of the main path where it is narrowest, inlet included, m
  [[nodiscard]] double thinnest() const;   ///< diameter of the narrowest throat of all, m
  /// Cycles of a waveform after which what is left of the start is small, and two more to average over.
  [[nodiscard]] int usual_cycles() const;
  /// The volume that the lattice's fluid takes up per pressure, m3/Pa.
  [[nodiscard]] double own_compliance() const;
};

/// Reads the vessel of a request and chooses its grid, flow and time step. Throws like make_draft().
Vessel plan_vessel(const DraftRequest& request);

/// Time in which friction reaches the middle of the inlet from its wall: what a slow flow needs to become steady.
double viscous_time(const Vessel& v);

}  // namespace fluvia::draft
