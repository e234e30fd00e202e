// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cpu/scalars/scalar_transport.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <utility>

#include "fluvia/base/error.hpp"
#include "fluvia/core/scalar/conditions.hpp"
#include "fluvia/cpu/flush_denormals.hpp"

namespace fluvia::cpu {

namespace {

template <class Lattice, class T>
class TransportOn final : public ScalarTransport<T> {
 public:
  TransportOn(const Problem& problem, const ScalarMethod& method, const ScalarFields& fields, int threads)
      : method_(method),
        threads_(threads),
        size_(problem.geometry.nodes.fluid_nodes),
        rates_(core::scalar_rates<Lattice, T>(method.diffusivity, method.magic)),
        surfaces_(scalar_surfaces(problem, method)),
        ways_(make_scalar_ways(problem, method, surfaces_)),
        current_(Lattice::Q * size_, T(0)),
        next_(Lattice::Q * size_, T(0)),
        gained_(ways_.links.size(), T(0)) {
    index_links();
    show_surfaces();
    if (!fields.has_source()) return;
    source_.resize(size_);
    for_each_position(problem.geometry.nodes, [&](std::uint64_t node, const Int3& position) {
      source_[node] = static_cast<T>(fields.source(position));
    });
  }

  void initialise(const NodeMap& nodes, const ScalarFields& fields, NodeVelocities<T> velocity) override {
    for_each_position(nodes, [&](std::uint64_t n, const Int3& position) {
      const T value = static_cast<T>(fields.initial(position) - method_.reference);
      T g[Lattice::Q];
      core::place_scalar<Lattice>(g, 1, value, {velocity[n], velocity[size_ + n], velocity[2 * size_ + n]}, source(n));
      for (int i = 0; i < Lattice::Q; ++i) current_[i * size_ + n] = g[i];
    });
    std::fill(gained_.begin(), gained_.end(), T(0));
  }

  void step(NodeVelocities<T> velocity) override {
    const std::uint64_t blocks = (size_ + scalar_block - 1) / scalar_block;
    constexpr std::uint64_t fewest_blocks = 16;  // a barrier costs about as much as stepping these
    const int threads = static_cast<int>(std::clamp<std::uint64_t>(blocks / fewest_blocks, 1, threads_));
#pragma omp parallel num_threads(threads) if (threads > 1)
    {
      const FlushDenormals flush;
#pragma omp for schedule(static)
      for (std::uint64_t block = 0; block < blocks; ++block) step_block(block, velocity);
    }
    std::swap(current_, next_);
  }

  [[nodiscard]] T excess(std::uint64_t node) const override {
    T sum = current_[node];
    for (int i = 1; i < Lattice::Q; ++i) sum += current_[i * size_ + node];
    return sum + T(0.5) * source(node);
  }

  void add_lift(T* lift) const override {
    const T factor = static_cast<T>(-method_.expansion);
#pragma omp parallel for schedule(static) num_threads(threads_)
    for (std::uint64_t n = 0; n < size_; ++n) lift[n] += factor * excess(n);
  }

  void save(int component, const EntryRange& entries, std::span<std::byte> out) const override {
    std::memcpy(out.data(), current_.data() + static_cast<std::uint64_t>(component) * size_ + entries.first,
                entries.count * sizeof(T));
  }
  void load(int component, const EntryRange& entries, std::span<const std::byte> in) override {
    std::memcpy(current_.data() + static_cast<std::uint64_t>(component) * size_ + entries.first, in.data(),
                entries.count * sizeof(T));
  }

  [[nodiscard]] ScalarSummary summary() const override {
    // Sums of blocks, whose number depends on no number of threads, are added in their order.
    constexpr std::uint64_t nodes_of_part = 4096;
    std::vector<ScalarPart> parts((size_ + nodes_of_part - 1) / nodes_of_part);
#pragma omp parallel for schedule(static) num_threads(threads_)
    for (std::size_t p = 0; p < parts.size(); ++p) {
      ScalarPart& part = parts[p];
      const std::uint64_t first = p * nodes_of_part;
      part.least = part.most = excess(first);
      for (std::uint64_t n = first; n < std::min(size_, first + nodes_of_part); ++n) {
        const double value = excess(n);
        part.value += value;
        part.source += source(n);
        part.least = std::min(part.least, value);
        part.most = std::max(part.most, value);
        part.finite = part.finite && std::isfinite(value);
      }
    }
    return summary_of(parts, size_, method_.reference);
  }

  [[nodiscard]] ScalarPassage through(int surface) const override {
    ScalarPassage passage;
    for (std::size_t k = 0; k < gained_.size(); ++k) {
      if (ways_.links[k].surface != surface) continue;
      passage.rate += gained_[k];
      passage.area += ways_.links[k].area;
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
  [[nodiscard]] T source(std::uint64_t node) const {
    return source_.empty() ? T(0) : source_[node];
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

  /// Finds the first link of each block; links ascend by their nodes.
  void index_links() {
    first_link_.reserve((size_ + scalar_block - 1) / scalar_block + 1);
    std::size_t k = 0;
    for (std::uint64_t first = 0; first < size_ + scalar_block; first += scalar_block) {
      while (k < ways_.links.size() && ways_.links[k].node < first) ++k;
      first_link_.push_back(static_cast<std::uint32_t>(k));
    }
  }
  void show_surfaces() {
    shown_.resize(surfaces_.size());
    for (std::size_t s = 0; s < surfaces_.size(); ++s)
      shown_[s] = {static_cast<T>(surfaces_[s].value), static_cast<T>(surfaces_[s].coefficient)};
  }

  void step_block(std::uint64_t block, NodeVelocities<T> velocity) {
    constexpr int stride = static_cast<int>(scalar_block);
    const std::uint64_t first = block * scalar_block;
    const auto count = static_cast<int>(std::min(scalar_block, size_ - first));
    alignas(64) T g[Lattice::Q * stride], value[stride], sources[stride], u[3][stride];
    for (int i = 0; i < Lattice::Q; ++i) std::copy_n(current_.data() + i * size_ + first, count, g + i * stride);
    for (int axis = 0; axis < 3; ++axis) std::copy_n(velocity + axis * size_ + first, count, u[axis]);
    for (int lane = 0; lane < count; ++lane) sources[lane] = source(first + static_cast<std::uint64_t>(lane));
#pragma omp simd
    for (int lane = 0; lane < count; ++lane) {
      value[lane] = core::scalar_of<Lattice>(g + lane, stride, sources[lane]);
      core::collide_scalar<Lattice>(g + lane, stride, value[lane], {u[0][lane], u[1][lane], u[2][lane]}, sources[lane],
                                    rates_);
    }
    std::copy_n(g, count, next_.data() + first);
    for (int i = 1; i < Lattice::Q; ++i) {
      const std::uint32_t* const target = ways_.target.data() + static_cast<std::uint64_t>(i - 1) * size_ + first;
      for (int lane = 0; lane < count; ++lane) next_[target[lane]] = g[i * stride + lane];
    }
    for (std::uint32_t k = first_link_[block]; k < first_link_[block + 1]; ++k) {
      const int lane = static_cast<int>(ways_.links[k].node - first);
      complete(k, {value[lane], {u[0][lane], u[1][lane], u[2][lane]}, sources[lane]},
               g[ways_.links[k].out * stride + lane]);
    }
  }

  /// Replaces what came back half-way along a cut link by what its surface sends back.
  void complete(std::uint32_t k, const core::ScalarNode<T>& node, T leaves) {
    const ScalarCutLink& link = ways_.links[k];
    const ScalarAtSurface& at = surfaces_[link.surface];
    const std::uint64_t back = static_cast<std::uint64_t>(core::opposite(link.out)) * size_;
    const core::ScalarLink<T> known{core::scalar_direction<Lattice, T>(link.out),
                                    static_cast<T>(link.distance),
                                    static_cast<T>(link.area),
                                    current_[link.out * size_ + link.node],
                                    current_[back + link.node],
                                    leaves,
                                    current_[back + link.inner]};
    const T returned = core::scalar_back<Lattice, T>(at.rule, known, node, shown_[link.surface], rates_,
                                                     static_cast<T>(method_.diffusivity));
    next_[back + link.node] = returned;
    gained_[k] = returned - leaves;
  }

  ScalarMethod method_;
  int threads_;
  std::uint64_t size_;  ///< fluid nodes
  core::ScalarRates<T> rates_;
  std::vector<ScalarAtSurface> surfaces_;
  std::vector<core::ScalarSurface<T>> shown_;  ///< by surface, as the rules take it
  ScalarWays ways_;
  std::vector<std::uint32_t> first_link_;  ///< [block]
  std::vector<T> source_;                  ///< by node; empty: none
  std::vector<T> current_, next_;          ///< [direction][node]
  std::vector<T> gained_;                  ///< [link], what the fluid got through it in the last step
};

}  // namespace

template <class T>
std::unique_ptr<ScalarTransport<T>> make_scalar_transport(const Problem& problem, const ScalarMethod& method,
                                                          const ScalarFields& fields, int threads) {
  std::unique_ptr<ScalarTransport<T>> made;
  core::for_each_type(core::ScalarLattices{}, [&]<class Lattice>(Lattice) {
    if (method.lattice->name == Lattice::name)
      made = std::make_unique<TransportOn<Lattice, T>>(problem, method, fields, threads);
  });
  if (!made) throw Error(ExitCode::internal, "no kernel carries scalars on " + method.lattice->name);
  return made;
}

template std::unique_ptr<ScalarTransport<float>> make_scalar_transport(const Problem&, const ScalarMethod&,
                                                                       const ScalarFields&, int);
template std::unique_ptr<ScalarTransport<double>> make_scalar_transport(const Problem&, const ScalarMethod&,
                                                                        const ScalarFields&, int);

}  // namespace fluvia::cpu
