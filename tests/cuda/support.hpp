// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "fluvia/base/error.hpp"
#include "fluvia/cuda/driver.hpp"
#include "fluvia/cuda/nvrtc.hpp"

#define SKIP_WITHOUT_NVRTC() \
  if (!fluvia::cuda::nvrtc_problem().empty()) GTEST_SKIP() << fluvia::cuda::nvrtc_problem()

#define SKIP_WITHOUT_GPU() \
  if (!fluvia::cuda::why_unavailable().empty()) GTEST_SKIP() << fluvia::cuda::why_unavailable()

#define EXPECT_CONTAINS(text, part) \
  EXPECT_NE((text).find(part), std::string::npos) << "'" << (text) << "' does not contain '" << (part) << "'"

namespace fluvia::test {

/// Message of the fluvia::Error that `action` throws, which must have the given code; empty if it throws none.
template <class Action>
std::string error_of(ExitCode code, const Action& action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(static_cast<int>(error.code()), static_cast<int>(code)) << error.what();
    return error.what();
  }
  return {};
}

/// Of the GPUs that every kernel is compiled for, those that this NVRTC knows; 12.6 does not know sm_100.
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

/// The copy kernel for a request named "copy".
inline cuda::CompileRequest copy_request() {
  cuda::CompileRequest request;
  request.name = "copy";
  request.specialisation = "16 bytes a thread";
  request.source = "#include \"fluvia/cuda/kernels/copy.hpp\"\n";
  request.kernels = {"fluvia::cuda::kernels::copy"};
  return request;
}

}  // namespace fluvia::test
