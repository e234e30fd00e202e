// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <dlfcn.h>

#include <string>

namespace fluvia::cuda {

/// Fills function pointers from a library and remembers the first that is missing.
class Binder {
 public:
  explicit Binder(void* library) : library_(library) {}
  template <class Function>
  void optional(const char* symbol, Function*& function) const {
    function = reinterpret_cast<Function*>(::dlsym(library_, symbol));
  }
  template <class Function>
  void operator()(const char* symbol, Function*& function) {
    optional(symbol, function);
    if (!function && missing_.empty()) missing_ = symbol;
  }
  [[nodiscard]] const std::string& missing() const { return missing_; }

 private:
  void* library_;
  std::string missing_;
};

}  // namespace fluvia::cuda
