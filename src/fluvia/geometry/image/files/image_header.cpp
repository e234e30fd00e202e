// SPDX-License-Identifier: Apache-2.0
#include "fluvia/geometry/image/files/image_header.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <cmath>
#include <limits>

#include "fluvia/base/error.hpp"
#include "fluvia/base/text.hpp"

namespace fluvia::geometry {
namespace {

struct HeaderUnit {
  std::string_view name;
  double metres;
};

constexpr double inch = 0.0254;
constexpr std::array header_units = {HeaderUnit{"m", 1},
                                     HeaderUnit{"meter", 1},
                                     HeaderUnit{"metre", 1},
                                     HeaderUnit{"cm", 1e-2},
                                     HeaderUnit{"mm", 1e-3},
                                     HeaderUnit{"um", 1e-6},
                                     HeaderUnit{"nm", 1e-9},
                                     HeaderUnit{"centimeter", 1e-2},
                                     HeaderUnit{"millimeter", 1e-3},
                                     HeaderUnit{"millimetre", 1e-3},
                                     HeaderUnit{"micron", 1e-6},
                                     HeaderUnit{"micrometer", 1e-6},
                                     HeaderUnit{"micrometre", 1e-6},
                                     HeaderUnit{"nanometer", 1e-9},
                                     HeaderUnit{"inch", inch}};

}  // namespace

double ElementType::least() const {
  if (real()) return std::numeric_limits<double>::lowest();
  return kind == Kind::whole ? 0 : -std::ldexp(1, 8 * bytes - 1);
}

double ElementType::most() const {
  if (real()) return std::numeric_limits<double>::max();
  return std::ldexp(1, kind == Kind::whole ? 8 * bytes : 8 * bytes - 1) - 1;
}

std::string ElementType::name() const {
  const char* base = kind == Kind::whole ? "uint" : kind == Kind::real ? "float" : "int";
  return base + std::to_string(8 * bytes);
}

double ElementType::value(const unsigned char* place, bool big_endian) const {
  std::uint64_t bits = 0;
  for (int i = 0; i < bytes; ++i) bits |= std::uint64_t{place[big_endian ? bytes - 1 - i : i]} << (8 * i);
  if (kind == Kind::real) {
    return bytes == 4 ? std::bit_cast<float>(static_cast<std::uint32_t>(bits)) : std::bit_cast<double>(bits);
  }
  if (kind == Kind::whole) return static_cast<double>(bits);
  const int unused = 64 - 8 * bytes;
  return static_cast<double>(static_cast<std::int64_t>(bits << unused) >> unused);
}

Int3 image_shape(const std::filesystem::path& file, std::string_view key, std::span<const std::uint64_t> sizes) {
  std::vector<std::string> words;
  for (const std::uint64_t size : sizes) words.push_back(std::to_string(size));
  if (sizes.size() != 2 && sizes.size() != 3) {
    throw_input(
        fmt::format("{}: {} is {} ({} axes), but an image has two axes or three; save one channel, or one "
                    "moment, as an image of its own",
                    file.string(), key, shorten(join(words, " ")), sizes.size()));
  }
  Int3 shape{1, 1, 1};
  for (std::size_t axis = 0; axis < sizes.size(); ++axis) {
    if (sizes[axis] < 1 || sizes[axis] > most_voxels_along) {
      throw_input(fmt::format("{}: {} is {}, expected 1 to {} voxels along each axis", file.string(), key,
                              join(words, " "), most_voxels_along));
    }
    shape[static_cast<int>(axis)] = static_cast<int>(sizes[axis]);
  }
  return shape;
}

void set_voxel(ImageHeader& header, const std::filesystem::path& file, std::string_view key,
               std::span<const double> spacings, double unit, UnitSaid said) {
  if (std::any_of(spacings.begin(), spacings.end(), [](double edge) { return std::isnan(edge); })) return;
  std::vector<std::string> words;
  for (const double edge : spacings) words.push_back(format_short(edge, 6));
  const std::string text = join(words, " ");
  for (const double edge : spacings) {
    if (!(edge > 0) || !std::isfinite(edge))
      throw_input(fmt::format("{}: {} is {}, expected lengths above 0", file.string(), key, text));
    constexpr double alike = 1e-3;
    if (std::abs(edge / spacings[0] - 1) > alike) {
      throw_input(fmt::format("{}: {} is {}: voxels that are no cubes; resample the image so that they are",
                              file.string(), key, text));
    }
  }
  if (spacings.empty()) return;
  const double edge = spacings[0];
  if (said == UnitSaid::no) {
    header.why_no_voxel = fmt::format("{} is {}, without a unit", key, text);
  } else if (said == UnitSaid::by_convention && edge * unit >= 1e-3) {
    header.why_no_voxel = fmt::format("{} is {}, which would be mm, but nothing in the header says so", key, text);
  } else {
    header.voxel = edge * unit;
  }
}

void set_orientation(ImageHeader& header, std::string_view key, const std::array<double, 9>& directions) {
  constexpr double alike = 1e-3;
  std::vector<std::string> words;
  bool as_stored = true;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double* const v = &directions[3 * axis];
    const double length = std::hypot(v[0], v[1], v[2]);
    if (!(length > 0) || !std::isfinite(length)) return;
    std::string word = fmt::format("({:.3g}, {:.3g}, {:.3g})", v[0] / length, v[1] / length, v[2] / length);
    for (std::size_t along = 0; along < 3; ++along)
      if (std::abs(v[along]) > (1 - alike * alike) * length)
        word = std::string(v[along] > 0 ? "+" : "-") + "xyz"[along];
    as_stored = as_stored && word == std::string("+") + "xyz"[axis];
    words.push_back(word);
  }
  if (!as_stored)
    header.orientation = fmt::format("{} of the header points x, y, z of the file along {}", key, join(words, ", "));
}

std::optional<double> header_unit(std::string_view name) {
  std::string unit(name);
  for (const std::string_view micro : {"\u00b5", "\u03bc", "\\u00B5", "\xb5"})
    if (const std::size_t at = unit.find(micro); at != std::string::npos) unit.replace(at, micro.size(), "u");
  for (char& letter : unit) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  for (const HeaderUnit& known : header_units)
    if (unit == known.name || unit == std::string(known.name) + "s") return known.metres;
  return {};
}

}  // namespace fluvia::geometry
