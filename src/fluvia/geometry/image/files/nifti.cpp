// SPDX-License-Identifier: Apache-2.0
// NIfTI-1 and NIfTI-2: https://nifti.nimh.nih.gov/nifti-1, https://nifti.nimh.nih.gov/nifti-2
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

#include "fluvia/base/error.hpp"
#include "fluvia/geometry/image/files/image_file.hpp"
#include "fluvia/geometry/input_file.hpp"

namespace fluvia::geometry {
namespace {

/// Places of the fields in a header, bytes; their types differ between the versions.
struct NiftiLayout {
  std::size_t length, magic, type, dim, pixdim, offset, slope, inter, units, forms, quaternion, rows;
  const char* magic_text;
};
constexpr NiftiLayout nifti_1{348, 344, 70, 40, 76, 108, 112, 116, 123, 252, 256, 280, "n+1"};
constexpr NiftiLayout nifti_2{540, 4, 12, 16, 104, 168, 176, 184, 500, 344, 352, 400, "n+2"};

struct NiftiType {
  int code;
  ElementType type;
};
constexpr std::array nifti_types = {NiftiType{2, {ElementType::Kind::whole, 1}},
                                    NiftiType{4, {ElementType::Kind::whole_or_negative, 2}},
                                    NiftiType{8, {ElementType::Kind::whole_or_negative, 4}},
                                    NiftiType{16, {ElementType::Kind::real, 4}},
                                    NiftiType{64, {ElementType::Kind::real, 8}},
                                    NiftiType{256, {ElementType::Kind::whole_or_negative, 1}},
                                    NiftiType{512, {ElementType::Kind::whole, 2}},
                                    NiftiType{768, {ElementType::Kind::whole, 4}},
                                    NiftiType{1024, {ElementType::Kind::whole_or_negative, 8}},
                                    NiftiType{1280, {ElementType::Kind::whole, 8}}};

/// The fields of a header, whichever the version and the order of bytes.
class NiftiFields {
 public:
  explicit NiftiFields(const std::filesystem::path& path) : path_(path) {
    InputFile file(path);
    const std::size_t got = file.read(bytes_.data(), bytes_.size());
    if (got < nifti_1.length) fail("is no NIfTI file: it has fewer than 348 bytes");
    for (const NiftiLayout* layout : {&nifti_1, &nifti_2})
      for (const bool big : {false, true}) {
        big_ = big;
        if (get<std::int32_t>(0) == static_cast<std::int32_t>(layout->length) && got >= layout->length) {
          layout_ = layout;
          if (std::memcmp(bytes_.data() + layout->magic, layout->magic_text, 3) != 0)
            fail(
                fmt::format("its header does not say '{}': only NIfTI files whose voxels follow their header are read, "
                            "no pairs of .hdr and .img",
                            layout->magic_text));
          return;
        }
      }
    fail("is no NIfTI file: it does not begin with the length of a header, 348 or 540");
  }
  [[nodiscard]] bool big_endian() const { return big_; }
  [[nodiscard]] int type() const { return get<std::int16_t>(layout_->type); }
  [[nodiscard]] std::int64_t dim(std::size_t i) const {
    return first() ? get<std::int16_t>(layout_->dim + 2 * i) : get<std::int64_t>(layout_->dim + 8 * i);
  }
  [[nodiscard]] double pixdim(std::size_t i) const { return real(layout_->pixdim, i); }
  [[nodiscard]] double slope() const { return real(layout_->slope, 0); }
  [[nodiscard]] double inter() const { return real(layout_->inter, 0); }
  [[nodiscard]] double offset() const {
    return first() ? get<float>(layout_->offset) : static_cast<double>(get<std::int64_t>(layout_->offset));
  }
  [[nodiscard]] std::size_t length() const { return layout_->length; }
  /// Code of the unit of length: 1 m, 2 mm, 3 um, 0 unknown.
  [[nodiscard]] int unit() const { return static_cast<int>(bytes_[layout_->units + (!first() && big_ ? 3 : 0)]) & 7; }
  /// Notes the axes in space: those of the affine matrix (sform), else those of the quaternion (qform).
  void put_axes(ImageHeader& header) const {
    const auto code = [&](std::size_t i) {
      return first() ? get<std::int16_t>(layout_->forms + 2 * i) : get<std::int32_t>(layout_->forms + 4 * i);
    };
    if (code(1) > 0) {
      std::array<double, 9> axes{};
      for (std::size_t row = 0; row < 3; ++row)
        for (std::size_t axis = 0; axis < 3; ++axis) axes[3 * axis + row] = real(layout_->rows, 4 * row + axis);
      set_orientation(header, "sform", axes);
    } else if (code(0) > 0) {
      const double b = real(layout_->quaternion, 0), c = real(layout_->quaternion, 1), d = real(layout_->quaternion, 2);
      const double a = std::sqrt(std::max(0.0, 1 - b * b - c * c - d * d)), turn = pixdim(0) < 0 ? -1 : 1;
      set_orientation(header, "qform",
                      {a * a + b * b - c * c - d * d, 2 * (b * c + a * d), 2 * (b * d - a * c), 2 * (b * c - a * d),
                       a * a + c * c - b * b - d * d, 2 * (c * d + a * b), turn * 2 * (b * d + a * c),
                       turn * 2 * (c * d - a * b), turn * (a * a + d * d - c * c - b * b)});
    }
  }
  [[noreturn]] void fail(const std::string& what) const { throw_input(path_.string() + ": " + what); }

 private:
  [[nodiscard]] bool first() const { return layout_ == &nifti_1; }
  [[nodiscard]] double real(std::size_t at, std::size_t i) const {
    return first() ? get<float>(at + 4 * i) : get<double>(at + 8 * i);
  }
  template <class T>
  [[nodiscard]] T get(std::size_t at) const {
    std::array<std::byte, sizeof(T)> value;
    std::copy_n(bytes_.data() + at, sizeof(T), value.data());
    if (big_) std::reverse(value.begin(), value.end());
    return std::bit_cast<T>(value);
  }
  const std::filesystem::path& path_;
  std::array<std::byte, 540> bytes_{};
  const NiftiLayout* layout_ = nullptr;
  bool big_ = false;
};

Int3 nifti_shape(const std::filesystem::path& path, const NiftiFields& fields) {
  const std::int64_t axes = fields.dim(0);
  if (axes < 2 || axes > 7) fields.fail(fmt::format("its header has {} axes (dim[0]); expected 2 to 7", axes));
  std::vector<std::uint64_t> sizes;
  for (std::size_t i = 1; i <= static_cast<std::size_t>(axes); ++i) {
    const std::int64_t size = fields.dim(i);
    if (i <= 3)
      sizes.push_back(size < 0 ? 0 : static_cast<std::uint64_t>(size));
    else if (size != 1)
      fields.fail(fmt::format("it has {} images (dim[{}]); save one of them, or one channel, by itself", size, i));
  }
  return image_shape(path, "dim", sizes);
}

}  // namespace

ImageHeader read_nifti_header(const std::filesystem::path& path) {
  const NiftiFields fields(path);
  ImageHeader header;
  header.shape = nifti_shape(path, fields);
  const auto known = std::find_if(nifti_types.begin(), nifti_types.end(),
                                  [&](const NiftiType& type) { return type.code == fields.type(); });
  if (known == nifti_types.end())
    fields.fail(fmt::format("its voxels have the type {} (datatype); save them as uint8 or another type of numbers",
                            fields.type()));
  header.type = known->type;
  header.big_endian = fields.big_endian();
  const bool scaled = fields.slope() != 0 && (fields.slope() != 1 || fields.inter() != 0);
  if (scaled)
    fields.fail(fmt::format("its values are stored numbers times {} plus {} (scl_slope, scl_inter); save them unscaled",
                            fields.slope(), fields.inter()));
  constexpr double farthest = 1e9;
  if (!(fields.offset() >= static_cast<double>(fields.length())) || !(fields.offset() <= farthest))
    fields.fail(fmt::format("its voxels are to begin after {} bytes (vox_offset), but the header has {}",
                            fields.offset(), fields.length()));
  header.offset = static_cast<std::uint64_t>(fields.offset());
  header.data = path;
  std::vector<double> edges;
  for (std::size_t i = 1; i <= (header.shape[2] > 1 ? 3U : 2U); ++i) edges.push_back(std::abs(fields.pixdim(i)));
  constexpr std::array units{1e-3, 1.0, 1e-3, 1e-6};
  if (fields.unit() >= static_cast<int>(units.size()))
    fields.fail(fmt::format("the unit of its lengths has the code {} (xyzt_units); expected 0 to 3", fields.unit()));
  if (std::all_of(edges.begin(), edges.end(), [](double edge) { return edge > 0; }))
    set_voxel(header, path, "pixdim", edges, units[static_cast<std::size_t>(fields.unit())],
              fields.unit() == 0 ? UnitSaid::by_convention : UnitSaid::yes);
  fields.put_axes(header);
  return header;
}

}  // namespace fluvia::geometry
