// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace fluvia {

/// A 64-bit checksum of a stream of bytes, several GB/s, the same on every machine. Not cryptographic.
///
/// Four lanes take 8 bytes each in turn: lane = rotate((lane ^ word) * odd). Each step is a bijection of the lane for
/// a given word and of the word for a given lane, so that a change confined to one word always changes the result;
/// other changes go unnoticed with a probability of about 2^-64.
class Checksum {
 public:
  void update(std::span<const std::byte> bytes) {
    total_ += bytes.size();
    if (pending_ > 0) {
      const std::size_t taken = bytes.size() < block - pending_ ? bytes.size() : block - pending_;
      std::memcpy(buffer_.data() + pending_, bytes.data(), taken);
      pending_ += taken;
      bytes = bytes.subspan(taken);
      if (pending_ < block) return;
      absorb(buffer_.data());
      pending_ = 0;
    }
    for (; bytes.size() >= block; bytes = bytes.subspan(block)) absorb(bytes.data());
    if (!bytes.empty()) std::memcpy(buffer_.data(), bytes.data(), bytes.size());
    pending_ = bytes.size();
  }
  /// Adds one number, least significant byte first.
  void update(std::uint64_t value) {
    std::array<std::byte, 8> bytes{};
    for (int i = 0; i < 8; ++i) bytes[static_cast<std::size_t>(i)] = static_cast<std::byte>(value >> (8 * i) & 0xff);
    update(std::span<const std::byte>(bytes));
  }
  [[nodiscard]] std::uint64_t value() const {
    Checksum end = *this;
    std::memset(end.buffer_.data() + end.pending_, 0, block - end.pending_);
    end.absorb(end.buffer_.data());
    std::uint64_t result = finish(total_);
    for (const std::uint64_t lane : end.lanes_) result = finish(std::rotl(result, 27) ^ lane);
    return result;
  }

 private:
  static constexpr std::size_t block = 32;
  static constexpr std::uint64_t odd = 0x9e3779b97f4a7c15u;  // 2^64 / golden ratio

  void absorb(const std::byte* data) {
    for (std::size_t lane = 0; lane < 4; ++lane) {
      std::uint64_t word = 0;
      std::memcpy(&word, data + 8 * lane, 8);
      if constexpr (std::endian::native == std::endian::big) word = __builtin_bswap64(word);
      lanes_[lane] = std::rotl((lanes_[lane] ^ word) * odd, 29);
    }
  }
  /// Spreads every bit over the word; a bijection.
  static constexpr std::uint64_t finish(std::uint64_t x) {
    x = (x ^ (x >> 31)) * odd;
    return x ^ (x >> 29);
  }

  std::array<std::uint64_t, 4> lanes_{1, odd, odd* odd, odd* odd* odd};
  std::array<std::byte, block> buffer_{};
  std::size_t pending_ = 0;
  std::uint64_t total_ = 0;
};

}  // namespace fluvia
