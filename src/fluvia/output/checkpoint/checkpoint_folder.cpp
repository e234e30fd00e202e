// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <system_error>

#include "fluvia/base/atomic_file.hpp"
#include "fluvia/base/error.hpp"
#include "fluvia/output/checkpoint/checkpoint.hpp"
#include "fluvia/output/checkpoint/checkpoint_seal.hpp"

namespace fluvia {
namespace {

constexpr const char* extension = ".fluvia";

struct Entry {
  std::filesystem::path path;
  std::string name;  ///< name of the file without the step
  std::int64_t step = 0;
};

/// The parts of a name NAME-<digits>.fluvia; none for other names.
std::optional<Entry> parse(const std::filesystem::path& path) {
  if (path.extension() != extension) return {};
  const std::string stem = path.stem().string();
  const auto dash = stem.rfind('-');
  if (dash == std::string::npos) return {};
  Entry entry{path, stem.substr(0, dash), 0};
  const char* const end = stem.data() + stem.size();
  const auto [stop, error] = std::from_chars(stem.data() + dash + 1, end, entry.step);
  if (error != std::errc() || stop != end || entry.step < 0) return {};
  return entry;
}

/// Checkpoints of a folder, highest step first.
std::vector<Entry> list(const std::filesystem::path& folder) {
  std::vector<Entry> entries;
  std::error_code error;
  for (std::filesystem::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    if (auto entry = parse(it->path())) entries.push_back(std::move(*entry));
  }
  std::sort(entries.begin(), entries.end(),
            [](const Entry& a, const Entry& b) { return a.step != b.step ? a.step > b.step : a.path < b.path; });
  return entries;
}

}  // namespace

std::filesystem::path checkpoint_path(const std::filesystem::path& folder, const std::string& name, std::int64_t step) {
  return folder / fmt::format("{}-{:012}{}", name, step, extension);
}

void rotate_checkpoints(const std::filesystem::path& folder, const std::string& name, int keep) {
  int kept = 0;
  for (const Entry& entry : list(folder)) {
    if (entry.name != name || kept++ < keep) continue;
    std::error_code error;
    std::filesystem::remove(entry.path, error);
    if (error)
      throw_resource(fmt::format("cannot remove old checkpoint '{}': {}", entry.path.string(), error.message()));
  }
}

std::filesystem::path save_checkpoint(const std::filesystem::path& folder, const std::string& name,
                                      const FlowState& state, const CheckpointInfo& info) {
  std::filesystem::path path = checkpoint_path(folder, name, state.time_step());
  write_checkpoint(path, state, info);
  rotate_checkpoints(folder, name);
  return path;
}

std::optional<std::filesystem::path> find_latest_checkpoint(const std::filesystem::path& folder,
                                                            std::vector<std::string>& warnings) {
  std::vector<std::string> damaged;
  for (const Entry& entry : list(folder)) {
    try {
      verify_seal(entry.path);
      for (const std::string& message : damaged) {
        warnings.push_back(fmt::format("{}; using '{}' instead", message, entry.path.string()));
      }
      return entry.path;
    } catch (const Error& error) {
      damaged.emplace_back(error.what());
    }
  }
  if (damaged.empty()) return {};
  throw_input(fmt::format("no sound checkpoint in '{}': {}", folder.string(), damaged.front()));
}

}  // namespace fluvia
