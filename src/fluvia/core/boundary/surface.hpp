// SPDX-License-Identifier: Apache-2.0
// What a boundary condition sees: the populations of one node after loading, the links of that node that one surface
// cuts, and the surface's parameters. Never storage. On a cut link i the loaded f_i is the population that left along
// the opposite direction one step ago, that is, half-way bounce-back is already there.
#pragma once
#include "fluvia/core/boundary/condition.hpp"
#include "fluvia/core/collision/parameters.hpp"
#include "fluvia/core/equilibrium/equilibrium.hpp"
#include "fluvia/core/viscosity/viscosity.hpp"

namespace fluvia::core {

/// CutLinks::memory where a boundary condition keeps no numbers.
inline constexpr Uint32 no_memory = 0xffffffffu;

/// How a speed changes along the plane of an opening, u(t) - u(0) = b.t + t.K.t: b, then K by tensor_row and
/// tensor_column. Neither has a part along the plane's normal.
inline constexpr int plane_numbers = 9;
/// In PointBatch: no node, but a surface that moves.
inline constexpr Uint32 moving_point = 0x80000000u;

/// Rows of coefficients of a point: for b and K, then for the mean of a node's neighbours.
inline constexpr int mean_row = plane_numbers, fit_rows = plane_numbers + 1;

/// Points come in batches, so that a kernel asks for all that belongs to a batch before it needs any of it: one after
/// the other, a fit took most of a step's time. What fills the last batch is the node itself with coefficients 0.
inline constexpr int batch_points = 4;
/// CutLinks::memory of each point's node, or moving_point and the number of a surface.
struct alignas(16) PointBatch {
  Uint32 at[batch_points];
};
/// Coefficients with which the values at the points of a batch count in b and K, and then in the mean (mean_row).
template <class T>
struct alignas(16) FitBatch {
  T of[fit_rows][batch_points];
};

/// What boundary conditions that hold a pressure know of a node of their opening (ConditionFacts::sees_opening()).
struct OpeningNode {
  Uint32 upstream = no_memory;  ///< CutLinks::memory of the node upstream
  float upstream_distance = 1;  ///< nodes from this node to the one upstream, along the normal
  float depth = 0.5f;           ///< nodes from the plane of the opening to this node, into the fluid
  Uint32 batches : 5 = 0;       ///< how many batches of PlaneFits::points the node has
  Uint32 others : 27 = 0;       ///< bit i: the link towards x - c_i is cut by other openings
  Uint32 first_points = 0, first_coefficients = 0;  ///< where those of this node begin in PlaneFits
};

/// Links of one node cut by one surface. Kernels read many of these from memory, so numbers that only one kind of
/// boundary condition needs lie in a union with those of others.
struct CutLinks {
  Uint32 directions = 0;      ///< bit i: the link towards x - c_i is cut by this surface; 0: a node upstream of one
  Uint32 memory = no_memory;  ///< first of the numbers that the boundary condition keeps of this node
  union {
    double velocity[3] = {0, 0,
                          0};  ///< velocity of the surface at this node, lattice units, before SurfaceState::scale
    OpeningNode opening;       ///< what takes its place where the boundary condition sees_opening()
  };
  float normal[3] = {0, 0, 0};  ///< unit vector out of the fluid; for boundary conditions that need it
  float damping = 0;            ///< more than 0: a node of the surface's sponge, whose `directions` are all (Sponge)
};

/// State of one surface, shared by its nodes. Lattice units.
struct SurfaceState {
  int rule = 0;       ///< index of the boundary condition whose `apply` it takes: boundary_rule(kind)
  int kind = 0;       ///< index of the boundary condition in core::Boundaries
  double length = 1;  ///< longest edge of the flow (NodeMap::longest_edge()), nodes
  double sponge = 0;  ///< depth of the layer before an opening that damps, nodes
  double scale = 1;   ///< multiplies CutLinks::velocity (time series)
  double values[max_boundary_keys] = {};  ///< values of the boundary condition's keys, in their order, lattice units
};

/// The points from which openings know how the speed through them changes along their planes, for all nodes.
template <class T>
struct PlaneFits {
  const PointBatch* points = nullptr;
  const FitBatch<T>* coefficients = nullptr;
  const SurfaceState* surfaces = nullptr;  ///< SurfaceState of every surface
};

/// One node as a boundary condition sees it. `openings_meet_`: OpeningNode::others may be anything but 0.
template <class Lattice_, class Equilibrium_, class Viscosity_, class T_, bool openings_meet_>
struct CutNode {
  static constexpr bool openings_meet = openings_meet_;
  using Lattice = Lattice_;
  using Equilibrium = Equilibrium_;
  using Viscosity = Viscosity_;
  using T = T_;
  T (&f)[Lattice::Q];             ///< deviations f_i - w_i; to be changed in place, for the cut directions only
  const T (&loaded)[Lattice::Q];  ///< the deviations before any boundary condition touched the node
  const CutLinks& links;
  const SurfaceState& surface;
  const CollisionParameters<T>& parameters;
  T* memory;  ///< ConditionFacts::memory numbers kept from the step before; what is left there is kept
  /// The numbers that the node upstream keeps, null if there is none. It may be ahead by the step in hand: read nothing
  /// there that it writes in a step.
  const T* upstream;
  const T* kept;  ///< the numbers of all nodes, each from its CutLinks::memory on; those of other nodes may be ahead by
                  ///< the step in hand
  const PlaneFits<T>& fits;
  const Viscosity& viscosity;  ///< one of core::Viscosities, or what evaluates one

  /// Calls body(b, points, values) for each batch b of points of the opening around this node. `values`: what the nodes
  /// there have as number `slot` of those kept, and at a moving_point what this node has.
  template <class Body>
  FLUVIA_FUNCTION void for_each_batch(int slot, Body&& body) const {
    for (Uint32 b = 0; b < links.opening.batches; ++b) {
      const PointBatch points = fits.points[links.opening.first_points + b];
      T values[batch_points];
      unroll<batch_points>([&](auto p) {
        const Uint32 at = points.at[p.i];
        values[p.i] = kept[(at < moving_point ? at : links.memory) + static_cast<Uint32>(slot)];
      });
      body(b, points, values);
    }
  }
  /// Fits the speed through the opening along its plane: b and K from this node's neighbours in the opening, which keep
  /// their speeds as number `slot`, and from walls beside it.
  FLUVIA_FUNCTION void fit_plane(int slot, T (&shape)[plane_numbers]) const {
    for (T& number : shape) number = T(0);
    const T own = memory[slot];
    for_each_batch(slot, [&](Uint32 b, const PointBatch& points, T(&speed)[batch_points]) {
      const FitBatch<T>& coefficients = fits.coefficients[links.opening.first_coefficients + b];
      unroll<batch_points>([&](auto p) {
        const Uint32 at = points.at[p.i];
        // The node itself stands for the walls, beside which it has so much more speed.
        speed[p.i] = at == links.memory ? own : speed[p.i] - own;
        if (at >= moving_point) speed[p.i] = T(fits.surfaces[at - moving_point].scale);
      });
      for (int k = 0; k < plane_numbers; ++k)
        for (int p = 0; p < batch_points; ++p) shape[k] += coefficients.of[k][p] * speed[p];
    });
  }
  /// By how much the number `slot` that this node's neighbours in the opening keep exceeds its own, in the mean; 0 if
  /// there are none. Its own image over a plane of symmetry or a periodic face is such a neighbour. At all other points
  /// `values` are its own.
  [[nodiscard]] FLUVIA_FUNCTION T excess_beside(int slot) const {
    const T own = memory[slot];
    T excess = 0;
    for_each_batch(slot, [&](Uint32 b, const PointBatch&, const T(&values)[batch_points]) {
      const FitBatch<T>& coefficients = fits.coefficients[links.opening.first_coefficients + b];
      for (int p = 0; p < batch_points; ++p) excess += coefficients.of[mean_row][p] * (values[p] - own);
    });
    return excess;
  }
  [[nodiscard]] FLUVIA_FUNCTION bool is_cut(int i) const { return (links.directions >> i & 1u) != 0; }
  /// Calls body(i) for every direction that the surface cuts, unrolled; i.i is a compile-time constant.
  template <class Body>
  FLUVIA_FUNCTION void for_each_cut(Body&& body) const {
    for_each_of(links.directions, body);
  }
  /// Calls body(i) for every direction whose bit is set, unrolled; i.i is a compile-time constant.
  template <class Body>
  FLUVIA_FUNCTION void for_each_of(Uint32 directions, Body&& body) const {
    unroll<Lattice::Q, 1>([&](auto i) {
      if ((directions >> i.i & 1u) != 0) body(i);
    });
  }
  /// Rate of the shear stress that the node's populations ask for, for boundary conditions that see_opening(). Where
  /// openings meet, the rate for the case's viscosity.
  FLUVIA_FUNCTION T local_rate(const Macroscopic<T>& m) const {
    if constexpr (Viscosity::varies) {
      if (openings_meet && links.opening.others != 0) return parameters.omega;  // the populations are not complete
      T stress[6];
      nonequilibrium_stress<Lattice, Equilibrium>(f, m, stress);
      correct_stress<Lattice>(m, parameters.force, stress);
      return local_omega<Lattice, Equilibrium>(stress, m, parameters, viscosity);
    } else {
      return parameters.omega;
    }
  }
  /// Adds bounce-back's 6 w_i c_i.u of a wall that moves with `velocity` to the cut links.
  FLUVIA_FUNCTION void add_velocity(const T (&velocity)[3]) const {
    for_each_cut([&](auto i) { f[i.i] += T(6 * Lattice::w[i.i]) * along<Lattice, i.i>(velocity); });
  }
};

}  // namespace fluvia::core
