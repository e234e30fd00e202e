// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/core/published/schemes.hpp"
#include "fluvia/core/scheme/scheme.hpp"

namespace fluvia::core {

/// The schemes that "auto" chooses from; add one here and nowhere else. Those of the papers are in
/// core/published/schemes.hpp.
inline constexpr Scheme own_schemes[] = {
    {.name = "pull", .streaming = "pull", .addressing = Addressing::dense, .copies = 2, .most_steps_on_cpu = 8},
    {.name = "fused",
     .streaming = "pull",
     .addressing = Addressing::dense,
     .copies = 2,
     .stepping = Stepping::fused,
     .cpu = false,
     .instead = "pull",
     .in_one_copy = "fused-sliding",
     .most_steps_2d = 8,
     .most_steps_3d = 3},
    {.name = "fused-sliding",
     .streaming = "pull",
     .addressing = Addressing::dense,
     .stepping = Stepping::sliding_passes,
     .cpu = false,
     .instead = "aa",
     .most_steps_2d = 8,
     .most_steps_3d = 3},
    {.name = "moments",
     .streaming = "pull",
     .addressing = Addressing::dense,
     .copies = 2,
     .stepping = Stepping::moments,
     .cpu = false,
     .instead = "pull",
     .in_one_copy = "moments-sliding",
     .most_steps_2d = 4,
     .most_steps_3d = 2},
    {.name = "moments-sliding",
     .streaming = "pull",
     .addressing = Addressing::dense,
     .stepping = Stepping::sliding_moments,
     .cpu = false,
     .instead = "aa",
     .most_steps_2d = 4,
     .most_steps_3d = 2},
    {.name = "aa", .streaming = "aa", .addressing = Addressing::dense, .most_steps_on_cpu = 8},
    {.name = "esoteric-pull", .streaming = "esoteric-pull", .addressing = Addressing::dense, .most_steps_on_cpu = 8},
    {.name = "compact-pull",
     .streaming = "pull",
     .addressing = Addressing::compact,
     .copies = 2,
     .most_steps_on_cpu = 8},
    {.name = "compact-aa", .streaming = "aa", .addressing = Addressing::compact, .most_steps_on_cpu = 8},
    {.name = "compact-sliding",
     .streaming = "pull",
     .addressing = Addressing::compact,
     .stepping = Stepping::sliding,
     .cpu = false,
     .instead = "compact-aa"},
};

/// The rows of some lists, one list after the other.
template <int first_count, int second_count>
struct SchemeList {
  constexpr SchemeList(const Scheme (&first)[first_count], const Scheme (&second)[second_count]) {
    for (int k = 0; k < first_count; ++k) rows[k] = first[k];
    for (int k = 0; k < second_count; ++k) rows[first_count + k] = second[k];
  }
  [[nodiscard]] constexpr const Scheme* begin() const { return rows; }
  [[nodiscard]] constexpr const Scheme* end() const { return rows + size(); }
  [[nodiscard]] static constexpr int size() { return first_count + second_count; }
  constexpr const Scheme& operator[](int number) const { return rows[number]; }

  Scheme rows[first_count + second_count] = {};
};

/// Every scheme. All give the same result, bit for bit but for those that keep moments, which round elsewhere.
inline constexpr SchemeList schemes(own_schemes, published_schemes);

}  // namespace fluvia::core
