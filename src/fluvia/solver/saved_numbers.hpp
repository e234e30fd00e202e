// SPDX-License-Identifier: Apache-2.0
// Numbers of type NumberType::arithmetic as FlowState::save() writes them and Solver::load() reads them: in fp64,
// whatever kernels compute with.
#pragma once
#include <cstddef>
#include <cstring>
#include <span>

namespace fluvia {

/// Writes numbers as fp64; `out` has sizeof(double) bytes for each.
template <class T>
void save_numbers(std::span<const T> numbers, std::span<std::byte> out) {
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    const auto number = static_cast<double>(numbers[k]);
    std::memcpy(out.data() + k * sizeof(double), &number, sizeof(double));
  }
}

/// Reads numbers that save_numbers() wrote.
template <class T>
void load_numbers(std::span<const std::byte> in, std::span<T> numbers) {
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    double number = 0;
    std::memcpy(&number, in.data() + k * sizeof(double), sizeof(double));
    numbers[k] = static_cast<T>(number);
  }
}

}  // namespace fluvia
