// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cpu/scalars/scalar_transport.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "fluvia/base/error.hpp"
#include "fluvia/core/scalar/conditions.hpp"
#include "fluvia/cpu/buffer.hpp"
#include "fluvia/cpu/flush_denormals.hpp"
#include "fluvia/cpu/physics/pack.hpp"
#include "fluvia/cpu/scalars/scalar_joints.hpp"
#include "fluvia/cpu/scalars/scalar_runs.hpp"
#include "fluvia/cpu/scalars/tile_slices.hpp"

namespace fluvia::cpu {

namespace {

template <class Lattice, class T>
class TransportOn final : public ScalarTransport<T> {
 public:
  TransportOn(const Problem& problem, const ScalarMethod& method, const ScalarFields& fields,
              const ScalarStorage& storage, int threads)
      : method_(method),
        threads_(threads),
        all_(storage.all),
        own_(storage.own),
        first_own_(storage.nodes.first_own()),
        solids_(make_scalar_solids(problem, method)),
        flow_size_(storage.indices),
        fluid_nodes_(storage.of_nodes.size()),
        storage_(storage.of_nodes),
        size_(place_solids(storage.of_nodes)),
        surface_names_(problem.geometry.surfaces),
        surfaces_(scalar_surfaces(problem, method)) {
    for (const ScalarMaterial& material : solids_.material)
      rates_.push_back(core::scalar_rates<Lattice, T>(material.diffusivity, method.magic));
    {
      ScalarWays ways = make_scalar_ways(problem, method, surfaces_, solids_, storage.nodes);
      runs_ = ScalarRuns(ways, method, storage_, size_,
                         [&](std::uint64_t number) { return number >= fluid_nodes_ || storage.nodes.owns(number); });
      links_ = std::move(ways.links);
      // Vectors may be read behind the last lane.
      for (Buffer& copy : memory_)
        copy = Buffer((Lattice::Q * size_ + std::max<std::uint64_t>(group_lanes, ways.besides)) * sizeof(T));
      for (ScalarJoint& joint : ways.joints) {
        for (std::uint32_t& place : joint.back) store(place);
        if (joint.says != ScalarJoint::nothing) store(joint.says);
      }
      joints_ = ScalarJoints<Lattice, T>(std::move(ways.joints), size_, rates_);
      borders_ = ScalarBorders<T>(std::move(ways.borders), [this](std::uint32_t& place) { store(place); });
      if (!ways.volume.empty()) {
        volume_.assign(size_, T(1));
        for (std::uint64_t n = 0; n < fluid_nodes_; ++n) volume_[storage_[n]] = static_cast<T>(ways.volume[n]);
      }
      index_strong_nodes(ways.strength, storage.nodes);
    }
    gained_.assign(links_.size(), T(0));
    index_links();
    show_surfaces();
    bool any = fields.has_source();
    for (const ScalarSolid& solid : method_.solids) any = any || fields.has_source_in(solid.number);
    if (!any) return;
    source_.assign(size_, T(0));
    take_sources(storage.nodes.stored(), fields);
  }

  void initialise(const NodeMap& nodes, const ScalarFields& fields, const T* velocity) override {
    T* const populations = current();
    const auto place = [&](std::uint64_t n, const Int3& position, const T(&u)[3]) {
      const T value = static_cast<T>(fields.initial(position) - method_.reference);
      T g[Lattice::Q];
      core::place_scalar<Lattice>(g, 1, value, u, source(n));
      for (int i = 0; i < Lattice::Q; ++i) populations[i * size_ + n] = g[i];
    };
    for_each_position(nodes, [&](std::uint64_t node, const Int3& position) {
      const std::uint64_t n = storage_[node];
      T u[3] = {T(0), T(0), T(0)};
      if (velocity != nullptr)
        for (std::uint64_t axis = 0; axis < 3; ++axis) u[axis] = velocity[axis * flow_size_ + n];
      place(n, position, u);
    });
    for_each_position(solids_.nodes, [&](std::uint64_t node, const Int3& position) {
      place(storage_[fluid_nodes_ + node], position, {T(0), T(0), T(0)});
    });
    std::fill(gained_.begin(), gained_.end(), T(0));
    joints_.restart();
  }

  void step(std::uint64_t group, const T (&velocity)[3][group_lanes]) override {
    step_with(group, velocity, rates_.front());
  }

  void step_with(std::uint64_t group, const T (&velocity)[3][group_lanes], const core::ScalarRates<T>& of_group) {
    using P = Pack<T>;
    const std::uint64_t first = group * group_lanes;
    const int lanes = runs_.lanes(group);
    const std::span<const ScalarRun> runs = runs_.of(group);
    const T* const now = current() + first;
    T* const next = other();
    alignas(64) T block[Lattice::Q * group_lanes];
    T* out[Lattice::Q];
    out[0] = next + first;
    for (int i = 1; i < Lattice::Q; ++i) out[i] = block + i * group_lanes;
    for (const ScalarRun& run : runs)
      if (run.count == lanes) out[run.direction] = next + run.place;  // all lanes at once
    const core::ScalarRates<P> rates{P(of_group.plus), P(of_group.minus)};
    for (int lane = 0; lane < lanes; lane += P::size) {
      P g[Lattice::Q];
      core::unroll<Lattice::Q>([&](auto i) { g[i.i] = P::load(now + i.i * size_ + lane); });
      const P sources = source_.empty() ? P(T(0)) : P::load(source_.data() + first + lane);
      const P u[3] = {P::load(velocity[0] + lane), P::load(velocity[1] + lane), P::load(velocity[2] + lane)};
      core::collide_scalar<Lattice>(g, 1, core::scalar_of<Lattice>(g, 1, sources), u, sources, rates);
      if (lane + P::size <= lanes)
        core::unroll<Lattice::Q>([&](auto i) { g[i.i].store(out[i.i] + lane); });
      else
        core::unroll<Lattice::Q>([&](auto i) { g[i.i].store_first(out[i.i] + lane, lanes - lane); });
    }
    for (std::size_t k = first_strong_.empty() ? 0 : first_strong_[group];
         k < (first_strong_.empty() ? 0 : first_strong_[group + 1]); ++k)
      step_strong(strong_[k], velocity, first, out);
    for (const ScalarRun& run : runs)
      if (run.count != lanes)
        for (int k = 0; k < run.count; ++k)
          next[run.place + static_cast<std::uint32_t>(k)] = block[run.direction * group_lanes + run.lane + k];
    for (std::uint32_t k = first_link_[group]; k < first_link_[group + 1]; ++k) {
      const std::uint32_t link = by_group_[k];
      const auto lane = static_cast<int>(storage_[links_[link].node] - first);
      complete(link, {velocity[0][lane], velocity[1][lane], velocity[2][lane]}, out[links_[link].out][lane]);
    }
  }

  /// A node whose cell is smaller than its faces, which spreads more than others (core::ScalarCell).
  struct StrongNode {
    std::uint32_t index;  ///< of storage
    T strength;
    core::ScalarRates<T> rates;
  };
  /// Replaces what leaves such a node, lane by lane.
  void step_strong(const StrongNode& strong, const T (&velocity)[3][group_lanes], std::uint64_t first, T* const* out) {
    const std::uint64_t index = strong.index, lane = index - first;
    const T* const now = current();
    T g[Lattice::Q];
    for (std::uint64_t i = 0; i < Lattice::Q; ++i) g[i] = now[i * size_ + index];
    const T u[3] = {strong.strength * velocity[0][lane], strong.strength * velocity[1][lane],
                    strong.strength * velocity[2][lane]};
    core::collide_scalar<Lattice>(g, 1, core::scalar_of<Lattice>(g, 1, source(index)), u, source(index), strong.rates);
    for (std::uint64_t i = 0; i < Lattice::Q; ++i) out[i][lane] = g[i];
  }
  /// Finds these nodes of each group that are stepped. `strength`: by node of the fluid; empty: there are none.
  void index_strong_nodes(const std::vector<float>& strength, const ScalarNodes& nodes) {
    for (std::uint64_t n = 0; n < strength.size(); ++n)
      if (strength[n] != 1 && nodes.owns(n))
        strong_.push_back({storage_[n], static_cast<T>(strength[n]),
                           core::scalar_rates<Lattice, T>(strength[n] * method_.diffusivity, method_.magic)});
    if (strong_.empty()) return;
    std::sort(strong_.begin(), strong_.end(),
              [](const StrongNode& a, const StrongNode& b) { return a.index < b.index; });
    std::size_t k = 0;
    for (std::uint64_t first = 0; first <= size_; first += group_lanes) {
      while (k < strong_.size() && strong_[k].index < first) ++k;
      first_strong_.push_back(k);
    }
  }

  void finish_step() override {
    if (!group_material_.empty() || joints_.count() > 0) step_solids();
    swapped_ = !swapped_;
    has_told_ = false;
  }

  [[nodiscard]] ScalarMessage message(std::size_t neighbour) const override { return borders_.message(neighbour); }
  void pack(std::size_t neighbour, std::byte* out) override {
    if (!has_told_) joints_.tell(copies());
    has_told_ = true;
    borders_.pack(neighbour, other(), out);
  }
  void unpack(std::size_t neighbour, const std::byte* in) override {
    borders_.unpack(neighbour, in, current());
    for (const std::uint32_t k : borders_.at_solids(neighbour)) joints_.pass_to_solid(k, current());
  }

  [[nodiscard]] T* populations() const override { return current(); }
  [[nodiscard]] std::uint64_t element(int direction, std::uint64_t index) const override {
    return static_cast<std::uint64_t>(direction) * size_ + index;
  }

  [[nodiscard]] T excess(std::uint64_t index) const override {
    const T* const populations = current();
    T g[Lattice::Q];
    for (int i = 0; i < Lattice::Q; ++i) g[i] = populations[i * size_ + index];
    return core::scalar_of<Lattice>(g, 1, source(index));
  }

  void add_lift(std::uint64_t group, T (&lift)[group_lanes]) const override {
    using P = Pack<T>;
    if (method_.expansion == 0) return;  // nor may a passive one that is not finite spoil the flow
    const P factor(static_cast<T>(-method_.expansion));
    const T* const now = current() + group * group_lanes;
    for (int lane = 0; lane < group_lanes; lane += P::size) {
      P g[Lattice::Q];
      core::unroll<Lattice::Q>([&](auto i) { g[i.i] = P::load(now + i.i * size_ + lane); });
      const P sources = source_.empty() ? P(T(0)) : P::load(source_.data() + group * group_lanes + lane);
      (P::load(lift + lane) + factor * core::scalar_of<Lattice>(g, 1, sources)).store(lift + lane);
    }
  }

  void save(int component, const EntryRange& entries, std::span<std::byte> out) const override {
    const T* const populations = current() + static_cast<std::uint64_t>(component) * size_;
    for (std::uint64_t k = 0; k < entries.count; ++k)
      std::memcpy(out.data() + k * sizeof(T), populations + storage_[entries.first + k], sizeof(T));
  }
  void load(int component, const EntryRange& entries, std::span<const std::byte> in) override {
    T* const populations = current() + static_cast<std::uint64_t>(component) * size_;
    for (std::uint64_t k = 0; k < entries.count; ++k)
      std::memcpy(populations + storage_[entries.first + k], in.data() + k * sizeof(T), sizeof(T));
  }

  [[nodiscard]] std::uint64_t solid_nodes() const override { return solids_.count(); }

  [[nodiscard]] TileSums<ScalarSum> sums() const override {
    return sums_of_tiles<ScalarSum>(own_, threads_, [this](std::uint64_t tile) {
      ScalarSum sum;
      const std::uint64_t first = number_of_first(tile), nodes = all_.nodes_of(tile, 1);
      for (std::uint64_t n = first; n < first + nodes; ++n) add(storage_[n], sum);
      return sum;
    });
  }
  [[nodiscard]] TileSums<ScalarSum> sums_in(std::size_t solid) const override {
    const auto [first, count] = of_material_[solid];
    ScalarSum sum;
    for (std::uint64_t n = first; n < first + count; ++n) add(n, sum);
    return of_first_tile(sum);
  }
  [[nodiscard]] std::optional<double> value_in_solid(const Int3& node) const override {
    const std::int64_t in_solid = solids_.find(node);
    if (in_solid < 0) return {};
    return method_.reference +
           static_cast<double>(excess(storage_[fluid_nodes_ + static_cast<std::uint64_t>(in_solid)]));
  }

  [[nodiscard]] TileSums<ScalarPassage> through(int surface) const override {
    TileSums<ScalarPassage> sums;
    ScalarPassage in_solids;
    std::uint64_t tile = own_.first;
    for (std::size_t k = 0; k < gained_.size(); ++k) {
      const ScalarCutLink& link = links_[k];
      if (link.surface != surface) continue;
      const ScalarPassage passed{gained_[k] * link.volume * solids_.material[material_of(link.node)].capacity,
                                 link.area};
      if (link.node >= fluid_nodes_) {
        in_solids = in_solids + passed;
        continue;
      }
      while (tile + 1 < own_.end && number_of_first(tile + 1) <= link.node) ++tile;
      if (sums.empty() || sums.back().first != tile) sums.push_back({tile, 0, {}});
      sums.back().value = sums.back().value + passed;
    }
    if (in_solids.area != 0 && own_.first == 0) {
      if (sums.empty() || sums.front().first != 0) sums.insert(sums.begin(), {0, 0, {}});
      sums.front().value = sums.front().value + in_solids;
    }
    return reduced(sums, own_);
  }
  [[nodiscard]] TileSums<ScalarPassage> from_solid(int surface) const override {
    if (solids_.count() == 0) return {};
    return of_first_tile(joints_.passage(surface));
  }

  void set_surface(int surface, double value) override {
    const auto at = static_cast<std::size_t>(surface);
    set_value(surfaces_[at], value, surface_names_[at], method_);
    show_surfaces();
  }

  void set_time(double time, const NodeMap& nodes, const ScalarFields& fields) override {
    if (fluvia::set_time(surfaces_, time)) show_surfaces();
    if (fields.source_changes()) take_sources(nodes, fields);
  }

 private:
  [[nodiscard]] T* current() const { return static_cast<T*>(memory_[swapped_ ? 1 : 0].data()); }
  [[nodiscard]] T* other() const { return static_cast<T*>(memory_[swapped_ ? 0 : 1].data()); }
  [[nodiscard]] T source(std::uint64_t index) const { return source_.empty() ? T(0) : source_[index]; }

  [[nodiscard]] ScalarCopies<T> copies() const {
    return {current(), other(), source_.empty() ? nullptr : source_.data()};
  }

  /// Replaces a place of ScalarWays by its element of memory.
  void store(std::uint32_t& place) const {
    const std::uint64_t nodes = storage_.size(), of_nodes = Lattice::Q * nodes;
    place = static_cast<std::uint32_t>(place < of_nodes ? place / nodes * size_ + storage_[place % nodes]
                                                        : Lattice::Q * size_ + (place - of_nodes));
  }
  /// Number of the first node of an own tile.
  [[nodiscard]] std::uint64_t number_of_first(std::uint64_t tile) const {
    return first_own_ + all_.nodes_of(own_.first, tile - own_.first);
  }
  void add(std::uint64_t index, ScalarSum& sum) const {
    const double value = excess(index), of_node = volume(index);
    sum.volume += of_node;
    sum.value += of_node * value;
    sum.source += of_node * source(index);
    sum.least = std::min(sum.least, value);
    sum.most = std::max(sum.most, value);
    sum.finite = sum.finite && std::isfinite(value);
  }
  /// What was not summed by tiles, of what all blocks have: that with the first tile tells it.
  template <class Value>
  [[nodiscard]] TileSums<Value> of_first_tile(const Value& value) const {
    if (own_.first > 0) return {};
    return {{0, 0, value}};
  }

  template <class Visit>
  void for_each_position(const NodeMap& nodes, const Visit& visit) const {
#pragma omp parallel for schedule(static) num_threads(threads_)
    for (std::size_t t = 0; t < nodes.tiles.size(); ++t) {
      std::uint64_t n = nodes.tiles[t].first_node;
      for (std::uint64_t rest = nodes.tiles[t].mask; rest != 0; rest &= rest - 1, ++n)
        visit(n, nodes.node_position(nodes.tiles[t], std::countr_zero(rest)));
    }
  }

  void take_sources(const NodeMap& nodes, const ScalarFields& fields) {
    for_each_position(nodes, [&](std::uint64_t node, const Int3& position) {
      source_[storage_[node]] = static_cast<T>(fields.source(position));
    });
    for_each_position(solids_.nodes, [&](std::uint64_t node, const Int3& position) {
      const std::size_t solid = method_.solids[solids_.of_node[node] - std::size_t{1}].number;
      source_[storage_[fluid_nodes_ + node]] = static_cast<T>(fields.source_in(solid, position));
    });
  }

  [[nodiscard]] double volume(std::uint64_t index) const {
    return volume_.empty() ? 1 : static_cast<double>(volume_[index]);
  }

  /// Gives nodes of solids places behind those of the flow, one material after the other, so that each group has one.
  /// Returns how many places there are.
  std::uint64_t place_solids(std::span<const std::uint32_t> of_fluid) {
    std::uint64_t next = flow_size_;
    if (solids_.count() == 0) return next;
    all_nodes_.assign(of_fluid.begin(), of_fluid.end());
    all_nodes_.resize(fluid_nodes_ + solids_.count());
    for (std::size_t material = 1; material < solids_.material.size(); ++material) {
      const std::uint64_t first = next;
      for (std::uint64_t n = 0; n < solids_.count(); ++n)
        if (solids_.of_node[n] == material) all_nodes_[fluid_nodes_ + n] = static_cast<std::uint32_t>(next++);
      of_material_.emplace_back(first, next - first);
      next = (next + group_lanes - 1) / group_lanes * group_lanes;
      group_material_.resize((next - flow_size_) / group_lanes, static_cast<std::uint8_t>(material));
    }
    storage_ = all_nodes_;
    return next;
  }
  [[nodiscard]] std::size_t material_of(std::uint64_t number) const {
    return number < fluid_nodes_ ? 0 : solids_.of_node[number - fluid_nodes_];
  }

  /// The step of solids, and of what passes between them, the fluid, and cells of the fluid that differ in volume.
  void step_solids() {
    const auto groups = static_cast<std::int64_t>(group_material_.size());
#pragma omp parallel num_threads(threads_)
    {
      const FlushDenormals flush;
      alignas(64) const T still[3][group_lanes] = {};
#pragma omp for schedule(static)
      for (std::int64_t k = 0; k < groups; ++k)
        step_with(flow_size_ / group_lanes + static_cast<std::uint64_t>(k), still,
                  rates_[group_material_[static_cast<std::size_t>(k)]]);
#pragma omp for schedule(static)
      for (std::size_t k = 0; k < joints_.count(); ++k) joints_.step(k, copies());
    }
  }

  /// Finds the links of each group. They stay in canonical order, so that sums over them do not depend on the storage.
  void index_links() {
    by_group_.resize(links_.size());
    std::iota(by_group_.begin(), by_group_.end(), 0U);
    const auto index_of = [&](std::uint32_t link) { return storage_[links_[link].node]; };
    std::stable_sort(by_group_.begin(), by_group_.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return index_of(a) < index_of(b); });
    first_link_.reserve(size_ / group_lanes + 1);
    std::size_t k = 0;
    for (std::uint64_t first = 0; first <= size_; first += group_lanes) {
      while (k < by_group_.size() && index_of(by_group_[k]) < first) ++k;
      first_link_.push_back(static_cast<std::uint32_t>(k));
    }
  }
  void show_surfaces() {
    shown_.resize(surfaces_.size());
    for (std::size_t s = 0; s < surfaces_.size(); ++s)
      shown_[s] = {static_cast<T>(surfaces_[s].value), static_cast<T>(surfaces_[s].coefficient)};
  }

  /// Replaces what came back half-way along a cut link, what leaves along it, by what its surface sends back.
  void complete(std::uint32_t k, const T (&velocity)[3], T leaves) {
    const ScalarCutLink& link = links_[k];
    const T* const now = current();
    const std::uint64_t n = storage_[link.node], back = static_cast<std::uint64_t>(core::opposite(link.out)) * size_;
    const core::ScalarLink<T> known{core::scalar_direction<Lattice, T>(link.out),
                                    static_cast<T>(link.distance),
                                    static_cast<T>(link.area / link.volume),
                                    static_cast<T>(link.reach),
                                    now[link.out * size_ + n],
                                    now[back + n],
                                    leaves,
                                    now[back + storage_[link.inner]]};
    const core::ScalarNode<T> node{excess(n), {velocity[0], velocity[1], velocity[2]}, source(n)};
    const std::size_t material = material_of(link.node);
    const T returned =
        core::scalar_back<Lattice, T>(surfaces_[link.surface].rule, known, node, shown_[link.surface], rates_[material],
                                      static_cast<T>(solids_.material[material].diffusivity));
    other()[back + n] = returned;
    gained_[k] = returned - leaves;
  }

  ScalarMethod method_;
  int threads_;
  const NodeMap& all_;  ///< of the whole domain
  TileRange own_;       ///< tiles of it
  std::uint64_t first_own_;
  ScalarSolids solids_;
  std::uint64_t flow_size_;  ///< storage indices of the flow, before those of solids
  std::uint64_t fluid_nodes_;
  std::vector<std::uint32_t> all_nodes_;                              ///< storage index by number, if there are solids
  std::vector<std::pair<std::uint64_t, std::uint64_t>> of_material_;  ///< [solid], first storage index and nodes
  std::vector<std::uint8_t> group_material_;                          ///< [group behind those of the flow]
  std::span<const std::uint32_t> storage_;                            ///< by number of the node
  std::uint64_t size_;                                                ///< storage indices
  std::vector<core::ScalarRates<T>> rates_;                           ///< [material]
  std::vector<std::string> surface_names_;
  std::vector<ScalarAtSurface> surfaces_;
  std::vector<core::ScalarSurface<T>> shown_;  ///< by surface, as the rules take it
  ScalarRuns runs_;
  ScalarJoints<Lattice, T> joints_;  ///< by elements of memory
  ScalarBorders<T> borders_;
  std::vector<ScalarCutLink> links_;       ///< in canonical order
  std::vector<std::uint32_t> by_group_;    ///< numbers of links by the storage indices of their nodes
  std::vector<std::uint32_t> first_link_;  ///< [group], in by_group_
  std::vector<T> source_;                  ///< by storage index; empty: none
  std::vector<T> volume_;                  ///< by storage index; empty: 1 everywhere
  std::vector<StrongNode> strong_;         ///< by storage index
  std::vector<std::size_t> first_strong_;  ///< [group], in strong_; empty: there are none
  Buffer memory_[2];                       ///< copies, [direction][storage index]
  bool swapped_ = false;
  bool has_told_ = false;  ///< joints, in this step
  std::vector<T> gained_;  ///< [link], what the fluid got through it in the last step
};

}  // namespace

template <class T>
std::unique_ptr<ScalarTransport<T>> make_scalar_transport(const Problem& problem, const ScalarMethod& method,
                                                          const ScalarFields& fields, const ScalarStorage& storage,
                                                          int threads) {
  std::unique_ptr<ScalarTransport<T>> made;
  core::for_each_type(core::ScalarLattices{}, [&]<class Lattice>(Lattice) {
    if (method.lattice->name == Lattice::name)
      made = std::make_unique<TransportOn<Lattice, T>>(problem, method, fields, storage, threads);
  });
  if (!made) throw Error(ExitCode::internal, "no kernel carries scalars on " + method.lattice->name);
  return made;
}

template std::unique_ptr<ScalarTransport<float>> make_scalar_transport(const Problem&, const ScalarMethod&,
                                                                       const ScalarFields&, const ScalarStorage&, int);
template std::unique_ptr<ScalarTransport<double>> make_scalar_transport(const Problem&, const ScalarMethod&,
                                                                        const ScalarFields&, const ScalarStorage&, int);

}  // namespace fluvia::cpu
