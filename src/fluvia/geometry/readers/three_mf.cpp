// SPDX-License-Identifier: Apache-2.0
// 3MF by Assimp, which leaves the unit of a model out that its header names.
#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "fluvia/base/error.hpp"
#include "fluvia/base/text.hpp"
#include "fluvia/geometry/input_file.hpp"
#include "fluvia/geometry/mesh/surface_file.hpp"

namespace fluvia::geometry {
namespace {

struct ModelUnit {
  std::string_view name;
  double millimetres;
};
/// 3MF Core Specification 1.3, section 3.4.
constexpr std::array units = {ModelUnit{"micron", 1e-3}, ModelUnit{"millimeter", 1}, ModelUnit{"centimeter", 10},
                              ModelUnit{"inch", 25.4},   ModelUnit{"foot", 304.8},   ModelUnit{"meter", 1000}};
constexpr std::size_t header_bytes = 30;    ///< of a member of a ZIP file, before its name
constexpr std::size_t start_bytes = 65536;  ///< of a model, in which its root element begins

std::uint16_t two_bytes(std::string_view content, std::size_t at) {
  return static_cast<std::uint16_t>(static_cast<unsigned char>(content[at]) |
                                    static_cast<unsigned char>(content[at + 1]) << 8);
}

/// The first bytes that raw deflate packed, as far as they are sound.
std::string inflated(std::string_view packed) {
  std::string text(start_bytes, '\0');
  z_stream stream{};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) return {};
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(std::min<std::size_t>(packed.size(), start_bytes));
  stream.next_out = reinterpret_cast<Bytef*>(text.data());
  stream.avail_out = static_cast<uInt>(text.size());
  inflate(&stream, Z_SYNC_FLUSH);
  text.resize(stream.total_out);
  inflateEnd(&stream);
  return text;
}

/// The start of the model in a 3MF file, which is a ZIP file; empty if there is none.
std::string start_of_model(std::string_view content) {
  constexpr std::string_view signature = "PK\x03\x04", suffix = ".model";
  for (std::size_t at = content.find(signature); at != std::string_view::npos;
       at = content.find(signature, at + signature.size())) {
    if (content.size() - at < header_bytes) break;
    const std::size_t name = two_bytes(content, at + 26), extra = two_bytes(content, at + 28);
    const std::size_t data = at + header_bytes + name + extra;
    if (data > content.size() || !content.substr(at + header_bytes, name).ends_with(suffix)) continue;
    constexpr int stored = 0, deflated = 8;
    const int method = two_bytes(content, at + 8);
    if (method == stored) return std::string(content.substr(data, start_bytes));
    return method == deflated ? inflated(content.substr(data)) : "";
  }
  return {};
}

/// Millimetres in the unit of a model, which is the millimetre unless its root element says otherwise.
double unit_of(const std::filesystem::path& path) {
  const std::string model = start_of_model(read_whole_file(path));
  const std::size_t root = model.find("<model");
  if (root == std::string::npos) return 1;
  const std::string element = model.substr(root, model.find('>', root) - root);
  for (const char* attribute : {" unit=\"", " unit='"}) {
    const std::size_t at = element.find(attribute);
    if (at == std::string::npos) continue;
    const std::size_t from = at + std::strlen(attribute);
    const std::string name = element.substr(from, element.find(attribute[6], from) - from);
    const auto known = std::find_if(units.begin(), units.end(), [&](const ModelUnit& u) { return u.name == name; });
    if (known == units.end())
      throw_input(fmt::format("{}: its unit is '{}'; expected micron, millimeter, centimeter, inch, foot or meter",
                              path.string(), shorten(name)));
    return known->millimetres;
  }
  return 1;
}

}  // namespace

std::vector<SurfacePart> read_three_mf(const std::filesystem::path& path) {
  std::vector<SurfacePart> parts = read_with_assimp(path);
  const double unit = unit_of(path);
  for (SurfacePart& part : parts)
    for (auto& triangle : part.triangles)
      for (Real3& corner : triangle) corner = unit * corner;
  return parts;
}

}  // namespace fluvia::geometry
