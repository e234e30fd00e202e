// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

#include "fluvia/base/error.hpp"

namespace fluvia::fuzz {

/// A file in memory that holds `bytes`; there is one, its name stays the same.
std::filesystem::path file_of(const std::uint8_t* bytes, std::size_t size);
/// A link to that file whose name ends in `extension`, for libraries that go by names.
std::filesystem::path file_of(const std::uint8_t* bytes, std::size_t size, const std::string& extension);

/// Calls `read`, which may refuse its input (and memory that it would take), but do nothing else wrong: any other
/// exception is a finding.
template <class Read>
int expect_refusal_or_success(const Read& read) {
  try {
    read();
  } catch (const Error& error) {
    if (error.code() != ExitCode::input && error.code() != ExitCode::resource) throw;
  }
  return 0;
}

}  // namespace fluvia::fuzz
