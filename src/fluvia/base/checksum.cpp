// SPDX-License-Identifier: Apache-2.0
#include "fluvia/base/checksum.hpp"

#include <xxhash.h>

#include <array>
#include <new>

namespace fluvia {

/// The state of XXH3. The library allocates it, since it wants more alignment than `new` of older compilers gives.
struct Checksum::State {
  XXH3_state_t* state = XXH3_createState();
  State() {
    if (state == nullptr || XXH3_64bits_reset(state) != XXH_OK) throw std::bad_alloc();
  }
  ~State() { XXH3_freeState(state); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
};

Checksum::Checksum() : state_(std::make_unique<State>()) {}
Checksum::~Checksum() = default;
Checksum::Checksum(Checksum&& other) noexcept = default;
Checksum& Checksum::operator=(Checksum&& other) noexcept = default;

void Checksum::update(std::span<const std::byte> bytes) {
  if (!bytes.empty()) XXH3_64bits_update(state_->state, bytes.data(), bytes.size());
}

void Checksum::update(std::uint64_t value) {
  std::array<std::byte, 8> bytes{};
  for (unsigned i = 0; i < 8; ++i) bytes[i] = static_cast<std::byte>(value >> (8 * i) & 0xff);
  update(std::span<const std::byte>(bytes));
}

std::uint64_t Checksum::value() const {
  return XXH3_64bits_digest(state_->state);
}

}  // namespace fluvia
