// SPDX-License-Identifier: Apache-2.0
// A value given on the command line, --set KEY=VALUE.
#include <string>

#include "fluvia/case/case.hpp"
#include "fuzz/input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace fluvia;
  return fuzz::expect_refusal_or_success([&] {
    const char* const base = "[units]\nviscosity = 0.02\n[domain]\nnodes = [8, 8, 8]\n[run]\nsteps = 4\n";
    parse_case(base, "/nowhere/case.toml", {std::string(reinterpret_cast<const char*>(bytes), size)});
  });
}
