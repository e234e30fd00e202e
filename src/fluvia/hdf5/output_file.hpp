// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "fluvia/base/atomic_file.hpp"
#include "fluvia/hdf5/chunk_packer.hpp"
#include "fluvia/hdf5/handle.hpp"
#include "fluvia/hdf5/recording_driver.hpp"

namespace fluvia {

/// An HDF5 file being written; it appears under its name, complete, at commit(). Errors are Error(resource).
class HdfOutputFile {
 public:
  /// `user_block` bytes (0, or a power of two >= 512) are left free at the start of the file.
  explicit HdfOutputFile(const std::filesystem::path& target, hsize_t user_block = 0);
  ~HdfOutputFile();
  HdfOutputFile(const HdfOutputFile&) = delete;
  HdfOutputFile& operator=(const HdfOutputFile&) = delete;

  [[nodiscard]] hid_t id() const { return file_.get(); }
  /// Throws if `success` is false or any write has failed so far.
  void check(bool success, const std::string& doing) const;
  /// Remembers that values of a dataset will never be written: close() throws Error(internal).
  void note_lost() const noexcept { lost_ = true; }

  HdfHandle create_group(hid_t parent, const std::string& name) const;
  void attribute(hid_t object, const std::string& name, const std::string& text) const;
  void attribute(hid_t object, const std::string& name, hid_t type, const void* values, hsize_t count) const;
  template <class T>
  void attribute(hid_t object, const std::string& name, const std::vector<T>& values) const {
    attribute(object, name, hdf_type<T>(), values.data(), values.size());
  }
  /// Writes an attribute that holds one number.
  template <class T>
  void scalar(hid_t object, const std::string& name, T value) const {
    attribute(object, name, hdf_type<T>(), &value, 0);
  }

  /// Closes the HDF5 part; the bytes can then be read or patched through file().
  void close();
  [[nodiscard]] AtomicFile& file() { return atomic_; }
  void commit();

 private:
  AtomicFile atomic_;
  HdfSilence silence_;
  HdfWriteRecord record_;
  mutable bool lost_ = false;  ///< a dataset was not finished
  HdfHandle driver_;
  HdfHandle file_;
};

/// How a dataset is laid out and compressed.
struct HdfLayout {
  std::vector<hsize_t> shape;  ///< slowest axis first; the first extent is 0 for append()
  std::vector<hsize_t> chunk;  ///< empty = contiguous
  /// Deflate level 0..9 (with byte shuffle), for chunked layouts whose type in memory is the stored one.
  int compression = 0;
  bool extendable = false;  ///< the first axis grows with append()
};

/// A dataset being written.
class HdfDataset {
 public:
  /// Stores values as `type`; in memory they are of `memory_type` (default: the same).
  HdfDataset(const HdfOutputFile& file, hid_t parent, const std::string& name, hid_t type, const HdfLayout& layout,
             hid_t memory_type = -1);
  ~HdfDataset();
  HdfDataset(const HdfDataset&) = delete;
  HdfDataset& operator=(const HdfDataset&) = delete;
  /// Writes the block that starts at `start` and has the extents `count`.
  void write(const std::vector<hsize_t>& start, const std::vector<hsize_t>& count, const void* values);
  /// Adds `rows` along the first axis of an extendable dataset.
  void append(hsize_t rows, const void* values);
  /// Writes the values that wait to be compressed. A file cannot be closed before its compressed, extendable datasets
  /// are finished.
  void finish();
  [[nodiscard]] hsize_t rows() const { return shape_[0]; }

 private:
  void store(const std::vector<PackedChunk>& chunks);

  const HdfOutputFile* file_;
  std::string name_;
  hid_t memory_type_;
  std::vector<hsize_t> shape_;
  HdfHandle dataset_;
  std::optional<ChunkPacker> packer_;  ///< present if values are compressed
};

/// Writes a whole one-dimensional dataset.
template <class T>
void write_dataset(const HdfOutputFile& file, hid_t parent, const std::string& name, const std::vector<T>& values) {
  HdfDataset dataset(file, parent, name, hdf_type<T>(), {.shape = {values.size()}, .chunk = {}});
  if (!values.empty()) dataset.write({0}, {values.size()}, values.data());
}

}  // namespace fluvia
