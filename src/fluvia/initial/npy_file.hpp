// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <filesystem>
#include <vector>

namespace fluvia {

/// An array as numpy.save() writes it (NEP 1: https://numpy.org/neps/nep-0001-npy-format.html), maybe packed by gzip.
struct NpyArray {
  std::vector<std::uint64_t> shape;  ///< slowest axis first
  std::vector<float> values;
};

/// Reads little-endian arrays of real numbers of 4 or 8 bytes in C order. Throws Error(input) that starts with the
/// file's name, Error(resource) where the array outgrows the memory.
NpyArray read_npy(const std::filesystem::path& file);

}  // namespace fluvia
