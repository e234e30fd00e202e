// SPDX-License-Identifier: Apache-2.0
// Compiled kernels on disk: found again, never believed when damaged, never more than allowed.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "cuda/support.hpp"
#include "fluvia/cuda/runtime/compiler/kernel_cache.hpp"
#include "support/program.hpp"

namespace fluvia::cuda {
namespace {

namespace fs = std::filesystem;

CompiledKernels some_kernels(std::size_t cubin_bytes = 1000) {
  CompiledKernels kernels{"step", "d3q19, trt", std::vector<char>(cubin_bytes, 'x'), {}, "a warning\n"};
  kernels.cubin[cubin_bytes / 2] = '\0';
  kernels.kernels["step<float>"] = {"_Z4stepIfEvv", KernelResources{56, 8, 16, 24, 400}};
  kernels.kernels["other"] = {"_Z5otherv", std::nullopt};
  return kernels;
}

std::size_t files_in(const fs::path& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

/// A cache in a folder of its own that keeps its warnings.
struct CacheScene {
  test::Folder folder;
  std::vector<std::string> warnings;
  KernelCache cache{folder / "deep/kernels", [this](const std::string& text) { warnings.push_back(text); }};
};

TEST(KernelFile, ReadsWhatWasWritten) {
  for (const std::size_t bytes : {1U, 1000U, 100000U}) {
    const CompiledKernels kernels = some_kernels(bytes);
    EXPECT_EQ(unpack_kernels("key", pack_kernels("key", kernels)), kernels);
  }
  EXPECT_EQ(unpack_kernels("other", pack_kernels("key", some_kernels())), std::nullopt);
}

TEST(KernelFile, RefusesEveryTruncation) {
  const std::string file = pack_kernels("key", some_kernels());
  for (std::size_t length = 0; length < file.size(); ++length) {
    ASSERT_EQ(unpack_kernels("key", std::string_view(file).substr(0, length)), std::nullopt) << length;
  }
  EXPECT_EQ(unpack_kernels("key", file + '\0'), std::nullopt);
}

TEST(KernelFile, RefusesEveryAlteredByte) {
  const std::string file = pack_kernels("key", some_kernels());
  for (std::size_t place = 0; place < file.size(); ++place) {
    std::string altered = file;
    altered[place] = static_cast<char>(altered[place] ^ 0x10);
    ASSERT_EQ(unpack_kernels("key", altered), std::nullopt) << place;
  }
}

TEST(KernelCache, StoresAndLoads) {
  CacheScene scene;
  EXPECT_EQ(scene.cache.load("key"), std::nullopt);
  scene.cache.store("key", some_kernels());
  EXPECT_EQ(scene.cache.load("key"), some_kernels());
  EXPECT_EQ(scene.cache.load("other"), std::nullopt);
  EXPECT_EQ(files_in(scene.folder / "deep/kernels"), 1U) << "no temporary file may stay";
  EXPECT_TRUE(scene.warnings.empty());
}

TEST(KernelCache, CompilesOnce) {
  SKIP_WITHOUT_NVRTC();
  CacheScene scene;
  const CompiledKernels first = scene.cache.get(test::copy_request(), 90);
  EXPECT_EQ(scene.cache.hits(), 0);
  EXPECT_EQ(scene.cache.get(test::copy_request(), 90), first);
  EXPECT_EQ(scene.cache.hits(), 1);
  KernelCache later(scene.folder / "deep/kernels");
  EXPECT_EQ(later.get(test::copy_request(), 90), first);
  EXPECT_EQ(later.hits(), 1);
  EXPECT_NE(scene.cache.get(test::copy_request(), 80).cubin, first.cubin);
  EXPECT_EQ(scene.cache.hits(), 1);
}

TEST(KernelCache, ReplacesDamagedFiles) {
  SKIP_WITHOUT_NVRTC();
  CacheScene scene;
  const CompiledKernels first = scene.cache.get(test::copy_request(), 90);
  const fs::path file = scene.cache.file_of(KernelCache::key_of(test::copy_request(), 90));
  const std::string intact = test::read_text(file);
  ASSERT_GT(intact.size(), first.cubin.size());
  std::string altered = intact;
  altered[intact.size() / 2] = static_cast<char>(altered[intact.size() / 2] ^ 1);
  const std::vector<std::string> damages = {altered, intact.substr(0, intact.size() / 2), "", "fluvia kernels\n"};
  for (const std::string& damage : damages) {
    test::write_text(file, damage);
    EXPECT_EQ(scene.cache.get(test::copy_request(), 90), first);
    EXPECT_EQ(test::read_text(file), intact);
  }
  EXPECT_EQ(scene.cache.hits(), 0);
  EXPECT_TRUE(scene.warnings.empty());
}

TEST(KernelCache, TellsRequestsApart) {
  SKIP_WITHOUT_NVRTC();
  const CompileRequest request = test::copy_request();
  std::set<std::string> keys = {KernelCache::key_of(request, 90), KernelCache::key_of(request, 80)};
  const auto with = [&](const auto& change) {
    CompileRequest changed = request;
    change(changed);
    keys.insert(KernelCache::key_of(changed, 90));
  };
  with([](CompileRequest& r) { r.source += " "; });
  with([](CompileRequest& r) { r.options = {"-DA=1"}; });
  with([](CompileRequest& r) { r.options = {"-DA=2"}; });
  with([](CompileRequest& r) { r.options = {"-DA=1", "-DB"}; });
  with([](CompileRequest& r) { r.options = {"-DA=1-DB"}; });
  with([](CompileRequest& r) { r.line_info = true; });
  with([](CompileRequest& r) { r.kernels = {"other"}; });
  with([](CompileRequest& r) { r.specialisation = "other"; });
  EXPECT_EQ(keys.size(), 10U);
  for (const std::string& key : keys) EXPECT_EQ(key.size(), 32U);
  EXPECT_EQ(KernelCache::key_of(request, 90), KernelCache::key_of(request, 90));
}

TEST(KernelCache, RemovesWhatWasUsedLongestAgo) {
  test::Folder folder;
  KernelCache cache(folder / "kernels", {}, 3500);
  const auto used = [&](const std::string& key, int hours_ago) {
    fs::last_write_time(cache.file_of(key), fs::file_time_type::clock::now() - std::chrono::hours(hours_ago));
  };
  cache.store("first", some_kernels());
  cache.store("second", some_kernels());
  used("first", 3);
  used("second", 2);
  test::write_text(folder / "kernels/notes.txt", std::string(5000, 'x'));
  EXPECT_TRUE(cache.load("first"));  // now used last
  cache.store("third", some_kernels());
  EXPECT_TRUE(cache.load("first"));
  EXPECT_FALSE(cache.load("second"));
  EXPECT_TRUE(cache.load("third"));
  EXPECT_TRUE(fs::exists(folder / "kernels/notes.txt")) << "other files are not the cache's";
  // What a killed writer left counts and goes too.
  const fs::path leftover = folder / "kernels/fourth.kernels.tmp-1";
  test::write_text(leftover, std::string(3000, 'x'));
  fs::last_write_time(leftover, fs::file_time_type::clock::now() - std::chrono::hours(30));
  cache.store("third", some_kernels());
  EXPECT_FALSE(fs::exists(leftover));
  EXPECT_TRUE(cache.load("first"));
}

TEST(KernelCache, OnlyWarnsWhereItCannotWrite) {
  SKIP_WITHOUT_NVRTC();
  test::Folder folder;
  // Not even root can make a folder below a file.
  test::write_text(folder / "file", "text");
  std::vector<std::string> warnings;
  KernelCache cache(folder / "file/kernels", [&](const std::string& text) { warnings.push_back(text); });
  EXPECT_FALSE(cache.get(test::copy_request(), 90).cubin.empty());
  EXPECT_FALSE(cache.get(test::copy_request(), 90).cubin.empty());
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_CONTAINS(warnings[0], "compiled GPU kernels are not kept");
  EXPECT_CONTAINS(warnings[0], folder.string() + "/file/kernels");
  EXPECT_CONTAINS(warnings[0], "FLUVIA_CACHE_DIR");
}

TEST(KernelCache, KeepsNothingWithoutAFolder) {
  SKIP_WITHOUT_NVRTC();
  std::vector<std::string> warnings;
  KernelCache cache({}, [&](const std::string& text) { warnings.push_back(text); });
  EXPECT_FALSE(cache.get(test::copy_request(), 90).cubin.empty());
  EXPECT_EQ(warnings.size(), 1U);
}

TEST(KernelCache, LivesWhereTheUserSays) {
  ::setenv("HOME", "/h", 1);
  ::setenv("XDG_CACHE_HOME", "/x", 1);
  ::setenv("FLUVIA_CACHE_DIR", "/f", 1);
  EXPECT_EQ(KernelCache::default_folder(), "/f");
  ::unsetenv("FLUVIA_CACHE_DIR");
  EXPECT_EQ(KernelCache::default_folder(), "/x/fluvia/kernels");
  ::setenv("XDG_CACHE_HOME", "relative", 1);
  EXPECT_EQ(KernelCache::default_folder(), "/h/.cache/fluvia/kernels");
  ::unsetenv("XDG_CACHE_HOME");
  ::unsetenv("HOME");
  EXPECT_EQ(KernelCache::default_folder(), "");
}

}  // namespace
}  // namespace fluvia::cuda
