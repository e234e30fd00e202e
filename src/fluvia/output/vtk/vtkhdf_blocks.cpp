// SPDX-License-Identifier: Apache-2.0
#include "fluvia/output/vtk/vtkhdf_blocks.hpp"

#include "fluvia/hdf5/output_file.hpp"

namespace fluvia {

void write_vtkhdf_blocks(const std::filesystem::path& path, const std::vector<VtkBlock>& blocks, double time) {
  HdfOutputFile file(path);
  const HdfHandle root = file.create_group(file.id(), "VTKHDF");
  file.attribute(root.get(), "Version", std::vector<std::int64_t>{2, 1});
  file.attribute(root.get(), "Type", "MultiBlockDataSet");
  const HdfHandle field_data = file.create_group(root.get(), "FieldData");
  write_dataset(file, field_data.get(), "TimeValue", std::vector<double>{time});
  const HdfHandle assembly = file.create_group(root.get(), "Assembly");
  for (const VtkBlock& block : blocks) {
    // The name alone, so that the folder may go elsewhere.
    const std::string name = block.file.filename().string(), inside = "/VTKHDF/" + block.name;
    const bool linked =
        H5Lcreate_external(name.c_str(), "/VTKHDF", root.get(), block.name.c_str(), H5P_DEFAULT, H5P_DEFAULT) >= 0 &&
        H5Lcreate_soft(inside.c_str(), assembly.get(), block.name.c_str(), H5P_DEFAULT, H5P_DEFAULT) >= 0;
    file.check(linked, "refer to '" + name + "'");
  }
  file.commit();
}

}  // namespace fluvia
