// SPDX-License-Identifier: Apache-2.0
#include "fluvia/output/pictures/drawing.hpp"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <cairo.h>
#include <fontconfig/fontconfig.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <new>
#include <string_view>

#include "fluvia/base/atomic_file.hpp"
#include "fluvia/base/error.hpp"
#include "fluvia/base/text.hpp"
#include "fluvia/output/pictures/png_texts.hpp"

namespace fluvia {
namespace {

/// Points of a pixel: 1500 pixels are the width of a page's text.
constexpr double points_per_pixel = 0.32;
constexpr const char* extensions[] = {"png", "svg", "pdf"};

void check_status(cairo_status_t status) {
  if (status == CAIRO_STATUS_SUCCESS) return;
  if (status == CAIRO_STATUS_NO_MEMORY) {
    LibraryCalls::suspect("Cairo");
    throw std::bad_alloc();
  }
  throw_resource(std::string("a picture cannot be drawn: Cairo says: ") + cairo_status_to_string(status));
}

/// Appends bytes; called by Cairo, which knows no exceptions.
cairo_status_t append(void* bytes, const unsigned char* data, unsigned int size) {
  try {
    static_cast<std::string*>(bytes)->append(reinterpret_cast<const char*>(data), size);
    return CAIRO_STATUS_SUCCESS;
  } catch (...) {
    return CAIRO_STATUS_NO_MEMORY;
  }
}

/// What Cairo has yet to read of a file.
struct Rest {
  const std::string& bytes;
  std::size_t at = 0;
};

cairo_status_t take(void* rest, unsigned char* data, unsigned int size) {
  Rest& from = *static_cast<Rest*>(rest);
  if (from.bytes.size() - from.at < size) return CAIRO_STATUS_READ_ERROR;
  std::memcpy(data, from.bytes.data() + from.at, size);
  from.at += size;
  return CAIRO_STATUS_SUCCESS;
}

/// The colours of an image surface without transparency.
Pixels pixels_of(cairo_surface_t* surface) {
  cairo_surface_flush(surface);
  Pixels pixels{cairo_image_surface_get_width(surface), cairo_image_surface_get_height(surface), {}};
  const auto stride = static_cast<std::size_t>(cairo_image_surface_get_stride(surface));
  pixels.rgb.reserve(3 * static_cast<std::size_t>(pixels.width) * static_cast<std::size_t>(pixels.height));
  for (std::size_t y = 0; y < static_cast<std::size_t>(pixels.height); ++y) {
    const unsigned char* row = cairo_image_surface_get_data(surface) + y * stride;
    for (std::size_t x = 0; x < static_cast<std::size_t>(pixels.width); ++x) {
      std::uint32_t value = 0;
      std::memcpy(&value, row + 4 * x, 4);
      for (const int shift : {16, 8, 0}) pixels.rgb.push_back(static_cast<char>(value >> shift & 255));
    }
  }
  return pixels;
}

cairo_surface_t* make_surface(PictureFormat format, int width, int height, std::string& bytes) {
  if (format == PictureFormat::png) return cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height);
  if (format == PictureFormat::svg) {
    cairo_surface_t* surface = cairo_svg_surface_create_for_stream(append, &bytes, width, height);
    if (cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS)
      cairo_svg_surface_set_document_unit(surface, CAIRO_SVG_UNIT_PX);
    return surface;
  }
  cairo_surface_t* surface =
      cairo_pdf_surface_create_for_stream(append, &bytes, points_per_pixel * width, points_per_pixel * height);
  // No date is written, so that equal pictures are equal files.
  if (cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS)
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE, "");
  return surface;
}

/// Reads the settings and the list of fonts. Without that fontconfig does it when it is first asked for a font, and
/// tries for ever where it gets no memory.
bool load_fonts() {
  FcConfig* config = FcInitLoadConfigAndFonts();
  if (config == nullptr) throw std::bad_alloc();
  if (FcConfigSetCurrent(config) == FcTrue) return true;
  FcConfigDestroy(config);
  throw std::bad_alloc();
}

/// Sets glyphs without adjustment to pixels, so that texts are as wide in every format, and as measured.
void set_font(cairo_t* context, double size, bool bold) {
  [[maybe_unused]] static const bool loaded = load_fonts();  // state of the process, as fontconfig keeps it
  cairo_select_font_face(context, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL,
                         bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
  cairo_set_font_size(context, size);
  cairo_font_options_t* options = cairo_font_options_create();
  cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
  cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
  cairo_set_font_options(context, options);
  const cairo_status_t status = cairo_font_options_status(options);
  cairo_font_options_destroy(options);
  check_status(status);
  check_status(cairo_status(context));
}

/// True if Cairo found no font but its own, which knows ASCII only.
bool has_plain_font(cairo_t* context) {
  cairo_scaled_font_t* font = cairo_get_scaled_font(context);
  check_status(cairo_scaled_font_status(font));
  return cairo_scaled_font_get_type(font) == CAIRO_FONT_TYPE_USER;
}

/// Signs of units and numbers written in ASCII.
std::string plain(std::string text) {
  constexpr std::pair<const char*, const char*> signs[] = {
      {"µ", "u"},  {"·", "-"},  {"×", "x"},  {"⁻", "^-"}, {"⁰", "^0"}, {"¹", "^1"}, {"²", "^2"},
      {"³", "^3"}, {"⁴", "^4"}, {"⁵", "^5"}, {"⁶", "^6"}, {"⁷", "^7"}, {"⁸", "^8"}, {"⁹", "^9"}};
  for (const auto& [sign, ascii] : signs)
    for (std::size_t at = text.find(sign); at != std::string::npos; at = text.find(sign, at + 1))
      text.replace(at, std::strlen(sign), ascii);
  for (std::size_t at = text.find("^-^"); at != std::string::npos; at = text.find("^-^")) text.erase(at + 2, 1);
  return text;
}

/// One line as Cairo can draw it in the font that is set now: Cairo refuses what is not UTF-8.
std::string drawable(cairo_t* context, const std::string& utf8) {
  std::string text = printable(utf8);
  std::replace(text.begin(), text.end(), '\n', ' ');
  return has_plain_font(context) ? plain(std::move(text)) : text;
}

cairo_text_extents_t measure(cairo_t* context, const std::string& text) {
  cairo_text_extents_t extents{};
  cairo_text_extents(context, text.c_str(), &extents);
  check_status(cairo_status(context));
  return extents;
}

/// SVG whose surfaces are numbered from the start of the document. Cairo numbers them from the start of the process, so
/// that pictures would depend on how many were drawn before.
std::string with_own_numbers(const std::string& svg) {
  constexpr std::string_view marks[] = {"id=\"surface", "id=\"image", "#surface", "#image"};
  std::map<std::string, std::size_t, std::less<>> numbers;
  std::string result;
  result.reserve(svg.size());
  for (std::size_t at = 0; at < svg.size();) {
    const std::string_view rest = std::string_view(svg).substr(at);
    const auto mark = std::find_if(std::begin(marks), std::end(marks),
                                   [&](std::string_view candidate) { return rest.starts_with(candidate); });
    if (mark == std::end(marks)) {
      const std::size_t next = std::min(svg.find_first_of("#i", at + 1), svg.size());
      result.append(svg, at, next - at);
      at = next;
      continue;
    }
    std::size_t end = mark->size();
    while (end < rest.size() && rest[end] >= '0' && rest[end] <= '9') ++end;
    const auto number = numbers.try_emplace(std::string(rest.substr(mark->size(), end - mark->size())), numbers.size());
    result.append(*mark).append(std::to_string(number.first->second));
    at += end;
  }
  return result;
}

}  // namespace

PictureFormat picture_format(const std::string& name) {
  for (std::size_t i = 0; i < std::size(extensions); ++i)
    if (name == extensions[i]) return static_cast<PictureFormat>(i);
  throw_input("output.slice: formats: there are no pictures of format '" + name + "'; choose from png, svg, pdf");
}

const char* extension_of(PictureFormat format) {
  return extensions[static_cast<std::size_t>(format)];
}

void Drawing::Destroy::operator()(_cairo* context) const {
  cairo_destroy(context);
}

void Drawing::Destroy::operator()(_cairo_surface* surface) const {
  cairo_surface_destroy(surface);
}

double text_width(const std::string& utf8, double size, bool bold) {
  const LibraryCalls calls("Cairo");
  const std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)> surface(
      cairo_image_surface_create(CAIRO_FORMAT_A8, 1, 1), cairo_surface_destroy);
  const std::unique_ptr<cairo_t, decltype(&cairo_destroy)> context(cairo_create(surface.get()), cairo_destroy);
  set_font(context.get(), size, bold);
  return measure(context.get(), drawable(context.get(), utf8)).x_advance;
}

std::string missing_fonts() {
  const LibraryCalls calls("Cairo");
  const std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)> surface(
      cairo_image_surface_create(CAIRO_FORMAT_A8, 1, 1), cairo_surface_destroy);
  const std::unique_ptr<cairo_t, decltype(&cairo_destroy)> context(cairo_create(surface.get()), cairo_destroy);
  set_font(context.get(), 20, false);
  if (!has_plain_font(context.get())) return {};
  return "no fonts are installed, so pictures have plain texts with u for micro and ^3 for a power; install a font, "
         "e.g. "
         "the package fonts-dejavu-core.";
}

Pixels pixels_of_png(const std::string& png, const std::string& name) {
  const LibraryCalls calls("Cairo");
  using Surface = std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)>;
  Rest rest{png};
  const Surface picture(cairo_image_surface_create_from_png_stream(take, &rest), cairo_surface_destroy);
  const cairo_status_t status = cairo_surface_status(picture.get());
  if (status == CAIRO_STATUS_NO_MEMORY) check_status(status);
  if (status != CAIRO_STATUS_SUCCESS)
    throw_input(name + ": is no PNG that can be read: " + cairo_status_to_string(status) + "; remove it");
  std::string ignored;
  const Surface page(make_surface(PictureFormat::png, cairo_image_surface_get_width(picture.get()),
                                  cairo_image_surface_get_height(picture.get()), ignored),
                     cairo_surface_destroy);
  const std::unique_ptr<cairo_t, decltype(&cairo_destroy)> context(cairo_create(page.get()), cairo_destroy);
  cairo_set_source_rgb(context.get(), 1, 1, 1);
  cairo_paint(context.get());
  cairo_set_source_surface(context.get(), picture.get(), 0, 0);
  cairo_paint(context.get());
  check_status(cairo_status(context.get()));
  return pixels_of(page.get());
}

Drawing::Drawing(PictureFormat format, int width, int height)
    : format_(format),
      width_(width),
      height_(height),
      bytes_(std::make_unique<std::string>()),
      surface_(make_surface(format, width, height, *bytes_)),
      context_(cairo_create(surface_.get())) {
  check();
  if (format == PictureFormat::pdf) cairo_scale(context_.get(), points_per_pixel, points_per_pixel);
  cairo_set_line_cap(context_.get(), CAIRO_LINE_CAP_ROUND);
  cairo_set_line_join(context_.get(), CAIRO_LINE_JOIN_ROUND);
  fill({0, 0, static_cast<double>(width), static_cast<double>(height)}, {255, 255, 255});
}

void Drawing::check() const {
  check_status(cairo_surface_status(surface_.get()));
  check_status(cairo_status(context_.get()));
}

void Drawing::set_color(const Color& color, double opacity) {
  cairo_set_source_rgba(context_.get(), color[0] / 255.0, color[1] / 255.0, color[2] / 255.0, opacity);
}

void Drawing::fill(const Box& box, const Color& color) {
  set_color(color);
  cairo_rectangle(context_.get(), box.left, box.top, box.right - box.left, box.bottom - box.top);
  cairo_fill(context_.get());
  check();
}

void Drawing::outline(const Box& box, double thickness, const Color& color) {
  const double half = 0.5 * thickness;
  set_color(color);
  cairo_set_line_width(context_.get(), thickness);
  cairo_rectangle(context_.get(), box.left - half, box.top - half, box.right - box.left + thickness,
                  box.bottom - box.top + thickness);
  cairo_stroke(context_.get());
  check();
}

void Drawing::stroke(const std::vector<Polyline>& lines, double thickness, const Color& color, double opacity) {
  set_color(color, opacity);
  cairo_set_line_width(context_.get(), thickness);
  for (const Polyline& line : lines) {
    for (const Point& point : line) cairo_line_to(context_.get(), point[0], point[1]);
    cairo_stroke(context_.get());
  }
  check();
}

void Drawing::fill_polygon(const Polyline& corners, const Color& color) {
  set_color(color);
  for (const Point& point : corners) cairo_line_to(context_.get(), point[0], point[1]);
  cairo_close_path(context_.get());
  cairo_fill(context_.get());
  check();
}

void Drawing::cells(int left, int top, int columns, int rows, int zoom, const std::vector<Color>& colors) {
  // Pixels are enlarged here: not every reader of SVG and PDF would leave the edges of enlarged pixels sharp.
  const std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)> image(
      cairo_image_surface_create(CAIRO_FORMAT_RGB24, columns * zoom, rows * zoom), cairo_surface_destroy);
  check_status(cairo_surface_status(image.get()));
  cairo_surface_flush(image.get());
  unsigned char* data = cairo_image_surface_get_data(image.get());
  const auto stride = static_cast<std::size_t>(cairo_image_surface_get_stride(image.get()));
  const auto width = static_cast<std::size_t>(columns), size = static_cast<std::size_t>(zoom);
  for (int row = 0; row < rows; ++row) {
    unsigned char* line = data + static_cast<std::size_t>(rows - 1 - row) * size * stride;
    for (std::size_t column = 0; column < width; ++column) {
      const Color& color = colors[static_cast<std::size_t>(row) * width + column];
      const std::uint32_t value = std::uint32_t{color[0]} << 16 | std::uint32_t{color[1]} << 8 | color[2];
      for (std::size_t k = 0; k < size; ++k) std::memcpy(line + 4 * (column * size + k), &value, 4);
    }
    for (std::size_t k = 1; k < size; ++k) std::memcpy(line + k * stride, line, 4 * width * size);
  }
  cairo_surface_mark_dirty(image.get());
  cairo_set_source_surface(context_.get(), image.get(), left, top);
  cairo_pattern_set_filter(cairo_get_source(context_.get()), CAIRO_FILTER_NEAREST);
  cairo_rectangle(context_.get(), left, top, columns * zoom, rows * zoom);
  cairo_fill(context_.get());
  check();
}

void Drawing::text(double x, double y, double size, const std::string& utf8, const Color& color, Align align,
                   bool bold) {
  set_font(context_.get(), size, bold);
  const std::string line = drawable(context_.get(), utf8);
  const cairo_text_extents_t extents = measure(context_.get(), line);
  if (align == Align::center) x -= 0.5 * extents.x_advance;
  if (align == Align::right) x -= extents.x_advance;
  set_color(color);
  cairo_move_to(context_.get(), x, y);
  cairo_show_text(context_.get(), line.c_str());
  cairo_new_path(context_.get());
  check();
  const double left = x + extents.x_bearing, top = y + extents.y_bearing;
  texts_.push_back({left, top, left + extents.width, top + extents.height});
}

void Drawing::clip(const Box& box) {
  cairo_save(context_.get());
  cairo_rectangle(context_.get(), box.left, box.top, box.right - box.left, box.bottom - box.top);
  cairo_clip(context_.get());
  check();
}

void Drawing::unclip() {
  cairo_restore(context_.get());
  check();
}

Color Drawing::pixel(int x, int y) const {
  cairo_surface_flush(surface_.get());
  const unsigned char* data = cairo_image_surface_get_data(surface_.get());
  const auto stride = static_cast<std::size_t>(cairo_image_surface_get_stride(surface_.get()));
  std::uint32_t value = 0;
  std::memcpy(&value, data + static_cast<std::size_t>(y) * stride + 4 * static_cast<std::size_t>(x), 4);
  return {static_cast<std::uint8_t>(value >> 16), static_cast<std::uint8_t>(value >> 8),
          static_cast<std::uint8_t>(value)};
}

Pixels Drawing::pixels() const {
  return pixels_of(surface_.get());
}

const std::string& Drawing::finish() {
  if (finished_) return *bytes_;
  check();
  if (format_ == PictureFormat::png) {
    check_status(cairo_surface_write_to_png_stream(surface_.get(), append, bytes_.get()));
    insert_png_texts(descriptions_, *bytes_);
  } else {
    context_.reset();
    cairo_surface_finish(surface_.get());
    check_status(cairo_surface_status(surface_.get()));
    if (format_ == PictureFormat::svg) *bytes_ = with_own_numbers(*bytes_);
  }
  finished_ = true;
  return *bytes_;
}

void Drawing::write(const std::filesystem::path& path) {
  const std::string& bytes = finish();
  write_file(path, bytes);
}

}  // namespace fluvia
