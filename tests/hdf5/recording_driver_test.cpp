// SPDX-License-Identifier: Apache-2.0
// What the file driver remembers of calls that the operating system refuses.
#include "fluvia/hdf5/recording_driver.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <filesystem>

#include "fluvia/hdf5/handle.hpp"
#include "support/temporary_folder.hpp"

namespace fluvia {
namespace {

/// The error that is on record after an attempt to open a file by the driver.
int error_of_opening(const std::filesystem::path& path, HdfWriteRecord record = {}) {
  const HdfHandle driver(register_recording_driver(), H5FDunregister);
  const HdfHandle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  EXPECT_TRUE(use_recording_driver(access.get(), driver.get(), record));
  const HdfSilence silence;
  const HdfHandle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.get()), H5Fclose);
  EXPECT_FALSE(file.valid());
  return record.error_number;
}

TEST(RecordingDriver, KeepsWhyAFileCannotBeOpened) {
  const test::TemporaryFolder folder;
  EXPECT_EQ(error_of_opening(folder.path() / "nothing"), ENOENT);
  EXPECT_EQ(error_of_opening(folder.path() / "nothing", {ENOSPC}), ENOSPC) << "the first error is the reason";
}

/// A folder can be opened, but not read.
TEST(RecordingDriver, KeepsWhyAFileCannotBeRead) {
  const test::TemporaryFolder folder;
  EXPECT_EQ(error_of_opening(folder.path()), EISDIR);
}

}  // namespace
}  // namespace fluvia
