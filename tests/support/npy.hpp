// SPDX-License-Identifier: Apache-2.0
// Arrays of NumPy as files, which tests make byte by byte:
// https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
#pragma once
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace fluvia::test {

/// What stands before the numbers: version 1 counts the bytes of `text` in 16 bits, later ones in 32.
inline std::string npy_header(const std::string& text, int version = 1) {
  std::string bytes = "\x93NUMPY";
  bytes += static_cast<char>(version);
  bytes += '\0';
  const auto length = static_cast<std::uint32_t>(text.size());
  bytes.append(reinterpret_cast<const char*>(&length), version == 1 ? 2 : 4);
  return bytes + text;
}

/// Of an array with this type, "<f4", and shape, "(7, 10, 3)".
inline std::string npy_header_of(const std::string& type, const std::string& shape,
                                 const char* fortran_order = "False") {
  return npy_header("{'descr': '" + type + "', 'fortran_order': " + fortran_order + ", 'shape': " + shape + ", }\n");
}

/// Writes an array of floats in C order; returns the name of the file.
inline std::string write_npy(const std::filesystem::path& file, const std::string& shape,
                             const std::vector<float>& values) {
  std::string bytes = npy_header_of("<f4", shape);
  bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float));
  std::ofstream(file, std::ios::binary) << bytes;
  return file.string();
}

}  // namespace fluvia::test
