// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fluvia/case/case.hpp"
#include "fluvia/geometry/map/fluid_beside.hpp"
#include "fluvia/geometry/map/node_map.hpp"

namespace fluvia {

/// Numbers of surfaces in Geometry::surfaces. The first seven are fixed.
namespace surface_id {
inline constexpr int x_min = 0, x_max = 1, y_min = 2, y_max = 3, z_min = 4, z_max = 5;
inline constexpr int wall = 6;  ///< any solid without a name of its own
inline constexpr int first_named = 7;
}  // namespace surface_id

/// An opening that several levels of refinement share; lengths in nodes of the coarsest.
struct OpeningOfLevels {
  struct Link {
    int level = 0;
    Real3 point{};  ///< where the boundary condition acts
    Real3 rates{};  ///< what a velocity of 1 along each axis lets in through the link
  };
  std::vector<Link> links;  ///< of all levels
  /// Of a face of the box: whether a node of its finest level, or of the coarser one that is there, lies behind it, by
  /// the two axes after the face's own, the first fastest.
  std::vector<char> inside;
  int finest = 0;  ///< the level of `inside`
};

/// A flat opening of the flow domain (a box face, a hole of an STL, a disc, or an STL patch).
struct Opening {
  std::string name;
  int surface = 0;   ///< index into Geometry::surfaces
  Real3 centroid{};  ///< lattice units from the corner of the box
  Real3 normal{};    ///< unit, pointing out of the fluid
  double area = 0;   ///< lattice units squared
  /// Relative parabolic profile at a point of the whole opening (lattice units): 1 in the middle, 0 on the rim; for a
  /// rectangle (box face) the product of parabolas between its walls, for a disc 1-(r/R)^2, for any other rim
  /// 1-(r/R(theta))^2.
  std::function<double(const Real3& point)> parabola;
  /// Centroid and area of the opening with its images beyond the planes of symmetry that cut it.
  Real3 whole_centroid{};
  double whole_area = 0;
  /// What of it lies on which level, where several meet the opening or its sponge; else null.
  std::shared_ptr<const OpeningOfLevels> of_levels{};
};

/// Nodes across from which a way is not looked at for being narrow.
inline constexpr int wide_way = 10;

/// What a geometry consists of and what is wrong with it; printed by `fluvia geometry`.
struct GeometryReport {
  std::uint64_t fluid_nodes = 0, box_nodes = 0, boundary_nodes = 0;
  double porosity = 0, tile_porosity = 0;
  std::uint64_t fluid_components = 0;    ///< face-connected components
  std::uint64_t dropped_components = 0;  ///< components that touch no opening and no periodic face
  std::uint64_t dropped_nodes = 0;
  /// Names of the openings by the fluid that joins them, one list for each; empty if nobody has looked.
  std::vector<std::vector<std::string>> joined_openings;
  std::array<bool, 6> wet_faces{};     ///< faces of the box, x_min, x_max, ..., beside which there is fluid
  Bool3 endless{true, true, true};     ///< [axis], some fluid runs on without end along this axis, if that is periodic
  std::uint64_t narrow_nodes = 0;      ///< fluid nodes in passages narrower than 4 nodes of the level that is there
  std::vector<Real3> narrow_examples;  ///< positions in case units (metres or lattice)
  std::uint64_t gap_nodes = 0;         ///< how many of narrow_nodes are between walls that face each other
  double narrowest_gap = 0;            ///< width from wall to wall in nodes; 0: no gap is narrower than 4 nodes
  Real3 narrowest_gap_at{};            ///< position, case units
  /// Width in nodes of the narrowest place that what passes an opening has to pass as well, or what a force drives
  /// along a periodic axis; 0 if it is not narrower than `wide_way`.
  int narrowest_way = 0;
  std::string narrowest_way_of;  ///< in words: "what passes 'inlet'", "what flows along x"
  /// Why nodes of this spacing cannot have what lies at a place, nodes from the corner of the box. With levels of
  /// refinement that counts only on the level that computes the flow there.
  struct Refusal {
    Real3 at{};
    std::string message;
  };
  std::vector<Refusal> refusals;
  std::uint64_t non_manifold_edges = 0, hole_count = 0;
  /// A hole of an STL surface; case units. `opening` is the name that closes it, or empty.
  struct Hole {
    Real3 position{}, normal{};
    double area = 0;
    std::string opening;
  };
  std::vector<Hole> holes;               ///< largest first; at most 1000
  std::vector<Real3> defect_positions;   ///< case units; at most 20
  std::uint64_t overlaps = 0;            ///< pairs of closed STL surfaces that overlap, and count as one
  std::vector<Real3> overlap_positions;  ///< where, case units; at most 20
  /// A level of refinement: how far apart its nodes are, case units, and about how many of them are fluid.
  struct Level {
    double spacing = 0;
    double nodes = 0;
  };
  std::vector<Level> levels;  ///< the coarsest first; empty without [[refine]]
  /// Cut links of a surface inside the box, along the directions of D3Q19 (2D: D2Q9), if walls are interpolated.
  struct WallLinks {
    std::string surface;
    std::uint64_t interpolated = 0, half_way = 0;
    std::uint64_t lost = 0;  ///< links that are half-way since the surface was not found on them
  };
  std::vector<WallLinks> wall_links;
  /// A surface with fluid on both sides, and its links, along the same directions: walls at rest, half-way.
  struct Sheet {
    std::string surface;
    std::uint64_t links = 0;
    /// One line for people: "'plate': a sheet: 120 links with fluid on both sides; walls half-way, at rest".
    [[nodiscard]] std::string line() const;
  };
  std::vector<Sheet> sheets;
  /// How far walls that are half-way though their true position is known act from it; none if there are no such walls.
  struct HalfWayWalls {
    double excess = 0;  ///< volume between where they act and where they are, nodes (strip_at_wall())
    double stairs = 0;  ///< area of those that do not follow the lattice, nodes
  };
  std::optional<HalfWayWalls> half_way_walls;
  std::vector<std::string> warnings;  ///< complete sentences, each with its remedy
};

/// A triangle whose corners are counter-clockwise seen from outside of the fluid.
struct SurfaceTriangle {
  std::array<std::uint32_t, 3> corner;  ///< indices into SurfaceMesh::points
  int surface;                          ///< index into Geometry::surfaces
};
struct SurfaceMesh {
  std::vector<Real3> points;  ///< lattice units
  std::vector<SurfaceTriangle> triangles;
};

/// Everything the solver needs to know about the shape of the flow domain.
struct Geometry {
  NodeMap nodes;
  std::vector<std::string> surfaces;  ///< names: x_min .. z_max, wall, then bodies, STL patches, openings
  std::vector<Opening> openings;      ///< every surface whose boundary condition lets fluid pass
  Real3 origin{};                     ///< corner of the box, case units
  /// Surface cut by the link that leaves fluid node `node` along `offset` (each component -1, 0, 1) towards a node
  /// that is not fluid, or that crosses it if that is barred. Thread-safe.
  std::function<int(const Int3& node, const Int3& offset)> surface_of;
  /// Part of a link that leaves the fluid between its node and the surface, in (0, 1]. Empty if every wall is half-way,
  /// 1/2. Thread-safe.
  std::function<double(const Int3& node, const Int3& offset)> distance_of;
  /// Normal of the surface where a link that leaves the fluid meets it: a unit vector out of the fluid. Thread-safe.
  std::function<Real3(const Int3& node, const Int3& offset)> normal_of;
  /// True for a node of the box that is not fluid since it lies outside of what encloses the flow: a vessel, a surface
  /// with the fluid inside, fluid shapes in solid. Empty if nothing encloses the flow. Thread-safe.
  std::function<bool(const Int3& node)> is_outside;
  /// Surface of the shape, or closed surface with the fluid outside, that makes a node of the box solid; -1: of none of
  /// them. Empty unless the case says what solids are made of. Thread-safe.
  std::function<int(const Int3& node)> body_of;
  /// Triangles of walls that come from meshes alone, for output.wall; empty if the case does not ask for them. There
  /// are none of surfaces that have other parts, and of openings.
  SurfaceMesh wall_triangles;
  int level = 0;  ///< of refinement: the one whose nodes it has; 0 is the coarsest
  /// Of a level of refinement: the surface that ends links which lead to nodes of other levels; -1: there is none.
  int level_surface = -1;
  /// Of a level of refinement: fluid in the tiles around its own, which other levels compute, in nodes of this level.
  FluidBeside beside;
  GeometryReport report;

  /// Forgets where surfaces are, and frees the layers, images and meshes that know it, and what lies beside a level.
  void forget_surfaces() {
    surface_of = {};
    distance_of = {};
    normal_of = {};
    is_outside = {};
    body_of = {};
    wall_triangles = {};
    beside = {};
  }
};

/// The box and the spacing after units were resolved.
struct Grid {
  int dimension = 3;
  Int3 size{};  ///< nodes along each axis
  Bool3 periodic{};
  Real3 origin{};      ///< corner of the box, case units
  double spacing = 1;  ///< case units per node
};

/// Number of nodes, origin and spacing of the case.
/// - An explicit domain (nodes or size) wins. Its origin defaults to 0, or to the lower corner of the STL surfaces
///   that enclose the fluid.
/// - Otherwise: voxels and masks give exactly their own box (refine nodes per voxel, no padding); STL surfaces their
///   bounding box, centred, with `padding` nodes on every side; vessel generators their length along the axis and
///   `padding` nodes around it.
/// The spacing is units.spacing in SI (metres per node, also for voxels: a voxel is `refine` nodes wide), else 1.
/// In 2D there is one node along z, and z is periodic. Throws Error(input).
Grid make_grid(const Case& c);

/// The axis along which a box in 3D is one or two nodes thick, between faces that the case does not mention, so that
/// they are walls: a case that means a plane flow. None if there is no such axis.
std::optional<int> flat_axis(const Case& c, const Int3& size);

/// Voxelises the case's geometry tile by tile. Throws Error(input) naming the file and what is wrong.
///
/// Surfaces from files that have fluid on both sides, sheets, bar the links that they cross (NodeMap::barred): those
/// that the case says to be such, and parts in the flow that no node feels (mesh/parts/lost_parts.hpp).
///
/// Layers, each on top of the ones before: the whole box fluid (solid if the geometry consists of shapes only and the
/// first of them is "fluid"); generator, voxels, mask; STL; shapes in their order; disc openings.
///
/// A cut link belongs to the layer that made its far end solid, or to the named "fluid" shape that it leaves. A link
/// out of the box belongs to the face; where several surfaces meet (edges of the box, rim of an opening in a face) the
/// order is stationary wall, moving wall, velocity, free slip, pressure. Faces without a boundary are stationary walls.
/// The vessel generators call the faces at their ends "inlet" and "outlet"; boundaries may use either name.
///
/// Members of a communicator all call it within together(); each voxelises and examines its part of the tiles, and all
/// get the whole. It throws Error(input), too, where their files differ.
///
/// `owns`, if given, says which tiles count, those of a level of refinement (geometry/levels): then no fluid is
/// dropped, and there are neither openings nor a report but for its warnings. Cases with levels leave refusals of the
/// report to who knows which level computes the place.
Geometry build_geometry(const Case& c, const Grid& grid, Communicator& communicator = communicator_of_one(),
                        const std::function<bool(const Int3& tile)>& owns = {});

/// Throws Error(input) with the message of the first refusal of a geometry at a place whose tile counts.
void throw_refusals(const Geometry& geometry, const std::function<bool(const Int3& tile)>& counts);

/// The report as text for `fluvia geometry`, in case units.
std::string format_report(const Geometry& geometry, const Case& c, const Grid& grid);

}  // namespace fluvia
