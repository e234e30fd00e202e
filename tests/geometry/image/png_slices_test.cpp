// SPDX-License-Identifier: Apache-2.0
// Folders of PNG files, each a slice of an image.
#include <fmt/format.h>
#include <png.h>

#include "fluvia/geometry/image/files/image_file.hpp"
#include "fluvia/geometry/image/voxels.hpp"
#include "geometry/test_support.hpp"
#include "support/errors.hpp"

namespace fluvia::test {
namespace {

constexpr Int3 stack_shape{5, 4, 11};

int value_at(int x, int y, int z) {
  return (7 * x + 20 * y + 3 * z) % 200;
}

/// Writes a slice by libpng's simplified interface, whose linear 16 bits are written as they are.
template <class Number>
void write_slice(const std::filesystem::path& file, std::uint32_t format, const std::vector<Number>& pixels) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = stack_shape[0];
  image.height = stack_shape[1];
  image.format = format;
  ASSERT_NE(png_image_write_to_file(&image, file.c_str(), 0, pixels.data(), 0, nullptr), 0) << image.message;
}

/// The pixels of a slice, each `channels` times, and `alpha` behind if there is any.
template <class Number>
std::vector<Number> slice(int z, int channels, int factor = 1, std::optional<Number> alpha = {}) {
  std::vector<Number> pixels;
  for (int y = 0; y < stack_shape[1]; ++y)
    for (int x = 0; x < stack_shape[0]; ++x) {
      for (int c = 0; c < channels; ++c) pixels.push_back(static_cast<Number>(factor * value_at(x, y, z)));
      if (alpha) pixels.push_back(*alpha);
    }
  return pixels;
}

Case::Voxels stack_of(const std::filesystem::path& folder) {
  Case::Voxels v;
  v.file = folder;
  v.fluid_labels = std::vector<int>{1};
  return v;
}

class PngSlices : public testing::Test {
 protected:
  std::filesystem::path make(const std::string& name) {
    std::filesystem::create_directory(folder.path() / name);
    return folder.path() / name;
  }
  /// Slices 0 to 10, so that 10 comes behind 9 only as a number.
  template <class Write>
  void expect_stack(const std::string& name, int bytes, int factor, const Write& write) {
    SCOPED_TRACE(name);
    const std::filesystem::path path = make(name);
    for (int z = 0; z < stack_shape[2]; ++z) write(path / fmt::format("s{}.png", z), z);
    EXPECT_TRUE(geometry::has_slices(path));
    const geometry::ImageFormat* format = geometry::image_format(path);
    ASSERT_NE(format, nullptr);
    const geometry::ImageHeader header = format->header(path);
    EXPECT_EQ(header.shape, stack_shape);
    EXPECT_EQ(header.type.name(), bytes == 2 ? "uint16" : "uint8");
    std::vector<unsigned char> found(header.bytes() + 1);
    ASSERT_EQ(format->open(path, header)->read(found.data(), found.size()), header.bytes());
    std::size_t at = 0;
    for (int z = 0; z < stack_shape[2]; ++z)
      for (int y = 0; y < stack_shape[1]; ++y)
        for (int x = 0; x < stack_shape[0]; ++x, at += static_cast<std::size_t>(bytes))
          ASSERT_EQ(header.type.value(found.data() + at, header.big_endian), factor * value_at(x, y, z)) << x << y << z;
  }
  TemporaryFolder folder;
};

TEST_F(PngSlices, AreReadAsTheyAreKept) {
  expect_stack("grey", 1, 1,
               [](const auto& file, int z) { write_slice(file, PNG_FORMAT_GRAY, slice<std::uint8_t>(z, 1)); });
  expect_stack("wide", 2, 300, [](const auto& file, int z) {
    write_slice(file, PNG_FORMAT_LINEAR_Y, slice<std::uint16_t>(z, 1, 300));
  });
  expect_stack("colours that are grey", 1, 1,
               [](const auto& file, int z) { write_slice(file, PNG_FORMAT_RGB, slice<std::uint8_t>(z, 3)); });
  expect_stack("opaque", 1, 1, [](const auto& file, int z) {
    write_slice(file, PNG_FORMAT_RGBA, slice<std::uint8_t>(z, 3, 1, std::uint8_t{255}));
  });
}

TEST_F(PngSlices, ThatAreWrongAreRefused) {
  const auto refuses = [&](const std::filesystem::path& path, const std::vector<std::string>& parts) {
    expect_message([&] { geometry::read_voxels(stack_of(path), "."); }, parts);
  };
  const auto path = make("bad");
  const auto write = [&](int z, std::uint32_t format, const std::vector<std::uint8_t>& pixels) {
    write_slice(path / fmt::format("{}.png", z), format, pixels);
  };
  for (int z = 0; z < 4; ++z) write(z, PNG_FORMAT_GRAY, slice<std::uint8_t>(z, 1));
  auto coloured = slice<std::uint8_t>(1, 3);
  coloured[31] ^= 1;
  write(1, PNG_FORMAT_RGB, coloured);
  refuses(path, {"1.png: has pixels of colours"});
  auto clear = slice<std::uint8_t>(1, 1, 1, std::uint8_t{255});
  clear[5] = 254;
  write(1, PNG_FORMAT_GA, clear);
  refuses(path, {"1.png: has transparent pixels"});
  write_slice(path / "1.png", PNG_FORMAT_LINEAR_Y, slice<std::uint16_t>(1, 1, 300));
  refuses(path, {"1.png: has 5 x 4 pixels of 16 bits, but '0.png' has 5 x 4 pixels of 8 bits"});
  std::ofstream(path / "1.png") << "no picture";
  refuses(path, {"1.png: damaged PNG image, or none"});
  write(1, PNG_FORMAT_GRAY, slice<std::uint8_t>(1, 1));
  std::filesystem::resize_file(path / "1.png", std::filesystem::file_size(path / "1.png") - 20);
  refuses(path, {"1.png: damaged PNG image, or none: the file is truncated"});
  EXPECT_FALSE(geometry::has_slices(make("empty")));
  std::filesystem::remove(path / "1.png");
  refuses(path, {"slice 1 is missing between '0.png' and '2.png'"});
}

}  // namespace
}  // namespace fluvia::test
