// SPDX-License-Identifier: Apache-2.0
// A checkpoint: whatever is altered or cut is refused before HDF5 sees it.
#include "fluvia/output/checkpoint/checkpoint.hpp"
#include "fuzz/input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace fluvia;
  return fuzz::expect_refusal_or_success([&] { inspect_checkpoint(fuzz::file_of(bytes, size)); });
}
