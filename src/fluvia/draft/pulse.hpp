// SPDX-License-Identifier: Apache-2.0
// A flow that beats: its waveform from a file, and the vessels behind the outlets of a computed one.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "fluvia/draft/draft.hpp"
#include "fluvia/solver/profiles/time_series.hpp"

namespace fluvia::draft {

/// What flows through an inlet over a cycle, from the file that a request names.
struct Waveform {
  TimeSeries flow;                ///< flow rate, m3/s, over a whole cycle, s
  std::string file;               ///< name of the file in the case
  std::string quantity;           ///< "flow_rate" or "speed": what the file gives
  double scale = 1;               ///< `series_scale` of the case
  std::optional<double> period;   ///< `series_period` of the case, s, where the file leaves the last row of a cycle out
  std::vector<std::string> told;  ///< what a user should know of it; whole lines

  [[nodiscard]] double cycle() const { return flow.duration(); }
  [[nodiscard]] double mean() const;  ///< over the cycle, m3/s
  [[nodiscard]] double peak() const;  ///< largest magnitude, m3/s
};

/// Reads the waveform of a request for an inlet of an area (m2). A flow rate or mean speed that the request gives as
/// well is that of its mean. Throws Error(usage) where nothing says in which unit the file is, or header and option
/// contradict each other, Error(input) for files that are no waveform with a mean flow into the vessel.
Waveform read_waveform(const DraftRequest& request, double area);

/// What holds the flow up behind all outlets together: a resistance, then a compliance beside a second resistance.
struct Windkessel {
  double proximal = 0, distal = 0;  ///< Pa s/m3
  double compliance = 0;            ///< m3/Pa
  double mean_pressure = 0;         ///< Pa, gauge, at the mean flow rate
  double start_pressure = 0;        ///< Pa, gauge, from which a flow that rises by a ramp is in its cycle afterwards
  double swing = 0;                 ///< largest deviation from the mean pressure, Pa

  [[nodiscard]] double resistance() const { return proximal + distal; }
};

/// The windkessel of a request, with usual values for what it leaves open, for a flow that starts with a ramp (s).
Windkessel make_windkessel(const DraftRequest& request, const Waveform& waveform, double ramp);

/// The volume that a fluid in a vessel may take up per pressure (m3/Pa) so that the outlets miss no more than
/// `most_stored` of what pulsates: the fluid of the lattice can be compressed, that of nature hardly.
double own_compliance_allowed(const Windkessel& windkessel, const Waveform& waveform);
inline constexpr double most_stored = 0.2;

}  // namespace fluvia::draft
