// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "fluvia/geometry/generate/shapes.hpp"
#include "fluvia/geometry/generate/sphere_cells.hpp"
#include "fluvia/geometry/map/bitmap.hpp"

namespace fluvia::geometry {

/// Spheres in a box, and what they leave in a slab of it across the last axis: set bits are fluid.
struct SpherePacking {
  Bitmap fluid;
  int first = 0;  ///< first of the slab's layers of nodes
  std::vector<Sphere> spheres;
};

/// Array of randomly placed spheres (discs in 2D) of one diameter, which may overlap, as in the RAS geometries of
/// Huang et al., Commun. Comput. Phys. 17, 960 (2015), and Tomczak & Szafran. Spheres are added until the porosity is
/// reached; the last one is made smaller so that the porosity is met as well as nodes allow. Spheres wrap around
/// periodic axes; on other axes centres may lie up to one radius outside, so that the packing looks the same at the
/// walls. With `centers_in_fluid` no sphere is centred inside an earlier one; such packings have the tile porosities
/// that Tomczak & Szafran print. The same seed gives the same packing on every machine.
/// `diameter` in nodes. Each member of the communicator keeps a slab, that of layers_of(); with `centers_in_fluid`,
/// where one sphere depends on all before, the whole box. Throws Error(input).
SpherePacking pack_spheres(const Grid& grid, double diameter, double porosity, std::uint64_t seed,
                           bool centers_in_fluid, Communicator& communicator);

/// Layer of a packing: nodes by its bitmap and, beyond the slab, by its spheres; surfaces by its spheres. `finer`:
/// nodes of the grid along one of the grid in which the spheres were packed; if there are several, nodes by spheres
/// alone.
std::unique_ptr<const Layer> make_packing_layer(SpherePacking packing, const Grid& grid, int finer = 1);

/// A vessel: pipe, coarctation, aneurysm or a network of them, and the box that it needs.
struct Vessel {
  SignedDistance distance;  ///< distance to the lumen, negative in the fluid, lattice units
  int inlet_face = surface_id::x_min, outlet_face = surface_id::x_max;
};

/// Whether a generator makes a vessel (and so knows its own box).
bool is_vessel(const Case::Generator& generator);

/// Size of the box of a vessel in nodes: `padding` solid nodes around it across its axis, none at its ends. Throws
/// Error(input).
Int3 vessel_box(const Case::Generator& generator, double spacing, int padding, int dimension);

/// The vessel of the case in the box of `grid`.
/// - pipe: straight along x, centred in y and z.
/// - coarctation: a pipe whose radius narrows smoothly by `severity` over two diameters in the middle of the box,
///   r(x) = R (1 - severity (1 + cos(pi x / D)) / 2), |x| < D. With a `bend_radius` it is bent like an aneurysm's
///   vessel, and narrows in the middle of the straight part behind the bend.
/// - aneurysm: from x_min a straight part, a quarter bend of radius `bend_radius` (default 2 diameters) towards +y, a
///   straight part to y_max, and on the outside of the bend a sphere of `sac_diameter` (default 1.2 diameters) that
///   meets the vessel in a neck.
/// - network: branches `generations` times from x_min and joins again towards x_max; see network.hpp.
/// `length` is the length of the centreline (defaults: pipe and straight coarctation 6 diameters, bent vessels the
/// bend and two straight parts of two diameters, network what it needs). In a larger box the straight parts go on to
/// the faces. Throws Error(input).
Vessel make_vessel(const Case::Generator& generator, const Grid& grid, int padding);

}  // namespace fluvia::geometry
