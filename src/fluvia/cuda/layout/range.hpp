// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>

namespace fluvia::cuda {

/// Elements first .. first + count - 1 of a list or array.
struct Range {
  std::size_t first = 0, count = 0;
};

}  // namespace fluvia::cuda
