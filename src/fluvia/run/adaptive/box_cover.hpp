// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <vector>

#include "fluvia/base/vector.hpp"

namespace fluvia {

/// A box of cells first ... last.
struct CellBox {
  Int3 first{}, last{};
};

/// Boxes that cover all cells of a box of so many cells which are `wanted`, and few others: a part `fill` of each box
/// at least is wanted, and none holds a cell that is `forbidden` and not wanted. Boxes are divided where a plane of
/// cells has none wanted, else where the numbers of cells along an axis change most (M. Berger & I. Rigoutsos, IEEE
/// Trans. Syst. Man Cybern. 21 (1991) 1278).
std::vector<CellBox> cover_with_boxes(const Int3& count, const std::function<bool(const Int3&)>& wanted,
                                      const std::function<bool(const Int3&)>& forbidden, double fill);

}  // namespace fluvia
