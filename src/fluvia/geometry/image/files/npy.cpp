// SPDX-License-Identifier: Apache-2.0
#include "fluvia/geometry/image/files/npy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

#include "fluvia/base/error.hpp"
#include "fluvia/base/text.hpp"
#include "fluvia/geometry/image/files/image_file.hpp"

namespace fluvia::geometry {
namespace {

constexpr std::string_view npy_magic = "\x93NUMPY";
constexpr std::uint32_t longest_npy_header = 1 << 16;

[[noreturn]] void fail_npy(const InputFile& file, const std::string& what) {
  throw_input(fmt::format("{}: {}", file.path().string(), what));
}

void take_npy(InputFile& file, void* target, std::size_t bytes) {
  if (file.read(target, bytes) != bytes) fail_npy(file, "is cut off");
}

/// The text behind 'name' in the header, a literal of a Python dictionary, up to the next comma at its level.
std::string npy_value_of(const InputFile& file, const std::string& header, const std::string& name) {
  std::size_t at = header.find("'" + name + "'");
  if (at != std::string::npos) at = header.find(':', at);
  if (at == std::string::npos) fail_npy(file, "has no '" + name + "' in its header");
  std::size_t end = header.find('(', at);
  const std::size_t comma = header.find_first_of(",}", at);
  end = end < comma ? header.find(')', end) + 1 : comma;
  if (end == 0 || end == std::string::npos) fail_npy(file, "has no whole '" + name + "' in its header");
  std::string text = header.substr(at + 1, end - at - 1);
  std::erase(text, ' ');
  return text;
}

std::vector<std::uint64_t> npy_shape_of(const InputFile& file, const std::string& text) {
  std::vector<std::uint64_t> shape;
  const char *at = text.data() + 1, *const end = text.data() + text.size();
  while (text.starts_with('(') && at < end && *at != ')') {
    std::uint64_t extent = 0;
    const auto [next, error] = std::from_chars(at, end, extent);
    if (error != std::errc{} || next == end || (*next != ',' && *next != ')'))
      fail_npy(file, "has the shape " + shorten(text));
    shape.push_back(extent);
    at = *next == ',' ? next + 1 : next;
  }
  if (shape.empty() || shape.size() > 8) fail_npy(file, "has the shape " + shorten(text) + "; expected 3 or 4 axes");
  return shape;
}

/// The type of whole or real numbers that '<u2', '|b1', '>f8' ... mean; none for all else, and for those of 16 bits.
std::optional<ElementType> npy_type(const std::string& text) {
  if (text.size() != 3 || std::string_view("<>|").find(text[0]) == std::string_view::npos) return {};
  const int bytes = text[2] - '0';
  if (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8) return {};
  if (text[1] == 'u' || (text[1] == 'b' && bytes == 1)) return ElementType{ElementType::Kind::whole, bytes};
  if (text[1] == 'i') return ElementType{ElementType::Kind::whole_or_negative, bytes};
  if (text[1] == 'f' && bytes >= 4) return ElementType{ElementType::Kind::real, bytes};
  return {};
}

}  // namespace

NpyHeader read_npy_header(InputFile& file) {
  std::array<char, 8> start{};
  if (file.read(start.data(), start.size()) != start.size() || std::string_view(start.data(), 6) != npy_magic)
    fail_npy(file, "is no array of numpy.save()");
  const int version = static_cast<unsigned char>(start[6]);
  if (version < 1 || version > 3)
    fail_npy(file, fmt::format("has version {} of the format; 1 to 3 are known", version));
  std::uint32_t length = 0;
  const std::size_t wide = version == 1 ? 2 : 4;
  std::array<unsigned char, 4> bytes{};
  take_npy(file, bytes.data(), wide);
  for (std::size_t i = 0; i < wide; ++i) length |= std::uint32_t{bytes[i]} << (8 * i);
  if (length > longest_npy_header) fail_npy(file, "has a header that is too long");
  std::string text(length, ' ');
  take_npy(file, text.data(), length);
  NpyHeader header;
  header.type = npy_value_of(file, text, "descr");
  if (header.type.size() > 2 && header.type.front() == '\'' && header.type.back() == '\'')
    header.type = header.type.substr(1, header.type.size() - 2);
  header.first_axis_fastest = npy_value_of(file, text, "fortran_order") != "False";
  header.shape = npy_shape_of(file, npy_value_of(file, text, "shape"));
  header.bytes = start.size() + wide + length;
  return header;
}

ImageHeader read_npy_image_header(const std::filesystem::path& path) {
  InputFile file(path);
  const NpyHeader npy = read_npy_header(file);
  ImageHeader header;
  const std::optional<ElementType> type = npy_type(npy.type);
  if (!type)
    fail_npy(file, "holds values of type " + shorten(npy.type) + "; save it as uint8 or another type of numbers");
  header.type = *type;
  header.big_endian = npy.type[0] == '>';
  // An image in Python is indexed [z, y, x], whichever of them is the fastest in the file.
  const std::vector<std::uint64_t> sizes(npy.shape.rbegin(), npy.shape.rend());
  header.shape = image_shape(path, "shape, from the last axis to the first,", sizes);
  const bool three = sizes.size() == 3;
  constexpr std::uint64_t no_image = 16;
  if (three && (sizes[0] == 3 || sizes[0] == 4) && sizes[1] >= no_image && sizes[2] >= no_image)
    fail_npy(file, fmt::format("its shape ({}, {}, {}) is that of a picture with colours; save one channel, "
                               "image[..., 0], as an image of its own",
                               sizes[2], sizes[1], sizes[0]));
  header.x_fastest = !npy.first_axis_fastest;
  header.offset = npy.bytes;
  header.data = path;
  return header;
}

}  // namespace fluvia::geometry
