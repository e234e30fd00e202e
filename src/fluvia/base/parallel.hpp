// SPDX-License-Identifier: Apache-2.0
// Loops by all threads whose bodies may throw.
#pragma once
#include <atomic>
#include <cstdint>
#include <exception>

namespace fluvia {

/// Calls visit(k) for 0 <= k < count, `chunk` calls in a row by one thread, in no order of the chunks. The first
/// exception is thrown again when all threads have stopped; what had not begun by then is left out.
template <class Visit>
void for_each_in_parallel(std::int64_t count, int chunk, const Visit& visit) {
  std::exception_ptr failure;
  std::atomic<bool> failed{false};
#pragma omp parallel for schedule(dynamic, chunk)
  for (std::int64_t k = 0; k < count; ++k) {
    if (failed) continue;
    try {
      visit(k);
    } catch (...) {
      failed = true;
#pragma omp critical(fluvia_for_each_in_parallel)
      if (!failure) failure = std::current_exception();
    }
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace fluvia
