// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/core/lattice/lattice.hpp"

namespace fluvia::core {

/// Where a population of direction i lives in one step: slot `slot` of the node at x + side * c_i. So side is -1 for
/// the node that the population comes from, 0 for the node itself, +1 for the node that it goes to.
///
/// A streaming is four pure functions of (parity, i):
///   read_from  where f_i is found before the collision;
///   read_cut   the same if there is no fluid node at x - c_i: the place of the bounced population;
///   write_to   where f_i is left after the collision;
///   write_cut  the same if there is no fluid node at x + c_i.
/// Half-way bounce-back, initialisation, checkpoints and halos all follow from these.
struct Access {
  int side;
  int slot;
  constexpr bool operator==(const Access&) const = default;
};

/// True if no cut link touches the storage of a node that is not fluid, so that only fluid nodes need storage.
template <class Streaming, class Lattice>
constexpr bool needs_fluid_storage_only() {
  for (int parity = 0; parity < Streaming::parities; ++parity)
    for (int i = 0; i < Lattice::Q; ++i)
      if (Streaming::read_cut(parity, i).side != 0 || Streaming::write_cut(parity, i).side != 0) return false;
  return true;
}

}  // namespace fluvia::core
