// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cli/geometry_source.hpp"

#include <cmath>

#include "fluvia/cli/pages/pages.hpp"

namespace fluvia::cli {

void add_source_options(CLI::App& command, GeometrySource& source) {
  command.add_option("--spacing", source.spacing, "STL: node distance (metres with --unit, else file units)")
      ->check(CLI::Validator(
          [](const std::string& text) {
            double value = 0;
            const bool valid = CLI::detail::lexical_cast(text, value) && value > 0 && std::isfinite(value);
            return valid ? std::string() : "'" + text + "' is no finite number above 0";
          },
          "POSITIVE"));
  command.add_option("--nodes", source.nodes, "STL: nodes along the longest side, if no spacing is given")
      ->check(CLI::Range(4, 4096))
      ->capture_default_str();
  command.add_option("--unit", source.unit, "STL: unit of the coordinates: m, cm, mm, um")
      ->check(offer({"m", "cm", "mm", "um"}));
  command.add_flag("--outside", source.outside, "STL: the fluid is outside of the surface");
  command.add_option("--shape", source.shape, "Raw: voxels along x, y, z")->expected(3);
  command.add_option("--bits", source.bits, "Raw: 8 or 16")->check(CLI::IsMember({8, 16}))->capture_default_str();
  command.add_option("--fluid,--pore", source.fluid_labels, "Voxels: labels of fluid voxels")->capture_default_str();
}

}  // namespace fluvia::cli
