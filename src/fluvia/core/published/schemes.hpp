// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/core/scheme/scheme.hpp"

namespace fluvia::core {

/// The schemes of the papers S1 to S4 (docs/schemes.md), as published, to be compared with.
inline constexpr Scheme published_schemes[] = {
    // S2 sections 3.2.1 to 3.2.5; S4 Algorithm 1. Blocks are 32 x 8 there unless they are swept over; of arrays of
    // structures they stay so. The others take pieces of rows, which the sweep of its Table 4 finds best at most sizes.
    {.name = "serial",
     .streaming = "push",
     .addressing = Addressing::array_of_structures,
     .copies = 2,
     .cuda = false,
     .serial = true,
     .instead = "aos-push"},
    {.name = "aos-push",
     .streaming = "push",
     .addressing = Addressing::array_of_structures,
     .copies = 2,
     .completes_in_step = true,
     .block = {256, 8}},
    {.name = "soa-push",
     .streaming = "push",
     .addressing = Addressing::structure_of_arrays,
     .copies = 2,
     .completes_in_step = true,
     .splits_rows = true},
    {.name = "soa-pull", .streaming = "pull", .addressing = Addressing::structure_of_arrays, .copies = 2},
    {.name = "soa-aa",
     .streaming = "aa",
     .addressing = Addressing::structure_of_arrays,
     .completes_in_step = true,
     .splits_rows = true},
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
    // The schemes of S1 section 2.3.1 with two copies and with one.
    {.name = "cm", .streaming = "pull", .addressing = Addressing::matrix, .copies = 2},
    {.name = "cm-aa", .streaming = "aa", .addressing = Addressing::matrix},
    // The schemes of S1 section 2.3.2 in two kernels and in one.
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
