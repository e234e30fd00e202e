// SPDX-License-Identifier: Apache-2.0
#include "fluvia/hdf5/recording_driver.hpp"

#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <new>

namespace fluvia {
namespace {

struct DriverInfo {
  HdfWriteRecord* record;
};

struct DriverFile {
  H5FD_t base;  // HDF5 casts between H5FD_t* and this struct, so it comes first
  int descriptor;
  haddr_t end_of_allocation, end_of_file;
  HdfWriteRecord* record;
};

DriverFile& self(H5FD_t* file) {
  return *reinterpret_cast<DriverFile*>(file);
}
const DriverFile& self(const H5FD_t* file) {
  return *reinterpret_cast<const DriverFile*>(file);
}

void note(HdfWriteRecord& record, int error_number) {
  if (record.error_number == 0) record.error_number = error_number;
}
void note(DriverFile& file, int error_number) {
  note(*file.record, error_number);
}

int open_flags(unsigned flags) {
  int result = (flags & H5F_ACC_RDWR) ? O_RDWR : O_RDONLY;
  if (flags & H5F_ACC_TRUNC) result |= O_TRUNC;
  if (flags & H5F_ACC_CREAT) result |= O_CREAT;
  if (flags & H5F_ACC_EXCL) result |= O_EXCL;
  return result | O_CLOEXEC;
}

H5FD_t* driver_open(const char* name, unsigned flags, hid_t access, haddr_t) {
  const auto* info = static_cast<const DriverInfo*>(H5Pget_driver_info(access));
  if (!info) return nullptr;
  const int descriptor = ::open(name, open_flags(flags), 0666);
  if (descriptor < 0) {
    note(*info->record, errno);
    return nullptr;
  }
  struct stat status {};
  auto* file = new (std::nothrow) DriverFile{};
  if (!file || ::fstat(descriptor, &status) != 0) {
    note(*info->record, file ? errno : ENOMEM);
    ::close(descriptor);
    delete file;
    return nullptr;
  }
  file->descriptor = descriptor;
  file->end_of_file = static_cast<haddr_t>(status.st_size);
  file->record = info->record;
  return &file->base;
}

herr_t driver_close(H5FD_t* base) {
  const std::unique_ptr<DriverFile> file(&self(base));
  if (::close(file->descriptor) != 0) note(*file, errno);
  return 0;
}

int driver_compare(const H5FD_t* first, const H5FD_t* second) {
  const int a = self(first).descriptor, b = self(second).descriptor;
  return a < b ? -1 : a > b;
}

herr_t driver_query(const H5FD_t*, unsigned long* flags) {
  if (flags) *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_AGGREGATE_SMALLDATA;
  return 0;
}

haddr_t driver_get_eoa(const H5FD_t* file, H5FD_mem_t) {
  return self(file).end_of_allocation;
}
herr_t driver_set_eoa(H5FD_t* file, H5FD_mem_t, haddr_t address) {
  self(file).end_of_allocation = address;
  return 0;
}
haddr_t driver_get_eof(const H5FD_t* file, H5FD_mem_t) {
  return self(file).end_of_file;
}

herr_t driver_read(H5FD_t* base, H5FD_mem_t, hid_t, haddr_t address, size_t size, void* buffer) {
  auto* out = static_cast<char*>(buffer);
  while (size > 0) {
    const ssize_t done = ::pread(self(base).descriptor, out, size, static_cast<off_t>(address));
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) {
      note(self(base), errno);
      return -1;
    }
    if (done == 0) break;
    out += done;
    address += static_cast<haddr_t>(done);
    size -= static_cast<size_t>(done);
  }
  std::memset(out, 0, size);  // beyond the end of the file: zeros, as HDF5 expects
  return 0;
}

herr_t driver_write(H5FD_t* base, H5FD_mem_t, hid_t, haddr_t address, size_t size, const void* buffer) {
  DriverFile& file = self(base);
  file.end_of_file = std::max(file.end_of_file, address + size);
  const auto* in = static_cast<const char*>(buffer);
  while (size > 0 && file.record->error_number == 0) {
    const ssize_t done = ::pwrite(file.descriptor, in, size, static_cast<off_t>(address));
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) {
      note(file, done < 0 ? errno : ENOSPC);
      break;
    }
    in += done;
    address += static_cast<haddr_t>(done);
    size -= static_cast<size_t>(done);
  }
  return 0;
}

herr_t driver_truncate(H5FD_t* base, hid_t, hbool_t) {
  DriverFile& file = self(base);
  if (file.end_of_file == file.end_of_allocation) return 0;
  if (::ftruncate(file.descriptor, static_cast<off_t>(file.end_of_allocation)) != 0) note(file, errno);
  file.end_of_file = file.end_of_allocation;
  return 0;
}

H5FD_class_t make_class() {
  H5FD_class_t result{};
#if H5_VERSION_GE(1, 13, 2)
  result.version = H5FD_CLASS_VERSION;
  result.value = static_cast<H5FD_class_value_t>(600);  // 512..65535: third-party drivers
#endif
  result.name = "fluvia_recording";
  result.maxaddr = (static_cast<haddr_t>(1) << 62) - 1;
  result.fc_degree = H5F_CLOSE_STRONG;
  result.fapl_size = sizeof(DriverInfo);
  result.open = driver_open;
  result.close = driver_close;
  result.cmp = driver_compare;
  result.query = driver_query;
  result.get_eoa = driver_get_eoa;
  result.set_eoa = driver_set_eoa;
  result.get_eof = driver_get_eof;
  result.read = driver_read;
  result.write = driver_write;
  result.truncate = driver_truncate;
  const H5FD_mem_t map[] = H5FD_FLMAP_DICHOTOMY;
  std::copy(std::begin(map), std::end(map), std::begin(result.fl_map));
  return result;
}

}  // namespace

hid_t register_recording_driver() {
  static const H5FD_class_t driver_class = make_class();
  return H5FDregister(&driver_class);
}

bool use_recording_driver(hid_t access, hid_t driver, HdfWriteRecord& record) {
  const DriverInfo info{&record};
  return H5Pset_driver(access, driver, &info) >= 0;
}

}  // namespace fluvia
