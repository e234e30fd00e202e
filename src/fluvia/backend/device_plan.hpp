// SPDX-License-Identifier: Apache-2.0
// Plans before anything is prepared for a device; within the backend.
#pragma once
#include <cstdint>

#include "fluvia/backend/backend.hpp"

namespace fluvia {

/// The plan of a case on a device that was chosen, with what a trial says. What a GPU will take is not known yet.
Plan device_plan(const Problem& problem, const DeviceChoice& choice, const Trial& trial = {});

/// Memory for a domain on all GPUs that share it.
std::uint64_t memory_of(const Case& c, const DeviceChoice& choice);

}  // namespace fluvia
