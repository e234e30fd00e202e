// SPDX-License-Identifier: Apache-2.0
#include "fluvia/output/checkpoint/checkpoint_formats.hpp"

#include <fmt/format.h>

#include <cstring>

#include "fluvia/base/error.hpp"
#include "fluvia/case/physics/registered_formats.hpp"
#include "fluvia/core/format/registry.hpp"

namespace fluvia {
namespace {

[[noreturn]] void refuse(const std::string& format) {
  throw_input(fmt::format("unknown population format '{}'", format));
}

const FormatFacts& facts_of(const std::string& format) {
  const FormatFacts* const facts = find_format(format);
  if (facts == nullptr) refuse(format);
  return *facts;
}

/// Calls `visit` with the format type called `name`.
template <class Visit, class... Formats>
void with_format(const std::string& name, core::TypeList<Formats...>, const Visit& visit) {
  const bool found = ((name == Formats::name ? (visit(Formats{}), true) : false) || ...);
  if (!found) refuse(name);
}

}  // namespace

std::size_t format_bytes(const std::string& format) {
  return static_cast<std::size_t>(facts_of(format).storage_bytes);
}

void convert_populations(const std::string& from, std::span<const std::byte> in, const std::string& to,
                         std::span<std::byte> out) {
  with_format(from, core::Formats{}, [&](auto source) {
    with_format(to, core::Formats{}, [&](auto target) {
      using Source = decltype(source);
      using Target = decltype(target);
      const std::size_t count = in.size() / sizeof(typename Source::Storage);
      for (std::size_t i = 0; i < count; ++i) {
        typename Source::Storage stored;
        std::memcpy(&stored, in.data() + i * sizeof(stored), sizeof(stored));
        const auto value = static_cast<double>(Source::decode(stored));
        const auto encoded = Target::encode(static_cast<typename Target::Arithmetic>(value));
        std::memcpy(out.data() + i * sizeof(encoded), &encoded, sizeof(encoded));
      }
    });
  });
}

std::string conversion_note(const std::string& from, const std::string& to) {
  if (from == to) return {};
  const FormatFacts &source = facts_of(from), &target = facts_of(to);
  const int before = source.precision_bits, after = target.precision_bits;
  // Formats of 16 bits differ in their ranges, so that one with more digits does not keep all digits of another.
  if (after >= before && !(source.rounds && target.rounds)) {
    return fmt::format(
        "populations were converted from {} to {}: no precision was lost, but the run so far had {} bits", from, to,
        before);
  }
  return fmt::format(
      "populations were converted from {} to {}: rounded from {} to {} bits, so the run does not continue "
      "bit by bit",
      from, to, before, after);
}

}  // namespace fluvia
