// SPDX-License-Identifier: Apache-2.0
// A small run with files of all kinds, and the library that lets one of its calls fail loaded before it.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "fluvia/output/checkpoint/checkpoint.hpp"
#include "support/program.hpp"

namespace fluvia::test {

/// Files of all kinds, twice each. The picture is SVG, and of squares, since walls are half-way: so a run takes a
/// fourth of the time that it takes with a PNG that ends at interpolated walls, and writes it the same way; with_png()
/// has the other.
inline const char* const small_case = R"(title = "Faults"
[units]
system = "lattice"
viscosity = 0.02
[domain]
nodes = [12, 10, 8]
[[geometry.shape]]
kind = "sphere"
name = "ball"
center = [6.0, 5.0, 4.0]
radius = 2.0
[walls]
method = "half-way"
[[boundary]]
surface = "x_min"
type = "velocity"
series = "inflow.csv"
series_quantity = "speed"
[[boundary]]
surface = "x_max"
type = "pressure"
[run]
steps = 20
check_every = 5
[monitor]
every = 5
forces = ["ball"]
average_from = 5
[output]
every = 10
wall = true
fields = ["pressure", "velocity", "average_velocity"]
[[output.slice]]
field = "velocity"
formats = ["svg"]
[checkpoint]
every = 10
)";

/// The part of all that could be tried which is: of how many parts, and which, from 0; of 0 where only a selection is.
struct Part {
  long of = 0, index = 0;
};

/// What FLUVIA_FAULTS_ALL asks for: 1 is all, 3/50 the third of 50 parts.
inline Part part() {
  const char* text = std::getenv("FLUVIA_FAULTS_ALL");
  Part result;
  if (!text) return result;
  if (std::sscanf(text, "%ld/%ld", &result.index, &result.of) == 2 && result.of > 0)
    return {result.of, result.index - 1};
  return {1, 0};
}

inline bool everything() {
  return part().of > 0;
}

/// Which of `calls`, from 1, are tried: all, or about `few` of them.
inline std::vector<long> selection(long calls, long few) {
  std::vector<long> result;
  if (everything()) {
    for (long n = part().index + 1; n <= calls; n += part().of) result.push_back(n);
    return result;
  }
  const long stride = std::max(1L, calls / few);
  // The first calls differ most from each other.
  for (long n = 1; n <= calls; n += n < few / 4 ? 1 : stride) result.push_back(n);
  return result;
}

class SmallRun : public testing::Test {
 protected:
  SmallRun() {
    write_text(folder_ / "case.toml", small_case);
    write_text(folder_ / "inflow.csv", "time,speed\n0,0.01\n10,0.03\n30,0.02\n");
  }
  /// Pictures by Cairo's writer of PNG, whose library asks for memory itself.
  void with_png() const {
    std::string text = small_case;
    for (const auto& [old, other] : {std::pair{"\"svg\"", "\"png\""}, std::pair{"\"half-way\"", "\"interpolated\""}})
      text.replace(text.find(old), std::string(old).size(), other);
    write_text(folder_ / "case.toml", text);
  }
  /// `fluvia run` on `device`, as a shell command without variables before it.
  [[nodiscard]] std::string command(const std::string& output, const std::string& more = "", int threads = 1) const {
    return FLUVIA_BINARY " run " + (folder_ / "case.toml").string() + " --device " + device_ + " --threads " +
           std::to_string(threads) + " --output " + (folder_ / output).string() + more;
  }
  /// Runs with the library and `fault`, e.g. open:3, or none.
  [[nodiscard]] Outcome run(const std::string& output, const std::string& fault, const std::string& more = "",
                            int threads = 1) const {
    const std::string set = fault.empty() ? "" : "FLUVIA_FAULT=" + fault + " ";
    return run_shell("exec env OMP_NUM_THREADS=" + std::to_string(threads) +
                     " FLUVIA_FAULT_COUNT=" + (folder_ / "counts").string() + " " + set +
                     "LD_PRELOAD=" FLUVIA_FAULTS " " + command(output, more, threads));
  }
  /// Calls of each kind in a run without faults, whose files lie in the folder `whole`.
  std::map<std::string, long> count(int threads = 1) {
    const Outcome whole = run("whole", "", "", threads);
    EXPECT_EQ(whole.code, 0) << whole.text;
    std::map<std::string, long> counts;
    std::istringstream text(read_text(folder_ / "counts"));
    std::string kind;
    for (long number = 0; text >> kind >> number;) counts[kind] = number;
    return counts;
  }
  /// All files of a folder but the record, by name.
  [[nodiscard]] std::map<std::string, std::string> files(const std::string& name) const {
    std::map<std::string, std::string> result;
    for (const auto& entry : std::filesystem::directory_iterator(folder_ / name))
      if (entry.is_regular_file() && entry.path().filename() != ".fluvia-run")
        result[entry.path().filename().string()] = read_text(entry.path());
    return result;
  }
  void expect_whole_checkpoints(const std::filesystem::path& output) const {
    if (!std::filesystem::exists(output)) return;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(output)) {
      if (entry.path().extension() != ".fluvia") continue;
      EXPECT_NO_THROW(inspect_checkpoint(entry.path())) << entry.path();
    }
  }

  Folder folder_;
  std::string device_ = "cpu";
};

}  // namespace fluvia::test
