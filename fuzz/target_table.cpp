// SPDX-License-Identifier: Apache-2.0
// Speeds over an opening, at one time or over time.
#include "fluvia/solver/profiles/table_profile.hpp"
#include "fuzz/input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace fluvia;
  return fuzz::expect_refusal_or_success([&] {
    Geometry geometry;
    geometry.nodes.dimension = size % 2 == 0 ? 2 : 3;
    Opening opening;
    opening.normal = {-1, 0, 0};
    opening.area = 8;
    const auto file = fuzz::file_of(bytes, size);
    const Real3 point = {0, 0.5, 0.25};
    if (has_time_column(file, geometry.nodes.dimension)) {
      for (const auto& speeds : table_over_time(file, geometry, opening, 1).speeds) (void)speeds(point);
    } else {
      (void)table_profile(file, geometry, opening, 1)(point);
    }
  });
}
