// SPDX-License-Identifier: Apache-2.0
// The order of a pass, from its pieces alone: every step of every row once, after what it needs, however far threads
// that have a strip each are ahead of those that follow them.
#include "fluvia/cpu/pass_schedule.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace fluvia::cpu {
namespace {

class Order {
 public:
  explicit Order(const PassSchedule& schedule)
      : schedule_(schedule), done_(static_cast<std::size_t>(schedule.box.layers * schedule.box.rows), 0) {}

  void do_wave(std::int64_t strip, std::int64_t wave) {
    for (int s = 0; s < schedule_.steps; ++s)
      schedule_.for_each_piece(strip, wave, s, [&](std::int64_t layer, std::int64_t first, std::int64_t end) {
        ASSERT_LE(0, first);
        ASSERT_LT(first, end);
        ASSERT_LE(end, schedule_.box.rows);
        for (std::int64_t row = first; row < end; ++row) ready_ = ready_ && is_ready(layer, row, s);
        for (std::int64_t row = first; row < end; ++row) ++steps_of(layer, row);
      });
  }
  /// True if no step came before what it needs, and all are done.
  [[nodiscard]] bool is_right() const {
    for (const int steps : done_)
      if (steps != schedule_.steps) return false;
    return ready_;
  }

 private:
  int& steps_of(std::int64_t layer, std::int64_t row) {
    return done_[static_cast<std::size_t>(layer * schedule_.box.rows + row)];
  }
  /// A row has done all steps before this one, those that it needs have too, and none of them more than this one.
  bool is_ready(std::int64_t layer, std::int64_t row, int step) {
    const PassRows& box = schedule_.box;
    if (steps_of(layer, row) != step) return false;
    for (std::int64_t l = layer - 1; l <= layer + 1; ++l)
      for (std::int64_t r = row - box.lag; r <= row + box.lag; ++r) {
        if (!box.layers_wrap && (l < 0 || l >= box.layers)) continue;
        if (!box.rows_wrap && (r < 0 || r >= box.rows)) continue;
        const auto wrapped = [](std::int64_t k, std::int64_t count) { return (k % count + count) % count; };
        const int steps = steps_of(wrapped(l, box.layers), wrapped(r, box.rows));
        if (steps < step || steps > step + 1) return false;
      }
    return true;
  }

  const PassSchedule& schedule_;
  std::vector<int> done_;
  bool ready_ = true;
};

template <class Body>
void for_each_schedule(Body&& body) {
  for (const std::int64_t layers : {1, 2, 3, 7})
    for (const std::int64_t rows : {1, 2, 5, 16})
      for (const std::int64_t lag : {1, 2, 3})
        for (const int steps : {1, 2, 3, 5, 8})
          for (const std::int64_t strips : {1, 2, 3, 5})
            for (int wraps = 0; wraps < 4; ++wraps)
              if (strips <= rows) body({{layers, rows, (wraps & 1) != 0, (wraps & 2) != 0, lag}, steps, strips});
}

std::string text_of(const PassSchedule& s) {
  return (testing::Message() << s.box.layers << " layers" << (s.box.layers_wrap ? " around" : "") << ", " << s.box.rows
                             << " rows" << (s.box.rows_wrap ? " around" : "") << ", lag " << s.box.lag << ", "
                             << s.steps << " steps, " << s.strips << " strips")
      .GetString();
}

TEST(PassSchedule, DoesWhatAStepNeedsBeforeItWhereStripsAreFarAhead) {
  for_each_schedule([](const PassSchedule& schedule) {
    Order order(schedule);
    for (std::int64_t strip = 0; strip < schedule.strips; ++strip)
      for (std::int64_t wave = 0; wave < schedule.waves(); ++wave) order.do_wave(strip, wave);
    EXPECT_TRUE(order.is_right()) << text_of(schedule);
  });
}

TEST(PassSchedule, DoesWhatAStepNeedsBeforeItWhereStripsAreCloseTogether) {
  for_each_schedule([](const PassSchedule& schedule) {
    Order order(schedule);
    for (std::int64_t wave = 0; wave < schedule.waves(); ++wave)
      for (std::int64_t strip = 0; strip < schedule.strips; ++strip) order.do_wave(strip, wave);
    EXPECT_TRUE(order.is_right()) << text_of(schedule);
  });
}

TEST(PassSchedule, SharesRowsEvenly) {
  const PassSchedule schedule{{9, 61, false, false, 1}, 4, 4};  // 64 rows of all steps
  for (std::int64_t strip = 0; strip < 4; ++strip) {
    std::int64_t rows = 0;
    schedule.for_each_piece(strip, 4, 1,
                            [&](std::int64_t, std::int64_t first, std::int64_t end) { rows += end - first; });
    EXPECT_EQ(rows, strip == 0 ? 15 : strip == 3 ? 14 : 16) << strip;
  }
}

}  // namespace
}  // namespace fluvia::cpu
