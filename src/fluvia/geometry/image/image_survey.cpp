// SPDX-License-Identifier: Apache-2.0
#include "fluvia/geometry/image/image_survey.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "fluvia/base/error.hpp"
#include "fluvia/base/machine/memory.hpp"

namespace fluvia::geometry {
namespace {

constexpr std::size_t most_bins = 16;

/// Empty bins over the range of the values; as wide as whole numbers ask for.
std::vector<HistogramBin> make_bins(const ImageSurvey& survey) {
  const LabelCounts& labels = survey.labels;
  const bool whole = !survey.plain_type().real();
  const double range = labels.most - labels.least + (whole ? 1 : 0);
  const double width = whole ? std::ceil(range / most_bins) : range / most_bins;
  std::vector<HistogramBin> bins;
  for (double from = labels.least; bins.size() < most_bins && (bins.empty() || from <= labels.most);
       from = labels.least + width * static_cast<double>(bins.size()))
    bins.push_back({from, whole ? std::min(from + width - 1, labels.most) : from + width, 0});
  return bins;
}

void count_into(std::vector<HistogramBin>& bins, double value, double share) {
  const double width = bins.size() > 1 ? bins[1].from - bins[0].from : 1;
  const double place = (value - bins[0].from) / width;
  bins[static_cast<std::size_t>(std::clamp(place, 0.0, static_cast<double>(bins.size() - 1)))].share += share;
}

std::vector<HistogramBin> histogram_of(const ImageSurvey& survey) {
  if (survey.labels.few()) return {};
  std::vector<HistogramBin> bins = make_bins(survey);
  const double one = 1 / static_cast<double>(survey.labels.voxels);
  if (!survey.labels.more) {
    for (const auto& [value, count] : survey.labels.counts) count_into(bins, value, static_cast<double>(count) * one);
    return bins;
  }
  const ImageHeader& header = survey.header;
  LayerReader reader(survey.path, survey.opener, header);
  const auto step = static_cast<std::uint64_t>(header.type.bytes);
  for (int s = 0; s < header.layers(); ++s) {
    const unsigned char* const layer = reader.next();
    for (std::uint64_t i = 0; i < header.layer_bytes(); i += step)
      count_into(bins, header.type.value(layer + i, header.big_endian), one);
  }
  return bins;
}

}  // namespace

ElementType ImageSurvey::plain_type() const {
  if (!header.text || labels.more) return header.type;
  const bool whole = std::all_of(labels.counts.begin(), labels.counts.end(),
                                 [](const auto& entry) { return entry.first == std::floor(entry.first); });
  using Kind = ElementType::Kind;
  for (const ElementType type : {ElementType{Kind::whole, 1}, {Kind::whole, 2}, {Kind::whole_or_negative, 4}})
    if (whole && labels.least >= type.least() && labels.most <= type.most()) return type;
  return header.type;
}

ImageSurvey survey_image(const VoxelRequest& request) {
  ImageSurvey survey;
  survey.path = request.file;
  if (const ImageFormat* mask = find_format(mask_formats(), request.file)) {
    survey.opener = mask;
    survey.header = mask->header(request.file);
  } else {
    const Case::Voxels voxels = requested_voxels(request);
    survey.opener = image_format(request.file);
    survey.header = voxel_header(voxels, {});
  }
  survey.format = survey.opener;
  if (survey.format == nullptr) survey.format = &plain_formats()[survey.header.text ? 1 : 0];
  LayerReader reader(survey.path, survey.opener, survey.header);
  survey.labels = count_values(reader, survey.header, [](double) { return false; });
  survey.histogram = histogram_of(survey);
  return survey;
}

OrderedLayers::OrderedLayers(const ImageSurvey& survey)
    : survey_(survey), type_(survey.plain_type()), reader_(survey.path, survey.opener, survey.header) {
  const ImageHeader& header = survey.header;
  const std::uint64_t layer = std::uint64_t(header.shape[0]) * static_cast<std::uint64_t>(header.shape[1]) *
                              static_cast<std::uint64_t>(type_.bytes);
  require_memory(layer, survey.path.string() + ": a layer of its voxels", "crop the image");
  layer_.resize(layer);
  if (header.x_fastest) return;
  require_memory(header.bytes(), survey.path.string() + ": its voxels, which have to be put in another order",
                 "crop the image");
  whole_.resize(header.bytes());
  for (int x = 0; x < header.shape[0]; ++x)
    std::memcpy(whole_.data() + static_cast<std::uint64_t>(x) * header.layer_bytes(), reader_.next(),
                header.layer_bytes());
}

void OrderedLayers::put(unsigned char* target, const unsigned char* source) const {
  const ImageHeader& header = survey_.header;
  const int width = type_.bytes;
  if (header.text && !type_.real()) {
    const auto bits = static_cast<std::uint64_t>(static_cast<std::int64_t>(header.type.value(source, false)));
    for (int i = 0; i < width; ++i) target[i] = static_cast<unsigned char>(bits >> (8 * i));
    return;
  }
  for (int i = 0; i < width; ++i) target[i] = source[header.big_endian ? width - 1 - i : i];
}

const std::vector<unsigned char>& OrderedLayers::next() {
  const ImageHeader& header = survey_.header;
  const auto [nx, ny, nz] = header.shape;
  const auto from_width = static_cast<std::size_t>(header.type.bytes), width = static_cast<std::size_t>(type_.bytes);
  unsigned char* target = layer_.data();
  if (header.x_fastest) {
    const unsigned char* source = reader_.next();
    for (std::size_t i = 0; i < layer_.size(); i += width, target += width, source += from_width) put(target, source);
    return layer_;
  }
  for (int y = 0; y < ny; ++y)
    for (int x = 0; x < nx; ++x, target += width)
      put(target,
          whole_.data() + ((static_cast<std::size_t>(x) * static_cast<std::size_t>(ny) + y) * nz + z_) * from_width);
  ++z_;
  return layer_;
}

}  // namespace fluvia::geometry
