// SPDX-License-Identifier: Apache-2.0
#include "fuzz/input.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

namespace fluvia::fuzz {

namespace {

/// A folder for links, which goes with the process.
class LinkFolder {
 public:
  LinkFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "fluvia-fuzz-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) std::abort();
    path_ = name;
  }
  ~LinkFolder() {
    std::error_code unknown;
    std::filesystem::remove_all(path_, unknown);
  }
  LinkFolder(const LinkFolder&) = delete;
  LinkFolder& operator=(const LinkFolder&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace

std::filesystem::path file_of(const std::uint8_t* bytes, std::size_t size) {
  static const int descriptor = memfd_create("fluvia-fuzz", 0);
  const bool written =
      ftruncate(descriptor, 0) == 0 && pwrite(descriptor, bytes, size, 0) == static_cast<ssize_t>(size);
  if (!written) std::abort();
  return "/proc/self/fd/" + std::to_string(descriptor);
}

std::filesystem::path file_of(const std::uint8_t* bytes, std::size_t size, const std::string& extension) {
  static const LinkFolder folder;
  const std::filesystem::path link = folder.path() / ("shape" + extension);
  if (!std::filesystem::is_symlink(link)) std::filesystem::create_symlink(file_of(bytes, size), link);
  file_of(bytes, size);
  return link;
}

}  // namespace fluvia::fuzz
