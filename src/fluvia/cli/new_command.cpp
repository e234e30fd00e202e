// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <memory>

#include "fluvia/base/atomic_file.hpp"
#include "fluvia/base/error.hpp"
#include "fluvia/base/quantity.hpp"
#include "fluvia/base/text.hpp"
#include "fluvia/case/templates.hpp"
#include "fluvia/cli/commands.hpp"
#include "fluvia/cli/draft_time.hpp"
#include "fluvia/cli/options/image_options.hpp"
#include "fluvia/cli/pages/pages.hpp"
#include "fluvia/draft/draft.hpp"
#include "fluvia/geometry/image/files/image_file.hpp"
#include "fluvia/geometry/mesh/surface_file.hpp"

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
  std::string unit, flow, speed, wind, heat, spin, roughness, clearance, spacing, voxel;
  std::vector<double> ends;  ///< X Y Z of each --end
  std::vector<std::string> windkessel;
  CLI::Option* windkessel_option = nullptr;
  double minutes = 0;  ///< how long the run may take here; 0: that is not asked
  DraftRequest request;
};

/// The files that --from means: the file itself, all surfaces of a folder, or a folder with slices of an image.
std::vector<std::filesystem::path> files_of(const std::filesystem::path& from) {
  if (!std::filesystem::is_directory(from)) return {from};
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(from)) {
    if (entry.path().filename().string().starts_with('.')) continue;  // such as "._wall.stl", which macOS adds
    if (geometry::is_surface_file(entry.path())) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  if (files.empty() && geometry::has_slices(from)) return {from};
  if (files.empty())
    throw Error(ExitCode::usage,
                fmt::format("--from: the folder '{}' has no surface ({}) and no slices ({})", from.string(),
                            geometry::surface_extensions(), geometry::slice_extensions()));
  return files;
}

/// The draft with a line above its [run] that says how long that takes here, as `fluvia plan` would; as it was where
/// the device of the case cannot be asked.
std::string with_expected_time(const std::string& text, const std::optional<DraftTime>& time) {
  const std::string section = "\n[run]\n";
  const std::size_t place = text.find(section);
  if (place == std::string::npos || !time) return text;
  return std::string(text).insert(
      place + 1, fmt::format("# About {} on the machine where this case was made ({}), as `fluvia plan` counts.\n",
                             show_duration(time->seconds), time->where));
}

/// The resistance and compliance that may follow --windkessel, "R C", "R,C" or "[R, C]"; a word that does not begin
/// with a number is the folder.
void take_windkessel(Settings& s) {
  std::vector<std::string> values;
  for (std::string word : s.windkessel) {
    std::erase_if(word, [](char ch) { return ch == '[' || ch == ']'; });
    for (std::size_t start = 0; start <= word.size();) {
      const std::size_t end = std::min(word.find(',', start), word.size());
      const std::string part = word.substr(start, end - start);
      const std::size_t begin = part.find_first_not_of(' ');
      if (begin != std::string::npos) values.push_back(part.substr(begin));
      start = end + 1;
    }
  }
  const auto is_number = [](const std::string& text) { return std::isdigit(static_cast<unsigned char>(text[0])) != 0; };
  if (!values.empty() && !is_number(values.back()) && s.first.empty()) {
    s.first = values.back();
    values.pop_back();
  }
  if (values.size() > 2)
    throw Error(ExitCode::usage,
                "--windkessel: expected a resistance and a compliance, each with its unit in one word "
                "or in quotes: --windkessel \"1.2 mmHg s/ml\" 1.1ml/mmHg");
  if (!values.empty()) s.request.resistance = parse_quantity(values[0], QuantityKind::resistance, "--windkessel");
  if (values.size() > 1) s.request.compliance = parse_quantity(values[1], QuantityKind::compliance, "--windkessel");
}

/// What a draft leaves to be wished for: few nodes, with the time that enough of them would take.
std::string too_coarse(const Draft& draft, const DraftTime& time) {
  if (!(draft.across < draft.enough_across)) return "";
  // Nodes go with the third power of the distance of nodes, steps with the first.
  const double finer = draft.enough_across / draft.across;
  return fmt::format("too coarse to believe: {} nodes across {} ({} are enough), which takes about {}",
                     format_short(draft.across, 2), draft.across_what, format_short(draft.enough_across, 2),
                     show_duration(time.seconds * finer * finer * finer * finer));
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
  r.heat = quantity(s.heat, QuantityKind::power, "--heat");
  const bool other_way = s.spin.starts_with('-');
  r.spin = quantity(other_way ? s.spin.substr(1) : s.spin, QuantityKind::rotation, "--spin");
  if (other_way) r.spin = -*r.spin;
  r.roughness = quantity(s.roughness, QuantityKind::length, "--roughness");
  r.clearance = quantity(s.clearance, QuantityKind::length, "--clearance").value_or(0);
  r.spacing = quantity(s.spacing, QuantityKind::length, "--spacing");
  r.voxel = quantity(s.voxel, QuantityKind::length, "--voxel");
  if (!s.unit.empty()) r.unit = parse_length_unit(s.unit, "--unit");
  for (std::size_t k = 0; k + 2 < s.ends.size(); k += 3)
    r.end_points.push_back({s.ends[k], s.ends[k + 1], s.ends[k + 2]});
  r.files = files_of(s.from);
  r.windkessel = s.windkessel_option != nullptr && s.windkessel_option->count() > 0;
  if (r.windkessel) take_windkessel(s);
  if (s.minutes > 0 && (r.spacing || r.nodes_across || r.most_nodes))
    throw Error(ExitCode::usage, "--minutes: chooses the grid; leave out --spacing, --nodes-across and --most-nodes");
  r.folder = s.first.empty() ? "." : s.first;
  // A case that cannot be planned is not written; its files are named from its folder, which therefore is there before.
  const NewFolder made(r.folder);
  const TimedDraft timed = s.minutes > 0 ? fit_draft(r, 60 * s.minutes) : timed_draft(r);
  const Draft& draft = timed.draft;
  for (const std::string& note : draft.notes) fmt::print("{}\n", printable(note));
  if (timed.time) {
    fmt::print("time         about {} on {}\n", show_duration(timed.time->seconds), timed.time->where);
    if (s.minutes > 0 && timed.time->seconds > 60 * s.minutes)
      fmt::print("time         more than the {} minutes of --minutes: a coarser grid would not carry this flow\n",
                 format_short(s.minutes, 3));
    const std::string coarse = too_coarse(draft, *timed.time);
    if (!coarse.empty()) fmt::print("grid         {}\n", coarse);
  }
  for (const std::string& warning : timed.warnings) fmt::print("warning: {}\n", printable(warning));
  const std::string file = draft.name + ".toml";
  const std::string path = (r.folder / file).string();
  write_files({{file, with_expected_time(draft.text, timed.time)}}, r.folder);
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
  add("--unit", s.unit, "STL: unit of the coordinates: " + join(length_units()))->check(offer(length_units()));
  add("--flow", s.flow, "Vessel: flow rate through the inlet, such as 250ml/min");
  add("--speed", s.speed, "Vessel: instead, mean speed at the inlet, such as 0.3m/s");
  add("--waveform", r.waveform, "Vessel: instead, a CSV file time,flow of a cycle: a flow that beats")
      ->type_name("FILE");
  add("--unit-of-flow", r.unit_of_flow, "Waveform: unit of its values, such as ml/s, if its header has none");
  add("--cycles", r.cycles, "Waveform: cycles to compute (default: until the start is forgotten, and two more)")
      ->check(CLI::Range(3, 1000));
  s.windkessel_option = add("--windkessel", s.windkessel,
                            "Waveform: vessels behind the outlets, with a resistance and a compliance altogether, such "
                            "as \"1.2 mmHg s/ml\" 1.1ml/mmHg, or usual ones")
                            ->expected(0, 2)
                            ->allow_extra_args(false)
                            ->type_name("[R] [C]");
  add("--minutes", s.minutes, "How long the run may take on this machine: chooses the grid")
      ->check(CLI::Range(0.01, 1e6));
  add("--ends", r.ends, "Vessel: how many openings it has: the largest that are found")->check(CLI::Range(2, 1000));
  add("--end", s.ends, "Vessel: instead, a point near an opening, X Y Z in the unit of the file; once for each")
      ->type_size(3)
      ->expected(1)
      ->delimiter(',')
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->type_name("X Y Z");
  add("--inlet", r.inlet, "Vessel: number of the inlet, 1 being the largest opening, or name of a patch");
  add("--wind", s.wind, "The STL is a body in this wind, such as 30m/s");
  add("--heat", s.heat, "Body: of aluminium, it makes so much heat, such as 40W; how warm it becomes");
  add("--spin", s.spin, "Body: turns so about the direction of the wind, such as 1200rpm; -1200rpm: the other way");
  add("--direction", r.direction, "Body: where the wind blows to: x, -x, y, -y, z, -z")
      ->check(offer({"x", "-x", "y", "-y", "z", "-z"}))
      ->capture_default_str();
  add("--up", r.up, "Body: y or z, which points up (z; glTF: y)")->check(offer({"y", "z"}));
  add("--ground", r.ground, "Body: below it, " + join(draft_grounds()))
      ->check(offer(draft_grounds()))
      ->transform(with_underscores)
      ->capture_default_str();
  add("--clearance", s.clearance, "Body: of the ground below its lowest point, such as 50mm (0)");
  command
      .add_flag("--wall-functions", r.wall_functions,
                "Body: walls have the friction of the law of the wall, so that the Reynolds number is the real one")
      ->needs(needs_from);
  add("--roughness", s.roughness, "Body on no_slip ground: roughness length of a logarithmic wind, such as 0.03m");
  add("--fluid", r.fluid, "One of " + join(draft_fluids()) + " (vessel: blood, body: air, image: water)")
      ->check(offer(draft_fluids()));
  add("--spacing", s.spacing, "STL: distance of nodes, such as 0.2mm");
  add("--nodes-across", r.nodes_across, "STL: nodes across the main path where it is narrowest, or along the body")
      ->check(CLI::Range(2, 100000));
  add("--most-nodes", r.most_nodes,
      "Fluid nodes that may come of what is not given (2e6; images 8e6); with levels those that a "
      "step of the finest computes")
      ->check(CLI::Range(1e3, 1e12));
  add("--levels", r.levels,
      "STL: levels of refinement, each of half the spacing of the one before: finest at the body, or in narrow places "
      "of "
      "a vessel")
      ->check(CLI::Range(0, 6));
  add("--voxel", s.voxel, "Image: edge of a voxel or pixel, such as 5um (default: as the header says)");
  for (CLI::Option* option : add_raw_options(command, r.voxels)) option->needs(needs_from);
  for (CLI::Option* option : add_fluid_options(command, r.voxels)) option->needs(needs_from);
  add("--axis", r.axis, "Image: x, y or z, along which the flow is driven (the first that lets it through)")
      ->check(offer({"x", "y", "z"}));
  command.add_flag("--age", r.age, "Vessel: also the age of the fluid, and how long it stays until each outlet")
      ->needs(needs_from);
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
