// SPDX-License-Identifier: Apache-2.0
#include "fluvia/run/files/run_folder.hpp"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "fluvia/base/atomic_file.hpp"
#include "fluvia/base/error.hpp"
#include "fluvia/base/text.hpp"

namespace fluvia {

namespace {

namespace fs = std::filesystem;

bool all_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// A file that a run writes; `step` is -1 for files of the whole run.
struct OwnFile {
  fs::path path;
  std::int64_t step = -1;
};

/// The file of a run that a path is: NAME-<step>.EXTENSION, monitors.csv, tables of tracers, summary.json, or the page
/// of `fluvia report`; none for others.
std::optional<OwnFile> own_file(const fs::path& path) {
  const std::string name = path.filename().string();
  if (name == "monitors.csv" || name == "summary.json" || name == "report.html") return OwnFile{path};
  if (name.starts_with("tracers_") && name.ends_with(".csv")) return OwnFile{path};
  constexpr std::pair<const char*, const char*> kinds[] = {
      {"fields-", ".vtkhdf"}, {"level-", ".vtkhdf"},      {"levels-", ".vtkhdf"},    {"tracers_", ".vtkhdf"},
      {"wall-", ".vtp"},      {"slice-", ".png"},         {"slice-", ".svg"},        {"slice-", ".pdf"},
      {"line-", ".csv"},      {"checkpoint-", ".fluvia"}, {"last-good-", ".fluvia"}, {"plane-", ".csv"}};
  for (const auto& [start, extension] : kinds) {
    if (!name.starts_with(start) || !name.ends_with(extension)) continue;
    const std::string stem = path.stem().string();
    const std::string digits = stem.substr(stem.rfind('-') + 1);
    OwnFile file{path};
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), file.step);
    if (all_digits(digits) && error == std::errc()) return file;
  }
  return {};
}

/// The name that a half-written file was to get (AtomicFile's NAME.tmp-PID-NUMBER); empty for other names.
std::string finished_name(const std::string& name) {
  const std::size_t mark = name.rfind(".tmp-");
  if (mark == std::string::npos) return {};
  const std::string_view numbers = std::string_view(name).substr(mark + 5);
  const std::size_t dash = numbers.find('-');
  if (dash == std::string_view::npos) return {};
  return all_digits(numbers.substr(0, dash)) && all_digits(numbers.substr(dash + 1)) ? name.substr(0, mark) : "";
}

std::vector<fs::path> regular_files(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    std::error_code unknown;
    if (fs::is_regular_file(it->symlink_status(unknown))) files.push_back(it->path());
  }
  if (error) throw_resource(fmt::format("output folder '{}' cannot be read: {}", folder.string(), error.message()));
  return files;
}

std::vector<OwnFile> own_files(const fs::path& folder) {
  std::vector<OwnFile> files;
  for (const fs::path& path : regular_files(folder))
    if (auto file = own_file(path)) files.push_back(std::move(*file));
  // Checkpoints are moved first: what is left when this is cut short cannot be resumed by mistake.
  std::partition(files.begin(), files.end(), [](const OwnFile& file) { return file.path.extension() == ".fluvia"; });
  return files;
}

void make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw_resource(fmt::format("output folder '{}' cannot be made: {}", folder.string(), error.message()));
}

fs::path make_new_folder(const fs::path& folder) {
  for (int number = 1;; ++number) {
    fs::path path = folder / fmt::format("previous-{}", number);
    std::error_code error;
    if (fs::create_directory(path, error)) return path;
    if (error) throw_resource(fmt::format("'{}' cannot be made: {}", path.string(), error.message()));
  }
}

std::string read_start(int descriptor) {
  std::array<char, 1024> buffer;
  const ssize_t got = ::pread(descriptor, buffer.data(), buffer.size(), 0);
  return {buffer.data(), static_cast<std::size_t>(std::max<ssize_t>(got, 0))};
}

std::string value_of(const std::string& record, const std::string& key) {
  const std::size_t at = record.find(key + " ");
  if (at == std::string::npos) return {};
  const std::size_t start = at + key.size() + 1;
  return record.substr(start, record.find('\n', start) - start);
}

bool is_same_file(int descriptor, const fs::path& path) {
  struct stat opened {
  }, named{};
  return ::fstat(descriptor, &opened) == 0 && ::stat(path.c_str(), &named) == 0 && opened.st_ino == named.st_ino &&
         opened.st_dev == named.st_dev;
}

/// Why an open file is no record that a run has made; null if it is one.
const char* problem_of(int descriptor) {
  struct stat opened {};
  if (::fstat(descriptor, &opened) != 0 || !S_ISREG(opened.st_mode)) return "is no regular file";
  return opened.st_nlink > 1 ? "is another name of a file (a hard link)" : nullptr;
}

std::string describe_process(const std::string& title) {
  std::array<char, 256> host{};
  if (::gethostname(host.data(), host.size() - 1) != 0) host = {};
  return fmt::format("process {} on {}, '{}', since {:%F %T}", ::getpid(), host.data(), shorten(title),
                     fmt::localtime(std::time(nullptr)));
}

}  // namespace

RunFolder::RunFolder(fs::path folder, const std::string& title)
    : folder_(std::move(folder)), record_(folder_ / record_name), who_(describe_process(title)) {
  make_folder(folder_);
  lock();
}

RunFolder::~RunFolder() {
  if (descriptor_ < 0) return;
  if (!known_ && !claimed_hash_ && is_same_file(descriptor_, record_)) ::unlink(record_.c_str());
  ::close(descriptor_);
}

void RunFolder::refuse_record(const char* what) const {
  throw_resource(
      fmt::format("cannot write '{}': it {}, which no run makes there; remove it, or choose another --output",
                  record_.string(), what));
}

void RunFolder::lock() {
  for (;;) {
    const int descriptor = ::open(record_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW, 0666);
    if (descriptor < 0 && errno == ELOOP) refuse_record("is a symbolic link");
    if (descriptor < 0) throw_resource(write_failure_message(record_, errno));
    if (const char* const problem = problem_of(descriptor)) {
      ::close(descriptor);
      refuse_record(problem);
    }
    if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
      const std::string who = value_of(read_start(descriptor), "running:");
      ::close(descriptor);
      throw_resource(fmt::format("output folder '{}' belongs to a run that is going on{}; choose another --output",
                                 folder_.string(), who.empty() ? "" : ": " + who));
    }
    // File systems without locks: nothing more can be done there.
    if (!is_same_file(descriptor, record_)) {  // another run ended meanwhile and took its record along
      ::close(descriptor);
      continue;
    }
    descriptor_ = descriptor;
    break;
  }
  const std::string hash = value_of(read_start(descriptor_), "case:");
  const char* const end = hash.data() + hash.size();
  if (!hash.empty() && std::from_chars(hash.data(), end, recorded_hash_, 16).ptr == end) known_ = true;
  write_record();
}

void RunFolder::write_record() const {
  std::string text;
  if (claimed_hash_ || known_) text = fmt::format("case: {:016x}\n", claimed_hash_.value_or(recorded_hash_));
  text += fmt::format("running: {}\n", who_);
  // A full disk must not keep a run from starting: without a record there is still the lock.
  [[maybe_unused]] const bool done = ::pwrite(descriptor_, text.data(), text.size(), 0) >= 0 &&
                                     ::ftruncate(descriptor_, static_cast<off_t>(text.size())) == 0;
}

std::optional<bool> RunFolder::holds(std::uint64_t case_hash) const {
  if (!known_) return {};
  return recorded_hash_ == case_hash;
}

void RunFolder::remove_unfinished() const {
  for (const fs::path& path : regular_files(folder_)) {
    const std::string name = finished_name(path.filename().string());
    std::error_code error;
    if (!name.empty() && own_file(folder_ / name)) fs::remove(path, error);
    if (error) throw_resource(fmt::format("'{}' cannot be removed: {}", path.string(), error.message()));
  }
}

fs::path RunFolder::set_aside(std::optional<std::int64_t> after) const {
  fs::path target;
  const auto move = [&](const fs::path& path, bool copy) {
    if (target.empty()) target = make_new_folder(folder_);
    std::error_code error;
    if (copy) {
      fs::copy_file(path, target / path.filename(), error);
    } else {
      fs::rename(path, target / path.filename(), error);
    }
    if (error)
      throw_resource(fmt::format("'{}' cannot be moved to '{}': {}", path.string(), target.string(), error.message()));
  };
  const std::vector<OwnFile> files = own_files(folder_);
  for (const OwnFile& file : files)
    if (!after || file.step > *after) move(file.path, false);
  if (!after || target.empty()) return target;
  for (const OwnFile& file : files)  // with rows of the steps before and after
    if (file.path.extension() == ".csv" && file.step < 0) move(file.path, true);
  return target;
}

bool RunFolder::has_checkpoint_after(std::int64_t step) const {
  const std::vector<OwnFile> files = own_files(folder_);
  return std::any_of(files.begin(), files.end(),
                     [&](const OwnFile& file) { return file.path.extension() == ".fluvia" && file.step > step; });
}

void RunFolder::claim(std::uint64_t case_hash) {
  claimed_hash_ = case_hash;
  write_record();
}

bool RunFolder::keep() {
  if (is_same_file(descriptor_, record_)) return false;
  ::close(std::exchange(descriptor_, -1));
  make_folder(folder_);
  lock();
  return true;
}

}  // namespace fluvia
