// SPDX-License-Identifier: Apache-2.0
// The header of an image and the elements behind it; the first byte chooses the format. TIFF is read by libtiff in a
// process of its own, and is not looked at here.
#include <vector>

#include "fluvia/geometry/image/files/image_file.hpp"
#include "fuzz/input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace fluvia;
  if (size < 1) return 0;
  return fuzz::expect_refusal_or_success([&] {
    const std::filesystem::path file = fuzz::file_of(bytes + 1, size - 1);
    const geometry::ImageHeader header = bytes[0] % 4 == 0   ? geometry::read_nrrd_header(file)
                                         : bytes[0] % 4 == 1 ? geometry::read_meta_image_header(file)
                                         : bytes[0] % 4 == 2 ? geometry::read_nifti_header(file)
                                                             : geometry::read_npy_image_header(file);
    if (header.data != file) return;
    std::vector<char> elements(1 << 16);
    geometry::open_elements(file, header)->read(elements.data(), elements.size());
  });
}
