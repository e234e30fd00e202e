// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cuda/runtime/context.hpp"

#include <fmt/format.h>

namespace fluvia::cuda {

Context::Context(CuDevice device) : device_(device) {
  check(driver().cuDevicePrimaryCtxRetain(&handle_, device), fmt::format("cannot use GPU {}", device));
}

Context::~Context() {
  driver().cuDevicePrimaryCtxRelease(device_);
}

void Context::make_current() const {
  check(driver().cuCtxSetCurrent(handle_), "cannot switch to the GPU");
}

}  // namespace fluvia::cuda
