// SPDX-License-Identifier: Apache-2.0
// Plans before anything is prepared for a device; used within the backend only.
#pragma once
#include <cstdint>

#include "fluvia/backend/backend.hpp"

namespace fluvia {

inline constexpr double mebibyte = 1024.0 * 1024;

/// The plan of a case on a device that was chosen, with the result of a trial. The memory that a GPU will take is not
/// known yet.
Plan device_plan(const Problem& problem, const DeviceChoice& choice, const Trial& trial = {});

/// Plans as many threads as a rank has processors, unless the case says how many.
void take_threads_of_rank(const Case& c, Plan& plan);

/// Bytes of memory for a domain on all GPUs that share it.
std::uint64_t memory_of(const Case& c, const DeviceChoice& choice);

}  // namespace fluvia
