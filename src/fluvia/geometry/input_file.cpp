// SPDX-License-Identifier: Apache-2.0
#include "fluvia/geometry/input_file.hpp"

#include <zlib.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>

#include "fluvia/base/error.hpp"
#include "fluvia/base/machine/memory.hpp"
#include "fluvia/base/text.hpp"

namespace fluvia::geometry {

InputFile::InputFile(const std::filesystem::path& path) : path_(path) {
  std::error_code unknown;
  if (std::filesystem::exists(path, unknown)) require_regular_file(path);
  errno = 0;
  handle_ = gzopen(path.c_str(), "rb");
  if (handle_ == nullptr) {
    throw_input(path.string() + ": cannot be opened: " + (errno != 0 ? std::strerror(errno) : "out of memory"));
  }
  const std::uint64_t size = std::filesystem::file_size(path, unknown);
  gzbuffer(static_cast<gzFile>(handle_),
           unknown ? 1 << 18 : static_cast<unsigned>(std::clamp<std::uint64_t>(size, 1 << 12, 1 << 18)));
}

InputFile::~InputFile() {
  gzclose(static_cast<gzFile>(handle_));
}

std::uint64_t InputFile::most_content() const {
  constexpr std::uint64_t most_packing = 1032;  // bytes that deflate unpacks from one: two bits for a run of 258 bytes
  std::error_code unknown;
  const std::uint64_t size = std::filesystem::file_size(path_, unknown);
  if (unknown) return ~std::uint64_t{0};
  const bool packed = gzdirect(static_cast<gzFile>(handle_)) == 0;
  return packed && size <= ~std::uint64_t{0} / most_packing ? size * most_packing : size;
}

std::size_t InputFile::read(void* target, std::size_t count) {
  const auto file = static_cast<gzFile>(handle_);
  std::size_t done = 0;
  while (done < count) {
    const auto part = static_cast<unsigned>(std::min<std::size_t>(count - done, 1u << 30));
    const int got = gzread(file, static_cast<char*>(target) + done, part);
    int code = Z_OK;
    const char* text = gzerror(file, &code);
    if (got < 0 || code == Z_BUF_ERROR || code == Z_DATA_ERROR) {
      const std::string reason = code == Z_ERRNO ? std::strerror(errno) : text;
      throw_input(path_.string() + ": damaged or truncated after " + std::to_string(done + std::max(got, 0)) +
                  " bytes of this read (" + reason + "); fetch or write the file again");
    }
    if (got == 0) break;
    done += got;
  }
  return done;
}

std::string read_whole_file(const std::filesystem::path& path) {
  InputFile file(path);
  std::string content;
  std::size_t size = 0;
  for (std::size_t step = std::min<std::uint64_t>(file.most_content(), 1 << 20) + 1;; step = std::max(step, size / 2)) {
    require_memory(step, path.string() + ": its content", "is this the right file?");
    content.resize(size + step);
    const std::size_t got = file.read(content.data() + size, step);
    size += got;
    if (got < step) break;
    if (size > largest_whole_file) {
      throw_input(path.string() + ": more than " + std::to_string(largest_whole_file >> 30) +
                  " GiB of content (unpacked); is this the right file?");
    }
  }
  content.resize(size);
  return content;
}

std::filesystem::path resolve(const std::filesystem::path& directory, const std::filesystem::path& file) {
  return file.is_absolute() ? file : directory / file;
}

std::string extension_of(const std::filesystem::path& file) {
  std::string extension = file.extension() == ".gz" ? file.stem().extension().string() : file.extension().string();
  for (char& letter : extension) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  return extension;
}

}  // namespace fluvia::geometry
