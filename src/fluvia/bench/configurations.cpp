// SPDX-License-Identifier: Apache-2.0
#include "fluvia/bench/configurations.hpp"

#include <algorithm>
#include <cmath>

#include "fluvia/solver/scheme.hpp"

namespace fluvia {

namespace {

constexpr double sphere_diameter = 40;  // nodes; as in the RAS geometries of Tomczak & Szafran

/// Edge of a 2D box with about as many nodes as a cube of this edge; a multiple of 64 as most cubes' are.
int plane_size(int cube) {
  const int size = static_cast<int>(std::pow(cube, 1.5));
  return size < 256 ? size : (size + 32) / 64 * 64;
}

/// Edges of tiles to measure with a scheme: those of the list that it has.
std::vector<int> edges_of(const Scheme& scheme, int dimension, const std::vector<int>& wanted) {
  if (!scheme.has_tiles()) return {0};
  std::vector<int> edges;
  for (const int edge : wanted) {
    const int* const all = scheme.edges(dimension);
    if (edge == 0 || std::find(all, all + 3, edge) != all + 3) edges.push_back(edge == 0 ? all[0] : edge);
  }
  return edges;
}

/// Thread counts to measure with a scheme: `serial` knows one only.
std::vector<int> threads_of(const Scheme& scheme, const std::vector<int>& threads) {
  return scheme.serial ? std::vector{threads.front()} : threads;
}

/// Every combination of the settings' lists.
std::vector<BenchRow> product(const BenchSettings& s, const std::vector<int>& threads) {
  std::vector<BenchRow> rows;
  std::vector<std::pair<int, int>> shapes;
  for (const int gpu_threads : s.gpu_threads)
    for (const int gpu_blocks : s.gpu_blocks) shapes.emplace_back(gpu_threads, gpu_blocks);
  for (const std::string& lattice : s.lattices)
    for (const std::string& geometry : s.geometries)
      for (const double porosity : geometry == "box" ? s.porosities : std::vector<double>{1.0})
        for (const std::string& collision : s.collisions)
          for (const std::string& scheme : s.schemes)
            for (const std::string& format : s.formats)
              for (const int thread_count : threads_of(parse_scheme(scheme), threads))
                for (const int tile : edges_of(parse_scheme(scheme), lattice[1] - '0', s.tiles))
                  for (const auto& [gpu_threads, gpu_blocks] : shapes) {
                    BenchRow row;
                    row.tile = tile;
                    row.lattice = lattice;
                    row.geometry = geometry;
                    row.porosity = porosity;
                    row.collision = collision;
                    row.scheme = scheme;
                    row.format = format;
                    row.threads = thread_count;
                    row.gpu_threads = gpu_threads;
                    row.gpu_blocks = gpu_blocks;
                    row.device = s.device;
                    row.size = lattice[1] == '3' ? s.size : plane_size(s.size);
                    rows.push_back(row);
                  }
  return rows;
}

void append(std::vector<BenchRow>& rows, const BenchSettings& settings, const std::vector<int>& threads) {
  const std::vector<BenchRow> more = product(settings, threads);
  rows.insert(rows.end(), more.begin(), more.end());
}

std::vector<std::string> schemes_of(const BenchSettings& s, core::Addressing addressing) {
  std::vector<std::string> names = s.device == "cuda" ? gpu_scheme_names() : scheme_names();
  std::erase_if(names, [&](const std::string& name) { return parse_scheme(name).addressing != addressing; });
  return names;
}

/// Boxes: every lattice, every tuned dense scheme and format, and what other collisions and large eddies cost.
std::vector<BenchRow> dense_suite(BenchSettings s, const std::vector<int>& threads) {
  std::vector<BenchRow> rows;
  s.geometries = {"box"};
  s.porosities = {1.0};
  s.schemes = schemes_of(s, core::Addressing::dense);
  s.formats = {"fp64", "fp32", "fp16s", "fp16c"};
  s.collisions = {"bgk"};
  s.lattices = {"D3Q19", "D2Q9"};
  append(rows, s, threads);
  s.lattices = {"D3Q27"};
  s.formats = {"fp32", "fp16s"};
  append(rows, s, threads);
  s.lattices = {"D3Q19"};
  s.schemes = {"pull", "aa"};
  s.formats = {"fp32"};
  s.collisions = {"trt", "mrt", "regularized"};
  append(rows, s, threads);
  s.collisions.insert(s.collisions.begin(), "bgk");
  for (const BenchRow& row : product(s, threads)) {
    rows.push_back(row);
    rows.back().smagorinsky = 0.1;
  }
  return rows;
}

/// Random spheres from almost free to almost full, and vessels: every tuned scheme that stores fluid nodes only.
std::vector<BenchRow> sparse_suite(BenchSettings s, const std::vector<int>& threads) {
  std::vector<BenchRow> rows;
  s.lattices = {"D3Q19"};
  s.collisions = {"bgk"};
  s.schemes = schemes_of(s, core::Addressing::compact);
  s.formats = {"fp32", "fp16s"};
  s.porosities = {0.9, 0.7, 0.5, 0.2};
  s.geometries = {"box", "aneurysm", "coarctation"};
  append(rows, s, threads);
  return rows;
}

void add_vessel(const BenchRow& row, Case& c) {
  c.geometry.generator = Case::Generator{.kind = row.geometry};
  c.geometry.generator->diameter = row.size / 4.0;
  Case::Boundary inlet, outlet;
  inlet.surface = "inlet";
  inlet.type = "velocity";
  inlet.speed = 0.05;
  inlet.profile = "parabolic";
  outlet.surface = "outlet";
  outlet.type = "pressure";
  c.boundaries = {inlet, outlet};
}

void add_box(const BenchRow& row, Case& c) {
  c.domain.nodes = Int3{row.size, row.size, c.domain.dimension == 3 ? row.size : 1};
  if (row.porosity < 1) {
    c.geometry.generator = Case::Generator{.kind = "sphere_packing", .porosity = row.porosity};
    c.geometry.generator->diameter = sphere_diameter;
  }
  Case::Boundary lid;
  lid.surface = "y_max";
  lid.type = "moving_wall";
  lid.velocity = {0.05, 0, 0};
  c.boundaries = {lid};
}

}  // namespace

std::vector<BenchRow> bench_configurations(const BenchSettings& settings, const std::vector<int>& threads) {
  if (settings.suite == "dense") return dense_suite(settings, threads);
  if (settings.suite == "sparse") return sparse_suite(settings, threads);
  return product(settings, threads);
}

Case bench_case(const BenchRow& row) {
  Case c;
  c.numerics.lattice = row.lattice;
  c.numerics.collision = row.collision;
  c.numerics.scheme = row.scheme;
  c.numerics.tile = row.tile;
  c.numerics.format = row.format;
  c.numerics.threads = row.threads;
  c.numerics.device = row.device;
  c.numerics.gpu_threads = row.gpu_threads;
  c.numerics.gpu_blocks = row.gpu_blocks;
  c.physics.smagorinsky = row.smagorinsky;
  c.domain.dimension = row.lattice[1] - '0';
  c.units.tau = 0.6;
  row.geometry == "box" ? add_box(row, c) : add_vessel(row, c);
  return c;
}

}  // namespace fluvia
