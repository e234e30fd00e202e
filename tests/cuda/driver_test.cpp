// SPDX-License-Identifier: Apache-2.0
// Machines without a driver: the reason is said, and nothing but the reason happens.
#include <gtest/gtest.h>

#include "cuda/support.hpp"
#include "fluvia/cuda/runtime/device.hpp"
#include "support/program.hpp"

namespace fluvia::cuda {
namespace {

TEST(Driver, SaysWhyThereIsNone) {
  if (driver_problem().empty()) GTEST_SKIP() << "this machine has a driver and a GPU";
  EXPECT_EQ(why_unavailable(), driver_problem());
  EXPECT_TRUE(list_devices().empty());
  EXPECT_EQ(test::error_of(ExitCode::resource, [] { driver(); }), "no GPU can be used: " + driver_problem());
  EXPECT_EQ(test::error_of(ExitCode::resource, [] { Device(); }), "no GPU can be used: " + driver_problem());
  const test::Outcome info = test::run_fluvia("info");
  EXPECT_EQ(info.code, 0);
  EXPECT_CONTAINS(info.text, "gpu          none: " + driver_problem() + "\n");
}

TEST(Driver, NamesTheLibraryThatIsMissing) {
  if (test::run_shell("ldconfig -p | grep -q libcuda.so.1").code == 0) GTEST_SKIP() << "this machine has libcuda.so.1";
  EXPECT_CONTAINS(driver_problem(), "no NVIDIA driver was found (libcuda.so.1: ");
}

TEST(CudaVersion, ReadsAsNvidiaWritesIt) {
  EXPECT_EQ(CudaVersion{13000}.text(), "13.0");
  EXPECT_EQ(CudaVersion{12080}.text(), "12.8");
  EXPECT_EQ(CudaVersion{12080}.major(), 12);
}

}  // namespace
}  // namespace fluvia::cuda
