// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>

#include "fluvia/cli/commands.hpp"
#include "fluvia/cli/console.hpp"
#include "fluvia/cli/geometry_source.hpp"
#include "fluvia/geometry/geometry.hpp"
#include "fluvia/output/drawing.hpp"
#include "fluvia/output/geometry_json.hpp"
#include "fluvia/output/geometry_picture.hpp"

namespace fluvia::cli {

namespace {

struct GeometrySettings {
  GeometrySource source;
  std::string png;
  bool json = false;
};

void geometry_report(const GeometrySettings& settings) {
  const Case c = settings.source.make_case();
  const Grid grid = make_grid(c);
  const Geometry geometry = build_geometry(c, grid);
  const bool si = c.units.system == "si";
  if (settings.json)  // names may come from files in any encoding
    fmt::print("{}\n",
               geometry_report_json(geometry, grid, si).dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
  else
    fmt::print("{}", format_report(geometry, c, grid));
  if (settings.png.empty()) return;
  if (const std::string warning = missing_fonts(); !warning.empty()) say("warning: " + warning + "\n");
  for (const auto& file :
       write_geometry_slices(geometry, grid, si, settings.png, settings.source.file.filename().string()))
    if (!settings.json) fmt::print("wrote {}\n", file.string());
}

}  // namespace

void add_geometry_command(CLI::App& app) {
  auto s = std::make_shared<GeometrySettings>();
  CLI::App* command = app.add_subcommand("geometry", "Report what a geometry is and what is wrong with it");
  command->add_option("FILE", s->source.file, "Case, STL, raw voxel image (.raw, .raw.gz) or mask (.png, .pgm)")
      ->type_name("FILE")
      ->required();
  command->add_option("--png", s->png, "Write slices PREFIX-x.png, -y.png, -z.png")->type_name("PREFIX");
  command->add_flag("--json", s->json, "Print the report as JSON");
  add_source_options(*command, s->source);
  command->callback([s] { geometry_report(*s); });
}

}  // namespace fluvia::cli
