// SPDX-License-Identifier: Apache-2.0
// What a message makes of the names and values that it quotes: printable UTF-8, and again the same.
#include <cstdlib>
#include <string_view>

#include "fluvia/base/text.hpp"
#include "fuzz/input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string text = fluvia::printable({reinterpret_cast<const char*>(bytes), size}, 4 * size + 100);
  if (fluvia::printable(text, text.size()) != text || text.find('\x1b') != std::string::npos) std::abort();
  return 0;
}
