// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace fluvia {

/// The folder of one run. While this object lives no other run can have the folder: a lock on the file `.fluvia-run` in
/// it, which the kernel releases when the process ends, however it ends. The file also tells whose results the folder
/// holds.
class RunFolder {
 public:
  static constexpr const char* record_name = ".fluvia-run";

  /// Makes the folder where it is missing and takes the lock. Throws Error(resource) if the folder cannot be made, or
  /// names the run that has it.
  RunFolder(std::filesystem::path folder, const std::string& title);
  /// Leaves the record if the folder was claimed, else nothing.
  ~RunFolder();
  RunFolder(const RunFolder&) = delete;
  RunFolder& operator=(const RunFolder&) = delete;

  /// True if the record says that the folder holds results of this case; none if there is no record.
  [[nodiscard]] std::optional<bool> holds(std::uint64_t case_hash) const;
  /// Removes what runs that were killed have left half-written.
  void remove_unfinished() const;
  /// Moves files that runs write into `previous-1` (or -2, ...) below; with `after`, only those of later steps, beside
  /// a copy of the monitors' file. Returns that folder, empty if there was nothing to move. Throws Error(resource).
  [[nodiscard]] std::filesystem::path set_aside(std::optional<std::int64_t> after = {}) const;
  /// True if the folder has a checkpoint of a later step: a run that goes on from `step` would mix with it.
  [[nodiscard]] bool has_checkpoint_after(std::int64_t step) const;
  /// States that results in the folder are those of this case from now on.
  void claim(std::uint64_t case_hash);
  /// Makes folder, lock and record again where somebody has removed or moved them; true if so. Throws Error(resource)
  /// if another run has the folder now.
  bool keep();

 private:
  void lock();
  [[noreturn]] void refuse_record(const char* what) const;
  void write_record() const;

  std::filesystem::path folder_, record_;
  std::string who_;            ///< text for another run that finds the folder locked
  std::optional<bool> known_;  ///< whether there was a record
  std::uint64_t recorded_hash_ = 0;
  std::optional<std::uint64_t> claimed_hash_;
  int descriptor_ = -1;
};

}  // namespace fluvia
