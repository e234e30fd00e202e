// SPDX-License-Identifier: Apache-2.0
// An array of numpy.save().
#include "fluvia/initial/npy_file.hpp"
#include "fuzz/input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace fluvia;
  return fuzz::expect_refusal_or_success([&] { read_npy(fuzz::file_of(bytes, size)); });
}
