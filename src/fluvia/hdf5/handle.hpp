// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <hdf5.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "fluvia/base/library_calls.hpp"

namespace fluvia {

/// Owns one HDF5 identifier.
class HdfHandle {
 public:
  using Close = herr_t (*)(hid_t);
  HdfHandle() = default;
  HdfHandle(hid_t id, Close close) : id_(id), close_(close) {}
  HdfHandle(HdfHandle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  HdfHandle& operator=(HdfHandle&& other) noexcept {
    reset();
    id_ = std::exchange(other.id_, -1);
    close_ = other.close_;
    return *this;
  }
  ~HdfHandle() { reset(); }
  [[nodiscard]] hid_t get() const { return id_; }
  [[nodiscard]] bool valid() const { return id_ >= 0; }
  void reset() {
    if (id_ >= 0) close_(id_);
    id_ = -1;
  }

 private:
  hid_t id_ = -1;
  Close close_ = nullptr;
};

/// Keeps HDF5 from printing its error stack while it lives.
class HdfSilence {
 public:
  HdfSilence();
  ~HdfSilence();
  HdfSilence(const HdfSilence&) = delete;
  HdfSilence& operator=(const HdfSilence&) = delete;

 private:
  LibraryCalls calls_{"HDF5"};  ///< the first member: asking HDF5 for anything may take memory
  H5E_auto2_t function_ = nullptr;
  void* data_ = nullptr;
};

/// The innermost message of HDF5's error stack.
std::string hdf_error_text();

/// HDF5's type for T in memory.
template <class T>
hid_t hdf_type();
template <>
inline hid_t hdf_type<float>() {
  return H5T_NATIVE_FLOAT;
}
template <>
inline hid_t hdf_type<double>() {
  return H5T_NATIVE_DOUBLE;
}
template <>
inline hid_t hdf_type<std::uint8_t>() {
  return H5T_NATIVE_UINT8;
}
template <>
inline hid_t hdf_type<std::uint16_t>() {
  return H5T_NATIVE_UINT16;
}
template <>
inline hid_t hdf_type<std::int64_t>() {
  return H5T_NATIVE_INT64;
}
template <>
inline hid_t hdf_type<std::uint64_t>() {
  return H5T_NATIVE_UINT64;
}

/// A space of so many values along each axis; with `extendable` the first axis may grow.
HdfHandle make_space(const std::vector<hsize_t>& shape, bool extendable = false);

}  // namespace fluvia
