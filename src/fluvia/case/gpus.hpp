// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

namespace fluvia {

/// The GPUs that a device names, as in "cuda:0,1" or "cuda:all".
struct GpuList {
  bool all = false;  ///< all GPUs of the machine
  std::vector<int>
      ordinals;  ///< numbers of the GPUs if not `all`; empty for "cuda", which leaves the choice to the program
};

/// True if a device is GPUs: "cuda" or a list of them.
bool is_on_gpus(const std::string& device);
/// Reads a device that is GPUs. Throws Error(input) that begins with `place` and says what a list looks like.
GpuList parse_gpus(const std::string& place, const std::string& device);
/// The device that is a number of GPUs, or "all" of them. Throws Error(input) that begins with `place` for other texts.
std::string device_of_gpus(const std::string& place, const std::string& number);

}  // namespace fluvia
