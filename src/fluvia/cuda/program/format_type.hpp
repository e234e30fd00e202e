// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace fluvia::cuda {

/// C++ name of a registered format, as kernels are compiled for it. Throws Error(internal) for any other name.
std::string format_type(const std::string& format);

}  // namespace fluvia::cuda
