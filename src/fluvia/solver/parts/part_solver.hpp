// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "fluvia/solver/parts/subdomain.hpp"
#include "fluvia/solver/solver.hpp"

namespace fluvia {

/// What Totals are made of.
struct FlowSum {
  static constexpr std::uint64_t none = std::numeric_limits<std::uint64_t>::max();
  double mass = 0, momentum[3] = {0, 0, 0}, kinetic_energy = 0;
  double fastest_squared = -1;
  std::uint64_t fastest_node = none, bad_node = none;  ///< the first of them

  friend FlowSum operator+(FlowSum a, const FlowSum& b) {
    a.mass += b.mass;
    for (int k = 0; k < 3; ++k) a.momentum[k] += b.momentum[k];
    a.kinetic_energy += b.kinetic_energy;
    if (b.fastest_squared > a.fastest_squared) {
      a.fastest_squared = b.fastest_squared;
      a.fastest_node = b.fastest_node;
    }
    a.bad_node = std::min(a.bad_node, b.bad_node);
    return a;
  }
};

struct ForceSum {
  Real3 force{}, torque{};
  friend ForceSum operator+(const ForceSum& a, const ForceSum& b) { return {a.force + b.force, a.torque + b.torque}; }
};

struct OpeningSum {
  double flow_rate = 0, pressure = 0;
  std::uint64_t nodes = 0;
  friend OpeningSum operator+(const OpeningSum& a, const OpeningSum& b) {
    return {a.flow_rate + b.flow_rate, a.pressure + b.pressure, a.nodes + b.nodes};
  }
};

/// The solver of one subdomain. It speaks of nodes, tiles and surfaces of the whole domain, whose geometry() it has,
/// but knows the populations of its own nodes only: others are missing in what it gives. It takes those of own nodes
/// and of its halo, as far as it steps these, and ignores others; then it needs nothing from neighbours before the
/// first steps.
class PartSolver : public Solver {
 public:
  [[nodiscard]] virtual const Subdomain& subdomain() const = 0;

  /// How many of the steps that are wanted are taken at once: in a pass, between this exchange and the next.
  [[nodiscard]] virtual int next_steps(std::int64_t wanted) const {
    const int most = subdomain().neighbours.empty() ? plan().steps_per_pass : subdomain().steps;
    return static_cast<int>(std::min<std::int64_t>(wanted, most));
  }
  /// What boundaries have in each of the next steps, which are next_steps(...); the last ones stay.
  virtual void set_values_ahead(std::span<const BoundaryValues> values) = 0;
  void step_with(std::span<const BoundaryValues> values) override {
    while (!values.empty()) {
      const auto steps = static_cast<std::size_t>(next_steps(static_cast<std::int64_t>(values.size())));
      set_values_ahead(values.first(steps));
      step(static_cast<std::int64_t>(steps));
      values = values.subspan(steps);
    }
  }
  /// next_steps(...) steps, in two halves. After the first, everything that leaves to neighbours can
  /// be packed; after the second, what arrives must be unpacked before anything else is asked.
  virtual void step_border(int steps) = 0;
  virtual void step_interior(int steps) = 0;
  /// After steps, before anything else is asked: waits for those that go on after their functions returned.
  virtual void finish() const {}
  /// Bytes of the messages to and from Subdomain::neighbours[neighbour], whatever the number of steps.
  [[nodiscard]] virtual std::size_t leaving_bytes(std::size_t neighbour) const = 0;
  [[nodiscard]] virtual std::size_t arriving_bytes(std::size_t neighbour) const = 0;
  virtual void pack(std::size_t neighbour, std::byte* out) const = 0;
  virtual void unpack(std::size_t neighbour, const std::byte* in) = 0;

  /// Shares in sums over the whole domain; the totals of all of them together are made into results by any part.
  [[nodiscard]] virtual TileSums<FlowSum> flow_sums() const = 0;
  [[nodiscard]] virtual TileSums<ForceSum> force_sums(int surface, const Real3& center) const = 0;
  [[nodiscard]] virtual TileSums<OpeningSum> opening_sums(int opening) const = 0;
  [[nodiscard]] virtual SurfaceForce surface_force_of(int surface, const Real3& center, const ForceSum& sum) const = 0;
  /// The flow of an opening over its corners with walls that move, of the whole domain (CornerFlow).
  [[nodiscard]] virtual double corner_flow_of(int opening) const = 0;
};

/// Results of sums over the whole domain.
Totals totals_of(const TileSums<FlowSum>& sums, double node_volume);
/// `corners`: PartSolver::corner_flow_of().
OpeningFlow opening_flow_of(const TileSums<OpeningSum>& sums, double node_volume, double corners);

}  // namespace fluvia
