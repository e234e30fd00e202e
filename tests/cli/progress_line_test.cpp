// SPDX-License-Identifier: Apache-2.0
// The line that shows how far a run is, on a terminal and elsewhere.
#include "fluvia/cli/terminal/progress_line.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <functional>
#include <limits>
#include <string>

namespace fluvia::test {
namespace {

/// What `action` writes to standard error, which is a terminal of so many columns and rows meanwhile.
std::string on_terminal(int columns, const std::function<void()>& action, int rows = 24) {
  int ours = -1, theirs = -1;
  termios raw{};
  cfmakeraw(&raw);  // what is written arrives as it is
  winsize size{};
  size.ws_col = static_cast<unsigned short>(columns);
  size.ws_row = static_cast<unsigned short>(rows);
  if (::openpty(&ours, &theirs, nullptr, &raw, &size) != 0) {
    ADD_FAILURE() << "no terminal";
    return {};
  }
  std::fflush(stderr);
  const int kept = ::dup(STDERR_FILENO);
  ::dup2(theirs, STDERR_FILENO);
  action();
  std::fflush(stderr);
  ::dup2(kept, STDERR_FILENO);
  ::close(kept);
  ::fcntl(ours, F_SETFL, O_NONBLOCK);
  std::string text;
  std::array<char, 1024> buffer;
  for (ssize_t got; (got = ::read(ours, buffer.data(), buffer.size())) > 0;)
    text.append(buffer.data(), static_cast<std::size_t>(got));
  ::close(theirs);
  ::close(ours);
  return text;
}

Progress progress(std::int64_t step, std::int64_t last_step) {
  Progress p;
  p.step = step;
  p.last_step = last_step;
  p.mflups = 12.34;
  p.eta_seconds = 3725.4;
  p.residual = 0.00123;
  p.max_mach = 0.0567;
  return p;
}

const std::string told = "step 50/200   25%  12.3 MFLUPS  left 1:02:05  residual 1.2e-03  Mach 0.057";

/// The line of a new terminal that shows the progress once.
std::string line(int columns, const Progress& p = progress(50, 200)) {
  return on_terminal(columns, [&] {
    cli::ProgressLine line;
    line.show(p);
  });
}

TEST(ProgressLine, HasABarAsWideAsTheTerminalAllows) {
  const int length = static_cast<int>(told.size());
  EXPECT_EQ(line(200), "[#######.......................] " + told + "\n") << "30 at most";
  // The bar's brackets, the blank behind it and the last column, which stays free.
  EXPECT_EQ(line(length + 30 + 4), "[#######.......................] " + told + "\n");
  EXPECT_EQ(line(length + 29 + 4), "[#######......................] " + told + "\n");
  EXPECT_EQ(line(length + 10 + 4), "[##........] " + told + "\n");
  EXPECT_EQ(line(length + 9 + 4), told + "\n") << "too little for a bar";
}

TEST(ProgressLine, IsCutToTheTerminal) {
  const int length = static_cast<int>(told.size());
  EXPECT_EQ(line(length + 1), told + "\n");
  EXPECT_EQ(line(length), told.substr(0, told.size() - 1) + "\n");
  EXPECT_EQ(line(40), told.substr(0, 39) + "\n");
  EXPECT_EQ(line(3), told.substr(0, 20) + "\n") << "no terminal is that narrow";
  EXPECT_EQ(line(0), line(80)) << "a terminal that does not tell";
}

TEST(ProgressLine, OfNothingToDoIsFull) {
  const std::string text = line(200, progress(0, 0));
  EXPECT_TRUE(text.starts_with("[" + std::string(30, '#') + "] step 0/0  100%")) << text;
}

TEST(ProgressLine, TellsTimesAndWhatIsNotKnownYet) {
  Progress p = progress(3, 4);
  p.eta_seconds = 59.6;
  p.residual = std::numeric_limits<double>::infinity();
  EXPECT_EQ(line(70, p), "step 3/4   75%  12.3 MFLUPS  left 1:00  residual -  Mach 0.057\n");
  p.eta_seconds = 9.4;
  EXPECT_NE(line(70, p).find("left 0:09 "), std::string::npos);
  p.eta_seconds = 3600;
  EXPECT_NE(line(70, p).find("left 1:00:00 "), std::string::npos);
}

TEST(ProgressLine, ReplacesItselfAndMakesRoomForMessages) {
  const std::string again = "\r\x1b[K";
  const auto shown = [](const std::string& text) { return text.substr(0, 39); };
  EXPECT_EQ(on_terminal(40,
                        [] {
                          cli::ProgressLine line;
                          line.print("before");
                          line.show(progress(50, 200));
                          line.show(progress(50, 200));
                          line.print("a message\x1b[2J");
                        }),
            "before\n" + shown(told) + again + shown(told) + again + "a message?[2J\n");
}

TEST(ProgressLine, DrawsAPlotAboveItselfWhereThereIsRoom) {
  const auto show = [] {
    cli::ProgressLine line(true);
    for (const int step : {10, 20, 30}) line.show(progress(step, 200));
    line.print("a message");
  };
  const std::string text = on_terminal(100, show);
  const std::string heading = "residual over steps 10 to 20\n", again = "\r\x1b[7A\x1b[J";
  ASSERT_NE(text.find(heading), std::string::npos) << text;
  EXPECT_LT(text.find("step 10/200"), text.find(heading)) << "one point is no course";
  EXPECT_NE(text.find(again + "residual over steps 10 to 30\n"), std::string::npos)
      << "it takes the place of the one before";
  EXPECT_TRUE(text.ends_with(again + "a message\n")) << text;
  EXPECT_EQ(on_terminal(100, show, 9).find("residual over"), std::string::npos) << "too low";
}

TEST(ProgressLine, DrawsNoPlotWhereThereIsNoTerminal) {
  testing::internal::CaptureStderr();
  {
    cli::ProgressLine line(true);
    for (const int step : {10, 20, 200}) line.show(progress(step, 200));
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr().find("residual over"), std::string::npos);
}

TEST(ProgressLine, IsPlainElsewhereAndRare) {
  testing::internal::CaptureStderr();
  {
    cli::ProgressLine line;
    line.show(progress(50, 200));
    line.show(progress(60, 200));
    line.print("a message");
    line.show(progress(200, 200));
  }
  const std::string text = testing::internal::GetCapturedStderr();
  EXPECT_EQ(text, told + "\na message\nstep 200/200  100%" + told.substr(told.find("  12.3")) + "\n");
}

}  // namespace
}  // namespace fluvia::test
