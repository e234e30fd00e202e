// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <tuple>
#include <vector>

#include "fluvia/core/boundary/condition.hpp"
#include "fluvia/geometry/geometry.hpp"

namespace fluvia {

/// A link between a fluid node and a surface: direction i arrives at the node from x - c_i, where there is no fluid.
struct CutLink {
  std::uint32_t tile;
  std::uint16_t surface;
  std::uint8_t bit;        ///< of the node in its tile
  std::uint8_t direction;  ///< i

  /// By which links are in canonical order.
  [[nodiscard]] auto key() const { return std::tuple(tile, bit, direction); }
};

/// Cut links as a structure of arrays, in canonical node order. What conditions, forces and pictures ask of them is
/// found once; columns that nobody needs are empty.
struct Links {
  std::vector<CutLink> at;
  std::vector<Real3> velocity;               ///< of the surface at the link, lattice units; zero where it has none
  std::vector<std::array<float, 3>> normal;  ///< unit, out of the fluid
  std::vector<float> depth;                  ///< of the node behind the plane of its opening, nodes
  std::vector<std::uint8_t> distance;        ///< of the surface from the node, for core::wall_distance()

  [[nodiscard]] std::size_t size() const { return at.size(); }
  /// Where the surface acts on link k, in parts of it: half-way if nothing else is known.
  [[nodiscard]] double part(std::size_t k) const;
  /// Appends a link of others with all that is known of it.
  void append(const Links& others, std::size_t k);
};

inline constexpr double half_way_along_link = 0.5;  ///< where openings act on links

/// What a link of an opening along c, whose boundary moves with velocity u, lets in: its share of the discrete flux.
inline double flux_through(double node_volume, double weight, const Int3& c, const Real3& u) {
  return node_volume * 6 * weight * (c[0] * u[0] + c[1] * u[1] + c[2] * u[2]);
}

/// What such a link lets in at velocities of 1 along each axis.
inline Real3 rates_through(double node_volume, double weight, const Int3& c) {
  return {node_volume * 6 * weight * c[0], node_volume * 6 * weight * c[1], node_volume * 6 * weight * c[2]};
}

/// Unit normal of a surface where it cuts a link, out of the fluid; of voxels that know none, the link itself.
std::array<float, 3> normal_at(const Geometry& geometry, const CutLink& link, const Int3& c);
/// How far the node of a link lies before the wall that cuts it, along the wall's normal, nodes: half-way if the
/// geometry knows no distance.
float distance_from_wall(const Geometry& geometry, const CutLink& link, const Int3& c);

/// A node with links that a surface cuts, and the one upstream of it.
struct UpstreamNode {
  std::uint32_t tile, upstream_tile;
  std::uint16_t surface;
  std::uint8_t bit, upstream_bit;  ///< of the nodes in their tiles
  float distance;                  ///< between both, along the normal
};

/// A step upstream of a surface, and how far that is along its normal.
struct UpstreamStep {
  Int3 step{};  ///< (0, 0, 0): none
  float distance = 0;
};
/// The step to the neighbour that lies nearest to the normal, among these velocities: to all neighbours along which the
/// normal has more than half of its largest component, or else the lattice's nearest; no step where the lattice does
/// not go along axes (D3Q13, on which other neighbours may not be stored).
UpstreamStep upstream_step(const Real3& normal, const std::vector<Int3>& velocities);

/// The step upstream of the surface where it cuts a link.
using StepOfLink = std::function<UpstreamStep(const CutLink& link)>;

/// The steps that conditions ask for: of openings along their normal, of walls along theirs at the link.
struct StepsOfConditions {
  const Geometry& geometry;
  const std::vector<const core::ConditionFacts*>& facts;  ///< per surface
  const std::vector<Int3>& velocities;                    ///< of the lattice

  UpstreamStep operator()(const CutLink& link) const;
};

/// For every node of `links`, in canonical order, the fluid node one step upstream, if there is one; of the links of a
/// node that one surface cuts the first says where that is.
std::vector<UpstreamNode> find_upstream_nodes(const NodeMap& nodes, const std::vector<CutLink>& links,
                                              const StepOfLink& step_of);

/// The nodes of `nodes` whose node upstream has no link in `links` that their surface cuts, each upstream node once.
std::vector<UpstreamNode> watched_nodes(std::vector<UpstreamNode> nodes, const std::vector<CutLink>& links);

/// Where links lead along which f_i arrives, -c_i, as LinkSearch takes them. That of rest populations is never cut.
std::vector<Int3> link_offsets(const std::vector<Int3>& velocities);
/// How many cut links a surface has, and how many nodes have one.
struct CutLinkCount {
  std::uint64_t links = 0, nodes = 0;
  std::uint64_t opposed = 0;  ///< at most so many nodes have links cut along opposite directions, by it or by two
};

/// Counts the cut links of each surface with wanted[surface] without keeping them; zero for the other surfaces. Each
/// member of `communicator` counts in its share of the tiles, and all get the sums.
std::vector<CutLinkCount> count_cut_links(const Geometry& geometry, const std::vector<Int3>& velocities,
                                          const std::vector<bool>& wanted,
                                          Communicator& communicator = communicator_of_one());

/// Cut links of the surfaces with wanted[surface], in canonical node order.
std::vector<CutLink> collect_cut_links(const Geometry& geometry, const std::vector<Int3>& velocities,
                                       const std::vector<bool>& wanted);
/// Collects cut links of nodes in these tiles only, which ascend.
std::vector<CutLink> collect_cut_links(const Geometry& geometry, const std::vector<Int3>& velocities,
                                       const std::vector<bool>& wanted, const TileRange& tiles);
std::vector<CutLink> collect_cut_links(const Geometry& geometry, const std::vector<Int3>& velocities,
                                       const std::vector<bool>& wanted, std::span<const std::uint32_t> tiles);

}  // namespace fluvia
