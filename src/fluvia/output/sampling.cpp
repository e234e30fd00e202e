// SPDX-License-Identifier: Apache-2.0
#include "fluvia/output/sampling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fluvia/base/error.hpp"

namespace fluvia {
namespace {

/// Samples along one axis over nodes [lower, upper).
void set_axis(Sampling& sampling, const Grid& grid, int axis, int lower, int upper, int stride) {
  const int extent = upper - lower;
  // The sample sits in the middle of its block of nodes; a block that sticks out of the region still has one sample.
  const int offset = std::min(stride / 2, (extent - 1) / 2);
  sampling.first[axis] = lower + offset;
  sampling.count[axis] = (extent - 1 - offset) / stride + 1;
  sampling.stride[axis] = stride;
  sampling.spacing[axis] = stride * grid.spacing;
  sampling.origin[axis] = grid.origin[axis] + (lower + offset + 0.5 - 0.5 * stride) * grid.spacing;
}

/// First and one-past-last node whose centre lies in [lower, upper], clipped to the box.
std::array<int, 2> nodes_between(const Grid& grid, int axis, double lower, double upper) {
  constexpr double slack = 1e-9;  // a corner given exactly at a node centre counts, whatever the rounding
  const double from = std::ceil((lower - grid.origin[axis]) / grid.spacing - 0.5 - slack);
  const double to = std::floor((upper - grid.origin[axis]) / grid.spacing - 0.5 + slack) + 1;
  const double size = grid.size[axis];
  return {static_cast<int>(std::clamp(from, 0.0, size)), static_cast<int>(std::clamp(to, 0.0, size))};
}

}  // namespace

bool Sampling::find(const Int3& node, Int3& sample) const {
  for (int axis = 0; axis < 3; ++axis) {
    const int distance = node[axis] - first[axis];
    if (distance < 0 || distance % stride[axis] != 0) return false;
    sample[axis] = distance / stride[axis];
    if (sample[axis] >= count[axis]) return false;
  }
  return true;
}

namespace {
/// The first axis along which a region holds no node; -1: there is none. Sets the samples along axes before it.
int set_axes(Sampling& sampling, const Grid& grid, int stride, const std::optional<std::array<Real3, 2>>& region) {
  sampling.dimension = grid.dimension;
  for (int axis = 0; axis < 3; ++axis) {
    const bool flat = axis >= grid.dimension;
    std::array<int, 2> range{0, grid.size[axis]};
    if (region && !flat) range = nodes_between(grid, axis, (*region)[0][axis], (*region)[1][axis]);
    if (range[0] >= range[1]) return axis;
    set_axis(sampling, grid, axis, range[0], range[1], flat ? 1 : stride);
  }
  return -1;
}
}  // namespace

Sampling make_sampling(const Grid& grid, int stride, const std::optional<std::array<Real3, 2>>& region) {
  if (stride < 1) throw_input(fmt::format("output.stride = {}: must be at least 1", stride));
  Sampling sampling;
  if (const int axis = set_axes(sampling, grid, stride, region); axis >= 0)
    throw_input(
        fmt::format("output.region: [{}, {}] along {} holds no node; the box spans [{}, {}] with a spacing of {}",
                    (*region)[0][axis], (*region)[1][axis], "xyz"[axis], grid.origin[axis],
                    grid.origin[axis] + grid.size[axis] * grid.spacing, grid.spacing));
  return sampling;
}

std::optional<Sampling> find_sampling(const Grid& grid, int stride, const std::optional<std::array<Real3, 2>>& region) {
  Sampling sampling;
  return set_axes(sampling, grid, stride, region) < 0 ? std::optional(sampling) : std::nullopt;
}

Sampling make_plane_sampling(const Grid& grid, int axis, const std::optional<double>& position, int stride) {
  if (axis < 0 || axis > 2) throw_input(fmt::format("output.slices: axis = {}: must be 0, 1 or 2 (x, y, z)", axis));
  Sampling sampling;
  sampling.dimension = grid.dimension;
  for (int i = 0; i < 3; ++i) set_axis(sampling, grid, i, 0, grid.size[i], i == axis ? 1 : stride);
  int plane = grid.size[axis] / 2;
  if (position && axis < grid.dimension) {
    const double where = (*position - grid.origin[axis]) / grid.spacing;
    if (!(where >= -1e-9 && where <= grid.size[axis] + 1e-9)) {
      throw_input(fmt::format("output.slices: position = {} is outside the box, which spans [{}, {}] along {}",
                              *position, grid.origin[axis], grid.origin[axis] + grid.size[axis] * grid.spacing,
                              "xyz"[axis]));
    }
    plane = std::clamp(static_cast<int>(std::floor(where)), 0, grid.size[axis] - 1);
  }
  set_axis(sampling, grid, axis, plane, plane + 1, 1);
  return sampling;
}

}  // namespace fluvia
