// SPDX-License-Identifier: Apache-2.0
// Part of fluvia._core: the shape of a flow domain, as `fluvia geometry` sees it.
#include "fluvia/geometry/geometry.hpp"

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "fluvia/case/physics/registered_physics.hpp"
#include "fluvia/geometry/map/box_array.hpp"
#include "fluvia/geometry/source.hpp"
#include "fluvia/output/geometry_json.hpp"
#include "fluvia/output/pictures/geometry_picture.hpp"
#include "fluvia/solver/links/cut_links.hpp"

namespace fluvia::python {

namespace {

/// A geometry with what is asked about it.
struct Domain {
  explicit Domain(Case from)
      : flow_case(std::move(from)), grid(make_grid(flow_case)), geometry(build_geometry(flow_case, grid)) {}
  [[nodiscard]] bool si() const { return flow_case.units.system == "si"; }

  Case flow_case;
  Grid grid;
  Geometry geometry;
};

std::string report(const Domain& d) {
  return geometry_report_json(d.geometry, d.grid, d.si())
      .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

Case source_case(const std::filesystem::path& file, const std::string& unit, double spacing, int nodes, bool outside,
                 const std::vector<int>& shape, int bits, const std::string& type,
                 const std::vector<int>& fluid_labels) {
  GeometrySource source{file, unit, spacing, nodes, outside, {}};
  source.voxels.shape = shape;
  source.voxels.bits = bits;
  source.voxels.type = type;
  source.voxels.labels = fluid_labels;
  return source.make_case();
}

/// Links from fluid nodes to where there is no fluid, along the directions of D3Q19 (2D: D2Q9): node and offset as
/// [link, axis], surface, and the part of the link before the surface.
nb::tuple cut_links(const Domain& d) {
  std::vector<std::int32_t> node, offset, surface;
  std::vector<double> distance;
  {
    const nb::gil_scoped_release free;
    const std::vector<Int3>& velocities = facts_of_lattice(d.grid.dimension == 2 ? "D2Q9" : "D3Q19").velocities;
    const std::vector<CutLink> links =
        collect_cut_links(d.geometry, velocities, std::vector<bool>(d.geometry.surfaces.size(), true));
    for (const CutLink& link : links) {
      const Int3 at = d.geometry.nodes.node_position(d.geometry.nodes.tiles[link.tile], link.bit);
      const Int3& c = velocities[link.direction];
      const Int3 away{-c[0], -c[1], -c[2]};
      node.insert(node.end(), at.begin(), at.end());
      offset.insert(offset.end(), away.begin(), away.end());
      surface.push_back(link.surface);
      distance.push_back(d.geometry.distance_of ? d.geometry.distance_of(at, away) : 0.5);
    }
  }
  const std::size_t count = surface.size();
  return nb::make_tuple(hand_over(std::move(node), {count, 3}), hand_over(std::move(offset), {count, 3}),
                        hand_over(std::move(surface), {count}), hand_over(std::move(distance), {count}));
}

}  // namespace

void bind_geometry(nb::module_& m) {
  using Integers = nb::ndarray<nb::numpy, std::int32_t, nb::c_contig>;
  using Numbers = nb::ndarray<nb::numpy, double, nb::c_contig>;
  m.def("source_case", &source_case, nb::arg("file"), nb::arg("unit"), nb::arg("spacing"), nb::arg("nodes"),
        nb::arg("outside"), nb::arg("shape"), nb::arg("bits"), nb::arg("type"), nb::arg("fluid_labels"),
        "The case that a file with a shape is or belongs in.");
  nb::class_<Domain>(m, "Geometry", "The shape of a flow domain; see fluvia.Geometry.")
      .def(nb::init<Case>(), nb::arg("case"), nb::call_guard<nb::gil_scoped_release>())
      .def("report", &report, nb::call_guard<nb::gil_scoped_release>(), "All that was found, as JSON.")
      .def(
          "text", [](const Domain& d) { return format_report(d.geometry, d.flow_case, d.grid); },
          "What `fluvia geometry` prints.")
      .def(
          "fluid",
          [](const Domain& d) {
            return hand_over(fluid_array(d.geometry.nodes), shape_of(d.grid.size, d.grid.dimension));
          },
          "1 where a node is fluid, else 0.")
      .def(
          "outside",
          [](const Domain& d) {
            return hand_over(box_array(d.geometry.nodes, d.geometry.is_outside),
                             shape_of(d.grid.size, d.grid.dimension));
          },
          "1 where a node lies outside of what encloses the flow, else 0.")
      .def(
          "cut_links",
          [](const Domain& d) -> nb::typed<nb::tuple, Integers, Integers, Integers, Numbers> { return cut_links(d); },
          "Node and offset [link, axis: x, y, z], surface, and distance in parts of the link.")
      .def(
          "pictures",
          [](const Domain& d, const std::filesystem::path& prefix, const std::string& title) {
            return write_geometry_slices(d.geometry, d.grid, d.si(), prefix, title);
          },
          nb::arg("prefix"), nb::arg("title"), nb::call_guard<nb::gil_scoped_release>(), "Writes slices; their files.");
}

}  // namespace fluvia::python
