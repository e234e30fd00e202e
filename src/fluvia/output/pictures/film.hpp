// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fluvia/output/pictures/figure.hpp"

namespace fluvia {

/// Pictures of one slice by their time steps.
struct PictureSeries {
  std::string name;  ///< what their files have before the step: "slice-velocity-z"
  std::map<std::int64_t, std::filesystem::path> files;
};

/// The series of pictures of slices (PNG) in the folder of a run, by name. Throws Error(input) if it cannot be read.
std::vector<PictureSeries> picture_series(const std::filesystem::path& folder);

/// Pictures of a series as frames of one size, whose colours mean the same values in all of them: they are drawn again
/// from the values that they bring along. Pictures without values (of older versions, or that a program has changed)
/// leave no choice but to take all of them as they are.
class Film {
 public:
  /// At least one picture, all of them PNG. `range`: the ends of the colour bar, otherwise those that suit all
  /// pictures. Throws Error(input) if a picture is damaged, or there is a range but pictures without values.
  Film(std::vector<std::filesystem::path> pictures, std::optional<std::pair<double, double>> range);

  [[nodiscard]] std::size_t frames() const { return pictures_.size(); }
  /// Size in pixels: even numbers, as video needs, that all pictures fit into.
  [[nodiscard]] int width() const { return width_; }
  [[nodiscard]] int height() const { return height_; }
  /// The colour bar of all frames; none if pictures are taken as they are.
  [[nodiscard]] const std::optional<Figure::Bar>& bar() const { return bar_; }
  /// The pixels of a frame; a smaller picture stands at the upper left on white. Throws Error(input) if the picture was
  /// changed meanwhile so that it does not fit.
  [[nodiscard]] Pixels frame(std::size_t k) const;

 private:
  void fit(int width, int height);

  std::vector<std::filesystem::path> pictures_;
  std::optional<Figure::Bar> bar_;
  int width_ = 0, height_ = 0;
};

}  // namespace fluvia
