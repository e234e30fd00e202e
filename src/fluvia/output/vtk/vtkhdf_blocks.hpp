// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace fluvia {

/// A VTKHDF file that is a part of another one.
struct VtkBlock {
  std::string name;
  std::filesystem::path file;
};

/// Writes a VTKHDF file of the type MultiBlockDataSet (ParaView 5.13 and later) which refers to others in the same
/// folder, and holds nothing of them itself: they must stay beside it. `time` (SI) is stored as field data "TimeValue".
/// The file is there whole or not at all; `path` should end in ".vtkhdf". Throws Error(resource) if it cannot be
/// written.
void write_vtkhdf_blocks(const std::filesystem::path& path, const std::vector<VtkBlock>& blocks, double time);

}  // namespace fluvia
