// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <png.h>

#include <algorithm>
#include <array>

#include "fluvia/base/atomic_file.hpp"
#include "fluvia/base/error.hpp"
#include "fluvia/base/text.hpp"
#include "fluvia/geometry/image/image_survey.hpp"
#include "fluvia/geometry/input_file.hpp"

namespace fluvia::geometry {
namespace {

using Target = std::filesystem::path;

/// Writes all voxels behind a header.
void write_voxels(OrderedLayers& layers, int count, const Target& target, const std::string& header) {
  AtomicFile file(target);
  file.write(header);
  for (int z = 0; z < count; ++z) file.write(std::as_bytes(std::span(layers.next())));
  file.commit();
}

std::string write_raw(const ImageSurvey& survey, std::optional<double> voxel, const Target& target) {
  OrderedLayers layers(survey);
  const Int3& n = survey.header.shape;
  write_voxels(layers, n[2], target, "");
  return fmt::format("read it with: --shape {} {} {} --type {}{}", n[0], n[1], n[2], layers.type().name(),
                     voxel ? fmt::format(" --voxel {}um", format_real(*voxel * 1e6)) : "");
}

std::string write_nrrd(const ImageSurvey& survey, std::optional<double> voxel, const Target& target) {
  OrderedLayers layers(survey);
  const Int3& n = survey.header.shape;
  const bool flat = n[2] == 1;
  std::string name = layers.type().name();
  if (layers.type().real()) name = layers.type().bytes == 4 ? "float" : "double";
  std::string header = fmt::format("NRRD0004\ntype: {}\ndimension: {}\nsizes: {} {}{}\n", name, flat ? 2 : 3, n[0],
                                   n[1], flat ? "" : fmt::format(" {}", n[2]));
  if (voxel) {
    const std::string edge = format_real(*voxel * 1e6);
    header += flat ? fmt::format("spacings: {0} {0}\nunits: \"um\" \"um\"\n", edge)
                   : fmt::format("spacings: {0} {0} {0}\nunits: \"um\" \"um\" \"um\"\n", edge);
  }
  write_voxels(layers, n[2], target, header + "endian: little\nencoding: raw\n\n");
  return voxel ? "" : "it does not say how large a voxel is: --voxel";
}

std::string write_npy(const ImageSurvey& survey, std::optional<double> voxel, const Target& target) {
  OrderedLayers layers(survey);
  const Int3& n = survey.header.shape;
  using Kind = ElementType::Kind;
  const ElementType& type = layers.type();
  const char kind = type.kind == Kind::whole ? 'u' : type.kind == Kind::real ? 'f' : 'i';
  const std::string shape =
      n[2] == 1 ? fmt::format("({}, {})", n[1], n[0]) : fmt::format("({}, {}, {})", n[2], n[1], n[0]);
  std::string text = fmt::format("{{'descr': '{}{}{}', 'fortran_order': False, 'shape': {}, }}",
                                 type.bytes == 1 ? '|' : '<', kind, type.bytes, shape);
  constexpr std::size_t before = 10, aligned = 64;
  while ((before + text.size() + 1) % aligned != 0) text += ' ';
  text += '\n';
  std::string header("\x93NUMPY\x01\x00", 8);
  header += static_cast<char>(text.size() & 255);
  header += static_cast<char>(text.size() >> 8);
  write_voxels(layers, n[2], target, header + text);
  return voxel ? fmt::format("it does not say how large a voxel is: --voxel {}um", format_real(*voxel * 1e6)) : "";
}

std::string write_png(const ImageSurvey& survey, std::optional<double>, const Target& target) {
  OrderedLayers layers(survey);
  const ElementType& type = layers.type();
  const Int3& n = survey.header.shape;
  if (n[2] != 1)
    throw_input(
        fmt::format("{}: a PNG is flat, but the image has {} layers; write .nrrd, or draw its middle one with "
                    "--picture",
                    target.string(), n[2]));
  const LabelCounts& labels = survey.labels;
  constexpr double white = 255;
  if (type.real() || labels.least < 0 || labels.most > white)
    throw_input(
        fmt::format("{}: a PNG is written with whole numbers from 0 to 255, but the image has {} from {} to {}; "
                    "write .nrrd",
                    target.string(), type.name(), format_short(labels.least), format_short(labels.most)));
  const std::vector<unsigned char>& layer = layers.next();
  const auto width = static_cast<std::size_t>(type.bytes);
  std::vector<unsigned char> rows(layer.size() / width);
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = layer[i * width];  // the lowest byte
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(n[0]);
  image.height = static_cast<png_uint_32>(n[1]);
  image.format = PNG_FORMAT_GRAY;
  // The lowest row of the image is the last one of the file: a negative stride.
  const png_int_32 stride = -n[0];
  png_alloc_size_t size = 0;
  if (png_image_write_get_memory_size(image, size, 0, rows.data(), stride, nullptr) == 0)
    throw_resource(fmt::format("{}: libpng: {}", target.string(), image.message));
  std::string bytes(size, '\0');
  if (png_image_write_to_memory(&image, bytes.data(), &size, 0, rows.data(), stride, nullptr) == 0)
    throw_resource(fmt::format("{}: libpng: {}", target.string(), image.message));
  bytes.resize(size);
  write_file(target, bytes);
  if (labels.most >= 128) return "";
  return "it looks dark, as its values are small; as a mask it needs --above 0";
}

/// A format that images are written in.
struct ImageWriter {
  const char* extension;
  std::string (*write)(const ImageSurvey&, std::optional<double>, const Target&);
};
constexpr std::array image_writers{ImageWriter{".raw", write_raw}, ImageWriter{".nrrd", write_nrrd},
                                   ImageWriter{".npy", write_npy}, ImageWriter{".png", write_png}};

}  // namespace

std::string written_image_extensions() {
  std::vector<std::string> names;
  for (const ImageWriter& writer : image_writers) names.emplace_back(writer.extension);
  return join(names);
}

std::string write_image(const ImageSurvey& survey, std::optional<double> voxel, const Target& target) {
  const auto known = std::find_if(image_writers.begin(), image_writers.end(), [&](const ImageWriter& writer) {
    return target.extension() != ".gz" && extension_of(target) == writer.extension;
  });
  if (known == image_writers.end())
    throw Error(ExitCode::usage, fmt::format("convert: '{}' is no name of an image to write: {}", target.string(),
                                             written_image_extensions()));
  return known->write(survey, voxel, target);
}

}  // namespace fluvia::geometry
