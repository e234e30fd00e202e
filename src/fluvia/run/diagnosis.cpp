// SPDX-License-Identifier: Apache-2.0
#include "fluvia/run/diagnosis.hpp"

#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "fluvia/case/registered_physics.hpp"

namespace fluvia {

namespace {

Int3 position_of(const NodeMap& nodes, std::uint64_t index) {
  for (const NodeMap::Tile& tile : nodes.tiles) {
    const auto count = static_cast<std::uint64_t>(__builtin_popcountll(tile.mask));
    if (index >= tile.first_node + count) continue;
    std::uint64_t bits = tile.mask;
    for (std::uint64_t k = tile.first_node; k < index; ++k) bits &= bits - 1;
    return nodes.node_position(tile, __builtin_ctzll(bits));
  }
  return {};
}

std::vector<std::string> likely_causes(const Case& c, const OutputContext& output) {
  const Units& units = output.units;
  std::vector<std::string> causes;
  if (units.tau < 0.51)
    causes.push_back(
        fmt::format("tau = {:.5g} is close to 1/2: refine the spacing, raise the lattice velocity, or use "
                    "collision \"auto\" with physics.smagorinsky = 0.1",
                    units.tau));
  double fastest = units.reference_velocity;
  for (const auto& b : c.boundaries) {
    if (b.speed) fastest = std::max(fastest, std::abs(units.velocity(*b.speed)));
    fastest = std::max(
        fastest, norm({units.velocity(b.velocity[0]), units.velocity(b.velocity[1]), units.velocity(b.velocity[2])}));
  }
  if (fastest > 0.1)
    causes.push_back(
        fmt::format("a prescribed lattice velocity of {:.3g} exceeds 0.1: lower units.lattice_velocity or the "
                    "time step",
                    fastest));
  const std::string& collision = c.numerics.collision;
  if (collision == "bgk" || collision == "trt")
    causes.push_back("collision \"" + collision + "\" is among the least stable ones: use \"auto\" or \"mrt\"");
  if (c.numerics.format == "fp16s" || c.numerics.format == "fp16c")
    causes.push_back("format \"" + c.numerics.format + "\" stores few digits: try \"fp32\"");
  bool sudden = false;
  for (const auto& b : c.boundaries)
    sudden = sudden || (b.series.empty() && facts_of_boundary(b.type).velocity != core::VelocityKeys::none);
  if (sudden && output.state.time_step() < 5000)
    causes.emplace_back("boundaries start at full speed in fluid at rest: ramp them up with a time series");
  if (causes.empty())
    causes.emplace_back("the flow is under-resolved there: refine the spacing or use physics.smagorinsky = 0.1");
  return causes;
}

}  // namespace

std::string diagnose_instability(const Case& c, const OutputContext& output, const Totals& totals) {
  const Units& units = output.units;
  const std::uint64_t node = totals.finite ? totals.max_speed_node : totals.bad_node;
  const Int3 p = position_of(output.state.geometry().nodes, node);
  const Real3& o = output.grid.origin;
  std::string text = fmt::format(
      "the flow became unstable at step {} (time {:.6g}{}): {} at node ({}, {}, {}), position ({:.6g}, {:.6g}, {:.6g})",
      output.state.time_step(), units.si_time(static_cast<double>(output.state.time_step())), units.si ? " s" : "",
      totals.finite
          ? fmt::format("Mach {:.3g} exceeds the limit {:.3g}", std::sqrt(3.0) * totals.max_speed, c.run.max_mach)
          : std::string("a value is not finite"),
      p[0], p[1], p[2], o[0] + units.si_length(p[0] + 0.5), o[1] + units.si_length(p[1] + 0.5),
      o[2] + units.si_length(p[2] + 0.5));
  for (const std::string& cause : likely_causes(c, output)) text += "\n  likely cause: " + cause;
  return text;
}

}  // namespace fluvia
