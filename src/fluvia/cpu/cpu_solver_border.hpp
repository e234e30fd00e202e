// SPDX-License-Identifier: Apache-2.0
// CpuSolver: work of the solver of a block at its borders. Included only by the files that instantiate it.
#pragma once
#include <algorithm>
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

/// Calls visit(element, k) for number k of a message between levels, with its element of memory.
template <class Groups, class Format>
template <class Visit>
void CpuSolver<Groups, Format>::for_each_number(const BorderList& list, std::int64_t parity, const Visit& visit) const {
  const std::vector<std::uint32_t>& singles = list.singles[parity];
  if (singles.empty())
    return for_each_run(list, parity, [&](const Run& run) {
      for (std::uint32_t k = 0; k < run.count; ++k) visit(run.element + k, run.at + k);
    });
  constexpr std::size_t worth_threads = 1 << 14;  // as above
  const std::size_t count = singles.size();
#pragma omp parallel for schedule(static) num_threads(plan_.threads) if (count > worth_threads && plan_.threads > 1)
  for (std::size_t k = 0; k < count; ++k) visit(singles[k], k);
}

template <class Groups, class Format>
void CpuSolver<Groups, Format>::pack(std::size_t neighbour, std::byte* out) {
  if (const int scalar = block_.neighbours[neighbour].scalar; scalar != Neighbour::of_flow)
    return scalars_->level(neighbour).pack(scalars_->populations(scalar), out);
  // Populations are packed between the halves of these steps: those that the next step will read, in the copy that the
  // last one writes.
  const BorderList& list = border_.borders[neighbour].leaves;
  const Storage* const populations = memory((updates_ + begun_) % scheme_.copies);
  if (list.is_decoded)
    return for_each_number(list, (updates_ + begun_) % streaming_.parities, [&](std::uint64_t element, std::size_t k) {
      const auto number = static_cast<double>(Format::decode(populations[element]));
      std::memcpy(out + k * sizeof(double), &number, sizeof(double));
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
  if (scalars_) scalars_->pack(neighbour, out);
}

template <class Groups, class Format>
void CpuSolver<Groups, Format>::unpack(std::size_t neighbour, const std::byte* in) {
  if (const int scalar = block_.neighbours[neighbour].scalar; scalar != Neighbour::of_flow)
    return scalars_->level(neighbour).unpack(in, scalars_->populations(scalar));
  const BorderList& list = border_.borders[neighbour].arrives;
  Storage* const populations = current();
  if (list.is_decoded)
    return for_each_number(list, updates_ % streaming_.parities, [&](std::uint64_t element, std::size_t k) {
      double number = 0;
      std::memcpy(&number, in + k * sizeof(double), sizeof(double));
      populations[element] = Format::encode(static_cast<T>(number));
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
  if (scalars_) scalars_->unpack(neighbour, in);
}

template <class Groups, class Format>
void CpuSolver<Groups, Format>::exchange(std::size_t neighbour, std::span<double> leaving,
                                         std::span<const double> numbers, std::span<const std::uint32_t> chosen) {
  if (const int scalar = block_.neighbours[neighbour].scalar; scalar != Neighbour::of_flow)
    return scalars_->level(neighbour).exchange(leaving, numbers, chosen, scalars_->populations(scalar));
  Storage* const populations = current();
  for_each_number(border_.borders[neighbour].arrives, updates_ % streaming_.parities,
                  [&](std::uint64_t element, std::size_t k) {
                    leaving[k] = static_cast<double>(Format::decode(populations[element]));
                    if (chosen[k] != stays) populations[element] = Format::encode(static_cast<T>(numbers[chosen[k]]));
                  });
}

template <class Groups, class Format>
void CpuSolver<Groups, Format>::unpack_number(std::size_t neighbour, std::uint32_t at, double number) {
  if (const int scalar = block_.neighbours[neighbour].scalar; scalar != Neighbour::of_flow) {
    scalars_->populations(scalar)[scalars_->level(neighbour).arrives[at]] = static_cast<T>(number);
    return;
  }
  const std::uint64_t element = border_.borders[neighbour].arrives.element(updates_ % streaming_.parities, at);
  current()[element] = Format::encode(static_cast<T>(number));
}

}  // namespace fluvia::cpu
