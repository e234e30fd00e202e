// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>

#include "fluvia/backend/backend.hpp"
#include "fluvia/base/atomic_file.hpp"
#include "fluvia/base/error.hpp"
#include "fluvia/base/quantity.hpp"
#include "fluvia/base/text.hpp"
#include "fluvia/case/templates.hpp"
#include "fluvia/cli/commands.hpp"
#include "fluvia/cli/expected_time.hpp"
#include "fluvia/cli/image_options.hpp"
#include "fluvia/cli/pages/pages.hpp"
#include "fluvia/draft/draft.hpp"
#include "fluvia/geometry/input_file.hpp"
#include "fluvia/geometry/mesh/surface_file.hpp"
#include "fluvia/run/prepared_flow.hpp"
#include "fluvia/solver/plan/half_lattice.hpp"

namespace fluvia::cli {

namespace {

using Files = std::vector<std::pair<std::string, std::string>>;  ///< name below the folder, content

/// Writes new files only; writes nothing if one of them is there.
void write_files(const Files& files, const std::filesystem::path& folder) {
  for (const auto& [relative, content] : files)
    if (std::filesystem::exists(folder / relative))
      throw Error(ExitCode::usage, fmt::format("new: '{}' exists already; remove it or name another folder",
                                               (folder / relative).string()));
  for (const auto& [relative, content] : files) {
    const auto path = folder / relative;
    std::error_code error;
    if (path.has_parent_path()) std::filesystem::create_directories(path.parent_path(), error);
    if (error)
      throw_resource(fmt::format("new: folder '{}' cannot be made: {}", path.parent_path().string(), error.message()));
    write_file(path, content);
    fmt::print("wrote {}\n", path.string());
  }
}

/// A folder that is made, with those above it, and goes again, if nothing is in it, unless it is kept.
class NewFolder {
 public:
  explicit NewFolder(const std::filesystem::path& folder) {
    std::error_code error;
    for (auto path = std::filesystem::absolute(folder).lexically_normal(); !std::filesystem::exists(path, error);
         path = path.parent_path())
      if (path.has_filename()) made_.push_back(path);
    std::filesystem::create_directories(folder, error);
    if (error) throw_resource(fmt::format("new: folder '{}' cannot be made: {}", folder.string(), error.message()));
  }
  ~NewFolder() {
    std::error_code error;
    for (const auto& path : made_) std::filesystem::remove(path, error);  // which keeps folders that are not empty
  }
  NewFolder(const NewFolder&) = delete;
  NewFolder& operator=(const NewFolder&) = delete;

 private:
  std::vector<std::filesystem::path> made_;  ///< innermost first
};

/// The words of the command line.
struct Settings {
  std::string first, second;  ///< positional: TEMPLATE and DIR, or with --from only DIR
  std::filesystem::path from;
  std::string unit, flow, speed, wind, roughness, spacing, voxel;
  std::vector<double> ends;  ///< X Y Z of each --end
  DraftRequest request;
};

/// The files that --from means: the file itself, all surfaces of a folder, or a folder with slices of an image.
std::vector<std::filesystem::path> files_of(const std::filesystem::path& from) {
  if (!std::filesystem::is_directory(from)) return {from};
  std::vector<std::filesystem::path> files;
  bool slices = false;
  for (const auto& entry : std::filesystem::directory_iterator(from)) {
    const std::string extension = geometry::extension_of(entry.path());
    if (geometry::is_surface_file(entry.path())) files.push_back(entry.path());
    slices = slices || extension == ".tif" || extension == ".tiff";
  }
  std::sort(files.begin(), files.end());
  if (files.empty() && slices) return {from};
  if (files.empty())
    throw Error(ExitCode::usage, fmt::format("--from: the folder '{}' has no surface ({}) and no slices (.tif)",
                                             from.string(), geometry::surface_extensions()));
  return files;
}

std::string show_duration(double seconds) {
  if (seconds < 90) return format_short(std::max(1.0, std::round(seconds)), 2) + " s";
  return seconds < 5400 ? format_short(seconds / 60, 2) + " minutes" : format_short(seconds / 3600, 2) + " hours";
}

/// The draft with a line above its [run] that says how long that takes here, as `fluvia plan` would; as it was where
/// the device of the case cannot be asked.
std::string with_expected_time(const std::string& text, const std::filesystem::path& file) {
  const std::string section = "\n[run]\n";
  const std::size_t place = text.find(section);
  if (place == std::string::npos) return text;
  try {
    const Case c = parse_case(text, file);
    PreparedFlow flow(c, {});
    flow.build();
    const Geometry geometry = stored_geometry(c, flow.take_geometry());
    const Problem problem{c, flow.units(), geometry};
    const Plan plan = plan_case(problem);
    const std::string where =
        plan.device == "cuda" ? plan.device_name : fmt::format("{}, {} threads", plan.device, plan.threads);
    return std::string(text).insert(
        place + 1, fmt::format("# About {} on the machine where this case was made ({}), as `fluvia plan` counts.\n",
                               show_duration(expected_time(problem, plan).seconds()), where));
  } catch (const Error& e) {
    if (e.code() != ExitCode::resource) throw;
    return text;
  }
}

void write_draft(Settings s) {
  if (!s.second.empty())
    throw Error(ExitCode::usage, fmt::format("new: with --from only a folder to write to may follow, not '{}' and '{}'",
                                             shorten(s.first), shorten(s.second)));
  DraftRequest& r = s.request;
  const auto quantity = [](const std::string& text, QuantityKind kind, const char* option) {
    return text.empty() ? std::optional<double>() : parse_quantity(text, kind, option);
  };
  r.flow_rate = quantity(s.flow, QuantityKind::flow_rate, "--flow");
  r.speed = quantity(s.speed, QuantityKind::speed, "--speed");
  r.wind = quantity(s.wind, QuantityKind::speed, "--wind");
  r.roughness = quantity(s.roughness, QuantityKind::length, "--roughness");
  r.spacing = quantity(s.spacing, QuantityKind::length, "--spacing");
  r.voxel = quantity(s.voxel, QuantityKind::length, "--voxel");
  if (!s.unit.empty()) r.unit = parse_length_unit(s.unit, "--unit");
  for (std::size_t k = 0; k + 2 < s.ends.size(); k += 3)
    r.end_points.push_back({s.ends[k], s.ends[k + 1], s.ends[k + 2]});
  r.files = files_of(s.from);
  r.folder = s.first.empty() ? "." : s.first;
  const Draft draft = make_draft(r);
  for (const std::string& note : draft.notes) fmt::print("{}\n", printable(note));
  const std::string file = draft.name + ".toml";
  const std::string path = (r.folder / file).string();
  // A case that cannot be planned is not written; its files are named from its folder, which therefore is there before.
  const NewFolder made(r.folder);
  write_files({{file, with_expected_time(draft.text, path)}}, r.folder);
  fmt::print("look at it with: fluvia plan {}\nrun it with: fluvia run {}\n", path, path);
}

void write_template(const Settings& s) {
  if (s.first.empty())
    throw Error(ExitCode::usage, "new: name a template (" + join(template_names()) + "), or a file with --from");
  const std::filesystem::path folder = s.second.empty() ? "." : s.second;
  const Files files = template_files(s.first);
  write_files(files, folder);
  fmt::print("run it with: fluvia run {}\n", (folder / files.front().first).string());
}

/// Names of the command line have hyphens, those of case files underscores: either is understood.
std::string with_underscores(std::string text) {
  std::replace(text.begin(), text.end(), '-', '_');
  return text;
}

void add_draft_options(CLI::App& command, Settings& s) {
  const auto needs_from = command.get_option("--from");
  const auto add = [&](const std::string& name, auto& value, const std::string& meaning) {
    return command.add_option(name, value, meaning)->needs(needs_from);
  };
  DraftRequest& r = s.request;
  add("--unit", s.unit, "STL: unit of the coordinates: m, cm, mm, um")->check(offer({"m", "cm", "mm", "um"}));
  add("--flow", s.flow, "Vessel: flow rate through the inlet, such as 250ml/min");
  add("--speed", s.speed, "Vessel: instead, mean speed at the inlet, such as 0.3m/s");
  add("--ends", r.ends, "Vessel: how many openings it has: the largest that are found")->check(CLI::Range(2, 1000));
  add("--end", s.ends, "Vessel: instead, a point near an opening, X Y Z in the unit of the file; once for each")
      ->type_size(3)
      ->expected(1, 3000)
      ->type_name("X Y Z");
  add("--inlet", r.inlet, "Vessel: number of the inlet, 1 being the largest opening, or name of a patch");
  add("--wind", s.wind, "The STL is a body in this wind, such as 30m/s");
  add("--direction", r.direction, "Body: where the wind blows to: x, -x, y, -y, z, -z")
      ->check(offer({"x", "-x", "y", "-y", "z", "-z"}))
      ->capture_default_str();
  add("--ground", r.ground, "Body: below it, " + join(draft_grounds()))
      ->check(offer(draft_grounds()))
      ->transform(with_underscores)
      ->capture_default_str();
  add("--roughness", s.roughness, "Body on no_slip ground: roughness length of a logarithmic wind, such as 0.03m");
  add("--fluid", r.fluid, "One of " + join(draft_fluids()) + " (vessel: blood, body: air, image: water)")
      ->check(offer(draft_fluids()));
  add("--spacing", s.spacing, "STL: distance of nodes, such as 0.2mm");
  add("--nodes-across", r.nodes_across, "STL: nodes across the narrowest lumen, or along the body")
      ->check(CLI::Range(2, 100000));
  add("--most-nodes", r.most_nodes, "Fluid nodes that may come of what is not given (2e6; images 8e6)")
      ->check(CLI::Range(1e3, 1e12));
  add("--voxel", s.voxel, "Image: edge of a voxel or pixel, such as 5um (default: as the header says)");
  for (CLI::Option* option : add_raw_options(command, r.voxels)) option->needs(needs_from);
  for (CLI::Option* option : add_fluid_options(command, r.voxels)) option->needs(needs_from);
  add("--axis", r.axis, "Image: x, y or z, along which the flow is driven (the first that lets it through)")
      ->check(offer({"x", "y", "z"}));
  command.add_flag("--dark", r.dark, "Mask: the dark pixels are the fluid")->needs(needs_from);
}

}  // namespace

void add_new_command(CLI::App& app) {
  auto settings = std::make_shared<Settings>();
  CLI::App* command = app.add_subcommand("new", "Write a commented case to start from, or one for a file with a shape");
  command->add_option("TEMPLATE", settings->first, "One of: " + join(template_names()) + "; with --from the folder")
      ->check(offer(template_names()));
  command->add_option("DIR", settings->second, "Folder to write to (default: here)")->type_name("DIR");
  command
      ->add_option("--from", settings->from,
                   "Make a case of this STL, image of voxels, mask, or folder with the STL files of a wall and its "
                   "patches, of bodies in a wind, or with slices")
      ->type_name("FILE");
  add_draft_options(*command, *settings);
  command->callback([settings] {
    if (settings->from.empty())
      write_template(*settings);
    else
      write_draft(*settings);
  });
}

}  // namespace fluvia::cli
