// SPDX-License-Identifier: Apache-2.0
#include "fluvia/base/apart.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <new>
#include <string>

#include "fluvia/base/error.hpp"
#include "fluvia/base/machine/memory.hpp"

namespace fluvia {

namespace {

/// A file in memory, without a name.
class MemoryFile {
 public:
  MemoryFile() : file_(memfd_create("fluvia", MFD_CLOEXEC)) {
    if (file_ < 0) throw_resource(std::string("no memory file can be made: ") + std::strerror(errno));
  }
  ~MemoryFile() { close(file_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  [[nodiscard]] int get() const { return file_; }
  [[nodiscard]] std::vector<std::byte> content() const {
    const off_t size = lseek(file_, 0, SEEK_END);
    std::vector<std::byte> bytes(size > 0 ? static_cast<std::size_t>(size) : 0);
    for (std::size_t done = 0; done < bytes.size();) {
      const ssize_t got = pread(file_, bytes.data() + done, bytes.size() - done, static_cast<off_t>(done));
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) throw_resource("what was read of a file is not there any more");
      done += static_cast<std::size_t>(got);
    }
    return bytes;
  }

 private:
  int file_;
};

/// Exit codes of the process that reads.
constexpr int read_all = 0, no_memory = 100, unexpected = 101, first_error = 102;
constexpr int no_program = 127;  ///< as of a shell

/// Seconds that suffice for any disk and any compression; a damaged file that goes round in circles ends then.
rlim_t enough_seconds(const std::filesystem::path& file) {
  std::error_code unknown;
  const std::uintmax_t size = std::filesystem::file_size(file, unknown);
  return 30 + (unknown ? 0 : static_cast<rlim_t>(size / 5'000'000));
}

/// Settings that only concern the process that reads: it ends quietly, by itself, without the program's handlers.
/// `messages`: where it writes them; negative: nowhere.
void live_apart(rlim_t seconds, int messages) {
  for (const int number : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL}) std::signal(number, SIG_DFL);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) std::signal(number, SIG_IGN);
  const rlimit limit{seconds, seconds + 1}, none{0, 0};
  setrlimit(RLIMIT_CPU, &limit);
  setrlimit(RLIMIT_CORE, &none);
  const int target = messages < 0 ? open("/dev/null", O_WRONLY | O_CLOEXEC) : messages;
  if (target >= 0) dup2(target, STDERR_FILENO);
}

[[noreturn]] void read_and_leave(const std::function<void(ByteSink&)>& read, int file) {
  ByteSink sink(file);
  int code = read_all;
  try {
    read(sink);
  } catch (const Error& error) {
    code = first_error + static_cast<int>(error.code());
    const char* text = error.what();
    const bool kept = ftruncate(file, 0) == 0 && lseek(file, 0, SEEK_SET) == 0;
    if (!kept || write(file, text, std::strlen(text)) < 0) code = unexpected;
  } catch (const std::bad_alloc&) {
    code = no_memory;
  } catch (...) {
    code = unexpected;
  }
  _exit(code);
}

/// Waits for the process that reads `name`, and returns its exit code. Throws if it ended by a signal.
int end_of(pid_t child, const std::string& name, const char* library, rlim_t seconds) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) throw_resource(std::string("the process that reads a file is lost: ") + std::strerror(errno));
  if (!WIFSIGNALED(status)) return WEXITSTATUS(status);
  const int number = WTERMSIG(status);
  if (number == SIGXCPU || number == SIGKILL)
    throw_input(
        fmt::format("{}: is damaged, or too large for this machine: reading it took more than {} s or all "
                    "memory",
                    name, seconds));
  throw_input(fmt::format("{}: is damaged: {} ended by signal {} ({}) while it read it; fetch or write it again", name,
                          library, number, strsignal(number)));
}

pid_t fork_reader() {
  const pid_t child = fork();
  if (child < 0) throw_resource(std::string("no process can be started to read a file: ") + std::strerror(errno));
  return child;
}

}  // namespace

void ByteSink::put(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t done = write(file_, bytes.data(), bytes.size());
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) throw_resource(std::string("what is read does not fit into memory: ") + std::strerror(errno));
    bytes = bytes.subspan(static_cast<std::size_t>(done));
  }
}

std::vector<std::byte> read_apart(const std::filesystem::path& file, const char* library,
                                  const std::function<void(ByteSink&)>& read, unsigned processor_seconds) {
  const MemoryFile memory;
  const rlim_t seconds = processor_seconds > 0 ? processor_seconds : enough_seconds(file);
  const pid_t child = fork_reader();
  if (child == 0) {
    live_apart(seconds, -1);
    read_and_leave(read, memory.get());
  }
  const std::string name = file.string();
  const int code = end_of(child, name, library, seconds);
  if (code == no_memory) throw std::bad_alloc();
  const std::vector<std::byte> bytes = memory.content();
  if (code == read_all) return bytes;
  if (code > first_error)
    throw Error(static_cast<ExitCode>(code - first_error),
                std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
  throw_input(name + ": cannot be read, for no reason that is known");
}

ProgramResult run_apart(const std::filesystem::path& file, const char* library, const std::vector<std::string>& command,
                        unsigned processor_seconds) {
  const MemoryFile output, messages;
  const rlim_t seconds = processor_seconds > 0 ? processor_seconds : enough_seconds(file);
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const pid_t child = fork_reader();
  if (child == 0) {
    live_apart(seconds, messages.get());
    const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (nothing >= 0) dup2(nothing, STDIN_FILENO);
    dup2(output.get(), STDOUT_FILENO);
    execvp(arguments[0], arguments.data());
    _exit(no_program);
  }
  ProgramResult result;
  result.code = end_of(child, file.string(), library, seconds);
  result.found = result.code != no_program;
  result.output = output.content();
  const std::vector<std::byte> said = messages.content();
  result.messages.assign(reinterpret_cast<const char*>(said.data()), said.size());
  return result;
}

}  // namespace fluvia
