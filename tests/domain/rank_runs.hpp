// SPDX-License-Identifier: Apache-2.0
// Runs of the program on ranks, and the files that they write.
#pragma once
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>

#include "fluvia/ranks/ranks.hpp"
#include "support/program.hpp"
#include "support/sanitizers.hpp"

namespace fluvia::test {

inline std::string mpirun(int ranks) {
  return "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMP_WAIT_POLICY=passive timeout -k 5 120 mpirun "
         "--oversubscribe -n " +
         std::to_string(ranks) + " ";
}

/// On so many ranks; 1: without a launcher.
inline Outcome run_on(int ranks, const std::string& arguments) {
  return run_shell((ranks > 1 ? mpirun(ranks) : std::string()) + FLUVIA_BINARY + " " + arguments);
}

class Ranks : public testing::Test {
 protected:
  void SetUp() override {
    SKIP_UNDER_SANITIZERS("sanitizers report what MPI itself does");
    if (!std::filesystem::exists(FLUVIA_BINARY)) GTEST_SKIP() << "the program is not where it was built";
    if (ranks::library()[0] == '\0') GTEST_SKIP() << "this build has no MPI (libopenmpi-dev)";
    if (const Outcome o = run_shell(mpirun(2) + "true"); o.code != 0)
      GTEST_SKIP() << "mpirun does not start two processes here: " << o.text;
  }
};

/// Files but the summary, which has times, and the lock; by name.
inline std::map<std::string, std::string> results(const std::filesystem::path& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name != "summary.json" && name != ".fluvia-run") files[name] = read_text(entry.path());
  }
  return files;
}

inline void expect_same_files(const std::filesystem::path& a, const std::filesystem::path& b) {
  const auto expected = results(a), got = results(b);
  ASSERT_EQ(expected.size(), got.size());
  EXPECT_GT(expected.size(), 2u);
  for (const auto& [name, text] : expected) {
    ASSERT_TRUE(got.count(name)) << name;
    EXPECT_TRUE(got.at(name) == text) << name << " differs";
  }
}

inline int count_of(const std::string& text, const std::string& part) {
  int count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

inline std::string shipped(const std::string& name) {
  return FLUVIA_SOURCE_DIR "/cases/" + name + ".toml";
}

inline const char* const often =
    " --set numerics.threads=1 --set checkpoint.every=7 --set output.every=10 --set monitor.every=3";

}  // namespace fluvia::test
