// SPDX-License-Identifier: Apache-2.0
#include "fluvia/base/machine/memory.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>

#include "fluvia/base/error.hpp"
#include "fluvia/base/machine/control_group.hpp"

namespace fluvia {
namespace {

std::optional<std::uint64_t> read_number(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::uint64_t value = 0;
  return in >> value ? std::optional(value) : std::nullopt;
}

/// Bytes of files that were read or written once; the system takes these pages where memory is asked for.
std::uint64_t idle_file_pages(const std::filesystem::path& group) {
  std::ifstream in(group / "memory.stat");
  std::string key;
  for (std::uint64_t bytes = 0; in >> key >> bytes;)
    if (key == "inactive_file") return bytes;
  return 0;
}

std::uint64_t memory_available_to_system() {
  std::ifstream in("/proc/meminfo");
  std::string key;
  std::uint64_t kibibytes = 0;
  for (std::string unit; in >> key >> kibibytes; std::getline(in, unit))
    if (key == "MemAvailable:") return kibibytes * 1024;
  return static_cast<std::uint64_t>(sysconf(_SC_AVPHYS_PAGES)) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace

std::uint64_t available_memory() {
  std::uint64_t available = memory_available_to_system();
  for (const std::filesystem::path& group : control_groups()) {
    const auto limit = read_number(group / "memory.max"), used = read_number(group / "memory.current");
    if (limit && used) available = std::min(available, memory_left(*limit, *used, idle_file_pages(group)));
  }
  return available;
}

std::uint64_t memory_left(std::uint64_t limit, std::uint64_t used, std::uint64_t of_idle_files) {
  return limit - std::min(limit, used - std::min(used, of_idle_files));
}

int memory_nodes() {
  int nodes = 0;
  while (access(fmt::format("/sys/devices/system/node/node{}", nodes).c_str(), F_OK) == 0) ++nodes;
  return std::max(nodes, 1);
}

void require_memory(std::uint64_t bytes, const std::string& what, const std::string& remedy, std::uint64_t available) {
  constexpr double gibibyte = 1024.0 * 1024.0 * 1024.0;
  if (bytes <= available) return;
  throw_resource(fmt::format("memory: {} needs at least {:.2f} GiB but only {:.2f} GiB are free; {}", what,
                             static_cast<double>(bytes) / gibibyte, static_cast<double>(available) / gibibyte, remedy));
}

}  // namespace fluvia
