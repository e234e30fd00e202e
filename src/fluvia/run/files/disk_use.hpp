// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "fluvia/geometry/problem.hpp"
#include "fluvia/solver/links/boundary_setup.hpp"
#include "fluvia/solver/solver.hpp"

namespace fluvia {

/// What files of one kind take on the disk.
struct FilesOfKind {
  std::string kind;         ///< "fields", "walls", "tables", "pictures", "monitors", "checkpoints"
  std::uint64_t files = 0;  ///< how many there are at a time, at most
  double bytes = 0;         ///< of one of them
  [[nodiscard]] double total() const { return static_cast<double>(files) * bytes; }
};

/// What a run of a case writes, for `fluvia plan`. Fields, walls and checkpoints are counted as if nothing were
/// compressed: compressed fields take 50 to 90% of that, and much less where they are smooth or at rest. Sizes of
/// pictures, tables and monitors are estimates to a factor of two. Of checkpoints those count that are there at a time:
/// the kept ones, those to fall back on, and the one that is being written.
struct DiskUse {
  std::vector<FilesOfKind> kinds;  ///< none without files
  [[nodiscard]] double total() const;
};

/// `setup`: the openings of the case as they act.
DiskUse expected_disk_use(const Problem& problem, const Plan& plan, const BoundarySetup& setup);

/// Bytes that are free where a folder is or would be; none if the system does not say.
std::optional<double> free_bytes_at(const std::filesystem::path& folder);

}  // namespace fluvia
