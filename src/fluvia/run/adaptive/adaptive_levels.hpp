// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "fluvia/case/case.hpp"

namespace fluvia {

/// What is asked of levels that a coarse run is to find.
struct AdaptiveRequest {
  std::string quantity = "grid-error";  ///< one of adaptive_quantities()
  int levels = 2;                       ///< finer than the case's own spacing, 1 to 6
  double nodes = 0;                     ///< fluid nodes of all levels, at most; 0: three times those of the case
  std::int64_t steps = 0;               ///< of the coarse run; 0: as many as the case has
};

/// What says where a flow needs finer nodes: `vorticity`; `wall-shear-stress`; `grid-error`, second differences of the
/// velocity, of which the error of a grid is made.
const std::vector<std::string>& adaptive_quantities();

/// Levels that a coarse run found.
struct AdaptiveLevels {
  std::vector<Case::Refine> regions;  ///< boxes, finest first
  std::vector<double> nodes;          ///< fluid nodes of each level, about
  std::int64_t steps = 0;             ///< that the coarse run took
};

/// Runs a case, without its own regions, on one level, and finds boxes for levels where the quantity is largest: level
/// l where it exceeds a threshold by what l halvings of the spacing take off, and the threshold is the lowest that
/// leads to no more nodes than asked for. Bodies whose forces the case records are in one level each. Boxes stay away
/// from openings and from walls that slip. Writes no files. `on_message` gets lines on what goes on; `stop`
/// ends the run early. Throws Error(input) for a request that cannot be met, and what a run of the case throws.
AdaptiveLevels find_levels(const Case& c, const AdaptiveRequest& request,
                           const std::function<void(const std::string&)>& on_message = {},
                           const std::function<bool()>& stop = {});

/// The sections [[refine]] of a case file.
std::string text_of(const std::vector<Case::Refine>& boxes, int dimension);

}  // namespace fluvia
