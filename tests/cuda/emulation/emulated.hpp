// SPDX-License-Identifier: Apache-2.0
// A case on an emulated GPU: what CudaSolver does, with vectors for device memory.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <deque>
#include <type_traits>
#include <utility>

#include "cuda/emulation/spec.hpp"
#include "fluvia/cuda/kernels/halo_populations.hpp"
#include "fluvia/cuda/layout/moment_box.hpp"
#include "fluvia/cuda/layout/passes.hpp"
#include "fluvia/cuda/layout/slide/sliding_moments.hpp"
#include "fluvia/cuda/layout/sliding_passes.hpp"
#include "fluvia/cuda/layout/sliding_tiles.hpp"
#include "fluvia/cuda/solver/prepared_case.hpp"
#include "fluvia/solver/distribution.hpp"
#include "fluvia/solver/plan/half_lattice.hpp"
#include "reference/scenes.hpp"

namespace emulation {

using namespace fluvia::cuda::kernels;

constexpr int number_of(const char* name) {
  for (int k = 0;; ++k)
    if (same(core::schemes[k].name, name)) return k;
}

/// Arrays of a layout in host memory.
class HostArrays final : public fluvia::cuda::ArrayStore {
 public:
  void* room(std::size_t bytes, std::string_view) override { return arrays_.emplace_back(bytes).data(); }
  void clear(void* room) override {
    for (auto& array : arrays_)
      if (array.data() == room) std::fill(array.begin(), array.end(), std::byte{0});
  }
  [[nodiscard]] std::uint64_t bytes() const {
    std::uint64_t sum = 0;
    for (const auto& array : arrays_) sum += array.size();
    return sum;
  }

 protected:
  const void* put(const void* values, std::size_t bytes, std::string_view) override {
    const auto* const first = static_cast<const std::byte*>(values);
    return arrays_.emplace_back(first, first + bytes).data();
  }

 private:
  std::deque<std::vector<std::byte>> arrays_;
};

/// What CudaSolver does, with vectors for device memory.
template <class Spec>
class Emulated {
  using T = Arithmetic<Spec>;
  using Stored = typename Spec::Format::Storage;
  static constexpr core::Scheme scheme = Spec::scheme;
  static constexpr bool keeps_moments = scheme.keeps_moments();
  static constexpr bool slides_by_passes = scheme.is_fused() && scheme.steps_in_order();
  static constexpr bool has_barriers = scheme.is_compact();  ///< in kernels that go through tiles
  template <int parity>
  using Storage = std::conditional_t<
      scheme.uses_index_map(), IndexMapStorage<Spec, parity>,
      std::conditional_t<scheme.is_compact(), CompactStorage<Spec, parity>,
                         std::conditional_t<keeps_moments, MomentStorage<Spec, parity>, DenseStorage<Spec, parity>>>>;
  /// A single step of a scheme that takes it in a pass.
  struct OneStep : Spec {
    static constexpr int steps = 1;
  };

 public:
  Emulated(const scene::Scene& s, const scene::Options& o)
      : case_(scene::make_case(s, o)), geometry_(fluvia::stored_geometry(case_, scene::make_geometry(s))) {
    emulation::prefetched.clear();  // of tests before this one in the same process
    case_.numerics.gpu_threads = Spec::threads;
    case_.numerics.gpu_rows = Spec::rows;
    fluvia::Plan plan;
    const fluvia::Units units = scene::make_units(o.physics.tau);
    plan.distributions = {fluvia::make_flow(case_, units)};
    plan.format = &fluvia::facts_of_format(o.format);
    plan.scheme = &fluvia::parse_scheme(o.scheme);
    plan.tile = o.tile;
    plan.steps_per_pass = Spec::steps;
    if (Spec::stochastic) plan.rounding = core::Rounding::stochastic;
    prepared_ = fluvia::cuda::prepare_case({case_, units, geometry_}, plan);
    EXPECT_EQ(prepared_.specification.cut_tiles, Spec::cut_tiles && scheme.is_compact());
    if (scheme.is_sliding()) slide_by_small_chunks();
    if (Spec::steps > 1 || keeps_moments) pass_by_small_tiles(plan.flow().parameters);
    prepared_.extent = prepared_.layout->extent();
    populations_.resize(prepared_.extent.elements);
    beginning_.resize(prepared_.extent.beginning);
    const std::uint64_t planned = prepared_.layout->bytes();
    prepared_.layout->place_arrays(arrays_);
    EXPECT_EQ(arrays_.bytes(), planned);
    physics_.parameters = fluvia::collision_parameters<T>(plan.flow());
    fit_coefficients_ = prepared_.boundaries.fits.coefficients_as<T>();
    physics_.boundaries = {prepared_.boundaries.records.data(),
                           prepared_.setup.surfaces.data(),
                           prepared_.boundaries.tiles.data(),
                           prepared_.boundaries.first_records.data(),
                           static_cast<Uint32>(prepared_.boundaries.tiles.size()),
                           prepared_.boundaries.fits.points.data(),
                           fit_coefficients_.data()};
    memory_.assign(kept_numbers(prepared_.arrays), T(0));
    memory_after_ = memory_;
    between_.assign(memory_.size() * Spec::steps, T(0));
    physics_.memory = physics_.memory_after = memory_.data();
    physics_.stages = {
        between_.data(), memory_.size(), physics_.boundaries.records, physics_.boundaries.surfaces, 0, 0};
    physics_.rounding = {keys_.data(), prepared_.first_nodes.data(), static_cast<Uint32>(s.size[0]),
                         static_cast<Uint32>(s.size[1]), 0};
    supply_ = static_cast<float>(s.supply);
    physics_.walls = {prepared_.walls.first.data(), prepared_.walls.words.data(), &supply_};
    EXPECT_EQ(prepared_.specification.walls, Spec::walls);
    EXPECT_EQ(prepared_.specification.own_forces, Spec::own_forces);
    node_forces_ = prepared_.forces.values_as<T>();
    physics_.forces = {prepared_.forces.numbers.data(), node_forces_.data()};
  }
  void set_profile_time(double time) {
    fluvia::ProfileRecords(prepared_.setup.changing, prepared_.boundaries.links)
        .set_time(time, prepared_.boundaries.records, prepared_.setup.carried);
  }
  void step() {
    set_keys(1);
    fluvia::cuda::Program program;
    append_step(*prepared_.layout, addresses(now()), physics_.boundaries.tile_count, program);
    by_parity(updates_, [&]<int parity>(Index<parity>) {
      for (const fluvia::cuda::Launch& launch : program) execute<parity>(launch);
    });
    check_prefetched();
    ++updates_;
    ++steps_;
    placed_ = false;
    beginning_ = {};
    exchange();
  }
  /// Spec::steps steps in one pass.
  void pass() {
    ASSERT_FALSE(placed_) << "the first step is no part of a pass";
    physics_.memory_after = memory_after_.data();
    set_keys(Spec::steps);
    fluvia::cuda::Program program;
    prepared_.layout->append_pass(addresses(now()), fluvia::cuda::StepShare::all, program);
    for (const fluvia::cuda::Launch& launch : program) execute<0>(launch);
    memory_.swap(memory_after_);
    physics_.memory = physics_.memory_after = memory_.data();
    ++updates_;
    steps_ += Spec::steps;
    exchange();
  }
  /// What a snapshot does: whatever is read from now on is as it is now, whatever steps follow.
  void keep() {
    const auto* first = reinterpret_cast<const Stored*>(at(updates_));
    kept_.assign(first, first + prepared_.stored_bytes() / sizeof(Stored));
    kept_update_ = updates_;
    kept_memory_ = memory_;
  }
  /// What conditions keep from step to step.
  [[nodiscard]] const std::vector<T>& memory() const { return memory_; }
  /// Force, torque about `center` and flow of a surface, as the solver's surface_force and opening_flow give them.
  std::pair<fluvia::SurfaceForce, double> measure(int surface, const fluvia::Real3& center) const {
    const auto& tiles = prepared_.monitored[surface];
    fluvia::SurfaceForce sum;
    double flow = 0;
    if (tiles.empty()) return {sum, flow};
    std::vector<LinkSums> parts(tiles.size());
    Physics<T> physics = physics_;
    if (!kept_.empty()) physics.memory = const_cast<T*>(kept_memory_.data());  // read only
    by_parity(readable().update, [&]<int parity>(Index<parity>) {
      emulation::launch<true>({static_cast<unsigned>(tiles.size())}, tile_block, sum_links<Spec, Storage<parity>, Box>,
                              geometry_box(readable()), physics, tiles.data(), center[0], center[1], center[2],
                              parts.data());
    });
    const double volume = geometry_.nodes.node_volume();
    for (std::size_t k = 0; k < parts.size(); ++k) {
      const auto& [tile, faces, twelfths] = prepared_.monitored_tiles[surface][k];
      flow += volume * parts[k].flow * twelfths / 12;
      if (faces == 0) continue;
      const double share = volume / faces;
      for (int a = 0; a < 3; ++a) {
        sum.force[a] += share * parts[k].force[a];
        sum.torque[a] += share * parts[k].torque[a];
      }
    }
    return {fluvia::wall_force(sum, prepared_.setup.carried[surface], 1, center), flow};
  }
  /// Populations in canonical order, as the solver's save() gives them.
  void exchange(int direction, std::vector<Stored>& values, bool load) {
    if (load && prepared_.layout->begins_with_populations() && !placed_) {
      std::fill(populations_.begin(), populations_.end(), Stored{});
      beginning_.assign(prepared_.extent.beginning, Stored{});
      prepared_.layout->reset(arrays_);
      placed_ = true;
    }
    const fluvia::NodeMap& nodes = geometry_.nodes;
    std::vector<TileReference> references;
    for (std::uint64_t t = 0; t < nodes.tiles.size(); ++t)
      references.push_back({nodes.tiles[t].mask, prepared_.layout->storage_index_of(nodes, t),
                            static_cast<Uint32>(nodes.tiles[t].first_node)});
    by_parity(readable().update, [&]<int parity>(Index<parity>) {
      const auto count = static_cast<unsigned>(references.size());
      const Box box = geometry_box(readable());
      if (load)
        emulation::launch<has_barriers>({count}, tile_block, load_direction<Spec, Storage<parity>, Box>, box,
                                        references.data(), direction, values.data());
      else
        emulation::launch<has_barriers>({count}, tile_block, save_direction<Spec, Storage<parity>, Box>, box,
                                        references.data(), direction, values.data());
    });
  }

 private:
  /// What the solver does at planes of symmetry after a step or pass; lists are made anew.
  void exchange() {
    const fluvia::cuda::ExchangedArrays& exchanged = prepared_.exchanged;
    if (exchanged.first.blocks.empty()) return;
    struct Side {
      std::vector<MessageBlock> blocks;
      std::vector<int> entries;
      [[nodiscard]] MessageBlocks view() const {
        return {blocks.data(), entries.data(), static_cast<Uint32>(blocks.size())};
      }
    };
    const Uint64 populations = at(updates_);
    const auto list = [&](const fluvia::cuda::HaloPopulationArrays& arrays) {
      Side side{arrays.blocks, arrays.entries};
      Uint32 far = 0;
      by_parity(updates_, [&]<int parity>(Index<parity>) {
        for (const int origins : {1, 0})
          emulation::launch<has_barriers>({static_cast<unsigned>(arrays.tiles.size())}, tile_block,
                                          list_halo_populations<Spec, Storage<parity>, Box>, geometry_box(now()),
                                          HaloPopulations{arrays.tiles.data(), arrays.runs.data()}, populations,
                                          origins, side.blocks.data(), side.entries.data(), &far);
      });
      EXPECT_EQ(far, 0u);
      return side;
    };
    const Side first = list(exchanged.first), second = list(exchanged.second);
    ASSERT_EQ(first.blocks.size(), second.blocks.size());
    emulation::launch<false>({static_cast<unsigned>(first.blocks.size())}, {message_threads}, swap_mirrored<Spec>,
                             first.view(), second.view(), reinterpret_cast<Stored*>(populations));
  }
  /// Keys of so many steps that follow; kernels are given that of the last.
  void set_keys(int steps) {
    for (int k = 0; k < steps; ++k) keys_[k] = core::step_key(static_cast<Uint64>(steps_ + k));
    physics_.rounding.key = &keys_[steps - 1];
  }
  /// Or there would be one tile only.
  void pass_by_small_tiles(const core::CollisionParameters<double>& parameters) {
    prepared_.specification.steps_per_pass = Spec::steps;
    prepared_.specification.pass = {Spec::pass_width, Spec::pass_depth, 1, Spec::loads_early, Spec::pass_planes};
    if constexpr (slides_by_passes && keeps_moments)
      prepared_.layout = std::make_unique<fluvia::cuda::SlidingMomentLayout>(
          geometry_.nodes, prepared_.specification, fluvia::cuda::TileRoles{}, Spec::least_chunk_blocks);
    else if constexpr (slides_by_passes)
      prepared_.layout = std::make_unique<fluvia::cuda::SlidingPassLayout>(
          geometry_.nodes, prepared_.specification, fluvia::cuda::TileRoles{}, Spec::least_chunk_blocks);
    else if constexpr (keeps_moments)
      prepared_.layout = std::make_unique<fluvia::cuda::MomentLayout>(geometry_.nodes, prepared_.specification);
    else
      prepared_.layout = std::make_unique<fluvia::cuda::PassLayout>(geometry_.nodes, prepared_.specification);
    prepared_.layout->mark_conditions(prepared_.boundaries);
    prepared_.layout->set_parameters(parameters);
  }
  /// Or there would be one chunk only, and nothing to wait for.
  void slide_by_small_chunks() {
    constexpr int least_log2 = 4;
    prepared_.layout =
        std::make_unique<fluvia::cuda::SlidingTileLayout>(geometry_.nodes, prepared_.specification, least_log2);
  }

  template <int parity>
  using Index = std::integral_constant<int, parity>;
  static constexpr emulation::Dim tile_block{64};

  /// A step asks for populations that exist, and of compact tiles for all.
  void check_prefetched() const {
    const auto first = reinterpret_cast<Uint64>(populations_.data());
    Uint64 sum = 0;
    for (const auto& [address, bytes] : emulation::prefetched) {
      EXPECT_GE(address, first);
      EXPECT_LE(address + bytes, first + populations_.size() * sizeof(Stored));
      sum += bytes;
    }
    EXPECT_GE(sum, Spec::prefetches_tiles ? geometry_.nodes.fluid_nodes * Spec::Lattice::Q * sizeof(Stored) : 0);
    emulation::prefetched.clear();
  }

  /// Where populations of an update are, and where a step would write.
  struct Source {
    int update;
    Uint64 populations, next;
    bool placed = false;
    Uint64 beginning = 0;
  };
  using Box = std::conditional_t<
      scheme.uses_index_map(), IndexMapBox,
      std::conditional_t<scheme.is_compact(), CompactTiles, std::conditional_t<keeps_moments, MomentBox, DenseBox>>>;

  template <class Body>
  void by_parity(int update, Body&& body) const {
    if constexpr (Spec::Streaming::parities == 2) {
      if (update % 2 == 1) return body(Index<1>{});
    }
    body(Index<0>{});
  }
  /// What the solver does with a launch.
  template <int parity>
  void execute(const fluvia::cuda::Launch& launch) {
    using fluvia::cuda::KernelKind;
    const auto dim = [](const fluvia::cuda::Dimensions& d) { return emulation::Dim{d.x, d.y, d.z}; };
    const emulation::Dim grid = dim(launch.shape.blocks), block = dim(launch.shape.threads);
    const Box box = launch.geometry.as<Box>();
    EXPECT_EQ(launch.geometry.bytes(), sizeof(Box));
    if (launch.kernel == KernelKind::complete_boundaries) {
      emulation::launch<has_barriers>(grid, block, complete_boundaries<Spec, Storage<parity>, Box>, box, physics_);
    } else if constexpr (scheme.is_sliding()) {
      const auto& guard = launch.more.as<SlidingGuard>();
      const auto& slide = static_cast<const fluvia::cuda::SlidingTileLayout&>(*prepared_.layout).slide();
      const std::uint64_t counters = fluvia::cuda::sweep_counters(slide, box.count).bytes() / 2 / sizeof(Uint32);
      EXPECT_EQ(std::count(guard.order.counters, guard.order.counters + counters, 0u), counters);
      emulation::launch<true>(grid, block, step_sliding<Spec>, box, physics_, guard);
    } else if constexpr (scheme.is_compact()) {
      emulation::launch<true>(grid, block, step_compact<Spec, parity>, box, physics_);
    } else if constexpr (keeps_moments) {
      if (launch.kernel == KernelKind::first_step)
        return emulation::launch<false>(grid, block, first_moments<Spec>, box, physics_);
      EXPECT_LE(launch.shape.shared_bytes, emulation::most_shared_bytes);
      if (launch.kernel == KernelKind::pass)
        take_pass<Spec>(grid, block, box, launch);
      else
        take_pass<OneStep>(grid, block, box, launch);
    } else if constexpr (slides_by_passes) {
      const auto& sliding = launch.more.as<SlidingPassArguments>();
      if (launch.kernel == KernelKind::pass)
        emulation::launch<true>(grid, block, pass_sliding<Spec>, box, physics_, sliding);
      else
        emulation::launch<true>(grid, block, step_sliding_box<Spec>, box, physics_, sliding);
    } else if constexpr (!scheme.uses_index_map()) {
      if constexpr (scheme.is_fused())
        if (launch.kernel == KernelKind::pass) {
          EXPECT_LE(launch.shape.shared_bytes, emulation::most_shared_bytes);
          const auto& pass = launch.more.as<PassArguments>();
          return emulation::launch<true>(grid, block, pass_dense<Spec>, box, physics_, pass);
        }
      emulation::launch<false>(grid, block, step_dense<Spec, parity>, box, physics_);
    } else if constexpr (scheme.stepping == core::Stepping::apart) {
      if (launch.kernel == KernelKind::step)
        emulation::launch<false>(grid, block, step_collide<Spec>, box, physics_);
      else
        emulation::launch<false>(grid, block, step_propagate<Spec>, box);
    } else if constexpr (scheme.stepping == core::Stepping::rows) {
      emulation::launch<true>(grid, block, step_rows<Spec>, box, physics_);
    } else if constexpr (scheme.has_tiles()) {
      if constexpr (scheme.stepping == core::Stepping::ghost_cells)
        if (launch.kernel == KernelKind::ghost_cells)
          return emulation::launch<false>(grid, block, step_ghost_cells<Spec>, box);
      emulation::launch<true>(grid, block, step_tiles<Spec, parity>, box, physics_);
    } else {
      emulation::launch<false>(grid, block, step_index_map<Spec, parity>, box, physics_);
    }
  }
  /// A pass over moments.
  template <class Of>
  void take_pass(const emulation::Dim& grid, const emulation::Dim& block, const Box& box,
                 const fluvia::cuda::Launch& launch) {
    if constexpr (slides_by_passes) {
      const auto& sliding = launch.more.as<SlidingPassArguments>();
      const SweepOrder& order = sliding.order;
      EXPECT_EQ(std::count(order.counters, order.counters + slide_counters * slide_sector, 0u),
                slide_counters * slide_sector);
      emulation::launch<true>(grid, block, pass_sliding_moments<Of>, box, physics_, sliding);
    } else {
      emulation::launch<true>(grid, block, pass_moments<Of>, box, physics_, launch.more.as<PassArguments>());
    }
  }
  [[nodiscard]] Uint64 at(int update) const {
    const auto first = reinterpret_cast<Uint64>(populations_.data());
    const bool second = (update % 2 == 1) != prepared_.extent.begins_at_second;
    return second ? first + prepared_.extent.second * sizeof(Stored) : first;
  }
  [[nodiscard]] Source now() const {
    const auto first = reinterpret_cast<Uint64>(populations_.data());
    return {updates_, placed_ ? first : at(updates_), at(updates_ + 1), placed_,
            reinterpret_cast<Uint64>(beginning_.data())};
  }
  [[nodiscard]] Source readable() const {
    const auto kept = reinterpret_cast<Uint64>(kept_.data());
    return kept_.empty() ? now() : Source{kept_update_, kept, kept};
  }
  static fluvia::cuda::StepAddresses addresses(const Source& source) {
    return {source.populations, source.next, source.update, source.placed, source.beginning};
  }
  [[nodiscard]] Box geometry_box(const Source& source) const {
    return prepared_.layout->geometry(addresses(source)).template as<Box>();
  }

  fluvia::Case case_;
  fluvia::Geometry geometry_;
  fluvia::cuda::PreparedCase prepared_;
  std::vector<Stored> populations_, beginning_, kept_;
  HostArrays arrays_;
  Physics<T> physics_{};
  std::vector<T> memory_, memory_after_, between_, kept_memory_;  ///< of boundary conditions
  std::vector<core::FitBatch<T>> fit_coefficients_;
  std::vector<T> node_forces_;
  std::array<core::StepKey, Spec::steps> keys_{};
  float supply_ = 0;
  int updates_ = 0, kept_update_ = 0, steps_ = 0;
  bool placed_ = keeps_moments;  ///< as BlockFlow::is_placed()
};

}  // namespace emulation
