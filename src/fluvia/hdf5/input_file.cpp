// SPDX-License-Identifier: Apache-2.0
#include "fluvia/hdf5/input_file.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "fluvia/base/error.hpp"

namespace fluvia {
namespace {

/// Limits of what Fluvia reads: a damaged file may claim any length.
constexpr std::size_t longest_attribute = std::size_t{1} << 20;
constexpr hsize_t most_names = 1000;
constexpr std::size_t longest_name = 1000;

}  // namespace

HdfInputFile::HdfInputFile(const std::filesystem::path& path, std::string kind) : path_(path), kind_(std::move(kind)) {
  file_ = HdfHandle(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  if (!file_.valid()) fail("not a readable HDF5 file: " + hdf_error_text());
}

void HdfInputFile::fail(const std::string& what) const {
  throw_input(fmt::format("{}'{}': {}", kind_, path_.string(), what));
}

std::size_t HdfInputFile::attribute_size(hid_t object, const std::string& name) const {
  const HdfHandle found(H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose);
  if (!found.valid()) fail("attribute '" + name + "' is missing");
  const HdfHandle space(H5Aget_space(found.get()), H5Sclose);
  const auto size = static_cast<std::size_t>(std::max<hssize_t>(H5Sget_simple_extent_npoints(space.get()), 0));
  if (size > longest_attribute) fail("attribute '" + name + "' is too long");
  return size;
}

void HdfInputFile::read_attribute(hid_t object, const std::string& name, hid_t type, void* values) const {
  const HdfHandle found(H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose);
  if (!found.valid() || H5Aread(found.get(), type, values) < 0) fail("attribute '" + name + "' cannot be read");
}

std::string HdfInputFile::text(hid_t object, const std::string& name) const {
  const HdfHandle found(H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose);
  if (!found.valid()) fail("attribute '" + name + "' is missing");
  const HdfHandle type(H5Aget_type(found.get()), H5Tclose);
  if (H5Tget_class(type.get()) != H5T_STRING || H5Tis_variable_str(type.get()) > 0) {
    fail("attribute '" + name + "' is not a text");
  }
  if (H5Tget_size(type.get()) > longest_attribute) fail("attribute '" + name + "' is too long");
  std::string value(H5Tget_size(type.get()), '\0');
  if (H5Aread(found.get(), type.get(), value.data()) < 0) fail("attribute '" + name + "' cannot be read");
  value.erase(std::find(value.begin(), value.end(), '\0'), value.end());
  return value;
}

bool HdfInputFile::has_attribute(hid_t object, const std::string& name) const {
  return H5Aexists(object, name.c_str()) > 0;
}

bool HdfInputFile::has(hid_t group, const std::string& name) const {
  return H5Lexists(group, name.c_str(), H5P_DEFAULT) > 0;
}

std::vector<std::string> HdfInputFile::names(const HdfHandle& group) const {
  H5G_info_t info{};
  if (H5Gget_info(group.get(), &info) < 0) fail("a group cannot be read: " + hdf_error_text());
  std::vector<std::string> names;
  for (hsize_t i = 0; i < std::min(info.nlinks, most_names); ++i) {
    std::string name(longest_name, '\0');
    const ssize_t length =
        H5Lget_name_by_idx(group.get(), ".", H5_INDEX_NAME, H5_ITER_INC, i, name.data(), name.size(), H5P_DEFAULT);
    if (length < 0) fail("a group cannot be read: " + hdf_error_text());
    name.resize(std::min(static_cast<std::size_t>(length), longest_name - 1));
    names.push_back(std::move(name));
  }
  return names;
}

HdfHandle HdfInputFile::open_group(const std::string& name) const {
  HdfHandle group(H5Gopen2(file_.get(), name.c_str(), H5P_DEFAULT), H5Gclose);
  if (!group.valid()) fail("group '" + name + "' is missing");
  return group;
}

HdfHandle HdfInputFile::open_dataset(hid_t parent, const std::string& name) const {
  HdfHandle dataset(H5Dopen2(parent, name.c_str(), H5P_DEFAULT), H5Dclose);
  if (!dataset.valid()) fail("dataset '" + name + "' is missing");
  return dataset;
}

std::vector<hsize_t> HdfInputFile::shape(const HdfHandle& dataset) const {
  const HdfHandle space(H5Dget_space(dataset.get()), H5Sclose);
  std::vector<hsize_t> shape(static_cast<std::size_t>(std::max(H5Sget_simple_extent_ndims(space.get()), 0)));
  H5Sget_simple_extent_dims(space.get(), shape.data(), nullptr);
  return shape;
}

void HdfInputFile::read(const HdfHandle& dataset, hid_t type, const std::vector<hsize_t>& start,
                        const std::vector<hsize_t>& count, void* values) const {
  const HdfHandle source(H5Dget_space(dataset.get()), H5Sclose), target = make_space(count);
  const bool done =
      H5Sselect_hyperslab(source.get(), H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr) >= 0 &&
      H5Dread(dataset.get(), type, target.get(), source.get(), H5P_DEFAULT, values) >= 0;
  if (!done) fail("data cannot be read: " + hdf_error_text());
}

}  // namespace fluvia
