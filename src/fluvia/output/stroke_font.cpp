// SPDX-License-Identifier: Apache-2.0
#include "fluvia/output/stroke_font.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace fluvia {
namespace {

/// A glyph as a path on a grid in which capitals are 10 high and small letters 7:
/// M x y = start at, L x y = line to, Q cx cy x y = quadratic curve, A cx cy rx ry a b = elliptic arc from angle a to b
/// in degrees (joined to the line before it).
struct Glyph {
  char32_t code;
  double width;
  const char* path;
};

constexpr Glyph glyphs[] = {
    {' ', 2.2, ""},
    {'!', 1, "M .5 10 L .5 3.2 M .5 .1 L .5 0"},
    {'"', 2.6, "M .5 10 L .5 7.5 M 2.1 10 L 2.1 7.5"},
    {'#', 6.6, "M 1.4 0 L 2.8 10 M 4 0 L 5.4 10 M .2 3.2 L 6.2 3.2 M .5 6.6 L 6.5 6.6"},
    {'$', 6.2, "M 5.4 8 Q 4.6 9 3.1 9 A 3.1 7 2.5 2 90 270 A 3.1 3 2.6 2 90 -140 M 3.1 10.4 L 3.1 -.4"},
    {'%', 8.6, "M 1.4 0 L 7.2 10 M 0 0 A 2 7.8 1.7 2.2 0 360 M 0 0 A 6.6 2.2 1.7 2.2 0 360"},
    {'&', 7.4, "M 7.2 0 L 1.8 6.4 A 2.9 8.1 1.6 1.9 200 -50 L 1.4 4.6 A 2.7 2.5 2.5 2.5 140 310 L 6.6 4.4"},
    {'\'', 1, "M .5 10 L .5 7.5"},
    {'(', 2.8, "M 2.6 11 Q .4 8.5 .4 4.5 Q .4 .5 2.6 -2"},
    {')', 2.8, "M .2 11 Q 2.4 8.5 2.4 4.5 Q 2.4 .5 .2 -2"},
    {'*', 4.4, "M 2.2 10 L 2.2 5.6 M .3 8.9 L 4.1 6.7 M .3 6.7 L 4.1 8.9"},
    {'+', 6.4, "M 3.2 7.2 L 3.2 1.2 M .2 4.2 L 6.2 4.2"},
    {',', 1.2, "M .7 .2 L .2 -1.8"},
    {'-', 3.6, "M .2 3.8 L 3.4 3.8"},
    {'.', 1, "M .5 .1 L .5 0"},
    {'/', 4.2, "M 0 -1.4 L 4.2 10.6"},
    {'0', 6, "M 0 0 A 3 5 2.8 5 0 360"},
    {'1', 6, "M .9 8 L 3.3 10 L 3.3 0 M 1 0 L 5.5 0"},
    {'2', 6, "M 0 0 A 2.9 7.2 2.7 2.8 165 -38 L .2 0 L 5.8 0"},
    {'3', 6, "M 0 0 A 2.8 7.6 2.5 2.4 150 -90 L 1.9 5.2 M 2.8 5.2 A 2.8 2.6 2.9 2.6 90 -150"},
    {'4', 6, "M 4.3 0 L 4.3 10 L 0 3 L 6 3"},
    {'5', 6, "M 5.3 10 L 1 10 L .6 5.3 A 2.8 3.2 2.9 3.2 140 -148"},
    {'6', 6, "M 0 0 A 3 3.1 2.8 3.1 0 360 M 5.1 9.7 Q .2 10.6 .2 3.1"},
    {'7', 6, "M .3 10 L 5.8 10 L 2.1 0"},
    {'8', 6, "M 0 0 A 3 7.6 2.4 2.4 0 360 M 0 0 A 3 2.6 2.8 2.6 0 360"},
    {'9', 6, "M 0 0 A 3 6.9 2.8 3.1 0 360 M .9 .3 Q 5.8 -.6 5.8 6.9"},
    {':', 1, "M .5 6.2 L .5 6.1 M .5 .1 L .5 0"},
    {';', 1.2, "M .7 6.2 L .7 6.1 M .7 .2 L .2 -1.8"},
    {'<', 6.2, "M 6 7.4 L .2 4.2 L 6 1"},
    {'=', 6.4, "M .2 5.7 L 6.2 5.7 M .2 2.7 L 6.2 2.7"},
    {'>', 6.2, "M .2 7.4 L 6 4.2 L .2 1"},
    {'?', 5.2, "M 0 0 A 2.5 7.5 2.3 2.5 165 -45 Q 2.4 4.4 2.4 2.9 M 2.4 .1 L 2.4 0"},
    {'@', 9.4, "M 0 0 A 4.6 4 2 2.4 0 360 M 6.6 6.4 L 6.6 2.8 A 7.8 3.2 1.2 1.4 180 330 A 4.7 4 4.4 5 -8 310"},
    {'A', 7.2, "M 0 0 L 3.6 10 L 7.2 0 M 1.2 3.4 L 6 3.4"},
    {'B', 6.4,
     "M .5 0 L .5 10 L 3.2 10 A 3.2 7.65 2.5 2.35 90 -90 L .5 5.3 M 3.2 5.3 A 3.3 2.65 2.9 2.65 90 -90 L .5 0"},
    {'C', 7, "M 0 0 A 4 5 3.7 5 48 312"},
    {'D', 7.2, "M .5 0 L .5 10 L 2.6 10 A 2.6 5 4.2 5 90 -90 L .5 0"},
    {'E', 5.8, "M 5.6 0 L .5 0 L .5 10 L 5.6 10 M .5 5.3 L 4.9 5.3"},
    {'F', 5.6, "M .5 0 L .5 10 L 5.5 10 M .5 5.2 L 4.8 5.2"},
    {'G', 7.4, "M 0 0 A 4 5 3.7 5 48 325 L 7.03 4.6 L 4.4 4.6"},
    {'H', 7, "M .5 0 L .5 10 M 6.5 0 L 6.5 10 M .5 5.2 L 6.5 5.2"},
    {'I', 1, "M .5 0 L .5 10"},
    {'J', 4.6, "M 4.1 10 L 4.1 2.7 A 2.1 2.7 2 2.7 0 -155"},
    {'K', 6.4, "M .5 0 L .5 10 M 6.1 10 L .5 3.8 M 2.5 6 L 6.4 0"},
    {'L', 5.4, "M .5 10 L .5 0 L 5.4 0"},
    {'M', 8.4, "M .5 0 L .5 10 L 4.2 3 L 7.9 10 L 7.9 0"},
    {'N', 7.2, "M .5 0 L .5 10 L 6.7 0 L 6.7 10"},
    {'O', 8, "M 0 0 A 4 5 3.7 5 0 360"},
    {'P', 6.2, "M .5 0 L .5 10 L 3.2 10 A 3.2 7.3 2.8 2.7 90 -90 L .5 4.6"},
    {'Q', 8, "M 0 0 A 4 5 3.7 5 0 360 M 4.8 2.4 L 7.6 -.8"},
    {'R', 6.6, "M .5 0 L .5 10 L 3.2 10 A 3.2 7.4 2.7 2.6 90 -90 L .5 4.8 M 3.4 4.8 L 6.5 0"},
    {'S', 6.2, "M 0 0 A 3.1 7.6 2.6 2.4 38 270 A 3.1 2.6 2.8 2.6 90 -145"},
    {'T', 6.6, "M 0 10 L 6.6 10 M 3.3 10 L 3.3 0"},
    {'U', 7, "M .5 10 L .5 3.2 A 3.5 3.2 3 3.2 180 360 L 6.5 10"},
    {'V', 7, "M 0 10 L 3.5 0 L 7 10"},
    {'W', 10, "M 0 10 L 2.5 0 L 5 9 L 7.5 0 L 10 10"},
    {'X', 6.6, "M .2 0 L 6.4 10 M .2 10 L 6.4 0"},
    {'Y', 6.6, "M 0 10 L 3.3 4.8 L 6.6 10 M 3.3 4.8 L 3.3 0"},
    {'Z', 6.4, "M .4 10 L 6.1 10 L .3 0 L 6.2 0"},
    {'[', 2.6, "M 2.4 11 L .5 11 L .5 -2 L 2.4 -2"},
    {'\\', 4.2, "M 0 10.6 L 4.2 -1.4"},
    {']', 2.6, "M .2 11 L 2.1 11 L 2.1 -2 L .2 -2"},
    {'^', 5, "M .3 6.6 L 2.5 10 L 4.7 6.6"},
    {'_', 6, "M 0 -1.5 L 6 -1.5"},
    {'`', 2, "M .2 10.4 L 1.7 8.6"},
    {'a', 6.2, "M 0 0 A 3 3.5 2.7 3.5 0 360 M 5.7 7 L 5.7 0"},
    {'b', 6.2, "M .5 10.5 L .5 0 M 0 0 A 3.2 3.5 2.7 3.5 0 360"},
    {'c', 5.4, "M 0 0 A 3.1 3.5 2.8 3.5 48 312"},
    {'d', 6.2, "M 5.7 10.5 L 5.7 0 M 0 0 A 3 3.5 2.7 3.5 0 360"},
    {'e', 6, "M .3 3.6 L 5.7 3.6 A 3 3.5 2.7 3.5 0 315"},
    {'f', 3.9, "M 3.8 10.4 Q 1.6 10.9 1.6 8 L 1.6 0 M 0 7 L 3.6 7"},
    {'g', 6.2, "M 0 0 A 3 3.5 2.7 3.5 0 360 M 5.7 7 L 5.7 -.3 A 3.1 -.3 2.6 2.8 0 -150"},
    {'h', 6, "M .5 10.5 L .5 0 M .5 4.3 A 3 4.3 2.5 2.7 180 0 L 5.5 0"},
    {'i', 1, "M .5 7 L .5 0 M .5 9.7 L .5 9.6"},
    {'j', 2.2, "M 1.7 7 L 1.7 -1 Q 1.7 -3.2 -.3 -3 M 1.7 9.7 L 1.7 9.6"},
    {'k', 5.4, "M .5 10.5 L .5 0 M 5 7 L .5 2.6 M 2.3 4.4 L 5.4 0"},
    {'l', 1, "M .5 10.5 L .5 0"},
    {'m', 9.6, "M .5 7 L .5 0 M .5 4.6 A 2.65 4.6 2.15 2.4 180 0 L 4.8 0 M 4.8 4.6 A 6.95 4.6 2.15 2.4 180 0 L 9.1 0"},
    {'n', 6, "M .5 7 L .5 0 M .5 4.3 A 3 4.3 2.5 2.7 180 0 L 5.5 0"},
    {'o', 6.2, "M 0 0 A 3.1 3.5 2.8 3.5 0 360"},
    {'p', 6.2, "M .5 7 L .5 -3 M 0 0 A 3.2 3.5 2.7 3.5 0 360"},
    {'q', 6.2, "M 5.7 7 L 5.7 -3 M 0 0 A 3 3.5 2.7 3.5 0 360"},
    {'r', 3.9, "M .5 7 L .5 0 M .5 4.3 A 3 4.3 2.5 2.7 180 70"},
    {'s', 5, "M 0 0 A 2.5 5.3 2.1 1.7 40 270 A 2.5 1.8 2.3 1.8 90 -145"},
    {'t', 3.8, "M 1.6 9.6 L 1.6 2 Q 1.6 -.2 3.6 .2 M 0 7 L 3.6 7"},
    {'u', 6, "M .5 7 L .5 2.7 A 3 2.7 2.5 2.7 180 360 M 5.5 7 L 5.5 0"},
    {'v', 5.6, "M .1 7 L 2.8 0 L 5.5 7"},
    {'w', 8.4, "M .1 7 L 2.2 0 L 4.2 6.4 L 6.2 0 L 8.3 7"},
    {'x', 5.4, "M .2 0 L 5.2 7 M .2 7 L 5.2 0"},
    {'y', 5.6, "M .1 7 L 2.9 0 M 5.5 7 L 2.4 -1.6 Q 1.8 -3.1 .2 -2.9"},
    {'z', 5.2, "M .4 7 L 4.8 7 L .3 0 L 4.9 0"},
    {'{', 3.2, "M 3 11 Q 1.5 11 1.5 9 L 1.5 6 Q 1.5 4.5 .2 4.5 Q 1.5 4.5 1.5 3 L 1.5 0 Q 1.5 -2 3 -2"},
    {'|', 1, "M .5 11 L .5 -2"},
    {'}', 3.2, "M .2 11 Q 1.7 11 1.7 9 L 1.7 6 Q 1.7 4.5 3 4.5 Q 1.7 4.5 1.7 3 L 1.7 0 Q 1.7 -2 .2 -2"},
    {'~', 6.2, "M .2 3.6 Q 1.6 5.6 3.1 4.3 Q 4.6 3 6 4.9"},
    {U'°', 3.4, "M 0 0 A 1.7 8.6 1.4 1.4 0 360"},
    {U'µ', 6, "M .5 7 L .5 -3 M .5 2.7 A 3 2.7 2.5 2.7 180 360 M 5.5 7 L 5.5 0"},
    {U'μ', 6, "M .5 7 L .5 -3 M .5 2.7 A 3 2.7 2.5 2.7 180 360 M 5.5 7 L 5.5 0"},
    {U'²', 3.4, "M 0 0 A 1.6 9.2 1.4 1.5 165 -38 L .2 5.6 L 3.1 5.6"},
    {U'³', 3.4, "M 0 0 A 1.5 9.5 1.3 1.3 150 -90 M 1.5 8.2 A 1.5 6.8 1.5 1.4 90 -150"},
    {U'·', 1.6, "M .8 4.3 L .8 4.2"},
    {U'×', 5.8, "M .6 1.8 L 5.2 6.6 M .6 6.6 L 5.2 1.8"},
    {U'±', 6.4, "M 3.2 8 L 3.2 2.6 M .2 5.3 L 6.2 5.3 M .2 0 L 6.2 0"},
    {U'–', 6, "M .2 3.8 L 5.8 3.8"},
    {U'−', 6.4, "M .2 4.2 L 6.2 4.2"},
};

constexpr Glyph unknown{0, 5, "M .5 0 L 4.5 0 L 4.5 10 L .5 10 L .5 0"};
constexpr double gap = 1.9;  // between letters
constexpr double capital = 10;

const Glyph& find_glyph(char32_t code) {
  const auto* found =
      std::find_if(std::begin(glyphs), std::end(glyphs), [&](const Glyph& g) { return g.code == code; });
  return found == std::end(glyphs) ? unknown : *found;
}

/// Code points of a text; each byte that is not UTF-8 becomes one unknown sign.
std::u32string decode(const std::string& utf8) {
  std::u32string result;
  for (std::size_t i = 0; i < utf8.size();) {
    const auto lead = static_cast<unsigned char>(utf8[i]);
    const std::size_t length = lead < 0x80 ? 1 : lead >> 5 == 6 ? 2 : lead >> 4 == 14 ? 3 : lead >> 3 == 30 ? 4 : 0;
    char32_t code = length <= 1 ? lead : lead & (0x7fu >> length);
    bool valid = length > 0 && i + length <= utf8.size();
    for (std::size_t k = 1; valid && k < length; ++k) {
      const auto next = static_cast<unsigned char>(utf8[i + k]);
      valid = next >> 6 == 2;
      code = code << 6 | (next & 0x3fu);
    }
    result.push_back(valid ? code : U'\uFFFD');
    i += valid ? length : 1;
  }
  return result;
}

using Line = std::vector<std::array<double, 2>>;

void add_arc(Line& line, const std::array<double, 6>& arc) {
  constexpr int pieces = 24;
  for (int i = 0; i <= pieces; ++i) {
    const double angle = (arc[4] + (arc[5] - arc[4]) * i / pieces) * M_PI / 180;
    line.push_back({arc[0] + arc[2] * std::cos(angle), arc[1] + arc[3] * std::sin(angle)});
  }
}

void add_curve(Line& line, const std::array<double, 6>& p) {
  constexpr int pieces = 10;
  const std::array<double, 2> start = line.back();
  for (int i = 1; i <= pieces; ++i) {
    const double t = static_cast<double>(i) / pieces, a = (1 - t) * (1 - t), b = 2 * t * (1 - t), c = t * t;
    line.push_back({a * start[0] + b * p[0] + c * p[2], a * start[1] + b * p[1] + c * p[3]});
  }
}

std::vector<Line> outline_of(const Glyph& glyph) {
  std::vector<Line> lines;
  std::istringstream in(glyph.path);
  bool fresh = false;  // a path that starts with an arc starts where the arc does
  for (char command = 0; in >> command;) {
    std::array<double, 6> p{};
    const std::size_t count = command == 'A' ? 6 : command == 'Q' ? 4 : 2;
    for (std::size_t i = 0; i < count; ++i) in >> p[i];
    if (command == 'M') lines.push_back({{p[0], p[1]}});
    if (command == 'L') lines.back().push_back({p[0], p[1]});
    if (command == 'Q') add_curve(lines.back(), p);
    if (command == 'A') {
      if (fresh && lines.back()[0] == std::array<double, 2>{0, 0}) lines.back().clear();
      add_arc(lines.back(), p);
    }
    fresh = command == 'M';
  }
  return lines;
}

}  // namespace

std::vector<Line> text_strokes(const std::string& utf8, double size) {
  const double scale = size / capital;
  std::vector<Line> result;
  double x = 0;
  for (const char32_t code : decode(utf8)) {
    const Glyph& glyph = find_glyph(code);
    for (Line& line : outline_of(glyph)) {
      for (auto& point : line) point = {(x + point[0]) * scale, point[1] * scale};
      result.push_back(std::move(line));
    }
    x += glyph.width + gap;
  }
  return result;
}

double text_width(const std::string& utf8, double size) {
  double width = 0;
  for (const char32_t code : decode(utf8)) width += find_glyph(code).width + gap;
  return std::max(width - gap, 0.0) * size / capital;
}

}  // namespace fluvia
