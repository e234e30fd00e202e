// SPDX-License-Identifier: Apache-2.0
// Which NCCL is taken, and what is said where there is none.
#include "fluvia/cuda/runtime/nccl.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "support/errors.hpp"

namespace fluvia::cuda {
namespace {

class Nccl : public testing::Test {
 protected:
  void TearDown() override { ::unsetenv("FLUVIA_NCCL"); }
  static NcclLibrary load(const char* file) {
    ::setenv("FLUVIA_NCCL", file, 1);
    return load_nccl();
  }
};

TEST_F(Nccl, IsNotUsedIfNobodyWantsIt) {
  EXPECT_EQ(load("none").problem, "FLUVIA_NCCL is 'none'");
}

TEST_F(Nccl, SaysWhichFileIsNotThere) {
  const std::string problem = load("/nowhere/libnccl.so.2").problem;
  EXPECT_CONTAINS(problem, "NCCL cannot be loaded (/nowhere/libnccl.so.2");
  EXPECT_CONTAINS(problem, "FLUVIA_NCCL names '/nowhere/libnccl.so.2'");
}

TEST_F(Nccl, SaysWhatAnotherLibraryLacks) {
  EXPECT_CONTAINS(load("libm.so.6").problem, "'libm.so.6' is no NCCL, or one older than 2.7: it lacks ncclGetVersion");
}

}  // namespace
}  // namespace fluvia::cuda
