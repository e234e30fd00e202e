// SPDX-License-Identifier: Apache-2.0
#include "fluvia/domain/levels/device_level_exchange.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "fluvia/base/error.hpp"
#include "fluvia/cuda/solver/prepared_case.hpp"
#include "fluvia/domain/device_exchange.hpp"

namespace fluvia::domain {

namespace {

/// Steps of the coarsest level in a recording, after which places and kernels repeat for every scheme.
constexpr int recorded_cycles = 2;

std::uint32_t count_of(std::size_t size) {
  if (size >= cuda::kernels::followed)
    throw_resource("refine: more passes between two levels than 30-bit numbers count; use smaller regions");
  return static_cast<std::uint32_t>(size);
}

/// By children, the numbers of the sources that they come from.
std::vector<std::uint32_t> sources_of_children(const LevelLinks& links) {
  std::vector<std::uint32_t> sources(links.children.size());
  for (std::uint32_t n = 0; n + 1 < links.sources.size(); ++n)
    for (std::uint32_t k = links.sources[n].first_child; k < links.sources[n + 1].first_child; ++k) sources[k] = n;
  return sources;
}

/// Of links that get a message.
void add_moves(const LevelLinks& links, cuda::LevelArrays& arrays) {
  std::map<std::uint32_t, std::vector<cuda::kernels::LevelPart>> moved;
  for (const LevelLinks::Transfer& transfer : links.transfers) {
    if (transfer.from < arrays.own_links) moved[transfer.from].push_back({transfer.from, 0, -transfer.part});
    if (transfer.to < arrays.own_links) moved[transfer.to].push_back({transfer.from, 0, transfer.part});
  }
  if (moved.empty()) return;
  for (const auto& [link, parts] : moved) {
    arrays.moves.push_back({link, count_of(arrays.parts.size())});
    arrays.parts.insert(arrays.parts.end(), parts.begin(), parts.end());
  }
  arrays.moves.push_back({LevelLinks::none, count_of(arrays.parts.size())});
}

/// The walls and tiles that get momentum between two levels, ascending.
using ForceGroups = std::set<std::pair<std::uint32_t, std::uint32_t>>;
ForceGroups groups_of(const LevelLinks::WallForces& forces) {
  ForceGroups groups;
  for (const auto* const list : {&forces.of_children, &forces.of_leaving[0], &forces.of_leaving[1], &forces.of_links,
                                 &forces.of_gains, &forces.of_motion})
    for (const LevelLinks::WallForce& force : *list) groups.emplace(force.surface, force.tile);
  return groups;
}

/// `child_of`: source and offset of a child.
template <class ChildOf>
void add_forces(const LevelLinks::WallForces& forces, const ChildOf& child_of, cuda::LevelArrays& arrays) {
  const std::array<const std::vector<LevelLinks::WallForce>*, 4> lists = {&forces.of_children, &forces.of_leaving[0],
                                                                          &forces.of_leaving[1], &forces.of_links};
  std::map<ForceGroups::value_type, std::array<std::vector<cuda::kernels::LevelForce>, 4>> by_group;
  for (const auto& group : groups_of(forces)) by_group[group];
  for (std::size_t k = 0; k < lists.size(); ++k)
    for (const LevelLinks::WallForce& force : *lists[k]) {
      const Real3 moment = cross(force.at, force.momentum);
      cuda::kernels::LevelForce own{force.number, 0, {}};
      if (k == 0) std::tie(own.number, own.offset) = child_of(force.number);
      for (std::size_t a = 0; a < 3; ++a) {
        own.by[a] = force.momentum[a];
        own.by[3 + a] = moment[a];
      }
      by_group[{force.surface, force.tile}][k].push_back(own);
    }
  for (const auto& [group, of_lists] : by_group) {
    cuda::kernels::LevelForceGroup& listed = arrays.force_groups.emplace_back();
    for (std::size_t k = 0; k < lists.size(); ++k) {
      listed.first[k] = count_of(arrays.forces[k].size());
      arrays.forces[k].insert(arrays.forces[k].end(), of_lists[k].begin(), of_lists[k].end());
    }
  }
  if (arrays.force_groups.empty()) return;
  cuda::kernels::LevelForceGroup& end = arrays.force_groups.emplace_back();
  for (std::size_t k = 0; k < lists.size(); ++k) end.first[k] = count_of(arrays.forces[k].size());
}

}  // namespace

cuda::LevelArrays level_arrays(const LevelShare& share, int dimension) {
  using cuda::kernels::LevelChild;
  static_assert(cuda::kernels::none == LevelLinks::none);
  const LevelLinks& links = share.links;
  cuda::LevelArrays arrays;
  arrays.own_links = static_cast<std::uint32_t>(share.own_writes);
  arrays.coarse = {links.coarse_reads.size(), share.own_reads};
  arrays.fine = {links.fine_places.size(), share.own_places};
  arrays.share = 1.0 / (1 << dimension);
  for (std::size_t n = 0; n + 1 < links.sources.size(); ++n) {
    const LevelLinks::Source& source = links.sources[n];
    cuda::kernels::LevelSource& own = arrays.sources.emplace_back();
    own.at = source.at;
    for (std::size_t a = 0; a < 3; ++a) {
      own.upper[a] = source.upper[a];
      own.lower[a] = source.lower[a];
      own.part[a] = static_cast<float>(source.part[a]);
    }
  }
  (void)count_of(arrays.sources.size());
  const std::vector<std::uint32_t> sources = sources_of_children(links);
  std::map<std::array<double, 3>, std::uint32_t> known;
  const auto child_of = [&](std::uint32_t k, std::uint32_t mark) {
    const std::array<double, 3>& offset = links.children[k].offset;
    const auto [number, is_new] = known.try_emplace(offset, count_of(arrays.offsets.size()));
    if (is_new) arrays.offsets.push_back({{offset[0], offset[1], offset[2]}});
    return LevelChild{sources[k] | mark, number->second};
  };
  for (auto& places : arrays.entering) places.assign(share.own_places, {LevelLinks::none, 0});
  for (std::uint32_t k = 0; k < links.children.size(); ++k)
    if (links.children[k].place != LevelLinks::none)
      arrays.entering[links.children[k].step][links.children[k].place] = child_of(k, 0);
  for (const LevelLinks::Passing& passing : links.passing) {
    arrays.entering[1][passing.to].source = cuda::kernels::passed_by | count_of(arrays.passing.size());
    arrays.passing.push_back(passing.from);
  }
  for (const LevelLinks::Continued& continued : links.continued) {
    arrays.entering[1][continued.place].source = cuda::kernels::followed | count_of(arrays.along_openings.size());
    arrays.along_openings.push_back({continued.near, continued.far});
  }
  for (const LevelLinks::LinkChild& child : links.link_children)
    arrays.children.push_back(child_of(child.child, child.gained ? cuda::kernels::gained_child : 0));
  for (const LevelLinks::CoarseLink& link : links.links)
    arrays.links.push_back({link.streamed, link.first_child, {link.first_leaving[0], link.first_leaving[1]}});
  arrays.leaving = links.leaving;
  add_moves(links, arrays);
  for (const LevelLinks::WallGain& gain : links.link_gains)
    arrays.link_gains.push_back({gain.to, gain.surface, gain.value});
  for (const LevelLinks::WallGain& gain : links.place_gains)
    arrays.place_gains.push_back({gain.to, gain.surface, gain.value});
  add_forces(
      links.forces,
      [&](std::uint32_t k) {
        const LevelChild child = child_of(k, 0);
        return std::pair(child.source, child.offset);
      },
      arrays);
  return arrays;
}

std::unique_ptr<Exchange> DeviceMemoryLinks::halos(const std::vector<cuda::DeviceBlock*>& parts) const {
  return std::make_unique<DeviceExchange>(parts);
}

std::unique_ptr<DeviceDelivery> DeviceMemoryLinks::values(const std::vector<DeviceEnd>& ends) const {
  return std::make_unique<MemoryDelivery>(ends, cuda::Crossing::levels);
}

namespace {

std::vector<cuda::DeviceBlock*> all_of(const std::vector<std::vector<cuda::DeviceBlock*>>& levels) {
  std::vector<cuda::DeviceBlock*> blocks;
  for (const std::vector<cuda::DeviceBlock*>& parts : levels) blocks.insert(blocks.end(), parts.begin(), parts.end());
  return blocks;
}

/// How what crosses between levels is stored: the flow in its format, scalars as they are computed.
const FormatFacts& format_of(const Plan& plan, int scalar) {
  return scalar == Neighbour::of_flow ? *plan.format : computed_format(plan.format->name);
}

/// Adds to the messages of a block values that it hands over and gets; they arrive behind its own ones at `values`.
void add_messages(const PlaceMessages& places, ExchangeLink link, int scalar, cuda::CuDevicePointer values,
                  DeviceEnd& end) {
  const std::vector<Neighbour>& neighbours = end.block->block().neighbours;
  const std::vector<cuda::DeviceMessages> messages = end.block->messages();
  const auto value = static_cast<std::size_t>(format_of(end.block->plan(), scalar).storage_bytes);
  for (const PlaceMessages::With& with : places.parts) {
    const auto to = std::ranges::find_if(neighbours, [&](const Neighbour& other) {
      return other.block == with.part && other.link == link && other.scalar == scalar;
    });
    if (to == neighbours.end())
      throw Error(ExitCode::internal, "a part does not know a neighbour that reads what crosses between levels");
    PartMessage& message = end.messages.emplace_back();
    message.neighbour = static_cast<std::size_t>(to - neighbours.begin());
    message.link = link;
    message.scalar = scalar;
    message.messages = messages[message.neighbour];
    if (!with.arriving.empty())
      message.messages.arriving = {values + with.arriving.front() * value, with.arriving.size() * value};
  }
}

}  // namespace

DeviceLevelExchange::DeviceLevelExchange(const std::vector<std::vector<cuda::DeviceBlock*>>& levels,
                                         const std::vector<std::vector<LevelShare>>& shares,
                                         const DevicePartLinks& links, cuda::KernelCache& cache,
                                         const std::function<void(const std::string&)>& warn)
    : recording_(all_of(levels), "steps of levels", warn), records_(links.records()) {
  for (const std::vector<cuda::DeviceBlock*>& blocks : levels) {
    std::vector<Part> parts;
    for (cuda::DeviceBlock* block : blocks) parts.push_back({block, cuda::Event(block->device())});
    levels_.push_back({std::move(parts), Schedule({blocks.begin(), blocks.end()}), links.halos(blocks), nullptr});
  }
  for (std::size_t l = 0; l < shares.size(); ++l) make_transfers(l, shares[l], cache);
  for (std::size_t l = 0; l < levels_.size(); ++l) {
    std::vector<DeviceEnd> ends;
    for (std::size_t p = 0; p < levels_[l].parts.size(); ++p) {
      DeviceEnd& end = ends.emplace_back(DeviceEnd{levels_[l].parts[p].block, {}});
      for (int scalar = Neighbour::of_flow; scalar < shares.front()[p].scalar_count(); ++scalar) {
        if (l > 0)
          add_messages(shares[l - 1][p].of(scalar).fine, ExchangeLink::fine_values, scalar,
                       levels_[l - 1].parts[p].transfer(scalar).fine_values(), end);
        if (l < shares.size())
          add_messages(shares[l][p].of(scalar).coarse, ExchangeLink::coarse_values, scalar,
                       levels_[l].parts[p].transfer(scalar).coarse_values(), end);
      }
    }
    levels_[l].values = links.values(ends);
  }
}

void DeviceLevelExchange::make_transfers(std::size_t level, const std::vector<LevelShare>& shares,
                                         cuda::KernelCache& cache) {
  bytes_.resize(shares.size());
  for (std::size_t p = 0; p < shares.size(); ++p) {
    const LevelShare& share = shares[p];
    Part& part = levels_[level].parts[p];
    for (int scalar = Neighbour::of_flow; scalar < share.scalar_count(); ++scalar)
      bytes_[p] += make_transfer(part, *levels_[level + 1].parts[p].block, scalar, share.of(scalar), cache);
    part.forces = share.links.forces;
  }
}

std::uint64_t DeviceLevelExchange::make_transfer(Part& part, cuda::DeviceBlock& fine, int scalar,
                                                 const LevelShare& share, cuda::KernelCache& cache) {
  cuda::DeviceBlock& coarse = *part.block;
  const std::size_t finer = neighbour_of(coarse, fine.block().level, scalar),
                    coarser = neighbour_of(fine, coarse.block().level, scalar);
  const cuda::DeviceMessages to_fine = coarse.messages()[finer], to_coarse = fine.messages()[coarser];
  const FormatFacts& format = format_of(coarse.plan(), scalar);
  const auto value = static_cast<std::size_t>(format.storage_bytes);
  if (to_fine.leaving.bytes != share.own_reads * value || to_fine.arriving.bytes != share.own_writes * value ||
      to_coarse.leaving.bytes != share.own_places * value || to_coarse.arriving.bytes != to_coarse.leaving.bytes)
    throw Error(ExitCode::internal, "two levels do not agree about what crosses between them");
  const cuda::LevelArrays arrays = level_arrays(share, coarse.geometry().nodes.dimension);
  auto transfer = std::make_unique<cuda::LevelTransfer>(coarse, fine, to_fine, to_coarse, format, arrays, cache);
  if (arrays.coarse.has_others()) coarse.pack_into(finer, transfer->coarse_values());
  if (arrays.fine.has_others()) fine.pack_into(coarser, transfer->fine_values());
  part.finer.push_back(std::move(transfer));
  return arrays.bytes(format.storage_bytes);
}

std::uint64_t exchange_bytes(const LevelShare& share, const Plan& plan) {
  std::uint64_t bytes = 0;
  for (int scalar = Neighbour::of_flow; scalar < share.scalar_count(); ++scalar)
    bytes +=
        level_arrays(share.of(scalar), plan.flow().lattice->dimension).bytes(format_of(plan, scalar).storage_bytes);
  return bytes;
}

/// What is sent to a level would overwrite what arrived a step before, but that was unpacked on the stream which the
/// message after it comes from.
void DeviceLevelExchange::begin_step(std::size_t level, int step) {
  Level& own = levels_[level];
  own.schedule.cycle(*own.halos, 1);
  own.values->start();
  if (level == 0) return;
  Level& coarser = levels_[level - 1];
  for (std::size_t p = 0; p < own.parts.size(); ++p) {
    const cuda::DeviceBlock& block = *own.parts[p].block;
    block.device().make_current();
    const cuda::Stream& stream = block.border_stream();
    if (step == 0) coarser.values->wait(p, stream);
    own.values->wait(p, stream);
    for (const auto& transfer : coarser.parts[p].finer) transfer->queue(stream, step);
    if (step == 1) coarser.parts[p].arrived.record(stream);
  }
}

void DeviceLevelExchange::end_step(std::size_t level) {
  const bool is_finest = level + 1 == levels_.size();
  for (const Part& part : levels_[level].parts) {
    part.block->device().make_current();
    if (!is_finest) part.block->border_stream().wait(part.arrived);
    part.block->queue_unpack(cuda::Crossing::levels);
  }
}

void DeviceLevelExchange::finish() const {
  for (const Level& level : levels_)
    for (const Part& part : level.parts) part.block->finish();
}

TileSums<ForceSum> DeviceLevelExchange::force_between_levels(std::size_t level, const ForceOnSurface& what) {
  TileSums<ForceSum> sums;
  for (std::size_t p = 0; p < levels_[level].parts.size(); ++p) {
    const Part& part = levels_[level].parts[p];
    const cuda::DeviceBlock& fine = *levels_[level + 1].parts[p].block;
    fine.device().make_current();
    const auto got = part.transfer(Neighbour::of_flow).forces(fine.border_stream());
    std::size_t k = 0;
    for (const auto& [surface, tile] : groups_of(part.forces)) {
      const std::array<double, 6>& of_group = got[k++];
      if (static_cast<int>(surface) != what.surface) continue;
      ForceSum sum{{of_group[0], of_group[1], of_group[2]}, {of_group[3], of_group[4], of_group[5]}};
      add_gains(part.forces, surface, tile, fine.motion_of(what.surface).scale, sum);
      sums.push_back({tile, 0, {sum.force, sum.torque - cross(what.center, sum.force)}});
    }
  }
  return sums;
}

std::int64_t DeviceLevelExchange::replay(std::int64_t wanted, const std::function<void()>& cycle) {
  const std::int64_t recordings = wanted / recorded_cycles;
  // Random bits have keys of the step that they are for.
  if (!records_ || recording_.is_refused() || recordings == 0 ||
      levels_.front().parts.front().block->plan().rounding == core::Rounding::stochastic)
    return 0;
  for (const Level& level : levels_)
    for (const Part& part : level.parts)
      if (part.block->recorded_steps(cuda::graph_passes) == 0) return 0;
  const bool is_done = recording_.replay(recordings, 1, [&] {
    for (int k = 0; k < recorded_cycles; ++k) cycle();
  });
  return is_done ? recordings * recorded_cycles : 0;
}

}  // namespace fluvia::domain
