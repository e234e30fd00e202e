// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <hdf5.h>

namespace fluvia {

/// The first error of the operating system met while HDF5 wrote a file, or read back what it had written; 0 = none.
struct HdfWriteRecord {
  int error_number = 0;
};

/// Registers an HDF5 file driver that writes plain files like HDF5's own, with one difference: after a failed write it
/// notes errno in the record and pretends that this and all later writes succeeded. HDF5 cannot close a file whose
/// cached chunks it fails to flush (objects stay open and the program hangs or aborts at exit), and does not hand
/// errno on; this way a full disk ends in an orderly close and one clear message. Release with H5FDunregister.
hid_t register_recording_driver();

/// Makes file-access list `access` use `driver` and report to `record`, which must outlive the file.
bool use_recording_driver(hid_t access, hid_t driver, HdfWriteRecord& record);

}  // namespace fluvia
