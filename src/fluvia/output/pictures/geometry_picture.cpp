// SPDX-License-Identifier: Apache-2.0
#include "fluvia/output/pictures/geometry_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <iterator>
#include <optional>

#include "fluvia/output/pictures/figure.hpp"
#include "fluvia/solver/blocks/block.hpp"

namespace fluvia {
namespace {

constexpr Color fluid_color{176, 212, 240};
constexpr Color sheet_color{40, 40, 40};
/// Of fluid on levels of refinement, the coarsest first.
constexpr Color level_colors[] = {fluid_color,   {128, 177, 222}, {84, 141, 198}, {50, 105, 168},
                                  {28, 74, 134}, {16, 49, 97},    {8, 29, 63}};
constexpr Color part_colors[] = {{176, 212, 240}, {198, 226, 181}, {248, 218, 166}, {222, 203, 228}, {204, 235, 231}};
constexpr Color opening_colors[] = {{230, 97, 1},   {0, 136, 110},  {200, 60, 140}, {94, 60, 153},
                                    {166, 118, 29}, {27, 120, 190}, {190, 30, 45},  {70, 140, 40}};

/// Centre of mass of the fluid, in nodes, to within a tile.
Real3 fluid_centre(const NodeMap& nodes) {
  Real3 sum{};
  for (const NodeMap::Tile& tile : nodes.tiles) {
    const Int3 corner = nodes.node_position(tile, 0), shape = tile_shape(nodes.dimension);
    const double weight = std::popcount(tile.mask);
    for (std::size_t i = 0; i < 3; ++i) sum[i] += weight * (corner[i] + 0.5 * shape[i]);
  }
  return (1 / static_cast<double>(nodes.fluid_nodes)) * sum;
}

/// The same of the finest level that there is, to within a node of the coarsest.
Real3 finest_centre(const NodeMap& nodes, const LevelMap& levels) {
  Real3 sum{};
  double weight = 0;
  int finest = 0;
  for (const NodeMap::Tile& tile : nodes.tiles)
    for (std::uint64_t rest = tile.mask; rest != 0; rest &= rest - 1) {
      const Int3 node = nodes.node_position(tile, std::countr_zero(rest));
      const int level = levels.level_at(node);
      if (level < finest) continue;
      if (level > finest) {
        finest = level;
        sum = {};
        weight = 0;
      }
      for (std::size_t i = 0; i < 3; ++i) sum[i] += node[i] + 0.5;
      ++weight;
    }
  return (1 / weight) * sum;
}

/// Number of the opening that one of the node's links leads through, or -1.
int opening_at(const Geometry& geometry, const Int3& node) {
  if (geometry.openings.empty() || !geometry.surface_of) return -1;
  const int depth = geometry.nodes.dimension == 3 ? 1 : 0;
  for (int z = -depth; z <= depth; ++z) {
    for (int y = -1; y <= 1; ++y) {
      for (int x = -1; x <= 1; ++x) {
        const int length = x * x + y * y + z * z;
        if (length != 1 || geometry.nodes.is_fluid({node[0] + x, node[1] + y, node[2] + z})) continue;
        const int surface = geometry.surface_of(node, {x, y, z});
        for (std::size_t i = 0; i < geometry.openings.size(); ++i) {
          if (geometry.openings[i].surface == surface) return static_cast<int>(i);
        }
      }
    }
  }
  return -1;
}

/// Whether a sheet lies in a plane behind one of the nodes of a square, along one of the two axes of a picture.
bool has_sheet_behind(const NodeMap& nodes, const Int3& first, int horizontal, int vertical, int edge) {
  if (!nodes.barred) return false;
  for (int j = 0; j < edge; ++j)
    for (int i = 0; i < edge; ++i) {
      Int3 node = first;
      node[horizontal] += i;
      node[vertical] += j;
      if (node[horizontal] >= nodes.size[horizontal] || node[vertical] >= nodes.size[vertical]) continue;
      for (const int axis : {horizontal, vertical}) {
        Int3 step{};
        step[axis] = 1;
        if (nodes.barring_surface(node, step) >= 0) return true;
      }
    }
  return false;
}

Color color_of_part(std::size_t part) {
  return part_colors[part % std::size(part_colors)];
}

/// One line for each colour, with the parts that have it.
void add_parts(std::size_t parts, Figure& figure) {
  for (std::size_t first = 0; first < std::min(parts, std::size(part_colors)); ++first) {
    std::string names = fmt::format("part {}", first);
    std::size_t part = first + std::size(part_colors);
    for (int named = 1; part < parts && named < 4; ++named, part += std::size(part_colors))
      names += fmt::format(", {}", part);
    figure.legend.push_back({color_of_part(first), part < parts ? names + ", ..." : names});
  }
}

Figure make_figure(const Geometry& geometry, const Grid& grid, bool si, int axis, int plane, const std::string& title,
                   const std::vector<std::uint64_t>& cuts, const LevelMap* levels) {
  const int horizontal = axis == 0 ? 1 : 0, vertical = axis == 2 ? 1 : 2;
  const int longest = std::max(grid.size[horizontal], grid.size[vertical]);
  const int stride = (longest + largest_picture - 1) / largest_picture;
  Figure figure;
  figure.width = (grid.size[horizontal] + stride - 1) / stride;
  figure.height = (grid.size[vertical] + stride - 1) / stride;
  figure.horizontal = "xyz"[horizontal];
  figure.vertical = "xyz"[vertical];
  figure.cell_size = grid.spacing * stride;
  figure.si = si;
  figure.title = title;
  const double position = grid.origin[axis] + (plane + 0.5) * grid.spacing;
  const std::string place = grid.dimension == 2 ? std::string("geometry")
                            : si ? fmt::format("geometry  ·  {} = {}", "xyz"[axis], with_prefix(position, "m"))
                                 : fmt::format("geometry  ·  {} = {:.5g}", "xyz"[axis], position);
  figure.subtitle = fmt::format("{}  ·  {} × {} × {} nodes, porosity {:.4g}", place, grid.size[0], grid.size[1],
                                grid.size[2], geometry.nodes.porosity());
  bool any_outside = false, any_sheet = false;
  for (int j = 0; j < figure.height; ++j) {
    for (int i = 0; i < figure.width; ++i) {
      Int3 node{};
      node[axis] = plane;
      node[horizontal] = std::min(i * stride + stride / 2, grid.size[horizontal] - 1);
      node[vertical] = std::min(j * stride + stride / 2, grid.size[vertical] - 1);
      Int3 corner = node;
      corner[horizontal] = i * stride;
      corner[vertical] = j * stride;
      const bool sheet = has_sheet_behind(geometry.nodes, corner, horizontal, vertical, stride);
      any_sheet = any_sheet || sheet;
      const std::optional<NodeMap::Node> there = geometry.nodes.find_fluid(node);
      const bool fluid = there.has_value();
      const int opening = fluid ? opening_at(geometry, node) : -1;
      const bool outside = !fluid && geometry.is_outside && geometry.is_outside(node);
      any_outside = any_outside || outside;
      const Color of_fluid = fluid && !cuts.empty()
                                 ? color_of_part(static_cast<std::size_t>(part_with(cuts, there->tile)))
                             : fluid && levels != nullptr ? level_colors[levels->level_at(node)]
                                                          : fluid_color;
      figure.cells.push_back(sheet         ? sheet_color
                             : outside     ? outside_color
                             : !fluid      ? solid_color
                             : opening < 0 ? of_fluid
                                           : opening_colors[opening % 8]);
    }
  }
  if (!cuts.empty())
    add_parts(cuts.size() - 1, figure);
  else if (levels != nullptr)
    for (int level = 0; level <= levels->finest(); ++level)
      figure.legend.push_back({level_colors[level], fmt::format("level {}", level)});
  else
    figure.legend = {{fluid_color, "fluid"}};
  if (std::find(figure.cells.begin(), figure.cells.end(), solid_color) != figure.cells.end())
    figure.legend.push_back({solid_color, "solid"});
  if (any_sheet) figure.legend.push_back({sheet_color, "sheet"});
  if (any_outside) figure.legend.push_back({outside_color, "outside"});
  for (std::size_t i = 0; i < geometry.openings.size() && i < 12; ++i) {
    figure.legend.push_back({opening_colors[i % 8], geometry.openings[i].name});
  }
  return figure;
}

}  // namespace

std::vector<std::filesystem::path> write_geometry_slices(const Geometry& geometry, const Grid& grid, bool si,
                                                         const std::filesystem::path& prefix, const std::string& title,
                                                         const std::vector<std::uint64_t>& cuts,
                                                         const LevelMap* levels) {
  std::vector<std::filesystem::path> files;
  const Real3 centre = levels != nullptr ? finest_centre(geometry.nodes, *levels) : fluid_centre(geometry.nodes);
  for (int axis = grid.dimension == 2 ? 2 : 0; axis < 3; ++axis) {
    const int plane = std::clamp(static_cast<int>(centre[static_cast<std::size_t>(axis)]), 0, grid.size[axis] - 1);
    std::filesystem::path path = prefix;
    path += fmt::format("-{}.png", "xyz"[axis]);
    draw_figure(make_figure(geometry, grid, si, axis, plane, title, cuts, levels), PictureFormat::png).write(path);
    files.push_back(std::move(path));
  }
  return files;
}

}  // namespace fluvia
