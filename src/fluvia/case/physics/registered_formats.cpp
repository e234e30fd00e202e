// SPDX-License-Identifier: Apache-2.0
#include "fluvia/case/physics/registered_formats.hpp"

#include <algorithm>
#include <cmath>

#include "fluvia/base/error.hpp"
#include "fluvia/base/text.hpp"
#include "fluvia/core/format/registry.hpp"

namespace fluvia {

namespace {

template <class Format>
FormatFacts facts_of_type() {
  FormatFacts facts = {.name = Format::name,
                       .storage_bytes = sizeof(typename Format::Storage),
                       .arithmetic_bytes = sizeof(typename Format::Arithmetic),
                       .precision_bits = Format::precision_bits,
                       .rounds = core::rounds<Format>,
                       .gpus_convert = Format::gpus_convert};
  if constexpr (core::rounds<Format>) facts.smallest_normal = std::ldexp(1.0, Format::smallest_normal);
  return facts;
}

}  // namespace

const std::vector<FormatFacts>& registered_formats() {
  static const std::vector<FormatFacts> all = [] {
    std::vector<FormatFacts> formats;
    core::for_each_type(core::Formats{}, [&]<class Format>(Format) { formats.push_back(facts_of_type<Format>()); });
    return formats;
  }();
  return all;
}

std::vector<std::string> format_names() {
  std::vector<std::string> names;
  for (const FormatFacts& format : registered_formats()) names.push_back(format.name);
  return names;
}

std::vector<std::string> format_names(bool that_round) {
  std::vector<std::string> names;
  for (const FormatFacts& format : registered_formats())
    if (format.rounds == that_round) names.push_back(format.name);
  return names;
}

const FormatFacts* find_format(const std::string& name) {
  const std::vector<FormatFacts>& all = registered_formats();
  const auto found = std::find_if(all.begin(), all.end(), [&](const FormatFacts& f) { return f.name == name; });
  return found == all.end() ? nullptr : &*found;
}

const FormatFacts& facts_of_format(const std::string& name) {
  const FormatFacts* const found = find_format(name);
  if (found == nullptr)
    throw_input("numerics.format: there is no format '" + name + "'; choose one of " + join(format_names()));
  return *found;
}

bool format_rounds(const std::string& format) {
  const FormatFacts* const facts = find_format(format);
  return facts != nullptr && facts->rounds;
}

int storage_bytes(const std::string& format) {
  const FormatFacts* const facts = find_format(format);
  return facts == nullptr ? 0 : facts->storage_bytes;
}

int arithmetic_bytes(const std::string& format) {
  const FormatFacts* const facts = find_format(format);
  return facts == nullptr ? 0 : facts->arithmetic_bytes;
}

const FormatFacts& computed_format(const std::string& format) {
  const std::vector<FormatFacts>& all = registered_formats();
  const int bytes = facts_of_format(format).arithmetic_bytes;
  return *std::find_if(all.begin(), all.end(),
                       [&](const FormatFacts& f) { return !f.rounds && f.arithmetic_bytes == bytes; });
}

std::string format_with_more_digits(const std::string& format) {
  const FormatFacts* const from = find_format(format);
  const FormatFacts* best = nullptr;
  for (const FormatFacts& facts : registered_formats())
    if (!facts.rounds && (from == nullptr || facts.precision_bits > from->precision_bits) &&
        (best == nullptr || facts.precision_bits < best->precision_bits))
      best = &facts;
  return best == nullptr ? "" : best->name;
}

}  // namespace fluvia
