// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

#include "fluvia/base/embedded_file.hpp"

namespace fluvia {

/// The headers of core/ and cuda/kernels/, named as sources include them: "fluvia/core/update.hpp".
extern const std::span<const EmbeddedFile> kernel_headers;

}  // namespace fluvia
