// SPDX-License-Identifier: Apache-2.0
#include "fluvia/draft/image.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>

#include "fluvia/base/error.hpp"
#include "fluvia/base/text.hpp"
#include "fluvia/draft/choices.hpp"
#include "fluvia/geometry/geometry.hpp"
#include "fluvia/geometry/image/files/image_file.hpp"
#include "fluvia/geometry/image/labels.hpp"
#include "fluvia/geometry/image/mask.hpp"
#include "fluvia/geometry/input_file.hpp"
#include "fluvia/geometry/map/components.hpp"

namespace fluvia::draft {

namespace {

constexpr double usual_image_nodes = 8e6;
constexpr double creeping = 0.01;  ///< Reynolds number that a draft aims at
constexpr double tau = 1.0, magic = 0.125;
constexpr double compression = 1e-3;  ///< largest relative change of the density by the pressure
constexpr int most_refine = 4;
constexpr double enough_across = 8;  ///< nodes across the mean pore, from which on no refinement is proposed

/// The pores of an image that go through it.
struct Pores {
  Bool3 percolates{};
  std::array<double, 3> nodes{};  ///< [axis], voxels of the fluid that percolates along it
  double fluid = 0;               ///< voxels
  std::array<double, 3> width{};  ///< [axis], 4 volume / wall area of the fluid that percolates along it, voxels
};

Pores find_pores(const Case& c) {
  const Grid grid = make_grid(c);
  const Geometry geometry = build_geometry(c, grid);
  const NodeMap& nodes = geometry.nodes;
  const geometry::Components components(nodes);
  const auto for_each_node = [&](const auto& visit) {
    for (std::size_t t = 0; t < nodes.tiles.size(); ++t)
      for (std::uint64_t rest = nodes.tiles[t].mask; rest != 0; rest &= rest - 1) {
        const int bit = std::countr_zero(rest);
        visit(components.of(t, bit), nodes.node_position(nodes.tiles[t], bit));
      }
  };
  std::vector<std::array<bool, 6>> touches(components.count());
  std::vector<std::uint64_t> wall(components.count(), 0);
  for_each_node([&](std::uint32_t part, const Int3& node) {
    for (int axis = 0; axis < nodes.dimension; ++axis)
      for (const int side : {0, 1}) {
        Int3 next = node;
        next[axis] += side == 0 ? -1 : 1;
        const bool at_face = next[axis] < 0 || next[axis] >= nodes.size[axis];
        if (at_face) touches[part][static_cast<std::size_t>(2 * axis + side)] = true;
        if (!at_face && !nodes.is_fluid(next)) ++wall[part];
      }
  });
  Pores pores;
  pores.fluid = static_cast<double>(nodes.fluid_nodes);
  for (int axis = 0; axis < nodes.dimension; ++axis) {
    std::uint64_t volume = 0, area = 0;
    for (std::uint32_t part = 0; part < components.count(); ++part) {
      const auto& faces = touches[part];
      if (!faces[static_cast<std::size_t>(2 * axis)] || !faces[static_cast<std::size_t>(2 * axis + 1)]) continue;
      volume += components.size(part);
      area += wall[part];
    }
    pores.percolates[axis] = volume > 0;
    pores.nodes[axis] = static_cast<double>(volume);
    const double longest = *std::max_element(nodes.size.begin(), nodes.size.end());
    pores.width[axis] = area > 0 ? 4.0 * static_cast<double>(volume) / static_cast<double>(area) : longest;
  }
  return pores;
}

/// The pores of an image; none where there is no fluid. A variable that keeps its value when the call throws would not
/// do: GCC 12 lets the call write into it and drops what it was set to before.
std::optional<Pores> find_any_pores(const Case& c) {
  try {
    return find_pores(c);
  } catch (const Error& error) {
    if (error.code() != ExitCode::input) throw;
    return std::nullopt;
  }
}

/// What the drafts of raw images and of masks have in common.
struct Image {
  Case c;       ///< case in lattice units, one node for each voxel, to look at the pores
  Int3 size{};  ///< voxels that are used, along each axis
  std::optional<Int3> crop;
  Pores pores;
  int axis = 0, refine = 1;
};

template <class Part>
void set_crop(Part& part, const Int3& from, const Int3& size) {
  part.crop_from = from;
  part.crop_size = size;
}

void set_crop(Case& c, const Int3& from, const Int3& size) {
  if (c.geometry.voxels)
    set_crop(*c.geometry.voxels, from, size);
  else
    set_crop(*c.geometry.mask, from, size);
}

/// How unlike the whole image a part is, from its fraction of fluid: from 0, alike, to 1; a part without fluid, or
/// without a way through, is unlike.
double difference(const Image& whole, const Pores& part, const Int3& size) {
  const auto share = [](const Pores& pores, const Int3& box) { return pores.fluid / (1.0 * box[0] * box[1] * box[2]); };
  const Bool3& p = part.percolates;
  if (!(p[0] || p[1] || p[2])) return 1e300;
  return std::abs(std::log2(share(part, size) / share(whole.pores, whole.size)));
}

/// Takes a part with the number of nodes that is asked for, if the whole has more: from the middle, or from elsewhere
/// if the middle is unlike the rest.
void crop(Image& image, double most) {
  const int dimension = image.c.domain.dimension;
  const double fluid = *std::max_element(image.pores.nodes.begin(), image.pores.nodes.end());
  if (2 * fluid <= most) return;
  const double scale = std::pow(most / (2 * fluid), 1.0 / dimension);
  Int3 size = image.size;
  for (int axis = 0; axis < dimension; ++axis) size[axis] = std::max(1, static_cast<int>(image.size[axis] * scale));
  double best = 1e301;
  Int3 chosen{};
  Pores pores;
  for (int place = 0; place < (dimension == 3 ? 27 : 9) && best > 1; ++place) {
    // A number stands for the middle, the start or the end along each axis.
    Int3 from{};
    for (int axis = 0, rest = place; axis < dimension; ++axis, rest /= 3)
      from[axis] = (image.size[axis] - size[axis]) * std::array{1, 0, 2}[static_cast<std::size_t>(rest % 3)] / 2;
    Case part = image.c;
    set_crop(part, from, size);
    const std::optional<Pores> found = find_any_pores(part);
    if (!found) continue;
    const double unlike = difference(image, *found, size);
    if (unlike >= best) continue;
    best = unlike;
    chosen = from;
    pores = *found;
  }
  set_crop(image.c, chosen, size);
  image.size = size;
  image.crop = chosen;
  image.pores = pores;
}

void choose_axis(const DraftRequest& request, Image& image) {
  const std::string file = request.files.front().string();
  const Bool3& p = image.pores.percolates;
  std::string possible;
  for (int axis = 0; axis < 3; ++axis)
    if (p[axis]) possible += (possible.empty() ? "" : ", ") + std::string(1, "xyz"[axis]);
  if (possible.empty())
    throw_input(fmt::format(
        "{}: no fluid reaches from one side of the image{} to the opposite one along any axis, so nothing can flow "
        "through it; {}",
        file, image.crop ? ", or of any part that was tried," : "",
        image.crop ? "give a larger --most-nodes"
        : image.c.geometry.mask
            ? "if the dark pixels are the fluid, give --dark; if a margin of solid surrounds the pores, cut it off"
            : "if other voxels are the fluid, give --labels, or --below and --above"));
  if (request.axis.empty()) {
    for (int axis = 2; axis >= 0; --axis)
      if (p[axis]) image.axis = axis;
    return;
  }
  const std::size_t wanted = request.axis.size() == 1 ? std::string("xyz").find(request.axis) : std::string::npos;
  if (wanted >= static_cast<std::size_t>(image.c.domain.dimension))
    throw Error(ExitCode::usage, "--axis: '" + shorten(request.axis) + "' is not an axis of this image");
  if (!p[wanted])
    throw_input(fmt::format("--axis {}: {}: no fluid reaches through the image along it (it does along {})",
                            request.axis, file, possible));
  image.axis = static_cast<int>(wanted);
}

void choose_refine(const DraftRequest& request, Image& image) {
  const double most = request.most_nodes.value_or(usual_image_nodes) / 4;
  const double nodes = 2 * image.pores.nodes[static_cast<std::size_t>(image.axis)];
  const double width = image.pores.width[static_cast<std::size_t>(image.axis)];
  while (image.refine < most_refine && image.refine * width < enough_across &&
         nodes * std::pow(image.refine + 1, image.c.domain.dimension) <= most)
    ++image.refine;
}

/// Writes the sections that do not depend on the kind of image.
Draft write(const DraftRequest& request, const Image& image, const std::string& section,
            const std::function<void(CaseText&)>& keys) {
  const Medium medium = medium_of(request, "water");
  const int dimension = image.c.domain.dimension;
  const auto axis = static_cast<std::size_t>(image.axis);
  const std::string name(1, "xyz"[axis]), file = shorten(request.files.front().filename().string());
  const double spacing = rounded(*request.voxel / image.refine, 12), width = image.pores.width[axis] * image.refine;
  const double viscosity = (tau - 0.5) / 3, seconds = viscosity * spacing * spacing / medium.viscosity;
  // The speed is that of a round pipe of the mean pore's width at this Reynolds number, and low enough for the
  // pressure.
  // the pressure.
  const double length = 2.0 * image.size[axis] * image.refine;
  const double pull =
      std::min(creeping * 32 * viscosity * viscosity / (width * width * width), compression / (3 * length));
  const double nodes = 2 * image.pores.nodes[axis] * std::pow(image.refine, dimension);
  const double speed = pull * width * width / (32 * viscosity) * spacing / seconds;

  Draft draft;
  draft.name = plain_stem(request.files.front());
  CaseText text("Creeping flow through " + title_words(request.files.front()) + " along " + name);
  text.comment(fmt::format(
      "Made from {} by `fluvia new --from`. A force drives {} along {} through the pores that reach from one side to "
      "the "
      "other, {:.3g}% of all; their mean width is {} nodes. The image is followed by its mirror image, so that it may "
      "repeat without a jump; the sides are closed. The permeability is a column of monitors.csv.",
      file, medium.name, name, 100 * image.pores.nodes[axis] / image.pores.fluid, format_short(width, 3)));
  text.comment(
      fmt::format("{} fluid nodes, which take about {}. `fluvia permeability` does all axes and estimates the "
                  "error of the grid.",
                  show_count(nodes), show_memory(nodes * (dimension == 2 ? 60 : 100))));
  if (image.crop)
    text.comment(fmt::format(
        "Only a part of the image, {} x {} x {} voxels, is used; all of it would be more than "
        "{} nodes (--most-nodes).",
        image.size[0], image.size[1], image.size[2], show_count(request.most_nodes.value_or(usual_image_nodes))));
  text.section("[units]")
      .key("system", "si")
      .key("spacing", spacing,
           fmt::format("m: {} node{} along the edge of a voxel", image.refine, image.refine == 1 ? "" : "s"))
      .key("density", medium.density, medium.name)
      .key("viscosity", medium.viscosity, "kinematic, m2/s")
      .key("tau", tau, fmt::format("slow flow: a step is {} s", format_short(seconds, 3)))
      .key("reference_velocity", rounded(speed, 2), "m/s, roughly expected in the pores")
      .key("reference_length", rounded(width * spacing, 3),
           fmt::format("m, mean width of the pores: Re = {}",
                       format_short(speed * width * spacing / medium.viscosity, 2)));
  text.section("[domain]");
  if (dimension == 2) text.key("dimension", 2);
  std::vector<bool> along(static_cast<std::size_t>(dimension), false);
  along[axis] = true;
  text.key("periodic", along);
  text.section("[geometry]").key("percolating_axis", name, "only what goes through the image carries flow");
  text.section(section);
  text.key("file", file_in_case(request.files.front(), request.folder), "relative to this case");
  keys(text);
  if (image.crop) {
    std::vector<int> from((*image.crop).begin(), (*image.crop).begin() + dimension);
    std::vector<int> size(image.size.begin(), image.size.begin() + dimension);
    text.key("crop_from", from).key("crop_size", size);
  }
  text.key("refine", image.refine, "nodes along the edge of a voxel; the spacing follows it");
  text.key("mirror", along, "the box is twice as long");
  Real3 force{};
  force[axis] = rounded_down(pull * spacing / (seconds * seconds), 3);
  text.section("[physics]")
      .key("acceleration", force,
           fmt::format("m/s2: as a pressure drop of {} Pa over the image",
                       format_short(medium.density * force[axis] * length / 2 * spacing, 3)));
  text.section("[numerics]").key("collision", "trt").key("magic", magic, "an exact flux between plane walls");
  text.section("[run]").key("steps", 50000);
  text.section("[run.steady]")
      .key("quantity", "permeability", "ends the run, mostly much earlier")
      .key("tolerance", 1e-4);
  text.key("window", 500);
  text.section("[monitor]").key("every", 20).key("permeability_axis", name);
  text.section("[output]").key("fields", std::vector<std::string>{"pressure", "velocity"});
  for (const char* field : {"velocity", "pressure"}) text.slice(field, dimension == 2 || axis != 2 ? 2 : 1);
  draft.text = text.text();
  return draft;
}

/// Sizes, as text, that an image of so many voxels may have: a cube, or numbers in the file's name.
std::string guess_shape(const std::filesystem::path& file, std::uint64_t voxels) {
  const auto edge = static_cast<std::uint64_t>(std::llround(std::cbrt(static_cast<double>(voxels))));
  if (edge * edge * edge == voxels) return fmt::format("--shape {0} {0} {0} would fit", edge);
  std::vector<std::uint64_t> numbers;
  const std::string name = file.filename().string();
  for (std::size_t i = 0; i < name.size();) {
    std::size_t end = i;
    while (end < name.size() && name[end] >= '0' && name[end] <= '9' && end - i < 7) ++end;
    if (end > i) numbers.push_back(std::stoull(name.substr(i, end - i)));
    i = std::max(end, i + 1);
  }
  for (std::size_t i = 0; i + 2 < numbers.size(); ++i)
    if (numbers[i] * numbers[i + 1] * numbers[i + 2] == voxels)
      return fmt::format("--shape {} {} {} would fit, as in its name", numbers[i], numbers[i + 1], numbers[i + 2]);
  return "for example --shape 256 256 256";
}

/// Bytes of content of a raw image, counted to its end.
std::uint64_t count_bytes(const std::filesystem::path& path) {
  geometry::InputFile file(path);
  std::uint64_t bytes = 0;
  std::vector<unsigned char> buffer(1 << 20);
  while (const std::size_t n = file.read(buffer.data(), buffer.size())) bytes += n;
  return bytes;
}

/// Throws unless --shape says how the voxels of a raw image lie.
void check_shape(const geometry::VoxelRequest& request) {
  geometry::VoxelRequest any = request;
  any.shape = {1, 1, 1};
  const geometry::ImageHeader header = geometry::voxel_header(geometry::requested_voxels(any), {});
  if (header.text) return;  // whose numbers its reader counts
  const std::string file = request.file.string();
  const int bits = 8 * header.type.bytes;
  const std::uint64_t voxels = count_bytes(request.file) / static_cast<std::uint64_t>(header.type.bytes);
  if (request.shape.size() != 3)
    throw Error(
        ExitCode::usage,
        fmt::format("--shape is missing: {} holds {} voxels of {} bits and does not say how many lie along x, y, z; {}",
                    file, voxels, bits, guess_shape(request.file, voxels)));
  double wanted = 1;
  for (const int n : request.shape) wanted *= n;
  if (wanted != static_cast<double>(voxels) && wanted > 0)
    throw Error(ExitCode::usage, fmt::format("--shape {} {} {}: is {:.0f} voxels, but {} holds {} of {} bits; {}",
                                             request.shape[0], request.shape[1], request.shape[2], wanted, file, voxels,
                                             bits, guess_shape(request.file, voxels)));
}

/// Writes what a case has to say of an image without a header.
void write_raw_keys(CaseText& text, const Case::Voxels& v) {
  const Case::Voxels defaults;
  text.key("shape", v.shape);
  if (v.type != defaults.type)
    text.key("type", v.type);
  else if (!geometry::is_text_image(v.file))
    text.key("bits", v.bits);
  if (v.endian != defaults.endian) text.key("endian", v.endian);
  if (v.order != defaults.order) text.key("order", v.order);
}

}  // namespace

Draft draft_voxels(const DraftRequest& asked) {
  DraftRequest request = asked;
  const std::filesystem::path& file = request.files.front();
  request.voxels.file = file;
  const bool raw = geometry::image_format(file) == nullptr;
  if (raw && !request.voxel) geometry::voxel_edge({}, {});  // says first what every raw image lacks
  if (raw) check_shape(request.voxels);
  Image image;
  Case& c = image.c;
  c.units.tau = tau;
  Case::Voxels v = geometry::requested_voxels(request.voxels);
  const geometry::VoxelEdge edge = geometry::voxel_edge(geometry::voxel_header(v, {}), request.voxel);
  request.voxel = edge.metres;
  v = geometry::described(v, {});
  c.geometry.voxels = v;
  image.size = v.shape;
  if (v.shape[2] == 1) c.domain.dimension = 2;
  make_grid(c);  // refuses shapes that cannot be
  const geometry::LabelCounts labels = geometry::judge_voxels(request.voxels).labels;
  image.pores = find_pores(c);
  crop(image, request.most_nodes.value_or(usual_image_nodes));
  choose_axis(request, image);
  choose_refine(request, image);
  Draft draft = write(request, image, "[geometry.voxels]", [&](CaseText& text) {
    if (raw) write_raw_keys(text, v);
    if (v.fluid_labels) text.key("fluid_labels", *v.fluid_labels, "values of the pores' voxels");
    if (v.fluid_below) text.key("fluid_below", *v.fluid_below);
    if (v.fluid_above) text.key("fluid_above", *v.fluid_above);
  });
  draft.notes.push_back(labels.line(v));
  if (!edge.note.empty()) draft.notes.push_back(edge.note);
  return draft;
}

Draft draft_mask(const DraftRequest& request) {
  if (!request.voxel) geometry::voxel_edge({}, {});  // a mask does not say it
  Image image;
  Case& c = image.c;
  c.units.tau = tau;
  c.domain.dimension = 2;
  Case::Mask mask;
  mask.file = std::filesystem::absolute(request.files.front());
  mask.white_is_fluid = !request.dark;
  c.geometry.mask = mask;
  const auto [width, height] = geometry::read_image_size(request.files.front());
  image.size = {width, height, 1};
  image.pores = find_pores(c);
  crop(image, request.most_nodes.value_or(usual_image_nodes));
  choose_axis(request, image);
  choose_refine(request, image);
  return write(request, image, "[geometry.mask]",
               [&](CaseText& text) { text.key("white_is_fluid", mask.white_is_fluid); });
}

}  // namespace fluvia::draft
