// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cli/options/image_options.hpp"

#include "fluvia/case/names.hpp"

namespace fluvia::cli {

std::vector<CLI::Option*> add_raw_options(CLI::App& command, geometry::VoxelRequest& request) {
  return {command.add_option("--shape", request.shape, "Raw, text: voxels along x, y, z")
              ->expected(3)
              ->delimiter(',')
              ->allow_extra_args(false),
          command.add_option("--bits", request.bits, "Raw: 8 or 16 a voxel, without sign")
              ->check(CLI::IsMember({8, 16}))
              ->capture_default_str(),
          command.add_option("--type", request.type, "Raw: type of the numbers, instead of --bits")
              ->check(CLI::IsMember(names::voxel_types))
              ->capture_default_str(),
          command.add_option("--endian", request.endian, "Raw: byte order of numbers of several bytes")
              ->check(CLI::IsMember(names::endians))
              ->capture_default_str(),
          command.add_option("--order", request.order, "Raw, text: x-fastest or z-fastest")
              ->check(CLI::IsMember(names::voxel_orders))
              ->capture_default_str()};
}

std::vector<CLI::Option*> add_fluid_options(CLI::App& command, geometry::VoxelRequest& request,
                                            const std::string& labels) {
  return {command.add_option(labels, request.labels, "Values of the pores' voxels (0, where that goes without saying)")
              ->delimiter(','),
          command.add_option("--below", request.below, "Voxels with a value below this are fluid"),
          command.add_option("--above", request.above, "Voxels with a value above this are fluid (masks: 127)")};
}

}  // namespace fluvia::cli
