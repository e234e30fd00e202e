// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cuda/solver/carried_scalars.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <utility>

#include "fluvia/base/error.hpp"
#include "fluvia/cuda/layout/scalars/scalar_arguments.hpp"

namespace fluvia::cuda {

namespace {

constexpr unsigned threads_of_scalars = 128;
constexpr std::uint64_t no_tile = std::numeric_limits<std::uint64_t>::max();

unsigned blocks_for(std::uint64_t items) {
  return static_cast<unsigned>((items + threads_of_scalars - 1) / threads_of_scalars);
}

}  // namespace

template <class T>
CarriedScalars<T>::CarriedScalars(const BlockKernels& on, const BlockFlow<T>& flow, PreparedCase& prepared,
                                  const Problem& problem, const std::vector<ScalarMethod>& methods,
                                  DeviceArrays& arrays)
    : on_(on),
      flow_(flow),
      methods_(methods),
      of_part_(std::move(prepared.scalar_map)),
      nodes_(prepared.part ? of_part_ : on.nodes),
      storage_(std::move(prepared.scalar_nodes)),
      own_{on.nodes.tiles[on.block.tiles.first].first_node,
           on.nodes.nodes_of(on.block.tiles.first, on.block.tiles.count())},
      shift_(prepared.first_scalar_node - own_.first),
      size_(on.layout->wall_storage_indices()),
      time_step_(problem.units.time_step),
      sums_(on.device, prepared.scalar_sums() * sizeof(kernels::ScalarSums), "sums of scalars") {
  const Stream& stream = on.channel.stream;
  const std::vector<std::uint64_t> tiles = list_nodes();
  std::vector<kernels::CarriedScalar<T>> all;
  for (std::size_t k = 0; k < methods_.size(); ++k) {
    fields_.emplace_back(problem, k);
    ScalarArrays& from = prepared.scalars[k];
    Of& of = of_.emplace_back();
    of.surfaces = from.surfaces;
    for (const ScalarCutLink& cut : from.cuts) {
      of.surface_of_cut.push_back(cut.surface);
      of.tile_of_cut.push_back(cut.node < tiles.size() ? tiles[cut.node] : no_tile);
      of.area_of_cut.push_back(cut.area);
      of.capacity_of_cut.push_back(capacity_of(from, cut));
    }
    of.blocks.push_back({0, static_cast<std::uint32_t>(from.flow_blocks())});
    for (std::size_t solid = 0; solid < from.method.solids.size(); ++solid) of.blocks.push_back(from.blocks_of(solid));
    of.solid_nodes = from.solid_nodes;
    of.solid_room = from.solid_room();
    most_solid_nodes_ = std::max(most_solid_nodes_, static_cast<std::uint32_t>(of.solid_room));
    most_links_ = std::max(most_links_, static_cast<std::uint32_t>(from.cuts.size() + from.joints.size()));
    for (DeviceBuffer& copy : of.populations)
      copy = DeviceBuffer(on.device, from.elements() * sizeof(T), "the scalar '" + from.method.name + "'");
    of.gained = DeviceBuffer(on.device, from.cuts.size() * sizeof(T), "what scalars gain at surfaces");
    of.rules = DeviceBuffer(on.device, from.surfaces.size() * sizeof(kernels::ScalarRule<T>), "rules of scalars");
    give_rules(k);
    kernels::CarriedScalar<T>& scalar = all.emplace_back();
    for (int copy = 0; copy < 2; ++copy) {
      of.populations[copy].fill(stream, 0);
      scalar.populations[copy] = of.populations[copy].template data<T>();
    }
    of.source = std::move(from.source);
    if (!of.source.empty()) {
      of.sources = DeviceBuffer(on.device, of.source.size() * sizeof(T), "sources of scalars");
      give_sources(k);
      scalar.source = of.sources.template data<T>();
    }
    scalar.blocks = arrays.give(from.blocks, "ways of scalars");
    scalar.places = arrays.give(from.places, "ways of scalars");
    scalar.cuts = arrays.give(cuts_as<T>(from.cuts), "cut links of scalars");
    scalar.surfaces = of.rules.template data<kernels::ScalarRule<T>>();
    scalar.gained = of.gained.template data<T>();
    scalar.joints = arrays.give(joints_as<T>(from.joints), "cells of scalars that end at walls");
    std::vector<ScalarJoint> of_borders;
    for (const ScalarBorder& border : from.borders)
      of_borders.insert(of_borders.end(), border.joints.begin(), border.joints.end());
    scalar.border_joints = arrays.give(joints_as<T>(of_borders), "cells of scalars that end at walls");
    scalar.border_joint_count = static_cast<std::uint32_t>(of_borders.size());
    const std::vector<std::uint32_t> elsewhere = from.elsewhere();
    scalar.elsewhere = arrays.give(elsewhere, "what passes between solids and the fluid of other parts");
    scalar.elsewhere_count = static_cast<std::uint32_t>(elsewhere.size());
    most_border_joints_ = std::max(most_border_joints_, scalar.border_joint_count + scalar.elsewhere_count);
    scalar.joint_count = static_cast<std::uint32_t>(from.joints.size());
    if (!of.solid_nodes.empty()) {
      for (const ScalarJoint& joint : from.joints) {
        of.surface_of_joint.push_back(joint.surface);
        of.area_of_joint.push_back(joint.area);
      }
      of.passed = DeviceBuffer(on.device, from.joints.size() * sizeof(T), "what solids pass on");
      scalar.passed = of.passed.template data<T>();
      scalar.material_of_block = arrays.give(from.material_of_block, "materials of solids");
      scalar.solid_places = arrays.give(from.solid_places, "ways of scalars in solids");
      scalar.solid_nodes = static_cast<std::uint32_t>(of.solid_room);
    }
    scalar.materials = arrays.give(materials_as<T>(from), "materials of solids");
    if (!from.volume.empty())
      scalar.volume = arrays.give(std::vector<T>(from.volume.begin(), from.volume.end()), "cells that end at walls");
    if (!from.strength.empty()) scalar.strengths = arrays.give(strengths_as<T>(from), "cells that end at walls");
    scalar.cut_count = static_cast<std::uint32_t>(from.cuts.size());
    std::copy(from.regular.begin(), from.regular.end(), scalar.regular);
    scalar.rates = rates_of<T>(from.method, from.method.diffusivity);
    of.solids = std::move(from.solids);
    scalar.expansion = static_cast<T>(from.method.expansion);
  }
  arguments_.all = arrays.give(all, "scalars");
  arguments_.touched = arrays.give(prepared.touched.numbers, "velocities at surfaces");
  arguments_.velocities = static_cast<T*>(arrays.room(prepared.touched.bytes(sizeof(T)), "velocities at surfaces"));
  arguments_.size = size_;
  for (int axis = 0; axis < 3; ++axis)
    arguments_.gravity[axis] = static_cast<T>(problem.units.acceleration(problem.settings.physics.gravity[axis]));
  stream.synchronize();  // what was copied is not kept here
  initialise();          // a flow at rest is not told its velocities
}

/// Returns the tile of each number of a node of the flow.
template <class T>
std::vector<std::uint64_t> CarriedScalars<T>::list_nodes() {
  std::vector<std::uint64_t> tiles(size_, no_tile);
  std::uint64_t n = 0;
  for (const NodeMap::Tile& tile : nodes_.tiles) {
    const bool is_own = n - shift_ >= own_.first && n - shift_ < own_.first + own_.count;
    const std::uint64_t number = on_.nodes.tile_at(tile.position);
    for (std::uint64_t rest = tile.mask; rest != 0; rest &= rest - 1, ++n) {
      tiles[storage_[n]] = number;
      if (!is_own)
        halo_.emplace_back(
            static_cast<std::uint64_t>(on_.nodes.node_index(nodes_.node_position(tile, std::countr_zero(rest)))), n);
    }
  }
  return tiles;
}

template <class T>
kernels::FlowScalars<T> CarriedScalars<T>::view(std::int64_t update) const {
  kernels::FlowScalars<T> scalars = arguments_;
  scalars.parity = static_cast<std::uint32_t>(update % 2);
  return scalars;
}

template <class T>
void CarriedScalars<T>::queue_completion(const Stream& stream) const {
  if (most_solid_nodes_ > 0)
    on_.kernels.get(KernelKind::step_solids, 0)
        .launch(stream, {{blocks_for(most_solid_nodes_), static_cast<unsigned>(of_.size())}, {threads_of_scalars}},
                view(flow_.updates()));
  if (most_links_ == 0) return;
  on_.kernels.get(KernelKind::complete_scalars, 0)
      .launch(stream, {{blocks_for(most_links_), static_cast<unsigned>(of_.size())}, {threads_of_scalars}},
              view(flow_.updates()));
}

template <class T>
void CarriedScalars<T>::exchange_through(const PreparedCase& prepared, const DeviceBuffer& leaving,
                                         const DeviceBuffer& arriving) {
  leaves_.emplace(on_.device, on_.channel.stream, prepared.scalars_leaving, 1, leaving);
  arrives_.emplace(on_.device, on_.channel.stream, prepared.scalars_arriving, 1, arriving);
  for (const KernelKind kind : {KernelKind::pack_scalars, KernelKind::unpack_scalars}) on_.kernels.get(kind, 0);
  if (most_border_joints_ > 0) on_.kernels.get(KernelKind::join_scalars, 0);
  on_.channel.stream.synchronize();
}

template <class T>
void CarriedScalars<T>::pack_into(std::size_t neighbour, CuDevicePointer message) {
  leaves_->place(on_.channel.stream, neighbour, message);
}

template <class T>
void CarriedScalars<T>::queue_pack(const Stream& stream, std::int64_t update, Crossing crossing) const {
  carry(stream, KernelKind::pack_scalars, *leaves_, update, crossing);
}

template <class T>
void CarriedScalars<T>::queue_unpack(const Stream& stream, std::int64_t update, Crossing crossing) const {
  carry(stream, KernelKind::unpack_scalars, *arrives_, update, crossing);
  if (most_border_joints_ == 0 || crossing != Crossing::halos) return;
  on_.kernels.get(KernelKind::join_scalars, 0)
      .launch(stream, {{blocks_for(most_border_joints_), static_cast<unsigned>(of_.size())}, {threads_of_scalars}},
              view(update));
}

template <class T>
void CarriedScalars<T>::carry(const Stream& stream, KernelKind kind, const MessageLists& lists, std::int64_t update,
                              Crossing crossing) const {
  const kernels::MessageBlocks messages = of_crossing(lists, 0, on_.block, crossing);
  if (messages.count > 0)
    on_.kernels.get(kind, 0).launch(stream, {{messages.count}, {kernels::message_threads}}, messages, view(update));
}

template <class T>
void CarriedScalars<T>::initialise(const Solver::InitialState* state) {
  set_step(0);
  const Stream& stream = on_.channel.stream;
  std::vector<T> velocity(3 * storage_.size(), T(0));
  if (state != nullptr) {
    std::uint64_t n = 0;
    for (const NodeMap::Tile& tile : nodes_.tiles)
      for (std::uint64_t rest = tile.mask; rest != 0; rest &= rest - 1, ++n) {
        double density = 1;
        Real3 u{};
        (*state)(nodes_.node_position(tile, std::countr_zero(rest)), density, u);
        for (int axis = 0; axis < 3; ++axis)
          velocity[static_cast<std::uint64_t>(axis) * storage_.size() + n] = static_cast<T>(u[axis]);
      }
  }
  for (std::size_t k = 0; k < methods_.size(); ++k) {
    std::vector<T> populations(of_[k].populations[0].bytes() / sizeof(T), T(0));
    place(k, velocity, populations);
    now(k).upload(stream, populations.data(), populations.size() * sizeof(T));
    for (const DeviceBuffer* const of_last_step : {&of_[k].gained, &of_[k].passed}) of_last_step->fill(stream, 0);
    stream.synchronize();
  }
  mark_changed();
}

template <class T>
void CarriedScalars<T>::place(std::size_t scalar, const std::vector<T>& velocity, std::vector<T>& populations) const {
  const Of& of = of_[scalar];
  const ScalarMethod& method = methods_[scalar];
  const auto place_in = [&](const NodeMap& nodes, std::size_t row_number, const auto& velocity_of) {
    core::for_each_type(core::ScalarLattices{}, [&]<class Lattice>(Lattice) {
      if (method.lattice->name != Lattice::name) return;
#pragma omp parallel for schedule(static)
      for (std::size_t t = 0; t < nodes.tiles.size(); ++t) {
        std::uint64_t n = nodes.tiles[t].first_node;
        for (std::uint64_t rest = nodes.tiles[t].mask; rest != 0; rest &= rest - 1, ++n) {
          const Int3 position = nodes.node_position(nodes.tiles[t], std::countr_zero(rest));
          const std::uint32_t node = row(row_number, 0).nodes[n];
          const T value = static_cast<T>(fields_[scalar].initial(position) - method.reference);
          T g[Lattice::Q];
          core::place_scalar<Lattice>(g, 1, value, {velocity_of(n, 0), velocity_of(n, 1), velocity_of(n, 2)},
                                      of.source.empty() ? T(0) : static_cast<T>(of.source[node]));
          for (int i = 0; i < Lattice::Q; ++i) populations[row(row_number, i).offset + node] = g[i];
        }
      }
    });
  };
  place_in(nodes_, scalar, [&](std::uint64_t n, std::uint64_t axis) { return velocity[axis * storage_.size() + n]; });
  if (of.solid_nodes.empty()) return;
  std::size_t of_solids = methods_.size();
  for (std::size_t k = 0; k < scalar; ++k) of_solids += methods_[k].solids.empty() ? 0 : 1;
  place_in(of.solids.nodes, of_solids, [](std::uint64_t, std::uint64_t) { return T(0); });
}

template <class T>
std::size_t CarriedScalars<T>::rows() const {
  return methods_.size() + static_cast<std::size_t>(std::count_if(methods_.begin(), methods_.end(),
                                                                  [](const auto& m) { return !m.solids.empty(); }));
}

template <class T>
typename CarriedScalars<T>::Row CarriedScalars<T>::row(std::size_t number, int component) const {
  const auto k = static_cast<std::uint64_t>(component);
  if (number < methods_.size()) return {number, storage_, k * size_};
  std::size_t behind = number - methods_.size(), scalar = 0;
  while (methods_[scalar].solids.empty() || behind-- > 0) ++scalar;
  const Of& of = of_[scalar];
  const auto directions = static_cast<std::uint64_t>(methods_[scalar].lattice->directions);
  return {scalar, of.solid_nodes, directions * size_ + k * of.solid_room - kernels::first_solid_node(size_)};
}

template <class T>
EntryRange CarriedScalars<T>::span_of(const Row& row, const EntryRange& entries) {
  const std::span<const std::uint32_t> nodes = row.nodes.subspan(entries.first, entries.count);
  const auto [least, most] = std::minmax_element(nodes.begin(), nodes.end());
  return {row.offset + *least, std::uint64_t{*most} - *least + 1};
}

template <class T>
void CarriedScalars<T>::save(std::size_t number, int component, const EntryRange& entries,
                             std::span<std::byte> out) const {
  if (entries.count == 0) return;
  const Row from = row(number, component);
  const EntryRange places{entries.first + (number < methods_.size() ? shift_ : 0), entries.count};
  const EntryRange span = span_of(from, places);
  std::vector<T> numbers(span.count);
  now(from.scalar).download(on_.channel.stream, numbers.data(), span.count * sizeof(T), span.first * sizeof(T));
  on_.channel.stream.synchronize();
  for (std::uint64_t k = 0; k < entries.count; ++k)
    std::memcpy(out.data() + k * sizeof(T), &numbers[from.offset + from.nodes[places.first + k] - span.first],
                sizeof(T));
}

template <class T>
void CarriedScalars<T>::load(std::size_t number, int component, const EntryRange& entries,
                             std::span<const std::byte> in) {
  mark_changed();
  const Row to = row(number, component);
  if (number >= methods_.size()) return load(to, entries, in);
  const std::uint64_t end = entries.first + entries.count, first_own = std::max(entries.first, own_.first),
                      end_own = std::min(end, own_.first + own_.count);
  const auto from = [&](std::uint64_t node) { return in.subspan((node - entries.first) * sizeof(T)); };
  if (first_own < end_own) load(to, {first_own + shift_, end_own - first_own}, from(first_own));
  // Nodes of the halo that follow each other on both sides are loaded at once.
  for (auto node = std::lower_bound(halo_.begin(), halo_.end(), std::pair{entries.first, std::uint64_t{0}});
       node != halo_.end() && node->first < end;) {
    auto next = node + 1;
    while (next != halo_.end() && next->first < end && next->first == (next - 1)->first + 1 &&
           next->second == (next - 1)->second + 1)
      ++next;
    load(to, {node->second, static_cast<std::uint64_t>(next - node)}, from(node->first));
    node = next;
  }
}

template <class T>
void CarriedScalars<T>::load(const Row& to, const EntryRange& entries, std::span<const std::byte> in) const {
  if (entries.count == 0) return;
  const EntryRange span = span_of(to, entries);
  const std::size_t bytes = span.count * sizeof(T), offset = span.first * sizeof(T);
  std::vector<T> numbers(span.count);
  now(to.scalar).download(on_.channel.stream, numbers.data(), bytes, offset);
  on_.channel.stream.synchronize();
  for (std::uint64_t k = 0; k < entries.count; ++k)
    std::memcpy(&numbers[to.offset + to.nodes[entries.first + k] - span.first], in.data() + k * sizeof(T), sizeof(T));
  now(to.scalar).upload(on_.channel.stream, numbers.data(), bytes, offset);
  on_.channel.stream.synchronize();
}

template <class T>
double CarriedScalars<T>::value(std::size_t scalar, std::uint64_t node) const {
  return value_at(scalar, storage_[node + shift_]);
}

template <class T>
std::optional<double> CarriedScalars<T>::value_in_solid(std::size_t scalar, const Int3& node) const {
  const std::int64_t found = of_[scalar].solids.find(node);
  if (found < 0) return {};
  return value_at(scalar, of_[scalar].solid_nodes[static_cast<std::size_t>(found)]);
}

template <class T>
double CarriedScalars<T>::value_at(std::size_t scalar, std::uint32_t node) const {
  const Of& of = of_[scalar];
  if (!of.has_values) {
    const std::lock_guard lock(reading_);
    if (!of.has_values) read_values(scalar);
  }
  return methods_[scalar].reference + static_cast<double>(of.values[node]);
}

template <class T>
void CarriedScalars<T>::read_values(std::size_t scalar) const {
  const Of& of = of_[scalar];
  on_.device.make_current();
  const std::uint64_t numbers = of.solid_room == 0 ? size_ : kernels::first_solid_node(size_) + of.solid_room;
  of.values.resize(numbers);
  on_.kernels.get(KernelKind::scalar_values, 0)
      .launch(on_.channel.stream, {{blocks_for(numbers)}, {threads_of_scalars}}, view(flow_.updates()),
              static_cast<kernels::Uint32>(scalar), room(scalar).template data<T>());
  room(scalar).download(on_.channel.stream, of.values.data(), numbers * sizeof(T));
  on_.channel.stream.synchronize();
  of.has_values = true;
}

template <class T>
TileSums<ScalarSum> CarriedScalars<T>::sums(const ScalarTotals& what) const {
  const std::lock_guard lock(reading_);
  on_.device.make_current();
  const ScalarArrays::Blocks blocks =
      of_[static_cast<std::size_t>(what.scalar)].blocks[static_cast<std::size_t>(what.solid - ScalarTotals::fluid)];
  std::vector<kernels::ScalarSums> parts((blocks.end - blocks.first + kernels::summed_scalar_blocks - 1) /
                                         kernels::summed_scalar_blocks);
  on_.kernels.get(KernelKind::sum_scalars, 0)
      .launch(on_.channel.stream,
              {{static_cast<unsigned>(parts.size())}, {static_cast<unsigned>(kernels::nodes_per_tile)}},
              view(flow_.updates()), static_cast<kernels::Uint32>(what.scalar), blocks.first, blocks.end,
              sums_.template data<kernels::ScalarSums>());
  sums_.download(on_.channel.stream, parts.data(), parts.size() * sizeof(parts[0]));
  on_.channel.stream.synchronize();
  ScalarSum all;
  for (const kernels::ScalarSums& part : parts)
    if (part.nodes > 0)
      all = all + ScalarSum{part.volume, part.value, part.source, part.least, part.most, part.finite != 0};
  return what.solid == ScalarTotals::fluid ? as_one(all) : of_first_tile(all);
}

template <class T>
TileSums<ScalarPassage> CarriedScalars<T>::sums(const ScalarThrough& what) const {
  const std::lock_guard lock(reading_);
  const Of& of = of_[static_cast<std::size_t>(what.scalar)];
  const DeviceBuffer& passed = what.from_solid ? of.passed : of.gained;
  const std::vector<std::uint16_t>& surfaces = what.from_solid ? of.surface_of_joint : of.surface_of_cut;
  const std::vector<double>& areas = what.from_solid ? of.area_of_joint : of.area_of_cut;
  std::vector<T> numbers(surfaces.size());
  if (numbers.empty()) return {};
  on_.device.make_current();
  passed.download(on_.channel.stream, numbers.data(), numbers.size() * sizeof(T));
  on_.channel.stream.synchronize();
  // Of the fluid by tiles, as on CPUs; solids, which all parts have, with the first tile.
  TileSums<ScalarPassage> sums;
  ScalarPassage of_solids;
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    if (surfaces[k] != what.surface) continue;
    const auto rate = static_cast<double>(numbers[k]);
    const bool in_solid = what.from_solid || of.tile_of_cut[k] == no_tile;
    const ScalarPassage one{what.from_solid ? rate : rate * of.capacity_of_cut[k], areas[k]};
    if (in_solid) {
      of_solids = of_solids + one;
      continue;
    }
    if (sums.empty() || sums.back().first != of.tile_of_cut[k]) sums.push_back({of.tile_of_cut[k], 0, {}});
    sums.back().value = sums.back().value + one;
  }
  if (what.from_solid) return of_first_tile(of_solids);
  if (of_solids.area != 0 && on_.block.tiles.first == 0) {
    if (sums.empty() || sums.front().first != 0) sums.insert(sums.begin(), {0, 0, {}});
    sums.front().value = sums.front().value + of_solids;
  }
  return reduced(sums, on_.block.tiles);
}

template <class T>
void CarriedScalars<T>::give_rules(std::size_t scalar) const {
  const std::vector<kernels::ScalarRule<T>> rules = rules_as<T>(of_[scalar].surfaces);
  of_[scalar].rules.upload(on_.channel.stream, rules.data(), rules.size() * sizeof(rules[0]));
}

template <class T>
void CarriedScalars<T>::give_sources(std::size_t scalar) const {
  const std::vector<T> sources(of_[scalar].source.begin(), of_[scalar].source.end());
  of_[scalar].sources.upload(on_.channel.stream, sources.data(), sources.size() * sizeof(T));
}

template <class T>
void CarriedScalars<T>::set(const ScalarValue& of) {
  const auto scalar = static_cast<std::size_t>(of.scalar), at = static_cast<std::size_t>(of.surface);
  set_value(of_[scalar].surfaces[at], of.value, on_.shared_geometry->surfaces[at], methods_[scalar]);
  on_.device.make_current();
  give_rules(scalar);
}

template <class T>
void CarriedScalars<T>::set_step(std::int64_t step) {
  const double time = time_step_ * static_cast<double>(step);
  on_.device.make_current();
  for (std::size_t k = 0; k < of_.size(); ++k) {
    Of& of = of_[k];
    ScalarFields& fields = fields_[k];
    const bool surfaces_change = fluvia::set_time(of.surfaces, time);
    if (surfaces_change) give_rules(k);
    if (fields.source_changes()) {
      fields.set_time(time);
      take_sources(fields, nodes_, storage_, of.source);
      take_solid_sources(fields, methods_[k], of.solids, of.solid_nodes, of.source);
      give_sources(k);
      of.has_values = false;
    }
    change_in_time_ = change_in_time_ || surfaces_change || fields.source_changes();
  }
}

template class CarriedScalars<float>;
template class CarriedScalars<double>;

}  // namespace fluvia::cuda
