// SPDX-License-Identifier: Apache-2.0
#include "fluvia/model/choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "fluvia/model/measured.hpp"
#include "fluvia/model/storage.hpp"

namespace fluvia::model {
namespace {

constexpr double sparse_below = 0.7;  // porosity; docs/performance.md
constexpr double clearly_faster = 1.1;
/// Populations of one copy from which a GPU's second-level cache does not matter.
constexpr std::uint64_t large_domain_bytes = std::uint64_t{256} << 20;

struct Candidate {
  std::string scheme;
  bool dense = false, two_copies = false;
  /// It is a box in one copy with room to slide, which is another copy where the last axis is periodic.
  bool slides = false;
};

struct Considered {
  const Candidate* candidate;
  double fraction;
};

const std::vector<Candidate>& candidates(const std::string& device) {
  static const std::vector<Candidate> cpu = {{"aa", true, false}, {"compact-aa", false, false}};
  static const std::vector<Candidate> gpu = {{"aa", true, false},   {"compact-sliding", false, false},
                                             {"pull", true, true},  {"compact-pull", false, true},
                                             {"fused", true, true}, {"fused-sliding", true, false, true}};
  return device == "cuda" ? gpu : cpu;
}

/// Whether a candidate suits the memory: schemes with two copies, and sliding ones, suit only domains too large for a
/// cache. A sliding scheme takes little more than one copy only where the domain is large, so it counts as two copies,
/// too, but may fill the memory.
bool memory_suits(const Situation& s, const NodeMap& nodes, const Candidate& candidate) {
  if (!candidate.two_copies && !candidate.slides) return true;
  const std::uint64_t stored = candidate.dense ? nodes.box_nodes() : nodes.fluid_nodes;
  const std::uint64_t copy =
      stored * static_cast<std::uint64_t>(lattice_counts(s.lattice).populations() * s.value_bytes);
  return copy >= large_domain_bytes && 2 * copy <= (candidate.two_copies ? s.device_memory / 2 : s.device_memory);
}

bool is_sparse(const NodeMap& nodes) {
  return nodes.porosity() < sparse_below;
}

}  // namespace

double fill_of(const std::string& device, const NodeMap& nodes) {
  if (device == "cuda") return nodes.tile_porosity();
  return static_cast<double>(nodes.fluid_nodes) / static_cast<double>(fluid_rows(nodes).nodes);
}

double expected_fraction(const Situation& s, const std::string& scheme, double fill, const NodeMap& nodes) {
  const double fraction =
      measured_fraction(s.device, scheme, s.format, nodes.dimension, fill) * (s.gain ? s.gain(scheme) : 1);
  const bool without_solid_nodes = s.device == "cuda" && !scheme.starts_with("compact-");
  const double fluid = static_cast<double>(nodes.fluid_nodes), box = static_cast<double>(nodes.box_nodes());
  return without_solid_nodes ? fraction / (1 + solid_node_traffic(box, fluid)) : fraction;
}

namespace {

/// The usual scheme first, then all others that were measured and suit.
std::vector<Considered> consider(const Situation& s, const NodeMap& nodes) {
  const bool sparse = is_sparse(nodes);
  const std::vector<Candidate>& all = candidates(s.device);
  const Candidate& usual = *std::find_if(all.begin(), all.end(), [&](const Candidate& c) { return c.dense != sparse; });
  const double fill = fill_of(s.device, nodes);
  const auto measured = [&](const Candidate& c) { return was_measured(s.device, c.scheme, s.format, nodes.dimension); };
  std::vector<Considered> result = {{&usual, expected_fraction(s, usual.scheme, fill, nodes)}};
  for (const Candidate& candidate : all) {
    // Dense boxes that are mostly solid were not measured, and take memory for nodes that are not fluid.
    if (&candidate == &usual || (candidate.dense && sparse) || !measured(usual) || !measured(candidate)) continue;
    if (!memory_suits(s, nodes, candidate)) continue;
    result.push_back({&candidate, expected_fraction(s, candidate.scheme, fill, nodes)});
  }
  return result;
}

}  // namespace

std::vector<Expectation> schemes_to_choose_from(const Situation& s, const NodeMap& nodes) {
  std::vector<Expectation> result;
  for (const Considered& c : consider(s, nodes)) result.push_back({c.candidate->scheme, c.fraction});
  return result;
}

Choice choose_scheme(const Situation& s, const NodeMap& nodes) {
  const double porosity = nodes.porosity();
  const bool sparse = is_sparse(nodes);
  const std::vector<Considered> all = consider(s, nodes);
  const Candidate& usual = *all.front().candidate;
  const double usual_fraction = all.front().fraction;
  const Candidate* best = &usual;
  double best_fraction = usual_fraction * clearly_faster;
  for (const auto& [candidate, fraction] : all) {
    if (fraction <= best_fraction) continue;
    best = candidate;
    best_fraction = fraction;
  }
  if (best == &usual)
    return {usual.scheme,
            fmt::format("scheme {}: porosity {:.3g} is {} {:.2g}, so {}; {:.0f}% of the roofline expected",
                        usual.scheme, porosity, sparse ? "below" : "at least", sparse_below,
                        sparse ? "only fluid nodes are stored" : "the plain box is faster", 100 * usual_fraction)};
  return {best->scheme,
          fmt::format("scheme {}: {:.0f}% of the roofline expected, {} {:.0f}%, at porosity {:.3g} and {} "
                      "{:.3g}{}",
                      best->scheme, 100 * best_fraction, usual.scheme, 100 * usual_fraction, porosity,
                      s.device == "cuda" ? "tile porosity" : "row porosity", fill_of(s.device, nodes),
                      best->two_copies ? "; two copies leave half of the memory free" : "")};
}

}  // namespace fluvia::model
