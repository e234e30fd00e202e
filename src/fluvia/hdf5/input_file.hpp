// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "fluvia/hdf5/handle.hpp"

namespace fluvia {

/// An HDF5 file being read. Errors are Error(input) that name the file.
class HdfInputFile {
 public:
  /// Opens a file. Messages start with `kind` ("checkpoint ") and the path.
  explicit HdfInputFile(const std::filesystem::path& path, std::string kind = "");
  [[nodiscard]] hid_t id() const { return file_.get(); }
  [[noreturn]] void fail(const std::string& what) const;
  [[nodiscard]] std::string text(hid_t object, const std::string& name) const;
  template <class T>
  [[nodiscard]] std::vector<T> attribute(hid_t object, const std::string& name) const {
    std::vector<T> values(attribute_size(object, name));
    read_attribute(object, name, hdf_type<T>(), values.data());
    return values;
  }
  template <class T>
  [[nodiscard]] T scalar(hid_t object, const std::string& name) const {
    if (attribute_size(object, name) != 1) fail("attribute '" + name + "' is not one number");
    T value{};
    read_attribute(object, name, hdf_type<T>(), &value);
    return value;
  }
  [[nodiscard]] bool has_attribute(hid_t object, const std::string& name) const;
  /// True if a group holds an object of this name.
  [[nodiscard]] bool has(hid_t group, const std::string& name) const;
  /// Names of the objects in a group; of a very large group only the first.
  [[nodiscard]] std::vector<std::string> names(const HdfHandle& group) const;
  [[nodiscard]] HdfHandle open_group(const std::string& name) const;
  [[nodiscard]] HdfHandle open_dataset(hid_t parent, const std::string& name) const;
  [[nodiscard]] std::vector<hsize_t> shape(const HdfHandle& dataset) const;
  /// Reads a block; HDF5 converts from the stored type to `type`.
  void read(const HdfHandle& dataset, hid_t type, const std::vector<hsize_t>& start, const std::vector<hsize_t>& count,
            void* values) const;

 private:
  [[nodiscard]] std::size_t attribute_size(hid_t object, const std::string& name) const;
  void read_attribute(hid_t object, const std::string& name, hid_t type, void* values) const;

  std::filesystem::path path_;
  std::string kind_;
  HdfSilence silence_;
  HdfHandle file_;
};

}  // namespace fluvia
