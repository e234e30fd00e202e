// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

namespace fluvia {

/// A value that was found on a grid of `refine` nodes along a unit of length, whatever that is (an edge of a voxel, a
/// node of another grid).
struct GridValue {
  double refine = 1;
  double value = 0;
};

/// The limit of infinitely many nodes, and how certain it is.
struct Extrapolation {
  double value = 0;
  double error = 0;               ///< estimated error, relative to the value
  double uncertainty = 0;         ///< estimated error, in units of the value
  double order = 0;               ///< order of the error in h that was assumed or observed; 0 if none could be
  bool observed = false;          ///< the order follows from three grids
  double previous = 0, last = 1;  ///< weights of the last two grids in the value
};

/// Richardson's extrapolation in h = 1 / refine: value(h) = limit + c h^p (Phil. Trans. R. Soc. A 210 (1911) 307;
/// Roache, Annu. Rev. Fluid Mech. 29 (1997) 123). Half-way walls of the faces of voxels are where they should be, so
/// that errors come from edges and from passages of few nodes: of an order p between 1 and 2.
/// - One grid: the value, with an error of which nothing is known (infinite).
/// - Two: the middle of the limits for p = 1 and p = 2, half their distance as error.
/// - Three or more: the last two with the order that the last three show, at least 0.7 and at most 2.5; as error half
///   of what an order higher or lower by 1/2 would change. If the values go up and down, the last and their spread.
/// Grids come in order, the coarsest first.
Extrapolation extrapolate(std::span<const GridValue> grids);

/// How far a value of one of these grids may be from the limit: its distance plus the limit's own uncertainty.
double distance_to_limit(const Extrapolation& limit, double value);

}  // namespace fluvia
