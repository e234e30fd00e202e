// SPDX-License-Identifier: Apache-2.0
#include "fluvia/case/toml/reference.hpp"

#include <fmt/format.h>

#include "fluvia/base/text.hpp"
#include "fluvia/case/check.hpp"
#include "fluvia/case/schema.hpp"

namespace fluvia::schema {
namespace {

const char* type_name(const Slot& slot) {
  switch (slot.kind) {
    case Kind::boolean:
      return "true/false";
    case Kind::integer:
      return "integer";
    case Kind::real:
      return "real";
    case Kind::text:
      return "text";
    case Kind::file:
      return "file";
    case Kind::booleans:
      return "3 true/false";
    case Kind::integers:
      return slot.count == 3 ? "3 integers" : "integers";
    case Kind::reals:
      return slot.count == 2 ? "2 reals" : "3 reals";
    case Kind::texts:
      return "texts";
    case Kind::corners:
      return "2 × 3 reals";
    case Kind::rates:
      return "table of reals";
  }
  return "";
}

std::string default_text(const Slot& slot, const Rule& rule) {
  if (rule.required) return "required";
  if (rule.by_kind) return "by kind";
  const std::string text = to_text(slot.get());
  return text.empty() || text == "[]" || text == "{}" ? "" : "`" + text + "`";
}

std::vector<std::string> choices_of(const Slot& slot, const Rule& rule) {
  if (slot.kind == Kind::boolean) return {"true", "false"};
  // Lists need brackets and quotes, which no shell completes.
  return rule.allowed != nullptr && slot.kind == Kind::text ? *rule.allowed : std::vector<std::string>{};
}

/// Notes down every key of a default Case.
class Writer final : public Visitor {
 public:
  void key(const std::string& name, const Slot& slot, const Rule& rule, const std::string& meaning) override {
    const std::string range = rule.allowed != nullptr ? "`" + join(*rule.allowed, "`, `") + "`" : bounds_text(rule);
    const auto& [section, section_meaning] = sections_.back();
    entries.push_back({section, section_meaning, name, type_name(slot), rule.unit, default_text(slot, rule), range,
                       meaning, setting_ + name, choices_of(slot, rule)});
  }
  bool wants_table(const std::string&, bool) override { return true; }
  std::size_t array_size(const std::string&, std::size_t) override { return 1; }
  void enter(const std::string& name, int index, const std::string& meaning) override {
    push(name, not_an_item);
    const bool item = index != not_an_item;
    lengths_.push_back(setting_.size());
    setting_ += name + (item ? ".1." : ".");
    sections_.emplace_back((item ? "[[" : "[") + path() + (item ? "]]" : "]"), meaning);
  }
  void leave() override {
    pop();
    sections_.pop_back();
    setting_.resize(lengths_.back());
    lengths_.pop_back();
  }
  std::vector<std::string> table_names(std::vector<std::string>) override { return {"NAME"}; }
  std::vector<KeyEntry> entries;

 private:
  std::vector<std::pair<std::string, std::string>> sections_ = {
      {"the top of the file", "Keys before the first section."}};
  std::string setting_;  ///< path of the section as --set writes it, with a dot at its end
  std::vector<std::size_t> lengths_;
};

}  // namespace

std::vector<KeyEntry> reference_keys() {
  Case c;
  Writer writer;
  describe(writer, c);
  return writer.entries;
}

std::string reference_markdown() {
  std::string text, section;
  for (const KeyEntry& entry : reference_keys()) {
    if (entry.section != section) {
      section = entry.section;
      const std::string title = section.front() == '[' ? "`" + section + "`" : "Top of the file";
      text += fmt::format("\n### {}\n\n{}\n\n", title, entry.section_meaning);
      text += "| key | type | SI unit | default | allowed | meaning |\n|---|---|---|---|---|---|\n";
    }
    text += fmt::format("| `{}` | {} | {} | {} | {} | {} |\n", entry.name, entry.type, entry.unit, entry.default_value,
                        entry.range, entry.meaning);
  }
  return text;
}

}  // namespace fluvia::schema
