// SPDX-License-Identifier: Apache-2.0
#include "fluvia/initial/npy_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <string>

#include "fluvia/base/error.hpp"
#include "fluvia/base/machine/memory.hpp"
#include "fluvia/base/text.hpp"
#include "fluvia/geometry/image/files/npy.hpp"
#include "fluvia/geometry/input_file.hpp"

namespace fluvia {

namespace {

static_assert(std::endian::native == std::endian::little);

class Reader {
 public:
  explicit Reader(const std::filesystem::path& path) : file_(path) {}

  NpyArray read() {
    const geometry::NpyHeader header = geometry::read_npy_header(file_);
    const bool wide = is_wide(header.type);
    if (header.first_axis_fastest) fail("its first axis changes fastest; save numpy.ascontiguousarray() of it");
    NpyArray array;
    array.shape = header.shape;
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

  [[nodiscard]] bool is_wide(const std::string& type) const {
    if (type != "<f4" && type != "<f8")
      fail("holds values of type '" + shorten(type) + "'; save numpy.float32 or numpy.float64, little-endian");
    return type == "<f8";
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
