// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>
#include <optional>

#include "fluvia/cli/commands.hpp"
#include "fluvia/cli/options/geometry_source.hpp"
#include "fluvia/cli/terminal/console.hpp"
#include "fluvia/geometry/geometry.hpp"
#include "fluvia/geometry/image/files/image_file.hpp"
#include "fluvia/geometry/levels/level_map.hpp"
#include "fluvia/geometry/mesh/surface_file.hpp"
#include "fluvia/output/geometry_json.hpp"
#include "fluvia/output/pictures/drawing.hpp"
#include "fluvia/output/pictures/geometry_picture.hpp"
#include "fluvia/solver/blocks/block.hpp"

namespace fluvia::cli {

namespace {

struct GeometrySettings {
  GeometrySource source;
  std::string png;
  bool json = false;
  int parts = 0;
};

/// Number of fluid nodes of each part.
std::vector<std::uint64_t> nodes_of_parts(const NodeMap& nodes, const std::vector<std::uint64_t>& cuts) {
  std::vector<std::uint64_t> own;
  for (std::size_t k = 0; k + 1 < cuts.size(); ++k) own.push_back(nodes.nodes_of(cuts[k], cuts[k + 1] - cuts[k]));
  return own;
}

void print_parts(const NodeMap& nodes, const std::vector<std::uint64_t>& own) {
  const double mean = static_cast<double>(nodes.fluid_nodes) / static_cast<double>(own.size());
  fmt::print("parts:\n");
  for (std::size_t k = 0; k < own.size(); ++k)
    fmt::print("  {:<4} {} fluid nodes, {:+.3f}% from the mean\n", k, own[k],
               100 * (static_cast<double>(own[k]) / mean - 1));
}

void geometry_report(const GeometrySettings& settings) {
  std::string labels;
  const Case c = settings.source.make_case(&labels);
  if (!labels.empty() && !settings.json) fmt::print("{}\n", labels);
  const Grid grid = make_grid(c);
  const Geometry geometry = build_geometry(c, grid);
  const bool si = c.units.system == "si";
  const std::vector<std::uint64_t> cuts =
      settings.parts > 0 ? cut_tiles(geometry.nodes, settings.parts) : std::vector<std::uint64_t>();
  const std::vector<std::uint64_t> own = nodes_of_parts(geometry.nodes, cuts);
  if (settings.json) {
    nlohmann::json report = geometry_report_json(geometry, grid, si);
    if (!own.empty()) report["parts"] = own;
    if (!labels.empty()) report["labels"] = labels;
    // Names may come from files in any encoding.
    fmt::print("{}\n", report.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
  } else {
    fmt::print("{}", format_report(geometry, c, grid));
    if (!own.empty()) print_parts(geometry.nodes, own);
  }
  if (settings.png.empty()) return;
  if (const std::string warning = missing_fonts(); !warning.empty()) say("warning: " + warning + "\n");
  std::optional<LevelMap> levels;
  if (!c.refine.empty()) levels = make_level_map(c, grid, geometry);
  for (const auto& file :
       write_geometry_slices(geometry, grid, si, settings.png, settings.source.file.filename().string(), cuts,
                             levels ? &*levels : nullptr))
    if (!settings.json) fmt::print("wrote {}\n", file.string());
}

}  // namespace

void add_geometry_command(CLI::App& app) {
  auto s = std::make_shared<GeometrySettings>();
  CLI::App* command = app.add_subcommand("geometry", "Report what a geometry is and what is wrong with it");
  command
      ->add_option("FILE", s->source.file,
                   "Case, surface (" + geometry::surface_extensions() + "), image of voxels (" +
                       geometry::image_extensions() + ") or mask (" + geometry::mask_extensions() + ")")
      ->type_name("FILE")
      ->required();
  command->add_option("--png", s->png, "Write slices PREFIX-x.png, -y.png, -z.png")->type_name("PREFIX");
  command
      ->add_option("--parts", s->parts,
                   "Say how so many ranks on CPUs share the fluid, with a colour for each in slices")
      ->type_name("N")
      ->check(CLI::Range(1, 100000));
  command->add_flag("--json", s->json, "Print the report as JSON");
  add_source_options(*command, s->source);
  command->callback([s] { geometry_report(*s); });
}

}  // namespace fluvia::cli
