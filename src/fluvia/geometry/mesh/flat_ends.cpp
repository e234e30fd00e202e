// SPDX-License-Identifier: Apache-2.0
#include "fluvia/geometry/mesh/flat_ends.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <set>

namespace fluvia::geometry {
namespace {

// A cap that a program made is plane to the digits of the file; one that was meshed anew bends by some degrees, and its
// rim is blunt. A piece of a round wall that bends as little is much less flat beside its size.
constexpr double plane_cosine = 0.985;     // 10 degrees
constexpr double plane_share = 0.05;       // how far a triangle may lie off its plane, in parts of the way to the seed
constexpr double flat_share = 0.03;        // how far corners may lie off the mean plane, in parts of the radius
constexpr double sharp_cosine = 0.766;     // 40 degrees: facets of coarse walls meet at less
constexpr double sharp_share = 0.8;        // part of the rim's length that must be sharp
constexpr double visible_share = 0.4;      // ... for somebody to see a rim at all
constexpr double least_roundness = 0.65;   // 4 pi area / perimeter^2: 1 of a disc, 0.7 of a rectangle of 2 : 1
constexpr double plain_roundness = 0.45;   // nobody takes what is less round for an end
constexpr double disc_roundness = 0.95;    // roundness that no accident gives: the rim may then be blunt ...
constexpr std::size_t disc_triangles = 8;  // ... if it has more than a few triangles
constexpr double largest_share = 0.25;     // part of the whole surface

constexpr const char* no_piece = "no piece";

struct HalfEdge {
  std::uint32_t a, b;  ///< a < b
  std::uint32_t triangle;
};

Real3 area_vector(const Mesh& mesh, const MeshTriangle& t) {
  const Real3 a = mesh.corner(t, 0);
  return 0.5 * cross(mesh.corner(t, 1) - a, mesh.corner(t, 2) - a);
}

class Finder {
 public:
  explicit Finder(const Mesh& mesh) : mesh_(mesh), piece_(mesh.triangles.size(), none) {
    for (const MeshTriangle& t : mesh.triangles) {
      areas_.push_back(area_vector(mesh, t));
      surface_ += norm(areas_.back());
    }
    connect();
  }

  std::vector<FlatEnd> find() {
    std::vector<FlatEnd> ends;
    std::vector<std::size_t> order(mesh_.triangles.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    // Seeds are taken from the largest triangle on: the normals of slivers say little.
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t i, std::size_t j) { return norm(areas_[i]) > norm(areas_[j]); });
    for (const std::size_t seed : order) {
      if (piece_[seed] != none || !(norm(areas_[seed]) > 0)) continue;
      FlatEnd end = grow(seed);
      end.problem = judge(end);
      if (end.problem != no_piece) ends.push_back(std::move(end));
    }
    std::stable_sort(ends.begin(), ends.end(), [](const FlatEnd& a, const FlatEnd& b) { return a.area > b.area; });
    return ends;
  }

 private:
  static constexpr std::uint32_t none = 0xffffffffu;

  void connect() {
    for (std::uint32_t i = 0; i < mesh_.triangles.size(); ++i)
      for (int k = 0; k < 3; ++k) {
        const std::uint32_t a = mesh_.triangles[i].vertex[k], b = mesh_.triangles[i].vertex[(k + 1) % 3];
        edges_.push_back({std::min(a, b), std::max(a, b), i});
      }
    std::sort(edges_.begin(), edges_.end(),
              [](const HalfEdge& x, const HalfEdge& y) { return x.a != y.a ? x.a < y.a : x.b < y.b; });
  }

  /// Calls visit(other triangle, edge) for every neighbour of a triangle; none where the edge has no other triangle.
  template <class Visit>
  void neighbours(std::size_t triangle, const Visit& visit) const {
    for (int k = 0; k < 3; ++k) {
      const std::uint32_t u = mesh_.triangles[triangle].vertex[k], v = mesh_.triangles[triangle].vertex[(k + 1) % 3];
      const HalfEdge wanted{std::min(u, v), std::max(u, v), 0};
      auto at = std::lower_bound(edges_.begin(), edges_.end(), wanted, [](const HalfEdge& x, const HalfEdge& y) {
        return x.a != y.a ? x.a < y.a : x.b < y.b;
      });
      std::uint32_t other = none;
      for (; at != edges_.end() && at->a == wanted.a && at->b == wanted.b; ++at)
        if (at->triangle != triangle) other = at->triangle;
      visit(other, wanted);
    }
  }

  [[nodiscard]] double cosine(std::size_t triangle, const Real3& normal) const {
    const double length = norm(areas_[triangle]);
    return length > 0 ? std::abs(dot(areas_[triangle], normal)) / length : 1;
  }

  /// The triangles around a seed that lie in its plane, and the rim of what they make up.
  FlatEnd grow(std::size_t seed) {
    FlatEnd end;
    const auto number = static_cast<std::uint32_t>(seed);
    end.normal = (1 / norm(areas_[seed])) * areas_[seed];
    const Real3 anchor = mesh_.corner(mesh_.triangles[seed], 0);
    piece_[seed] = number;
    end.triangles = {seed};
    for (std::size_t k = 0; k < end.triangles.size(); ++k)
      neighbours(end.triangles[k], [&](std::uint32_t other, const HalfEdge&) {
        if (other == none || piece_[other] != none || cosine(other, end.normal) < plane_cosine) return;
        double off = 0, reach = 0;
        for (int i = 0; i < 3; ++i) {
          const Real3 way = mesh_.corner(mesh_.triangles[other], i) - anchor;
          off = std::max(off, std::abs(dot(way, end.normal)));
          reach = std::max(reach, norm(way));
        }
        if (off > plane_share * reach) return;
        piece_[other] = number;
        end.triangles.push_back(other);
      });
    for (const std::size_t i : end.triangles) {
      const MeshTriangle& t = mesh_.triangles[i];
      end.area += norm(areas_[i]);
      end.centroid =
          end.centroid + (norm(areas_[i]) / 3) * (mesh_.corner(t, 0) + mesh_.corner(t, 1) + mesh_.corner(t, 2));
    }
    end.centroid = (1 / end.area) * end.centroid;
    Real3 mean{};
    for (const std::size_t i : end.triangles) mean = mean + (dot(areas_[i], end.normal) < 0 ? -1.0 : 1.0) * areas_[i];
    end.normal = (1 / norm(mean)) * mean;
    return end;
  }

  [[nodiscard]] bool is_flat(const FlatEnd& end) const {
    const double most = flat_share * std::sqrt(end.area / std::numbers::pi);
    return std::all_of(end.triangles.begin(), end.triangles.end(), [&](std::size_t t) {
      for (int i = 0; i < 3; ++i)
        if (std::abs(dot(mesh_.corner(mesh_.triangles[t], i) - end.centroid, end.normal)) > most) return false;
      return true;
    });
  }

  /// Why a piece is no end: "" if it is one, `no_piece` if nobody would take it for one.
  std::string judge(FlatEnd& end) const {
    double sharp = 0;
    for (const std::size_t i : end.triangles)
      neighbours(i, [&](std::uint32_t other, const HalfEdge& edge) {
        if (other != none && piece_[other] == piece_[end.triangles.front()]) return;
        const double length = norm(mesh_.vertices[edge.a] - mesh_.vertices[edge.b]);
        end.perimeter += length;
        if (other != none && cosine(other, end.normal) < sharp_cosine) sharp += length;
      });
    if (end.triangles.size() < 2 || !(end.perimeter > 0) || !is_flat(end)) return no_piece;
    const double roundness = 4 * std::numbers::pi * end.area / (end.perimeter * end.perimeter);
    const bool is_sharp = sharp > sharp_share * end.perimeter;
    const bool is_round = roundness > disc_roundness && end.triangles.size() >= disc_triangles;
    end.disc = is_round && is_sharp;
    if (roundness < plain_roundness) return no_piece;
    if (end.area > largest_share * surface_) return "it is more than a quarter of the surface";
    if (is_round || (roundness > least_roundness && is_sharp)) return "";
    if (sharp < visible_share * end.perimeter) return no_piece;  // a facet of the wall
    return roundness > least_roundness ? "its rim is blunt"
                                       : "it is more than twice as long as wide, or its rim ragged";
  }

  const Mesh& mesh_;
  std::vector<std::uint32_t> piece_;
  std::vector<Real3> areas_;
  std::vector<HalfEdge> edges_;
  double surface_ = 0;
};

}  // namespace

std::vector<FlatEnd> find_flat_pieces(const Mesh& mesh) {
  return Finder(mesh).find();
}

std::vector<FlatEnd> find_flat_ends(const Mesh& mesh) {
  std::vector<FlatEnd> ends = find_flat_pieces(mesh);
  std::erase_if(ends, [](const FlatEnd& end) { return !end.problem.empty(); });
  return ends;
}

bool is_made_of_voxels(const Mesh& mesh) {
  constexpr double aligned = 0.9999, most = 0.99;
  constexpr std::size_t many_planes = 24;  // more than those of a box with some rectangular branches
  double all = 0, across = 0;
  std::array<std::set<double>, 3> planes;
  for (const MeshTriangle& t : mesh.triangles) {
    const Real3 area = area_vector(mesh, t);
    const double size = norm(area);
    all += size;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (!(std::abs(area[static_cast<int>(axis)]) > aligned * size)) continue;
      across += size;
      planes[axis].insert(mesh.corner(t, 0)[static_cast<int>(axis)]);
    }
  }
  return across > most * all && planes[0].size() + planes[1].size() + planes[2].size() > many_planes;
}

}  // namespace fluvia::geometry
