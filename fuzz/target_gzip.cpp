// SPDX-License-Identifier: Apache-2.0
// A packed file, of any kind.
#include <cstdlib>
#include <string>

#include "fluvia/geometry/input_file.hpp"
#include "fuzz/input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace fluvia;
  return fuzz::expect_refusal_or_success([&] {
    const std::filesystem::path file = fuzz::file_of(bytes, size);
    const std::string content = geometry::read_whole_file(file);
    if (content.size() > geometry::InputFile(file).most_content()) std::abort();  // the promise that others count on
  });
}
