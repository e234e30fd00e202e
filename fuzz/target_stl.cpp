// SPDX-License-Identifier: Apache-2.0
// A surface mesh, from its bytes to the layer that cuts the box.
#include "fluvia/geometry/geometry.hpp"
#include "fluvia/geometry/mesh/stl.hpp"
#include "fuzz/input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace fluvia;
  return fuzz::expect_refusal_or_success([&] {
    const std::filesystem::path file = fuzz::file_of(bytes, size);
    geometry::read_stl_parts(file);
    Case c;
    c.units.viscosity = 0.1;
    c.domain.nodes = Int3{12, 12, 12};
    c.domain.origin = Real3{0, 0, 0};
    c.geometry.allow_defects = true;
    c.geometry.stl.push_back({});
    c.geometry.stl.back().file = file;
    build_geometry(c, make_grid(c));
  });
}
