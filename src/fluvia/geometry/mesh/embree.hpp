// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Embree 3 and 4 by one set of functions. FLUVIA_EMBREE, the version that CMake found, comes with its target.
#if FLUVIA_EMBREE >= 4
#include <embree4/rtcore.h>
#else
#include <embree3/rtcore.h>
#endif

namespace fluvia::geometry::embree {

#if FLUVIA_EMBREE >= 4

using RayContext = RTCRayQueryContext;

/// Flag of scenes whose rays bring a filter of their own.
inline constexpr RTCSceneFlags filters_of_rays = RTC_SCENE_FLAG_FILTER_FUNCTION_IN_ARGUMENTS;

/// Finds the first triangle that a ray meets.
inline void trace(RTCScene scene, RTCRayHit& query) {
  rtcIntersect1(scene, &query, nullptr);
}

/// Finds the first triangle that a ray meets and that `filter` accepts; `filter` is given `context`.
inline void trace(RTCScene scene, RTCRayHit& query, RayContext& context, RTCFilterFunctionN filter) {
  rtcInitRayQueryContext(&context);
  RTCIntersectArguments arguments;
  rtcInitIntersectArguments(&arguments);
  arguments.flags = static_cast<RTCRayQueryFlags>(arguments.flags | RTC_RAY_QUERY_FLAG_INVOKE_ARGUMENT_FILTER);
  arguments.context = &context;
  arguments.filter = filter;
  rtcIntersect1(scene, &query, &arguments);
}

#else

using RayContext = RTCIntersectContext;

inline constexpr RTCSceneFlags filters_of_rays = RTC_SCENE_FLAG_CONTEXT_FILTER_FUNCTION;

inline void trace(RTCScene scene, RTCRayHit& query, RayContext& context, RTCFilterFunctionN filter) {
  rtcInitIntersectContext(&context);
  context.filter = filter;
  rtcIntersect1(scene, &context, &query);
}

inline void trace(RTCScene scene, RTCRayHit& query) {
  RayContext context;
  trace(scene, query, context, nullptr);
}

#endif

}  // namespace fluvia::geometry::embree
