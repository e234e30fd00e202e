// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fluvia/solver/solver.hpp"

namespace fluvia {

/// State of the monitors by name: windows, sums of averages, ...
using MonitorState = std::map<std::string, std::vector<double>>;

/// What a checkpoint holds beside the arrays of the flow.
struct CheckpointInfo {
  std::string version;  ///< version of Fluvia
  std::string title;
  std::uint64_t case_hash = 0;  ///< Case::hash
  MonitorState monitors;
};

/// Head of a checkpoint file.
struct CheckpointHeader {
  std::string version, title, lattice, format, scheme;
  std::uint64_t case_hash = 0, geometry_hash = 0, fluid_nodes = 0;
  Int3 size{};
  std::int64_t step = 0;
};

/// What was read from a checkpoint.
struct LoadedCheckpoint {
  CheckpointHeader header;
  MonitorState monitors;
  std::string note;  ///< not empty if the populations were converted; says which precision was lost
};

struct CheckpointReadOptions {
  std::uint64_t case_hash = 0;     ///< hash of the case that resumes
  bool accept_other_case = false;  ///< do not compare case hashes (e.g. another storage format was asked for)
  /// Turns the numbers that an earlier version wrote of an array over stateful nodes into those of this version;
  /// returns none if they are not from such a version.
  std::function<std::vector<double>(const std::vector<double>&)> of_earlier{};
};

/// Writes the whole state, whole or not at all. The file (HDF5 behind a 512-byte head with its length and checksum)
/// keeps arrays in canonical order, so that any scheme and thread count can continue from it. Extra memory is a few
/// MiB. Throws Error(resource).
void write_checkpoint(const std::filesystem::path& path, const FlowState& state, const CheckpointInfo& info);

/// Restores the state of `solver`, which then continues at the stored step. The file's length and checksum are verified
/// and everything is compared before anything is loaded. Populations stored in another format are converted through
/// double. Throws Error(input) naming the file and what differs: truncated, altered, another version, case, lattice or
/// geometry.
LoadedCheckpoint read_checkpoint(const std::filesystem::path& path, Solver& solver,
                                 const CheckpointReadOptions& options);

/// Verifies a file and returns its head. Throws Error(input) as read_checkpoint does.
CheckpointHeader inspect_checkpoint(const std::filesystem::path& path);

/// Path of a checkpoint: FOLDER/NAME-000000012000.fluvia.
std::filesystem::path checkpoint_path(const std::filesystem::path& folder, const std::string& name, std::int64_t step);

/// How many checkpoints of each name a folder keeps.
inline constexpr int kept_checkpoints = 2;

/// Removes all checkpoints NAME-*.fluvia of the folder but the `keep` with the highest steps.
void rotate_checkpoints(const std::filesystem::path& folder, const std::string& name, int keep = kept_checkpoints);

/// Writes checkpoint_path(folder, name, state.time_step()) and keeps the last ones. Returns the path.
std::filesystem::path save_checkpoint(const std::filesystem::path& folder, const std::string& name,
                                      const FlowState& state, const CheckpointInfo& info);

/// The sound checkpoint of the folder (any name) with the highest step; none if the folder has no checkpoint. Damaged
/// ones are passed over with a sentence in `warnings`; if all are damaged, throws Error(input).
std::optional<std::filesystem::path> find_latest_checkpoint(const std::filesystem::path& folder,
                                                            std::vector<std::string>& warnings);

/// Hash of the box, of its periodicity, of which nodes are fluid, and of the links that sheets bar.
std::uint64_t hash_nodes(const NodeMap& nodes);

}  // namespace fluvia
