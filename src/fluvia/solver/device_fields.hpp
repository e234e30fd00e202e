// SPDX-License-Identifier: Apache-2.0
// Fields in the memory of the device that steps the flow, for programs that compute there as well.
#pragma once
#include <cstddef>
#include <memory>
#include <span>

namespace fluvia {

/// A field that follows at each node from one of its moments: factor (moment - reference), the moment in lattice units.
struct LinearField {
  enum class Moment { density, velocity };
  Moment moment = Moment::density;
  double reference = 0, factor = 1;

  [[nodiscard]] constexpr double at(double value) const { return factor * (value - reference); }
  [[nodiscard]] constexpr std::size_t components() const { return moment == Moment::velocity ? 3 : 1; }
};

/// An array over all nodes of the box in the memory of a GPU: x fastest, but for the components of vectors, which are
/// next to each other; NaN where there is no fluid.
struct DeviceArray {
  float* values = nullptr;      ///< address on the GPU
  int device = 0;               ///< DeviceInfo::ordinal, as the driver counts
  std::shared_ptr<void> owner;  ///< owner of the memory, which outlives the solver
};

/// A solver that keeps its flow in the memory of a GPU, and can keep fields of it there, too. The values are complete
/// when they are returned: any stream may read them.
class DeviceFields {
 public:
  virtual ~DeviceFields() = default;
  /// A field of the flow as it is now; its values never pass through the host. Throws Error(resource).
  [[nodiscard]] virtual DeviceArray compute(const LinearField& field) const = 0;
  /// A field that was computed on the host, copied to the GPU. Throws Error(resource).
  [[nodiscard]] virtual DeviceArray upload(std::span<const float> values) const = 0;
};

}  // namespace fluvia
