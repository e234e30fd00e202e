// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "fluvia/output/fields.hpp"

namespace fluvia {

/// Whether a box (lower, upper corner; case units) touches what is read of a flow. In 2D z does not matter.
using ReadRegion = std::function<bool(const Real3& lower, const Real3& upper)>;

/// The regions of what a case has drawn or written of a flow in this box.
ReadRegion region_of(const Case::Output::Slice& slice, const Grid& grid);
ReadRegion region_of(const Case::Line& line, const Grid& grid);
ReadRegion region_of(const Case::Plane& plane, const Grid& grid);

/// A flow with levels of refinement as one of them sees it: its nodes in some region, and around them as far as fields
/// read. So whoever reads at nodes or points of one grid reads through all levels. It reads the flow, which must
/// outlive it.
class FlowView {
 public:
  /// The view of the finest level that a region touches; none where it touches the coarsest level only, and of a flow
  /// on one level. `fits`: grids that the reader can take; finer levels than those are averaged.
  static std::optional<FlowView> finest(const FlowState& flow, const ReadRegion& touches,
                                        const std::function<bool(const Grid&)>& fits = {});
  /// The view of the nodes that a level computes.
  static FlowView of_level(const FlowState& flow, int level);

  [[nodiscard]] const FlowState& state() const { return *state_; }
  [[nodiscard]] const Units& units() const { return units_; }
  [[nodiscard]] const Grid& grid() const { return grid_; }
  [[nodiscard]] OutputContext output() const { return {*state_, units_, grid_}; }
  /// Fields given node by node of the coarsest level, such as averages, as the view has them: the same for all nodes
  /// inside. They refer to the flow.
  [[nodiscard]] std::vector<Field> fields_of_coarsest(const std::vector<Field>& fields) const;

 private:
  FlowView(const FlowState& flow, std::unique_ptr<FlowState> state, const FlowLevel& level)
      : flow_(&flow), state_(std::move(state)), units_(level.units), grid_(level.grid) {}

  const FlowState* flow_;
  std::unique_ptr<FlowState> state_;
  Units units_;
  Grid grid_;
};

/// Calls read(output, fields) with the finest view of a region, or, where there is none, with the flow as it is;
/// `extra`: fields given node by node, as the flow itself has them.
template <class Read>
auto read_finest(const OutputContext& flow, const ReadRegion& touches, const std::vector<Field>& extra,
                 const Read& read) {
  const std::optional<FlowView> view = FlowView::finest(flow.state, touches);
  return view ? read(view->output(), view->fields_of_coarsest(extra)) : read(flow, extra);
}

/// Values of a field at nodes of one level, `components` each, in the order of `own`, its map; `output` knows the flow
/// at these nodes, and maybe more around them.
std::vector<double> values_at(const NodeMap& own, const OutputContext& output, const Field& field);

/// Values of a field at the nodes that a level computes, `components` each, in the order of that level's own nodes.
std::vector<double> values_of_level(const FlowState& flow, int level, const Field& field);

}  // namespace fluvia
