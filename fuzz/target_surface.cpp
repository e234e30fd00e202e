// SPDX-License-Identifier: Apache-2.0
// Surfaces that Assimp reads, 3MF among them; the first byte chooses the format. Assimp runs in a process of its own
// (base/apart.hpp), which may end as it likes: what is looked for are mistakes in what is made of that.
#include <array>

#include "fluvia/geometry/mesh/surface_survey.hpp"
#include "fuzz/input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace fluvia;
  if (size < 1) return 0;
  constexpr std::array extensions{".obj", ".ply", ".off", ".3mf", ".gltf", ".glb"};
  return fuzz::expect_refusal_or_success(
      [&] { geometry::survey_surface(fuzz::file_of(bytes + 1, size - 1, extensions[bytes[0] % extensions.size()])); });
}
