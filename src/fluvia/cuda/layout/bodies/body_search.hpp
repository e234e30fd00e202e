// SPDX-License-Identifier: Apache-2.0
// What kernels are told that look for the links of bodies, kernels/bodies/search.hpp. Needs no GPU.
#pragma once
#include <bit>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "fluvia/cuda/layout/bodies/body_arrays.hpp"

namespace fluvia::cuda {

class BodySearchArrays {
 public:
  BodySearchArrays(StorageIndexOfTile storage_index_of, std::vector<Int3> velocities, std::vector<double> weights)
      : storage_index_of_(std::move(storage_index_of)),
        velocities_(std::move(velocities)),
        weights_(std::move(weights)) {}

  /// Takes bodies that leave their links (MovingBodies::leave_links()) where they are now. Whether parts(), fluid() and
  /// pieces() are others than before: they are as long as bodies stay in the tiles around them.
  bool take(const MovingBodies& bodies);

  [[nodiscard]] const std::vector<core::BodyPart>& parts() const { return parts_; }
  [[nodiscard]] const std::vector<std::uint64_t>& fluid() const { return fluid_; }
  [[nodiscard]] const std::vector<kernels::BodyPiece>& pieces() const { return pieces_; }
  [[nodiscard]] const std::vector<kernels::SearchedBody>& bodies() const { return bodies_; }
  [[nodiscard]] const std::vector<std::uint32_t>& beside() const { return beside_; }
  /// Copies what all bodies cover: as many masks as fluid() has.
  static void put_covered(const MovingBodies& bodies, std::uint64_t* to);

  /// A piece in which links were looked for: where its tile begins, as its body sees it.
  struct Place {
    Int3 first;
    std::uint8_t body;
  };
  [[nodiscard]] std::vector<Place> places() const;

 private:
  void lay_tiles(const MovingBodies& bodies);
  void append_pieces(const FluidNodes& fluid, const Int3& first, kernels::BodyPiece piece);

  StorageIndexOfTile storage_index_of_;
  std::vector<Int3> velocities_;
  std::vector<double> weights_;
  struct Tiles {
    Int3 low, size;
    friend bool operator==(const Tiles&, const Tiles&) = default;
  };
  std::vector<Tiles> tiles_;  ///< around each body
  std::vector<core::BodyPart> parts_;
  std::vector<std::uint32_t> part_counts_;  ///< of each body
  std::vector<std::uint64_t> fluid_;
  std::vector<kernels::BodyPiece> pieces_;
  std::vector<std::uint32_t> first_pieces_;  ///< of each of fluid(), and their end
  std::vector<kernels::SearchedBody> bodies_;
  std::vector<std::uint32_t> beside_;
};

/// Links that kernels listed, as MovingBodies has them: what a list says of the pieces in `places`.
template <class T>
std::vector<BodyLink> links_of(std::span<const BodySearchArrays::Place> places,
                               std::span<const kernels::TileReference> tiles, std::span<const kernels::BodyNode> nodes,
                               std::span<const kernels::BodyLinkNumbers<T>> links, int dimension) {
  std::vector<BodyLink> all;
  all.reserve(links.size());
  for (std::size_t k = 0; k < tiles.size(); ++k) {
    const Int3& first = places[k].first;
    std::size_t at = tiles[k].output;
    for (std::uint64_t left = tiles[k].mask; left != 0; left &= left - 1) {
      const Int3 local = tile_local(dimension, std::countr_zero(left));
      const kernels::BodyNode& node = nodes[at++];
      std::size_t link = node.first;
      for (std::uint32_t directions = node.directions; directions != 0; directions &= directions - 1) {
        const int direction = std::countr_zero(directions);
        all.push_back({{first[0] + local[0], first[1] + local[1], first[2] + local[2]},
                       static_cast<std::uint8_t>(direction),
                       places[k].body,
                       (node.through >> direction & 1) != 0,
                       false,  // those at walls are found by the host
                       static_cast<double>(links[link++].part)});
      }
    }
  }
  return all;
}

}  // namespace fluvia::cuda
