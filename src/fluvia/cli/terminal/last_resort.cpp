// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cli/terminal/last_resort.hpp"

#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

#include "fluvia/base/atomic_file.hpp"
#include "fluvia/base/library_calls.hpp"
#include "fluvia/base/text.hpp"
#include "fluvia/cli/terminal/console.hpp"

namespace fluvia::cli {

namespace {

std::atomic<bool> exit_is_meant{false};
std::atomic<pid_t> ending{0};  ///< the thread that ends the program

/// Claims the end of the program: several threads may fail at once; one of them reports, the others wait for the end.
/// False if this one has begun to end the program already.
bool begin_to_end() noexcept {
  const pid_t self = ::gettid();
  pid_t other = 0;
  if (ending.compare_exchange_strong(other, self)) return true;
  if (other == self) return false;
  for (;;) ::pause();
}

[[noreturn]] void end_with_current_exception() noexcept {
  begin_to_end();
  remove_temporary_files();
  ::_exit(report_current_exception());
}

void refuse_exit() {
  if (exit_is_meant || !begin_to_end()) return;
  remove_temporary_files();
  ::_exit(report(ExitCode::resource,
                 "a library ended the program, most likely because it could not have its threads or memory; ask for "
                 "fewer threads (--threads, OMP_NUM_THREADS) or a smaller case"));
}

constexpr std::array<int, 3> crashes = {SIGSEGV, SIGBUS, SIGABRT};
std::array<struct sigaction, crashes.size()> usual;  ///< what a crash does without this handler

/// Handler of crashes inside of a library that asked for memory in vain, or after one had. Fluvia's own crashes stay
/// crashes.
extern "C" void end_after_crash(int signal) {
  remove_temporary_files();
  const bool is_own = !LibraryCalls::going_on() && !LibraryCalls::is_suspected();
  if (is_own || !begin_to_end()) {
    for (std::size_t i = 0; i < crashes.size(); ++i) ::sigaction(crashes[i], &usual[i], nullptr);
    ::raise(signal);
    return;
  }
  std::array<char, 256> message{};
  std::size_t length = 0;
  for (const std::string_view part :
       {std::string_view("fluvia: the "), std::string_view(LibraryCalls::library()),
        std::string_view(
            " library failed, most likely because memory ran out; files that were complete before are whole\n")})
    for (const char letter : part)
      if (length < message.size()) message[length++] = letter;
  [[maybe_unused]] const ssize_t done = ::write(STDERR_FILENO, message.data(), length);
  ::_exit(static_cast<int>(ExitCode::resource));
}

/// Installs the handler on a stack of its own, since a library may have used up the other one.
void catch_crashes() {
  static std::array<char, 1 << 16> memory;
  stack_t stack{};
  stack.ss_sp = memory.data();
  stack.ss_size = memory.size();
  struct sigaction action {};
  action.sa_handler = end_after_crash;
  action.sa_flags = SA_ONSTACK;
  if (::sigaltstack(&stack, nullptr) != 0) return;
  for (std::size_t i = 0; i < crashes.size(); ++i) ::sigaction(crashes[i], &action, &usual[i]);
}

/// Reports errors that the standard library throws for the system: the failures that Fluvia does not name itself.
int report_system_error(const std::system_error& error) {
  if (dynamic_cast<const std::filesystem::filesystem_error*>(&error) != nullptr)
    return report(ExitCode::resource, (std::string("files: ") + error.what()).c_str());
  if (error.code() == std::errc::resource_unavailable_try_again)
    return report(ExitCode::resource, "a thread cannot be started; ask for fewer threads, or raise ulimit -u");
  if (error.code() == std::errc::not_enough_memory) throw std::bad_alloc();
  return report(ExitCode::resource, (std::string("standard output cannot be written: ") + error.what()).c_str());
}

int report_as_its_kind() {
  try {
    throw;
  } catch (const Error& e) {
    return report(e.code(), e.what());
  } catch (const std::system_error& e) {
    return report_system_error(e);
  } catch (const std::length_error&) {  // a size beyond what a container can have is memory that cannot be had
    throw std::bad_alloc();
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& e) {
    return report(ExitCode::internal, (std::string("internal error: ") + e.what()).c_str());
  }
}

}  // namespace

void install_last_resort() {
  std::set_terminate(end_with_current_exception);
  std::atexit(refuse_exit);
  catch_crashes();
}

void remove_last_resort() noexcept {
  exit_is_meant = true;
}

int report(ExitCode code, const char* message) noexcept {
  try {
    say("fluvia: " + printable(message) + "\n");
  } catch (...) {  // no memory for a clean copy; Fluvia's own texts are clean
    for (const char* part : {"fluvia: ", code == ExitCode::resource ? "memory ran out" : message, "\n"}) say(part);
  }
  return static_cast<int>(code);
}

int report_current_exception() noexcept {
  if (!std::current_exception())  // thrown where nothing may be thrown, which the standard library does for memory
    return report(ExitCode::resource, "the program gave up, most likely because memory ran out");
  try {
    return report_as_its_kind();
  } catch (const std::bad_alloc&) {
    return report(ExitCode::resource, "memory ran out; use a coarser spacing, a one-copy scheme or a smaller format");
  } catch (...) {
    return report(ExitCode::internal, "internal error: an exception of no known kind");
  }
}

}  // namespace fluvia::cli
