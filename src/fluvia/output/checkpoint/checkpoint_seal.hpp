// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <filesystem>

#include "fluvia/base/atomic_file.hpp"

// The first 512 bytes of a checkpoint: format version, length and checksum of the file. They let every truncation and
// every altered byte be found before HDF5 sees the file.
namespace fluvia {

inline constexpr std::uint64_t seal_bytes = 512;
/// Version of the format of checkpoints that is written and read; format 1, of earlier versions, had another checksum.
inline constexpr int checkpoint_format_version = 2;

/// Computes length and checksum of the finished file and writes its first 512 bytes. Throws Error(resource).
void seal_checkpoint(AtomicFile& file);

/// Checks the seal of a file. Throws Error(input) naming the file if it is no checkpoint, of another format version,
/// truncated or altered.
void verify_seal(const std::filesystem::path& path);

}  // namespace fluvia
