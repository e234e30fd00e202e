// SPDX-License-Identifier: Apache-2.0
// NRRD, version 1 to 5: https://teem.sourceforge.net/nrrd/format.html
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "fluvia/base/error.hpp"
#include "fluvia/base/text.hpp"
#include "fluvia/geometry/image/files/header_text.hpp"
#include "fluvia/geometry/image/files/image_file.hpp"

namespace fluvia::geometry {
namespace {

using NrrdKind = ElementType::Kind;

struct NrrdType {
  ElementType type;
  std::string_view names;  ///< each between bars
};

constexpr std::array nrrd_types = {
    NrrdType{{NrrdKind::whole_or_negative, 1}, "|signed char|int8|int8_t|"},
    NrrdType{{NrrdKind::whole, 1}, "|uchar|unsigned char|uint8|uint8_t|"},
    NrrdType{{NrrdKind::whole_or_negative, 2}, "|short|short int|signed short|signed short int|int16|int16_t|"},
    NrrdType{{NrrdKind::whole, 2}, "|ushort|unsigned short|unsigned short int|uint16|uint16_t|"},
    NrrdType{{NrrdKind::whole_or_negative, 4}, "|int|signed int|int32|int32_t|"},
    NrrdType{{NrrdKind::whole, 4}, "|uint|unsigned int|uint32|uint32_t|"},
    NrrdType{{NrrdKind::whole_or_negative, 8},
             "|longlong|long long|long long int|signed long long|signed long long int|int64|int64_t|"},
    NrrdType{{NrrdKind::whole, 8}, "|ulonglong|unsigned long long|unsigned long long int|uint64|uint64_t|"},
    NrrdType{{NrrdKind::real, 4}, "|float|"},
    NrrdType{{NrrdKind::real, 8}, "|double|"}};

/// The fields of a header, by their names in lower case.
class NrrdFields : public HeaderFields {
 public:
  explicit NrrdFields(const std::filesystem::path& path) : HeaderFields(path) {
    const std::string first = text_.line().value_or("");
    if (!first.starts_with("NRRD000"))
      throw_input(fmt::format("{}: is no NRRD file: it begins with '{}', expected NRRD0001 to NRRD0005", path.string(),
                              shorten(first)));
    for (auto line = text_.line(); line && !line->empty(); line = text_.line()) {
      const std::size_t colon = line->find(':');
      if ((*line)[0] == '#' || colon == std::string::npos) continue;
      if (line->substr(colon).starts_with(":=")) continue;  // a key of somebody's own
      std::string name = trimmed(line->substr(0, colon));
      std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
      fields_[name] = trimmed(line->substr(colon + 1));
    }
  }
};

ElementType nrrd_type(const NrrdFields& fields) {
  const std::string name = fields.need("type");
  for (const NrrdType& known : nrrd_types)
    if (known.names.find("|" + name + "|") != std::string_view::npos) return known.type;
  fields.fail("type", name, "uint8, int16, float or another type of numbers");
}

/// Refuses axes that are no axes in space: the colours of a picture, or the components of vectors.
void check_kinds(const NrrdFields& fields) {
  for (const std::string& kind : words_of(fields.get("kinds")))
    if (kind != "domain" && kind != "space" && kind != "none" && kind != "???")
      fields.fail("kinds", fields.get("kinds"),
                  "axes in space only ('domain' or 'space'); save one channel as an image of its own");
}

/// Lengths of the vectors "(a,b,c) (d,e,f) ..." of the field 'space directions'; 'none' stands for no axis in space.
std::vector<double> lengths_of_directions(const NrrdFields& fields, std::string text, ImageHeader& header) {
  const std::string whole = text;
  const auto blank = [](char c) { return c == ' ' || c == '\t'; };
  std::vector<double> lengths, parts;
  while (!text.empty()) {
    const std::size_t end = text.find(')');
    if (text[0] != '(' || end == std::string::npos)
      fields.fail("space directions", whole, "vectors such as (0.005,0,0), one for each axis");
    std::string vector = text.substr(1, end - 1);
    std::replace(vector.begin(), vector.end(), ',', ' ');
    double square = 0;
    for (const double part : real_numbers(fields.path(), "space directions", vector)) {
      square += part * part;
      parts.push_back(part);
    }
    lengths.push_back(std::sqrt(square));
    text.erase(0, end + 1);
    while (!text.empty() && blank(text[0])) text.erase(0, 1);
  }
  if (std::array<double, 9> axes{}; parts.size() == axes.size()) {
    std::copy(parts.begin(), parts.end(), axes.begin());
    set_orientation(header, "'space directions'", axes);
  }
  return lengths;
}

/// Names in quotes: "um" "um" "um".
std::vector<std::string> quoted(const std::string& text) {
  std::vector<std::string> names;
  for (std::size_t from = text.find('"'); from != std::string::npos;) {
    const std::size_t end = text.find('"', from + 1);
    if (end == std::string::npos) break;
    names.push_back(text.substr(from + 1, end - from - 1));
    from = text.find('"', end + 1);
  }
  return names;
}

void set_nrrd_spacing(const NrrdFields& fields, ImageHeader& header) {
  const std::string directions = fields.get("space directions");
  const std::string key = directions.empty() ? "spacings" : "space directions";
  if (fields.get(key).empty()) return;
  const std::vector<double> edges = directions.empty() ? real_numbers(fields.path(), key, fields.get(key))
                                                       : lengths_of_directions(fields, directions, header);
  if (edges.size() != words_of(fields.need("sizes")).size())
    fields.fail(key, fields.get(key), "as many entries as 'sizes'");
  const std::vector<std::string> names = quoted(fields.get("space units", "units"));
  double unit = 1e-3;
  // A space of anatomy, such as left-posterior-superior, is measured in mm by those who write it.
  const bool anatomy = fields.get("space").find("superior") != std::string::npos || fields.get("space").size() == 3;
  UnitSaid said = anatomy ? UnitSaid::by_convention : UnitSaid::no;
  if (!names.empty() && !names[0].empty()) {
    const std::optional<double> metres = header_unit(names[0]);
    if (!metres || std::any_of(names.begin(), names.end(), [&](const auto& name) { return name != names[0]; }))
      fields.fail("units", fields.get("space units", "units"), "one unit of length for all axes, such as \"um\"");
    unit = *metres;
    said = UnitSaid::yes;
  }
  set_voxel(header, fields.path(), key, edges, unit, said);
}

/// Where the elements are: behind the header, or in a file of their own.
void set_nrrd_place(const NrrdFields& fields, ImageHeader& header) {
  const std::string file = fields.get("data file", "datafile");
  header.data = file.empty() ? fields.path() : resolve(fields.path().parent_path(), file);
  header.offset = file.empty() ? fields.bytes() : 0;
  if (file == "LIST" || file.starts_with("LIST ") || file.find('%') != std::string::npos)
    fields.fail("data file", file, "one file with all slices");
  const std::string lines = fields.get("line skip", "lineskip"), skip = fields.get("byte skip", "byteskip");
  if (!lines.empty() && lines != "0") fields.fail("line skip", lines, "0, or none");
  header.at_end = skip == "-1";
  if (header.at_end && header.packed) fields.fail("byte skip", skip, "0 for elements that are packed");
  if (skip.empty() || header.at_end) return;
  const std::vector<std::uint64_t> bytes = whole_numbers(fields.path(), "byte skip", skip);
  // Of what is packed, as the format has it, so many bytes are left out after unpacking.
  if (bytes.size() != 1 || (header.packed && bytes[0] != 0)) fields.fail("byte skip", skip, "one number; 0 if packed");
  if (bytes[0] > ~std::uint64_t{0} - header.offset) fields.fail("byte skip", skip, "a place within the file");
  header.offset += bytes[0];
}

}  // namespace

ImageHeader read_nrrd_header(const std::filesystem::path& path) {
  const NrrdFields fields(path);
  ImageHeader header;
  header.type = nrrd_type(fields);
  const std::vector<std::uint64_t> sizes = whole_numbers(path, "sizes", fields.need("sizes"));
  if (const std::string dimension = fields.need("dimension"); dimension != std::to_string(sizes.size()))
    fields.fail("dimension", dimension, fmt::format("the number of 'sizes', {}", sizes.size()));
  check_kinds(fields);
  header.shape = image_shape(path, "sizes", sizes);
  const std::string encoding = fields.need("encoding");
  header.packed = encoding == "gzip" || encoding == "gz";
  if (encoding != "raw" && !header.packed) fields.fail("encoding", encoding, "raw or gzip; save it as one of these");
  const std::string endian = fields.get("endian");
  if (header.type.bytes > 1 && endian != "little" && endian != "big") fields.fail("endian", endian, "little or big");
  header.big_endian = endian == "big";
  set_nrrd_spacing(fields, header);
  set_nrrd_place(fields, header);
  return header;
}

}  // namespace fluvia::geometry
