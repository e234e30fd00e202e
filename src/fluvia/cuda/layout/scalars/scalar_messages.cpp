// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cuda/layout/scalars/scalar_messages.hpp"

#include <algorithm>
#include <limits>
#include <span>

#include "fluvia/base/error.hpp"

namespace fluvia::cuda {

namespace {

/// Elements that a scalar exchanges with a neighbour.
std::span<const std::uint32_t> elements_of(const ScalarArrays& scalar, std::size_t neighbour, bool leaving) {
  if (neighbour >= scalar.borders.size()) return {};
  return leaving ? scalar.borders[neighbour].leaves : scalar.borders[neighbour].arrives;
}

void append(std::span<const std::uint32_t> elements, std::uint64_t message, std::uint32_t scalar,
            HaloPopulationArrays& arrays) {
  const std::uint32_t origin = *std::min_element(elements.begin(), elements.end());
  arrays.blocks.push_back({message, origin, static_cast<std::uint32_t>(elements.size()), scalar});
  const std::size_t first = arrays.entries.size();
  arrays.entries.resize(arrays.blocks.size() << kernels::message_block_log2, 0);
  for (std::size_t k = 0; k < elements.size(); ++k) {
    if (elements[k] - origin > static_cast<std::uint32_t>(std::numeric_limits<int>::max()))
      throw_resource(
          "domain: what scalars exchange between two parts lies too far apart in memory for 32-bit numbers; use more "
          "devices or a larger spacing");
    arrays.entries[first + k] = static_cast<int>(elements[k] - origin);
  }
}

}  // namespace

std::vector<std::uint64_t> scalar_message_bytes(const std::vector<ScalarArrays>& scalars, std::size_t neighbours,
                                                bool leaving, std::uint64_t value_bytes) {
  std::vector<std::uint64_t> bytes(neighbours, 0);
  for (std::size_t n = 0; n < neighbours; ++n)
    for (const ScalarArrays& scalar : scalars) bytes[n] += elements_of(scalar, n, leaving).size() * value_bytes;
  return bytes;
}

HaloPopulationArrays list_scalar_messages(const std::vector<ScalarArrays>& scalars,
                                          const std::vector<MessageRange>& messages, bool leaving,
                                          std::uint64_t value_bytes) {
  constexpr std::size_t block_values = std::size_t{1} << kernels::message_block_log2;
  const std::vector<std::uint64_t> bytes = scalar_message_bytes(scalars, messages.size(), leaving, value_bytes);
  HaloPopulationArrays arrays;
  arrays.messages = messages;
  for (std::size_t n = 0; n < messages.size(); ++n) {
    std::uint64_t message = messages[n].offset + messages[n].bytes - bytes[n];
    for (std::size_t s = 0; s < scalars.size(); ++s)
      for (std::span<const std::uint32_t> rest = elements_of(scalars[s], n, leaving); !rest.empty();) {
        const std::size_t count = std::min(rest.size(), block_values);
        append(rest.first(count), message, static_cast<std::uint32_t>(s), arrays);
        message += count * value_bytes;
        rest = rest.subspan(count);
      }
    arrays.end_blocks.push_back(arrays.blocks.size());
  }
  return arrays;
}

}  // namespace fluvia::cuda
