// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <string_view>

#include "fluvia/base/text.hpp"
#include "fluvia/case/schema.hpp"

namespace fluvia {
namespace {

/// Feeds "path=value" lines to the hash, except those that do not change the flow.
class Hasher final : public schema::Visitor {
 public:
  void key(const std::string& name, const schema::Slot& slot, const schema::Rule&, const std::string&) override {
    const std::string key_path = path_of(name);
    constexpr std::array<std::string_view, 8> ignored = {
        "title",           "numerics.threads",     "numerics.scheme",     "numerics.tile",
        "numerics.device", "numerics.gpu_threads", "numerics.gpu_blocks", "numerics.memory_limit"};
    if (std::find(ignored.begin(), ignored.end(), key_path) != ignored.end()) return;
    hash_.add(key_path + "=" + schema::to_text(slot.get()) + "\n");
  }
  bool wants_table(const std::string& name, bool filled) override {
    constexpr std::array<std::string_view, 4> ignored = {"run", "monitor", "output", "checkpoint"};
    return filled && std::find(ignored.begin(), ignored.end(), path_of(name)) == ignored.end();
  }
  std::size_t array_size(const std::string&, std::size_t filled) override { return filled; }
  void enter(const std::string& name, int index, const std::string&) override { push(name, index); }
  void leave() override { pop(); }
  [[nodiscard]] std::uint64_t value() const { return hash_.value(); }

 private:
  Fnv1a hash_;
};

}  // namespace

std::uint64_t case_hash(const Case& c) {
  Case copy = c;
  Hasher hasher;
  schema::describe(hasher, copy);
  return hasher.value();
}

}  // namespace fluvia
