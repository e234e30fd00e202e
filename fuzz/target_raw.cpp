// SPDX-License-Identifier: Apache-2.0
// A voxel image, plain or packed; the first four bytes say how it is read.
#include "fluvia/geometry/image/voxels.hpp"
#include "fuzz/input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace fluvia;
  if (size < 4) return 0;
  return fuzz::expect_refusal_or_success([&] {
    Case::Voxels voxels;
    voxels.file = fuzz::file_of(bytes + 4, size - 4);
    voxels.shape = {1 + bytes[0] % 32, 1 + bytes[1] % 32, 1 + bytes[2] % 32};
    voxels.bits = (bytes[3] & 1) != 0 ? 16 : 8;
    voxels.endian = (bytes[3] & 2) != 0 ? "big" : "little";
    voxels.order = (bytes[3] & 4) != 0 ? "z-fastest" : "x-fastest";
    voxels.fluid_above = 10;
    if ((bytes[3] & 8) != 0) voxels.crop_from = Int3{1, 0, 2};
    geometry::read_voxels(voxels, "/");
  });
}
