// SPDX-License-Identifier: Apache-2.0
// Square roots by the name that argument-dependent look-up completes for packs; NVRTC has no <cmath>.
#pragma once
#include "fluvia/core/config.hpp"

#if !defined(__CUDACC_RTC__)
#include <cmath>
#else
namespace std {
using ::sqrt;
}
#endif

namespace fluvia::core {

/// |x| of a number or of a pack.
FLUVIA_FUNCTION float magnitude(float x) {
  return x < 0 ? -x : x;
}
FLUVIA_FUNCTION double magnitude(double x) {
  return x < 0 ? -x : x;
}
template <class Pack>
FLUVIA_FUNCTION Pack magnitude(const Pack& x) {
  return abs(x);
}

}  // namespace fluvia::core
