// SPDX-License-Identifier: Apache-2.0
#include "fluvia/solver/links/plane_fits.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>

#include "fluvia/case/physics/registered_physics.hpp"
#include "fluvia/core/moments.hpp"
#include "fluvia/solver/links/wall_links.hpp"

namespace fluvia {

namespace {

/// The inverse of a symmetric matrix without the part of eigenvalues below `least`, by Jacobi's rotations.
template <std::size_t size>
std::array<std::array<double, size>, size> inverse_where_known(std::array<std::array<double, size>, size> a,
                                                               double least) {
  std::array<std::array<double, size>, size> vectors{}, inverse{};
  for (std::size_t k = 0; k < size; ++k) vectors[k][k] = 1;
  constexpr int sweeps = 30;
  for (int sweep = 0; sweep < sweeps; ++sweep)
    for (std::size_t p = 0; p < size; ++p)
      for (std::size_t q = p + 1; q < size; ++q) {
        if (a[p][q] == 0) continue;
        const double angle = 0.5 * std::atan2(2 * a[p][q], a[q][q] - a[p][p]), c = std::cos(angle), s = std::sin(angle);
        for (std::size_t k = 0; k < size; ++k) {
          const double x = a[k][p], y = a[k][q];
          a[k][p] = c * x - s * y;
          a[k][q] = s * x + c * y;
        }
        for (std::size_t k = 0; k < size; ++k) {
          const double x = a[p][k], y = a[q][k];
          a[p][k] = c * x - s * y;
          a[q][k] = s * x + c * y;
        }
        for (std::size_t k = 0; k < size; ++k) {
          const double x = vectors[k][p], y = vectors[k][q];
          vectors[k][p] = c * x - s * y;
          vectors[k][q] = s * x + c * y;
        }
      }
  for (std::size_t e = 0; e < size; ++e) {
    if (!(a[e][e] > least)) continue;
    for (std::size_t r = 0; r < size; ++r)
      for (std::size_t q = 0; q < size; ++q) inverse[r][q] += vectors[r][e] * vectors[q][e] / a[e][e];
  }
  return inverse;
}

/// Two directions along a plane; those of axes where the plane is normal to one.
std::array<Real3, 2> tangents(const Real3& n) {
  int axis = 0;
  for (int a = 1; a < 3; ++a)
    if (std::abs(n[a]) > std::abs(n[axis])) axis = a;
  Real3 first{};
  first[(axis + 1) % 3] = 1;
  first = first - dot(first, n) * n;
  first = (1 / norm(first)) * first;
  return {first, cross(n, first)};
}

using OpeningKey = std::tuple<std::uint32_t, std::uint8_t, std::uint16_t>;  ///< tile, bit, surface

const Opening* opening_of(const Geometry& geometry, int surface) {
  const auto it = std::find_if(geometry.openings.begin(), geometry.openings.end(),
                               [&](const Opening& opening) { return opening.surface == surface; });
  return it == geometry.openings.end() ? nullptr : &*it;
}

/// What is known of a surface that is an opening and whose condition fits a plane.
class OpeningSearch {
 public:
  OpeningSearch(const OpeningsAndWalls& about, const std::vector<CutLink>& links)
      : about_(about),
        map_(about.geometry.nodes),
        velocities_(facts_of_lattice(about.lattice).velocities),
        normals_(about.facts.size()) {
    if (!facts_of_lattice(about.lattice).isotropic) return;
    for (std::size_t s = 0; s < normals_.size(); ++s) {
      if (!about.facts[s]->needs_plane_fit) continue;
      const Opening* opening = opening_of(about.geometry, static_cast<int>(s));
      if (s < surface_id::wall)
        normals_[s][s / 2] = s % 2 == 0 ? -1.0f : 1.0f;
      else if (opening != nullptr)
        for (int a = 0; a < 3; ++a) normals_[s][a] = static_cast<float>(opening->normal[a]);
    }
    for (const CutLink& link : links)
      if (normals_[link.surface] != std::array<float, 3>{}) nodes_.emplace_back(link.tile, link.bit, link.surface);
    std::sort(nodes_.begin(), nodes_.end());
    nodes_.erase(std::unique(nodes_.begin(), nodes_.end()), nodes_.end());
  }

  /// Nodes of openings, each opening's own, in canonical order.
  [[nodiscard]] const std::vector<OpeningKey>& nodes() const { return nodes_; }

  void append_points(const OpeningKey& node, std::vector<OpeningPoint>& points) const {
    const auto& [tile, bit, surface] = node;
    const Int3 x = map_.node_position(map_.tiles[tile], bit);
    for (std::size_t i = 1; i < velocities_.size(); ++i) {
      const Int3& c = velocities_[i];
      const Int3 offset = {-c[0], -c[1], -c[2]};
      OpeningPoint point{tile, OpeningPoint::wall,           surface, 0, bit,
                         0,    static_cast<std::uint8_t>(i), 1,       0, normals_[surface]};
      if (find_neighbour(x, offset, point) || find_wall(x, offset, point)) points.push_back(point);
    }
  }

 private:
  /// The fluid node to which a step from another leads. The one place that knows how a fit goes on beyond the box.
  /// Beyond a plane of symmetry, across which an opening lies, the speed through it is that of the mirror image.
  [[nodiscard]] std::optional<NodeMap::Node> beside(const Int3& x, const Int3& offset) const {
    const NodeMap::Landing landing = map_.land({x[0] + offset[0], x[1] + offset[1], x[2] + offset[2]});
    return landing.inside ? map_.find_fluid(landing.node) : std::nullopt;
  }
  /// Where a step leads to a node of the same opening.
  bool find_neighbour(const Int3& x, const Int3& offset, OpeningPoint& point) const {
    const auto other = beside(x, offset);
    if (!other) return false;
    const OpeningKey key(other->tile, other->bit, point.surface);
    if (!std::binary_search(nodes_.begin(), nodes_.end(), key)) return false;
    point.other_tile = other->tile;
    point.other_bit = other->bit;
    return true;
  }
  /// Where a wall that holds the fluid cuts the link.
  bool find_wall(const Int3& x, const Int3& offset, OpeningPoint& point) const {
    if (beside(x, offset)) return false;
    const int wall = about_.geometry.surface_of(x, offset);
    if (wall == about_.geometry.level_surface || !about_.facts[wall]->sticks) return false;
    // Walls nearer than a quarter of a link would make the fit steeper than an explicit shear can follow.
    constexpr double nearest = 0.25;
    const double q = about_.interpolated[wall] ? stored_wall_distance(about_.geometry, x, offset) : 0.5;
    const Real3 at = {x[0] + 0.5 + q * offset[0], x[1] + 0.5 + q * offset[1], x[2] + 0.5 + q * offset[2]};
    const auto& n = normals_[point.surface];
    point.wall_surface = static_cast<std::uint16_t>(wall);
    point.fraction = static_cast<float>(std::max(q, nearest));
    point.speed = dot(about_.wall_velocity(wall, at), Real3{n[0], n[1], n[2]});
    return true;
  }

  const OpeningsAndWalls& about_;
  const NodeMap& map_;
  std::vector<Int3> velocities_;
  std::vector<std::array<float, 3>> normals_;  ///< per surface; (0, 0, 0): not such an opening
  std::vector<OpeningKey> nodes_;
};

}  // namespace

std::vector<OpeningPoint> find_opening_points(const OpeningsAndWalls& about, const std::vector<CutLink>& links,
                                              const TileRange& tiles) {
  const OpeningSearch search(about, links);
  const std::vector<OpeningKey>& nodes = search.nodes();
  constexpr std::size_t slices = 64;  // results do not depend on the number of threads
  std::vector<std::vector<OpeningPoint>> parts(slices);
#pragma omp parallel for schedule(dynamic)
  for (std::size_t s = 0; s < slices; ++s)
    for (std::size_t k = nodes.size() * s / slices; k < nodes.size() * (s + 1) / slices; ++k)
      if (tiles.contains(std::get<0>(nodes[k]))) search.append_points(nodes[k], parts[s]);
  std::vector<OpeningPoint> points;
  for (const auto& part : parts) points.insert(points.end(), part.begin(), part.end());
  return points;
}

float depth_behind_opening(const Geometry& geometry, const CutLink& link) {
  const Opening* opening = opening_of(geometry, link.surface);
  if (opening == nullptr || link.surface < surface_id::wall) return 0.5f;
  const Int3 x = geometry.nodes.node_position(geometry.nodes.tiles[link.tile], link.bit);
  const Real3 point = {x[0] + 0.5, x[1] + 0.5, x[2] + 0.5};
  constexpr double longest_link = 2;  // openings of meshes are not quite flat
  return static_cast<float>(std::clamp(dot(opening->centroid - point, opening->normal), 0.0, longest_link));
}

std::vector<std::array<double, core::plane_numbers>> fit_plane(const Real3& n, std::span<const PlanePoint> points) {
  // Below these parts of what they would be beside many points, directions count as unknown.
  constexpr double least_slope = 1e-3, least_curvature = 1e-3;
  const std::array<Real3, 2> along = tangents(n);
  std::vector<std::array<double, 2>> t;
  std::vector<std::array<double, 3>> tt;  // of orthonormal parts of K: its invariants do not depend on the tangents
  std::array<std::array<double, 2>, 2> slopes{};
  std::array<std::array<double, 2>, 3> mixed{};
  double scale = 0, curved_scale = 0;
  for (const PlanePoint& p : points) {
    const double x = dot(p.offset, along[0]), y = dot(p.offset, along[1]);
    t.push_back({x, y});
    tt.push_back({x * x, y * y, std::sqrt(2.0) * x * y});
    for (int a = 0; a < 2; ++a)
      for (int b = 0; b < 2; ++b) slopes[a][b] += p.weight * t.back()[a] * t.back()[b];
    for (int k = 0; k < 3; ++k)
      for (int a = 0; a < 2; ++a) mixed[k][a] += p.weight * tt.back()[k] * t.back()[a];
    scale += p.weight * (x * x + y * y);
    curved_scale += p.weight * (x * x + y * y) * (x * x + y * y);
  }
  const auto slope = inverse_where_known<2>(slopes, least_slope * scale);
  // What of each part of K no b can stand for.
  std::array<std::array<double, 3>, 3> curved{};
  std::array<std::array<double, 2>, 3> stood_for{};  // b of K's parts
  for (int k = 0; k < 3; ++k)
    for (int a = 0; a < 2; ++a) stood_for[k][a] = slope[a][0] * mixed[k][0] + slope[a][1] * mixed[k][1];
  std::vector<std::array<double, 3>> rest(points.size());
  for (std::size_t p = 0; p < points.size(); ++p)
    for (int k = 0; k < 3; ++k) rest[p][k] = tt[p][k] - stood_for[k][0] * t[p][0] - stood_for[k][1] * t[p][1];
  for (std::size_t p = 0; p < points.size(); ++p)
    for (int k = 0; k < 3; ++k)
      for (int l = 0; l < 3; ++l) curved[k][l] += points[p].weight * rest[p][k] * rest[p][l];
  const auto curvature = inverse_where_known<3>(curved, least_curvature * curved_scale);
  std::vector<std::array<double, core::plane_numbers>> coefficients(points.size());
  for (std::size_t p = 0; p < points.size(); ++p) {
    std::array<double, 3> bent{};
    std::array<double, 2> inclined{};
    for (int k = 0; k < 3; ++k)
      for (int l = 0; l < 3; ++l) bent[k] += points[p].weight * curvature[k][l] * rest[p][l];
    for (int a = 0; a < 2; ++a) {
      inclined[a] = points[p].weight * (slope[a][0] * t[p][0] + slope[a][1] * t[p][1]);
      for (int k = 0; k < 3; ++k) inclined[a] -= stood_for[k][a] * bent[k];
    }
    for (int a = 0; a < 3; ++a) coefficients[p][a] = inclined[0] * along[0][a] + inclined[1] * along[1][a];
    for (int k = 0; k < 6; ++k) {
      const int r = core::tensor_row[k], s = core::tensor_column[k];
      coefficients[p][3 + k] = bent[0] * along[0][r] * along[0][s] + bent[1] * along[1][r] * along[1][s] +
                               bent[2] * std::sqrt(0.5) * (along[0][r] * along[1][s] + along[1][r] * along[0][s]);
    }
  }
  return coefficients;
}

namespace {
/// What a point is: of the node itself, its own image over a periodic face or a plane of symmetry, the fit knows that
/// nothing changes.
enum class PointKind { neighbour, wall, itself };
PointKind kind_of(const OpeningPoint& p) {
  if (p.other_tile == OpeningPoint::wall) return PointKind::wall;
  return p.other_tile == p.tile && p.other_bit == p.bit ? PointKind::itself : PointKind::neighbour;
}
}  // namespace

const FitBuilder::Pattern& FitBuilder::pattern(std::span<const OpeningPoint> around) {
  std::vector<double> key(around[0].normal.begin(), around[0].normal.end());
  for (const OpeningPoint& p : around) {
    const bool moves = kind_of(p) == PointKind::wall && p.speed != 0;
    key.insert(key.end(), {static_cast<double>(p.direction), p.fraction, static_cast<double>(kind_of(p)),
                           moves ? p.speed : 0.0, moves ? static_cast<double>(p.wall_surface) : 0.0});
  }
  const auto [at, is_new] = patterns_.try_emplace(std::move(key));
  Pattern& found = at->second;
  if (!is_new) return found;
  const auto& normal = around[0].normal;
  const Real3 n = {normal[0], normal[1], normal[2]};
  std::vector<PlanePoint> points;
  for (const OpeningPoint& p : around) {
    const Int3& c = velocities_[p.direction];
    const double q = p.fraction;
    points.push_back({{-q * c[0], -q * c[1], -q * c[2]}, weights_[p.direction]});
  }
  const auto coefficients = fit_plane((1 / norm(n)) * n, points);
  using Numbers = std::array<double, core::fit_rows>;
  const auto beside =
      std::count_if(around.begin(), around.end(), [](const OpeningPoint& p) { return kind_of(p) != PointKind::wall; });
  Numbers own{};
  std::vector<Numbers> in_order;
  std::map<std::uint16_t, Numbers> moving;
  for (std::size_t k = 0; k < around.size(); ++k) {
    const OpeningPoint& p = around[k];
    if (kind_of(p) == PointKind::neighbour) {
      Numbers& all = in_order.emplace_back();
      std::copy(coefficients[k].begin(), coefficients[k].end(), all.begin());
      all[core::mean_row] = 1.0 / static_cast<double>(beside);
    }
    if (kind_of(p) != PointKind::wall) continue;
    found.has_walls = true;
    for (int a = 0; a < core::plane_numbers; ++a) own[a] -= coefficients[k][a];
    if (p.speed == 0) continue;
    Numbers& sum = moving[p.wall_surface];
    for (int a = 0; a < core::plane_numbers; ++a) sum[a] += p.speed * coefficients[k][a];
  }
  if (found.has_walls) in_order.insert(in_order.begin(), own);
  for (const auto& [surface, sum] : moving) {
    found.moving.push_back(surface);
    in_order.push_back(sum);
  }
  std::vector<core::FitBatch<double>>& all = tables_.coefficients;
  found.first = static_cast<std::uint32_t>(all.size());
  for (std::size_t k = 0; k < in_order.size(); ++k) {
    if (k % core::batch_points == 0) all.push_back({});
    for (int a = 0; a < core::fit_rows; ++a) all.back().of[a][k % core::batch_points] = in_order[k][a];
  }
  return found;
}

FitBuilder::Fit FitBuilder::add(std::span<const OpeningPoint> around, std::uint32_t own,
                                const std::function<std::uint32_t(const OpeningPoint&)>& memory_of) {
  if (around.empty()) return {};
  const Pattern& fit = pattern(around);
  std::vector<core::PointBatch>& points = tables_.points;
  Fit found{0, static_cast<std::uint32_t>(points.size()), fit.first};
  int count = 0;
  const auto append = [&](std::uint32_t at) {
    if (count % core::batch_points == 0) {
      points.emplace_back();
      std::fill(std::begin(points.back().at), std::end(points.back().at), own);
    }
    points.back().at[count++ % core::batch_points] = at;
  };
  if (fit.has_walls) append(own);
  for (const OpeningPoint& p : around)
    if (kind_of(p) == PointKind::neighbour) append(memory_of(p));
  for (const std::uint16_t surface : fit.moving) append(core::moving_point + surface);
  found.batches = static_cast<std::uint32_t>(points.size()) - found.first_points;
  return found;
}

FitSize fit_size(const std::string& lattice, const std::vector<OpeningPoint>& points) {
  if (points.empty()) return {};
  FitBuilder builder(facts_of_lattice(lattice).velocities, facts_of_lattice(lattice).weights);
  for_each_node_of_openings(points, [&](std::span<const OpeningPoint> around) {
    builder.add(around, 0, [](const OpeningPoint&) { return 0u; });
  });
  return builder.tables().size();
}

}  // namespace fluvia
