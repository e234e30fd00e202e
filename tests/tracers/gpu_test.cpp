// SPDX-License-Identifier: Apache-2.0
// Points in flows on a GPU go where they go in those of CPUs.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cuda/support.hpp"
#include "fluvia/run/session.hpp"
#include "fluvia/run/tracers/tracers.hpp"

namespace fluvia::test {
namespace {

/// A duct with a step, through which points come in all the time.
std::string duct(const std::string& device) {
  return R"toml(
[units]
system = "lattice"
tau = 0.6
[domain]
nodes = [40, 21, 18]
[[geometry.shape]]
name = "step"
kind = "box"
center = [6, 4.5, 9]
size = [12, 9, 18]
[[boundary]]
surface = "x_min"
type = "velocity"
speed = 0.05
profile = "parabolic"
[[boundary]]
surface = "x_max"
type = "pressure"
pressure = 0
[numerics]
format = "fp64"
device = ")toml" +
         device + R"toml("
[run]
steps = 1000
[[tracer]]
name = "seeds"
from = "x_min"
rate = 2
diffusivity = 0.002
stick = ["step"]
)toml";
}

/// After as many steps as let some leave, which a difference of round-off moves by little.
TEST(TracersOnGpus, GoWhereTheyGoOnCpus) {
  SKIP_WITHOUT_GPU();
  Session on_gpu(parse_case(duct("cuda"), "duct.toml")), on_cpu(parse_case(duct("cpu"), "duct.toml"));
  for (const int steps : {37, 963}) {
    on_gpu.advance(steps);
    on_cpu.advance(steps);
    const PointCloud a = on_gpu.tracers()->cloud("seeds"), b = on_cpu.tracers()->cloud("seeds");
    ASSERT_EQ(a.ids, b.ids);
    EXPECT_EQ(a.stuck, b.stuck);
    EXPECT_FALSE(a.ids.empty());
    for (std::size_t k = 0; k < a.places.size(); ++k)
      for (std::size_t axis = 0; axis < 3; ++axis) ASSERT_NEAR(a.places[k][axis], b.places[k][axis], 1e-8) << k;
  }
  EXPECT_EQ(on_gpu.tracers()->departed("seeds").ids, on_cpu.tracers()->departed("seeds").ids);
  EXPECT_GT(on_gpu.tracers()->departed("seeds").ids.size(), 100U);
}

}  // namespace
}  // namespace fluvia::test
