// SPDX-License-Identifier: Apache-2.0
// Loops by all threads whose bodies may throw.
#pragma once
#include <omp.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <limits>

namespace fluvia {

/// Calls visit(k) for 0 <= k < count by at most so many threads, each of which takes `chunk` calls in a row; chunks
/// come in no order. The first exception is thrown again when all threads have stopped; calls that had not begun by
/// then are left out.
template <class Visit>
void for_each_in_parallel(std::int64_t count, int chunk, const Visit& visit,
                          int most_threads = std::numeric_limits<int>::max()) {
  std::exception_ptr failure;
  std::atomic<bool> failed{false};
  const int threads = std::min(most_threads, omp_get_max_threads());
#pragma omp parallel for schedule(dynamic, chunk) num_threads(threads)
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
