// SPDX-License-Identifier: Apache-2.0
#include <png.h>
#include <zlib.h>

#include "fluvia/geometry/image/mask.hpp"
#include "fluvia/geometry/image/voxels.hpp"
#include "geometry/test_support.hpp"

namespace fluvia::test {
namespace {

/// Value of voxel (x, y, z), different for all neighbours and with both bytes in use.
int value_at(int x, int y, int z) {
  return (x * 37 + y * 1013 + z * 211) % 1000;
}

const Int3 shape_of_image{5, 4, 3};

std::string image_bytes(int bits, bool big, bool x_fastest) {
  std::string bytes;
  const auto put = [&](int x, int y, int z) {
    const int value = bits == 8 ? value_at(x, y, z) % 256 : value_at(x, y, z);
    if (bits == 8) {
      bytes += static_cast<char>(value);
    } else {
      bytes += static_cast<char>(big ? value >> 8 : value & 255);
      bytes += static_cast<char>(big ? value & 255 : value >> 8);
    }
  };
  if (x_fastest) {
    for (int z = 0; z < 3; ++z)
      for (int y = 0; y < 4; ++y)
        for (int x = 0; x < 5; ++x) put(x, y, z);
  } else {
    for (int x = 0; x < 5; ++x)
      for (int y = 0; y < 4; ++y)
        for (int z = 0; z < 3; ++z) put(x, y, z);
  }
  return bytes;
}

TEST(Voxels, EveryWidthEndianAndOrder) {
  const TemporaryFolder folder;
  for (const int bits : {8, 16}) {
    for (const bool big : {false, true}) {
      for (const bool x_fastest : {false, true}) {
        Case::Voxels v;
        v.file = write_gzip(folder, "image.raw.gz", image_bytes(bits, big, x_fastest));
        if (big) v.file = folder.write("image.raw", image_bytes(bits, big, x_fastest));
        v.shape = shape_of_image;
        v.bits = bits;
        v.endian = big ? "big" : "little";
        v.order = x_fastest ? "x-fastest" : "z-fastest";
        v.fluid_below = bits == 8 ? 100 : 400;
        const geometry::Bitmap fluid = geometry::read_voxels(v, ".");
        for (int z = 0; z < 3; ++z) {
          for (int y = 0; y < 4; ++y) {
            for (int x = 0; x < 5; ++x) {
              const int value = bits == 8 ? value_at(x, y, z) % 256 : value_at(x, y, z);
              EXPECT_EQ(fluid.get({x, y, z}), value < *v.fluid_below) << bits << big << x_fastest;
            }
          }
        }
      }
    }
  }
}

TEST(Voxels, LabelsThresholdsAndRefinement) {
  const TemporaryFolder folder;
  folder.write("image.raw", image_bytes(16, false, true));
  Case c;
  c.directory = folder.path();
  Case::Voxels v;
  v.file = "image.raw";
  v.shape = shape_of_image;
  v.bits = 16;
  v.refine = 3;
  const auto check = [&](const Case::Voxels& voxels, const std::function<bool(int)>& fluid) {
    c.geometry.voxels = voxels;
    const Geometry g = build(c);
    ASSERT_EQ(g.nodes.size, (Int3{15, 12, 9}));
    for (int z = 0; z < 9; ++z) {
      for (int y = 0; y < 12; ++y) {
        for (int x = 0; x < 15; ++x) EXPECT_EQ(g.nodes.is_fluid({x, y, z}), fluid(value_at(x / 3, y / 3, z / 3)));
      }
    }
  };
  v.fluid_labels = std::vector<int>{value_at(1, 1, 1), value_at(4, 0, 2)};
  check(v, [](int x) { return x == value_at(1, 1, 1) || x == value_at(4, 0, 2); });
  v.fluid_labels.reset();
  v.fluid_above = 300;
  check(v, [](int x) { return x > 300; });
  v.fluid_below = 700;
  check(v, [](int x) { return x > 300 && x < 700; });
  std::swap(v.fluid_above, v.fluid_below);
  check(v, [](int x) { return x > 700 || x < 300; });
}

TEST(Voxels, NameWhatIsWrong) {
  const TemporaryFolder folder;
  const std::string bytes = image_bytes(16, false, true);
  folder.write("image.raw", bytes);
  folder.write("long.raw", bytes + "123");
  folder.write("short.raw", bytes.substr(0, 77));
  Case::Voxels good;
  good.file = "image.raw";
  good.shape = shape_of_image;
  good.bits = 16;
  good.fluid_above = 10;
  const auto fails = [&](const std::function<void(Case::Voxels&)>& change, const std::vector<std::string>& parts) {
    Case::Voxels v = good;
    change(v);
    Case c;
    c.directory = folder.path();
    c.geometry.voxels = v;
    expect_message([&] { build(c); }, parts);
  };
  fails([](auto& v) { v.file = "long.raw"; }, {"long.raw", "has 123 bytes", "5 x 4 x 3 voxels of 16 bits need 120"});
  fails([](auto& v) { v.file = "short.raw"; }, {"short.raw", "has 77 bytes", "need 120"});
  fails([](auto& v) { v.file = "absent.raw"; }, {"absent.raw", "cannot be opened"});
  fails([](auto& v) { v.bits = 12; }, {"bits is 12", "8 or 16"});
  fails([](auto& v) { v.shape = {5, 0, 3}; }, {"shape is 5 x 0 x 3"});
  fails([](auto& v) { v.refine = 0; }, {"refine is 0"});
  fails([](auto& v) { v.endian = "middle"; }, {"endian is \"middle\""});
  fails([](auto& v) { v.order = "y-fastest"; }, {"order is \"y-fastest\""});
  fails([](auto& v) { v.fluid_above.reset(); }, {"which voxels are fluid", "fluid_labels"});
  fails([](auto& v) { v.fluid_labels = std::vector<int>{0}; }, {"contradict"});
  fails([](auto& v) { v.fluid_above = 65535; }, {"none of the 5 x 4 x 3 nodes"});
}

const std::string plain_pgm = "P2 # a comment\n4 3\n# another\n255\n255 0 0 255\n0 200 0 0\n0 0 0 127\n";

void expect_mask(const Geometry& g) {
  // Row 0 of the image is the top: y = 2.
  for (int y = 0; y < 3; ++y) {
    for (int x = 0; x < 4; ++x) {
      const bool fluid = (y == 2 && (x == 0 || x == 3)) || (y == 1 && x == 1);
      EXPECT_EQ(g.nodes.is_fluid({x, y, 0}), fluid) << x << " " << y;
    }
  }
}

void write_png(const std::filesystem::path& path, int format, const std::vector<std::uint8_t>& pixels) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = 4;
  image.height = 3;
  image.format = format;
  ASSERT_NE(png_image_write_to_file(&image, path.c_str(), 0, pixels.data(), 0, nullptr), 0);
}

TEST(Mask, ReadsPgmAndPng) {
  const TemporaryFolder folder;
  Case c;
  c.domain.dimension = 2;
  c.geometry.mask = Case::Mask{};
  c.geometry.keep_isolated = true;
  const std::vector<std::uint8_t> grey{255, 0, 0, 255, 0, 200, 0, 0, 0, 0, 0, 127};
  std::vector<std::uint8_t> colour;
  for (const std::uint8_t value : grey) colour.insert(colour.end(), {value, value, value, 255});
  write_png(folder.path() / "grey.png", PNG_FORMAT_GRAY, grey);
  write_png(folder.path() / "colour.png", PNG_FORMAT_RGBA, colour);
  const std::string binary = "P5\n4 3\n255\n" + std::string(grey.begin(), grey.end());
  std::string deep = "P5\n4 3\n65535\n";
  for (const std::uint8_t value : grey) deep += {static_cast<char>(value), static_cast<char>(value)};
  folder.write("plain.pgm", plain_pgm);
  folder.write("binary.pgm", binary);
  folder.write("deep.pgm", deep);
  write_gzip(folder, "packed.pgm.gz", binary);
  for (const char* name : {"plain.pgm", "binary.pgm", "deep.pgm", "packed.pgm.gz", "grey.png", "colour.png"}) {
    SCOPED_TRACE(name);
    c.geometry.mask->file = folder.path() / name;
    EXPECT_EQ(geometry::read_image(c.geometry.mask->file).pixels.size(), grey.size());
    const Geometry g = build(c);
    EXPECT_EQ(g.nodes.size, (Int3{4, 3, 1}));
    expect_mask(g);
    c.geometry.mask->white_is_fluid = false;
    EXPECT_EQ(build(c).nodes.fluid_nodes, 9u);
    c.geometry.mask->white_is_fluid = true;
  }
}

TEST(Mask, RefinesAndExtrudes) {
  const TemporaryFolder folder;
  folder.write("mask.pgm", plain_pgm);
  Case c;
  c.directory = folder.path();
  c.geometry.mask = Case::Mask{};
  c.geometry.mask->file = "mask.pgm";
  c.geometry.mask->depth = 6;
  c.geometry.mask->refine = 4;
  const Geometry g = build(c);
  EXPECT_EQ(g.nodes.size, (Int3{16, 12, 6}));
  EXPECT_EQ(g.nodes.fluid_nodes, 3u * 16 * 6);
  EXPECT_TRUE(g.nodes.is_fluid({7, 4, 5}));
  EXPECT_FALSE(g.nodes.is_fluid({8, 4, 5}));
}

TEST(Voxels, APartAndItsMirrorImage) {
  const TemporaryFolder folder;
  Case c;
  c.directory = folder.path();
  Case::Voxels v;
  v.file = folder.write("image.raw", image_bytes(8, false, true));
  v.shape = shape_of_image;
  v.fluid_below = 100;
  v.crop_from = Int3{1, 0, 1};
  v.crop_size = Int3{3, 4, 2};
  v.refine = 2;
  v.mirror = {true, false, true};
  c.geometry.voxels = v;
  const Geometry g = build(c);
  EXPECT_EQ(g.nodes.size, (Int3{12, 8, 8}));
  const auto mirrored = [](int node, int n) { return node / 2 < n ? node / 2 : 2 * n - 1 - node / 2; };
  for (int z = 0; z < 8; ++z)
    for (int y = 0; y < 8; ++y)
      for (int x = 0; x < 12; ++x) {
        const bool fluid = value_at(1 + mirrored(x, 3), y / 2, 1 + mirrored(z, 2)) % 256 < 100;
        EXPECT_EQ(g.nodes.is_fluid({x, y, z}), fluid) << x << " " << y << " " << z;
      }
  c.geometry.voxels->crop_from = Int3{3, 0, 0};
  expect_message([&] { build(c); }, {"along x the part from 3 to 6", "the image has 0 to 5"});
  c.geometry.voxels->crop_size.reset();
  EXPECT_EQ(build(c).nodes.size, (Int3{8, 8, 12}));
}

TEST(Mask, APartAndItsMirrorImage) {
  const TemporaryFolder folder;
  folder.write("image.pgm", "P2\n4 3\n255\n 8 9 0 9  9 9 8 0  0 9 9 8\n");
  Case c;
  c.domain.dimension = 2;
  c.directory = folder.path();
  c.geometry.mask = Case::Mask{};
  c.geometry.mask->file = "image.pgm";
  c.geometry.mask->threshold = 9;              // 9 is white, 8 is not
  c.geometry.mask->crop_from = Int3{1, 1, 0};  // from the lower left: the upper right 3 x 2
  c.geometry.mask->mirror = {true, false, false};
  const Geometry g = build(c);
  ASSERT_EQ(g.nodes.size, (Int3{6, 2, 1}));
  const std::string rows[2] = {"100001", "101101"};
  for (int y = 0; y < 2; ++y)
    for (int x = 0; x < 6; ++x) EXPECT_EQ(g.nodes.is_fluid({x, y, 0}), rows[y][x] == '1') << x << " " << y;
}

TEST(Mask, TakesSidesUpToTheLimit) {
  const TemporaryFolder folder;
  constexpr int most = 1 << 20;
  const auto read = [&](int width, int height) {
    const std::string content = "P5\n" + std::to_string(width) + " " + std::to_string(height) + "\n255\n";
    folder.write("long.pgm", content + std::string(static_cast<std::size_t>(width) * height, 'a'));
    return geometry::read_image(folder.path() / "long.pgm").pixels.size();
  };
  EXPECT_EQ(read(most, 1), static_cast<std::size_t>(most));
  EXPECT_EQ(read(1, most), static_cast<std::size_t>(most));
  expect_message([&] { read(most + 1, 1); }, {"long.pgm", "1048577 x 1 pixels; expected 1 to 1048576"});
  expect_message([&] { read(1, most + 1); }, {"long.pgm", "1 x 1048577 pixels"});
}

TEST(Mask, NamesWhatIsWrong) {
  const TemporaryFolder folder;
  const auto fails = [&](const std::string& name, const std::string& content, const std::vector<std::string>& parts) {
    folder.write(name, content);
    Case c;
    c.domain.dimension = 2;
    c.directory = folder.path();
    c.geometry.mask = Case::Mask{};
    c.geometry.mask->file = name;
    expect_message([&] { build(c); }, parts);
  };
  fails("empty.png", "", {"empty.png", "empty"});
  fails("text.png", "hello world", {"text.png", "neither a PNG image nor a PGM image"});
  fails("cut.pgm", "P5\n4 3\n255\nabc", {"cut.pgm", "4 x 3 pixels need 12 bytes", "found 3"});
  fails("cut2.pgm", "P2\n4 3\n255\n1 2 3", {"cut2.pgm", "pixel 4"});
  fails("deep.pgm", "P5\n4 3\n70000\nabc", {"largest grey value is 70000"});
  fails("wide.pgm", "P5\n4000000 3000000\n255\nabc", {"4000000 x 3000000 pixels"});
  fails("header.pgm", "P5\n4 x", {"expected the height at byte 5"});
  fails("black.pgm", "P2\n2 2\n255\n0 0 0 0", {"none of the 2 x 2 x 1 nodes"});
  write_png(folder.path() / "good.png", PNG_FORMAT_GRAY, std::vector<std::uint8_t>(12, 255));
  std::string bytes(std::filesystem::file_size(folder.path() / "good.png"), '\0');
  std::ifstream(folder.path() / "good.png", std::ios::binary)
      .read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  fails("cut.png", bytes.substr(0, bytes.size() - 25), {"cut.png", "damaged PNG"});
  std::vector<std::uint8_t> clear(4 * 12, 0);  // black, and nothing of it to be seen
  for (std::size_t i = 0; i < 5; ++i) clear[4 * i + 3] = 255;
  write_png(folder.path() / "clear.png", PNG_FORMAT_RGBA, clear);
  Case transparent;
  transparent.domain.dimension = 2;
  transparent.geometry.mask = Case::Mask{};
  transparent.geometry.mask->file = folder.path() / "clear.png";
  expect_message([&] { build(transparent); }, {"clear.png: 7 of 12 pixels are transparent", "-alpha remove"});
  fails("signature.png", bytes.substr(0, 8), {"signature.png", "damaged PNG"});
  // A head of 65000 x 65000 pixels, its checksum made right: more than libpng reads, and what it holds is freed.
  for (const std::size_t at : {16, 20}) bytes.replace(at, 4, std::string("\0\0\xFD\xE8", 4));
  const auto* head = reinterpret_cast<const Bytef*>(bytes.data()) + 12;
  for (unsigned i = 0, crc = static_cast<unsigned>(crc32(0, head, 17)); i < 4; ++i)
    bytes[29 + i] = static_cast<char>(crc >> (24 - 8 * i));
  fails("large.png", bytes, {"large.png", "65000 x 65000 pixels"});
}

}  // namespace
}  // namespace fluvia::test
