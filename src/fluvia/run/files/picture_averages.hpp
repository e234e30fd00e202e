// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <map>
#include <vector>

#include "fluvia/output/checkpoint/checkpoint.hpp"
#include "fluvia/output/levels/flow_view.hpp"
#include "fluvia/run/files/averages.hpp"

namespace fluvia {

/// Time averages of what pictures show at walls, where levels of refinement are drawn: at the nodes that a picture has,
/// each sample as a picture at that time would be. Coarser nodes lie at other distances from the walls, so that means
/// over them (Averages) are no stress of walls of a finer level. Of other pictures, and without levels, it is empty.
class PictureAverages {
 public:
  /// `flow`: with the levels; its state must outlive the averages, and is what is sampled.
  PictureAverages(const std::vector<Case::Output::Slice>& slices, const OutputContext& flow);
  void sample();
  /// The averages that a picture shows, by its number, at nodes of its view; they refer to this object.
  [[nodiscard]] std::vector<Field> fields(std::size_t slice) const;
  void save(MonitorState& state) const;
  /// Goes on from stored averages. Throws Error(input) if they have another size.
  void restore(const MonitorState& state);

 private:
  struct Picture {
    FlowView view;
    Averages averages;
    Picture(FlowView own, const std::string& field) : view(std::move(own)), averages({field}, view.output()) {}
    Picture(const Picture&) = delete;
    Picture& operator=(const Picture&) = delete;
  };
  std::map<std::size_t, Picture> pictures_;  ///< by number
};

}  // namespace fluvia
