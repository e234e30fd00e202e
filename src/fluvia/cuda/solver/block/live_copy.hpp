// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <string_view>
#include <vector>

#include "fluvia/cuda/layout/range.hpp"
#include "fluvia/cuda/runtime/memory.hpp"

namespace fluvia::cuda {

/// Brings the copy of some values on a GPU up to date: `changed` of them. A new copy has room for its values and no
/// more; when that gets too little, it takes a quarter more than it needs, and all values. So what never changes has no
/// room to spare, and what keeps growing is seldom copied as a whole. `stream` must not use the copy any more.
template <class Value>
void update_copy(const Device& device, const Stream& stream, const std::vector<Value>& values,
                 std::vector<Range> changed, std::string_view purpose, DeviceBuffer& copy) {
  constexpr std::size_t parts_of_room = 4;
  const std::size_t bytes = values.size() * sizeof(Value);
  if (bytes > copy.bytes()) {
    const std::size_t more = copy.bytes() > 0 ? values.size() / parts_of_room * sizeof(Value) : 0;
    copy = {};  // before there is another
    copy = DeviceBuffer(device, bytes + more, purpose);
    changed = {{0, values.size()}};
  }
  // A copy of its own costs more than some kilobytes between two.
  constexpr std::size_t apart = 4096;
  std::sort(changed.begin(), changed.end(), [](const Range& a, const Range& b) { return a.first < b.first; });
  for (std::size_t k = 0; k < changed.size();) {
    const std::size_t first = changed[k].first;
    std::size_t end = first;
    for (; k < changed.size() && changed[k].first * sizeof(Value) <= end * sizeof(Value) + apart; ++k)
      end = std::max<std::size_t>(end, changed[k].first + changed[k].count);
    if (end > first) copy.upload(stream, values.data() + first, (end - first) * sizeof(Value), first * sizeof(Value));
  }
}

}  // namespace fluvia::cuda
