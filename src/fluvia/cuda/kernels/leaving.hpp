// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/core/streaming/access.hpp"

namespace fluvia::cuda::kernels {

/// The access by which the node at x + c_i reads f_i, as the node at x, from which that comes, counts it.
constexpr core::Access from_origin(const core::Access& access) {
  return {access.side + 1, access.slot};
}

}  // namespace fluvia::cuda::kernels
