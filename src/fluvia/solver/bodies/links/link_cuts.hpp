// SPDX-License-Identifier: Apache-2.0
// Where a surface at rest cuts links, asked for many links of a node at once.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "fluvia/base/vector.hpp"
#include "fluvia/core/boundary/body_parts.hpp"
#include "fluvia/geometry/generate/shapes.hpp"

namespace fluvia {

/// What a part of a body lies in: all places at most `radius` from a box.
struct RoundedBox {
  Real3 low, high;
  double radius = 0;
};

using core::Chord;

/// A link as the body at its pose sees it: along its own axes.
struct LinkWay {
  Real3 along;
  core::LinkWay numbers;  ///< for formulas

  explicit LinkWay(const Real3& way);
};

/// A part of a body that knows where ways meet it; lattice units, where the body is at rest. All functions may be
/// called concurrently.
class LinkCuts {
 public:
  /// `distance`: signed, from the surface of the part.
  explicit LinkCuts(geometry::SignedDistance distance) : distance_(std::move(distance)) {}
  LinkCuts(const LinkCuts&) = delete;
  LinkCuts& operator=(const LinkCuts&) = delete;
  virtual ~LinkCuts() = default;

  [[nodiscard]] double distance(const Real3& place) const { return distance_(place); }
  /// What the way from a place has in the part; none if it only touches it.
  [[nodiscard]] virtual std::optional<Chord> chord(const Real3& from, const LinkWay& way) const = 0;
  /// Takes to entry[k] for each bit k of `directions` the chord's entry of ways[k], where that is less.
  virtual void meet(const Real3& from, const std::vector<LinkWay>& ways, std::uint32_t directions,
                    double* entry) const = 0;
  /// Those of `directions` in which ways from a place outside may have a chord, though their ends lie outside, too.
  [[nodiscard]] virtual std::uint32_t with_chords(const Real3& /*from*/, const std::vector<LinkWay>& /*ways*/,
                                                  std::uint32_t directions) const {
    return directions;
  }
  /// Whether a way may have a chord though both of its ends lie outside, if all of it is at most `radius` from a place:
  /// not where all that is to be seen of the part is one plane.
  [[nodiscard]] virtual bool may_have_chords(const Real3& /*place*/, double /*radius*/) const { return true; }
  /// All of it as GPUs know it; null for parts that they have no formulas for.
  [[nodiscard]] virtual const core::BodyPart* formula() const { return nullptr; }

 private:
  geometry::SignedDistance distance_;
};

/// Those of a shape of a case, which ends somewhere; `within`: what it lies in.
std::unique_ptr<const LinkCuts> make_shape_cuts(const Case::Shape& shape, const Grid& grid, const RoundedBox& within,
                                                const std::string& place);

/// All parts of a body.
class BodyCuts {
 public:
  BodyCuts() = default;
  explicit BodyCuts(std::vector<std::unique_ptr<const LinkCuts>> parts) : parts_(std::move(parts)) {}

  /// What ways may meet that are at most `radius` from a place.
  struct Around {
    std::uint64_t parts;  ///< bit k: parts k, k + 64, ...
    bool has_chords;      ///< of ways with both ends outside
  };
  [[nodiscard]] Around around(const Real3& place, double radius) const;
  /// Those of `directions` in which chord() may find one.
  [[nodiscard]] std::uint32_t with_chords(const Around& around, const Real3& from, const std::vector<LinkWay>& ways,
                                          std::uint32_t directions) const;
  [[nodiscard]] double distance(const Real3& place) const;
  /// The parts of ways, bit k of `directions` for ways[k], from a place in the fluid to one in the body, at which they
  /// meet the surface first.
  void entries(const Around& around, const Real3& from, const std::vector<LinkWay>& ways, std::uint32_t directions,
               double* entry) const;
  [[nodiscard]] double entry(const Real3& from, const Real3& to) const;
  /// LinkCuts::formula() of all parts; empty if one has none.
  [[nodiscard]] std::vector<core::BodyPart> formulas() const;
  /// What a way between two places in the fluid, no longer than a link, has in the body: at its corners, and where it
  /// is thin.
  [[nodiscard]] std::optional<Chord> chord(const Around& around, const Real3& from, const LinkWay& way) const;

 private:
  std::vector<std::unique_ptr<const LinkCuts>> parts_;
};

}  // namespace fluvia
