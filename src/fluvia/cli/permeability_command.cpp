// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <memory>
#include <optional>

#include "fluvia/base/atomic_file.hpp"
#include "fluvia/base/error.hpp"
#include "fluvia/base/quantity.hpp"
#include "fluvia/case/names.hpp"
#include "fluvia/cli/commands.hpp"
#include "fluvia/cli/options/case_options.hpp"
#include "fluvia/cli/options/image_options.hpp"
#include "fluvia/cli/terminal/console.hpp"
#include "fluvia/cli/terminal/interruption.hpp"
#include "fluvia/cli/terminal/result_file.hpp"
#include "fluvia/geometry/image/files/image_file.hpp"
#include "fluvia/output/pictures/slice_picture.hpp"
#include "fluvia/permeability/report.hpp"
#include "fluvia/run/files/run_folder.hpp"

namespace fluvia::cli {

namespace {

struct PermeabilityOptions {
  std::filesystem::path file, json, output;
  geometry::VoxelRequest voxels;  ///< all but the file
  std::vector<int> crop;
  std::string refine = "auto", voxel;
  std::vector<std::string> axes;
  PermeabilitySettings settings;
};

[[noreturn]] void fail_usage(const std::string& message) {
  throw Error(ExitCode::usage, "permeability: " + message);
}

/// True for masks, false for images of voxels.
bool is_mask(const std::filesystem::path& file) {
  if (geometry::is_voxel_image(file)) return false;
  if (geometry::is_mask(file)) return true;
  fail_usage(fmt::format("'{}' is no image of voxels ({}) and no mask ({})", file.string(),
                         geometry::image_extensions(), geometry::mask_extensions()));
}

/// Reads --crop X Y [Z] NX NY [NZ].
template <class Image>
void set_crop(const PermeabilityOptions& o, std::size_t axes, Image& image) {
  if (o.crop.empty()) return;
  if (o.crop.size() != 2 * axes)
    fail_usage(fmt::format("--crop has {} numbers, expected {}: the first voxel, then how many, along each axis",
                           o.crop.size(), 2 * axes));
  Int3 from{0, 0, 0}, size{1, 1, 1};
  for (std::size_t axis = 0; axis < axes; ++axis) {
    from[axis] = o.crop[axis];
    size[axis] = o.crop[axes + axis];
  }
  image.crop_from = from;
  image.crop_size = size;
}

/// Sets the edge of a voxel to what --voxel says, or else the header.
void set_voxel_edge(PermeabilityOptions& o, const geometry::ImageHeader& header) {
  std::optional<double> given;
  if (!o.voxel.empty()) given = parse_quantity(o.voxel, QuantityKind::length, "--voxel");
  const geometry::VoxelEdge edge = geometry::voxel_edge(header, given);
  o.settings.voxel = edge.metres;
  if (!edge.note.empty()) say(edge.note + "\n");
}

/// Takes the image, prints the shares of its labels and refuses to guess which of them are pores.
void set_voxels(PermeabilityOptions& o, Case& c) {
  o.voxels.file = o.file;
  set_voxel_edge(o, geometry::voxel_header(geometry::requested_voxels(o.voxels), {}));
  auto [voxels, labels] = geometry::judge_voxels(o.voxels);
  fmt::print("{}\n", labels.line(voxels));
  std::fflush(stdout);  // before the first line of progress, where both go to one file
  c.domain.dimension = voxels.shape[2] == 1 ? 2 : 3;
  set_crop(o, static_cast<std::size_t>(c.domain.dimension), voxels);
  c.geometry.voxels = voxels;
}

void set_mask(PermeabilityOptions& o, Case& c) {
  if (!o.voxels.shape.empty()) fail_usage("--shape is for images of voxels; a mask knows its own");
  if (!o.voxels.labels.empty()) fail_usage("--labels is for images of voxels; of a mask give --below or --above");
  set_voxel_edge(o, {});
  if (o.voxels.below && o.voxels.above) fail_usage("of a mask give --below or --above, not both");
  Case::Mask mask;
  mask.file = std::filesystem::absolute(o.file);
  if (o.voxels.below) {
    mask.white_is_fluid = false;
    mask.threshold = static_cast<int>(std::ceil(*o.voxels.below));
  }
  if (o.voxels.above) mask.threshold = static_cast<int>(std::floor(*o.voxels.above)) + 1;
  c.domain.dimension = 2;
  set_crop(o, 2, mask);
  c.geometry.mask = mask;
}

int parse_refine(const std::string& text) {
  if (text == "auto") return 0;
  int value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end || value < 1 || value > 64)
    fail_usage("--refine: '" + text + "' is neither auto nor a number of nodes from 1 to 64");
  return value;
}

/// The folder of --output: a picture of the speed in the finest flow along each axis, and all numbers as JSON, which
/// `fluvia report` makes a page of.
class ResultFolder {
 public:
  explicit ResultFolder(const PermeabilityOptions& o)
      : folder_(o.output), lock_(o.output, "permeability of " + o.file.string()) {
    lock_.remove_unfinished();
    const auto old = lock_.set_aside();
    if (!old.empty()) say(fmt::format("files of a run in '{}' are now in '{}'\n", folder_.string(), old.string()));
  }
  void draw(const PermeabilityState& flow) const {
    Case::Output::Slice slice;
    slice.axis = flow.grid.dimension == 3 && flow.axis == 2 ? 1 : 2;
    write_slice({flow.state, flow.units, flow.grid}, slice,
                folder_ / fmt::format("along-{}", names::axes[axis_of(flow)]),
                fmt::format("Flow along {}", names::axes[axis_of(flow)]));
  }
  void write(const std::string& json) const { write_file(folder_ / "permeability.json", json); }

 private:
  static std::size_t axis_of(const PermeabilityState& flow) { return static_cast<std::size_t>(flow.axis); }
  std::filesystem::path folder_;
  RunFolder lock_;
};

int run(PermeabilityOptions o) {
  const ResultFile json(o.json);
  PermeabilitySettings& s = o.settings;
  is_mask(o.file) ? set_mask(o, s.image) : set_voxels(o, s.image);
  s.refine = parse_refine(o.refine);
  s.largest_refine = std::max(s.largest_refine, 1);
  for (int axis = 0; axis < 3; ++axis) {
    const std::string& name = names::axes[static_cast<std::size_t>(axis)];
    const bool asked = std::find(o.axes.begin(), o.axes.end(), name) != o.axes.end();
    if (asked || (o.axes.empty() && axis < s.image.domain.dimension)) s.axes.push_back(axis);
  }
  s.on_message = [](const std::string& text) { say(text + "\n"); };
  s.interrupted = [flag = catch_interruptions()] { return flag->load(); };
  std::optional<ResultFolder> folder;
  if (!o.output.empty()) folder.emplace(o);
  if (folder) s.on_flow = [&folder](const PermeabilityState& flow) { folder->draw(flow); };
  const std::vector<AxisPermeability> results = measure_permeability(s);
  fmt::print("ends {}, sides {}, voxel {:.6g} m\n", s.ends, s.sides, s.voxel);
  for (const AxisPermeability& result : results) fmt::print("{}", permeability_text(s, result));
  fmt::print("{}", principal_text(s, results));
  const std::string numbers =
      permeability_json(s, results).dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  json.write(numbers);
  if (folder) folder->write(numbers);
  if (!s.interrupted()) return static_cast<int>(ExitCode::success);
  say("interrupted: what there is so far is above\n");
  return static_cast<int>(ExitCode::interrupted);
}

void add_image_options(CLI::App& command, PermeabilityOptions& o) {
  add_raw_options(command, o.voxels);
  add_fluid_options(command, o.voxels);
  command.add_option("--crop", o.crop, "Part of the image: first voxel X Y Z, then voxels NX NY NZ (2D: X Y NX NY)")
      ->expected(4, 6);
}

void add_numerics_options(CLI::App& command, PermeabilitySettings& s) {
  command.add_option("--tau", s.tau, "Relaxation time; the result does not depend on it")
      ->check(CLI::Range(0.501, 10.0))
      ->capture_default_str();
  command.add_option("--magic", s.magic, "Magic parameter of TRT; 1/8 makes the flux of plane channels exact")
      ->check(CLI::Range(1e-3, 10.0))
      ->capture_default_str();
  command.add_option("--max-steps", s.largest_steps, "Of each flow")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1'000'000'000'000}))
      ->capture_default_str();
  command.add_option("--lattice", s.image.numerics.lattice, "Lattice")->check(CLI::IsMember(names::lattices));
  command.add_option("--format", s.image.numerics.format, "fp32 or fp64")
      ->check(CLI::IsMember(format_names(false)))
      ->capture_default_str();
  command.add_option("--device", s.image.numerics.device, "auto, cpu or cuda")
      ->check(CLI::IsMember(names::devices))
      ->capture_default_str();
  command.add_option("--threads", s.image.numerics.threads, "CPU threads (default: OMP_NUM_THREADS, else all cores)")
      ->check(CLI::Range(1, 4096));
  command.add_option("--memory-limit", s.image.numerics.memory_limit, "Memory of the device that a flow may take")
      ->type_name("MIB")
      ->check(CLI::Range(0.01, 1e9));
}

}  // namespace

void add_permeability_command(CLI::App& app, int& exit_code) {
  auto o = std::make_shared<PermeabilityOptions>();
  CLI::App* command = app.add_subcommand("permeability", "Find the permeability of a voxel image or mask");
  command
      ->add_option("IMAGE", o->file,
                   "Image of voxels (" + geometry::image_extensions() + ", folder of slices) or mask (.png, .pgm)")
      ->required()
      ->type_name("FILE");
  command->add_option("--voxel", o->voxel, "Edge of a voxel with its unit, such as 5um (default: as the header says)");
  add_image_options(*command, *o);
  command->add_option("--axis", o->axes, "Along which the flow is driven (default: all)")
      ->check(CLI::IsMember(names::axes));
  command->add_option("--ends", o->settings.ends, "Along the flow: mirrored or periodic")
      ->check(CLI::IsMember({"mirrored", "periodic"}))
      ->capture_default_str();
  command->add_option("--sides", o->settings.sides, "Across it: closed, mirrored or periodic")
      ->check(CLI::IsMember({"closed", "mirrored", "periodic"}))
      ->capture_default_str();
  command->add_option("--refine", o->refine, "Nodes along the edge of a voxel, or auto")->capture_default_str();
  command->add_option("--max-refine", o->settings.largest_refine, "Where auto ends")
      ->check(CLI::Range(1, 64))
      ->capture_default_str();
  command->add_option("--tolerance", o->settings.tolerance, "Relative error that auto aims at")
      ->check(CLI::Range(1e-4, 1.0))
      ->capture_default_str();
  command->add_option("--json", o->json, "Also write everything as JSON; - is standard output")->type_name("FILE");
  command
      ->add_option("--output", o->output,
                   "Folder for a picture of each flow and permeability.json, of which 'fluvia report' makes a page")
      ->type_name("FOLDER")
      ->check(not_empty());
  add_numerics_options(*command, o->settings);
  command->callback([o, &exit_code] { exit_code = run(*o); });
}

}  // namespace fluvia::cli
