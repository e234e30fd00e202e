// SPDX-License-Identifier: Apache-2.0
// Reads arrays of .vtp files as Fluvia writes them.
#pragma once
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace fluvia::test {

/// Values of an array in a .vtp file, by its name (the points have none).
inline std::vector<float> array_of(const std::string& content, const std::string& name) {
  const std::size_t at = content.find("Name=\"" + name + "\"");
  EXPECT_NE(at, std::string::npos) << name;
  if (at == std::string::npos) return {};
  const std::size_t offset = std::stoull(content.substr(content.find("offset=\"", at) + 8));
  const std::size_t start = content.find("encoding=\"raw\">\n_") + 17 + offset;
  std::uint64_t size = 0;
  std::memcpy(&size, content.data() + start, sizeof size);
  std::vector<float> values(size / sizeof(float));
  std::memcpy(values.data(), content.data() + start + sizeof size, size);
  return values;
}

}  // namespace fluvia::test
