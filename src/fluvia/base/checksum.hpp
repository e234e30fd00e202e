// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace fluvia {

/// XXH3 (64 bits, seed 0; https://xxhash.com) of a stream of bytes: the same on every machine. It finds accidents; it
/// is no signature, since anybody can make other bytes of the same checksum.
class Checksum {
 public:
  Checksum();
  ~Checksum();
  Checksum(Checksum&& other) noexcept;
  Checksum& operator=(Checksum&& other) noexcept;

  void update(std::span<const std::byte> bytes);
  /// Adds one number, least significant byte first.
  void update(std::uint64_t value);
  [[nodiscard]] std::uint64_t value() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fluvia
