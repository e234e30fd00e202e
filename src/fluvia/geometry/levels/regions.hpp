// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <vector>

#include "fluvia/core/boundary/condition.hpp"
#include "fluvia/geometry/analysis.hpp"
#include "fluvia/geometry/geometry.hpp"
#include "fluvia/geometry/levels/level_marks.hpp"

namespace fluvia::geometry {

/// The conditions of the surfaces of a geometry, by their numbers.
std::vector<const core::ConditionFacts*> conditions_of(const Case& c, const Geometry& geometry);

/// Whether walls with a condition may be on both sides of an interface: those that turn populations round, and at most
/// add a number to each that is known beforehand, so that an interface can add it to what crosses there on its way.
/// Walls along which the fluid slides may be there only if both levels have them at the same place.
bool may_cross_interfaces(const core::ConditionFacts& condition);

/// Fluid nodes with links, along axes or face diagonals, to a surface.
std::vector<Int3> nodes_beside(const Geometry& geometry, int surface);

/// Whether two levels may meet an opening: a face of the box from which interfaces of whole tiles lead straight away.
bool may_be_divided(const Geometry& geometry, int surface);

/// Tiles of a level which, if they were refined, would bring a finer level too near to a surface that is of interest:
/// nearer than levels can have it (check_level_conditions()). `map`: of the box, refined or not.
Marks tiles_near(const LevelMap& map, const Geometry& coarsest, int level,
                 const std::function<bool(int surface)>& is_wanted);

/// The regions that a case wants finer ([[refine]]).
class Regions {
 public:
  /// `map`: of the box, nothing of which is refined yet; `coarsest`: the geometry of level 0 everywhere, which says
  /// where surfaces and gaps are. All must outlive this object. Throws Error(input) for regions that are nowhere.
  Regions(const Case& c, const LevelMap& map, const Geometry& coarsest);
  /// Marks the tiles of a level that must be refined for regions which ask for the next finer level. Throws
  /// Error(input) for regions that lie outside of the box.
  void mark(int level, Marks& marks) const;
  /// Where marks of a level, those between its interfaces included, come to an opening that is no face of the box,
  /// which lies on one level: marks all that is near it.
  void take_in_openings(int level, Marks& marks) const;

 private:
  void mark_box(std::size_t entry, int level, Marks& marks) const;
  void mark_around(std::size_t entry, int level, Marks& marks) const;
  void mark_inside(std::size_t entry, int level, Marks& marks) const;
  void mark_gaps(std::size_t entry, int level, Marks& marks) const;

  const Case& case_;
  const LevelMap& map_;
  const Geometry& coarsest_;
  Grid grid_;                                    ///< of level 0
  std::vector<std::vector<Gap>> gaps_;           ///< [entry], of regions that ask for nodes across gaps
  std::vector<std::vector<Int3>> cut_openings_;  ///< nodes at each opening that is no face of the box
};

}  // namespace fluvia::geometry
