// SPDX-License-Identifier: Apache-2.0
// CpuSolver: work of the solver of a block at its borders. Included only by the files that instantiate it.
#pragma once
#include <cstring>

#include "fluvia/cpu/cpu_solver.hpp"

namespace fluvia::cpu {

template <class Groups, class Format>
template <class Copy>
void CpuSolver<Groups, Format>::for_each_run(const BorderList& list, std::int64_t parity, const Copy& copy) const {
  constexpr std::uint64_t worth_threads = 1 << 16;  // bytes; a barrier takes microseconds
  const std::vector<Run>& runs = list.runs[parity];
  const auto count = static_cast<std::int64_t>(runs.size());
  const bool many = list.elements * sizeof(Storage) > worth_threads && plan_.threads > 1;
#pragma omp parallel for schedule(static) num_threads(plan_.threads) if (many)
  for (std::int64_t k = 0; k < count; ++k) copy(runs[static_cast<std::size_t>(k)]);
}

template <class Groups, class Format>
void CpuSolver<Groups, Format>::pack(std::size_t neighbour, std::byte* out) {
  // Populations are packed between the halves of these steps: those that the next step will read, in the copy that the
  // last one writes.
  const BorderList& list = border_.borders[neighbour].leaves;
  const Storage* const populations = memory((updates_ + begun_) % scheme_.copies);
  if (list.is_decoded)
    return for_each_run(list, (updates_ + begun_) % streaming_.parities, [&](const Run& run) {
      for (std::uint32_t k = 0; k < run.count; ++k) {
        const auto number = static_cast<double>(Format::decode(populations[run.element + k]));
        std::memcpy(out + (run.at + k) * sizeof(double), &number, sizeof(double));
      }
    });
  for_each_run(list, (updates_ + begun_) % streaming_.parities, [&](const Run& run) {
    std::memcpy(out + run.at * sizeof(Storage), populations + run.element, run.count * sizeof(Storage));
  });
  out += list.elements * sizeof(Storage);
  for (const KeptList& kept : list.kept) {
    const T* const numbers = kept_.of(kept.array);
    for (const std::uint32_t index : kept.indices) {
      std::memcpy(out, numbers + index, sizeof(T));
      out += sizeof(T);
    }
  }
}

template <class Groups, class Format>
void CpuSolver<Groups, Format>::unpack(std::size_t neighbour, const std::byte* in) {
  const BorderList& list = border_.borders[neighbour].arrives;
  Storage* const populations = current();
  if (list.is_decoded)
    return for_each_run(list, updates_ % streaming_.parities, [&](const Run& run) {
      for (std::uint32_t k = 0; k < run.count; ++k) {
        double number = 0;
        std::memcpy(&number, in + (run.at + k) * sizeof(double), sizeof(double));
        populations[run.element + k] = Format::encode(static_cast<T>(number));
      }
    });
  for_each_run(list, updates_ % streaming_.parities, [&](const Run& run) {
    std::memcpy(populations + run.element, in + run.at * sizeof(Storage), run.count * sizeof(Storage));
  });
  in += list.elements * sizeof(Storage);
  for (const KeptList& kept : list.kept) {
    T* const numbers = kept_.of(kept.array);
    for (const std::uint32_t index : kept.indices) {
      std::memcpy(numbers + index, in, sizeof(T));
      in += sizeof(T);
    }
  }
}

}  // namespace fluvia::cpu
