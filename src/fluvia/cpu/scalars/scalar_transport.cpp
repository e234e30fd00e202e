// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cpu/scalars/scalar_transport.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <numeric>
#include <utility>
#include <vector>

#include "fluvia/base/error.hpp"
#include "fluvia/core/scalar/conditions.hpp"
#include "fluvia/cpu/buffer.hpp"
#include "fluvia/cpu/physics/pack.hpp"
#include "fluvia/cpu/scalars/scalar_runs.hpp"

namespace fluvia::cpu {

namespace {

template <class Lattice, class T>
class TransportOn final : public ScalarTransport<T> {
 public:
  TransportOn(const Problem& problem, const ScalarMethod& method, const ScalarFields& fields,
              const ScalarStorage& storage, int threads)
      : method_(method),
        threads_(threads),
        storage_(storage.of_nodes),
        size_(storage.indices),
        rates_(core::scalar_rates<Lattice, T>(method.diffusivity, method.magic)),
        surfaces_(scalar_surfaces(problem, method)),
        // Vectors may be read behind the last lane.
        memory_{Buffer((Lattice::Q * size_ + group_lanes) * sizeof(T)),
                Buffer((Lattice::Q * size_ + group_lanes) * sizeof(T))} {
    {
      ScalarWays ways = make_scalar_ways(problem, method, surfaces_);
      runs_ = ScalarRuns(ways, method, storage_, size_);
      links_ = std::move(ways.links);
    }
    gained_.assign(links_.size(), T(0));
    index_links();
    show_surfaces();
    if (!fields.has_source()) return;
    source_.assign(size_, T(0));
    for_each_position(problem.geometry.nodes, [&](std::uint64_t node, const Int3& position) {
      source_[storage_[node]] = static_cast<T>(fields.source(position));
    });
  }

  void initialise(const NodeMap& nodes, const ScalarFields& fields, const T* velocity) override {
    T* const populations = current();
    for_each_position(nodes, [&](std::uint64_t node, const Int3& position) {
      const T value = static_cast<T>(fields.initial(position) - method_.reference);
      const std::uint64_t n = storage_[node];
      T g[Lattice::Q], u[3] = {T(0), T(0), T(0)};
      if (velocity != nullptr)
        for (std::uint64_t axis = 0; axis < 3; ++axis) u[axis] = velocity[axis * size_ + n];
      core::place_scalar<Lattice>(g, 1, value, u, source(n));
      for (int i = 0; i < Lattice::Q; ++i) populations[i * size_ + n] = g[i];
    });
    std::fill(gained_.begin(), gained_.end(), T(0));
  }

  void step(std::uint64_t group, const T (&velocity)[3][group_lanes]) override {
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
    const core::ScalarRates<P> rates{P(rates_.plus), P(rates_.minus)};
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

  void finish_step() override { swapped_ = !swapped_; }

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

  [[nodiscard]] ScalarSummary summary() const override {
    // Sums of blocks, whose number depends on no number of threads, are added in their order.
    constexpr std::uint64_t nodes_of_part = 4096;
    const std::uint64_t nodes = storage_.size();
    std::vector<ScalarPart> parts((nodes + nodes_of_part - 1) / nodes_of_part);
#pragma omp parallel for schedule(static) num_threads(threads_)
    for (std::size_t p = 0; p < parts.size(); ++p) {
      ScalarPart& part = parts[p];
      const std::uint64_t first = p * nodes_of_part;
      part.least = part.most = excess(storage_[first]);
      for (std::uint64_t n = first; n < std::min(nodes, first + nodes_of_part); ++n) {
        const double value = excess(storage_[n]);
        part.value += value;
        part.source += source(storage_[n]);
        part.least = std::min(part.least, value);
        part.most = std::max(part.most, value);
        part.finite = part.finite && std::isfinite(value);
      }
    }
    return summary_of(parts, nodes, method_.reference);
  }

  [[nodiscard]] ScalarPassage through(int surface) const override {
    ScalarPassage passage;
    for (std::size_t k = 0; k < gained_.size(); ++k) {
      if (links_[k].surface != surface) continue;
      passage.rate += gained_[k];
      passage.area += links_[k].area;
    }
    return passage;
  }

  bool set_surface(int surface, double value) override {
    ScalarAtSurface& at = surfaces_[static_cast<std::size_t>(surface)];
    if (!at.prescribes) return false;
    at.set(value);
    show_surfaces();
    return true;
  }

 private:
  [[nodiscard]] T* current() const {
    return static_cast<T*>(memory_[swapped_ ? 1 : 0].data());
  }
  [[nodiscard]] T* other() const {
    return static_cast<T*>(memory_[swapped_ ? 0 : 1].data());
  }
  [[nodiscard]] T source(std::uint64_t index) const {
    return source_.empty() ? T(0) : source_[index];
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
                                    static_cast<T>(link.area),
                                    now[link.out * size_ + n],
                                    now[back + n],
                                    leaves,
                                    now[back + storage_[link.inner]]};
    const core::ScalarNode<T> node{excess(n), {velocity[0], velocity[1], velocity[2]}, source(n)};
    const T returned = core::scalar_back<Lattice, T>(surfaces_[link.surface].rule, known, node, shown_[link.surface],
                                                     rates_, static_cast<T>(method_.diffusivity));
    other()[back + n] = returned;
    gained_[k] = returned - leaves;
  }

  ScalarMethod method_;
  int threads_;
  std::span<const std::uint32_t> storage_;  ///< by canonical index
  std::uint64_t size_;                      ///< storage indices
  core::ScalarRates<T> rates_;
  std::vector<ScalarAtSurface> surfaces_;
  std::vector<core::ScalarSurface<T>> shown_;  ///< by surface, as the rules take it
  ScalarRuns runs_;
  std::vector<ScalarCutLink> links_;       ///< in canonical order
  std::vector<std::uint32_t> by_group_;    ///< numbers of links by the storage indices of their nodes
  std::vector<std::uint32_t> first_link_;  ///< [group], in by_group_
  std::vector<T> source_;                  ///< by storage index; empty: none
  Buffer memory_[2];                       ///< copies, [direction][storage index]
  bool swapped_ = false;
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
