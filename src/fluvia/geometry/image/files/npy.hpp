// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "fluvia/geometry/input_file.hpp"

namespace fluvia::geometry {

/// The header of an array as numpy.save() writes it (NEP 1: https://numpy.org/neps/nep-0001-npy-format.html).
struct NpyHeader {
  std::string type;  ///< such as "<f4", without quotes; what is no simple type is as it stands
  bool first_axis_fastest = false;
  std::vector<std::uint64_t> shape;  ///< as NumPy says it
  std::uint64_t bytes = 0;           ///< before the first value
};

/// Reads the header, so that the next byte of the file is the first of its values. Throws Error(input) that starts with
/// the file's name.
NpyHeader read_npy_header(InputFile& file);

}  // namespace fluvia::geometry
