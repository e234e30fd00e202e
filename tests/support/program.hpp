// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace fluvia::test {

/// A folder of its own for each test, removed at the end.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "fluvia-test-XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  [[nodiscard]] std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  [[nodiscard]] std::string string() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

struct Outcome {
  int code = -1;     ///< exit code, or 128 + signal
  std::string text;  ///< standard output and error
};

/// Runs a shell command without input and waits for it.
inline Outcome run_shell(const std::string& command) {
  Outcome outcome;
  FILE* pipe = popen(("( " + command + " ) 2>&1 </dev/null").c_str(), "r");
  if (!pipe) return outcome;
  std::array<char, 4096> buffer;
  for (std::size_t n; (n = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) outcome.text.append(buffer.data(), n);
  const int status = pclose(pipe);
  outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return outcome;
}

/// Runs `fluvia ARGUMENTS`.
inline Outcome run_fluvia(const std::string& arguments) {
  return run_shell(FLUVIA_BINARY " " + arguments);
}

inline std::string read_text(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

inline void write_text(const std::filesystem::path& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
}

}  // namespace fluvia::test
