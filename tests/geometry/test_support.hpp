// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <gtest/gtest.h>
#include <zlib.h>

#include <bit>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <numbers>
#include <optional>
#include <string>
#include <vector>

#include "fluvia/base/error.hpp"
#include "fluvia/geometry/geometry.hpp"
#include "fluvia/geometry/mesh/stl.hpp"
#include "support/temporary_folder.hpp"

namespace fluvia::test {

inline std::filesystem::path write_gzip(const TemporaryFolder& folder, const std::string& name,
                                        const std::string& content) {
  const std::filesystem::path path = folder.path() / name;
  gzFile file = gzopen(path.c_str(), "wb");
  gzwrite(file, content.data(), static_cast<unsigned>(content.size()));
  gzclose(file);
  return path;
}

/// The message of the Error(input) that `action` throws; a failure if it does not.
inline std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(static_cast<int>(error.code()), static_cast<int>(ExitCode::input)) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return "";
}

inline void expect_message(const std::function<void()>& action, const std::vector<std::string>& parts) {
  const std::string message = message_of(action);
  for (const std::string& part : parts)
    EXPECT_NE(message.find(part), std::string::npos) << "\"" << part << "\" is missing in: " << message;
}

inline std::string binary_stl(const geometry::TriangleSoup& soup, const std::string& header = "") {
  std::string content = header;
  content.resize(80, ' ');
  const auto count = static_cast<std::uint32_t>(soup.size());
  content.append(reinterpret_cast<const char*>(&count), 4);
  for (const auto& triangle : soup) {
    float values[12] = {};
    for (int corner = 0; corner < 3; ++corner) {
      for (int axis = 0; axis < 3; ++axis) values[3 + 3 * corner + axis] = static_cast<float>(triangle[corner][axis]);
    }
    content.append(reinterpret_cast<const char*>(values), sizeof values);
    content.append(2, '\0');
  }
  return content;
}

inline std::string text_stl(const geometry::TriangleSoup& soup) {
  std::string content = "solid test\n";
  for (const auto& triangle : soup) {
    content += "facet normal 0 0 0\n outer loop\n";
    for (const Real3& p : triangle) {
      content += "  vertex " + std::to_string(p[0]) + " " + std::to_string(p[1]) + " " + std::to_string(p[2]) + "\n";
    }
    content += " endloop\nendfacet\n";
  }
  return content + "endsolid test\n";
}

/// The surface of a box; faces (0..5 = x_min..z_max) in `left_out` are missing.
inline geometry::TriangleSoup box_soup(const Real3& low, const Real3& high, const std::vector<int>& left_out = {}) {
  geometry::TriangleSoup soup;
  for (int face = 0; face < 6; ++face) {
    if (std::find(left_out.begin(), left_out.end(), face) != left_out.end()) continue;
    const int axis = face / 2, u = (axis + 1) % 3, v = (axis + 2) % 3;
    Real3 p[4];
    for (int i = 0; i < 4; ++i) {
      p[i][axis] = face % 2 == 0 ? low[axis] : high[axis];
      p[i][u] = i == 1 || i == 2 ? high[u] : low[u];
      p[i][v] = i >= 2 ? high[v] : low[v];
    }
    if (face % 2 == 0) std::swap(p[1], p[3]);
    soup.push_back({p[0], p[1], p[2]});
    soup.push_back({p[0], p[2], p[3]});
  }
  return soup;
}

/// A tube along x around (y, z) = `axis`, with or without its two end discs.
inline geometry::TriangleSoup tube_soup(double x0, double x1, const Real3& axis, double radius, bool wall, bool start,
                                        bool end, int sides = 48) {
  geometry::TriangleSoup soup;
  const auto point = [&](double x, int i) {
    const double angle = 2 * std::numbers::pi * (i % sides) / sides;
    return Real3{x, axis[1] + radius * std::cos(angle), axis[2] + radius * std::sin(angle)};
  };
  for (int i = 0; i < sides; ++i) {
    if (wall) {
      soup.push_back({point(x0, i), point(x1, i), point(x1, i + 1)});
      soup.push_back({point(x0, i), point(x1, i + 1), point(x0, i + 1)});
    }
    if (start) soup.push_back({Real3{x0, axis[1], axis[2]}, point(x0, i), point(x0, i + 1)});
    if (end) soup.push_back({Real3{x1, axis[1], axis[2]}, point(x1, i), point(x1, i + 1)});
  }
  return soup;
}

inline Case::Boundary boundary(const std::string& surface, const std::string& type) {
  Case::Boundary b;
  b.surface = surface;
  b.type = type;
  return b;
}

inline Case::Shape shape(const std::string& kind, const std::string& operation, const std::string& name = "") {
  Case::Shape s;
  s.kind = kind;
  s.operation = operation;
  s.name = name;
  return s;
}

inline Case::Stl stl(const std::filesystem::path& file, const std::string& name = "",
                     const std::string& role = "wall") {
  Case::Stl s;
  s.file = file;
  s.name = name;
  s.role = role;
  return s;
}

inline Geometry build(const Case& c) {
  return build_geometry(c, make_grid(c));
}

/// Calls visit(node) for every fluid node.
template <class Visit>
void for_each_fluid(const NodeMap& nodes, const Visit& visit) {
  for (const NodeMap::Tile& tile : nodes.tiles) {
    for (std::uint64_t rest = tile.mask; rest != 0; rest &= rest - 1) {
      visit(nodes.node_position(tile, std::countr_zero(rest)));
    }
  }
}

/// All 26 (2D: 8) link directions.
inline std::vector<Int3> link_offsets(int dimension) {
  std::vector<Int3> offsets;
  const int dz = dimension == 3 ? 1 : 0;
  for (int z = -dz; z <= dz; ++z) {
    for (int y = -1; y <= 1; ++y) {
      for (int x = -1; x <= 1; ++x) {
        if (x != 0 || y != 0 || z != 0) offsets.push_back({x, y, z});
      }
    }
  }
  return offsets;
}

/// Number of cut links by surface.
inline std::vector<int> count_links(const Geometry& g) {
  std::vector<int> count(g.surfaces.size(), 0);
  for_each_fluid(g.nodes, [&](const Int3& node) {
    for (const Int3& o : link_offsets(g.nodes.dimension)) {
      if (!g.nodes.is_fluid({node[0] + o[0], node[1] + o[1], node[2] + o[2]})) ++count.at(g.surface_of(node, o));
    }
  });
  return count;
}

inline int surface_number(const Geometry& g, const std::string& name) {
  for (std::size_t i = 0; i < g.surfaces.size(); ++i) {
    if (g.surfaces[i] == name) return static_cast<int>(i);
  }
  ADD_FAILURE() << "no surface " << name;
  return 0;
}

/// Folder with the shared real files, or nothing.
inline std::optional<std::filesystem::path> shared_folder() {
  std::filesystem::path folder = std::filesystem::path(FLUVIA_SOURCE_DIR) / ".." / "shared";
  if (const char* variable = std::getenv("FLUVIA_SHARED")) folder = variable;
  if (!std::filesystem::is_directory(folder / "geometry")) return std::nullopt;
  return folder / "geometry";
}

}  // namespace fluvia::test
