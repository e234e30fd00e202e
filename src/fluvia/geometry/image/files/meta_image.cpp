// SPDX-License-Identifier: Apache-2.0
// MetaImage: https://itk.org/Wiki/ITK/MetaIO/Documentation
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "fluvia/base/error.hpp"
#include "fluvia/base/text.hpp"
#include "fluvia/geometry/image/files/header_text.hpp"
#include "fluvia/geometry/image/files/image_file.hpp"

namespace fluvia::geometry {
namespace {

struct MetaType {
  std::string_view name;
  ElementType type;
};

constexpr std::array meta_types = {MetaType{"MET_CHAR", {ElementType::Kind::whole_or_negative, 1}},
                                   MetaType{"MET_UCHAR", {ElementType::Kind::whole, 1}},
                                   MetaType{"MET_SHORT", {ElementType::Kind::whole_or_negative, 2}},
                                   MetaType{"MET_USHORT", {ElementType::Kind::whole, 2}},
                                   MetaType{"MET_INT", {ElementType::Kind::whole_or_negative, 4}},
                                   MetaType{"MET_UINT", {ElementType::Kind::whole, 4}},
                                   MetaType{"MET_LONG_LONG", {ElementType::Kind::whole_or_negative, 8}},
                                   MetaType{"MET_ULONG_LONG", {ElementType::Kind::whole, 8}},
                                   MetaType{"MET_FLOAT", {ElementType::Kind::real, 4}},
                                   MetaType{"MET_DOUBLE", {ElementType::Kind::real, 8}}};

/// The fields of a header. ElementDataFile is the last one; elements may follow.
class MetaFields : public HeaderFields {
 public:
  explicit MetaFields(const std::filesystem::path& path) : HeaderFields(path) {
    for (auto line = text_.line(); line; line = text_.line()) {
      if (trimmed(*line).empty()) continue;
      const std::size_t equals = line->find('=');
      if (equals == std::string::npos)
        throw_input(
            fmt::format("{}: is no MetaImage: '{}' is no line of the form Key = Value", path.string(), shorten(*line)));
      const std::string name = trimmed(line->substr(0, equals));
      fields_[name] = trimmed(line->substr(equals + 1));
      if (name == "ElementDataFile") return;
    }
    throw_input(path.string() + ": its header has no 'ElementDataFile', which names the file of the voxels");
  }
  /// True or False under one of two names.
  [[nodiscard]] bool flag(const std::string& name, const std::string& other_name) const {
    const std::string value = get(get(name).empty() ? other_name : name);
    const std::string letter = value.substr(0, 1);
    if (letter == "T" || letter == "t" || letter == "1") return true;
    if (value.empty() || letter == "F" || letter == "f" || letter == "0") return false;
    fail(name, value, "True or False");
  }
};

ElementType meta_type(const MetaFields& fields) {
  const std::string name = fields.need("ElementType");
  for (const MetaType& known : meta_types)
    if (name == known.name) return known.type;
  fields.fail("ElementType", name, "MET_UCHAR, MET_USHORT, MET_FLOAT or another type of numbers");
}

void set_meta_spacing(const MetaFields& fields, std::size_t axes, ImageHeader& header) {
  const std::string key = fields.get("ElementSpacing").empty() ? "ElementSize" : "ElementSpacing";
  if (fields.get(key).empty()) return;
  const std::vector<double> edges = real_numbers(fields.path(), key, fields.get(key));
  if (edges.size() != axes) fields.fail(key, fields.get(key), fmt::format("{} lengths, as 'DimSize' has", axes));
  double unit = 1e-3;  // the format's own unit, which is all that most headers mean
  UnitSaid said = UnitSaid::by_convention;
  if (const std::string name = fields.get("DistanceUnits"); !name.empty() && name != "?") {
    const std::optional<double> metres = header_unit(name);
    if (!metres) fields.fail("DistanceUnits", name, "um, mm or cm");
    unit = *metres;
    said = UnitSaid::yes;
  }
  set_voxel(header, fields.path(), key, edges, unit, said);
}

void set_meta_orientation(const MetaFields& fields, ImageHeader& header) {
  const std::string key = fields.get("TransformMatrix").empty() ? "Orientation" : "TransformMatrix";
  if (fields.get(key).empty()) return;
  const std::vector<double> parts = real_numbers(fields.path(), key, fields.get(key));
  std::array<double, 9> axes{};
  if (parts.size() != axes.size()) return;
  std::copy(parts.begin(), parts.end(), axes.begin());
  set_orientation(header, key, axes);
}

/// Where the elements are: behind the header, or in a file of their own.
void set_meta_place(const MetaFields& fields, ImageHeader& header) {
  const std::string file = fields.need("ElementDataFile");
  const bool local = file == "LOCAL" || file == "Local" || file == "local";
  if (file.starts_with("LIST") || file.find('%') != std::string::npos)
    fields.fail("ElementDataFile", file, "one file with all slices");
  header.data = local ? fields.path() : resolve(fields.path().parent_path(), file);
  header.offset = local ? fields.bytes() : 0;
  const std::string skip = fields.get("HeaderSize");
  header.at_end = skip == "-1";
  if (header.at_end && header.packed) fields.fail("HeaderSize", skip, "a number of bytes, as the data are compressed");
  if (skip.empty() || header.at_end) return;
  const std::vector<std::uint64_t> bytes = whole_numbers(fields.path(), "HeaderSize", skip);
  if (bytes.size() != 1) fields.fail("HeaderSize", skip, "one number");
  if (!local) header.offset = bytes[0];
}

}  // namespace

ImageHeader read_meta_image_header(const std::filesystem::path& path) {
  const MetaFields fields(path);
  ImageHeader header;
  const std::vector<std::uint64_t> sizes = whole_numbers(path, "DimSize", fields.need("DimSize"));
  if (const std::string dimension = fields.need("NDims"); dimension != std::to_string(sizes.size()))
    fields.fail("NDims", dimension, fmt::format("the number of entries of 'DimSize', {}", sizes.size()));
  header.shape = image_shape(path, "DimSize", sizes);
  if (const std::string channels = fields.get("ElementNumberOfChannels"); !channels.empty() && channels != "1")
    fields.fail("ElementNumberOfChannels", channels,
                "1: a number for each voxel; save one channel as an image of its own");
  header.type = meta_type(fields);
  header.big_endian = fields.flag("BinaryDataByteOrderMSB", "ElementByteOrderMSB");
  if (!fields.get("BinaryData").empty() && !fields.flag("BinaryData", "BinaryData"))
    fields.fail("BinaryData", fields.get("BinaryData"), "True; voxels as text are not read");
  header.packed = fields.flag("CompressedData", "CompressedData");
  set_meta_spacing(fields, sizes.size(), header);
  set_meta_orientation(fields, header);
  set_meta_place(fields, header);
  return header;
}

}  // namespace fluvia::geometry
