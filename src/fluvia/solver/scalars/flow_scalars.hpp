// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <optional>

#include "fluvia/base/vector.hpp"

namespace fluvia {

/// What a flow has of its scalars beside the fluid, in the order of Plan::scalars. Their values at nodes of the fluid
/// are Moments::scalars, their sums are observables.
class FlowScalars {
 public:
  virtual ~FlowScalars() = default;
  /// At a node of the box in a solid; none elsewhere. Thread-safe.
  [[nodiscard]] virtual std::optional<double> value_in_solid(std::size_t scalar, const Int3& node) const = 0;
};

}  // namespace fluvia
