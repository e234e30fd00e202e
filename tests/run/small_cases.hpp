// SPDX-License-Identifier: Apache-2.0
// Small flows that the tests of results and verdicts judge.
#pragma once
#include <cmath>
#include <fstream>
#include <numbers>
#include <string>
#include <vector>

#include "fluvia/run/run.hpp"
#include "support/temporary_folder.hpp"

namespace fluvia::test {

/// A body in a tunnel; 4 nodes radius in 24 of height, until settings say otherwise.
inline const std::string tunnel = R"(
[units]
viscosity = 0.05
reference_velocity = 0.05
[domain]
dimension = 2
nodes = [60, 24]
[[geometry.shape]]
name = "body"
kind = "cylinder"
from = [20, 12]
to = [20, 12, 1]
radius = 4
[[boundary]]
surface = "x_min"
type = "velocity"
speed = 0.05
[[boundary]]
surface = "x_max"
type = "pressure"
[numerics]
threads = 1
[run]
steps = 3000
[monitor]
every = 10
forces = ["body"]
reference_area = 8
drag_axis = [1, 0]
[output]
vtk = "none"
[checkpoint]
at_end = false
)";

/// The tunnel with a flow that swings about 0.02 by half of that, once in 100 steps; its series lies in `folder`.
/// `in_cycles`: as one cycle that repeats, by which Fluvia knows the period; else it is written out for 20,000 steps,
/// and the flow looks like one that swings by itself.
inline std::string swinging_tunnel(const TemporaryFolder& folder, bool in_cycles = false) {
  std::ofstream series(folder.path() / "inflow.csv");
  series << "time,speed\n";
  for (int k = 0; k <= (in_cycles ? 100 : 20000); ++k)
    series << k << "," << 0.02 + 0.01 * std::sin(2 * std::numbers::pi * k / 100) << "\n";
  std::string text = tunnel;
  text.replace(text.find("speed = 0.05"), 12,
               "series = \"" + (folder.path() / "inflow.csv").string() + "\"\nseries_quantity = \"speed\"" +
                   (in_cycles ? "" : "\nseries_periodic = false"));
  return text;
}

/// A plane channel, driven by a body force along x.
inline const std::string channel = R"(
[units]
viscosity = 0.1
[domain]
dimension = 2
nodes = [12, 16]
periodic = [true, false]
[physics]
acceleration = [1e-5, 0]
[numerics]
threads = 1
[run]
steps = 8000
[monitor]
every = 20
[output]
vtk = "none"
[checkpoint]
at_end = false
)";

/// Blood at 100 mmHg, given as the pressure of the outlet; the inlet is parabolic with a peak of 0.075 m/s.
inline const std::string artery = R"(
[units]
system = "si"
spacing = 1e-4
density = 1060
viscosity = 3.3e-6
time_step = 1e-5
[domain]
dimension = 2
nodes = [60, 24]
[[boundary]]
surface = "x_min"
type = "velocity"
speed = 0.05
profile = "parabolic"
[[boundary]]
surface = "x_max"
type = "pressure"
pressure = 13332
[physics]
initial_pressure = 13332
[numerics]
threads = 1
[monitor]
every = 200
[run]
steps = 30000
[output]
vtk = "none"
[checkpoint]
at_end = false
)";

/// A flow in metres between plates 1 mm apart; pressures drive it.
inline const std::string si_duct = R"(
[units]
system = "si"
spacing = 1e-4
density = 1000
viscosity = 1e-6
tau = 0.9
reference_velocity = 0.001
reference_length = 0.001
[domain]
dimension = 2
size = [0.003, 0.0012]
[[boundary]]
surface = "x_min"
type = "pressure"
pressure = 0.02
[[boundary]]
surface = "x_max"
type = "pressure"
[numerics]
threads = 1
[run]
steps = 3000
[monitor]
every = 20
[output]
vtk = "none"
[checkpoint]
at_end = false
)";

inline RunResult run_text(const std::string& text, const std::vector<std::string>& settings = {}) {
  const TemporaryFolder folder;
  RunOptions options;
  options.output = folder.path();
  return run_case(parse_case(text, "case.toml", settings), options);
}

/// The finding of a question, null if it was not asked.
inline nlohmann::json finding(const nlohmann::json& results, const std::string& question) {
  for (const auto& each : results["verdict"]["findings"])
    if (each["question"] == question) return each;
  return nullptr;
}

/// One of the results by name, null if there is none.
inline nlohmann::json quantity(const nlohmann::json& results, const std::string& name) {
  for (const auto& each : results["quantities"])
    if (each["name"] == name) return each;
  return nullptr;
}

}  // namespace fluvia::test
