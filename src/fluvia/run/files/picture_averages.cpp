// SPDX-License-Identifier: Apache-2.0
#include "fluvia/run/files/picture_averages.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "fluvia/run/files/pictures.hpp"

namespace fluvia {

namespace {

const std::string average_prefix = "average_";

/// Begins what checkpoints call the averages of a picture.
std::string prefix_of(std::size_t slice) {
  return fmt::format("picture_{}_", slice);
}

}  // namespace

PictureAverages::PictureAverages(const std::vector<Case::Output::Slice>& slices, const OutputContext& flow) {
  for (std::size_t k = 0; k < slices.size(); ++k) {
    const std::string quantity = slices[k].quantity();
    if (!quantity.starts_with(average_prefix)) continue;
    const std::string base = quantity.substr(average_prefix.size());
    if (!find_field(base, flow).needs_walls) continue;
    if (std::optional<FlowView> view = view_of_picture(flow, slices[k]))
      pictures_.try_emplace(k, std::move(*view), base);
  }
}

void PictureAverages::sample() {
  for (auto& [slice, picture] : pictures_) picture.averages.sample(picture.view.state());
}

std::vector<Field> PictureAverages::fields(std::size_t slice) const {
  const auto picture = pictures_.find(slice);
  if (picture == pictures_.end() || !picture->second.averages.sampled()) return {};
  return picture->second.averages.fields();
}

void PictureAverages::save(MonitorState& state) const {
  for (const auto& [slice, picture] : pictures_) {
    MonitorState own;
    picture.averages.save(own);
    for (auto& [key, values] : own) state[prefix_of(slice) + key] = std::move(values);
  }
}

void PictureAverages::restore(const MonitorState& state) {
  for (auto& [slice, picture] : pictures_) {
    const std::string prefix = prefix_of(slice);
    MonitorState own;
    for (const auto& [key, values] : state)
      if (key.starts_with(prefix)) own[key.substr(prefix.size())] = values;
    picture.averages.restore(own);
  }
}

}  // namespace fluvia
