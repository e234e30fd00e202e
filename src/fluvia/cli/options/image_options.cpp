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

std::vector<std::string> with_labels_joined(std::vector<std::string> arguments) {
  const auto is_label = [](const std::string& text) {
    const std::size_t digits = text.starts_with('-') ? 1 : 0;
    return text.size() > digits && text.find_first_not_of("0123456789", digits) == std::string::npos;
  };
  std::vector<std::string> joined;
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    std::string labels;
    if (arguments[k] == "--labels" || arguments[k] == "--pore" || arguments[k] == "--fluid")
      for (; k + 1 < arguments.size() && is_label(arguments[k + 1]); ++k)
        labels += (labels.empty() ? arguments[k] + '=' : ",") + arguments[k + 1];
    joined.push_back(labels.empty() ? arguments[k] : labels);
  }
  return joined;
}

std::vector<CLI::Option*> add_fluid_options(CLI::App& command, geometry::VoxelRequest& request,
                                            const std::string& labels) {
  return {command.add_option(labels, request.labels, "Values of the pores' voxels (0, where that goes without saying)")
              ->expected(1)
              ->delimiter(',')
              ->allow_extra_args(false)
              ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
              ->type_name("INT ..."),
          command.add_option("--below", request.below, "Voxels with a value below this are fluid"),
          command.add_option("--above", request.above, "Voxels with a value above this are fluid (masks: 127)")};
}

}  // namespace fluvia::cli
