// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "fluvia/draft/draft.hpp"
#include "fluvia/geometry/mesh/mesh.hpp"

namespace fluvia::draft {

/// A body in a wind: a file, or one of the parts of a file. Everything in metres.
struct Body {
  std::string name;            ///< of its surface
  std::filesystem::path file;  ///< where it is read from
  std::string part;            ///< name of the part of the file; empty: the whole file
  geometry::BoundingBox box;
  double volume = 0;      ///< that its surface encloses, m3
  Real3 center{};         ///< of mass, m
  double radius = 0;      ///< how far it reaches from the axis of the wind through its center, m
  double area = 0;        ///< of its shadow along the wind, m2
  std::size_t holes = 0;  ///< of its surface
};

/// The bodies of a request, in the order of its files: one for each file, or for each part of a file whose parts have
/// names and are all closed by themselves. One body alone is called "body", several as their files or parts. `along`:
/// axis of the wind. Throws Error(usage) without a unit, Error(input) for files that cannot be read or bodies without
/// an area across the wind.
std::vector<Body> read_bodies(const DraftRequest& request, int along);

/// Area of the shadow of triangles along an axis (0, 1, 2), in the square of their unit; to about a thousandth.
double shadow(std::span<const std::array<Real3, 3>> triangles, int axis);

}  // namespace fluvia::draft
