// SPDX-License-Identifier: Apache-2.0
#include "fluvia/output/checkpoint/checkpoint_seal.hpp"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <system_error>
#include <vector>

#include "fluvia/base/checksum.hpp"
#include "fluvia/base/error.hpp"
#include "fluvia/base/text.hpp"

namespace fluvia {
namespace {

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;
using Seal = std::array<char, seal_bytes>;

Seal make_seal(int version, std::uint64_t bytes, std::uint64_t checksum) {
  Seal seal{};
  const std::string text =
      fmt::format("fluvia checkpoint\nformat {}\nbytes {}\nchecksum {:016x}\n", version, bytes, checksum);
  std::memcpy(seal.data(), text.data(), text.size());
  return seal;
}

File open_for_reading(const std::filesystem::path& path) {
  std::error_code unknown;
  if (std::filesystem::exists(path, unknown)) require_regular_file(path);
  File file(std::fopen(path.c_str(), "rb"), std::fclose);
  if (!file) throw_input(fmt::format("checkpoint '{}': cannot open: {}", path.string(), std::strerror(errno)));
  return file;
}

/// Checksum of everything behind the seal, and the length of the whole file.
void scan(std::FILE* file, std::uint64_t& bytes, std::uint64_t& checksum) {
  std::vector<std::byte> buffer(1 << 20);
  Checksum sum;
  bytes = seal_bytes;
  std::fseek(file, static_cast<long>(seal_bytes), SEEK_SET);
  while (const std::size_t got = std::fread(buffer.data(), 1, buffer.size(), file)) {
    sum.update(std::span<const std::byte>(buffer.data(), got));
    bytes += got;
  }
  checksum = sum.value();
}

}  // namespace

void seal_checkpoint(AtomicFile& file) {
  std::uint64_t bytes = 0, checksum = 0;
  const File in(std::fopen(file.temporary().c_str(), "rb"), std::fclose);
  if (!in) throw_resource(write_failure_message(file.target(), errno));
  scan(in.get(), bytes, checksum);
  if (std::ferror(in.get())) throw_resource(write_failure_message(file.target(), EIO));
  const Seal seal = make_seal(checkpoint_format_version, bytes, checksum);
  file.write_at(0, std::as_bytes(std::span(seal)));
}

void verify_seal(const std::filesystem::path& path) {
  const File file = open_for_reading(path);
  const std::string name = "checkpoint '" + path.string() + "': ";
  Seal seal{};
  const std::size_t got = std::fread(seal.data(), 1, seal.size(), file.get());
  int version = 0;
  unsigned long long stated_bytes = 0, stated_checksum = 0;
  seal.back() = seal.back() == '\0' ? '\0' : 'x';
  const std::string text(seal.data(), seal.size() - 1);
  if (!text.starts_with("fluvia checkpoint\n")) throw_input(name + "not a Fluvia checkpoint");
  if (got < seal.size()) throw_input(name + fmt::format("truncated: it has only {} bytes", got));
  const int fields = std::sscanf(text.c_str(), "fluvia checkpoint\nformat %d\nbytes %llu\nchecksum %llx\n", &version,
                                 &stated_bytes, &stated_checksum);
  if (fields >= 1 && version != checkpoint_format_version) {
    throw_input(name + fmt::format("written in checkpoint format {}; this version of Fluvia reads format {}", version,
                                   checkpoint_format_version));
  }
  if (fields != 3 || make_seal(version, stated_bytes, stated_checksum) != seal) {
    throw_input(name + "altered: its head is damaged; resume from an older checkpoint");
  }
  std::uint64_t bytes = 0, checksum = 0;
  scan(file.get(), bytes, checksum);
  if (std::ferror(file.get())) throw_input(name + "cannot be read: " + std::strerror(errno));
  if (bytes != stated_bytes) {
    throw_input(name + fmt::format("{}: it has {} of {} bytes; resume from an older checkpoint",
                                   bytes < stated_bytes ? "truncated" : "altered", bytes, stated_bytes));
  }
  if (checksum != stated_checksum) {
    throw_input(name +
                fmt::format("altered: its checksum is {:016x} instead of {:016x}; resume from an older checkpoint",
                            checksum, stated_checksum));
  }
}

}  // namespace fluvia
