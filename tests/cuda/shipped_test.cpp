// SPDX-License-Identifier: Apache-2.0
// Every shipped case on the CPU and on the GPU: the same flow after 100 steps.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "cuda/support.hpp"
#include "fluvia/backend/backend.hpp"
#include "fluvia/case/validate.hpp"

namespace fluvia::cuda {
namespace {

/// The folder of shipped cases; a bundle says where it has them.
std::filesystem::path folder() {
  const char* elsewhere = std::getenv("FLUVIA_CASES");
  return elsewhere != nullptr ? std::filesystem::path(elsewhere) : std::filesystem::path(FLUVIA_SOURCE_DIR) / "cases";
}

std::vector<std::string> case_names() {
  std::vector<std::string> names;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(folder(), none))
    if (entry.path().extension() == ".toml") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

std::unique_ptr<Solver> solver_of(Case c, const Geometry& geometry, const Grid& grid, const std::string& device) {
  c.numerics.device = device;
  return make_solver({c, make_units(c, grid.spacing), geometry});
}

/// Largest difference of velocities and pressures, relative to the largest of each.
double difference(const Solver& a, const Solver& b) {
  Moments ma, mb;
  const std::uint64_t tiles = a.geometry().nodes.tiles.size();
  a.moments(0, tiles, false, ma);
  b.moments(0, tiles, false, mb);
  double velocity = 0, velocity_scale = 1e-300, density = 0, density_scale = 1e-300;
  for (std::size_t n = 0; n < ma.density.size(); ++n) {
    density = std::max(density, std::abs(ma.density[n] - mb.density[n]));
    density_scale = std::max(density_scale, std::abs(ma.density[n]));
    for (int axis = 0; axis < 3; ++axis) {
      velocity = std::max(velocity, std::abs(ma.velocity[n][axis] - mb.velocity[n][axis]));
      velocity_scale = std::max(velocity_scale, std::abs(ma.velocity[n][axis]));
    }
  }
  return std::max(velocity / velocity_scale, density / density_scale);
}

class CudaShippedCase : public testing::TestWithParam<std::string> {};

TEST_P(CudaShippedCase, IsTheSameOnCpuAndGpu) {
  SKIP_WITHOUT_GPU();
  Case c = read_case(folder() / (GetParam() + ".toml"));
  validate(c);
  const Grid grid = make_grid(c);
  const Geometry geometry = build_geometry(c, grid);
  // 100 steps of sums whose order and fused products differ: some hundred roundings.
  for (const auto& [format, tolerance] : {std::pair("fp64", 1e-12), std::pair("fp32", 1e-5)}) {
    c.numerics.format = format;
    const auto cpu = solver_of(c, geometry, grid, "cpu"), gpu = solver_of(c, geometry, grid, "cuda");
    cpu->step(100);
    gpu->step(100);
    EXPECT_LE(difference(*cpu, *gpu), tolerance) << format << ", scheme " << gpu->plan().scheme_name();
  }
}

INSTANTIATE_TEST_SUITE_P(All, CudaShippedCase, testing::ValuesIn(case_names()),
                         [](const auto& instance) { return test::test_name(instance.param); });

}  // namespace
}  // namespace fluvia::cuda
