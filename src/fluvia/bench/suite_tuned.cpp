// SPDX-License-Identifier: Apache-2.0
// The suites "dense", "sparse" and "fused": Fluvia's own schemes.
#include "fluvia/bench/suites.hpp"
#include "fluvia/solver/plan/scheme.hpp"

namespace fluvia {

RowList dense_suite(const BenchSettings& settings) {
  BenchSettings s = settings;
  s.geometries = {"box"};
  s.flows = {"cavity"};
  s.porosities = {1.0};
  s.equilibria = {"quasi-compressible"};
  s.schemes = schemes_of(s, core::Addressing::dense);
  s.formats = {"fp64", "fp32", "fp16s", "fp16c"};
  s.collisions = {"bgk"};
  s.lattices = {"D3Q19", "D2Q9"};
  RowList rows = product(s);
  s.lattices = {"D3Q27"};
  s.formats = {"fp32", "fp16s"};
  rows += product(s);
  s.lattices = {"D3Q19"};
  s.schemes = {"pull", "aa"};
  s.formats = {"fp32"};
  s.collisions = {"trt", "mrt", "regularized"};
  rows += product(s);
  s.collisions.insert(s.collisions.begin(), "bgk");
  return rows += product(s).with(&BenchRow::smagorinsky, 0.1);
}

RowList sparse_suite(const BenchSettings& settings) {
  BenchSettings s = settings;
  s.lattices = {"D3Q19"};
  s.collisions = {"bgk"};
  s.equilibria = {"quasi-compressible"};
  s.schemes = schemes_of(s, core::Addressing::compact);
  s.formats = {"fp32", "fp16s"};
  s.flows = {"cavity"};
  s.porosities = {0.9, 0.7, 0.5, 0.2};
  s.geometries = {"box", "aneurysm", "coarctation"};
  s.walls = {"half-way", "interpolated"};
  return product(s);
}

RowList fused_suite(const BenchSettings& settings) {
  BenchSettings s = settings;
  s.geometries = {"box"};
  s.flows = {"cavity"};
  s.porosities = {1.0};
  s.equilibria = {"quasi-compressible"};
  s.collisions = {"bgk"};
  s.lattices = {"D3Q19", "D2Q9"};
  s.schemes.clear();  // schemes that take several steps a pass there, and those that single steps are compared with
  for (const std::string& name : schemes_of(s, core::Addressing::dense))
    if (most_steps(name, s.device, 3) > 1 || name == "pull") s.schemes.push_back(name);
  s.formats = {"fp64", "fp32", "fp16s", "fp16c"};
  s.steps_per_pass = {0, 1, 2, 3, 4, 6, 8};
  RowList rows = product(s);
  s.steps_per_pass = {0};
  s.lattices = {"D3Q27"};
  s.formats = {"fp32", "fp16s"};
  rows += product(s);
  s.lattices = {"D3Q19"};
  s.formats = {"fp32"};
  s.collisions = {"trt", "mrt"};
  rows += product(s);
  s.collisions = {"bgk"};
  rows += product(s).with(&BenchRow::smagorinsky, 0.1);
  s.porosities = {0.9};
  rows += product(s);
  s.porosities = {1.0};
  s.flows = {"poiseuille"};
  rows += product(s);
  // Schemes that keep moments, beside others with their collision.
  std::erase_if(s.schemes, [](const std::string& name) { return !parse_scheme(name).keeps_moments(); });
  s.flows = {"cavity"};
  s.collisions.clear();
  s.formats = {"fp64", "fp32", "fp16s"};
  s.lattices = {"D3Q19", "D3Q27", "D3Q15", "D2Q9"};
  s.steps_per_pass = {0, 1, 2, 3, 4};
  const RowList over_moments = product(s);
  rows += over_moments;
  for (const BenchRow& row : over_moments.rows()) {
    if (row.steps_per_pass != 0) continue;
    rows += RowList(row).each(&BenchRow::scheme, {"pull", "fused"});
  }
  return rows;
}

}  // namespace fluvia
