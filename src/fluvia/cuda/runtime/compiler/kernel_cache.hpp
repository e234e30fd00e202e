// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "fluvia/cuda/runtime/compiler/compiled_kernels.hpp"
#include "fluvia/cuda/runtime/compiler/nvrtc.hpp"

namespace fluvia::cuda {

/// Compiled kernels on disk, one file for each compilation. A file that is damaged in any way is compiled anew and
/// replaced. A folder that cannot be written costs time and one warning, nothing else. Processes may share a folder,
/// and threads a cache.
class KernelCache {
 public:
  static constexpr std::uint64_t default_size_limit = 256u << 20;
  using Warn = std::function<void(const std::string&)>;

  /// cache_folder() of kernels.
  static std::filesystem::path default_folder();

  /// An empty folder keeps nothing. Beyond `size_limit` bytes the files that were used longest ago go.
  explicit KernelCache(std::filesystem::path folder = default_folder(), Warn warn = {},
                       std::uint64_t size_limit = default_size_limit);

  /// The kernels of a request, from disk or compiled and kept. Throws as compile() does.
  CompiledKernels get(const CompileRequest& request, int compute_capability);
  /// How often get() found its kernels on disk.
  [[nodiscard]] int hits() const { return hits_; }
  /// How often it began to compile them.
  [[nodiscard]] int misses() const { return misses_; }

  /// 128 bits in hexadecimal over all that the machine code depends on: source, header texts, options, names, and the
  /// versions of NVRTC, the driver and Fluvia's file format.
  [[nodiscard]] static std::string key_of(const CompileRequest& request, int target);
  [[nodiscard]] std::filesystem::path file_of(const std::string& key) const;

  /// What is on disk under a key; nothing if it is missing or damaged.
  [[nodiscard]] std::optional<CompiledKernels> load(const std::string& key) const;
  /// Keeps kernels under a key and removes what exceeds the size limit; warns once if that fails.
  void store(const std::string& key, const CompiledKernels& compiled);

 private:
  void remove_oldest() const;
  void warn_once(const std::string& reason);

  std::filesystem::path folder_;
  Warn warn_;
  std::uint64_t size_limit_;
  std::atomic<int> hits_ = 0, misses_ = 0;
  std::atomic<bool> warned_ = false;
};

/// The content of a cache file: magic, format version, length, checksum, key, kernels.
std::string pack_kernels(const std::string& key, const CompiledKernels& compiled);
/// Nothing if `file` is truncated, altered, of another format or stored under another key.
std::optional<CompiledKernels> unpack_kernels(const std::string& key, std::string_view file);

}  // namespace fluvia::cuda
