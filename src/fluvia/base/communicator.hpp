// SPDX-License-Identifier: Apache-2.0
// Several processes that set up one domain together: each takes care of some of the items and hears from the others
// what it needs of theirs. Who they are and how they speak with each other does not matter here.
#pragma once
#include <cstdint>
#include <exception>
#include <span>
#include <string>
#include <vector>

#include "fluvia/base/bytes.hpp"
#include "fluvia/base/error.hpp"

namespace fluvia {

/// The message of an exception, and the exit code of the program.
struct Failure {
  ExitCode code = ExitCode::success;
  std::string text;
};
/// The failure that an exception stands for; one that is no Error counts as internal, unless memory ran out.
Failure failure_of(const std::exception_ptr& exception);

/// The members of a set-up. This class itself is a communicator of one: communicator_of_one().
class Communicator {
 public:
  virtual ~Communicator() = default;
  /// Number of its members.
  [[nodiscard]] virtual int count() const { return 1; }
  /// Number of this member, 0 .. count() - 1.
  [[nodiscard]] virtual int number() const { return 0; }

  /// Consecutive items, first to first + count - 1.
  struct Share {
    std::uint64_t first, end;
  };
  /// The items, of `total`, that this member takes care of; members have all items in the order of their numbers.
  [[nodiscard]] Share share_of(std::uint64_t total) const;

  /// What each member brings, in the order of their numbers. All members call it alike, within together(). Throws
  /// CommunicatorError if one of them has failed meanwhile.
  std::vector<Bytes> share(Bytes own);
  /// Sums, over the members, each of the numbers that they counted.
  void sum(std::span<std::uint64_t> counts);
  /// The items of all members, one list after the other.
  template <class Item>
  std::vector<Item> join(std::vector<Item> own) {
    if (count() == 1) return own;
    std::vector<Item> all;
    for (Bytes& bytes : share(ByteWriter().put(own).take())) {
      ByteReader(bytes).append_all(all);
      Bytes().swap(bytes);
    }
    return all;
  }
  /// Tells the other members of a failure instead of what this one would share next, and throws CommunicatorError as
  /// they do.
  [[noreturn]] void fail(const Failure& failure);

 protected:
  /// What each member sends, in the order of their numbers.
  virtual std::vector<Bytes> exchange(Bytes own);
};

/// The communicator of a process that works by itself. It has no state, so that all threads may have it at once.
inline Communicator& communicator_of_one() {
  static Communicator communicator;
  return communicator;
}

/// The failure of a member, known to all members; of the one with the lowest number if several failed.
class CommunicatorError : public Error {
 public:
  using Error::Error;
};

/// Work of a whole communicator: returns when all members have done it, and throws the same CommunicatorError at all of
/// them if it fails at any. All call it alike, one within no other.
template <class Body>
void together(Communicator& communicator, const Body& body) {
  if (communicator.count() == 1) return body();
  try {
    body();
    communicator.share({});
  } catch (const CommunicatorError&) {
    throw;
  } catch (...) {
    communicator.fail(failure_of(std::current_exception()));
  }
}

}  // namespace fluvia
