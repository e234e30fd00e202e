// SPDX-License-Identifier: Apache-2.0
// The figure that a picture of a slice brings along: its chunk, what it unpacks to, the text in that.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "fluvia/output/pictures/figure_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const auto figure = fluvia::figure_of({reinterpret_cast<const char*>(bytes), size});
  if (figure && figure->cells.size() != figure->values.size()) __builtin_trap();
  return 0;
}
