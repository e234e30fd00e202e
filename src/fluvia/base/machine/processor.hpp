// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>

namespace fluvia {

/// Name that the system gives this machine's processors, such as "AMD EPYC 9355 32-Core Processor"; on ARM the numbers
/// of maker and part. Empty if it does not say.
std::string processor_name();

/// How many processors' worth of time this process may use, if it may run on so many: fewer where a control group (a
/// container, a batch system) limits it.
double usable_processors(int processors);
/// Processors' worth of time that a control group gives, from its `cpu.max` ("400000 100000"); none if it gives any
/// amount ("max 100000"), or for other text.
std::optional<double> processors_of_quota(const std::string& text);

}  // namespace fluvia
