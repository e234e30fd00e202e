// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

#include "fluvia/cuda/runtime/bandwidth.hpp"
#include "fluvia/cuda/runtime/compiler/nvrtc.hpp"
#include "fluvia/cuda/runtime/driver.hpp"
#include "fluvia/solver/plan/scheme.hpp"
#include "support/errors.hpp"

#define SKIP_WITHOUT_NVRTC() \
  if (!fluvia::cuda::nvrtc_problem().empty()) GTEST_SKIP() << fluvia::cuda::nvrtc_problem()

#define SKIP_WITHOUT_GPU() \
  if (!fluvia::cuda::why_unavailable().empty()) GTEST_SKIP() << fluvia::cuda::why_unavailable()

namespace fluvia::test {

/// Those GPUs that this NVRTC knows, of all that every kernel is compiled for; 12.6 does not know sm_100.
inline std::vector<int> known_targets() {
  std::vector<int> known;
  for (const int target : {80, 90, 100}) {
    try {
      known.push_back(cuda::target_for(target));
    } catch (const Error&) {
      EXPECT_EQ(target, 100);
    }
  }
  return known;
}

/// Edges of a scheme's tiles besides the default.
inline std::vector<int> more_edges(const Scheme& scheme, int dimension) {
  std::vector<int> edges;
  for (int k = 1; k < 3; ++k)
    if (scheme.edges(dimension)[k] != 0) edges.push_back(scheme.edges(dimension)[k]);
  return edges;
}

/// A request for a small kernel.
using cuda::copy_request;

/// Names of parameters may hold letters, digits and underscores only.
inline std::string test_name(std::string name) {
  std::replace_if(
      name.begin(), name.end(), [](unsigned char ch) { return std::isalnum(ch) == 0; }, '_');
  return name;
}

}  // namespace fluvia::test
