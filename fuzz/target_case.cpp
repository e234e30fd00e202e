// SPDX-License-Identifier: Apache-2.0
// A case file: TOML, validation, units, and for small boxes the geometry and the plan.
#include <string>

#include "fluvia/case/validate.hpp"
#include "fluvia/geometry/geometry.hpp"
#include "fluvia/run/checks/preflight.hpp"
#include "fluvia/solver/links/boundary_setup.hpp"
#include "fluvia/solver/plan/half_lattice.hpp"
#include "fluvia/solver/solver.hpp"
#include "fuzz/input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace fluvia;
  return fuzz::expect_refusal_or_success([&] {
    const std::string text(reinterpret_cast<const char*>(bytes), size);
    const Case c = parse_case(text, "/nowhere/case.toml");
    const Grid grid = make_grid(c);
    const Units units = make_units(c, grid.spacing);
    constexpr double most_nodes = 20000;
    if (1.0 * grid.size[0] * grid.size[1] * grid.size[2] > most_nodes) return;
    Geometry whole = build_geometry(c, grid);
    check_before_run({c, units, whole});
    const Geometry geometry = stored_geometry(c, std::move(whole));
    const Plan plan = make_plan({c, units, geometry});
    make_boundary_setup({c, units, geometry}, plan.flow().lattice->name);
  });
}
