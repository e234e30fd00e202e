// SPDX-License-Identifier: Apache-2.0
// A library to be loaded before a program (LD_PRELOAD) that lets one of its calls fail, or the machine with it:
//
//   FLUVIA_FAULT=KIND:N    the N-th call of KIND fails, from 1; with KIND:N+ all later ones, too
//   FLUVIA_FAULT_COUNT=F   writes the number of calls of each kind to the file F when the program exits
//
// KIND: allocate, open, write, fsync, rename, thread; kill ends the process before the N-th operation that changes
// files; power does the same after taking away from each file what was not flushed to the disk.
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
}

namespace {

enum Kind { allocate, open_file, write_file, flush_file, rename_file, start_thread, change, kinds };
constexpr const char* names[kinds] = {"allocate", "open", "write", "fsync", "rename", "thread", "kill"};

std::atomic<bool> armed{false};
std::array<std::atomic<long>, kinds> calls{};
long fail_at[kinds] = {};
bool fail_later[kinds] = {};
bool power_fails = false;

template <class Function>
Function real(Function, const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}
#define REAL(name) (real(&name, #name))

/// What of a file is on the disk: files that were written and not flushed yet.
struct Unflushed {
  std::atomic<int> copy{-1};  ///< of the descriptor, so that closing does not hide it
  ino_t inode = 0;
  off_t durable = 0;  ///< length when it was flushed last
};
std::array<Unflushed, 64> unflushed;

Unflushed* find(int descriptor, bool add) {
  struct stat status {};
  if (!power_fails || fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) return nullptr;
  for (Unflushed& file : unflushed)
    if (file.copy >= 0 && file.inode == status.st_ino) return &file;
  if (!add) return nullptr;
  for (Unflushed& file : unflushed)
    if (file.copy < 0) {
      file.inode = status.st_ino;
      file.durable = status.st_size;
      file.copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 200);
      return &file;
    }
  return nullptr;
}

void forget(int descriptor) {
  if (Unflushed* file = find(descriptor, false)) REAL(close)(file->copy.exchange(-1));
}

[[noreturn]] void end() {
  for (Unflushed& file : unflushed)
    if (file.copy >= 0) [[maybe_unused]]
      const int result = REAL(ftruncate)(file.copy, file.durable);
  raise(SIGKILL);
  for (;;) pause();
}

bool fails(Kind kind) {
  if (!armed) return false;
  const long number = ++calls[kind];
  const bool now = fail_at[kind] > 0 && (number == fail_at[kind] || (fail_later[kind] && number > fail_at[kind]));
  if (now && kind == change) end();
  return now;
}

/// Before each operation that changes files.
void changes() {
  fails(change);
}

void write_counts() {
  armed = false;
  const char* name = std::getenv("FLUVIA_FAULT_COUNT");
  if (!name) return;
  if (std::FILE* file = std::fopen(name, "w")) {
    for (int kind = 0; kind < kinds; ++kind) std::fprintf(file, "%s %ld\n", names[kind], calls[kind].load());
    std::fclose(file);
  }
}

/// Runs after the constructors of other libraries and before those of the program.
[[gnu::constructor]] void arm() {
  if (const char* fault = std::getenv("FLUVIA_FAULT")) {
    const char* colon = std::strchr(fault, ':');
    power_fails = std::strncmp(fault, "power:", 6) == 0;
    for (int kind = 0; colon && kind < kinds; ++kind) {
      const bool same = std::strncmp(fault, names[kind], static_cast<std::size_t>(colon - fault)) == 0;
      if (!same && !(power_fails && kind == change)) continue;
      fail_at[kind] = std::strtol(colon + 1, nullptr, 10);
      fail_later[kind] = fault[std::strlen(fault) - 1] == '+';
    }
  }
  std::atexit(write_counts);
  armed = true;
}

bool writes(int flags) {
  return (flags & O_ACCMODE) != O_RDONLY || (flags & O_CREAT) != 0;
}

int open_as(int (*function)(const char*, int, ...), const char* path, int flags, mode_t mode) {
  if (writes(flags)) changes();
  if (fails(open_file)) {
    errno = EMFILE;
    return -1;
  }
  const int descriptor = function(path, flags, mode);
  if (descriptor >= 0 && (flags & O_TRUNC) != 0) find(descriptor, true);
  return descriptor;
}

}  // namespace

extern "C" {

void* malloc(std::size_t size) {
  if (fails(allocate)) {
    errno = ENOMEM;
    return nullptr;
  }
  return __libc_malloc(size);
}

void* calloc(std::size_t count, std::size_t size) {
  if (fails(allocate)) {
    errno = ENOMEM;
    return nullptr;
  }
  return __libc_calloc(count, size);
}

void* realloc(void* block, std::size_t size) {
  if (size > 0 && fails(allocate)) {
    errno = ENOMEM;
    return nullptr;
  }
  return __libc_realloc(block, size);
}

void* memalign(std::size_t alignment, std::size_t size) {
  if (fails(allocate)) {
    errno = ENOMEM;
    return nullptr;
  }
  return __libc_memalign(alignment, size);
}

void* aligned_alloc(std::size_t alignment, std::size_t size) {
  return memalign(alignment, size);
}

int posix_memalign(void** block, std::size_t alignment, std::size_t size) {
  *block = memalign(alignment, size);
  return *block ? 0 : ENOMEM;
}

int open(const char* path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(list, mode_t) : 0;
  va_end(list);
  return open_as(REAL(open), path, flags, mode);
}

int open64(const char* path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(list, mode_t) : 0;
  va_end(list);
  return open_as(REAL(open64), path, flags, mode);
}

std::FILE* fopen(const char* path, const char* mode) {
  if (fails(open_file)) {
    errno = EMFILE;
    return nullptr;
  }
  return REAL(fopen)(path, mode);
}

std::FILE* fopen64(const char* path, const char* mode) {
  if (fails(open_file)) {
    errno = EMFILE;
    return nullptr;
  }
  return REAL(fopen64)(path, mode);
}

ssize_t write(int descriptor, const void* data, std::size_t size) {
  if (descriptor > 2) {
    changes();
    if (fails(write_file)) {
      errno = ENOSPC;
      return -1;
    }
    find(descriptor, true);
  }
  return REAL(write)(descriptor, data, size);
}

ssize_t pwrite(int descriptor, const void* data, std::size_t size, off_t offset) {
  changes();
  if (fails(write_file)) {
    errno = ENOSPC;
    return -1;
  }
  find(descriptor, true);
  return REAL(pwrite)(descriptor, data, size, offset);
}

int ftruncate(int descriptor, off_t size) noexcept {
  changes();
  find(descriptor, true);
  return REAL(ftruncate)(descriptor, size);
}

int fsync(int descriptor) {
  changes();
  if (fails(flush_file)) {
    errno = EIO;
    return -1;
  }
  const int result = REAL(fsync)(descriptor);
  if (result == 0) forget(descriptor);
  return result;
}

int rename(const char* from, const char* to) noexcept {
  changes();
  if (fails(rename_file)) {
    errno = EIO;
    return -1;
  }
  return REAL(rename)(from, to);
}

int unlink(const char* path) noexcept {
  changes();
  return REAL(unlink)(path);
}

int remove(const char* path) noexcept {
  changes();
  return REAL(remove)(path);
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                   void* argument) noexcept {
  if (fails(start_thread)) return EAGAIN;
  return REAL(pthread_create)(thread, attributes, start, argument);
}
}
