// SPDX-License-Identifier: Apache-2.0
#include "fluvia/base/atomic_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <system_error>
#include <utility>

#include "fluvia/base/error.hpp"

namespace fluvia {
namespace {

/// Names of the temporary files that exist now, where a signal handler can read them.
struct TemporaryName {
  enum State { unused, changing, there };
  std::atomic<State> state{unused};
  std::array<char, 4096> path{};
};
std::array<TemporaryName, 16> temporary_names;

/// Index that a name got in the list; -1 if it got none, as for a name that is too long.
int remember(const std::string& path) {
  for (std::size_t i = 0; i < temporary_names.size(); ++i) {
    TemporaryName& name = temporary_names[i];
    TemporaryName::State expected = TemporaryName::unused;
    if (path.size() >= name.path.size() || !name.state.compare_exchange_strong(expected, TemporaryName::changing))
      continue;
    std::memcpy(name.path.data(), path.c_str(), path.size() + 1);
    name.state = TemporaryName::there;
    return static_cast<int>(i);
  }
  return -1;
}

void forget(int place) {
  if (place >= 0) temporary_names[static_cast<std::size_t>(place)].state = TemporaryName::unused;
}

/// Repeats pwrite() until everything is written; returns 0 or errno.
int write_fully(int descriptor, std::uint64_t offset, const std::byte* data, std::size_t size) {
  while (size > 0) {
    const ssize_t done = ::pwrite(descriptor, data, size, static_cast<off_t>(offset));
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return errno;
    if (done == 0) return ENOSPC;
    data += done;
    offset += static_cast<std::uint64_t>(done);
    size -= static_cast<std::size_t>(done);
  }
  return 0;
}

/// Makes a rename durable. File systems that cannot flush folders say EINVAL: nothing more can be done there.
int flush_folder(const std::filesystem::path& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return errno;
  const int result = ::fsync(descriptor) == 0 || errno == EINVAL || errno == EROFS ? 0 : errno;
  ::close(descriptor);
  return result;
}

std::filesystem::path folder_of(const std::filesystem::path& file) {
  return file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
}

/// What a path leads to over symbolic links, which need not be there. Throws Error(resource) for links that lead to
/// themselves.
std::filesystem::path follow_links(std::filesystem::path path) {
  constexpr int most_links = 40;  // as Linux counts them
  std::error_code error;
  for (int links = 0; links < most_links && std::filesystem::is_symlink(path, error); ++links) {
    const std::filesystem::path next = std::filesystem::read_symlink(path, error);
    if (error) break;
    path = next.is_absolute() ? next : folder_of(path) / next;
  }
  if (std::filesystem::is_symlink(path, error)) throw_resource(write_failure_message(path, ELOOP));
  return path;
}

/// What stat() says of a path over links; mode 0 where there is nothing.
struct stat status_of(const std::filesystem::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) status = {};
  return status;
}

bool is_standard_output(const struct stat& status) {
  struct stat output {};
  return ::fstat(STDOUT_FILENO, &output) == 0 && output.st_dev == status.st_dev && output.st_ino == status.st_ino;
}

const char* kind_of(mode_t mode) {
  return S_ISFIFO(mode) ? "a pipe" : S_ISSOCK(mode) ? "a socket" : "a device";
}

/// Writes into what is no regular file; false if the target is one or is not there.
bool wrote_special(const std::filesystem::path& target, std::string_view content) {
  const struct stat status = status_of(target);
  if (status.st_mode == 0 || S_ISDIR(status.st_mode)) return false;
  if (is_standard_output(status)) {
    std::fflush(stdout);
    if (const int error = write_through(STDOUT_FILENO, content)) throw_resource(write_failure_message(target, error));
    return true;
  }
  if (!S_ISCHR(status.st_mode) && !S_ISFIFO(status.st_mode)) return false;
  const int descriptor = ::open(target.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK);  // waits for no reader
  if (descriptor < 0 && errno == ENXIO && S_ISFIFO(status.st_mode))
    throw_resource("cannot write '" + target.string() +
                   "': it is a pipe that no program reads; start its reader first");
  if (descriptor < 0) throw_resource(write_failure_message(target, errno));
  int error = ::fcntl(descriptor, F_SETFL, 0) == 0 ? 0 : errno;  // from here on a full pipe waits
  if (error == 0) error = write_through(descriptor, content);
  ::close(descriptor);
  if (error != 0) throw_resource(write_failure_message(target, error));
  return true;
}

}  // namespace

int write_through(int descriptor, std::string_view content) {
  while (!content.empty()) {
    const ssize_t done = ::write(descriptor, content.data(), content.size());
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return errno;
    content.remove_prefix(static_cast<std::size_t>(done));
  }
  return 0;
}

std::string write_failure_message(const std::filesystem::path& target, int error_number) {
  std::string message = "cannot write '" + target.string() + "': " + std::strerror(error_number);
  if (error_number == ENOSPC || error_number == EDQUOT) message += " (free some space or choose another output folder)";
  if (error_number == EFBIG) message += " (raise the limit on the size of files, ulimit -f)";
  if (error_number == EACCES || error_number == EPERM || error_number == EROFS) {
    message += " (choose an output folder you may write to)";
  }
  return message;
}

AtomicFile::AtomicFile(std::filesystem::path target) : target_(follow_links(std::move(target))) {
  std::error_code error;
  std::filesystem::create_directories(folder_of(target_), error);
  if (error) throw_resource(write_failure_message(target_, error.value()));
  if (std::filesystem::is_directory(target_, error)) throw_resource(write_failure_message(target_, EISDIR));
  const mode_t mode = status_of(target_).st_mode;
  if (mode != 0 && !S_ISREG(mode))
    throw_resource("cannot write '" + target_.string() + "': it is " + kind_of(mode) +
                   ", and a file would take its place; name another file");
  temporary_ = target_;
  static std::atomic<unsigned> files = 0;  // threads may write the same file; the last one stays
  temporary_ += ".tmp-" + std::to_string(::getpid()) + "-" + std::to_string(files++);
  place_ = remember(temporary_.native());
  descriptor_ = ::open(temporary_.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor_ >= 0) return;
  const int error_number = errno;
  forget(place_);
  throw_resource(write_failure_message(target_, error_number));
}

AtomicFile::~AtomicFile() {
  if (descriptor_ < 0) return;
  ::close(descriptor_);
  ::unlink(temporary_.c_str());
  forget(place_);
}

void AtomicFile::fail(int error_number) const {
  throw_resource(write_failure_message(target_, error_number));
}

void AtomicFile::write(std::span<const std::byte> bytes) {
  write_at(size_, bytes);
  size_ += bytes.size();
}

void AtomicFile::write(std::string_view text) {
  write(std::as_bytes(std::span(text.data(), text.size())));
}

void AtomicFile::write_at(std::uint64_t offset, std::span<const std::byte> bytes) {
  if (const int error = write_fully(descriptor_, offset, bytes.data(), bytes.size())) fail(error);
}

void AtomicFile::commit() {
  if (::fsync(descriptor_) != 0 && errno != EINVAL) fail(errno);
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail(errno);
  forget(place_);
  const int descriptor = std::exchange(descriptor_, -1);  // from here on there is no temporary file to remove
  if (::close(descriptor) != 0) fail(errno);
  if (const int error = flush_folder(folder_of(target_))) fail(error);
}

void remove_temporary_files() noexcept {
  for (const TemporaryName& name : temporary_names)
    if (name.state == TemporaryName::there) ::unlink(name.path.data());
}

void write_file(const std::filesystem::path& target, std::string_view content) {
  if (wrote_special(target, content)) return;
  AtomicFile file(target);
  file.write(content);
  file.commit();
}

}  // namespace fluvia
