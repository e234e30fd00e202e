// SPDX-License-Identifier: Apache-2.0
#include "fluvia/output/csv.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <fstream>
#include <system_error>
#include <utility>

#include "fluvia/base/atomic_file.hpp"
#include "fluvia/base/error.hpp"
#include "fluvia/base/text.hpp"

namespace fluvia {
namespace {

/// A cell by RFC 4180: quotes around cells that hold a comma, a quote or a line break.
std::string quoted(const std::string& cell) {
  if (cell.find_first_of(",\"\r\n") == std::string::npos) return cell;
  std::string result = "\"";
  for (const char c : cell) {
    if (c == '"') result += '"';
    result += c;
  }
  return result + '"';
}

std::string make_header(const std::vector<std::string>& columns) {
  std::string header = "step";
  for (const std::string& column : columns) header.append(1, ',').append(quoted(column));
  return header;
}

std::int64_t step_of(const std::string& line, const std::filesystem::path& path, std::size_t number) {
  std::int64_t step = 0;
  const char* const end = line.data() + line.size();
  const auto [stop, error] = std::from_chars(line.data(), end, step);
  if (error != std::errc() || (stop != end && *stop != ',')) {
    throw_input(
        fmt::format("'{}' line {}: '{}' does not start with a step number; move the file away to start a new one",
                    path.string(), number, line.substr(0, 40)));
  }
  return step;
}

/// Rewrites the file without the rows from `resumed_step` on; false if there is no file. `last`: step of the last row
/// that stays.
bool cut(const std::filesystem::path& path, const std::string& header, std::int64_t resumed_step,
         std::optional<std::int64_t>& last) {
  std::error_code unknown;
  if (std::filesystem::exists(path, unknown)) require_regular_file(path);
  std::ifstream in(path, std::ios::binary);
  if (!in) return false;
  std::string line;
  std::getline(in, line);
  if (in.eof() && header.starts_with(line)) return false;  // the program was stopped while the header was written
  if (line != header) {
    throw_input(
        fmt::format("'{}': cannot continue this file: its columns are '{}' but this run writes '{}'; move the "
                    "file away to start a new one",
                    path.string(), line, header));
  }
  AtomicFile out(path);
  out.write(header + "\n");
  std::string kept;
  for (std::size_t number = 2; std::getline(in, line) && !in.eof(); ++number) {
    const std::int64_t step = step_of(line, path, number);
    if (step >= resumed_step) continue;
    last = step;
    kept += line + "\n";
    if (kept.size() < (1u << 20)) continue;
    out.write(kept);
    kept.clear();
  }
  out.write(kept);
  out.commit();
  return true;
}

}  // namespace

CsvWriter::CsvWriter(std::filesystem::path path, const std::vector<std::string>& columns,
                     std::optional<std::int64_t> resumed_step)
    : path_(std::move(path)), columns_(columns.size()) {
  const std::string header = make_header(columns);
  if (!resumed_step || !cut(path_, header, *resumed_step, last_kept_)) write_file(path_, header + "\n");
  open();
}

void CsvWriter::open() {
  descriptor_ = ::open(path_.c_str(), O_RDWR | O_APPEND | O_CLOEXEC);
  if (descriptor_ < 0) throw_resource(write_failure_message(path_, errno));
  size_ = ::lseek(descriptor_, 0, SEEK_END);
}

void CsvWriter::flush() {
  if (::fsync(descriptor_) != 0 && errno != EINVAL) throw_resource(write_failure_message(path_, errno));
}

bool CsvWriter::keep() {
  struct stat opened {
  }, named{};
  if (::fstat(descriptor_, &opened) != 0) throw_resource(write_failure_message(path_, errno));
  if (::stat(path_.c_str(), &named) == 0) {
    if (opened.st_ino == named.st_ino && opened.st_dev == named.st_dev) return false;
    throw_resource("'" + path_.string() + "' was replaced by another file while the run went on; the rows are lost");
  }
  std::string rows(static_cast<std::size_t>(size_), '\0');
  std::size_t done = 0;
  while (done < rows.size()) {
    const ssize_t got = ::pread(descriptor_, rows.data() + done, rows.size() - done, static_cast<off_t>(done));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) throw_resource("'" + path_.string() + "' was removed while the run went on, and cannot be read");
    done += static_cast<std::size_t>(got);
  }
  write_file(path_, rows);
  ::close(std::exchange(descriptor_, -1));
  open();
  return true;
}

CsvWriter::CsvWriter(CsvWriter&& other) noexcept
    : path_(std::move(other.path_)),
      columns_(other.columns_),
      last_kept_(other.last_kept_),
      descriptor_(std::exchange(other.descriptor_, -1)),
      size_(other.size_) {}

CsvWriter::~CsvWriter() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void CsvWriter::row(std::int64_t step, std::span<const double> values) {
  if (values.size() != columns_) {
    throw Error(ExitCode::internal,
                fmt::format("'{}': a row of {} values for {} columns", path_.string(), values.size(), columns_));
  }
  std::string text = fmt::format("{}", step);
  for (const double value : values) text += fmt::format(",{}", value);
  append(text + "\n");
}

void CsvWriter::append(const std::string& text) {
  struct stat status {};
  if (::fstat(descriptor_, &status) == 0 && status.st_size != size_)
    throw_resource(
        fmt::format("'{}' has {} bytes, and had {} after the last row: another program writes to it, and its rows are "
                    "not whole any "
                    "more; keep it closed while the run goes on",
                    path_.string(), status.st_size, size_));
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t written = ::write(descriptor_, text.data() + done, text.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      const int error = written < 0 ? errno : ENOSPC;
      // Only whole rows are left; if even that fails, the reader ignores the unfinished line.
      [[maybe_unused]] const int result = ::ftruncate(descriptor_, size_);
      throw_resource(write_failure_message(path_, error));
    }
    done += static_cast<std::size_t>(written);
  }
  size_ += static_cast<std::int64_t>(text.size());
}

}  // namespace fluvia
