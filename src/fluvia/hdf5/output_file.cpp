// SPDX-License-Identifier: Apache-2.0
#include "fluvia/hdf5/output_file.hpp"

#include <algorithm>

#include "fluvia/base/error.hpp"

namespace fluvia {
namespace {

/// Creation properties of a dataset: chunks and filters.
HdfHandle make_creation(const HdfLayout& layout) {
  HdfHandle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_obj_track_times(creation.get(), 0);  // the same flow gives the same bytes whenever it is written
  H5Pset_fill_time(creation.get(), H5D_FILL_TIME_NEVER);
  if (layout.chunk.empty()) {
    H5Pset_alloc_time(creation.get(), H5D_ALLOC_TIME_EARLY);
    return creation;
  }
  H5Pset_chunk(creation.get(), static_cast<int>(layout.chunk.size()), layout.chunk.data());
  if (layout.compression > 0) {
    H5Pset_shuffle(creation.get());
    H5Pset_deflate(creation.get(), static_cast<unsigned>(std::min(layout.compression, 9)));
  }
  return creation;
}

/// Access properties with a chunk cache that holds one row of chunks, so that none is written twice while rows are
/// written in order. Chunks that are compressed do not pass through it.
HdfHandle make_access(const HdfLayout& layout, hid_t type) {
  HdfHandle access(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose);
  if (layout.chunk.empty() || layout.compression > 0) return access;
  std::size_t chunk_bytes = H5Tget_size(type), chunks = 1;
  for (std::size_t axis = 0; axis < layout.chunk.size(); ++axis) {
    chunk_bytes *= layout.chunk[axis];
    if (axis > 0) chunks *= (layout.shape[axis] + layout.chunk[axis] - 1) / layout.chunk[axis];
  }
  H5Pset_chunk_cache(access.get(), 12421, std::max<std::size_t>(std::size_t{1} << 20, chunk_bytes * (chunks + 1)), 1.0);
  return access;
}

}  // namespace

HdfOutputFile::HdfOutputFile(const std::filesystem::path& target, hsize_t user_block)
    : atomic_(target), driver_(register_recording_driver(), H5FDunregister) {
  const HdfHandle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose), creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
  check(use_recording_driver(access.get(), driver_.get(), record_), "set up the file driver");
  H5Pset_fclose_degree(access.get(), H5F_CLOSE_STRONG);
  if (user_block > 0) check(H5Pset_userblock(creation.get(), user_block) >= 0, "reserve the user block");
  file_ = HdfHandle(H5Fcreate(atomic_.temporary().c_str(), H5F_ACC_TRUNC, creation.get(), access.get()), H5Fclose);
  check(file_.valid(), "create the file");
}

HdfOutputFile::~HdfOutputFile() = default;

void HdfOutputFile::check(bool success, const std::string& doing) const {
  if (record_.error_number != 0) throw_resource(write_failure_message(atomic_.target(), record_.error_number));
  if (!success) {
    throw_resource("cannot write '" + atomic_.target().string() + "': could not " + doing + " (" + hdf_error_text() +
                   ")");
  }
}

HdfHandle HdfOutputFile::create_group(hid_t parent, const std::string& name) const {
  // Creation order is tracked because VTK lists arrays in the order in which they were made.
  const HdfHandle creation(H5Pcreate(H5P_GROUP_CREATE), H5Pclose);
  H5Pset_obj_track_times(creation.get(), 0);
  H5Pset_link_creation_order(creation.get(), H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
  HdfHandle group(H5Gcreate2(parent, name.c_str(), H5P_DEFAULT, creation.get(), H5P_DEFAULT), H5Gclose);
  check(group.valid(), "create group '" + name + "'");
  return group;
}

void HdfOutputFile::attribute(hid_t object, const std::string& name, const std::string& text) const {
  const HdfHandle type(H5Tcopy(H5T_C_S1), H5Tclose), space(H5Screate(H5S_SCALAR), H5Sclose);
  H5Tset_size(type.get(), std::max<std::size_t>(text.size(), 1));
  H5Tset_strpad(type.get(), H5T_STR_NULLPAD);
  const HdfHandle made(H5Acreate2(object, name.c_str(), type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  check(made.valid() && H5Awrite(made.get(), type.get(), text.c_str()) >= 0, "write attribute '" + name + "'");
}

void HdfOutputFile::attribute(hid_t object, const std::string& name, hid_t type, const void* values,
                              hsize_t count) const {
  const HdfHandle space = count == 0 ? HdfHandle(H5Screate(H5S_SCALAR), H5Sclose) : make_space({count});
  const HdfHandle made(H5Acreate2(object, name.c_str(), type, space.get(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  check(made.valid() && H5Awrite(made.get(), type, values) >= 0, "write attribute '" + name + "'");
}

void HdfOutputFile::close() {
  if (!file_.valid()) return;
  if (lost_) throw Error(ExitCode::internal, "'" + atomic_.target().string() + "': a dataset was not finished");
  const bool flushed = H5Fflush(file_.get(), H5F_SCOPE_GLOBAL) >= 0;
  file_.reset();
  check(flushed, "flush the file");
}

void HdfOutputFile::commit() {
  close();
  atomic_.commit();
}

HdfDataset::HdfDataset(const HdfOutputFile& file, hid_t parent, const std::string& name, hid_t type,
                       const HdfLayout& layout, hid_t memory_type)
    : file_(&file), name_(name), memory_type_(memory_type < 0 ? type : memory_type), shape_(layout.shape) {
  const HdfHandle space = make_space(shape_, layout.extendable);
  const HdfHandle creation = make_creation(layout), access = make_access(layout, type);
  dataset_ = HdfHandle(H5Dcreate2(parent, name.c_str(), type, space.get(), H5P_DEFAULT, creation.get(), access.get()),
                       H5Dclose);
  file.check(dataset_.valid(), "create dataset '" + name + "'");
  if (!layout.chunk.empty() && layout.compression > 0) {
    if (memory_type_ != type) throw Error(ExitCode::internal, "compressed datasets convert no values");
    packer_.emplace(shape_, layout.chunk, H5Tget_size(type), std::min(layout.compression, 9), layout.extendable);
  }
}

HdfDataset::~HdfDataset() {
  if (packer_ && packer_->pending()) file_->note_lost();
}

void HdfDataset::store(const std::vector<PackedChunk>& chunks) {
  for (const PackedChunk& chunk : chunks) {
    constexpr std::uint32_t all_filters = 0;
    file_->check(H5Dwrite_chunk(dataset_.get(), H5P_DEFAULT, all_filters, chunk.offset.data(), chunk.bytes.size(),
                                chunk.bytes.data()) >= 0,
                 "write dataset '" + name_ + "'");
  }
}

void HdfDataset::finish() {
  if (packer_) store(packer_->finish());
}

void HdfDataset::write(const std::vector<hsize_t>& start, const std::vector<hsize_t>& count, const void* values) {
  if (packer_) return store(packer_->take(start, count, values));
  const HdfHandle target(H5Dget_space(dataset_.get()), H5Sclose), source = make_space(count);
  const bool done =
      H5Sselect_hyperslab(target.get(), H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr) >= 0 &&
      H5Dwrite(dataset_.get(), memory_type_, source.get(), target.get(), H5P_DEFAULT, values) >= 0;
  file_->check(done, "write dataset '" + name_ + "'");
}

void HdfDataset::append(hsize_t rows, const void* values) {
  if (rows == 0) return;
  std::vector<hsize_t> start(shape_.size(), 0), count = shape_;
  start[0] = shape_[0];
  count[0] = rows;
  shape_[0] += rows;
  file_->check(H5Dset_extent(dataset_.get(), shape_.data()) >= 0, "extend dataset '" + name_ + "'");
  write(start, count, values);
}

}  // namespace fluvia
