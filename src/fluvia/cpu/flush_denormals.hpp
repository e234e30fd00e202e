// SPDX-License-Identifier: Apache-2.0
#pragma once

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace fluvia::cpu {

/// While it lives, denormal numbers count as zero on this thread. Deviations decay through them ahead of every
/// front into fluid at rest, and arithmetic on them costs a hundred cycles.
class FlushDenormals {
 public:
#if defined(__SSE2__)
  FlushDenormals() : saved_(_mm_getcsr()) {
    _mm_setcsr(saved_ | flush_to_zero | denormals_are_zero);
  }
  ~FlushDenormals() {
    _mm_setcsr(saved_);
  }

 private:
  static constexpr unsigned flush_to_zero = 0x8000, denormals_are_zero = 0x0040;
  unsigned saved_;

 public:
#elif defined(__aarch64__)
  FlushDenormals() {
    asm volatile("mrs %0, fpcr" : "=r"(saved_));
    asm volatile("msr fpcr, %0" : : "r"(saved_ | flush_to_zero));
  }
  ~FlushDenormals() {
    asm volatile("msr fpcr, %0" : : "r"(saved_));
  }

 private:
  static constexpr unsigned long flush_to_zero = 1ul << 24;
  unsigned long saved_;

 public:
#else
  FlushDenormals() = default;
#endif
  FlushDenormals(const FlushDenormals&) = delete;
  FlushDenormals& operator=(const FlushDenormals&) = delete;
};

}  // namespace fluvia::cpu
