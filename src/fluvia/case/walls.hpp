// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/case/case.hpp"

namespace fluvia {

/// The source of a wall: one that says where the wall is, or an image of cells that only says which are solid.
enum class WallSource { shape, stl, generator, image };

/// Whether walls from `source` lie where they are, part of a link from the fluid node (true), or half-way. The only
/// function that knows what `walls.method = "auto"` means.
bool walls_are_interpolated(const Case::Walls& walls, WallSource source);

/// Whether any wall of the case is interpolated.
bool has_interpolated_walls(const Case& c);

/// Gives the walls at rest that no boundary names one of the type that `walls.model` asks for, so that a case says the
/// same as one that names them all; surfaces of bodies that move are none. Throws Error(input) where there is none, or
/// keys of a model are there without one.
void add_wall_models(Case& c);

/// Whether walls of the case lie half-way along links though their source says where they are.
bool has_displaced_walls(const Case& c);

}  // namespace fluvia
