// SPDX-License-Identifier: Apache-2.0
#include "fluvia/output/pictures/figure_file.hpp"

#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <new>
#include <nlohmann/json.hpp>

#include "fluvia/output/pictures/color_range.hpp"
#include "fluvia/output/pictures/png_chunk.hpp"

namespace fluvia {
namespace {

using nlohmann::json;

// Letters in their cases mean: programs may pass over it, it is private, and who changes the picture must not keep it.
constexpr std::string_view chunk_name = "fvFG", signature = "\x89PNG\r\n\x1a\n";
constexpr std::size_t most_bytes = 256u << 20;                 // of what a chunk unpacks to
constexpr std::size_t most_colors = 16;                        // of cells without a value
constexpr int levels = 65535 - static_cast<int>(most_colors);  // the first code that stands for a colour

std::uint32_t number_at(std::string_view bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t k = 0; k < 4; ++k) value = value << 8 | static_cast<unsigned char>(bytes[at + k]);
  return value;
}

/// Coordinates to a thousandth of a cell, which nobody sees.
json rounded(const Point& p) {
  return {std::round(1000 * p[0]) / 1000, std::round(1000 * p[1]) / 1000};
}

json describe(const Figure& figure) {
  json lines = json::array(), arrows = json::array(), legend = json::array();
  for (const Polyline& line : figure.lines) {
    json& points = lines.emplace_back(json::array());
    for (const Point& p : line) points.push_back(rounded(p));
  }
  for (const Figure::Arrow& arrow : figure.arrows) arrows.push_back({rounded(arrow.from), rounded(arrow.to)});
  for (const Figure::LegendEntry& entry : figure.legend) legend.push_back({entry.color, entry.label});
  const ColorRange& range = *figure.range;
  return {{"width", figure.width},
          {"height", figure.height},
          {"title", figure.title},
          {"subtitle", figure.subtitle},
          {"axes", {std::string(1, figure.horizontal), std::string(1, figure.vertical)}},
          {"cell_size", figure.cell_size},
          {"si", figure.si},
          {"unit", figure.bar->unit},
          {"range",
           {{"empty", range.empty},
            {"least", range.least},
            {"most", range.most},
            {"low", range.low},
            {"high", range.high},
            {"scale", range.scale},
            {"signed", range.is_signed},
            {"middle", range.middle},
            {"from_zero", range.from_zero}}},
          {"legend", legend},
          {"lines", lines},
          {"arrows", arrows}};
}

/// Codes of cells as their differences, low bytes before high ones: so they pack best.
std::string packed_codes(const std::vector<std::uint16_t>& codes) {
  std::string bytes(2 * codes.size(), '\0');
  std::uint16_t before = 0;
  for (std::size_t i = 0; i < codes.size(); ++i) {
    const auto difference = static_cast<std::uint16_t>(codes[i] - before);
    bytes[i] = static_cast<char>(difference & 255);
    bytes[codes.size() + i] = static_cast<char>(difference >> 8);
    before = codes[i];
  }
  return bytes;
}

/// A code for each cell: a level of its value, or the place of its colour in `colors`.
std::vector<std::uint16_t> codes_of(const Figure& figure, std::vector<Color>& colors) {
  const ColorRange& range = *figure.range;
  const double extent = range.most > range.least ? range.most - range.least : 1;
  std::vector<std::uint16_t> codes;
  codes.reserve(figure.cells.size());
  for (std::size_t i = 0; i < figure.cells.size(); ++i) {
    if (std::isfinite(figure.values[i])) {
      const double part = std::clamp((static_cast<double>(figure.values[i]) - range.least) / extent, 0.0, 1.0);
      codes.push_back(static_cast<std::uint16_t>(std::lround(part * (levels - 1))));
      continue;
    }
    auto found = std::find(colors.begin(), colors.end(), figure.cells[i]);
    if (found == colors.end() && colors.size() < most_colors) found = colors.insert(found, figure.cells[i]);
    codes.push_back(
        static_cast<std::uint16_t>(levels + std::min<std::ptrdiff_t>(found - colors.begin(), most_colors - 1)));
  }
  return codes;
}

std::string compressed(const std::string& bytes) {
  uLongf size = compressBound(bytes.size());
  std::string result(size, '\0');
  if (compress2(reinterpret_cast<Bytef*>(result.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()),
                bytes.size(), 6) != Z_OK)
    throw std::bad_alloc();
  result.resize(size);
  return result;
}

std::optional<std::string> uncompressed(std::string_view bytes, std::size_t size) {
  if (size > most_bytes || size / 1032 > bytes.size()) return {};  // zlib packs to 1/1032 at most
  std::string result(size, '\0');
  uLongf got = size;
  const int end = uncompress(reinterpret_cast<Bytef*>(result.data()), &got,
                             reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
  if (end == Z_MEM_ERROR) throw std::bad_alloc();
  if (end != Z_OK || got != size) return {};
  return result;
}

/// The content of the first chunk of that name; none if there is none, or the file is no whole PNG.
std::optional<std::string_view> chunk(std::string_view png) {
  if (!png.starts_with(signature)) return {};
  for (std::size_t at = signature.size(); png.size() - at >= 12;) {
    const std::size_t length = number_at(png, at);
    if (length > png.size() - at - 12) return {};
    const std::string_view name_and_content = png.substr(at + 4, 4 + length);
    if (name_and_content.starts_with(chunk_name)) {
      if (png_checksum(name_and_content) != number_at(png, at + 8 + length)) return {};
      return name_and_content.substr(4);
    }
    at += 12 + length;
  }
  return {};
}

/// What describe() made. Throws what the library does where something is missing or of another kind.
Figure figure_from(const json& text) {
  Figure figure;
  figure.width = text.at("width").get<int>();
  figure.height = text.at("height").get<int>();
  figure.title = text.at("title").get<std::string>();
  figure.subtitle = text.at("subtitle").get<std::string>();
  figure.horizontal = text.at("axes").at(0).get<std::string>().at(0);
  figure.vertical = text.at("axes").at(1).get<std::string>().at(0);
  figure.cell_size = text.at("cell_size").get<double>();
  figure.si = text.at("si").get<bool>();
  const json& r = text.at("range");
  figure.range = ColorRange{r.at("empty").get<bool>(),  r.at("least").get<double>(),  r.at("most").get<double>(),
                            r.at("low").get<double>(),  r.at("high").get<double>(),   r.at("scale").get<double>(),
                            r.at("signed").get<bool>(), r.at("middle").get<double>(), r.at("from_zero").get<bool>()};
  for (const json& entry : text.at("legend"))
    figure.legend.push_back({entry.at(0).get<Color>(), entry.at(1).get<std::string>()});
  for (const json& line : text.at("lines")) figure.lines.push_back(line.get<Polyline>());
  for (const json& arrow : text.at("arrows"))
    figure.arrows.push_back({arrow.at(0).get<Point>(), arrow.at(1).get<Point>()});
  figure.bar.emplace().unit = text.at("unit").get<std::string>();
  return figure;
}

/// True if the numbers of a figure are such as with_figure() writes.
bool is_sound(const Figure& figure) {
  const auto inside = [](int n) { return n > 0 && n <= largest_picture; };
  const ColorRange& range = *figure.range;
  return inside(figure.width) && inside(figure.height) && figure.cell_size > 0 && std::isfinite(figure.cell_size) &&
         range.least <= range.low && range.low <= range.high && range.high <= range.most;
}

bool set_cells(Figure& figure, std::string_view bytes, const std::vector<Color>& colors) {
  const std::size_t count = static_cast<std::size_t>(figure.width) * static_cast<std::size_t>(figure.height);
  if (bytes.size() != 2 * count) return false;
  const double extent = figure.range->most > figure.range->least ? figure.range->most - figure.range->least : 1;
  figure.values.reserve(count);
  figure.cells.resize(count);
  std::uint16_t code = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const auto low = static_cast<unsigned char>(bytes[i]), high = static_cast<unsigned char>(bytes[count + i]);
    code = static_cast<std::uint16_t>(code + (high << 8 | low));
    if (code < levels) {
      figure.values.push_back(static_cast<float>(figure.range->least + extent * code / (levels - 1)));
      continue;
    }
    const std::size_t color = static_cast<std::size_t>(code - levels);
    if (color >= colors.size()) return false;
    figure.values.push_back(std::numeric_limits<float>::quiet_NaN());
    figure.cells[i] = colors[color];
  }
  set_bar(figure, bar_of(*figure.range));
  return true;
}

}  // namespace

std::string with_figure(std::string_view png, const Figure& figure) {
  std::vector<Color> colors;
  const std::vector<std::uint16_t> codes = codes_of(figure, colors);
  json text = describe(figure);
  text["colors"] = colors;
  const std::string words = text.dump(-1, ' ', false, json::error_handler_t::replace);
  std::string plain, content;
  append_png_number(plain, static_cast<std::uint32_t>(words.size()));
  plain += words + packed_codes(codes);
  append_png_number(content, static_cast<std::uint32_t>(plain.size()));
  content += compressed(plain);
  constexpr std::size_t end = 12;  // bytes of the chunk that ends a PNG
  std::string result(png.substr(0, png.size() - end));
  append_png_chunk(result, chunk_name, content);
  result += png.substr(png.size() - end);
  return result;
}

std::optional<Figure> figure_of(std::string_view png) {
  const std::optional<std::string_view> content = chunk(png);
  if (!content || content->size() < 4) return {};
  const std::optional<std::string> plain = uncompressed(content->substr(4), number_at(*content, 0));
  if (!plain || plain->size() < 4) return {};
  const std::size_t words = number_at(*plain, 0);
  if (words > plain->size() - 4) return {};
  try {
    const json text = json::parse(plain->begin() + 4, plain->begin() + 4 + static_cast<std::ptrdiff_t>(words));
    Figure figure = figure_from(text);
    const auto colors = text.at("colors").get<std::vector<Color>>();
    if (!is_sound(figure) || !set_cells(figure, std::string_view(*plain).substr(4 + words), colors)) return {};
    return figure;
  } catch (const json::exception&) {
    return {};
  } catch (const std::out_of_range&) {  // a text that should have a character
    return {};
  }
}

}  // namespace fluvia
