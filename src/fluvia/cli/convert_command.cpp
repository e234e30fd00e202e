// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <system_error>

#include "fluvia/base/error.hpp"
#include "fluvia/base/quantity.hpp"
#include "fluvia/base/text.hpp"
#include "fluvia/cli/commands.hpp"
#include "fluvia/cli/options/case_options.hpp"
#include "fluvia/cli/options/image_options.hpp"
#include "fluvia/cli/terminal/console.hpp"
#include "fluvia/cli/terminal/result_file.hpp"
#include "fluvia/geometry/image/image_survey.hpp"
#include "fluvia/geometry/input_file.hpp"
#include "fluvia/geometry/mesh/surface_survey.hpp"
#include "fluvia/output/pictures/shape_picture.hpp"

namespace fluvia::cli {

namespace {

using geometry::ImageSurvey;
using geometry::SurfaceSurvey;
using nlohmann::json;

struct ConvertOptions {
  geometry::VoxelRequest request;
  std::filesystem::path target, picture;
  std::string voxel, json;
};

/// What is printed, a label and what belongs to it in each line.
class Lines {
 public:
  template <class... Arguments>
  void add(const char* label, fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::print("{:<12} {}\n", label, printable(fmt::format(format, std::forward<Arguments>(arguments)...)));
  }
};

std::string reader_of(const geometry::FileFormat& format) {
  return fmt::format("{}, read by {}", format.name, format.library);
}

std::string bar_of(double share, double largest) {
  constexpr double longest = 40;
  return std::string(static_cast<std::size_t>(std::lround(longest * share / largest)), '#');
}

void print_values(const ImageSurvey& survey, Lines& lines) {
  const geometry::LabelCounts& labels = survey.labels;
  if (labels.few()) {
    const char* label = "labels";
    for (const auto& [value, count] : labels.counts) {
      lines.add(label, "{:<8} {:.3g}%, {} voxels", format_real(value), 100 * labels.share(value), count);
      label = "";
    }
    return;
  }
  lines.add("values", "{} to {}, {}{} different", format_short(labels.least), format_short(labels.most),
            labels.more ? "more than " : "", labels.counts.size());
  double largest = 0;
  for (const auto& bin : survey.histogram) largest = std::max(largest, bin.share);
  for (const auto& bin : survey.histogram)
    fmt::print("  {:>10} to {:<10} {:>6.2f}% {}\n", format_short(bin.from), format_short(bin.to), 100 * bin.share,
               bar_of(bin.share, largest));
}

/// The edge of a voxel that is given, or that the header says.
std::optional<double> edge_of(const ConvertOptions& o, const ImageSurvey& survey) {
  if (o.voxel.empty()) return survey.header.voxel;
  return parse_quantity(o.voxel, QuantityKind::length, "--voxel");
}

json describe(const ImageSurvey& survey, std::optional<double> voxel) {
  const geometry::ImageHeader& header = survey.header;
  json labels = json::array(), histogram = json::array();
  if (survey.labels.few())
    for (const auto& [value, count] : survey.labels.counts)
      labels.push_back({{"value", value}, {"voxels", count}, {"share", survey.labels.share(value)}});
  for (const auto& bin : survey.histogram)
    histogram.push_back({{"from", bin.from}, {"to", bin.to}, {"share", bin.share}});
  return {{"kind", "image"},
          {"shape", header.shape},
          {"type", header.text ? "text" : header.type.name()},
          {"voxel_m", voxel ? json(*voxel) : json()},
          {"orientation", header.orientation.empty() ? json() : json(header.orientation)},
          {"least", survey.labels.least},
          {"most", survey.labels.most},
          {"labels", labels},
          {"histogram", histogram}};
}

json convert_image(const ConvertOptions& o, Figure* figure) {
  const ImageSurvey survey = geometry::survey_image(o.request);
  const geometry::ImageHeader& header = survey.header;
  const std::optional<double> voxel = edge_of(o, survey);
  Lines lines;
  lines.add("format", "{}", reader_of(*survey.format));
  lines.add("size", "{} x {} x {} {}", header.shape[0], header.shape[1], header.shape[2],
            header.shape[2] == 1 ? "pixels" : "voxels");
  lines.add("numbers", "{}{}", header.text ? "text" : header.type.name(),
            header.text || header.type.bytes == 1 ? ""
            : header.big_endian                   ? ", big-endian"
                                                  : ", little-endian");
  if (voxel)
    lines.add("voxel", "{}, so the image is {} x {} x {}", with_prefix(*voxel, "m"),
              with_prefix(*voxel * header.shape[0], "m"), with_prefix(*voxel * header.shape[1], "m"),
              with_prefix(*voxel * header.shape[2], "m"));
  else
    lines.add("voxel", "edge not known{}{}", header.why_no_voxel.empty() ? "" : ": ", header.why_no_voxel);
  lines.add("orientation", "{}{}", header.x_fastest ? "x fastest" : "z fastest",
            header.orientation.empty() ? ", as stored" : ", as stored, though " + header.orientation);
  print_values(survey, lines);
  if (figure != nullptr) *figure = image_figure(survey, voxel, o.request.file.filename().string());
  if (!o.target.empty()) {
    const std::string note = geometry::write_image(survey, voxel, o.target);
    fmt::print("wrote {}{}\n", o.target.string(), note.empty() ? "" : "; " + note);
  }
  json result = describe(survey, voxel);
  result["format"] = survey.format->name;
  result["library"] = survey.format->library;
  return result;
}

std::string point(const Real3& p) {
  return fmt::format("({}, {}, {})", format_short(p[0], 6), format_short(p[1], 6), format_short(p[2], 6));
}

void print_defects(const SurfaceSurvey& s, Lines& lines) {
  constexpr std::size_t most_shown = 8;
  const auto& loops = s.defects.loops;
  lines.add("holes", "{}", loops.size());
  for (std::size_t i = 0; i < std::min(loops.size(), most_shown); ++i)
    lines.add("", "area {}, at {}", format_short(loops[i].area), point(s.hole_places[i]));
  if (loops.size() > most_shown) lines.add("", "and {} more", loops.size() - most_shown);
  lines.add("defects", "{} edges of more than two triangles, {} doubled triangles, {} overlaps of bodies",
            s.defects.non_manifold_edges.size(), s.doubled, s.overlaps);
}

/// The unit of a surface, or what its size would be in units that are usual.
std::string unit_of(const SurfaceSurvey& s) {
  if (*s.format->unit != '\0') return s.format->unit;
  const Real3 extent = s.box.upper - s.box.lower;
  const double longest = *std::max_element(extent.begin(), extent.end());
  return fmt::format("the file does not say; it would be {} long in mm, {} in cm, {} in m",
                     with_prefix(longest * 1e-3, "m"), with_prefix(longest * 1e-2, "m"), with_prefix(longest, "m"));
}

json describe(const SurfaceSurvey& s) {
  json parts = json::array();
  for (const auto& part : s.parts)
    parts.push_back({{"name", part.name},
                     {"triangles", part.triangles.size()},
                     {"area", geometry::area_of_triangles(part.triangles)}});
  return {{"kind", "surface"},
          {"triangles", s.triangles},
          {"parts", parts},
          {"lower", s.box.lower},
          {"upper", s.box.upper},
          {"unit", *s.format->unit == '\0' ? json() : json(s.format->unit)},
          {"area", s.area},
          {"volume", s.closed > 0 ? json(s.volume) : json()},
          {"bodies", s.bodies},
          {"closed_bodies", s.closed},
          {"holes", s.defects.loops.size()},
          {"non_manifold_edges", s.defects.non_manifold_edges.size()},
          {"doubled_triangles", s.doubled},
          {"overlaps", s.overlaps}};
}

json convert_surface(const ConvertOptions& o, Figure* figure) {
  const SurfaceSurvey s = geometry::survey_surface(o.request.file);
  Lines lines;
  lines.add("format", "{}", reader_of(*s.format));
  lines.add("triangles", "{}", s.triangles);
  const char* label = "parts";
  constexpr std::size_t most_shown = 40;
  for (std::size_t k = 0; k < std::min(s.parts.size(), most_shown); ++k) {
    const geometry::SurfacePart& part = s.parts[k];
    lines.add(label, "{}: {} triangles, area {}", part.name.empty() ? "without a name" : '"' + part.name + '"',
              part.triangles.size(), format_short(geometry::area_of_triangles(part.triangles)));
    label = "";
  }
  if (s.parts.size() > most_shown) lines.add("", "and {} more", s.parts.size() - most_shown);
  const Real3 extent = s.box.upper - s.box.lower;
  lines.add("box", "{} to {}, size {} x {} x {}", point(s.box.lower), point(s.box.upper), format_short(extent[0]),
            format_short(extent[1]), format_short(extent[2]));
  lines.add("unit", "{}", unit_of(s));
  lines.add("area", "{}", format_short(s.area));
  lines.add("bodies", "{}, of which {} closed", s.bodies, s.closed);
  if (s.closed > 0)
    lines.add("volume", "{}{}", format_short(s.volume), s.overlaps > 0 ? ", overlaps of bodies counted twice" : "");
  else
    lines.add("volume", "none: no body is closed");
  print_defects(s, lines);
  if (figure != nullptr) *figure = surface_figure(s, o.request.file.filename().string());
  if (!o.target.empty()) {
    if (geometry::extension_of(o.target) != ".stl" || o.target.extension() == ".gz")
      throw Error(ExitCode::usage,
                  fmt::format("convert: '{}' is no name of a surface to write: .stl", o.target.string()));
    geometry::TriangleSoup all;
    for (const auto& part : s.parts) all.insert(all.end(), part.triangles.begin(), part.triangles.end());
    geometry::write_stl(o.target, all);
    fmt::print("wrote {}{}\n", o.target.string(),
               s.parts.size() > 1 ? "; all parts are one, since a binary STL has no names" : "");
  }
  json result = describe(s);
  result["format"] = s.format->name;
  result["library"] = s.format->library;
  return result;
}

/// Refuses to write over what is read, and pictures of other formats than PNG.
void check_targets(const ConvertOptions& o) {
  std::error_code unknown;
  for (const auto& target : {o.target, o.picture, std::filesystem::path(o.json)})
    if (!target.empty() && std::filesystem::equivalent(target, o.request.file, unknown))
      throw Error(ExitCode::usage,
                  fmt::format("convert: '{}' is what is read; name another file to write", target.string()));
  if (!o.picture.empty() && geometry::extension_of(o.picture) != ".png")
    throw Error(ExitCode::usage, fmt::format("--picture: '{}' is to be a PNG; call it .png", o.picture.string()));
}

void convert(const ConvertOptions& o) {
  const ResultFile result(o.json);
  check_targets(o);
  const std::filesystem::path& file = o.request.file;
  const bool surface = geometry::is_surface_file(file);
  if (!surface && !geometry::is_voxel_image(file) && !geometry::is_mask(file) && o.request.shape.empty())
    throw Error(
        ExitCode::usage,
        fmt::format("convert: '{}' is no surface ({}), no image of voxels ({}) and no mask ({}); a raw image of "
                    "any name needs --shape NX NY NZ",
                    file.string(), geometry::surface_extensions(), geometry::image_extensions(),
                    geometry::mask_extensions()));
  Figure figure;
  Figure* const wanted = o.picture.empty() ? nullptr : &figure;
  json facts = surface ? convert_surface(o, wanted) : convert_image(o, wanted);
  facts["file"] = file.string();
  if (wanted != nullptr) {
    if (const std::string warning = missing_fonts(); !warning.empty()) say("warning: " + warning + "\n");
    draw_figure(figure, PictureFormat::png).write(o.picture);
    fmt::print("wrote {}\n", o.picture.string());
  }
  // Names may come from files in any encoding.
  result.write(facts.dump(2, ' ', false, json::error_handler_t::replace) + "\n");
}

}  // namespace

void add_convert_command(CLI::App& app) {
  auto o = std::make_shared<ConvertOptions>();
  CLI::App* command =
      app.add_subcommand("convert", "Show what an image or a surface is, and write it in another format");
  command
      ->add_option("IN", o->request.file,
                   "Image of voxels (" + geometry::image_extensions() + ", folder of slices), mask (" +
                       geometry::mask_extensions() + ") or surface (" + geometry::surface_extensions() + ")")
      ->type_name("FILE")
      ->required();
  command
      ->add_option("OUT", o->target,
                   "File to write: an image as " + geometry::written_image_extensions() + ", a surface as .stl")
      ->type_name("FILE");
  command->add_option("--picture", o->picture, "Draw the middle layer of an image, or a surface from above, as PNG")
      ->type_name("FILE")
      ->check(not_empty());
  command->add_option("--voxel", o->voxel, "Edge of a voxel with its unit, such as 5um (default: as the header says)");
  add_raw_options(*command, o->request);
  command->add_option("--json", o->json, "Also write everything as JSON; - is standard output")->type_name("FILE");
  command->callback([o] { convert(*o); });
}

}  // namespace fluvia::cli
