// SPDX-License-Identifier: Apache-2.0
// VTK's own files, by VTK's package for Python: a library that would double the size of Fluvia's own package.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <sstream>

#include "fluvia/base/apart.hpp"
#include "fluvia/base/embedded_file.hpp"
#include "fluvia/base/error.hpp"
#include "fluvia/base/machine/memory.hpp"
#include "fluvia/base/text.hpp"
#include "fluvia/geometry/image/files/image_file.hpp"
#include "fluvia/geometry/mesh/part_bytes.hpp"
#include "fluvia/geometry/mesh/surface_file.hpp"

namespace fluvia {
extern const std::span<const EmbeddedFile> embedded_readers;  // written by cmake/Embed.cmake
}

namespace fluvia::geometry {
namespace {

constexpr int no_vtk = 3, unreadable = 4;  // as read_vtk.py ends

/// The Pythons that may have VTK: one that the user names, else the usual one and Debian's, which has its packages.
std::vector<std::string> pythons() {
  const char* const chosen = std::getenv("FLUVIA_PYTHON");
  if (chosen != nullptr && *chosen != '\0') return {chosen};
  return {"python3", "/usr/bin/python3"};
}

/// The last line of what a program said.
std::string last_line(const std::string& messages) {
  const std::size_t end = messages.find_last_not_of('\n');
  if (end == std::string::npos) return "no reason is given";
  const std::size_t from = messages.rfind('\n', end);
  return shorten(messages.substr(from == std::string::npos ? 0 : from + 1, end - (from + 1) + 1), 300);
}

/// What read_vtk.py writes of a file.
std::vector<std::byte> run_reader(const char* what, const std::filesystem::path& path) {
  const std::string script(embedded_readers.front().content), name = path.string();
  // A name that begins with a dash would be an option.
  const std::string file = name.starts_with('-') ? "./" + name : name;
  for (const std::string& python : pythons()) {
    ProgramResult result = run_apart(path, "VTK", {python, "-B", "-c", script, what, file});
    if (!result.found || result.code == no_vtk) continue;
    if (result.code == 0) return std::move(result.output);
    const std::string reason = last_line(result.messages);
    if (result.code == unreadable) throw_input(fmt::format("{}: cannot be read: {} (VTK)", name, reason));
    throw_input(fmt::format("{}: cannot be read: Python ended with code {} ({})", name, result.code, reason));
  }
  throw_input(fmt::format(
      "{}: files of VTK are read by its package for Python, which is not there; install the package python3-vtk9, or "
      "name a Python that has vtk by the environment variable FLUVIA_PYTHON",
      name));
}

/// The voxels, which a process of its own has read.
class VtkElements : public ElementSource {
 public:
  VtkElements(const std::filesystem::path& path, const ImageHeader& header) {
    require_memory(2 * header.bytes(), path.string() + ": its voxels", "crop the image");
    bytes_ = run_reader("voxels", path);
  }
  std::size_t read(void* target, std::size_t count) override {
    const std::size_t taken = std::min(count, bytes_.size() - at_);
    if (taken > 0) std::memcpy(target, bytes_.data() + at_, taken);
    at_ += taken;
    return taken;
  }
  [[nodiscard]] std::uint64_t most_content() const override { return bytes_.size(); }
  [[nodiscard]] bool packed() const override { return false; }

 private:
  std::vector<std::byte> bytes_;
  std::size_t at_ = 0;
};

}  // namespace

ImageHeader read_vti_header(const std::filesystem::path& path) {
  require_plain_surface(path);
  const std::vector<std::byte> bytes = run_reader("header", path);
  std::istringstream text(std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
  std::array<std::uint64_t, 3> sizes{};
  std::array<double, 3> spacing{};
  std::array<double, 9> axes{};
  std::string kind;
  ImageHeader header;
  for (std::uint64_t& size : sizes) text >> size;
  for (double& edge : spacing) text >> edge;
  for (double& part : axes) text >> part;
  text >> kind >> header.type.bytes;
  const int width = header.type.bytes;
  if (!text || (width != 1 && width != 2 && width != 4 && width != 8))
    throw_input(path.string() + ": VTK describes it in a way that is not known");
  header.shape = image_shape(path, "its size", sizes);
  header.type.kind = kind == "float"  ? ElementType::Kind::real
                     : kind == "uint" ? ElementType::Kind::whole
                                      : ElementType::Kind::whole_or_negative;
  header.data = path;
  const std::size_t along = header.shape[2] > 1 ? 3 : 2;
  set_voxel(header, path, "Spacing", std::span(spacing).first(along), 1, UnitSaid::no);
  // Each column of VTK's matrix is an axis.
  set_orientation(header, "Direction",
                  {axes[0], axes[3], axes[6], axes[1], axes[4], axes[7], axes[2], axes[5], axes[8]});
  return header;
}

std::unique_ptr<ElementSource> open_vti(const std::filesystem::path& path, const ImageHeader& header) {
  return std::make_unique<VtkElements>(path, header);
}

std::vector<SurfacePart> read_with_vtk(const std::filesystem::path& path) {
  require_plain_surface(path);
  std::vector<SurfacePart> parts = parts_of_bytes(run_reader("surface", path));
  check_finite_triangles(path, parts);
  return parts;
}

}  // namespace fluvia::geometry
