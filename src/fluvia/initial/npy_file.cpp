// SPDX-License-Identifier: Apache-2.0
#include "fluvia/initial/npy_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstring>
#include <string>
#include <string_view>

#include "fluvia/base/error.hpp"
#include "fluvia/base/machine/memory.hpp"
#include "fluvia/base/text.hpp"
#include "fluvia/geometry/input_file.hpp"

namespace fluvia {

namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::size_t longest_header = 1 << 16;

class Reader {
 public:
  explicit Reader(const std::filesystem::path& path) : file_(path) {}

  NpyArray read() {
    const std::string header = read_header();
    const bool wide = is_wide(header);
    if (value_of(header, "fortran_order") != "False")
      fail("its first axis changes fastest; save numpy.ascontiguousarray() of it");
    NpyArray array;
    array.shape = shape_of(header);
    std::uint64_t count = 1;
    for (const std::uint64_t extent : array.shape) {
      if (extent == 0) fail("holds no values");
      if (count > file_.most_content() / extent) fail("is cut off: its shape needs more bytes than it has");
      count *= extent;
    }
    const std::uint64_t bytes = wide ? 8 : 4;
    if (count > file_.most_content() / bytes) fail("is cut off: its shape needs more bytes than it has");
    require_memory(count * sizeof(float), file_.path().string() + ": its values", "is this the right file?");
    array.values.resize(count);
    wide ? read_doubles(array.values) : take(array.values.data(), count * 4);
    char more = 0;
    if (file_.read(&more, 1) != 0) fail("goes on behind its last value");
    return array;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw_input(fmt::format("{}: {}", file_.path().string(), what));
  }

  void take(void* target, std::size_t bytes) {
    if (file_.read(target, bytes) != bytes) fail("is cut off");
  }

  std::string read_header() {
    std::array<char, 8> start{};
    if (file_.read(start.data(), start.size()) != start.size() || std::string_view(start.data(), 6) != magic)
      fail("is no array of numpy.save()");
    const int version = static_cast<unsigned char>(start[6]);
    if (version < 1 || version > 3) fail(fmt::format("has version {} of the format; 1 to 3 are known", version));
    std::uint32_t length = 0;
    take(&length, version == 1 ? 2 : 4);
    if (length > longest_header) fail("has a header that is too long");
    std::string header(length, ' ');
    take(header.data(), length);
    return header;
  }

  /// The text behind 'name' in the header, a literal of a Python dictionary, up to the next comma at its level.
  [[nodiscard]] std::string value_of(const std::string& header, const std::string& name) const {
    std::size_t at = header.find("'" + name + "'");
    if (at != std::string::npos) at = header.find(':', at);
    if (at == std::string::npos) fail("has no '" + name + "' in its header");
    std::size_t end = header.find('(', at);
    const std::size_t comma = header.find_first_of(",}", at);
    end = end < comma ? header.find(')', end) + 1 : comma;
    if (end == 0 || end == std::string::npos) fail("has no whole '" + name + "' in its header");
    std::string text = header.substr(at + 1, end - at - 1);
    std::erase(text, ' ');
    return text;
  }

  [[nodiscard]] bool is_wide(const std::string& header) const {
    const std::string type = value_of(header, "descr");
    if (type != "'<f4'" && type != "'<f8'")
      fail("holds values of type " + shorten(type) + "; save numpy.float32 or numpy.float64, little-endian");
    return type == "'<f8'";
  }

  [[nodiscard]] std::vector<std::uint64_t> shape_of(const std::string& header) const {
    const std::string text = value_of(header, "shape");
    std::vector<std::uint64_t> shape;
    const char *at = text.data() + 1, *const end = text.data() + text.size();
    while (text.starts_with('(') && at < end && *at != ')') {
      std::uint64_t extent = 0;
      const auto [next, error] = std::from_chars(at, end, extent);
      if (error != std::errc{} || next == end || (*next != ',' && *next != ')')) fail("has the shape " + shorten(text));
      shape.push_back(extent);
      at = *next == ',' ? next + 1 : next;
    }
    if (shape.empty() || shape.size() > 8) fail("has the shape " + shorten(text) + "; expected 3 or 4 axes");
    return shape;
  }

  void read_doubles(std::vector<float>& values) {
    std::array<double, 4096> part{};
    for (std::size_t done = 0; done < values.size();) {
      const std::size_t count = std::min(part.size(), values.size() - done);
      take(part.data(), count * sizeof(double));
      std::transform(part.begin(), part.begin() + static_cast<std::ptrdiff_t>(count),
                     values.begin() + static_cast<std::ptrdiff_t>(done),
                     [](double value) { return static_cast<float>(value); });
      done += count;
    }
  }

  geometry::InputFile file_;
};

}  // namespace

NpyArray read_npy(const std::filesystem::path& file) {
  return Reader(file).read();
}

}  // namespace fluvia
