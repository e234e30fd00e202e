// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace fluvia {

/// What the system calls this machine's processors, as "AMD EPYC 9355 32-Core Processor"; on ARM the numbers of maker
/// and part. Empty if it does not say.
std::string processor_name();

}  // namespace fluvia
