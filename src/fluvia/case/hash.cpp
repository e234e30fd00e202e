// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>

#include "fluvia/base/text.hpp"
#include "fluvia/case/reference_pressure.hpp"
#include "fluvia/case/schema.hpp"

namespace fluvia {
namespace {

/// A path without the numbers of list entries: "boundary.type" of "boundary[3].type".
std::string without_indices(const std::string& path) {
  std::string result;
  bool inside = false;
  for (const char ch : path) {
    if (ch == '[') inside = true;
    if (!inside) result += ch;
    if (ch == ']') inside = false;
  }
  return result;
}

/// The values that keys have if a case leaves them out, by path without indices.
class Defaults final : public schema::Visitor {
 public:
  void key(const std::string& name, const schema::Slot& slot, const schema::Rule&, const std::string&) override {
    texts[without_indices(path_of(name))] = schema::to_text(slot.get());
  }
  bool wants_table(const std::string&, bool) override { return true; }
  std::size_t array_size(const std::string&, std::size_t) override { return 1; }
  void enter(const std::string& name, int index, const std::string&) override { push(name, index); }
  void leave() override { pop(); }
  std::map<std::string, std::string> texts;
};

/// Feeds "path=value" lines to the hash, except those that do not change the flow and those that state a default. So a
/// key that a later version adds leaves the hashes of old cases, and their checkpoints, as they are. Whoever changes a
/// default that changes the flow has to raise checkpoint_format_version.
class Hasher final : public schema::Visitor {
 public:
  explicit Hasher(const std::map<std::string, std::string>& defaults) : defaults_(defaults) {}
  void key(const std::string& name, const schema::Slot& slot, const schema::Rule&, const std::string&) override {
    const std::string key_path = path_of(name);
    constexpr std::array<std::string_view, 12> ignored = {"title",
                                                          "units.physical_viscosity",
                                                          "numerics.threads",
                                                          "numerics.scheme",
                                                          "numerics.tile",
                                                          "numerics.steps_per_pass",
                                                          "numerics.trial",
                                                          "numerics.device",
                                                          "numerics.gpu_threads",
                                                          "numerics.gpu_rows",
                                                          "numerics.gpu_blocks",
                                                          "numerics.memory_limit"};
    if (std::find(ignored.begin(), ignored.end(), key_path) != ignored.end()) return;
    const std::string text = schema::to_text(slot.get());
    const auto usual = defaults_.find(without_indices(key_path));
    if (usual == defaults_.end() || usual->second != text) hash_.add(key_path + "=" + text + "\n");
  }
  bool wants_table(const std::string& name, bool filled) override {
    constexpr std::array<std::string_view, 4> ignored = {"run", "monitor", "output", "checkpoint"};
    return filled && std::find(ignored.begin(), ignored.end(), path_of(name)) == ignored.end();
  }
  /// Tracers change nothing of the flow.
  std::size_t array_size(const std::string& name, std::size_t filled) override {
    return path_of(name) == "tracer" ? 0 : filled;
  }
  void enter(const std::string& name, int index, const std::string&) override { push(name, index); }
  void leave() override { pop(); }
  /// Adds the reference pressure, which a case has even if it does not state it, and which says what densities mean. 0
  /// adds nothing: that is what it was before there was a reference pressure.
  void add_reference_pressure(double pressure) {
    if (pressure != 0) hash_.add("reference_pressure=" + format_real(pressure) + "\n");
  }
  [[nodiscard]] std::uint64_t value() const { return hash_.value(); }

 private:
  const std::map<std::string, std::string>& defaults_;
  Fnv1a hash_;
};

}  // namespace

std::uint64_t case_hash(const Case& c) {
  Case usual, copy = c;
  Defaults defaults;
  schema::describe(defaults, usual);
  Hasher hasher(defaults.texts);
  schema::describe(hasher, copy);
  hasher.add_reference_pressure(reference_pressure(c));
  return hasher.value();
}

}  // namespace fluvia
