// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <gtest/gtest.h>

// GCC says so by macros, Clang by features.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define FLUVIA_TEST_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define FLUVIA_TEST_SANITIZED 1
#endif
#endif

namespace fluvia::test {

/// True in builds with AddressSanitizer or ThreadSanitizer.
#ifdef FLUVIA_TEST_SANITIZED
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

}  // namespace fluvia::test

/// First in a test that sanitizers are in the way of.
#define SKIP_UNDER_SANITIZERS(reason) \
  if (fluvia::test::sanitized) GTEST_SKIP() << reason
