// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cli/terminal/interruption.hpp"

#include <csignal>
#include <initializer_list>

namespace fluvia::cli {

namespace {
// Signal handlers can reach nothing but an atomic variable of the process.
std::atomic<bool> interrupt_requested{false};
extern "C" void request_interrupt(int) {
  interrupt_requested = true;
}
/// Asks for an end, or ends the program: a user who presses Ctrl-C again does not want to wait, say for a file system
/// that hangs. Files appear whole or not at all, so that only what came after the last checkpoint is lost.
extern "C" void request_interrupt_or_end(int signal) {
  if (interrupt_requested.exchange(true)) std::signal(signal, SIG_DFL);
}
}  // namespace

const std::atomic<bool>* catch_interruptions() {
  std::signal(SIGPIPE, SIG_IGN);  // the reader of the messages may stop; the run goes on
  std::signal(SIGINT, request_interrupt_or_end);
  for (const int signal : {SIGTERM, SIGXCPU, SIGUSR1}) std::signal(signal, request_interrupt);
  if (std::signal(SIGHUP, request_interrupt) == SIG_IGN) std::signal(SIGHUP, SIG_IGN);  // a run under nohup goes on
  return &interrupt_requested;
}

}  // namespace fluvia::cli
