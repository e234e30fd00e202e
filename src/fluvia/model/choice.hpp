// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "fluvia/geometry/map/node_map.hpp"

namespace fluvia::model {

/// What decides which scheme suits a case.
struct Situation {
  std::string device = "cpu";  ///< cpu or cuda
  std::string lattice, format = "fp32";
  int value_bytes = 4;              ///< bytes of a stored population
  std::uint64_t device_memory = 0;  ///< free bytes of the device; 0 if unknown
  /// How much faster than was measured a scheme is in this case, by several steps a pass; 0 if nothing was measured for
  /// the case. Empty: no scheme is faster.
  std::function<double(const std::string& scheme)> gain = {};
};

/// How full the units of work of a device are, 0 to 1; see MeasuredFraction.
double fill_of(const std::string& device, const NodeMap& nodes);

/// Fraction of the roofline of single steps, per fluid node, to be expected of a scheme at a fill: what was measured
/// times the gain; for dense boxes on a GPU, divided by what the model says of reading solid nodes. 0 if the scheme was
/// never measured.
double expected_fraction(const Situation& situation, const std::string& scheme, double fill, const NodeMap& nodes);

/// A scheme and what is expected of it, see expected_fraction().
struct Expectation {
  std::string scheme;
  double fraction = 0;
};

/// The schemes among which "auto" chooses: the usual scheme first, which is the plain box or compact storage with one
/// copy, then those others that were measured in this format and dimension and whose memory suits.
std::vector<Expectation> schemes_to_choose_from(const Situation& situation, const NodeMap& nodes);

struct Choice {
  std::string scheme;
  std::string reason;  ///< why, in one line
};

/// The scheme that "auto" means: the plain box from a porosity of 0.7 on, else compact storage with one copy, unless
/// another scheme was measured in this format and dimension, as that one was, and is expected to be a tenth faster;
/// estimates are no closer than that. Two copies are taken only where they were measured to win, in domains much larger
/// than caches, and where they leave half of the memory free; so is the scheme that takes several steps a pass on a
/// GPU.
Choice choose_scheme(const Situation& situation, const NodeMap& nodes);

}  // namespace fluvia::model
