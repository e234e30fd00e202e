// SPDX-License-Identifier: Apache-2.0
// Images that say themselves what they are: NRRD, MetaImage, NumPy and TIFF.
#include <fmt/format.h>

#include "fluvia/geometry/image/files/image_file.hpp"
#include "fluvia/geometry/image/labels.hpp"
#include "fluvia/geometry/image/voxels.hpp"
#include "geometry/test_support.hpp"
#include "support/errors.hpp"
#include "support/npy.hpp"

namespace fluvia::test {
namespace {

const Int3 file_shape{5, 4, 3};

int label_at(int x, int y, int z) {
  return (x + 2 * y + 3 * z) % 5;
}

/// Bytes of a number: kind 'u', 'i' or 'f' as in NumPy.
std::string number_bytes(double value, char kind, int bytes, bool big) {
  std::uint64_t bits = static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
  if (kind == 'f' && bytes == 4) bits = std::bit_cast<std::uint32_t>(static_cast<float>(value));
  if (kind == 'f' && bytes == 8) bits = std::bit_cast<std::uint64_t>(value);
  std::string text;
  for (int i = 0; i < bytes; ++i) text += static_cast<char>(bits >> (8 * (big ? bytes - 1 - i : i)) & 255);
  return text;
}

/// The labels of all voxels, x or z fastest.
std::string labels(char kind, int bytes, bool big = false, bool x_fastest = true) {
  std::string text;
  const int outer = x_fastest ? 3 : 5, inner = x_fastest ? 5 : 3;
  for (int s = 0; s < outer; ++s)
    for (int y = 0; y < 4; ++y)
      for (int f = 0; f < inner; ++f)
        text += number_bytes(x_fastest ? label_at(f, y, s) : label_at(s, y, f), kind, bytes, big);
  return text;
}

std::string packed(const std::string& bytes, bool gzip) {
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, gzip ? 15 + 16 : 15, 8, Z_DEFAULT_STRATEGY);
  std::string out(bytes.size() + 100, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

Case::Voxels image_of(const std::filesystem::path& file) {
  Case::Voxels v;
  v.file = file;
  v.fluid_labels = std::vector<int>{2, 3};
  return v;
}

void expect_labels(const std::filesystem::path& file, const std::string& what) {
  SCOPED_TRACE(what);
  Case c;
  c.geometry.voxels = image_of(file);
  EXPECT_EQ(make_grid(c).size, file_shape);
  const geometry::Bitmap fluid = geometry::read_voxels(*c.geometry.voxels, ".");
  ASSERT_EQ(fluid.size(), file_shape);
  for (int z = 0; z < 3; ++z)
    for (int y = 0; y < 4; ++y)
      for (int x = 0; x < 5; ++x)
        EXPECT_EQ(fluid.get({x, y, z}), label_at(x, y, z) == 2 || label_at(x, y, z) == 3) << x << y << z;
}

std::string nrrd(const std::string& fields) {
  return "NRRD0005\n# a comment\ndimension: 3\nsizes: 5 4 3\n" + fields + "\n";
}

TEST(ImageFiles, NrrdOfEveryTypeAndPlace) {
  const TemporaryFolder folder;
  struct {
    const char* name;
    char kind;
    int bytes;
  } const types[] = {{"uint8", 'u', 1},    {"signed char", 'i', 1}, {"unsigned short", 'u', 2}, {"int16", 'i', 2},
                     {"uint32_t", 'u', 4}, {"int", 'i', 4},         {"float", 'f', 4},          {"double", 'f', 8}};
  for (const auto& type : types)
    for (const bool big : {false, true})
      for (const bool gzip : {false, true}) {
        const std::string fields = fmt::format("type: {}\nendian: {}\nencoding: {}\n", type.name,
                                               big ? "big" : "little", gzip ? "gzip" : "raw");
        const std::string plain = labels(type.kind, type.bytes, big), bytes = gzip ? packed(plain, true) : plain;
        expect_labels(folder.write("a.nrrd", nrrd(fields) + bytes), fields);
        folder.write("a.bin", bytes);
        expect_labels(folder.write("a.nhdr", nrrd(fields + "data file: a.bin\n")), fields + " detached");
      }
  folder.write("long.bin", "1234567" + labels('u', 1));
  for (const char* skip : {"7", "-1"})
    expect_labels(
        folder.write("b.nhdr",
                     nrrd(fmt::format("type: uchar\nencoding: raw\nbyte skip: {}\ndata file: long.bin\n", skip))),
        skip);
}

std::string meta(const std::string& fields, const std::string& data) {
  return "ObjectType = Image\r\nNDims = 3\r\nDimSize = 5 4 3\r\n" + fields + "ElementDataFile = " + data + "\r\n";
}

TEST(ImageFiles, MetaImageOfEveryTypeAndPlace) {
  const TemporaryFolder folder;
  struct {
    const char* name;
    char kind;
    int bytes;
  } const types[] = {{"MET_UCHAR", 'u', 1}, {"MET_SHORT", 'i', 2}, {"MET_USHORT", 'u', 2},
                     {"MET_INT", 'i', 4},   {"MET_FLOAT", 'f', 4}, {"MET_DOUBLE", 'f', 8}};
  for (const auto& type : types)
    for (const bool big : {false, true})
      for (const bool zlib : {false, true}) {
        const std::string fields =
            fmt::format("ElementType = {}\r\nBinaryDataByteOrderMSB = {}\r\nCompressedData = {}\r\n", type.name,
                        big ? "True" : "False", zlib ? "True" : "False");
        const std::string plain = labels(type.kind, type.bytes, big), bytes = zlib ? packed(plain, false) : plain;
        expect_labels(folder.write("a.mha", meta(fields, "LOCAL") + bytes), fields);
        folder.write("a.zraw", bytes);
        expect_labels(folder.write("a.mhd", meta(fields, "a.zraw")), fields + " detached");
      }
  folder.write("long.raw", "1234567" + labels('u', 1));
  for (const char* skip : {"7", "-1"})
    expect_labels(
        folder.write("b.mhd", meta(fmt::format("ElementType = MET_UCHAR\nHeaderSize = {}\n", skip), "long.raw")), skip);
}

/// A header of either version of NIfTI in front of the voxels.
std::string nifti(int version, bool big, int type, float edge, int unit, const std::string& voxels, int images = 1,
                  float slope = 0) {
  std::string header(version == 1 ? 352 : 544, '\0');
  const auto put = [&](std::size_t at, double value, char kind, int bytes) {
    header.replace(at, static_cast<std::size_t>(bytes), number_bytes(value, kind, bytes, big));
  };
  const bool one = version == 1;
  put(0, one ? 348 : 540, 'i', 4);
  header.replace(one ? 344 : 4, 3, one ? "n+1" : "n+2");
  put(one ? 70 : 12, type, 'i', 2);
  const int dims[] = {4, 5, 4, 3, images};
  for (std::size_t i = 0; i < 5; ++i) put(one ? 40 + 2 * i : 16 + 8 * i, dims[i], 'i', one ? 2 : 8);
  for (std::size_t i = 1; i < 4; ++i) put(one ? 76 + 4 * i : 104 + 8 * i, edge, 'f', one ? 4 : 8);
  put(one ? 108 : 168, one ? 352 : 544, one ? 'f' : 'i', one ? 4 : 8);
  put(one ? 112 : 176, slope, 'f', one ? 4 : 8);
  one ? put(123, unit, 'i', 1) : put(500, unit, 'i', 4);
  return header + voxels;
}

TEST(ImageFiles, NiftiOfBothVersions) {
  const TemporaryFolder folder;
  struct {
    int code;
    char kind;
    int bytes;
  } const types[] = {{2, 'u', 1}, {4, 'i', 2}, {8, 'i', 4}, {16, 'f', 4}, {64, 'f', 8}, {256, 'i', 1}, {512, 'u', 2}};
  for (const auto& type : types)
    for (const bool big : {false, true})
      for (const int version : {1, 2}) {
        const std::string file = nifti(version, big, type.code, 0.005F, 2, labels(type.kind, type.bytes, big), 1, 1);
        expect_labels(folder.write("a.nii", file), fmt::format("{} {} {}", type.code, big, version));
        expect_labels(write_gzip(folder, "b.nii.gz", file), "packed");
        EXPECT_NEAR(geometry::read_nifti_header(folder.path() / "a.nii").voxel.value(), 5e-6, 1e-12);
      }
  const std::string bytes = labels('u', 1);
  EXPECT_NEAR(geometry::read_nifti_header(folder.write("um.nii", nifti(1, false, 2, 7, 3, bytes))).voxel.value(), 7e-6,
              1e-12);
  EXPECT_FALSE(geometry::read_nifti_header(folder.write("none.nii", nifti(1, false, 2, 1, 0, bytes))).voxel)
      << "1 mm that nobody said";
  const auto fails = [&](const std::string& content, const std::vector<std::string>& parts) {
    const auto path = folder.write("bad.nii", content);
    expect_message([&] { geometry::read_voxels(image_of(path), "."); }, parts);
  };
  fails("n+1", {"bad.nii", "fewer than 348 bytes"});
  fails(std::string(400, 'x'), {"bad.nii", "is no NIfTI file"});
  fails(nifti(1, false, 128, 1, 0, bytes), {"type 128"});
  fails(nifti(1, false, 2, 1, 0, bytes, 7), {"it has 7 images (dim[4])"});
  fails(nifti(2, true, 2, 1, 0, bytes, 1, 2), {"times 2 plus 0"});
  fails(nifti(1, false, 2, 1, 0, bytes.substr(0, 30)), {"bad.nii", "30"});
  std::string pair = nifti(1, false, 2, 1, 0, bytes);
  pair.replace(344, 3, "ni1");
  fails(pair, {"'n+1'", ".hdr"});
}

std::string npy(const std::string& type, const std::string& order, const std::string& shape, const std::string& bytes) {
  return npy_header_of(type, shape, order.c_str()) + bytes;
}

TEST(ImageFiles, NumpyIsIndexedFromZToXInEitherOrder) {
  const TemporaryFolder folder;
  for (const std::string type : {"u1", "u2", "i4", "f4", "f8", "i8"})
    for (const bool big : {false, true})
      for (const bool fortran : {false, true}) {
        const std::string descr = (type == "u1" ? "|" : big ? ">" : "<") + type;
        const std::string bytes = labels(type[0], type[1] - '0', big, !fortran);
        expect_labels(folder.write("a.npy", npy(descr, fortran ? "True" : "False", "(3, 4, 5)", bytes)),
                      descr + (fortran ? " Fortran" : " C"));
      }
  // Truth values are 0 and 1.
  Case::Voxels truth = image_of(folder.write("b.npy", npy("|b1", "False", "(1, 2, 2)", std::string("\1\0\0\1", 4))));
  truth.fluid_labels = std::vector<int>{1};
  const geometry::Bitmap fluid = geometry::read_voxels(truth, ".");
  EXPECT_TRUE(fluid.get({0, 0, 0}) && !fluid.get({1, 0, 0}) && !fluid.get({0, 1, 0}) && fluid.get({1, 1, 0}));
  // Flat images have one layer; the second axis is x.
  for (const bool fortran : {false, true}) {
    const std::string bytes = fortran ? std::string("\2\0\2\0\0\0", 6) : std::string("\2\2\0\0\0\0", 6);
    const auto flat = geometry::read_voxels(
        image_of(folder.write("c.npy", npy("|u1", fortran ? "True" : "False", "(2, 3)", bytes))), ".");
    EXPECT_EQ(flat.size(), (Int3{3, 2, 1}));
    EXPECT_TRUE(flat.get({0, 0, 0}) && flat.get({1, 0, 0}) && !flat.get({2, 0, 0}) && !flat.get({0, 1, 0}));
  }
}

/// A TIFF file of uncompressed pages.
std::string tiff(int bits, int format, bool big, const std::vector<std::string>& pages, const Int3& shape = file_shape,
                 int samples = 1, int compression = 1) {
  const auto number = [&](std::size_t value, int bytes) {
    return number_bytes(static_cast<double>(value), 'u', bytes, big);
  };
  constexpr std::size_t entries = 9, directory = 2 + 12 * entries + 4;
  std::string text = (big ? "MM" : "II") + number(42, 2) + number(8, 4);
  for (std::size_t page = 0; page < pages.size(); ++page) {
    const std::size_t at = text.size() + directory;
    const std::string pixels = pages[page] + (pages[page].size() % 2 == 1 ? " " : "");
    text += number(entries, 2);
    const auto entry = [&](std::size_t tag, std::size_t value) {
      text += number(tag, 2) + number(4, 2) + number(1, 4) + number(value, 4);
    };
    const auto short_entry = [&](std::size_t tag, int value) {
      text += number(tag, 2) + number(3, 2) + number(1, 4) + number(static_cast<std::size_t>(value), 2) + number(0, 2);
    };
    entry(256, static_cast<std::size_t>(shape[0]));
    entry(257, static_cast<std::size_t>(shape[1]));
    short_entry(258, bits);
    short_entry(259, compression);
    short_entry(262, 1);
    entry(273, at);
    short_entry(277, samples);
    entry(279, pages[page].size());
    short_entry(339, format);
    text += number(page + 1 < pages.size() ? at + pixels.size() : 0, 4) + pixels;
  }
  return text;
}

std::vector<std::string> layers_of(const std::string& bytes) {
  std::vector<std::string> layers;
  for (std::size_t k = 0; k < 3; ++k) layers.push_back(bytes.substr(k * bytes.size() / 3, bytes.size() / 3));
  return layers;
}

class TiffFiles : public testing::Test {
 protected:
  void SetUp() override {
    try {
      geometry::read_tiff_header(folder.write("try.tif", tiff(8, 1, false, layers_of(labels('u', 1)))));
    } catch (const Error& error) {
      if (std::string(error.what()).find("libtiff-dev") == std::string::npos) throw;
      GTEST_SKIP() << "this build reads no TIFF";
    }
  }
  TemporaryFolder folder;
};

TEST_F(TiffFiles, OfEveryTypeAndOrder) {
  struct {
    char kind;
    int bytes, format;
  } const types[] = {{'u', 1, 1}, {'u', 2, 1}, {'i', 2, 2}, {'u', 4, 1}, {'f', 4, 3}, {'f', 8, 3}};
  for (const auto& type : types)
    for (const bool big : {false, true}) {
      const auto pages = layers_of(labels(type.kind, type.bytes, big));
      expect_labels(folder.write("a.tif", tiff(8 * type.bytes, type.format, big, pages)),
                    fmt::format("{}{}{}", type.kind, type.bytes, big));
    }
}

TEST_F(TiffFiles, OfSingleBitsAreZeroAndOne) {
  // Columns 0 and 9 of a page with ten.
  const std::string row = {static_cast<char>(0x80), static_cast<char>(0x40)};
  Case::Voxels v = image_of(folder.write("bits.tif", tiff(1, 1, false, {row + row}, {10, 2, 1})));
  v.fluid_labels = std::vector<int>{1};
  const geometry::Bitmap fluid = geometry::read_voxels(v, ".");
  EXPECT_EQ(fluid.size(), (Int3{10, 2, 1}));
  for (int x = 0; x < 10; ++x) EXPECT_EQ(fluid.get({x, 1, 0}), x == 0 || x == 9) << x;
}

TEST_F(TiffFiles, SlicesOfAFolderAreInTheOrderOfTheirNumbers) {
  const auto pages = layers_of(labels('u', 1));
  std::filesystem::create_directory(folder.path() / "slices");
  folder.write("slices/s10.tif", tiff(8, 1, false, {pages[2]}));
  folder.write("slices/s9.tiff", tiff(8, 1, true, {pages[1]}));
  folder.write("slices/s8.tif", tiff(8, 1, false, {pages[0]}));
  folder.write("slices/notes.txt", "made by a scanner");
  expect_labels(folder.path() / "slices", "folder");
}

TEST_F(TiffFiles, ThatAreWrongAreRefused) {
  const auto fails = [&](const std::string& content, const std::vector<std::string>& parts) {
    expect_message([&] { geometry::read_voxels(image_of(folder.write("bad.tif", content)), "."); }, parts);
  };
  const auto pages = layers_of(labels('u', 1));
  const std::string good = tiff(8, 1, false, pages);
  fails("no image", {"bad.tif: is no TIFF file"});
  fails(good.substr(0, good.size() - 12), {"bad.tif: is"});
  fails(good.substr(0, 200), {"bad.tif"});
  fails(tiff(8, 1, false, {std::string(60, 'a')}, {5, 4, 1}, 3), {"has 3 channels", "expected 1"});
  constexpr int jpeg_2000 = 34712;
  fails(tiff(8, 1, false, pages, file_shape, 1, jpeg_2000), {"is compressed by method 34712", "save it uncompressed"});
  fails(tiff(12, 1, false, {std::string(60, 'a')}, {5, 4, 1}), {"numbers of 12 bits"});
  fails(tiff(8, 1, false, {"abcd"}, {1 << 20, 1 << 20, 1}), {"bad.tif: has at most", "need 1099511627776"});
  fails(tiff(8, 1, false, {"abcd"}, {1 << 22, 1, 1}), {"its size is 4194304 1", "1 to 1048576"});
  std::filesystem::create_directory(folder.path() / "none");
  expect_message([&] { geometry::read_voxels(image_of(folder.path() / "none"), "."); }, {"has no slices"});
  std::filesystem::create_directory(folder.path() / "two");
  folder.write("two/1.tif", tiff(8, 1, false, {pages[0]}));
  folder.write("two/2.tif", tiff(8, 1, false, {"abcd"}, {2, 2, 1}));
  expect_message([&] { geometry::read_voxels(image_of(folder.path() / "two"), "."); },
                 {"2.tif: page 1 has 2 x 2 pixels", "5 x 4"});
  // Files that are no single series without gaps.
  const auto refuses = [&](const std::string& name, const std::vector<std::string>& files,
                           const std::vector<std::string>& parts) {
    std::filesystem::create_directories(folder.path() / name);
    for (const std::string& file : files) folder.write(name + "/" + file, tiff(8, 1, false, {pages[0]}));
    expect_message([&] { geometry::read_tiff_header(folder.path() / name); }, parts);
  };
  refuses("gap", {"s_001.tif", "s_002.tif", "s_004.tif"}, {"slice 3 is missing between 's_002.tif' and 's_004.tif'"});
  refuses("twice", {"s_1.tif", "s_01.tif", "s_2.tif"}, {"have the same number"});
  refuses("mixed", {"s_1.tif", "s_1_mask.tif", "s_2.tif", "s_2_mask.tif"},
          {"several series", "'s_#' (2), 's_#_mask' (2)"});
  refuses("pictures", {"a.jpg", "b.jpg"}, {"has no slices (.tif, .tiff, .png), but 2 files .jpg: save them as TIFF"});
}

TEST(ImageFiles, SayTheEdgeOfAVoxel) {
  const TemporaryFolder folder;
  const auto nrrd_voxel = [&](const std::string& fields) {
    return geometry::read_nrrd_header(folder.write("a.nrrd", nrrd("type: uchar\nencoding: raw\n" + fields)));
  };
  EXPECT_DOUBLE_EQ(*nrrd_voxel("spacings: 5.345 5.345 5.345\nspace units: \"um\" \"um\" \"um\"\n").voxel, 5.345e-6);
  EXPECT_DOUBLE_EQ(*nrrd_voxel("spacings: 2 2 2\nunits: \"mm\" \"mm\" \"mm\"\n").voxel, 2e-3);
  const std::string turned = "space directions: (0,0.25,0) (0.15,0,0.2) (0,0,-0.25)\n";
  EXPECT_DOUBLE_EQ(*nrrd_voxel("space: left-posterior-superior\n" + turned).voxel, 0.25e-3);
  EXPECT_NE(nrrd_voxel(turned).why_no_voxel.find("without a unit"), std::string::npos);
  EXPECT_FALSE(nrrd_voxel("spacings: nan nan nan\n").voxel);
  const auto meta_voxel = [&](const std::string& fields) {
    return geometry::read_meta_image_header(folder.write("a.mhd", meta("ElementType = MET_UCHAR\n" + fields, "a.raw")));
  };
  EXPECT_DOUBLE_EQ(*meta_voxel("ElementSpacing = 0.005 0.005 0.005\n").voxel, 5e-6);
  EXPECT_DOUBLE_EQ(*meta_voxel("ElementSize = 0.005 0.005 0.005\n").voxel, 5e-6);
  EXPECT_DOUBLE_EQ(*meta_voxel("ElementSpacing = 5 5 5\nDistanceUnits = um\n").voxel, 5e-6);
  const geometry::ImageHeader doubtful = meta_voxel("ElementSpacing = 5.345 5.345 5.345\n");
  EXPECT_FALSE(doubtful.voxel);
  const std::string refusal = error_of(ExitCode::usage, [&] { geometry::voxel_edge(doubtful, {}); });
  EXPECT_NE(refusal.find("--voxel is missing: ElementSpacing is 5.345 5.345 5.345, which would be mm"),
            std::string::npos)
      << refusal;
  EXPECT_DOUBLE_EQ(geometry::voxel_edge(doubtful, 5e-6).metres, 5e-6);
  const geometry::VoxelEdge other = geometry::voxel_edge(meta_voxel("ElementSpacing = 0.005 0.005 0.005\n"), 6e-6);
  EXPECT_DOUBLE_EQ(other.metres, 6e-6);
  EXPECT_NE(other.note.find("not the 5e-06 m that the header says"), std::string::npos) << other.note;
}

TEST(ImageFiles, WithBadHeadersAreRefused) {
  const TemporaryFolder folder;
  const std::string bytes = labels('u', 1);
  const auto fails = [&](const std::string& name, const std::string& content, const std::vector<std::string>& parts) {
    expect_message([&] { geometry::read_voxels(image_of(folder.write(name, content)), folder.path()); }, parts);
  };
  const std::string raw = "encoding: raw\n", uchar = "type: uchar\n";
  fails("a.nrrd", "", {"a.nrrd: is no NRRD file"});
  fails("a.nrrd", nrrd(uchar + raw) + bytes.substr(1), {"a.nrrd: has 59 bytes of voxels", "5 x 4 x 3", "need 60"});
  fails("a.nrrd", nrrd(uchar + raw) + bytes + "1", {"has 61 bytes of voxels", "need 60"});
  fails("a.nrrd", nrrd(raw) + bytes, {"no 'type'"});
  fails("a.nrrd", nrrd("type: block\n" + raw) + bytes, {"type is 'block'"});
  fails("a.nrrd", nrrd(uchar) + bytes, {"no 'encoding'"});
  fails("a.nrrd", nrrd(uchar + "encoding: bzip2\n"), {"encoding is 'bzip2', expected raw or gzip"});
  fails("a.nrrd", nrrd("type: short\n" + raw) + bytes + bytes, {"endian is ''", "little or big"});
  fails("a.nrrd", nrrd(uchar + raw + "dimension: 4\n") + bytes, {"dimension is '4'", "'sizes', 3"});
  fails("a.nrrd", nrrd(uchar + raw + "sizes: 5 4\n") + bytes, {"dimension is '3'"});
  fails("a.nrrd", nrrd(uchar + raw + "sizes: 5 0 3\n") + bytes, {"sizes is 5 0 3", "1 to 1048576"});
  fails("a.nrrd", nrrd(uchar + raw + "sizes: 5 -4 3\n") + bytes, {"sizes is '5 -4 3', expected whole numbers"});
  fails("a.nrrd", nrrd(uchar + raw + "sizes: 1000000 1000000 1000000\n") + bytes, {"has 60 bytes of voxels"});
  fails("a.nrrd", nrrd(uchar + raw + "sizes: 99999999999999999999 1 1\n") + bytes, {"sizes is '99999999999999999999"});
  fails("a.nrrd", nrrd(uchar + raw + "sizes: 3 5 4\nkinds: RGB-color domain domain\n") + bytes,
        {"kinds is 'RGB-color"});
  fails("a.nrrd", nrrd(uchar + raw + "dimension: 4\nsizes: 3 5 4 1\n") + bytes, {"4 axes", "one channel"});
  fails("a.nrrd", nrrd(uchar + raw + "spacings: 1 1 2\nspace: RAS\n") + bytes, {"spacings is 1 1 2", "no cubes"});
  fails("a.nrrd", nrrd(uchar + raw + "spacings: 1 1 0\nspace: RAS\n") + bytes, {"spacings is 1 1 0", "above 0"});
  fails("a.nrrd", nrrd(uchar + raw + "spacings: 1 1\n") + bytes, {"spacings is '1 1'", "as many entries as 'sizes'"});
  fails("a.nrrd", nrrd(uchar + raw + "spacings: 1 1 1\nunits: \"um\" \"mm\" \"um\"\n") + bytes, {"one unit of length"});
  fails("a.nrrd", nrrd(uchar + raw + "space directions: (1,0,0 (0,1,0)\n") + bytes, {"space directions is"});
  fails("a.nrrd", nrrd(uchar + raw + "byte skip: 99999\n") + bytes, {"its voxels are to begin after"});
  fails("a.nrrd", nrrd(uchar + "encoding: gzip\n") + packed(bytes, true).substr(0, 30), {"damaged or truncated"});
  fails("a.nrrd", nrrd(uchar + "encoding: gzip\n") + packed(bytes.substr(1), true), {"has 59 bytes of voxels"});
  fails("a.nhdr", nrrd(uchar + raw + "data file: absent.raw\n"), {"absent.raw: cannot be opened"});
  fails("a.nhdr", nrrd(uchar + raw + "data file: LIST\n"), {"data file is 'LIST'", "one file"});

  const std::string type = "ElementType = MET_UCHAR\n";
  fails("a.mha", "what is this", {"a.mha: is no MetaImage: 'what is this'"});
  fails("a.mha", "NDims = 3\n", {"no 'ElementDataFile'"});
  fails("a.mha", meta(type, "LOCAL") + bytes.substr(1), {"has 59 bytes of voxels", "need 60"});
  fails("a.mhd", meta(type, "absent.raw"), {"absent.raw: cannot be opened"});
  fails("a.mhd", meta(type, "slice%03d.raw 1 3 1"), {"ElementDataFile is 'slice%03d.raw 1 3 1'", "one file"});
  fails("a.mha", meta("", "LOCAL") + bytes, {"no 'ElementType'"});
  fails("a.mha", meta("ElementType = MET_COLOUR\n", "LOCAL") + bytes, {"ElementType is 'MET_COLOUR'"});
  fails("a.mha", meta(type + "ElementNumberOfChannels = 3\n", "LOCAL") + bytes, {"ElementNumberOfChannels is '3'"});
  fails("a.mha", meta(type + "NDims = 2\n", "LOCAL") + bytes, {"NDims is '2'"});
  fails("a.mha", meta(type + "BinaryData = False\n", "LOCAL") + bytes, {"BinaryData is 'False'", "True"});
  fails("a.mha", meta(type + "CompressedData = maybe\n", "LOCAL") + bytes, {"CompressedData is 'maybe'"});
  fails("a.mha", meta(type + "ElementSpacing = 1 1\n", "LOCAL") + bytes, {"ElementSpacing is '1 1'", "3 lengths"});
  fails("a.mha", meta(type + "ElementSpacing = 1 2 x\n", "LOCAL") + bytes, {"'1 2 x', expected numbers"});
  fails("a.mha", meta(type + "DistanceUnits = ell\nElementSpacing = 1 1 1\n", "LOCAL") + bytes,
        {"DistanceUnits is 'ell'"});

  fails("a.npy", "nothing", {"a.npy: is no array of numpy.save()"});
  fails("a.npy", npy("|u1", "False", "(3, 4, 5)", bytes.substr(1)), {"has 59 bytes of voxels"});
  fails("a.npy", npy("|S4", "False", "(3, 4, 5)", bytes), {"values of type |S4"});
  fails("a.npy", npy("<c8", "False", "(3, 4, 5)", bytes), {"values of type <c8"});
  fails("a.npy", npy("|u1", "False", "(60,)", bytes), {"(1 axes)", "two axes or three"});
  fails("a.npy", npy("|u1", "False", "(3, 4, 5, 1)", bytes), {"(4 axes)"});
  fails("a.npy", npy("|u1", "False", "(20, 20, 3)", std::string(1200, '\0')), {"picture with colours"});
  fails("a.npy", npy("<f4", "False", "(1, 1, 2)", number_bytes(1, 'f', 4, false) + std::string(3, '\0') + "\x3f"),
        {"a voxel is 0.5, but labels are whole numbers"});
  fails("a.npy", npy("<f4", "False", "(1, 1, 1)", std::string("\0\0\xc0\x7f", 4)), {"a voxel is NaN"});

  Case::Voxels v = image_of(folder.write("b.npy", npy("|u1", "False", "(3, 4, 5)", bytes)));
  v.shape = {5, 4, 4};
  expect_message([&] { geometry::read_voxels(v, "."); }, {"shape is 5 x 4 x 4, but the header of", "says 5 x 4 x 3"});
  v.shape = file_shape;
  v.fluid_labels = std::vector<int>{300};
  expect_message([&] { geometry::read_voxels(v, "."); }, {"fluid_labels has 300", "uint8 hold 0 to 255"});
}

/// What the command line says of an image whose voxels have these values, when nothing says what is fluid.
std::string guess(const TemporaryFolder& folder, const std::string& bytes) {
  Case::Voxels v = image_of(folder.write("guess.raw", bytes));
  v.shape = {static_cast<int>(bytes.size()), 1, 1};
  v.fluid_labels = std::vector<int>{0};
  const geometry::LabelCounts found = geometry::count_labels(v, ".");
  try {
    geometry::check_labels(v, found, false);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::usage);
    return error.what();
  }
  return found.line(v);
}

TEST(ImageLabels, OfPoresAreNotGuessed) {
  const TemporaryFolder folder;
  const auto expect = [&](const std::string& bytes, const std::vector<std::string>& parts) {
    const std::string said = guess(folder, bytes);
    for (const std::string& part : parts) EXPECT_NE(said.find(part), std::string::npos) << part << "\n" << said;
  };
  const auto mixed = [](int zeros, int others, char other) {
    return std::string(static_cast<std::size_t>(zeros), '\0') + std::string(static_cast<std::size_t>(others), other);
  };
  EXPECT_EQ(guess(folder, mixed(2, 6, '\1')), "labels: 0 25% (fluid), 1 75%");
  expect(mixed(6, 2, '\1'), {"nothing says which voxels are the pores, and 0 would be 75% of the image",
                             "\n  0     75% of the voxels\n  1     25% of the voxels",
                             "add --pore 1 if the pores are the 25%, or --pore 0 if they are the 75%"});
  expect(mixed(2, 6, '\xff'), {"and 0 and 255 are either", "add --pore 0 if the pores are the 25%, or --pore 255"});
  expect(std::string(2, '\1') + std::string(6, '\2'), {"and no voxel is 0", "add --pore 1 if"});
  expect(std::string(4, '\0'), {"0 would be 100% of the image"});
  std::string grey;
  for (int i = 0; i < 20; ++i) grey += static_cast<char>(i);
  expect(grey, {"20 different values from 0 to 19, a grey image", "--below V or --above V", "--pore V"});
}

}  // namespace
}  // namespace fluvia::test
