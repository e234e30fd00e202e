// SPDX-License-Identifier: Apache-2.0
// Several processes that set up one domain together: each takes care of a share and hears from the others what it needs
// of theirs. Who they are and how they speak with each other is nobody's business here.
#pragma once
#include <cstdint>
#include <exception>
#include <span>
#include <string>
#include <vector>

#include "fluvia/base/bytes.hpp"
#include "fluvia/base/error.hpp"

namespace fluvia {

/// What an exception says to people, and the code that the program ends with.
struct Failure {
  ExitCode code = ExitCode::success;
  std::string text;
};
/// What any exception says; one that is no Error counts as internal, but for memory that ran out.
Failure failure_of(const std::exception_ptr& exception);

/// This class is a communicator of one: communicator_of_one().
class Communicator {
 public:
  virtual ~Communicator() = default;
  /// Number of its members.
  [[nodiscard]] virtual int count() const { return 1; }
  /// Number of this member, 0 .. count() - 1.
  [[nodiscard]] virtual int number() const { return 0; }

  /// Consecutive items.
  struct Share {
    std::uint64_t first, end;
  };
  /// The items, of `total`, that this member takes care of; in order of their numbers, members have all of them.
  [[nodiscard]] Share share_of(std::uint64_t total) const;

  /// What each member brings, in order of their numbers. All call it alike, within together(). Throws CommunicatorError
  /// if one of them has failed meanwhile.
  std::vector<Bytes> share(Bytes own);
  /// Sums of what members counted, each by its place in `counts`.
  void sum(std::span<std::uint64_t> counts);
  /// All lists, one after the other.
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
  /// Tells the others, in place of what this member would share next, and throws CommunicatorError as they do.
  [[noreturn]] void fail(const Failure& failure);

 protected:
  /// All bytes of all members.
  virtual std::vector<Bytes> exchange(Bytes own);
};

/// The communicator of whoever works by itself. It has no state, so that all may have it at once.
inline Communicator& communicator_of_one() {
  static Communicator communicator;
  return communicator;
}

/// The failure of a member of which all know; of the one with the lowest number, if there are several.
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
