// SPDX-License-Identifier: Apache-2.0
#include "fluvia/geometry/mesh/ray_mesh.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "fluvia/base/error.hpp"
#include "fluvia/geometry/mesh/embree.hpp"
#include "fluvia/geometry/mesh/winding.hpp"

namespace fluvia::geometry {

struct RayMesh::Scene {
  RTCDevice device = nullptr;
  RTCScene scene = nullptr;
  std::vector<std::array<float, 3>> vertices;
  std::vector<std::array<std::uint32_t, 3>> triangles;
  std::vector<std::uint32_t> families;  ///< [triangle]; empty if there are none

  ~Scene() {
    if (scene != nullptr) rtcReleaseScene(scene);
    if (device != nullptr) rtcReleaseDevice(device);
  }
};

namespace {

// Segments start slightly early and end slightly late: the surface may pass through a node within rounding.
constexpr double slack = 1e-3;  // of their length
constexpr float infinity = std::numeric_limits<float>::infinity();

RTCRayHit make_ray(const Real3& from, const Real3& direction, float length) {
  RTCRayHit query{};
  query.ray.org_x = static_cast<float>(from[0]);
  query.ray.org_y = static_cast<float>(from[1]);
  query.ray.org_z = static_cast<float>(from[2]);
  query.ray.dir_x = static_cast<float>(direction[0]);
  query.ray.dir_y = static_cast<float>(direction[1]);
  query.ray.dir_z = static_cast<float>(direction[2]);
  query.ray.tfar = length;
  query.ray.mask = 0xffffffffu;
  query.hit.geomID = RTC_INVALID_GEOMETRY_ID;
  query.hit.primID = RTC_INVALID_GEOMETRY_ID;
  return query;
}

/// Context of a ray that counts every triangle met and goes on.
struct CountingContext {
  embree::RayContext base;  // first: Embree knows only this part
  std::vector<RayMesh::Hit>* met;
};

void count_hit(const RTCFilterFunctionNArguments* arguments) {
  if (arguments->valid[0] == 0) return;
  const auto* context = reinterpret_cast<const CountingContext*>(arguments->context);
  context->met->push_back({static_cast<std::int64_t>(RTCHitN_primID(arguments->hit, arguments->N, 0)),
                           RTCRayN_tfar(arguments->ray, arguments->N, 0)});
  arguments->valid[0] = 0;
}

/// Squared distance from `p` to a triangle: the projection if it falls inside, otherwise the nearest edge.
double squared_distance(const Real3& p, const Real3& a, const Real3& b, const Real3& c) {
  const Real3 normal = cross(b - a, c - a);
  const double square = dot(normal, normal);
  if (square > 0) {
    const bool inside = dot(cross(b - a, p - a), normal) >= 0 && dot(cross(c - b, p - b), normal) >= 0 &&
                        dot(cross(a - c, p - c), normal) >= 0;
    if (inside) return dot(p - a, normal) * dot(p - a, normal) / square;
  }
  double best = std::numeric_limits<double>::max();
  for (const auto& [start, end] : {std::pair{a, b}, std::pair{b, c}, std::pair{c, a}}) {
    const Real3 edge = end - start;
    const double length = dot(edge, edge);
    const double t = length > 0 ? std::clamp(dot(p - start, edge) / length, 0.0, 1.0) : 0.0;
    const Real3 rest = p - (start + t * edge);
    best = std::min(best, dot(rest, rest));
  }
  return best;
}

struct NearestQuery {
  const std::vector<std::array<float, 3>>* vertices;
  const std::vector<std::array<std::uint32_t, 3>>* triangles;
  Real3 point;
  double best_square;
  std::int64_t best = -1;
};

bool visit_near(RTCPointQueryFunctionArguments* arguments) {
  auto* query = static_cast<NearestQuery*>(arguments->userPtr);
  const auto corner = [&](int i) {
    const auto& v = (*query->vertices)[(*query->triangles)[arguments->primID][i]];
    return Real3{v[0], v[1], v[2]};
  };
  const double square = squared_distance(query->point, corner(0), corner(1), corner(2));
  if (square >= query->best_square) return false;
  query->best_square = square;
  query->best = arguments->primID;
  arguments->query->radius = static_cast<float>(std::sqrt(square));
  return true;
}

}  // namespace

RayMesh::RayMesh(const Mesh& mesh) : scene_(std::make_unique<Scene>()) {
  for (const Real3& v : mesh.vertices) {
    scene_->vertices.push_back({static_cast<float>(v[0]), static_cast<float>(v[1]), static_cast<float>(v[2])});
  }
  // Embree reads vertices 16 bytes at a time.
  scene_->vertices.push_back({0, 0, 0});
  for (const MeshTriangle& t : mesh.triangles) scene_->triangles.push_back(t.vertex);
  if (has_families(mesh))
    for (const MeshTriangle& t : mesh.triangles) scene_->families.push_back(t.family);
  scene_->device = rtcNewDevice(nullptr);
  if (scene_->device == nullptr) throw_resource("the ray tracer Embree cannot start on this machine");
  scene_->scene = rtcNewScene(scene_->device);
  rtcSetSceneFlags(scene_->scene, static_cast<RTCSceneFlags>(RTC_SCENE_FLAG_ROBUST | RTC_SCENE_FLAG_COMPACT |
                                                             embree::filters_of_rays));
  RTCGeometry geometry = rtcNewGeometry(scene_->device, RTC_GEOMETRY_TYPE_TRIANGLE);
  rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, scene_->vertices.data(), 0, 12,
                             scene_->vertices.size() - 1);
  rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, scene_->triangles.data(), 0, 12,
                             scene_->triangles.size());
  rtcCommitGeometry(geometry);
  rtcAttachGeometry(scene_->scene, geometry);
  rtcReleaseGeometry(geometry);
  rtcCommitScene(scene_->scene);
  if (const RTCError error = rtcGetDeviceError(scene_->device); error != RTC_ERROR_NONE) {
    throw_resource("the ray tracer Embree failed (error " + std::to_string(error) + ") on a surface of " +
                   std::to_string(scene_->triangles.size()) + " triangles; is there enough memory?");
  }
}

RayMesh::~RayMesh() = default;

RayMesh::Hit RayMesh::hit(const Real3& from, const Real3& to) const {
  const Real3 direction = to - from;
  RTCRayHit query = make_ray(from - slack * direction, direction, static_cast<float>(1 + 2 * slack));
  embree::trace(scene_->scene, query);
  if (query.hit.geomID == RTC_INVALID_GEOMETRY_ID) return {};
  return {static_cast<std::int64_t>(query.hit.primID), query.ray.tfar - slack};
}

Real3 RayMesh::normal(std::int64_t triangle) const {
  const auto corner = [&](int i) {
    const auto& v = scene_->vertices[scene_->triangles[static_cast<std::size_t>(triangle)][i]];
    return Real3{v[0], v[1], v[2]};
  };
  const Real3 area = cross(corner(1) - corner(0), corner(2) - corner(0));
  const double length = norm(area);
  return length > 0 ? (1 / length) * area : Real3{};
}

std::int64_t RayMesh::nearest(const Real3& point, double radius) const {
  RTCPointQuery region{};
  region.x = static_cast<float>(point[0]);
  region.y = static_cast<float>(point[1]);
  region.z = static_cast<float>(point[2]);
  region.radius = static_cast<float>(radius);
  NearestQuery query{&scene_->vertices, &scene_->triangles, point, radius * radius};
  RTCPointQueryContext context;
  rtcInitPointQueryContext(&context);
  rtcPointQuery(scene_->scene, &region, &context, visit_near, &query);
  return query.best;
}

std::vector<RayMesh::Crossing> RayMesh::meet(const Real3& from, const Real3& direction, float length) const {
  std::vector<Hit> met;
  RTCRayHit query = make_ray(from, direction, length);
  CountingContext context{};
  context.met = &met;
  embree::trace(scene_->scene, query, context.base, count_hit);
  const auto by_triangle = [](const Hit& a, const Hit& b) { return a.triangle < b.triangle; };
  std::sort(met.begin(), met.end(), by_triangle);
  std::vector<Crossing> crossings;
  for (const Hit& hit : met) {
    if (!crossings.empty() && crossings.back().hit.triangle == hit.triangle) continue;  // it may be offered twice
    const std::uint32_t family =
        scene_->families.empty() ? 0 : scene_->families[static_cast<std::size_t>(hit.triangle)];
    crossings.push_back({hit, family, dot(normal(hit.triangle), direction) > 0 ? -1 : 1});
  }
  return crossings;
}

std::vector<RayMesh::Crossing> RayMesh::crossings(const Real3& from, const Real3& to) const {
  constexpr double same_place = 1e-4;
  const Real3 direction = to - from;
  std::vector<Crossing> met = meet(from - slack * direction, direction, static_cast<float>(1 + 2 * slack));
  std::sort(met.begin(), met.end(), [](const Crossing& a, const Crossing& b) {
    return a.hit.part != b.hit.part ? a.hit.part < b.hit.part : a.hit.triangle < b.hit.triangle;
  });
  std::vector<Crossing> crossings;
  for (Crossing& crossing : met) {
    crossing.hit.part -= slack;
    const bool again = !crossings.empty() && crossings.back().family == crossing.family &&
                       crossings.back().step == crossing.step &&
                       crossing.hit.part - crossings.back().hit.part < same_place;
    if (!again) crossings.push_back(crossing);
  }
  return crossings;
}

bool RayMesh::inside(const Real3& point) const {
  static constexpr std::array<Real3, 5> directions{Real3{0.8017, 0.2673, 0.5345}, Real3{-0.3015, 0.9045, -0.3015},
                                                   Real3{0.1826, -0.5477, -0.8165}, Real3{-0.7071, -0.6364, 0.3082},
                                                   Real3{0.4243, 0.5657, -0.7071}};
  int votes = 0;
  for (const Real3& direction : directions) {
    // Seen from where the ray ends, outside, it comes in where it leaves.
    InsideCount count;
    for (const Crossing& met : meet(point, direction, infinity)) count.cross(met.family, -met.step);
    votes += count.inside() ? 1 : -1;
  }
  return votes > 0;
}

}  // namespace fluvia::geometry
