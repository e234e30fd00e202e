// SPDX-License-Identifier: Apache-2.0
// A domain is blocks, together all of it. Each owns an interval of the tiles in canonical order, whatever the shape of
// the flow, and stores besides the nodes that links of its own nodes lead to: its halo. To its storage these are fluid
// nodes like any other, so streamings, schemes and formats know nothing of blocks. After each step a block gets what
// arrives at its nodes from nodes that others own; where that lies, the streaming's read_from says.
//
// Where parts exchange after several steps only, halos are as deep (docs/decisions/0033): a block steps own nodes
// and those of its halo that own ones depend on meanwhile, and gets whatever arrives at any of these from what others
// own. Each step is right for nodes one link fewer away, so that the last one is for the own ones.
#pragma once
#include <cstdint>
#include <vector>

#include "fluvia/geometry/map/node_map.hpp"
#include "fluvia/solver/blocks/tile_sums.hpp"
#include "fluvia/solver/plan/domain.hpp"

namespace fluvia {

struct Geometry;

/// A population that crosses from one block to another, and where the storage of this side has it: where it arrives
/// at a node along a direction. What crosses over a plane of symmetry lies at the end of the pair (exchanged_links.hpp)
/// that this side has; all else is the same for both.
struct HaloPopulation {
  std::uint32_t tile;
  std::uint8_t bit;  ///< of the node that it arrives at, in its tile
  std::uint8_t direction;
  bool is_cut;  ///< it lies where the streaming reads cut links: a wall or a plane of symmetry sent it back
  /// Where the receiver has it, by which both sides sort what they exchange.
  struct Arrival {
    std::uint32_t tile;
    std::uint8_t bit, direction;
  } arrival;
};

/// Some nodes of a tile.
struct NodesOfTile {
  std::uint32_t tile;
  std::uint64_t mask;
};
/// Fluid nodes around those that a block owns, by the fewest steps that lead there: 1, 2, ... By tile.
using Halo = std::vector<std::vector<NodesOfTile>>;

/// What happens to what crosses from one block to another: it is copied, bit for bit, or, between levels of refinement,
/// handed over as numbers of which others are made (domain/levels/level_exchange.hpp). Such numbers of a coarse or a
/// fine level go to other parts, too, where they arrive in no block, but where those others are made.
enum class ExchangeLink { copy, coarse_to_fine, fine_to_coarse, coarse_values, fine_values };

/// What one block exchanges with another, both lists by direction, then by row of the box. Between levels of
/// refinement, whose blocks share no nodes: what is read of this block's populations and what is written, in any order.
struct Neighbour {
  int block = 0;                           ///< its number
  ExchangeLink link = ExchangeLink::copy;  ///< of what arrives from it
  /// Of which distribution: a scalar of Plan::scalars by its number, or the flow, with which what is copied of all
  /// scalars goes along.
  int scalar = of_flow;
  static constexpr int of_flow = -1;
  TileRange tiles;                      ///< that it owns
  std::vector<HaloPopulation> arrives;  ///< at nodes that this block steps; none where whole nodes cross
  std::vector<HaloPopulation> leaves;   ///< to nodes that the neighbour steps; likewise
  Halo halo;                            ///< that of the neighbour, as far as this block owns it
};

struct Block {
  int number = 0;   ///< in canonical order
  int level = 0;    ///< of refinement; 0 is the coarsest
  TileRange tiles;  ///< that it owns
  std::vector<Neighbour> neighbours;
  int steps = 1;                             ///< between exchanges, at most
  std::vector<Int3> velocities;              ///< of the lattice: to all nodes that one depends on in a step
  Halo halo;                                 ///< as many steps along them as time steps between exchanges
  std::vector<NodesOfTile> beside_solids{};  ///< own nodes beside solids in which scalars spread

  /// Whether a fluid node is stepped: all own ones, and of the halo all but the last.
  [[nodiscard]] bool takes(std::uint32_t tile, int bit) const;
  /// Tiles that others own with nodes that it takes, in canonical order.
  [[nodiscard]] std::vector<TileRange> stepped_halo_tiles() const;
};

/// First tiles of `parts` intervals with as many fluid nodes each as whole tiles allow, and the end of the last. If a
/// border takes as long as `border_cost` updates of nodes for each fluid node of its plane, those with more borders get
/// fewer nodes, at most 2.5% from the mean. Throws Error(input) if there are fewer tiles than parts.
std::vector<std::uint64_t> cut_tiles(const NodeMap& nodes, int parts, double border_cost = 0);

/// Those of blocks that are stepped side by side.
std::vector<std::uint64_t> domain_cuts(const NodeMap& nodes, const Domain& domain);

/// The block that has a tile.
int part_with(const std::vector<std::uint64_t>& cuts, std::uint64_t tile);

/// One of the blocks, with what its nodes exchange along the velocities of a lattice after so many steps.
Block make_block(const NodeMap& nodes, const std::vector<Int3>& velocities, const std::vector<std::uint64_t>& cuts,
                 int part, int steps = 1, Crosses crosses = Crosses::populations);
/// Whether a node is in a halo, however far.
bool contains(const Halo& halo, std::uint32_t tile, int bit);
/// The part of a halo that lies in a range of tiles.
Halo part_of(const Halo& halo, const TileRange& tiles);

/// A domain in one piece.
Block whole_domain(const NodeMap& nodes);

/// The nodes that a block stores: its own and its halo. Coordinates are those of the whole box.
NodeMap stored_nodes(const NodeMap& nodes, const Block& block);
/// The nodes of its halo that it steps, too, likewise.
NodeMap stepped_halo(const NodeMap& nodes, const Block& block);

/// Forgets what a part does not see: all but the layers of tiles with nodes that it stores, and those beside them.
void keep_local_part(NodeMap& nodes, const Block& block);
/// Drops what a part does not see from a geometry, with all that knows where surfaces are: for a part that has been set
/// up.
void keep_local_part(Geometry& geometry, const Block& block);

/// What a partition costs.
struct PartitionFacts {
  int steps = 1;                                 ///< between exchanges
  std::vector<std::uint64_t> nodes, halo_nodes;  ///< per part
  std::vector<std::uint64_t> halo_populations;   ///< per part: numbers that it receives in each exchange
  std::vector<std::uint64_t> repeated;           ///< per part: updates between exchanges of nodes that others own
  std::vector<int> neighbours;                   ///< per part
  /// The largest part over the mean, less 1.
  [[nodiscard]] double imbalance() const;
  /// The largest halo over the nodes that its part owns.
  [[nodiscard]] double largest_halo() const;
};
/// `cuts`: those of cut_tiles(). `numbers`: what each node of a halo brings, where whole nodes cross, or 0. Each member
/// of `communicator` looks at its share of the parts, and all get the facts of all.
PartitionFacts partition_facts(const NodeMap& nodes, const std::vector<Int3>& velocities,
                               const std::vector<std::uint64_t>& cuts, int steps = 1, int numbers = 0,
                               Communicator& communicator = communicator_of_one());

}  // namespace fluvia
