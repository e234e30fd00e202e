// SPDX-License-Identifier: Apache-2.0
// The keys that say where things are: shapes, surfaces, images, generators, regions of refinement.
#include "fluvia/base/text.hpp"
#include "fluvia/case/names.hpp"
#include "fluvia/case/schema.hpp"

namespace fluvia::schema {
namespace {

void shape_kind(Section& s, Case::Shape& h) {
  s.key("kind", h.kind, required(one_of(names::shape_kinds)), "which shape");
}

/// The keys that say where a shape is, and how large.
void shape_place(Section& s, Case::Shape& h) {
  s.key("center", h.center, by_kind(any("m")), "middle of a box or sphere");
  s.key("size", h.size, by_kind(at_least(0, "m")), "edges of a box");
  s.key("from", h.from, by_kind(any("m")),
        "start of the axis of a cylinder, cone or capsule; a point on the plane of a half_space; "
        "a point on one wall of a channel");
  s.key("to", h.to, by_kind(any("m")), "end of the axis of a cylinder, cone or capsule");
  s.key("normal", h.normal, by_kind(any()), "half_space: out of the solid; channel: from that wall to the other");
  s.key("radius", h.radius, by_kind(at_least(0, "m")), "of a sphere, cylinder or capsule; of a cone at `from`");
  s.key("end_radius", h.end_radius, by_kind(at_least(0, "m")), "of a cone at `to`; 0 = a tip");
  s.key("height", h.height, by_kind(at_least(0, "m")), "of a channel, from wall to wall");
}

void shape(Section& s, Case::Shape& h) {
  s.key("name", h.name, any(), "surface name for boundaries and forces; none = \"wall\"");
  shape_kind(s, h);
  s.key("operation", h.operation, one_of(names::shape_operations), "what its inside becomes; later shapes win");
  shape_place(s, h);
}

void stl(Section& s, Case::Stl& f) {
  s.key("file", f.file, required(input_file()),
        "`.stl` or `.stl.gz`, binary or ASCII; `.obj`, `.ply`, `.off`, `.3mf`, `.gltf`, `.glb` and "
        "[others](formats.md)");
  s.key("part", f.part, any(), "name of the solid or group of the file that is meant; none = all");
  s.key("name", f.name, any(), "surface name; none = \"wall\"");
  s.key("unit", f.unit, positive("m"), "length of one file unit, e.g. 0.001 for millimetres");
  s.key("translate", f.translate, any("m"), "added to every point after scaling");
  s.key("fluid", f.fluid, one_of(names::stl_fluid),
        "on which side of the surface the fluid is; `both`: a [sheet](architecture/geometry.md#sheets), a wall on "
        "either side");
  s.key("role", f.role, one_of(names::stl_roles), "`opening`: a patch that closes the wall and carries a boundary");
}

void voxels(Section& s, Case::Voxels& v) {
  s.key("file", v.file, required(input_file()),
        "`.raw`, `.raw.gz`, `.nrrd`, `.nhdr`, `.mhd`, `.mha`, `.npy`, `.nii`, `.tif`, or a folder of `.tif` slices; "
        "[all](formats.md)");
  s.key("shape", v.shape, by_kind(between(0, max_nodes)),
        "voxels along x, y, z; required for raw images and text, others say it");
  s.key("bits", v.bits, between(8, 16), "raw: per voxel, 8 or 16; or give `type`");
  s.key("type", v.type, one_of(names::voxel_types),
        "raw: of its numbers; `auto`: `text` for `.dat` and `.txt`, else unsigned of `bits`");
  s.key("endian", v.endian, one_of(names::endians), "raw: byte order of numbers of several bytes");
  s.key("order", v.order, one_of(names::voxel_orders), "raw: which coordinate changes from one voxel to the next");
  s.key("fluid_labels", v.fluid_labels, between(-2147483647, 2147483647), "voxels with one of these values are fluid");
  s.key("fluid_below", v.fluid_below, any(), "voxels with a value below this are fluid");
  s.key("fluid_above", v.fluid_above, any(), "voxels with a value above this are fluid");
  s.key("refine", v.refine, between(1, 64), "nodes along the edge of a voxel");
  s.key("crop_from", v.crop_from, between(0, max_nodes),
        "first voxel along x, y, z of the part that is used; default: 0");
  s.key("crop_size", v.crop_size, between(1, max_nodes),
        "voxels of the part that is used; default: all from `crop_from` on");
  s.key("mirror", v.mirror, any(), "along these axes the image is followed by its mirror image, twice as long a box");
}

void mask(Section& s, Case::Mask& m) {
  s.key("file", m.file, required(input_file()), "`.png` or `.pgm`");
  s.key("white_is_fluid", m.white_is_fluid, any(), "false: the dark pixels are the fluid");
  s.key("threshold", m.threshold, between(1, 255), "pixels of this grey value or more are white");
  s.key("depth", m.depth, between(1, max_nodes, "nodes"), "extent along z; 1 = a 2D case");
  s.key("refine", m.refine, between(1, 64), "nodes along the edge of a pixel");
  s.key("crop_from", m.crop_from, between(0, max_nodes),
        "first pixel along x, y (from the lower left) of the part that is used; default: 0");
  s.key("crop_size", m.crop_size, between(1, max_nodes),
        "pixels of the part that is used; default: all from `crop_from` on");
  s.key("mirror", m.mirror, any(), "along these axes the image is followed by its mirror image, twice as long a box");
}

void generator(Section& s, Case::Generator& g) {
  s.key("kind", g.kind, required(one_of(names::generator_kinds)), "which geometry to make");
  s.key("seed", g.seed, between(0, 9e18), "of the random numbers: the same seed gives the same packing or network");
  s.key("porosity", g.porosity, by_kind(between(0.05, 0.99)), "sphere_packing: fluid share to reach");
  s.key("centers_in_fluid", g.centers_in_fluid, any(),
        "sphere_packing: no sphere is centred inside an earlier one (spheres overlap less)");
  s.key("diameter", g.diameter, by_kind(at_least(0, "m")),
        "of the spheres or of the vessel; network: width of the narrow channels");
  s.key("length", g.length, at_least(0, "m"),
        "of the vessel along its axis; 0 = 6 diameters (with a bend: that and 4 diameters; network: what it needs)");
  s.key("bend_radius", g.bend_radius, at_least(0, "m"),
        "aneurysm, coarctation: radius of the bend of the vessel's axis; 0 = 2 diameters, coarctation: straight");
  s.key("sac_diameter", g.sac_diameter, at_least(0, "m"), "aneurysm: of the sac; 0 = 1.2 diameters");
  s.key("severity", g.severity, by_kind(between(0, 0.95)), "coarctation: closed share of the diameter at the throat");
  s.key("generations", g.generations, between(1, 8),
        "network: how often the vessels branch; 2^generations narrow channels lie in the middle");
}

}  // namespace

void describe_geometry(Section& s, Case::GeometryInput& g) {
  s.key("keep_isolated", g.keep_isolated, any(), "keep fluid that touches no opening (else dropped with a warning)");
  s.key("allow_defects", g.allow_defects, any(), "run although the STL has holes that no opening names");
  s.axis("percolating_axis", g.percolating_axis, one_of(names::axes),
         "keep only fluid that runs on without end along this periodic axis: where a force along it can drive a flow");
  s.array("shape", g.shapes,
          "A shape, on top of what came before. Shapes alone start from a fluid box (solid if the first one is fluid).",
          shape);
  s.array("stl", g.stl, "A surface mesh.", stl);
  s.table("voxels", g.voxels, "A 3D image. Give `fluid_labels`, or `fluid_below` and/or `fluid_above`.", voxels);
  s.table("mask", g.mask, "A 2D image.", mask);
  s.table(
      "generator", g.generator,
      "A geometry made by Fluvia. Vessels and networks enter at `x_min` and leave at `x_max`, the aneurysm at `y_max`.",
      generator);
}

void describe_refine(Section& s, Case::Refine& r) {
  s.key("level", r.level, between(1, 6),
        "nodes here are 1 / 2^level of `units.spacing` apart; beside `gap` the finest level that it may take");
  s.key("box", r.box, any("m"),
        "lower and upper corner of the region; give this, `around`, `shape`, `surface` or `gap`");
  s.key("around", r.around, any(), "name of a surface: the region is what lies near it");
  s.key("distance", r.distance, at_least(0, "m"), "how far the region reaches from the surface `around`");
  s.key("surface", r.surface, input_file(), "file with a closed surface: the region is its inside");
  s.key("unit", r.unit, positive("m"), "of the file `surface`: length of one of its units");
  s.key("gap", r.gap, between(2, 64),
        "nodes across: the regions are passages between walls that have fewer, each on the level that it needs");
  s.table("shape", r.shape, "A region inside a shape, e.g. `shape = { kind = \"cone\", from = [...], ... }`.",
          [](Section& place, Case::Shape& shape) {
            shape_kind(place, shape);
            shape_place(place, shape);
          });
}

}  // namespace fluvia::schema
