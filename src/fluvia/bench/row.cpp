// SPDX-License-Identifier: Apache-2.0
#include "fluvia/bench/row.hpp"

#include <algorithm>
#include <bit>
#include <tuple>

#include "fluvia/case/gpus.hpp"
#include "fluvia/case/templates.hpp"

namespace fluvia {

namespace {

constexpr double sphere_diameter = 40;     // diameter in nodes, as in the RAS geometries of Tomczak & Szafran
constexpr double least_boxes = 3;          // diameters along a box: smaller boxes get smaller spheres, or hold none
constexpr std::uint64_t sphere_seed = 4;   // seed of the packings that tests hold against Tomczak & Szafran's Table 1
constexpr double coarctation_length = 24;  // length in diameters; as many fluid nodes as theirs at as many across
// Lengths in diameters, of 64 and 32 nodes: 84.6 million nodes of porosity 0.18 and 7.0 million of 0.09, as those of
// their Table 1.
constexpr double giant_sac = 4.6, giant_length = 9.2;
constexpr double aorta_bend = 3.9, aorta_length = 25.6;
constexpr const char* network_image = "data/vessel_network.png";

/// Key that tells geometries apart. Porosities of other geometries than boxes are results.
auto geometry_key(const BenchRow& r) {
  return std::tuple(r.dimension(), r.geometry, r.walls, r.flow, r.size, r.channel, r.is_box() ? r.nodes : Int3{},
                    r.is_box() ? r.porosity : 1.0);
}

auto physics_key(const BenchRow& r) {
  return std::tie(r.lattice, r.collision, r.equilibrium, r.smagorinsky);
}

auto numerics_key(const BenchRow& r) {
  return std::tie(r.scheme, r.format, r.rounding, r.device, r.threads, r.tile, r.steps_per_pass, r.gpu_threads,
                  r.gpu_rows, r.gpu_blocks, r.memory_limit_mib, r.devices, r.without);
}

void add_openings(Case& c, const char* entrance, const char* exit) {
  Case::Boundary inlet, outlet;
  inlet.type = "velocity";
  inlet.speed = 0.05;
  inlet.profile = "parabolic";
  outlet.type = "pressure";
  inlet.surface = entrance;
  outlet.surface = exit;
  c.boundaries = {inlet, outlet};
}

/// A sphere behind the lid's flow, a quarter as far across as the finest of three levels around it, and that as far as
/// half of the next one, which is half of the box: 2.75 times as many nodes as the box has on the coarsest level.
void add_levels(const BenchRow& row, Case& c) {
  const double edge = row.size;
  Case::Shape sphere;
  sphere.name = "sphere";
  sphere.kind = "sphere";
  sphere.center = {edge / 2, edge / 2, edge / 2};
  sphere.radius = edge / 32;
  c.geometry.shapes = {sphere};
  for (const int level : {1, 2}) {
    Case::Refine region;
    region.level = level;
    const double half = edge / (2 << level), inside = 0.25;  // so that no tile beside is touched
    const double lower = edge / 2 - half + inside, upper = edge / 2 + half - inside;
    region.box = {Real3{lower, lower, lower}, Real3{upper, upper, upper}};
    c.refine.push_back(region);
  }
}

void add_vessel(const BenchRow& row, const std::filesystem::path& folder, Case& c) {
  if (row.geometry == "mask") {
    c.directory = folder;
    c.geometry.mask = Case::Mask{};
    c.geometry.mask->file = mask_file().first;
    c.geometry.mask->refine = std::max(1, row.channel / mask_channel);
    // Twice the image, beside itself: as many nodes as the chip of S1 that it stands for (42.9 million, 41.5 there).
    c.geometry.mask->mirror = {false, true, false};
  } else {
    const bool giant = row.geometry == "giant-aneurysm", aorta = row.geometry == "aorta";
    c.geometry.generator = Case::Generator{.kind = giant ? "aneurysm" : aorta ? "coarctation" : row.geometry};
    Case::Generator& generator = *c.geometry.generator;
    generator.diameter = row.size / 4.0;
    if (giant) {
      generator.sac_diameter = giant_sac * generator.diameter;
      generator.length = giant_length * generator.diameter;
    }
    if (aorta) {
      generator.bend_radius = aorta_bend * generator.diameter;
      generator.length = aorta_length * generator.diameter;
    }
    if (row.geometry == "coarctation") generator.length = coarctation_length * generator.diameter;
    if (row.geometry == "network") {
      generator.diameter = row.channel;
      generator.generations = std::bit_width(static_cast<unsigned>(std::max(row.size / 8, 2))) - 1;
    }
  }
  if (c.geometry.mask)
    add_openings(c, "x_min", "x_max");  // images have no ends with names
  else
    add_openings(c, "inlet", "outlet");
}

void add_box(const BenchRow& row, Case& c) {
  c.domain.nodes = row.nodes;
  if (row.is_box() && row.porosity < 1) {
    c.geometry.generator = Case::Generator{
        .kind = "sphere_packing", .seed = sphere_seed, .porosity = row.porosity, .centers_in_fluid = true};
    c.geometry.generator->diameter = std::min(sphere_diameter, row.nodes[0] / least_boxes);
  }
  if (row.flow == "poiseuille") {
    c.domain.periodic = {true, false, false};
    c.physics.acceleration = {1e-6, 0, 0};
    return;
  }
  if (row.flow == "vessel") {  // the row is the small_stand_in() of one
    add_openings(c, "x_min", "x_max");
    return;
  }
  Case::Boundary lid;
  lid.surface = "y_max";
  lid.type = "moving_wall";
  lid.velocity = {0.05, 0, 0};
  c.boundaries = {lid};
}

}  // namespace

bool same_geometry(const BenchRow& a, const BenchRow& b) {
  return geometry_key(a) == geometry_key(b);
}

bool same_combination(const BenchRow& a, const BenchRow& b) {
  return same_geometry(a, b) && physics_key(a) == physics_key(b) && numerics_key(a) == numerics_key(b);
}

bool is_one_of(const BenchRow& one, const BenchRow& several) {
  if (one.devices != 1 || several.devices == 1) return false;
  BenchRow like = several;
  like.devices = 1;
  const int last = like.dimension() - 1;
  if (same_combination(one, like)) return true;
  if (!like.is_box() || like.nodes[last] % several.devices != 0) return false;
  like.nodes[last] /= several.devices;
  return same_combination(one, like);
}

Case bench_case(const BenchRow& row, const std::filesystem::path& folder) {
  Case c;
  c.numerics.lattice = row.lattice;
  c.numerics.collision = row.collision;
  c.numerics.equilibrium = row.equilibrium;
  c.numerics.scheme = row.scheme;
  c.numerics.tile = row.tile;
  c.numerics.steps_per_pass = row.steps_per_pass;
  c.numerics.format = row.format;
  c.numerics.rounding = row.rounding;
  c.numerics.threads = row.threads;
  c.numerics.device = row.devices > 1 ? device_of_gpus("devices", std::to_string(row.devices)) : row.device;
  c.numerics.gpu_threads = row.gpu_threads;
  c.numerics.gpu_rows = row.gpu_rows;
  c.numerics.gpu_blocks = row.gpu_blocks;
  c.numerics.memory_limit = row.memory_limit_mib;
  c.physics.smagorinsky = row.smagorinsky;
  c.domain.dimension = row.dimension();
  c.units.tau = 0.6;
  c.walls.method = row.walls;
  row.is_box() || row.has_levels() ? add_box(row, c) : add_vessel(row, folder, c);
  if (row.has_levels()) add_levels(row, c);
  return c;
}

std::pair<std::string, std::string> mask_file() {
  return {"vessel_network.png", shipped_file(network_image)};
}

}  // namespace fluvia
