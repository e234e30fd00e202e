// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "fluvia/core/boundary/surface.hpp"
#include "fluvia/solver/cut_links.hpp"
#include "fluvia/units/units.hpp"

namespace fluvia {

/// The case's boundary conditions in lattice units, independent of any backend.
struct BoundarySetup {
  std::vector<core::SurfaceState> surfaces;  ///< one per Geometry::surfaces
  std::vector<CutLink> links;                ///< of all surfaces that are not plain walls, canonical node order
  std::vector<Real3> velocities;             ///< of links[k]; zero where the surface has none
  std::vector<bool> monitored;               ///< per surface: forces or openings are measured on it
  std::vector<CutLink> monitored_links;
};

/// Classifies the cut links and evaluates profiles. The discrete flux of every velocity opening given by speed or flow
/// rate is scaled to the prescribed value exactly. Throws Error(input) if a boundary's surface cuts no link.
BoundarySetup make_boundary_setup(const Case& c, const Units& units, const Geometry& geometry,
                                  const std::string& lattice);

/// Sizes of a BoundarySetup, found without making it.
struct BoundaryCount {
  std::uint64_t links = 0;
  std::uint64_t records = 0;  ///< links merged per node, surface and velocity (node_records.hpp); profiles merge none
  std::uint64_t monitored_links = 0;
};

BoundaryCount count_boundaries(const Case& c, const Geometry& geometry, const std::string& lattice);

}  // namespace fluvia
