// SPDX-License-Identifier: Apache-2.0
// A libnvrtc that compiles nothing, for the fake driver, which runs kernels of the test instead: solvers that would
// wait for a compiler most of the time are made at once.
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace {

struct Program {
  std::string steps;  ///< "Steps2E" for kernels that take two steps at a time
  std::map<std::string, std::string> lowered;
};

/// Not as compilers mangle it, but with what fake_cuda::HostKernel looks for: the name with its length, and numbers as
/// "Li1E".
std::string lower(const std::string& name) {
  std::string lowered = "_Z";
  for (std::size_t at = 0; at < name.size();) {
    const auto is_part = [&] { return at < name.size() && (std::isalnum(name[at]) != 0 || name[at] == '_'); };
    const std::size_t begin = at;
    while (is_part()) ++at;
    const std::string token = name.substr(begin, at - begin);
    if (token.empty())
      ++at;
    else
      lowered += std::isdigit(token[0]) != 0 ? "Li" + token + "E" : std::to_string(token.size()) + token;
  }
  return lowered;
}

constexpr char image[] = "\177ELF of the fake compiler";
constexpr int targets[] = {75, 80, 90, 100};

}  // namespace

extern "C" {

const char* nvrtcGetErrorString(int) {
  return "an error of the fake compiler";
}
int nvrtcVersion(int* major, int* minor) {
  *major = 12;
  *minor = 0;
  return 0;
}
int nvrtcGetNumSupportedArchs(int* count) {
  *count = static_cast<int>(std::size(targets));
  return 0;
}
int nvrtcGetSupportedArchs(int* out) {
  std::memcpy(out, targets, sizeof targets);
  return 0;
}
int nvrtcCreateProgram(Program** program, const char* source, const char*, int, const char* const*,
                       const char* const*) {
  *program = std::make_unique<Program>().release();
  constexpr std::string_view before = " int steps = ";
  const std::string_view text = source;
  if (const std::size_t at = text.find(before); at != std::string_view::npos)
    (*program)->steps = "Steps" + std::to_string(std::atoi(source + at + before.size())) + "E";
  return 0;
}
int nvrtcDestroyProgram(Program** program) {
  std::unique_ptr<Program>(*program).reset();
  *program = nullptr;
  return 0;
}
int nvrtcAddNameExpression(Program* program, const char* name) {
  program->lowered[name] = lower(name) + program->steps;
  return 0;
}
int nvrtcCompileProgram(Program*, int, const char* const*) {
  return 0;
}
int nvrtcGetLoweredName(Program* program, const char* name, const char** lowered) {
  *lowered = program->lowered.at(name).c_str();
  return 0;
}
int nvrtcGetProgramLogSize(Program*, std::size_t* size) {
  *size = 0;
  return 0;
}
int nvrtcGetProgramLog(Program*, char*) {
  return 0;
}
int nvrtcGetCUBINSize(Program*, std::size_t* size) {
  *size = sizeof image;
  return 0;
}
int nvrtcGetCUBIN(Program*, char* out) {
  std::memcpy(out, image, sizeof image);
  return 0;
}
}
