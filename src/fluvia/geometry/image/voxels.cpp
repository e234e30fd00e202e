// SPDX-License-Identifier: Apache-2.0
#include "fluvia/geometry/image/voxels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "fluvia/base/error.hpp"
#include "fluvia/base/text.hpp"
#include "fluvia/case/names.hpp"
#include "fluvia/geometry/image/files/image_file.hpp"
#include "fluvia/geometry/image/files/layer_reader.hpp"
#include "fluvia/geometry/image/image_part.hpp"
#include "fluvia/geometry/input_file.hpp"

namespace fluvia::geometry {
namespace {

const std::string voxels_place = "geometry.voxels";

/// Types of numbers by their names in a case.
constexpr std::array<std::pair<const char*, ElementType>, 8> raw_types{
    {{"uint8", {ElementType::Kind::whole, 1}},
     {"int8", {ElementType::Kind::whole_or_negative, 1}},
     {"uint16", {ElementType::Kind::whole, 2}},
     {"int16", {ElementType::Kind::whole_or_negative, 2}},
     {"uint32", {ElementType::Kind::whole, 4}},
     {"int32", {ElementType::Kind::whole_or_negative, 4}},
     {"float32", {ElementType::Kind::real, 4}},
     {"float64", {ElementType::Kind::real, 8}}}};

bool is_text(const Case::Voxels& voxels, const std::filesystem::path& path) {
  return voxels.type == "text" || (voxels.type == "auto" && is_text_image(path));
}

ElementType raw_type(const Case::Voxels& voxels) {
  if (voxels.type == "auto") return {ElementType::Kind::whole, voxels.bits / 8};
  for (const auto& [name, type] : raw_types)
    if (voxels.type == name) return type;
  throw_input(
      fmt::format("{}: type is \"{}\", expected one of {}", voxels_place, voxels.type, join(names::voxel_types)));
}

void check_raw_keys(const Case::Voxels& voxels, const std::filesystem::path& path) {
  if (voxels.bits != 8 && voxels.bits != 16) {
    throw_input(fmt::format("{}: bits is {}, expected 8 or 16", voxels_place, voxels.bits));
  }
  if (voxels.endian != "little" && voxels.endian != "big") {
    throw_input(fmt::format("{}: endian is \"{}\", expected \"little\" or \"big\"", voxels_place, voxels.endian));
  }
  if (voxels.order != "x-fastest" && voxels.order != "z-fastest") {
    throw_input(
        fmt::format("{}: order is \"{}\", expected \"x-fastest\" or \"z-fastest\"", voxels_place, voxels.order));
  }
  if (voxels.shape == Int3{}) {
    throw_input(
        fmt::format("{}: shape is missing: {} is a raw image or text, which does not say how many voxels lie along x, "
                    "y, z; for example shape = [256, 256, 256]",
                    voxels_place, path.string()));
  }
  for (const int n : voxels.shape) {
    if (n < 1 || n > static_cast<int>(most_voxels_along)) {
      throw_input(fmt::format("{}: shape is {} x {} x {}, expected positive numbers of voxels up to 2^20", voxels_place,
                              voxels.shape[0], voxels.shape[1], voxels.shape[2]));
    }
  }
}

ImageHeader raw_header(const Case::Voxels& voxels, const std::filesystem::path& path) {
  check_raw_keys(voxels, path);
  ImageHeader header;
  header.shape = voxels.shape;
  header.text = is_text(voxels, path);
  header.type = header.text ? ElementType{ElementType::Kind::real, sizeof(double)} : raw_type(voxels);
  header.big_endian = !header.text && voxels.endian == "big";
  header.x_fastest = voxels.order == "x-fastest";
  header.data = path;
  return header;
}

void check_described(const Case::Voxels& voxels, const ImageHeader& header) {
  if (voxels.shape != Int3{} && voxels.shape != header.shape) {
    throw_input(fmt::format("{}: shape is {} x {} x {}, but the header of {} says {} x {} x {}; leave it out",
                            voxels_place, voxels.shape[0], voxels.shape[1], voxels.shape[2], voxels.file.string(),
                            header.shape[0], header.shape[1], header.shape[2]));
  }
  if (voxels.refine < 1 || voxels.refine > 64) {
    throw_input(fmt::format("{}: refine is {}, expected 1 to 64 nodes per voxel", voxels_place, voxels.refine));
  }
  const bool threshold = voxels.fluid_below || voxels.fluid_above;
  if (!voxels.fluid_labels && !threshold) {
    throw_input(voxels_place + ": nothing says which voxels are fluid; give fluid_labels, fluid_below or fluid_above");
  }
  for (const int label : voxels.fluid_labels.value_or(std::vector<int>{})) {
    if (label < header.type.least() || label > header.type.most()) {
      const std::string type = header.type.name();
      throw_input(fmt::format("{}: fluid_labels has {}, but voxels of {} hold {:.0f} to {:.0f}{}", voxels_place, label,
                              type, header.type.least(), header.type.most(),
                              label < 0 && type.starts_with('u')
                                  ? fmt::format("; if the numbers of a raw image have a sign, say so: type = \"{0}\", "
                                                "or --type {0}",
                                                type.substr(1))
                                  : ""));
    }
  }
  if (voxels.fluid_labels && threshold) {
    throw_input(voxels_place +
                ": fluid_labels and a threshold (fluid_below, fluid_above) contradict each other; give one");
  }
}

/// Table of which values that voxels of 8 or 16 bits can have are fluid, by their bits as a whole number.
std::vector<char> fluid_table(const Case::Voxels& voxels, const ElementType& type) {
  std::vector<char> table(std::size_t{1} << (8 * type.bytes), 0);
  for (std::size_t bits = 0; bits < table.size(); ++bits) {
    const unsigned char bytes[2] = {static_cast<unsigned char>(bits & 255), static_cast<unsigned char>(bits >> 8)};
    table[bits] = is_fluid(voxels, type.value(bytes, false)) ? 1 : 0;
  }
  return table;
}

/// The value of a voxel of a type with more values than a table may have.
double wide_value(const Case::Voxels& voxels, const ImageHeader& header, const unsigned char* place) {
  const double value = header.type.value(place, header.big_endian);
  if (std::isnan(value)) throw_input(header.data.string() + ": a voxel is NaN, which is neither fluid nor solid");
  if (voxels.fluid_labels && value != std::floor(value)) {
    throw_input(
        fmt::format("{}: a voxel is {}, but labels are whole numbers; give a threshold instead (fluid_below, "
                    "fluid_above)",
                    header.data.string(), format_short(value)));
  }
  return value;
}

}  // namespace

bool is_fluid(const Case::Voxels& voxels, double value) {
  const auto& below = voxels.fluid_below;
  const auto& above = voxels.fluid_above;
  if (voxels.fluid_labels) {
    return std::any_of(voxels.fluid_labels->begin(), voxels.fluid_labels->end(),
                       [&](int label) { return value == static_cast<double>(label); });
  }
  if (below && above) return *above < *below ? value > *above && value < *below : value > *above || value < *below;
  return below ? value < *below : value > *above;
}

ImageHeader voxel_header(const Case::Voxels& voxels, const std::filesystem::path& directory) {
  const std::filesystem::path path = resolve(directory, voxels.file);
  const ImageFormat* format = image_format(path);
  return format != nullptr ? format->header(path) : raw_header(voxels, path);
}

Case::Voxels described(const Case::Voxels& voxels, const std::filesystem::path& directory) {
  const ImageHeader header = voxel_header(voxels, directory);
  check_described(voxels, header);
  Case::Voxels result = voxels;
  result.shape = header.shape;
  image_part(result);
  return result;
}

Bitmap read_voxels(const Case::Voxels& voxels, const std::filesystem::path& directory) {
  const std::filesystem::path path = resolve(directory, voxels.file);
  const ImageHeader header = voxel_header(voxels, directory);
  check_described(voxels, header);
  Case::Voxels whole = voxels;
  whole.shape = header.shape;
  const ImagePart part = image_part(whole);
  LayerReader reader(path, image_format(path), header);
  Bitmap fluid(part.size, false);
  const auto keep = [&](const Int3& voxel) {
    Int3 cell{};
    for (int axis = 0; axis < 3; ++axis) {
      cell[axis] = voxel[axis] - part.from[axis];
      if (cell[axis] < 0 || cell[axis] >= part.size[axis]) return;
    }
    fluid.set(cell);
  };
  const auto for_each = [&](const auto& is_fluid_at) {
    const int width = header.type.bytes, fast = header.x_fastest ? header.shape[0] : header.shape[2];
    for (int s = 0; s < header.layers(); ++s) {
      const unsigned char* place = reader.next();
      for (int y = 0; y < header.shape[1]; ++y)
        for (int f = 0; f < fast; ++f, place += width)
          if (is_fluid_at(place)) keep(header.x_fastest ? Int3{f, y, s} : Int3{s, y, f});
    }
  };
  if (header.type.bytes <= 2) {
    const std::vector<char> table = fluid_table(voxels, header.type);
    const int low = header.big_endian ? 1 : 0;
    if (header.type.bytes == 1)
      for_each([&](const unsigned char* place) { return table[*place] != 0; });
    else
      for_each([&](const unsigned char* place) { return table[std::size_t{place[low]} | place[1 - low] << 8] != 0; });
  } else {
    for_each([&](const unsigned char* place) { return is_fluid(voxels, wide_value(voxels, header, place)); });
  }
  reader.expect_end();
  return fluid;
}

}  // namespace fluvia::geometry
