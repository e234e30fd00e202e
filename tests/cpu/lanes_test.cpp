// SPDX-License-Identifier: Apache-2.0
// Chunks of lanes, in vectors where the build has them, against loops over their places.
#include "fluvia/cpu/physics/lanes.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>

namespace fluvia::cpu {
namespace {

constexpr int margin = 32;  ///< of values before and behind those under test, which stay
constexpr int trials = 20000;

template <class T>
using Row = std::array<T, 2 * margin + group_lanes>;

template <class T>
Row<T> numbered(int first) {
  Row<T> row;
  for (std::size_t k = 0; k < row.size(); ++k) row[k] = static_cast<T>(first + static_cast<int>(k));
  return row;
}
template <class T>
Row<T> blank() {
  Row<T> row;
  row.fill(static_cast<T>(-1));
  return row;
}

/// The places of a chunk and which of them have a neighbour; as rows have them if `is_run`.
struct Masks {
  std::uint32_t mask, there;
};
template <bool is_run, class Random>
Masks draw(Random& random) {
  if constexpr (is_run) {
    const auto below = [](std::uint32_t count) { return (1u << count) - 1; };
    const auto up_to_16 = [&] { return static_cast<std::uint32_t>(random() % 17); };
    const std::uint32_t first = up_to_16(), second = up_to_16();
    return {below(up_to_16()), below(std::max(first, second)) & ~below(std::min(first, second))};
  } else {
    const auto some = [&] {
      return random() % 4 == 0 ? whole_chunk : static_cast<std::uint32_t>(random()) & whole_chunk;
    };
    return {some(), some()};
  }
}

/// What belongs to a place, `packed` by the mask `there` unless these are runs.
template <bool is_run>
int packed_place(std::uint32_t there, int place) {
  return is_run ? place : std::popcount(there & ((1u << place) - 1));
}

template <class T, bool is_run>
void expect_gathered() {
  std::mt19937 random(7);
  for (int trial = 0; trial < trials; ++trial) {
    const auto [mask, there] = draw<is_run>(random);
    const Row<T> from = numbered<T>(1), cut = numbered<T>(1000);
    Row<T> expected = blank<T>(), found = blank<T>(), spilt = blank<T>();
    int k = 0;
    for (int place = 0; place < chunk_lanes; ++place) {
      if ((mask >> place & 1u) == 0) continue;
      expected[margin + k] = (there >> place & 1u) != 0 ? from[margin + packed_place<is_run>(there, place)] : cut[k];
      ++k;
    }
    gather_chunk<is_run, false>(&found[margin], mask, &from[margin], there, &cut[0]);
    ASSERT_EQ(found, expected) << mask << ' ' << there;
    gather_chunk<is_run, true>(&spilt[margin], mask, &from[margin], there, &cut[0]);
    std::fill(&spilt[margin + k], &spilt[margin + chunk_lanes], static_cast<T>(-1));
    ASSERT_EQ(spilt, expected) << mask << ' ' << there;
  }
}

template <class T, bool is_run>
void expect_scattered() {
  std::mt19937 random(8);
  for (int trial = 0; trial < trials; ++trial) {
    const auto [mask, there] = draw<is_run>(random);
    const auto some = [&] { return static_cast<std::uint32_t>(random()); };
    const std::uint32_t cut_places = mask & ~there & some(), wanted = mask & (trial % 2 == 0 ? ~0u : some());
    const Row<T> from = numbered<T>(1);
    Row<T> expected = blank<T>(), expected_cut = blank<T>(), found = blank<T>(), cut = blank<T>();
    int k = 0;
    for (int place = 0; place < chunk_lanes; ++place) {
      if ((mask >> place & 1u) == 0) continue;
      if ((wanted >> place & 1u) != 0) {
        if ((there >> place & 1u) != 0) expected[margin + packed_place<is_run>(there, place)] = from[k];
        if ((cut_places >> place & 1u) != 0) expected_cut[margin + k] = from[k];
      }
      ++k;
    }
    scatter_chunk<is_run>(&from[0], mask, &found[margin], there, &cut[margin], cut_places, wanted);
    ASSERT_EQ(found, expected) << mask << ' ' << there << ' ' << wanted;
    ASSERT_EQ(cut, expected_cut) << mask << ' ' << there << ' ' << cut_places << ' ' << wanted;
  }
}

template <class T>
void expect_copied() {
  std::mt19937_64 random(9);
  for (int trial = 0; trial < trials; ++trial) {
    const std::uint64_t mask = trial % 3 == 0 ? lanes_below(static_cast<int>(random() % 65)) : random();
    const Row<T> from = numbered<T>(1);
    Row<T> expected = blank<T>(), found = blank<T>();
    for (int lane = 0; lane < group_lanes; ++lane)
      if ((mask >> lane & 1) != 0) expected[margin + lane] = from[margin + lane];
    copy_lanes(&found[margin], &from[margin], mask);
    ASSERT_EQ(found, expected) << mask;
  }
}

/// Values are in front of memory that nobody may read, so many of them that lanes from some one on are behind the end.
template <class T>
void expect_loaded() {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  void* const memory = mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  T* const end = reinterpret_cast<T*>(static_cast<char*>(memory) + page);
  ASSERT_EQ(mprotect(end, page, PROT_NONE), 0);
  for (int k = 1; k <= group_lanes; ++k) end[-k] = static_cast<T>(k);
  std::mt19937_64 random(10);
  for (int trial = 0; trial < trials; ++trial) {
    const int count = static_cast<int>(random() % 65);
    const std::uint64_t mask = (trial % 3 == 0 ? all_lanes : random()) & lanes_below(count);
    alignas(64) std::array<T, group_lanes> expected{}, found;
    for (int lane = 0; lane < count; ++lane)
      if ((mask >> lane & 1) != 0) expected[static_cast<std::size_t>(lane)] = end[lane - count];
    load_lanes(found.data(), end - count, mask);
    ASSERT_EQ(found, expected) << mask;
  }
  munmap(memory, 2 * page);
}

template <class T>
class Lanes : public testing::Test {};
using Types = testing::Types<float, double, std::uint16_t>;
TYPED_TEST_SUITE(Lanes, Types, );

TYPED_TEST(Lanes, AreGatheredByMasks) {
  expect_gathered<TypeParam, false>();
}
TYPED_TEST(Lanes, AreGatheredFromRuns) {
  expect_gathered<TypeParam, true>();
}
TYPED_TEST(Lanes, AreScatteredByMasks) {
  expect_scattered<TypeParam, false>();
}
TYPED_TEST(Lanes, AreScatteredToRuns) {
  expect_scattered<TypeParam, true>();
}
TYPED_TEST(Lanes, AreCopiedByMasks) {
  expect_copied<TypeParam>();
}
TYPED_TEST(Lanes, AreLoadedWithoutAnyOtherBeingRead) {
  expect_loaded<TypeParam>();
}

}  // namespace
}  // namespace fluvia::cpu
