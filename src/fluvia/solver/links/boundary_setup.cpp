// SPDX-License-Identifier: Apache-2.0
#include "fluvia/solver/links/boundary_setup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>

#include "fluvia/base/error.hpp"
#include "fluvia/case/physics/registered_physics.hpp"
#include "fluvia/core/boundary/registry.hpp"
#include "fluvia/solver/links/sheet_links.hpp"
#include "fluvia/solver/links/surface_roles.hpp"
#include "fluvia/solver/links/wall_links.hpp"
#include "fluvia/solver/links/walls/wall_edges.hpp"
#include "fluvia/solver/profiles/changing_profile.hpp"
#include "fluvia/solver/profiles/flux_scale.hpp"
#include "fluvia/solver/profiles/opening_of_levels.hpp"
#include "fluvia/solver/profiles/opening_shape.hpp"
#include "fluvia/solver/profiles/prescribed_flux.hpp"
#include "fluvia/solver/profiles/sponge_nodes.hpp"
#include "fluvia/solver/profiles/time_series.hpp"
#include "fluvia/units/limits.hpp"

namespace fluvia {

namespace {

bool velocity_varies(const Case::Boundary& b) {
  return b.profile != "uniform" || b.angular_velocity || b.turbulence;
}

/// Velocity of one boundary at a point of it (lattice units from the corner of the box), before flux scaling.
Real3 prescribed_velocity(const Case::Boundary& b, const Units& units, const Geometry& geometry, const Opening* opening,
                          const OpeningShape& profile, const Real3& point) {
  const double shape = profile ? profile(point) : 1;
  if (profile || prescribes_flux(b) || b.profile == "table") return (-shape) * opening->normal;
  return shape * wall_velocity(b, units, geometry, point);
}

core::SurfaceState surface_state(const Case::Boundary& b, const Units& units, const Geometry& geometry, int surface) {
  core::SurfaceState state;
  state.kind = boundary_kind(b.type);
  state.rule = core::boundary_rule(state.kind);
  state.length = geometry.nodes.longest_edge();
  state.sponge = units.length(b.sponge);
  const std::vector<double> values = values_in_lattice_units(b, units, geometry.nodes.dimension);
  std::copy(values.begin(), values.end(), state.values);
  if (prescribes_flux(b) && !find_opening(geometry, surface))
    throw_input(fmt::format("boundary '{}': speed and flow_rate need an opening", b.surface));
  return state;
}

/// The points around the nodes of openings in these tiles from which their conditions fit speeds.
std::vector<OpeningPoint> opening_points(const SurfaceRoles& roles, const Units& units, const Geometry& geometry,
                                         const std::string& lattice, const std::vector<CutLink>& links,
                                         const TileRange& tiles) {
  const auto wall_velocity = [&](int wall, const Real3& point) {
    const Case::Boundary* b = roles.boundary[wall];
    if (!b || roles.facts[wall]->velocity != core::VelocityKeys::wall) return Real3{};
    return prescribed_velocity(*b, units, geometry, nullptr, {}, point);
  };
  return find_opening_points({geometry, lattice, roles.facts, roles.interpolated, wall_velocity}, links, tiles);
}

/// Where a member of a communicator looks for what all need: in its own part; without a communicator everywhere.
TileRange searched(const NodeMap& nodes, const TileRange& own, const Communicator& communicator) {
  return communicator.count() > 1 ? own : TileRange{0, nodes.tiles.size()};
}

/// All nodes in sponges. Those of one layer follow each other, whoever found them.
std::vector<BoundarySetup::SpongeNode> all_sponge_nodes(const SurfaceRoles& roles, const Problem& problem,
                                                        const std::vector<Int3>& velocities, const TileRange& own) {
  const Geometry& geometry = problem.geometry;
  Communicator& communicator = problem.communicator;
  std::vector<BoundarySetup::SpongeNode> all =
      communicator.join(sponge_nodes(roles, problem, velocities, searched(geometry.nodes, own, communicator)));
  if (communicator.count() == 1) return all;
  std::vector<int> order(geometry.surfaces.size(), 0);
  const std::vector<SpongeLayer> layers = sponge_layers(roles, problem);
  for (std::size_t k = 0; k < layers.size(); ++k)
    order[static_cast<std::size_t>(layers[k].surface)] = static_cast<int>(k);
  std::stable_sort(all.begin(), all.end(),
                   [&](const auto& a, const auto& b) { return order[a.surface] < order[b.surface]; });
  return all;
}

/// Links of surfaces that act, all of them, and of those that are measured only, of own tiles; in canonical order.
std::vector<CutLink> links_of_part(const SurfaceRoles& roles, const Geometry& geometry,
                                   const std::vector<Int3>& velocities, const TileRange& own,
                                   Communicator& communicator) {
  const TileRange all{0, geometry.nodes.tiles.size()};
  if (communicator.count() == 1 && own.first == all.first && own.end == all.end)
    return collect_cut_links(geometry, velocities, roles.wanted);
  const std::vector<CutLink> acting = communicator.join(
      collect_cut_links(geometry, velocities, roles.acts, searched(geometry.nodes, own, communicator)));
  std::vector<bool> measured(roles.wanted.size());
  for (std::size_t s = 0; s < measured.size(); ++s) measured[s] = roles.wanted[s] && !roles.acts[s];
  const std::vector<CutLink> others = collect_cut_links(geometry, velocities, measured, own);
  std::vector<CutLink> links;
  links.reserve(acting.size() + others.size());
  std::merge(acting.begin(), acting.end(), others.begin(), others.end(), std::back_inserter(links),
             [](const CutLink& a, const CutLink& b) {
               return std::tuple(a.tile, a.bit, a.direction) < std::tuple(b.tile, b.bit, b.direction);
             });
  return links;
}

/// What a link of an opening lets in before its flux is scaled.
double relative_flux(const Units& units, const Geometry& geometry, const SurfaceRoles& roles,
                     const std::vector<OpeningShape>& profiles, const CutLink& link,
                     const std::vector<Int3>& velocities, const std::vector<double>& weights) {
  const auto s = static_cast<std::size_t>(link.surface);
  const WallPoint point = wall_point(geometry, link, velocities, half_way_along_link);
  const Real3 u = prescribed_velocity(*roles.boundary[s], units, geometry, find_opening(geometry, link.surface),
                                      profiles[s], point.position);
  return flux_through(geometry.nodes.node_volume(), weights[link.direction], velocities[link.direction], u);
}

/// Of each surface the part of what it lets in that comes in on this level of refinement, before fluxes are scaled; 1
/// but for openings that other levels have a part of.
std::vector<double> shares_of_level(const Units& units, const Geometry& geometry, const SurfaceRoles& roles,
                                    const std::vector<OpeningShape>& profiles, const std::vector<CutLink>& links,
                                    const std::vector<Int3>& velocities, const std::vector<double>& weights) {
  std::vector<double> share(geometry.surfaces.size(), 1.0);
  for (const Opening& opening : geometry.openings) {
    const auto s = static_cast<std::size_t>(opening.surface);
    if (!opening.of_levels || !roles.boundary[s] || !prescribes_flux(*roles.boundary[s])) continue;
    double own = 0, elsewhere = 0;
    for (const CutLink& link : links)
      if (link.surface == opening.surface)
        own += relative_flux(units, geometry, roles, profiles, link, velocities, weights);
    for_each_link_elsewhere(geometry, opening, [&](const Real3& point, double flow) {
      elsewhere += profiles[s] ? flow * profiles[s](point) : flow;
    });
    if (own + elsewhere > 0) share[s] = own / (own + elsewhere);
  }
  return share;
}

/// Factors that bring what openings prescribe to the same measure where they meet: profiles of a prescribed flux are
/// relative until all links are known. Of such openings what flux_scale() would be without corners; else 1.
std::vector<double> measures(const Units& units, const Geometry& geometry, const SurfaceRoles& roles,
                             const std::vector<OpeningShape>& profiles, const std::vector<CutLink>& links,
                             const std::vector<Int3>& velocities, const std::vector<double>& weights,
                             const std::vector<double>& share) {
  std::vector<double> flux(geometry.surfaces.size(), 0.0), measure(geometry.surfaces.size(), 1.0);
  std::vector<bool> is_relative(geometry.surfaces.size(), false);
  std::size_t inlets = 0;
  for (std::size_t s = 0; s < is_relative.size(); ++s) {
    if (!roles.facts[s]->is_opening || roles.facts[s]->velocity == core::VelocityKeys::none) continue;
    ++inlets;
    is_relative[s] = prescribes_flux(*roles.boundary[s]);
  }
  if (inlets < 2) return measure;
  for (const CutLink& link : links)
    if (is_relative[static_cast<std::size_t>(link.surface)])
      flux[static_cast<std::size_t>(link.surface)] +=
          relative_flux(units, geometry, roles, profiles, link, velocities, weights);
  for (std::size_t s = 0; s < measure.size(); ++s)
    if (is_relative[s] && flux[s] > 0)
      measure[s] = flux_scale(*roles.boundary[s], units, geometry, static_cast<int>(s), flux[s], share[s]);
  return measure;
}

/// The changing profile of an opening, made of the links that are its own, and their velocities at time 0. `shape`: of
/// a profile that does not change.
ChangingProfile changing_profile(const Case& c, const Case::Boundary& b, const Units& units, const OpeningPlane& plane,
                                 const std::vector<double>& weights, const OpeningShape& shape, Links& links) {
  ChangingProfile profile;
  std::vector<Real3> rates, steady;
  const double volume = plane.geometry.nodes.node_volume();
  profile.surface = plane.opening.surface;
  profile.inwards = -1.0 * plane.opening.normal;
  for (std::size_t k = 0; k < links.size(); ++k) {
    const CutLink& link = links.at[k];
    if (link.surface != profile.surface) continue;
    profile.links.push_back(static_cast<std::uint32_t>(k));
    profile.points.push_back(wall_point(plane.geometry, link, plane.velocities, half_way_along_link).position);
    profile.flux.push_back(
        flux_through(volume, weights[link.direction], plane.velocities[link.direction], profile.inwards));
    if (!b.turbulence) continue;
    rates.push_back(rates_through(volume, weights[link.direction], plane.velocities[link.direction]));
    steady.push_back(links.velocity[k]);
  }
  if (b.turbulence && changes_shape(c, b, plane.geometry.nodes.dimension))
    throw_input(
        fmt::format("boundary '{}': turbulence comes in with a flow that does not change, and '{}' has speeds "
                    "at several times; give those of one time, or remove turbulence",
                    b.surface, b.profile_file.string()));
  if (b.turbulence)
    add_turbulence(b, units, plane, shape, std::move(steady), std::move(rates), profile);
  else
    add_modes(c, b, units, plane, profile);
  TurbulentInflow::Frames frames;
  const std::vector<Real3> first = profile.velocities(0, frames);
  for (std::size_t k = 0; k < first.size(); ++k) links.velocity[profile.links[k]] = first[k];
  return profile;
}

/// The largest speed of the links of a changing profile, with what a series multiplies it by.
double fastest_of(const Case& c, const Case::Boundary& b, const ChangingProfile& profile) {
  std::optional<TimeSeries> series;
  if (!b.series.empty() && !takes_series(b)) series = read_series(c, b);
  std::vector<double> times = profile.times;
  if (series) times.insert(times.end(), series->times().begin(), series->times().end());
  double fastest = 0;
  TurbulentInflow::Frames frames;
  for (const double time : times) {
    const double factor = series ? std::abs(b.series_scale * series->at(time)) : 1;
    for (const Real3& u : profile.velocities(time, frames)) fastest = std::max(fastest, factor * norm(u));
  }
  return fastest;
}

/// Throws where a surface that turns, or a profile or flow rate, makes for speeds beyond the limit. What a series
/// multiplies is known here only of profiles that change their shape.
void check_speeds(const Problem& problem, const SurfaceRoles& roles, const Links& links,
                  const std::vector<ChangingProfile>& changing) {
  const Case& c = problem.settings;
  std::vector<double> fastest(problem.geometry.surfaces.size(), 0.0);
  std::vector<bool> changes(problem.geometry.surfaces.size(), false);
  for (std::size_t k = 0; k < links.size(); ++k) {
    const std::size_t s = links.at[k].surface;
    fastest[s] = std::max(fastest[s], (roles.interpolated[s] ? 2 : 1) * norm(links.velocity[k]));
  }
  for (const ChangingProfile& profile : changing) {
    fastest[profile.surface] = fastest_of(c, *roles.boundary[profile.surface], profile);
    changes[profile.surface] = true;
  }
  for (std::size_t i = 0; i < c.boundaries.size(); ++i) {
    const Case::Boundary& b = c.boundaries[i];
    const int surface = find_surface(problem.geometry, b.surface);
    const double speed = fastest[surface];
    if (b.series.empty() || changes[surface])
      check_speed(c, problem.units, "boundary[" + std::to_string(i) + "]", problem.units.si_velocity(speed), speed);
  }
}

/// How surfaces act on the links that they cut.
struct LinkPhysics {
  const Problem& problem;
  const SurfaceRoles& roles;
  const std::vector<Int3>& velocities;
  std::vector<OpeningShape> profiles;  ///< per surface
  std::vector<double> measure;         ///< per surface: measures()

  /// Gives links their columns, but for velocities.
  void prepare(Links& links, bool with_depth) const {
    const auto any = [](const std::vector<bool>& of) { return std::find(of.begin(), of.end(), true) != of.end(); };
    if (any(roles.interpolated))
      links.distance = wall_distances(problem.geometry, velocities, links.at, roles.interpolated);
    links.velocity.resize(links.size());
    if (std::any_of(roles.facts.begin(), roles.facts.end(), [](const auto* f) { return f->needs_normal; }))
      links.normal.resize(links.size());
    with_depth = with_depth || std::any_of(roles.facts.begin(), roles.facts.end(),
                                           [](const auto* f) { return !f->is_opening && f->sees_opening(); });
    if (with_depth) links.depth.resize(links.size(), 0.5f);
    EdgesOfWalls edges(problem.geometry, roles.facts, velocities);
    for (std::size_t k = 0; k < links.size(); ++k) {
      const CutLink& link = links.at[k];
      const core::ConditionFacts& facts = *roles.facts[link.surface];
      if (facts.needs_normal) links.normal[k] = normal_at(problem.geometry, link, velocities[link.direction]);
      if (facts.models_friction && edges.are_beside(link, links.normal[k])) links.normal[k] = {};
      if (facts.needs_plane_fit && with_depth) links.depth[k] = depth_behind_opening(problem.geometry, link);
      if (!facts.is_opening && facts.sees_opening())
        links.depth[k] = distance_from_wall(problem.geometry, link, velocities[link.direction]);
    }
  }
  /// Velocity of the surface of a link where it cuts it, if it has one.
  [[nodiscard]] std::optional<Real3> velocity(const Links& links, std::size_t k) const {
    const CutLink& link = links.at[k];
    if (roles.facts[link.surface]->velocity == core::VelocityKeys::none) return {};
    const Geometry& geometry = problem.geometry;
    const Int3 x = geometry.nodes.node_position(geometry.nodes.tiles[link.tile], link.bit);
    return velocity_on_link(geometry, roles, link.surface, x, velocities[link.direction], links.part(k),
                            [&](int surface, const Real3& point) {
                              const auto s = static_cast<std::size_t>(surface);
                              if (!roles.boundary[s] || roles.facts[s]->velocity == core::VelocityKeys::none)
                                return Real3{};
                              return measure[s] / measure[link.surface] *
                                     prescribed_velocity(*roles.boundary[s], problem.units, geometry,
                                                         find_opening(geometry, surface), profiles[s], point);
                            });
  }
};

/// Whether a surface is an opening that other levels of refinement meet, of which this one may have but the sponge.
bool is_elsewhere(const Geometry& geometry, int surface) {
  const Opening* const opening = find_opening(geometry, surface);
  return opening != nullptr && opening->of_levels != nullptr;
}

/// What is interpolated lacks the wall's share once, what was bounced back in the middle of a link twice.
Real3 stored_velocity(bool interpolated, const Real3& u) {
  return interpolated ? 0.5 * u : u;
}

}  // namespace

std::vector<SurfaceForce> carried_momentum(const BoundarySetup& setup, const Geometry& geometry,
                                           const SurfaceRoles& roles) {
  const std::vector<Int3>& directions = facts_of_lattice(setup.lattice).velocities;
  const std::vector<double>& weights = facts_of_lattice(setup.lattice).weights;
  std::vector<SurfaceForce> carried(setup.surfaces.size());
  for (std::size_t k = 0; k < setup.links.size(); ++k) {
    const CutLink& link = setup.links.at[k];
    const Int3& c = directions[link.direction];
    const Real3 u = (roles.interpolated[link.surface] ? 2 : 1) * setup.links.velocity[k];
    const Int3 x = geometry.nodes.node_position(geometry.nodes.tiles[link.tile], link.bit);
    const LinkSurfaces sharers = sharers_of(geometry, x, {-c[0], -c[1], -c[2]}, link.surface, roles.is_free);
    const Real3 momentum =
        (flux_through(geometry.nodes.node_volume(), weights[link.direction], c, u) / sharers.count) * u;
    for (const int surface : sharers.list()) {
      SurfaceForce& sum = carried[static_cast<std::size_t>(surface)];
      sum.force = sum.force + momentum;
      sum.torque = sum.torque + cross(wall_point(geometry, link, directions, setup.links.part(k)).position, momentum);
    }
  }
  return carried;
}

SurfaceForce wall_force(SurfaceForce exchanged, const SurfaceForce& carried, double scale, const Real3& center) {
  exchanged.force = exchanged.force + scale * scale * carried.force;
  exchanged.torque = exchanged.torque + scale * scale * (carried.torque - cross(center, carried.force));
  return exchanged;
}

std::vector<double> values_in_lattice_units(const Case::Boundary& b, const Units& units, int dimension) {
  std::vector<double> values;
  for (const core::Key& key : keys_of(facts_of_boundary(b.type))) {
    const auto given = b.values.find(key.name);
    const double value = given == b.values.end() ? key.standard : given->second;
    // Pressures of openings are gauge pressures; those of other tables are stresses.
    values.push_back(key.dimension == core::Dimension::pressure
                         ? units.gauge_pressure(value)
                         : in_lattice_units(value, key.dimension, units, dimension));
  }
  return values;
}

BoundaryCount count_boundaries(const Problem& problem, const std::string& lattice) {
  const Geometry& geometry = problem.geometry;
  Communicator& communicator = problem.communicator;
  const SurfaceRoles roles = surface_roles(problem.settings, geometry, lattice);
  const std::vector<Int3>& velocities = facts_of_lattice(lattice).velocities;
  const TileRange own = geometry.nodes.share_of(communicator);
  const std::vector<CutLinkCount> counts = count_cut_links(geometry, velocities, roles.wanted, communicator);
  BoundaryCount result;
  for (std::size_t s = 0; s < counts.size(); ++s) {
    if (roles.monitored[s]) result.monitored_links += counts[s].links;
    if (!roles.acts[s]) continue;
    const std::uint64_t records = velocity_varies(*roles.boundary[s]) ? counts[s].links : counts[s].nodes;
    result.records += records;
    result.memory += records * static_cast<std::uint64_t>(roles.facts[s]->memory);
    result.changing_bytes += records * bytes_per_link(problem.settings, *roles.boundary[s], geometry.nodes.dimension);
  }
  std::uint64_t others = 0;  // links on which monitored faces have a share, but that another one owns
  for (const MeasuredLink& link :
       find_shared_links(geometry, velocities, roles.monitored, roles.is_free, roles.slides, own)) {
    const Int3& v = velocities[link.at.direction];
    const Int3 x = geometry.nodes.node_position(geometry.nodes.tiles[link.at.tile], link.at.bit);
    others += geometry.surface_of(x, {-v[0], -v[1], -v[2]}) != link.at.surface ? 1 : 0;
  }
  communicator.sum({&others, 1});
  result.monitored_links += others;
  std::uint64_t damped = sponge_nodes(roles, problem, velocities, own).size();
  communicator.sum({&damped, 1});
  result.records += damped;
  result.memory += damped * core::Sponge::memory_size;
  std::vector<bool> wanted(counts.size());
  for (std::size_t s = 0; s < counts.size(); ++s)
    wanted[s] = roles.facts[s]->upstream != core::Upstream::never || roles.facts[s]->needs_plane_fit;
  const std::vector<CutLink> links = communicator.join(collect_cut_links(geometry, velocities, wanted, own));
  for (const UpstreamNode& node : watched_nodes(
           find_upstream_nodes(geometry.nodes, links, StepsOfConditions{geometry, roles.facts, velocities}), links)) {
    ++result.records;
    result.memory += static_cast<std::uint64_t>(roles.facts[node.surface]->memory);
  }
  result.fits =
      fit_size(lattice, communicator.join(opening_points(roles, problem.units, geometry, lattice, links, own)));
  return result;
}

BoundarySetup make_boundary_setup(const Problem& problem, const std::string& lattice,
                                  const std::optional<TileRange>& own_tiles) {
  const Case& c = problem.settings;
  const Units& units = problem.units;
  const Geometry& geometry = problem.geometry;
  Communicator& communicator = problem.communicator;
  const TileRange own = own_tiles.value_or(TileRange{0, geometry.nodes.tiles.size()});
  const std::vector<Int3>& velocities = facts_of_lattice(lattice).velocities;
  const std::vector<double>& weights = facts_of_lattice(lattice).weights;
  BoundarySetup setup;
  const std::size_t count = geometry.surfaces.size();
  const SurfaceRoles roles = surface_roles(c, geometry, lattice);
  setup.acts = roles.acts;
  setup.ranks = surface_ranks(geometry, roles);
  setup.monitored = roles.monitored;
  setup.surfaces.resize(count);
  for (std::size_t s = 0; s < count; ++s)
    if (roles.boundary[s]) setup.surfaces[s] = surface_state(*roles.boundary[s], units, geometry, static_cast<int>(s));

  std::vector<double> flux(count, 0.0);
  std::vector<bool> seen(count, false);
  Links& links = setup.links;
  links.at = links_of_part(roles, geometry, velocities, own, communicator);
  setup.shared = find_shared_links(geometry, velocities, roles.monitored, roles.is_free, roles.slides, own);
  setup.seconds = second_openings(geometry, links.at, velocities, roles.is_free);
  setup.upstream = find_upstream_nodes(geometry.nodes, links.at, StepsOfConditions{geometry, roles.facts, velocities});
  setup.sponge = all_sponge_nodes(roles, problem, velocities, own);
  setup.lattice = lattice;
  setup.points = communicator.join(
      opening_points(roles, units, geometry, lattice, links.at, searched(geometry.nodes, own, communicator)));
  LinkPhysics physics{problem, roles, velocities, std::vector<OpeningShape>(count), {}};
  physics.prepare(links, !setup.points.empty());
  std::vector<bool> sticks(count);
  for (std::size_t s = 0; s < count; ++s) sticks[s] = roles.facts[s]->sticks;
  for (std::size_t s = 0; s < count; ++s)
    if (roles.boundary[s])
      physics.profiles[s] = shape_of(c, *roles.boundary[s], units, geometry,
                                     find_opening(geometry, static_cast<int>(s)), links.at, velocities, sticks);
  const std::vector<double> share =
      shares_of_level(units, geometry, roles, physics.profiles, links.at, velocities, weights);
  physics.measure = measures(units, geometry, roles, physics.profiles, links.at, velocities, weights, share);
  for (std::size_t k = 0; k < links.size(); ++k) {
    const CutLink& link = links.at[k];
    const core::ConditionFacts& facts = *roles.facts[link.surface];
    const Int3& v = velocities[link.direction];
    seen[link.surface] = true;
    const std::optional<Real3> velocity = physics.velocity(links, k);
    if (!velocity) continue;
    // Where the fluid moves with the wall, such a link brings that much, wherever the wall cuts it.
    const double rate = flux_through(geometry.nodes.node_volume(), weights[link.direction], v, *velocity);
    flux[link.surface] += rate;
    if (facts.velocity == core::VelocityKeys::wall) {
      add_corner_flow(geometry, link, v, rate, setup.corners);
      if (roles.interpolated[link.surface]) add_strip_flow(geometry, link, v, *velocity, setup.corners);
    }
    if (facts.velocity == core::VelocityKeys::opening) {
      Real3 rates{};
      for (int axis = 0; axis < 3; ++axis) {
        Real3 part{};
        part[axis] = (*velocity)[axis];
        rates[axis] = flux_through(geometry.nodes.node_volume(), weights[link.direction], v, part);
      }
      flux[link.surface] -= add_edge_flow(geometry, link, v, rates, setup.corners);
    }
    links.velocity[k] = stored_velocity(roles.interpolated[link.surface], *velocity);
  }
  for (std::size_t surface = 0; surface < count; ++surface)
    if (setup.acts[surface] && !seen[surface] && !roles.boundary[surface]->by_default &&
        !is_elsewhere(geometry, static_cast<int>(surface)))
      throw_input(fmt::format("boundary '{}': this surface touches no fluid node; check its place and size",
                              geometry.surfaces[surface]));
  const std::vector<double> scale = flux_scales(units, geometry, roles, flux, share, physics.measure, setup);
  for (std::size_t k = 0; k < links.size(); ++k) links.velocity[k] = scale[links.at[k].surface] * links.velocity[k];
  for (std::size_t s = 0; s < count; ++s)
    if (const Case::Boundary* b = roles.boundary[s]; b && changes_in_time(c, *b, geometry.nodes.dimension))
      if (const Opening* opening = find_opening(geometry, static_cast<int>(s)))
        setup.changing.push_back(changing_profile(c, *b, units, {geometry, *opening, links.at, velocities, sticks},
                                                  weights, physics.profiles[s], links));
  check_speeds(problem, roles, links, setup.changing);
  setup.carried = carried_momentum(setup, geometry, roles);
  return setup;
}

TileLinks links_of_tiles(const Problem& problem, const std::string& lattice, std::span<const std::uint32_t> tiles) {
  const Geometry& geometry = problem.geometry;
  const std::size_t count = geometry.surfaces.size();
  const std::vector<Int3>& velocities = facts_of_lattice(lattice).velocities;
  const SurfaceRoles roles = surface_roles(problem.settings, geometry, lattice);
  const LinkPhysics physics{problem, roles, velocities, std::vector<OpeningShape>(count),
                            std::vector<double>(count, 1.0)};
  TileLinks links;
  links.acting.at = collect_cut_links(geometry, velocities, roles.wanted, tiles);
  physics.prepare(links.acting, false);
  for (std::size_t k = 0; k < links.acting.size(); ++k)
    if (const std::optional<Real3> velocity = physics.velocity(links.acting, k))
      links.acting.velocity[k] = stored_velocity(roles.interpolated[links.acting.at[k].surface], *velocity);
  links.walls.at =
      without_sheets(geometry.nodes, velocities, collect_cut_links(geometry, velocities, roles.interpolated, tiles));
  links.walls.distance = wall_distances(geometry, velocities, links.walls.at, roles.interpolated);
  return links;
}

}  // namespace fluvia
