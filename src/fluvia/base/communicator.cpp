// SPDX-License-Identifier: Apache-2.0
#include "fluvia/base/communicator.hpp"

#include <new>
#include <stdexcept>
#include <utility>

namespace fluvia {

namespace {

// The last byte of a message says whether its sender has failed.
constexpr std::byte fine{0}, failed{1};

/// Takes the last bytes off the messages; throws if one of them tells of a failure.
void require_success(std::vector<Bytes>& messages) {
  for (std::size_t member = 0; member < messages.size(); ++member) {
    Bytes& message = messages[member];
    const bool has_failed = message.back() == failed;
    message.pop_back();
    if (!has_failed) continue;
    ByteReader reader(message);
    const auto code = reader.get<ExitCode>();
    const std::string text = reader.get_text();
    throw CommunicatorError(code, member == 0 ? text : "rank " + std::to_string(member) + ": " + text);
  }
}

}  // namespace

Failure failure_of(const std::exception_ptr& exception) {
  try {
    std::rethrow_exception(exception);
  } catch (const Error& e) {
    return {e.code(), e.what()};
  } catch (const std::bad_alloc&) {
    return {ExitCode::resource, "memory ran out; use more nodes of the cluster or a coarser spacing"};
  } catch (const std::exception& e) {
    return {ExitCode::internal, e.what()};
  }
}

Communicator::Share Communicator::share_of(std::uint64_t total) const {
  const auto n = static_cast<std::uint64_t>(count()), k = static_cast<std::uint64_t>(number());
  const auto begin = [&](std::uint64_t member) { return total / n * member + total % n * member / n; };
  return {begin(k), begin(k + 1)};
}

std::vector<Bytes> Communicator::share(Bytes own) {
  own.push_back(fine);
  std::vector<Bytes> all = exchange(std::move(own));
  require_success(all);
  return all;
}

void Communicator::sum(std::span<std::uint64_t> counts) {
  if (count() == 1) return;
  const std::vector<Bytes> all = share(ByteWriter().put(std::span<const std::uint64_t>(counts)).take());
  for (std::uint64_t& n : counts) n = 0;
  for (const Bytes& bytes : all) {
    const std::vector<std::uint64_t> theirs = ByteReader(bytes).get_all<std::uint64_t>();
    for (std::size_t i = 0; i < counts.size(); ++i) counts[i] += theirs.at(i);
  }
}

void Communicator::fail(const Failure& failure) {
  Bytes message = ByteWriter().put(failure.code).put(failure.text).take();
  message.push_back(failed);
  std::vector<Bytes> all = exchange(std::move(message));
  require_success(all);
  throw CommunicatorError(failure.code, failure.text);  // not reached: at least this member's message says so
}

std::vector<Bytes> Communicator::exchange(Bytes own) {
  std::vector<Bytes> all;
  all.push_back(std::move(own));
  return all;
}

}  // namespace fluvia
