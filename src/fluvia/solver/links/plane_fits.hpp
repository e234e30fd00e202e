// SPDX-License-Identifier: Apache-2.0
// From which points a node of an opening knows how the speed through it changes along the opening's plane, and with
// which coefficients (core::PlaneFits). Found once, by the host; every backend gets the same tables.
#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "fluvia/core/boundary/surface.hpp"
#include "fluvia/solver/links/cut_links.hpp"

namespace fluvia {

/// A point around a node of an opening at which the speed through it is known: a neighbour that is a node of the same
/// opening, or where a link is cut by a wall that holds the fluid.
struct OpeningPoint {
  static constexpr std::uint32_t wall = 0xffffffffu;
  std::uint32_t tile, other_tile;       ///< of the node; of the neighbour, or `wall`
  std::uint16_t surface, wall_surface;  ///< the opening; the wall
  std::uint8_t bit, other_bit;          ///< of node and neighbour in their tiles
  std::uint8_t direction;               ///< i: the point lies towards x - c_i
  float fraction;                       ///< on the link, in parts of it
  double speed;                         ///< of the wall along the opening's normal, for SurfaceState::scale 1
  std::array<float, 3> normal;          ///< of the opening
};

/// What is asked about openings and the walls around them.
struct OpeningsAndWalls {
  const Geometry& geometry;
  const std::string& lattice;
  const std::vector<const core::ConditionFacts*>& facts;             ///< per surface
  const std::vector<bool>& interpolated;                             ///< per surface: a wall that acts where it is
  std::function<Real3(int wall, const Real3& point)> wall_velocity;  ///< lattice units, for SurfaceState::scale 1
};
/// The points around all nodes in these tiles of openings whose condition fits a plane, in canonical order, then by
/// opening and direction; none on lattices without isotropic weights, for which the rule is not made. `links`: those of
/// all openings, in canonical order.
std::vector<OpeningPoint> find_opening_points(const OpeningsAndWalls& about, const std::vector<CutLink>& links,
                                              const TileRange& tiles);

/// How far the node of a link lies behind the plane of the opening that cuts it, nodes; of a face, half.
float depth_behind_opening(const Geometry& geometry, const CutLink& link);

/// A value at a displacement from a node, nodes.
struct PlanePoint {
  Real3 offset;
  double weight;
};

/// Coefficients of the values of `points`, less that of the node, in b and K of the least squares fit of b.t + t.K.t, t
/// the part of the offset along the plane with the normal n. b alone is fitted first: of K that is left which the rest
/// of the values determines (nothing on one side of the node only), and of both what some point has anything to do
/// with.
std::vector<std::array<double, core::plane_numbers>> fit_plane(const Real3& n, std::span<const PlanePoint> points);

/// How many batches FitTables have.
struct FitSize {
  std::uint64_t points = 0, coefficients = 0;
  /// On a device whose arithmetic has numbers of so many bytes.
  [[nodiscard]] std::uint64_t bytes(int number_bytes) const {
    constexpr std::uint64_t numbers = core::fit_rows * core::batch_points;
    return points * sizeof(core::PointBatch) + coefficients * numbers * static_cast<std::uint64_t>(number_bytes);
  }
};

/// The arrays behind core::PlaneFits.
struct FitTables {
  std::vector<core::PointBatch> points;
  std::vector<core::FitBatch<double>> coefficients;

  [[nodiscard]] FitSize size() const { return {points.size(), coefficients.size()}; }
  /// The coefficients as the arithmetic has them.
  template <class T>
  [[nodiscard]] std::vector<core::FitBatch<T>> coefficients_as() const {
    std::vector<core::FitBatch<T>> result(coefficients.size());
    for (std::size_t b = 0; b < result.size(); ++b)
      for (int k = 0; k < core::fit_rows; ++k)
        for (int p = 0; p < core::batch_points; ++p) result[b].of[k][p] = static_cast<T>(coefficients[b].of[k][p]);
    return result;
  }
};

/// Calls visit(the points around it) for every node of an opening that has any. `points`: of find_opening_points().
template <class Visit>
void for_each_node_of_openings(std::span<const OpeningPoint> points, const Visit& visit) {
  for (std::size_t first = 0, end; first < points.size(); first = end) {
    const OpeningPoint& p = points[first];
    for (end = first + 1; end < points.size(); ++end)
      if (points[end].tile != p.tile || points[end].bit != p.bit || points[end].surface != p.surface) break;
    visit(points.subspan(first, end - first));
  }
}

/// FitTables::size() of these points.
FitSize fit_size(const std::string& lattice, const std::vector<OpeningPoint>& points);

/// Makes the tables. Nodes around which points lie alike share their coefficients, as most nodes of a face do.
class FitBuilder {
 public:
  FitBuilder(std::vector<Int3> velocities, std::vector<double> weights)
      : velocities_(std::move(velocities)), weights_(std::move(weights)) {}

  /// Where in core::PlaneFits a node finds its points: how many batches, and the first of them and of their
  /// coefficients.
  struct Fit {
    std::uint32_t batches = 0, first_points = 0, first_coefficients = 0;
  };
  /// `memory_of` says where conditions keep the numbers of a neighbour, and `own` of the node.
  Fit add(std::span<const OpeningPoint> around, std::uint32_t own,
          const std::function<std::uint32_t(const OpeningPoint&)>& memory_of);
  [[nodiscard]] FitTables& tables() { return tables_; }

 private:
  struct Pattern {
    std::uint32_t first;                ///< batch of its coefficients
    bool has_walls = false;             ///< the node itself comes first, for all walls
    std::vector<std::uint16_t> moving;  ///< surfaces, after the neighbours
  };
  const Pattern& pattern(std::span<const OpeningPoint> around);

  std::vector<Int3> velocities_;
  std::vector<double> weights_;
  std::map<std::vector<double>, Pattern> patterns_;
  FitTables tables_;
};

}  // namespace fluvia
