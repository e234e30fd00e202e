// SPDX-License-Identifier: Apache-2.0
#include "fluvia/geometry/image/files/layer_reader.hpp"

#include <fmt/format.h>

#include "fluvia/base/error.hpp"
#include "fluvia/base/machine/memory.hpp"

namespace fluvia::geometry {

LayerReader::LayerReader(const std::filesystem::path& file, const ImageFormat* format, const ImageHeader& header)
    : header_(header), source_(format != nullptr ? format->open(file, header) : open_elements(file, header)) {
  if (const std::uint64_t most = source_->most_content(); most < header.bytes())
    wrong_size((source_->packed() ? "at most " : "") + std::to_string(most));
  require_memory(header.layer_bytes(), file.string() + ": a layer of its voxels", "is the shape of the image right?");
  layer_.resize(header.layer_bytes());
}

const unsigned char* LayerReader::next() {
  const std::size_t got = source_->read(layer_.data(), layer_.size());
  taken_ += got;
  if (got < layer_.size()) wrong_size(std::to_string(taken_));
  return layer_.data();
}

void LayerReader::expect_end() {
  // The excess is counted up to a bound; a device or a gzip bomb would never end.
  constexpr std::uint64_t enough = std::uint64_t{1} << 30;
  std::uint64_t extra = 0;
  std::size_t got = layer_.size();
  while (got == layer_.size() && extra <= enough) extra += got = source_->read(layer_.data(), layer_.size());
  if (extra > 0) wrong_size((extra > enough ? "more than " : "") + std::to_string(taken_ + extra));
}

void LayerReader::wrong_size(const std::string& found) const {
  const Int3& shape = header_.shape;
  throw_input(fmt::format("{}: has {} bytes{}, but {} x {} x {} voxels of {} bits need {}", header_.data.string(),
                          found, header_.offset > 0 || header_.at_end ? " of voxels" : "", shape[0], shape[1], shape[2],
                          8 * header_.type.bytes, header_.bytes()));
}

}  // namespace fluvia::geometry
