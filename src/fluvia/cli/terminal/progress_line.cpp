// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cli/terminal/progress_line.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "fluvia/base/text.hpp"
#include "fluvia/cli/terminal/console.hpp"

namespace fluvia::cli {

namespace {
std::string duration(double seconds) {
  const auto s = static_cast<long>(seconds + 0.5);
  if (s < 3600) return fmt::format("{}:{:02}", s / 60, s % 60);
  return fmt::format("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60);
}

std::string describe(const Progress& p) {
  const double done = p.last_step > 0 ? static_cast<double>(p.step) / static_cast<double>(p.last_step) : 1;
  const std::string residual = std::isfinite(p.residual) ? fmt::format("{:.1e}", p.residual) : "-";
  return fmt::format("step {}/{}  {:3.0f}%  {:.1f} MFLUPS  left {}  residual {}  Mach {:.3f}", p.step, p.last_step,
                     100 * done, p.mflups, duration(p.eta_seconds), residual, p.max_mach);
}

std::string bar(double fraction, int width) {
  const int filled = std::clamp(static_cast<int>(fraction * width), 0, width);
  return "[" + std::string(filled, '#') + std::string(width - filled, '.') + "] ";
}

struct WindowSize {
  int columns = 80, rows = 24;
};

WindowSize window_size() {
  winsize size{};
  WindowSize known;
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0) return known;
  if (size.ws_col > 0) known.columns = size.ws_col;
  if (size.ws_row > 0) known.rows = size.ws_row;
  return known;
}
}  // namespace

ProgressLine::ProgressLine(bool plot) : terminal_(isatty(STDERR_FILENO) != 0) {
  if (plot) plot_.emplace();
}

ProgressLine::~ProgressLine() {
  if (terminal_ && shown_) say("\n");
}

void ProgressLine::clear() {
  if (!terminal_ || !shown_) return;
  say(lines_above_ > 0 ? fmt::format("\r\x1b[{}A\x1b[J", lines_above_) : "\r\x1b[K");
}

void ProgressLine::show(const Progress& p) {
  if (plot_) plot_->add(p.step, p.residual);
  if (!terminal_) {
    const auto now = std::chrono::steady_clock::now();
    if (p.step < p.last_step && now - last_plain_ < std::chrono::seconds(10)) return;
    last_plain_ = now;
    say(describe(p) + "\n");
    return;
  }
  std::string text = describe(p);
  const WindowSize window = window_size();
  const int space = window.columns - 1 - static_cast<int>(text.size()) - 3;
  if (space >= 10)
    text =
        bar(p.last_step > 0 ? static_cast<double>(p.step) / static_cast<double>(p.last_step) : 1, std::min(space, 30)) +
        text;
  clear();
  lines_above_ = 0;
  if (plot_ && window.rows > ResidualPlot::rows + 3) {
    for (const std::string& line : plot_->lines(window.columns - 1, terminal_shows_utf8())) {
      say(line + "\n");
      ++lines_above_;
    }
  }
  say(text.substr(0, static_cast<std::size_t>(std::max(20, window.columns - 1))));
  std::fflush(stderr);
  shown_ = true;
}

void ProgressLine::print(const std::string& line) {
  clear();
  say(printable(line) + "\n");
  shown_ = false;
}

}  // namespace fluvia::cli
