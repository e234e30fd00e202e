// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cuda/runtime/compiler/kernel_cache.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <span>
#include <system_error>
#include <utility>
#include <vector>

#include "fluvia/base/atomic_file.hpp"
#include "fluvia/base/cache_folder.hpp"
#include "fluvia/base/checksum.hpp"
#include "fluvia/base/error.hpp"
#include "fluvia/base/text.hpp"
#include "fluvia/cuda/runtime/compiler/kernel_sources.hpp"

namespace fluvia::cuda {
namespace {

namespace fs = std::filesystem;

constexpr const char* extension = ".kernels";
/// Changes whenever the meaning of a key or of the stored values does.
constexpr std::uint64_t key_version = 1;

/// Two unlike hashes side by side: 128 bits.
class WideHash {
 public:
  /// Each text with its length, so that no two lists of texts read the same.
  void add(std::string_view text) {
    add(static_cast<std::uint64_t>(text.size()));
    add_bytes(text);
  }
  void add(std::uint64_t number) { add_bytes({reinterpret_cast<const char*>(&number), sizeof number}); }
  [[nodiscard]] std::string hexadecimal() const { return fmt::format("{:016x}{:016x}", sum_.value(), fnv_.value()); }

 private:
  void add_bytes(std::string_view bytes) {
    sum_.update(std::as_bytes(std::span(bytes.data(), bytes.size())));
    fnv_.add(bytes);
  }
  Checksum sum_;
  Fnv1a fnv_;
};

struct CacheFile {
  fs::path path;
  fs::file_time_type used;
  std::uint64_t bytes = 0;
};

bool is_ours(const fs::path& path) {
  return path.extension() == extension ||
         path.filename().string().find(std::string(extension) + ".tmp-") != std::string::npos;
}

/// Files of the cache, also those that writers left unfinished; what other processes remove meanwhile is left out.
std::vector<CacheFile> files_in(const fs::path& folder) {
  std::vector<CacheFile> files;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    if (!is_ours(entry->path())) continue;
    std::error_code gone;
    CacheFile file{entry->path(), entry->last_write_time(gone), 0};
    if (!gone) file.bytes = entry->file_size(gone);
    if (!gone) files.push_back(std::move(file));
  }
  return files;
}

}  // namespace

fs::path KernelCache::default_folder() {
  return cache_folder("kernels");
}

KernelCache::KernelCache(fs::path folder, Warn warn, std::uint64_t size_limit)
    : folder_(std::move(folder)), warn_(std::move(warn)), size_limit_(size_limit) {}

CompiledKernels KernelCache::get(const CompileRequest& request, int compute_capability) {
  if (folder_.empty()) {
    warn_once("neither FLUVIA_CACHE_DIR nor HOME is set");
    ++misses_;
    return compile(request, compute_capability);
  }
  const std::string key = key_of(request, target_for(compute_capability));
  if (auto found = load(key)) {
    ++hits_;
    return std::move(*found);
  }
  ++misses_;
  CompiledKernels compiled = compile(request, compute_capability);
  store(key, compiled);
  return compiled;
}

std::string KernelCache::key_of(const CompileRequest& request, int target) {
  WideHash hash;
  hash.add(key_version);
  hash.add(static_cast<std::uint64_t>(nvrtc_version().number));
  hash.add(static_cast<std::uint64_t>(driver_version().number));
  for (const std::string& text : {request.name, request.specialisation, request.source}) hash.add(text);
  for (const std::vector<std::string>& list : {request.kernels, compile_options(request, target)}) {
    hash.add(static_cast<std::uint64_t>(list.size()));
    for (const std::string& text : list) hash.add(text);
  }
  for (const EmbeddedFile& header : kernel_headers) {
    hash.add(header.name);
    hash.add(header.content);
  }
  return hash.hexadecimal();
}

fs::path KernelCache::file_of(const std::string& key) const {
  return folder_ / (key + extension);
}

std::optional<CompiledKernels> KernelCache::load(const std::string& key) const {
  const fs::path file = file_of(key);
  std::error_code error;
  const std::uint64_t bytes = fs::file_size(file, error);
  std::ifstream stream(file, std::ios::binary);
  if (error || !stream || bytes > size_limit_) return std::nullopt;
  std::string content(bytes, '\0');
  if (!stream.read(content.data(), static_cast<std::streamsize>(bytes))) return std::nullopt;
  auto compiled = unpack_kernels(key, content);
  // The time of the last use decides what is removed first.
  if (compiled) fs::last_write_time(file, fs::file_time_type::clock::now(), error);
  return compiled;
}

void KernelCache::store(const std::string& key, const CompiledKernels& compiled) {
  try {
    write_file(file_of(key), pack_kernels(key, compiled));
  } catch (const Error& error) {
    warn_once(error.what());
    return;
  }
  remove_oldest();
}

void KernelCache::remove_oldest() const {
  std::vector<CacheFile> files = files_in(folder_);
  std::sort(files.begin(), files.end(), [](const CacheFile& a, const CacheFile& b) { return a.used < b.used; });
  std::uint64_t total = 0;
  for (const CacheFile& file : files) total += file.bytes;
  for (const CacheFile& file : files) {
    if (total <= size_limit_) return;
    std::error_code gone;
    fs::remove(file.path, gone);
    total -= file.bytes;
  }
}

void KernelCache::warn_once(const std::string& reason) {
  if (warn_ && !warned_.exchange(true)) {
    warn_(
        fmt::format("compiled GPU kernels are not kept, so that each start compiles them again: {}; let "
                    "FLUVIA_CACHE_DIR name a folder you may write to",
                    reason));
  }
}

}  // namespace fluvia::cuda
