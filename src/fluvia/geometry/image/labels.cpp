// SPDX-License-Identifier: Apache-2.0
#include "fluvia/geometry/image/labels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "fluvia/base/error.hpp"
#include "fluvia/base/text.hpp"
#include "fluvia/geometry/image/files/image_file.hpp"
#include "fluvia/geometry/input_file.hpp"

namespace fluvia::geometry {
namespace {

constexpr std::size_t few_labels = 8;          ///< an image with more values of voxels is grey
constexpr std::size_t most_counted = 1 << 16;  ///< values of numbers wider than 16 bits that are told apart

[[noreturn]] void fail_labels(const std::string& message) {
  throw Error(ExitCode::usage, message);
}

/// How often each value of 8 or 16 bits occurs.
void count_narrow(LayerReader& reader, const ImageHeader& header, LabelCounts& found) {
  std::vector<std::uint64_t> counts(std::size_t{1} << (8 * header.type.bytes), 0);
  const std::uint64_t size = header.layer_bytes();
  const int low = header.big_endian ? 1 : 0;
  for (int s = 0; s < header.layers(); ++s) {
    const unsigned char* place = reader.next();
    if (header.type.bytes == 1)
      for (std::uint64_t i = 0; i < size; ++i) ++counts[place[i]];
    else
      for (std::uint64_t i = 0; i < size; i += 2) ++counts[std::size_t{place[i + low]} | place[i + 1 - low] << 8];
  }
  for (std::size_t bits = 0; bits < counts.size(); ++bits) {
    const unsigned char bytes[2] = {static_cast<unsigned char>(bits & 255), static_cast<unsigned char>(bits >> 8)};
    if (counts[bits] > 0) found.counts[header.type.value(bytes, false)] = counts[bits];
  }
}

/// How often each value occurs, as far as there are not too many.
void count_wide(LayerReader& reader, const ImageHeader& header, const std::function<bool(double)>& is_fluid,
                LabelCounts& found) {
  std::unordered_map<double, std::uint64_t> counts;
  double least = HUGE_VAL, most = -HUGE_VAL;
  for (int s = 0; s < header.layers(); ++s) {
    const unsigned char* const layer = reader.next();
    for (std::uint64_t i = 0; i < header.layer_bytes(); i += static_cast<std::uint64_t>(header.type.bytes)) {
      const double value = header.type.value(layer + i, header.big_endian);
      if (!std::isfinite(value)) {
        const std::uint64_t place = i / static_cast<std::uint64_t>(header.type.bytes);
        throw_input(fmt::format("{}: a voxel is {}, which is neither fluid nor solid: number {} of layer {}, from 1 on",
                                header.data.string(), value, place + 1, s + 1));
      }
      least = std::min(least, value);
      most = std::max(most, value);
      if (is_fluid(value)) ++found.fluid;
      if (const auto known = counts.find(value); known != counts.end())
        ++known->second;
      else if (counts.size() < most_counted)
        counts[value] = 1;
      else
        found.more = true;
    }
  }
  found.counts.insert(counts.begin(), counts.end());
  found.least = least;
  found.most = most;
}

/// Each value with its share, a line for each.
std::string label_lines(const LabelCounts& found) {
  std::string lines;
  for (const auto& [value, count] : found.counts)
    lines += fmt::format("\n  {:<5} {:.3g}% of the voxels", value, 100 * found.share(value));
  return lines;
}

}  // namespace

bool LabelCounts::few() const {
  return !more && counts.size() <= few_labels;
}

double LabelCounts::share(double value) const {
  const auto known = counts.find(value);
  return known == counts.end() || voxels == 0 ? 0 : static_cast<double>(known->second) / static_cast<double>(voxels);
}

std::string LabelCounts::line(const Case::Voxels& rule) const {
  const double all = static_cast<double>(fluid) / static_cast<double>(voxels);
  if (!few())
    return fmt::format("voxels from {} to {}, {}{} different values: {:.3g}% are fluid", format_short(least),
                       format_short(most), more ? "more than " : "", counts.size(), 100 * all);
  std::vector<std::string> parts;
  for (const auto& [value, count] : counts)
    parts.push_back(fmt::format("{} {:.3g}%{}", value, 100 * share(value), is_fluid(rule, value) ? " (fluid)" : ""));
  return "labels: " + join(parts);
}

LabelCounts count_values(LayerReader& reader, const ImageHeader& header, const std::function<bool(double)>& is_fluid) {
  LabelCounts found;
  if (header.type.bytes <= 2) {
    count_narrow(reader, header, found);
    for (const auto& [value, count] : found.counts)
      if (is_fluid(value)) found.fluid += count;
    found.least = found.counts.begin()->first;
    found.most = found.counts.rbegin()->first;
  } else {
    count_wide(reader, header, is_fluid, found);
  }
  reader.expect_end();
  found.voxels = header.bytes() / static_cast<std::uint64_t>(header.type.bytes);
  return found;
}

LabelCounts count_labels(const Case::Voxels& voxels, const std::filesystem::path& directory) {
  const std::filesystem::path path = resolve(directory, voxels.file);
  const ImageHeader header = voxel_header(voxels, directory);
  LayerReader reader(path, image_format(path), header);
  return count_values(reader, header, [&](double value) { return is_fluid(voxels, value); });
}

void check_labels(const Case::Voxels& voxels, const LabelCounts& found, bool said) {
  if (voxels.fluid_below || voxels.fluid_above) return;
  const std::string file = voxels.file.string();
  if (said) {
    for (const int label : voxels.fluid_labels.value_or(std::vector<int>{}))
      if (!found.more && !found.counts.contains(label))
        fail_labels(fmt::format("--labels: no voxel of {} has the value {}{}", file, label,
                                found.few() ? ", which are:" + label_lines(found) : ""));
    return;
  }
  if (!found.few())
    fail_labels(
        fmt::format("{}: has {}{} different values from {} to {}, a grey image: give --below V or --above V, the "
                    "threshold of the fluid's voxels, or --pore V if they are labels",
                    file, found.more ? "more than " : "", found.counts.size(), format_short(found.least),
                    format_short(found.most)));
  const auto is_label = [](const auto& one) { return one.first == std::round(one.first) && std::abs(one.first) < 2e9; };
  if (!std::all_of(found.counts.begin(), found.counts.end(), is_label)) {
    const double middle = 0.5 * (found.least + found.most);
    fail_labels(
        fmt::format("{}: nothing says which voxels are the pores, and its values are no labels:{}\n  give --below V "
                    "or --above V, such as --below {}",
                    file, label_lines(found), format_short(middle)));
  }
  // Many programs write solid as 0, and others write pores so: only a minority of zeros beside one other label that is
  // not the white of a mask may go without saying.
  const double zeros = found.share(0);
  const bool mask = found.counts.size() == 2 && zeros > 0 && found.share(255) > 0;
  if (zeros > 0 && zeros <= 0.5 && !mask) return;
  const auto rarest = std::min_element(found.counts.begin(), found.counts.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
  std::string other;
  for (const auto& [value, count] : found.counts)
    if (found.counts.size() == 2 && value != rarest->first)
      other = fmt::format(", or --pore {} if they are the {:.3g}%", value, 100 * found.share(value));
  const std::string why = zeros == 0 ? "and no voxel is 0"
                          : mask     ? "and 0 and 255 are either"
                                     : fmt::format("and 0 would be {:.3g}% of the image", 100 * zeros);
  fail_labels(
      fmt::format("{}: nothing says which voxels are the pores, {}; its labels are:{}\n  add --pore {} if the pores "
                  "are the {:.3g}%{}",
                  file, why, label_lines(found), rarest->first, 100 * found.share(rarest->first), other));
}

VoxelEdge voxel_edge(const ImageHeader& header, std::optional<double> given) {
  if (given) {
    constexpr double alike = 1e-6;
    if (header.voxel && std::abs(*header.voxel / *given - 1) > alike)
      return {*given, fmt::format("--voxel: {} m is taken, not the {} m that the header says", format_short(*given),
                                  format_short(*header.voxel))};
    return {*given, ""};
  }
  if (header.voxel) return {*header.voxel, ""};
  if (header.why_no_voxel.empty())
    fail_labels("--voxel is missing: the image does not say how large its voxels are; for example --voxel 5um");
  fail_labels(fmt::format("--voxel is missing: {}; say the edge of a voxel with its unit, for example --voxel 5um",
                          header.why_no_voxel));
}

}  // namespace fluvia::geometry
