// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <vector>

namespace fluvia {

/// Folders of the control groups (cgroup v2) that limit this process, its own first, then those above it. In a
/// container the root is the group that the container was given. A missing file limits nothing.
std::vector<std::filesystem::path> control_groups();

}  // namespace fluvia
