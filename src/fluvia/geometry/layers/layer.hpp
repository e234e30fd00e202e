// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "fluvia/base/vector.hpp"
#include "fluvia/geometry/geometry.hpp"

namespace fluvia::geometry {

/// What a layer says about a node.
enum class Decision { none, solid, fluid };

/// A link from a fluid node to its neighbour.
struct Link {
  Int3 node, offset;
  Int3 far;           ///< far end, after periodic wrapping, or its mirror image
  Bool3 reflected{};  ///< [axis], half-way the link meets a plane of symmetry, and goes on as its mirror image

  /// The point that lies at `part` (0 .. 1) of the way, lattice units; in the box on periodic and reflected axes.
  [[nodiscard]] Real3 point(double part) const {
    Real3 p;
    for (int axis = 0; axis < 3; ++axis) {
      const double along = node[axis] + 0.5 + part * offset[axis];
      if (part <= 0.5)
        p[axis] = along;
      else if (reflected[axis])
        p[axis] = 2 * node[axis] + 1 + offset[axis] - along;
      else
        p[axis] = along + far[axis] - (node[axis] + offset[axis]);
    }
    return p;
  }
  /// The vector of the link where it ends.
  [[nodiscard]] Int3 last_offset() const {
    Int3 last = offset;
    for (int axis = 0; axis < 3; ++axis)
      if (reflected[axis]) last[axis] = -offset[axis];
    return last;
  }
  /// True if the two halves of the link lie on one line in the box.
  [[nodiscard]] bool is_straight() const {
    return reflected == Bool3{} && far == Int3{node[0] + offset[0], node[1] + offset[1], node[2] + offset[2]};
  }
};

/// Where the surface of a layer cuts a link.
struct Cut {
  enum class Kind {
    half_way,  ///< in the middle of the link: the layer does not know where its surface is
    surface,   ///< where the surface of the layer is
    lost       ///< in the middle, since the surface was not found where the layer's nodes say that it is
  };
  double part = 0.5;  ///< part of the link, from its node, in [0, 1]
  Kind kind = Kind::half_way;
};

/// One step in the construction of a geometry: looks at the nodes that the layers before it left and turns some solid
/// or fluid. All functions may be called concurrently.
class Layer {
 public:
  virtual ~Layer() = default;
  /// Fluid bits of a tile after this layer, given the bits before it.
  [[nodiscard]] virtual std::uint64_t apply(const Int3& tile, std::uint64_t fluid) const = 0;
  /// What the layer decides of one node of the box.
  [[nodiscard]] virtual Decision decide(const Int3& node) const = 0;
  /// False only if the layer decides no node from `first` to `last`, which may lie beyond the box. Asked to leave
  /// layers out where they have nothing to say.
  [[nodiscard]] virtual bool may_decide(const Int3& first, const Int3& last) const;
  /// What the layer decides at the position of a node beyond a face of the box, if it goes on there. Periodic images of
  /// a body may be given as bodies of their own: they end a link through the face.
  [[nodiscard]] virtual Decision decide_beyond(const Int3&) const { return Decision::none; }
  /// Surface that the link from fluid node `node` along `offset` cuts when this layer makes the far end solid, or the
  /// near end fluid. `far` is the far end after periodic wrapping.
  [[nodiscard]] virtual int surface(const Int3& node, const Int3& offset, const Int3& far) const = 0;
  /// Where the surface of this layer cuts a link whose two ends it decides differently; the first cut if there are
  /// several and the layer can tell.
  [[nodiscard]] virtual Cut cut(const Link&) const { return {}; }
  /// Checksum of the content of files, so that members of a communicator can tell whether they read the same.
  [[nodiscard]] virtual std::uint64_t content() const { return 0; }
  /// Unit normal, of any sign, of the surface where cut() found it.
  [[nodiscard]] virtual Real3 normal(const Link& link, const Cut& cut) const;
};

using Layers = std::vector<std::unique_ptr<const Layer>>;

/// Names of the surfaces of a geometry and their numbers.
class SurfaceNames {
 public:
  /// The names of the six faces, and "wall".
  SurfaceNames();
  /// Number of the surface; new names are appended, "" is "wall".
  int add(const std::string& name);
  /// Number of a surface, or -1.
  [[nodiscard]] int find(const std::string& name) const;
  [[nodiscard]] const std::vector<std::string>& list() const { return names_; }

 private:
  std::vector<std::string> names_;
};

/// Lattice units from the corner of the box, for a position in case units.
inline Real3 to_lattice(const Grid& grid, const Real3& point) {
  return (1 / grid.spacing) * (point - grid.origin);
}
inline Real3 to_case(const Grid& grid, const Real3& point) {
  return grid.origin + grid.spacing * point;
}
/// Centre of a node in lattice units.
inline Real3 node_centre(const Int3& node) {
  return {node[0] + 0.5, node[1] + 0.5, node[2] + 0.5};
}
/// The vector of a link, lattice units.
inline Real3 link_vector(const Int3& offset) {
  return {static_cast<double>(offset[0]), static_cast<double>(offset[1]), static_cast<double>(offset[2])};
}
/// A point as messages show it: "(1.5, 0, -2)".
std::string format_point(const Real3& point);

}  // namespace fluvia::geometry
