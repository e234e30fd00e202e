// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/core/scheme/scheme.hpp"

namespace fluvia::core {

/// Every scheme; add one here and nowhere else. All give the same result.
inline constexpr Scheme schemes[] = {
    {.name = "pull", .streaming = "pull", .addressing = Addressing::dense, .copies = 2, .most_steps_on_cpu = 8},
    {.name = "fused",
     .streaming = "pull",
     .addressing = Addressing::dense,
     .copies = 2,
     .stepping = Stepping::fused,
     .cpu = false,
     .instead = "pull",
     .most_steps_2d = 8,
     .most_steps_3d = 3},
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
    // S2 section 3.2.1 to 3.2.3; S4 Algorithm 1.
    {.name = "serial",
     .streaming = "push",
     .addressing = Addressing::array_of_structures,
     .copies = 2,
     .cuda = false,
     .serial = true,
     .instead = "aos-push"},
    {.name = "aos-push", .streaming = "push", .addressing = Addressing::array_of_structures, .copies = 2},
    {.name = "soa-push", .streaming = "push", .addressing = Addressing::structure_of_arrays, .copies = 2},
    {.name = "soa-pull",
     .streaming = "pull",
     .addressing = Addressing::structure_of_arrays,
     .copies = 2,
     .swaps = true},
    // S1 section 3, Fig. 5.
    {.name = "t2c",
     .streaming = "pull",
     .addressing = Addressing::tiles,
     .copies = 2,
     .edges_2d = {16, 8},
     .edges_3d = {4, 8}},
    // S4 sections 2.4 and 2.5: blocks of threads, all of them stored.
    {.name = "ghost",
     .streaming = "pull",
     .addressing = Addressing::tiles,
     .stepping = Stepping::ghost_cells,
     .edges_2d = {16, 32, 8},
     .edges_3d = {8, 4}},
    // S1 section 3.1.1.2, Figs 2 to 4.
    {.name = "tgb",
     .streaming = "push",
     .addressing = Addressing::tiles,
     .stepping = Stepping::ghost_buffers,
     .edges_2d = {16, 8},
     .edges_3d = {4, 8}},
    // S1 section 2.3.1, and the same with one copy.
    {.name = "cm", .streaming = "pull", .addressing = Addressing::matrix, .copies = 2},
    {.name = "cm-aa", .streaming = "aa", .addressing = Addressing::matrix},
    // S1 section 2.3.2, and the same in one kernel.
    {.name = "fia",
     .streaming = "push",
     .addressing = Addressing::fluid_index,
     .copies = 2,
     .stepping = Stepping::apart},
    {.name = "fia-fused", .streaming = "pull", .addressing = Addressing::fluid_index, .copies = 2},
    // S3 section 5.1, the same with its propagation through shared memory (section 5.3), and with one copy.
    {.name = "fcc", .streaming = "push", .addressing = Addressing::half_box, .copies = 2, .half = true},
    {.name = "fcc-shared",
     .streaming = "push",
     .addressing = Addressing::half_box,
     .copies = 2,
     .stepping = Stepping::rows,
     .cpu = false,
     .half = true,
     .instead = "fcc"},
    {.name = "fcc-aa", .streaming = "aa", .addressing = Addressing::half_box, .half = true},
};

}  // namespace fluvia::core
