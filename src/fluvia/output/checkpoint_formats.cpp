// SPDX-License-Identifier: Apache-2.0
#include "fluvia/output/checkpoint_formats.hpp"

#include <fmt/format.h>

#include <cstring>

#include "fluvia/base/error.hpp"
#include "fluvia/core/format/formats.hpp"

namespace fluvia {
namespace {

/// Calls `visit` with the format type called `name`.
template <class Visit, class... Formats>
void with_format(const std::string& name, core::TypeList<Formats...>, const Visit& visit) {
  const bool found = ((name == Formats::name ? (visit(Formats{}), true) : false) || ...);
  if (!found) throw_input(fmt::format("unknown population format '{}'", name));
}

/// Bits of mantissa, for telling the user what is lost. fp16s and fp16c are below fp32 in range, too.
int precision_bits(const std::string& format) {
  if (format == "fp64") return 53;
  if (format == "fp32") return 24;
  return format == "fp16c" ? 12 : 11;
}

}  // namespace

std::size_t format_bytes(const std::string& format) {
  std::size_t bytes = 0;
  with_format(format, core::Formats{}, [&](auto f) { bytes = sizeof(typename decltype(f)::Storage); });
  return bytes;
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
  const int before = precision_bits(from), after = precision_bits(to);
  if (after >= before && !(from.starts_with("fp16") && to.starts_with("fp16"))) {
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
