// SPDX-License-Identifier: Apache-2.0
#include "fluvia/hdf5/handle.hpp"

namespace fluvia {
namespace {

herr_t keep_first(unsigned level, const H5E_error2_t* entry, void* out) {
  if (level == 0 && entry->desc) *static_cast<std::string*>(out) = entry->desc;
  if (entry->maj_num == H5E_RESOURCE) LibraryCalls::suspect("HDF5");
  return 0;
}

}  // namespace

HdfSilence::HdfSilence() {
  // Files are closed one by one. What HDF5 does at exit does not survive want of memory, and comes before any handler
  // of the program when a library ends it.
  [[maybe_unused]] static const herr_t once = H5dont_atexit();
  // HDF5 1.10 that gets no memory empties its lists of free blocks, tries again, and has spoiled the heap by then where
  // there were any.
  [[maybe_unused]] static const herr_t no_lists = H5set_free_list_limits(0, 0, 0, 0, 0, 0);
  H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

HdfSilence::~HdfSilence() {
  H5Eset_auto2(H5E_DEFAULT, function_, data_);
}

std::string hdf_error_text() {
  std::string text;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_first, &text);
  return text.empty() ? "unknown HDF5 error" : text;
}

HdfHandle make_space(const std::vector<hsize_t>& shape, bool extendable) {
  std::vector<hsize_t> limit = shape;
  if (extendable) limit[0] = H5S_UNLIMITED;
  return {H5Screate_simple(static_cast<int>(shape.size()), shape.data(), limit.data()), H5Sclose};
}

}  // namespace fluvia
