// SPDX-License-Identifier: Apache-2.0
// Covering arrays: of a product of factors (lattice, collision, scheme, format, ...) so many rows that each pair of
// values that is allowed together occurs at least once. Nearly all mistakes need no more than two values to meet, and
// the rows grow with the two largest factors instead of with all. Values that a registry gains are covered unasked.
// Two variables of the environment say what is drawn, here and nowhere else:
//   FLUVIA_SEED=N  another draw than that of 0, the default; what is drawn says its seed
//   FLUVIA_FULL=1  no draw but the whole product (scripts/test --full)
// Draw in the body of a test, not for the names of its instances: those are listed when the tests are built.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <iterator>
#include <random>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace fluvia::test {

/// True where tests take whole products.
inline bool takes_whole_products() {
  const char* const full = std::getenv("FLUVIA_FULL");
  return full != nullptr && std::string(full) == "1";
}

/// The seed of all draws of this run; 0 if nothing is said. Throws std::invalid_argument if it is no number.
inline std::uint64_t draw_seed() {
  const char* const seed = std::getenv("FLUVIA_SEED");
  return seed == nullptr ? 0 : std::stoull(seed);
}

/// A row of a product: the index of a value for each of its factors.
template <std::size_t factors>
using Row = std::array<std::uint16_t, factors>;

namespace detail {

/// Which pairs of values have occurred in rows.
template <std::size_t factors>
class SeenPairs {
 public:
  explicit SeenPairs(const std::array<std::size_t, factors>& counts) : counts_(counts) {
    std::size_t size = 0;
    for (std::size_t a = 0; a < factors; ++a)
      for (std::size_t b = a + 1; b < factors; ++b) {
        first_[a][b] = size;
        size += counts[a] * counts[b];
      }
    seen_.resize(size);
  }
  /// How many pairs of the row have not occurred.
  [[nodiscard]] std::size_t unseen(const Row<factors>& row) const {
    std::size_t number = 0;
    for (std::size_t a = 0; a < factors; ++a)
      for (std::size_t b = a + 1; b < factors; ++b) number += seen_[at(row, a, b)] ? 0 : 1;
    return number;
  }
  void see(const Row<factors>& row) {
    for (std::size_t a = 0; a < factors; ++a)
      for (std::size_t b = a + 1; b < factors; ++b) seen_[at(row, a, b)] = true;
  }

 private:
  [[nodiscard]] std::size_t at(const Row<factors>& row, std::size_t a, std::size_t b) const {
    return first_[a][b] + row[a] * counts_[b] + row[b];
  }
  std::array<std::size_t, factors> counts_;
  std::array<std::array<std::size_t, factors>, factors> first_{};
  std::vector<bool> seen_;
};

}  // namespace detail

/// All rows of a product that are allowed. Throws std::invalid_argument if there are none: a test would show nothing.
template <std::size_t factors, class IsAllowed>
std::vector<Row<factors>> product(const std::array<std::size_t, factors>& counts, const IsAllowed& is_allowed) {
  std::vector<Row<factors>> rows;
  Row<factors> row{};
  const bool has_rows = std::find(counts.begin(), counts.end(), std::size_t{0}) == counts.end();
  for (bool more = has_rows; more;) {
    if (is_allowed(row)) rows.push_back(row);
    more = false;
    for (std::size_t a = factors; a-- > 0 && !more;) {  // the next row, the last factor first
      more = ++row[a] < counts[a];
      if (!more) row[a] = 0;
    }
  }
  if (rows.empty()) throw std::invalid_argument("a product of which no row is allowed");
  return rows;
}

/// Of these rows so few that each pair of values that occurs in them still does: again and again the row with the most
/// new pairs, the first of those in an order that the seed shuffles. They come in the order that they had.
template <std::size_t factors>
std::vector<Row<factors>> cover_pairs(const std::array<std::size_t, factors>& counts,
                                      const std::vector<Row<factors>>& rows, std::uint64_t seed) {
  static_assert(factors >= 2, "a single factor has no pairs");
  // By hand, because the distributions of the standard library are others in other libraries.
  std::mt19937_64 random(seed);
  std::vector<std::size_t> order(rows.size());
  for (std::size_t k = 0; k < order.size(); ++k) {
    const std::size_t other = random() % (k + 1);
    order[k] = order[other];
    order[other] = k;
  }
  // What a row adds only falls, so those that were found to add less wait until it is their number's turn.
  std::array<std::vector<std::size_t>, factors*(factors - 1) / 2 + 1> waiting;
  waiting.back() = std::move(order);
  detail::SeenPairs<factors> pairs(counts);
  std::vector<std::size_t> taken;
  for (std::size_t most = waiting.size() - 1; most > 0; --most)
    for (const std::size_t k : waiting[most]) {
      const std::size_t added = pairs.unseen(rows[k]);
      if (added == most) {
        pairs.see(rows[k]);
        taken.push_back(k);
      } else {
        waiting[added].push_back(k);
      }
    }
  std::sort(taken.begin(), taken.end());
  std::vector<Row<factors>> result;
  result.reserve(taken.size());
  for (const std::size_t k : taken) result.push_back(rows[k]);
  return result;
}

/// Values of each factor, e.g. {lattice, scheme, format}, that a test goes through: a covering array of those
/// combinations for which is_allowed(lattice, scheme, format) is true, or all of them. Neighbours differ in their last
/// factors, so what depends on the first ones only can be kept from row to row.
template <class IsAllowed, class... Values>
std::vector<std::tuple<Values...>> covering(const IsAllowed& is_allowed, const std::vector<Values>&... factors) {
  constexpr std::size_t number = sizeof...(Values);
  const std::array<std::size_t, number> counts = {factors.size()...};
  const auto with_values = [&](const Row<number>& row, const auto& use) {
    return [&]<std::size_t... a>(std::index_sequence<a...>) {
      return use(factors[row[a]]...);
    }
    (std::make_index_sequence<number>{});
  };
  std::vector<Row<number>> rows = product(counts, [&](const Row<number>& row) { return with_values(row, is_allowed); });
  const std::size_t all = rows.size();
  if (!takes_whole_products()) rows = cover_pairs(counts, rows, draw_seed());
  std::cout << "drawn: " << rows.size() << " of " << all << " combinations, FLUVIA_SEED=" << draw_seed() << '\n';
  std::vector<std::tuple<Values...>> result;
  result.reserve(rows.size());
  for (const Row<number>& row : rows)
    result.push_back(with_values(row, [](const Values&... values) { return std::tuple<Values...>(values...); }));
  return result;
}

/// For products of which every combination is allowed.
inline constexpr auto all_allowed = [](const auto&...) { return true; };

}  // namespace fluvia::test
