// SPDX-License-Identifier: Apache-2.0
#include "fluvia/geometry/image/voxels.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "fluvia/base/error.hpp"
#include "fluvia/base/machine/memory.hpp"
#include "fluvia/geometry/image/image_part.hpp"
#include "fluvia/geometry/input_file.hpp"

namespace fluvia::geometry {
namespace {

/// Table of which values that a voxel can have are fluid: fluid[value].
std::vector<char> fluid_table(const Case::Voxels& voxels) {
  std::vector<char> table(std::size_t{1} << voxels.bits, 0);
  const auto& below = voxels.fluid_below;
  const auto& above = voxels.fluid_above;
  for (std::size_t value = 0; value < table.size(); ++value) {
    const auto v = static_cast<double>(value);
    if (voxels.fluid_labels) {
      table[value] = std::find(voxels.fluid_labels->begin(), voxels.fluid_labels->end(), static_cast<int>(value)) !=
                     voxels.fluid_labels->end();
    } else if (below && above) {
      table[value] = *above < *below ? v > *above && v < *below : v > *above || v < *below;
    } else {
      table[value] = below ? v < *below : v > *above;
    }
  }
  return table;
}

}  // namespace

void check_voxels(const Case::Voxels& voxels) {
  const std::string place = "geometry.voxels";
  if (voxels.bits != 8 && voxels.bits != 16) {
    throw_input(fmt::format("{}: bits is {}, expected 8 or 16", place, voxels.bits));
  }
  if (voxels.endian != "little" && voxels.endian != "big") {
    throw_input(fmt::format("{}: endian is \"{}\", expected \"little\" or \"big\"", place, voxels.endian));
  }
  if (voxels.order != "x-fastest" && voxels.order != "z-fastest") {
    throw_input(fmt::format("{}: order is \"{}\", expected \"x-fastest\" or \"z-fastest\"", place, voxels.order));
  }
  for (const int n : voxels.shape) {
    if (n < 1 || n > 1 << 20) {
      throw_input(fmt::format("{}: shape is {} x {} x {}, expected positive numbers of voxels up to 2^20", place,
                              voxels.shape[0], voxels.shape[1], voxels.shape[2]));
    }
  }
  if (voxels.refine < 1 || voxels.refine > 64) {
    throw_input(fmt::format("{}: refine is {}, expected 1 to 64 nodes per voxel", place, voxels.refine));
  }
  const bool threshold = voxels.fluid_below || voxels.fluid_above;
  if (!voxels.fluid_labels && !threshold) {
    throw_input(place + ": nothing says which voxels are fluid; give fluid_labels, fluid_below or fluid_above");
  }
  for (const int label : voxels.fluid_labels.value_or(std::vector<int>{})) {
    if (label < 0 || label >= 1 << voxels.bits) {
      throw_input(fmt::format("{}: fluid_labels has {}, but voxels of {} bits hold 0 to {}", place, label, voxels.bits,
                              (1 << voxels.bits) - 1));
    }
  }
  if (voxels.fluid_labels && threshold) {
    throw_input(place + ": fluid_labels and a threshold (fluid_below, fluid_above) contradict each other; give one");
  }
  image_part(voxels);
}

Bitmap read_voxels(const Case::Voxels& voxels, const std::filesystem::path& directory) {
  check_voxels(voxels);
  const std::vector<char> table = fluid_table(voxels);
  const std::filesystem::path path = resolve(directory, voxels.file);
  InputFile file(path);
  const bool x_fastest = voxels.order == "x-fastest", big = voxels.endian == "big";
  const Int3 shape = voxels.shape;
  const int fast = x_fastest ? shape[0] : shape[2], slow = x_fastest ? shape[2] : shape[0];
  const std::size_t width = voxels.bits / 8, slab_bytes = static_cast<std::size_t>(fast) * shape[1] * width;
  const std::uint64_t expected = static_cast<std::uint64_t>(slab_bytes) * slow;
  const auto wrong_size = [&](const std::string& found) {
    throw_input(fmt::format("{}: has {} bytes, but {} x {} x {} voxels of {} bits need {}", path.string(), found,
                            shape[0], shape[1], shape[2], voxels.bits, expected));
  };
  if (const std::uint64_t most = file.most_content(); most < expected) {
    std::error_code unknown;
    const bool packed = most != std::filesystem::file_size(path, unknown);
    wrong_size((packed ? "at most " : "") + std::to_string(most));
  }
  require_memory(slab_bytes, path.string() + ": a layer of its voxels", "is geometry.voxels.shape right?");
  const ImagePart part = image_part(voxels);
  Bitmap fluid(part.size, false);
  const auto keep = [&](const Int3& voxel) {
    Int3 cell{};
    for (int axis = 0; axis < 3; ++axis) {
      cell[axis] = voxel[axis] - part.from[axis];
      if (cell[axis] < 0 || cell[axis] >= part.size[axis]) return;
    }
    fluid.set(cell);
  };
  std::vector<unsigned char> slab(slab_bytes);
  for (int s = 0; s < slow; ++s) {
    const std::size_t got = file.read(slab.data(), slab_bytes);
    if (got < slab_bytes) wrong_size(std::to_string(static_cast<std::uint64_t>(s) * slab_bytes + got));
    const unsigned char* place = slab.data();
    for (int y = 0; y < shape[1]; ++y) {
      for (int f = 0; f < fast; ++f, place += width) {
        const unsigned value = width == 1 ? place[0] : big ? place[0] << 8 | place[1] : place[1] << 8 | place[0];
        if (table[value] != 0) keep(x_fastest ? Int3{f, y, s} : Int3{s, y, f});
      }
    }
  }
  // The excess is counted up to a bound; a device or a gzip bomb would never end.
  constexpr std::uint64_t enough = std::uint64_t{1} << 30;
  std::uint64_t extra = 0;
  std::size_t got = slab.size();
  while (got == slab.size() && extra <= enough) extra += got = file.read(slab.data(), slab.size());
  if (extra > 0) wrong_size((extra > enough ? "more than " : "") + std::to_string(expected + extra));
  return fluid;
}

}  // namespace fluvia::geometry
