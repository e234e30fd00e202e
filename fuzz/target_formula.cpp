// SPDX-License-Identifier: Apache-2.0
// A formula of the position, and its values at some points.
#include <string>

#include "fluvia/initial/formula.hpp"
#include "fuzz/input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace fluvia;
  return fuzz::expect_refusal_or_success([&] {
    const Formula formula({reinterpret_cast<const char*>(bytes), size}, "here", {2, 3, 4}, 1);
    for (const double x : {0.0, -1.5, 1e300}) static_cast<void>(formula({x, 0.5, 2}));
  });
}
