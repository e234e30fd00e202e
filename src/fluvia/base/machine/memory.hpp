// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>

namespace fluvia {

/// Memory that can still be had without swapping (cgroup limits included where readable), in bytes.
std::uint64_t available_memory();
/// Bytes that are left of a limit of which `used` are used; `of_idle_files` bytes of these are pages of files that
/// nobody is looking at, which the system takes back.
std::uint64_t memory_left(std::uint64_t limit, std::uint64_t used, std::uint64_t of_idle_files);

/// Number of nodes of memory that processors reach at different speeds, such as sockets; 1 if the system does not say.
int memory_nodes();

/// Throws Error(resource) that names what the memory is for, how much is needed and how much is free, and `remedy`,
/// unless `bytes` fit into `available`. Linux grants more memory than there is and ends the process that uses it.
void require_memory(std::uint64_t bytes, const std::string& what, const std::string& remedy,
                    std::uint64_t available = available_memory());

}  // namespace fluvia
