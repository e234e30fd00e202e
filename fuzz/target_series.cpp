// SPDX-License-Identifier: Apache-2.0
// A time series.
#include "fluvia/solver/profiles/time_series.hpp"
#include "fuzz/input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace fluvia;
  return fuzz::expect_refusal_or_success([&] {
    const TimeSeries series(fuzz::file_of(bytes, size), size % 2 == 0);
    for (const double time : {-1.0, 0.0, 0.3, 1e9}) (void)series.at(time);
  });
}
