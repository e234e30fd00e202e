// SPDX-License-Identifier: Apache-2.0
// A mask: its size first, then its pixels.
#include "fluvia/geometry/image/mask.hpp"
#include "fuzz/input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace fluvia;
  return fuzz::expect_refusal_or_success([&] {
    const std::filesystem::path file = fuzz::file_of(bytes, size);
    geometry::read_image_size(file);
    geometry::read_image(file);
  });
}
