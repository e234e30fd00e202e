// SPDX-License-Identifier: Apache-2.0
// Arguments on the command line, one in a line, without the file system: what commands would do is left out.
#include <string>
#include <vector>

#include "fluvia/cli/commands.hpp"
#include "fuzz/input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace fluvia;
  return fuzz::expect_refusal_or_success([&] {
    std::vector<std::string> arguments;  // the last one first, as CLI11 takes them
    for (std::size_t at = 0, end; at < size; at = end + 1) {
      for (end = at; end < size && bytes[end] != '\n';) ++end;
      arguments.emplace(arguments.begin(), reinterpret_cast<const char*>(bytes) + at, end - at);
    }
    CLI::App app{"", "fluvia"};
    int exit_code = 0;
    cli::add_commands(app, exit_code);
    // Before what commands do. Their callbacks hold what options are read into, so they must stay.
    app.immediate_callback()->callback([] { throw CLI::Success(); });
    try {
      app.parse(std::move(arguments));
    } catch (const CLI::Error&) {  // refused, or asked for help
    }
  });
}
