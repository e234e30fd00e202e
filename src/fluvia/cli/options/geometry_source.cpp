// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cli/options/geometry_source.hpp"

#include <cmath>

#include "fluvia/base/quantity.hpp"
#include "fluvia/base/text.hpp"
#include "fluvia/cli/options/image_options.hpp"
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
  command.add_option("--unit", source.unit, "STL: unit of the coordinates: " + join(length_units()))
      ->check(offer(length_units()));
  command.add_flag("--outside", source.outside, "STL: the fluid is outside of the surface");
  add_raw_options(command, source.voxels);
  add_fluid_options(command, source.voxels, "--fluid,--pore,--labels");
}

}  // namespace fluvia::cli
