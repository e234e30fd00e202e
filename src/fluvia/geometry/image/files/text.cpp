// SPDX-License-Identifier: Apache-2.0
// Images as numbers in text, one for each voxel, as codes of this field write and read them (.dat of Palabos and
// OpenLB).
#include "fluvia/base/text.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstring>

#include "fluvia/base/error.hpp"
#include "fluvia/geometry/image/files/image_file.hpp"
#include "fluvia/geometry/input_file.hpp"

namespace fluvia::geometry {
namespace {

class TextElements : public ElementSource {
 public:
  explicit TextElements(const ImageHeader& header)
      : file_(header.data), count_(header.bytes() / sizeof(double)), part_(1 << 18) {
    // A number takes a digit, and a separator but for the last.
    if (const std::uint64_t most = file_.most_content() / 2 + 1; most < count_)
      throw_input(fmt::format("{}: holds at most {} numbers, but {} x {} x {} voxels need {}", name(), most,
                              header.shape[0], header.shape[1], header.shape[2], count_));
  }
  std::size_t read(void* target, std::size_t bytes) override {
    std::size_t done = 0;
    for (double value = 0; done + sizeof value <= bytes && next(value); done += sizeof value, ++taken_)
      std::memcpy(static_cast<char*>(target) + done, &value, sizeof value);
    if (done < bytes && taken_ != count_)
      throw_input(fmt::format("{}: has {} numbers, but its shape needs {}", name(), taken_, count_));
    if (done > 0 && taken_ > count_) {
      for (double value = 0; next(value);) ++taken_;
      throw_input(fmt::format("{}: has {} numbers, but its shape needs {}{}", name(), taken_, count_,
                              commas_ && taken_ == 2 * count_
                                  ? ", half as many: commas separate numbers here; write decimals with points"
                                  : ""));
    }
    return done;
  }
  [[nodiscard]] std::uint64_t most_content() const override { return count_ * sizeof(double); }
  [[nodiscard]] bool packed() const override { return true; }

 private:
  static bool separates(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v' || c == ',' || c == ';';
  }
  /// The next character; false at the end.
  bool look(char& c) {
    if (at_ == end_) {
      end_ = file_.read(part_.data(), part_.size());
      at_ = 0;
      if (end_ == 0) return false;
    }
    c = part_[at_];
    return true;
  }
  void step() {
    if (part_[at_] == '\n') ++line_;
    if (part_[at_] == ',') commas_ = true;
    ++at_;
  }
  bool next(double& value) {
    char c = 0;
    bool there = look(c);
    for (bool comment = false; there && (comment || separates(c) || c == '#'); there = look(c)) {
      comment = (comment || c == '#') && c != '\n';
      step();
    }
    if (!there) return false;
    word_.clear();
    constexpr std::size_t longest = 64;
    for (; there && !separates(c) && word_.size() < longest; there = look(c)) {
      word_ += c;
      step();
    }
    if (line_ == 1 && word_.starts_with("\xEF\xBB\xBF")) {  // the mark that spreadsheets put first
      word_.erase(0, 3);
      if (word_.empty()) return next(value);
    }
    const char* const from = word_.data() + (word_.size() > 1 && word_[0] == '+' ? 1 : 0);
    const char* const end = word_.data() + word_.size();
    const auto [stop, error] = std::from_chars(from, end, value);
    if (error != std::errc() || stop != end || !std::isfinite(value))
      throw_input(
          fmt::format("{}: line {}: '{}' is no number; an image of binary numbers needs its type, such as uint8",
                      name(), line_, shorten(word_)));
    return true;
  }
  [[nodiscard]] std::string name() const { return file_.path().string(); }

  InputFile file_;
  std::uint64_t count_, taken_ = 0, line_ = 1;
  bool commas_ = false;
  std::vector<char> part_;
  std::size_t at_ = 0, end_ = 0;
  std::string word_;
};

}  // namespace

std::unique_ptr<ElementSource> open_text(const ImageHeader& header) {
  return std::make_unique<TextElements>(header);
}

}  // namespace fluvia::geometry
