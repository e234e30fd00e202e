// SPDX-License-Identifier: Apache-2.0
// Calls a fuzz target with each file of a folder, and with the starts of each: what is cut short must be refused, too.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size);

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(argv[1])) {
    std::ifstream in(entry.path(), std::ios::binary);
    const std::vector<char> text{std::istreambuf_iterator<char>(in), {}};
    std::printf("%s\n", entry.path().c_str());
    std::fflush(stdout);
    const std::size_t step = std::max<std::size_t>(1, text.size() / 20);
    for (std::size_t size = text.size() % step; size <= text.size(); size += step)
      LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(text.data()), size);
    ++files;
  }
  return files > 0 ? 0 : 1;
}
