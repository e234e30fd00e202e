// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cli/terminal/fed_program.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <thread>
#include <utility>

#include "fluvia/base/error.hpp"
#include "fluvia/base/text.hpp"

namespace fluvia::cli {

FedProgram::FedProgram(const std::vector<std::string>& command, bool answers)
    : name_(command.front()), answers_(answers) {
  int ends[2] = {-1, -1}, answer[2] = {-1, -1};
  words_ = ::memfd_create("words", MFD_CLOEXEC);
  if (words_ < 0 || ::pipe2(ends, O_CLOEXEC) != 0 || (answers && ::pipe2(answer, O_CLOEXEC) != 0)) {
    const std::string problem = std::strerror(errno);
    for (const int descriptor : {words_, ends[0], ends[1]})
      if (descriptor >= 0) ::close(descriptor);
    throw_resource(fmt::format("{} cannot be run: {}", name_, problem));
  }
  output_ = answer[0];
  input_ = ends[1];
  ::fcntl(input_, F_SETFL, O_NONBLOCK);  // offer() does not wait
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
  if (answers)
    posix_spawn_file_actions_adddup2(&actions, answer[1], STDOUT_FILENO);
  else
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, words_, STDERR_FILENO);
  std::vector<char*> arguments;
  for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  const int error = posix_spawnp(&process_, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  ::close(ends[0]);
  if (answers) ::close(answer[1]);
  if (error == 0) return;
  process_ = 0;
  end_.problem = fmt::format("{} cannot be run: {}", name_, std::strerror(error));
}

FedProgram::~FedProgram() {
  finish();
  ::close(words_);
  if (output_ >= 0) ::close(output_);
}

bool FedProgram::write(std::string_view bytes) {
  while (started() && !bytes.empty()) {
    const ssize_t written = ::write(input_, bytes.data(), bytes.size());
    if (written >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(written));
      continue;
    }
    if (errno == EINTR) continue;
    pollfd ready{input_, POLLOUT, 0};
    if (errno != EAGAIN || (::poll(&ready, 1, answers_ ? 5000 : -1) == 0)) return false;
  }
  return started();
}

void FedProgram::offer(std::string_view line) {
  if (started() && ::write(input_, line.data(), line.size()) < 0) return;  // it reads slowly, or no more
}

bool FedProgram::wait_for_answer() {
  pollfd ready{output_, POLLIN, 0};
  int found = -1;
  while (started() && (found = ::poll(&ready, 1, 20'000)) < 0 && errno == EINTR) {
  }
  char answer = 0;
  return found > 0 && ::read(output_, &answer, 1) == 1;
}

std::string FedProgram::last_words() const {
  std::array<char, 4096> buffer{};
  const off_t size = ::lseek(words_, 0, SEEK_END);
  const auto from = std::max<off_t>(0, size - static_cast<off_t>(buffer.size()));
  const ssize_t got = ::pread(words_, buffer.data(), buffer.size(), from);
  std::string_view text(buffer.data(), got > 0 ? static_cast<std::size_t>(got) : 0);
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.remove_suffix(1);
  const std::size_t line = text.find_last_of("\n\r");
  return shorten(line == std::string_view::npos ? text : text.substr(line + 1), 300);
}

int FedProgram::wait_for_end() const {
  int status = 0;
  using Clock = std::chrono::steady_clock;
  for (const auto deadline = Clock::now() + std::chrono::seconds(10); answers_ && Clock::now() < deadline;) {
    if (waitpid(process_, &status, WNOHANG) == process_) return status;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  if (answers_) ::kill(process_, SIGKILL);
  while (waitpid(process_, &status, 0) < 0)
    if (errno != EINTR) break;
  return status;
}

ProgramEnd FedProgram::finish() {
  if (input_ >= 0) ::close(std::exchange(input_, -1));
  if (!started()) return end_;
  const int status = wait_for_end();
  process_ = 0;
  if (WIFSIGNALED(status)) end_.problem = fmt::format("{} was ended by signal {}", name_, WTERMSIG(status));
  if (WIFEXITED(status)) end_.code = WEXITSTATUS(status);
  if (end_.code && *end_.code != 0) {
    const std::string words = last_words();
    end_.problem = words.empty() ? fmt::format("{} ended with code {}", name_, *end_.code)
                                 : fmt::format("{} says: {}", name_, words);
  }
  return end_;
}

}  // namespace fluvia::cli
