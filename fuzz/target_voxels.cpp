// SPDX-License-Identifier: Apache-2.0
// Images without a header: numbers in text, or raw ones of any type. The first three bytes are the shape, the fourth
// chooses the type.
#include "fluvia/case/names.hpp"
#include "fluvia/geometry/image/image_survey.hpp"
#include "fuzz/input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace fluvia;
  if (size < 4) return 0;
  return fuzz::expect_refusal_or_success([&] {
    geometry::VoxelRequest request;
    request.shape = {bytes[0], bytes[1], bytes[2]};
    request.type = names::voxel_types[bytes[3] % names::voxel_types.size()];
    request.order = names::voxel_orders[bytes[3] / 16 % 2];
    request.endian = names::endians[bytes[3] / 32 % 2];
    request.file = fuzz::file_of(bytes + 4, size - 4);
    const geometry::ImageSurvey survey = geometry::survey_image(request);
    geometry::OrderedLayers layers(survey);
    for (int z = 0; z < survey.header.shape[2]; ++z) layers.next();
  });
}
