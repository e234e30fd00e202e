// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <gtest/gtest.h>

#include <string>

#include "fluvia/base/error.hpp"

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

#define EXPECT_CONTAINS(text, part) \
  EXPECT_NE((text).find(part), std::string::npos) << "'" << (text) << "' does not contain '" << (part) << "'"

}  // namespace fluvia::test
