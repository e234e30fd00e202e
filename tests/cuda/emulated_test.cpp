// SPDX-License-Identifier: Apache-2.0
// The kernels of every scheme, run on the host, against the CPU's solver: what machines without a GPU can show.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <type_traits>
#include <utility>

#include "cuda/emulation/spec.hpp"
#include "fluvia/cuda/layout/sliding_tiles.hpp"
#include "fluvia/cuda/solver/prepared_case.hpp"
#include "fluvia/solver/half_lattice.hpp"
#include "fluvia/solver/physical_parameters.hpp"
#include "reference/scenes.hpp"
#include "support/temporary_folder.hpp"

namespace {

using namespace fluvia::cuda::kernels;
namespace core = fluvia::core;
using emulation::same;
using emulation::Spec;

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
  static constexpr bool has_barriers = scheme.is_compact();  ///< in kernels that go through tiles
  template <int parity>
  using Storage = std::conditional_t<
      scheme.has_sites(), SiteStorage<Spec, parity>,
      std::conditional_t<scheme.is_compact(), CompactStorage<Spec, parity>, DenseStorage<Spec, parity>>>;

 public:
  Emulated(const scene::Scene& s, const scene::Options& o)
      : case_(scene::make_case(s, o)), geometry_(fluvia::stored_geometry(case_, scene::make_geometry(s))) {
    case_.numerics.gpu_threads = Spec::threads;
    fluvia::Plan plan;
    plan.lattice = o.physics.lattice;
    plan.collision = o.physics.collision;
    plan.equilibrium = o.physics.equilibrium;
    plan.format = o.format;
    plan.scheme = o.scheme;
    plan.tile = o.tile;
    if (Spec::stochastic) plan.rounding = core::Rounding::stochastic;
    const fluvia::Units units = scene::make_units(o.physics.tau);
    prepared_ = fluvia::cuda::prepare_case(case_, units, geometry_, plan);
    EXPECT_EQ(prepared_.specification.cut_tiles, Spec::cut_tiles && scheme.is_compact());
    if (scheme.is_sliding()) slide_by_small_chunks();
    populations_.resize(prepared_.extent.elements);
    const std::uint64_t planned = prepared_.layout->bytes();
    prepared_.layout->place_arrays(arrays_);
    EXPECT_EQ(arrays_.bytes(), planned);
    physics_.parameters = fluvia::collision_parameters<T>(case_, units, plan.lattice, plan.collision);
    physics_.boundaries = {prepared_.boundaries.records.data(), prepared_.setup.surfaces.data(),
                           prepared_.boundaries.tiles.data(), prepared_.boundaries.first_records.data(),
                           static_cast<Uint32>(prepared_.boundaries.tiles.size())};
    memory_.assign(prepared_.boundaries.memory, T(0));
    physics_.memory = memory_.data();
    physics_.rounding = {&key_, prepared_.first_nodes.data(), static_cast<Uint32>(s.size[0]),
                         static_cast<Uint32>(s.size[1]), 0};
    supply_ = static_cast<float>(s.supply);
    physics_.walls = {prepared_.walls.first.data(), prepared_.walls.words.data(), 0, &supply_};
    EXPECT_EQ(prepared_.specification.walls, Spec::walls);
  }
  void set_profile_time(double time) {
    fluvia::ProfileRecords(prepared_.setup.changing, prepared_.boundaries.links)
        .set_time(time, prepared_.boundaries.records, prepared_.setup.carried);
  }
  void step() {
    key_ = core::step_key(static_cast<Uint64>(updates_));
    fluvia::cuda::Program program;
    append_step(*prepared_.layout, addresses(now()), physics_.boundaries.tile_count, program);
    by_parity(updates_, [&]<int parity>(Index<parity>) {
      for (const fluvia::cuda::Launch& launch : program) execute<parity>(launch);
    });
    ++updates_;
  }
  /// What a snapshot does: whatever is read from now on is as it is now, whatever steps follow.
  void keep() {
    const auto* first = reinterpret_cast<const Stored*>(at(updates_));
    kept_.assign(first, first + prepared_.placed_bytes() / sizeof(Stored));
    kept_update_ = updates_;
    kept_memory_ = memory_;
  }
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
    for (const LinkSums& part : parts) {
      flow += volume * part.flow;
      for (int a = 0; a < 3; ++a) {
        sum.force[a] += volume * part.force[a];
        sum.torque[a] += volume * part.torque[a];
      }
    }
    return {fluvia::wall_force(sum, prepared_.setup.carried[surface], 1, center), flow};
  }
  /// Populations in canonical order, as the solver's save_populations gives them.
  void exchange(int direction, std::vector<Stored>& values, bool load) {
    const fluvia::NodeMap& nodes = geometry_.nodes;
    std::vector<TileReference> references;
    for (std::uint64_t t = 0; t < nodes.tiles.size(); ++t)
      references.push_back(
          {nodes.tiles[t].mask, prepared_.layout->place_of(nodes, t), static_cast<Uint32>(nodes.tiles[t].first_node)});
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
  /// Or there would be one chunk only, and nothing to wait for.
  void slide_by_small_chunks() {
    constexpr int least_log2 = 4;
    prepared_.layout =
        std::make_unique<fluvia::cuda::SlidingTileLayout>(geometry_.nodes, prepared_.specification, least_log2);
    prepared_.extent = prepared_.layout->extent();
  }

  template <int parity>
  using Index = std::integral_constant<int, parity>;
  static constexpr emulation::Dim tile_block{64};

  /// Where populations of an update are, and where a step would write.
  struct Source {
    int update;
    Uint64 populations, next;
  };
  using Box =
      std::conditional_t<scheme.has_sites(), SiteBox, std::conditional_t<scheme.is_compact(), CompactTiles, DenseBox>>;

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
      const std::uint64_t counters = fluvia::cuda::counter_bytes(slide, box.count) / sizeof(Uint32);
      EXPECT_EQ(std::count(guard.counters, guard.counters + counters, 0u), counters);
      emulation::launch<true>(grid, block, step_sliding<Spec>, box, physics_, guard);
    } else if constexpr (scheme.is_compact()) {
      emulation::launch<true>(grid, block, step_compact<Spec, parity>, box, physics_);
    } else if constexpr (!scheme.has_sites()) {
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
          return emulation::launch<false>(grid, block, step_ghost_cells<Spec>, box, launch.more.as<Uint32>());
      emulation::launch<true>(grid, block, step_tiles<Spec, parity>, box, physics_);
    } else {
      emulation::launch<false>(grid, block, step_sites<Spec, parity>, box, physics_);
    }
  }
  [[nodiscard]] Uint64 at(int update) const {
    const auto first = reinterpret_cast<Uint64>(populations_.data());
    const bool second = (update % 2 == 1) != prepared_.extent.begins_at_second;
    return second ? first + prepared_.extent.second * sizeof(Stored) : first;
  }
  [[nodiscard]] Source now() const { return {updates_, at(updates_), at(updates_ + 1)}; }
  [[nodiscard]] Source readable() const {
    const auto kept = reinterpret_cast<Uint64>(kept_.data());
    return kept_.empty() ? now() : Source{kept_update_, kept, kept};
  }
  static fluvia::cuda::StepAddresses addresses(const Source& source) {
    return {source.populations, source.next, source.update};
  }
  [[nodiscard]] Box geometry_box(const Source& source) const {
    return prepared_.layout->geometry(addresses(source)).template as<Box>();
  }

  fluvia::Case case_;
  fluvia::Geometry geometry_;
  fluvia::cuda::PreparedCase prepared_;
  std::vector<Stored> populations_, kept_;
  HostArrays arrays_;
  Physics<T> physics_{};
  std::vector<T> memory_, kept_memory_;  ///< of boundary conditions
  core::StepKey key_{};
  float supply_ = 0;
  int updates_ = 0, kept_update_ = 0;
};

/// Sums over some hundred links, whose order differs.
template <class Gpu>
void compare_forces(const scene::Scene& s, const fluvia::Solver& cpu, const Gpu& gpu) {
  const fluvia::Real3 center = {3.3, -1.2, 0.7};
  for (const std::string& name : s.monitored) {
    const auto& names = cpu.geometry().surfaces;
    const int surface = static_cast<int>(std::find(names.begin(), names.end(), name) - names.begin());
    const fluvia::SurfaceForce expected = cpu.surface_force(surface, center);
    const fluvia::SurfaceForce found = gpu.measure(surface, center).first;
    for (int a = 0; a < 3; ++a) {
      ASSERT_NEAR(found.force[a], expected.force[a], 1e-12) << name;
      ASSERT_NEAR(found.torque[a], expected.torque[a], 1e-10) << name;
    }
  }
  for (std::size_t k = 0; k < s.openings.size(); ++k)
    ASSERT_NEAR(gpu.measure(s.openings[k].surface, center).second, cpu.opening_flow(static_cast<int>(k)).flow_rate,
                1e-12);
}

template <class Spec>
void compare(const scene::Scene& s, double tolerance) {
  SCOPED_TRACE(testing::Message() << s.name << ' ' << Spec::Lattice::name << ' ' << Spec::scheme.name << ' '
                                  << Spec::tile);
  using Stored = typename Spec::Format::Storage;
  reference::Physics physics;
  physics.lattice = Spec::Lattice::name;
  physics.collision = Spec::Collision::name;
  physics.equilibrium = Spec::Equilibrium::name;
  const bool rounds = sizeof(Stored) == 2;
  const char* const rounding = !rounds ? "auto" : Spec::stochastic ? "stochastic" : "nearest";
  const char* const cpu_scheme = Spec::scheme.half ? "fcc" : "pull";
  const auto cpu = scene::make_solver(s, {physics, cpu_scheme, Spec::Format::name, 1, "cpu", 0, 0, rounding});
  Emulated<Spec> gpu(s, {physics, Spec::scheme.name, Spec::Format::name, 1, "cuda", Spec::tile, 0, rounding});
  const fluvia::NodeMap& nodes = cpu->geometry().nodes;
  std::vector<Stored> expected(nodes.fluid_nodes), found(nodes.fluid_nodes);
  for (int i = 0; i < Spec::Lattice::Q; ++i) {
    cpu->save_populations(i, 0, nodes.tiles.size(), std::as_writable_bytes(std::span(expected)));
    gpu.exchange(i, expected, true);
  }
  for (int k = 0; k < 5; ++k) {
    gpu.set_profile_time(k);
    gpu.step();
    cpu->set_profile_time(k);
    cpu->step(1);
  }
  gpu.keep();
  gpu.step();
  std::uint64_t other_bits = 0;
  for (int i = 0; i < Spec::Lattice::Q; ++i) {
    cpu->save_populations(i, 0, nodes.tiles.size(), std::as_writable_bytes(std::span(expected)));
    gpu.exchange(i, found, false);
    for (std::size_t n = 0; n < found.size(); ++n) {
      other_bits += found[n] != expected[n];
      ASSERT_NEAR(Spec::Format::decode(found[n]), Spec::Format::decode(expected[n]), tolerance)
          << "direction " << i << " node " << n;
    }
  }
  // A sum in another order tips a rounding now and then; other random bits would tip half of them.
  if (Spec::stochastic && s.conditions.empty()) {
    ASSERT_LE(other_bits, found.size() * Spec::Lattice::Q / 50);
  }
  if constexpr (std::is_same_v<typename Spec::Format, core::Fp64>) compare_forces(s, *cpu, gpu);
}

/// Scheme number k with tiles of an edge, if it has any.
template <class Lattice, int k, int edge, class Format>
void compare_all_scenes(double tolerance) {
  for (const scene::Scene& s : core::schemes[k].half ? scene::half_scenes() : scene::all_scenes(Lattice::D)) {
    // Boxes that end inside of a tile along a periodic axis have kernels of their own.
    const fluvia::Int3 shape = fluvia::tile_shape(Lattice::D);
    bool cut = false;
    for (int axis = 0; axis < Lattice::D; ++axis) cut = cut || (s.periodic[axis] && s.size[axis] % shape[axis] != 0);
    constexpr bool compact = core::schemes[k].is_compact();
    if (cut && compact)
      compare<Spec<Lattice, k, edge, Format, compact>>(s, tolerance);
    else
      compare<Spec<Lattice, k, edge, Format, false>>(s, tolerance);
    if (testing::Test::HasFatalFailure()) return;
  }
  // Index maps find walls alike in two and three dimensions.
  if constexpr (Lattice::D == 2)
    compare<Spec<Lattice, k, edge, Format, false, false, core::WallRule::interpolated>>(
        scene::between_nodes(scene::channel({37, 21, 1}), false), tolerance);
  else if constexpr (!core::schemes[k].has_sites() || core::schemes[k].half)
    compare<Spec<Lattice, k, edge, Format, false, false, core::WallRule::viscosity_independent>>(
        scene::between_nodes(scene::cavity({13, 7, 9}), true), tolerance);
}

/// Both compute in double; they differ in which products and sums are fused.
constexpr double round_off = 1e-14;

template <class Lattice, int k>
void compare_all_edges() {
  constexpr const int* edges = core::schemes[k].edges(Lattice::D);
  constexpr bool fits = !core::schemes[k].half || std::is_same_v<Lattice, core::D3Q13>;
  if constexpr (core::schemes[k].cuda && fits) {
    compare_all_scenes<Lattice, k, edges[0], core::Fp64>(round_off);
    if constexpr (edges[1] != 0) compare_all_scenes<Lattice, k, edges[1], core::Fp64>(round_off);
    if constexpr (edges[2] != 0) compare_all_scenes<Lattice, k, edges[2], core::Fp64>(round_off);
  }
}

template <class Lattice>
void compare_all_schemes() {
  [&]<int... k>(std::integer_sequence<int, k...>) {
    (compare_all_edges<Lattice, k>(), ...);
  }
  (std::make_integer_sequence<int, static_cast<int>(std::size(core::schemes))>());
}

constexpr int number_of(const char* name) {
  for (int k = 0;; ++k)
    if (same(core::schemes[k].name, name)) return k;
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SKIP_UNDER_SANITIZERS() GTEST_SKIP() << "sanitizers do not follow contexts that change places"
#else
#define SKIP_UNDER_SANITIZERS() static_cast<void>(0)
#endif

TEST(EmulatedKernels, AgreeWithTheCpuInTwoDimensions) {
  SKIP_UNDER_SANITIZERS();
  compare_all_schemes<core::D2Q9>();
}

TEST(EmulatedKernels, AgreeWithTheCpuInThreeDimensions) {
  SKIP_UNDER_SANITIZERS();
  compare_all_schemes<core::D3Q19>();
}

/// Inlets that have other speeds at each step, given to both by the same sums.
TEST(EmulatedKernels, AgreeWithTheCpuWhereAProfileChangesItsShape) {
  SKIP_UNDER_SANITIZERS();
  const fluvia::test::TemporaryFolder folder;
  const scene::Scene s = scene::pulsating_channel({37, 21, 1}, folder.path() / "flow.csv");
  compare<Spec<core::D2Q9, number_of("pull"), 0, core::Fp64, false>>(s, round_off);
  compare<Spec<core::D2Q9, number_of("esoteric-pull"), 0, core::Fp64, false>>(s, round_off);
  compare<Spec<core::D2Q9, number_of("compact-aa"), 0, core::Fp64, false>>(s, round_off);
}

/// Few directions are stored, and neighbouring tiles that no direction reaches are left out.
TEST(EmulatedKernels, AgreeWithTheCpuOnThirteenVelocities) {
  SKIP_UNDER_SANITIZERS();
  compare_all_edges<core::D3Q13, number_of("esoteric-pull")>();
  compare_all_edges<core::D3Q13, number_of("compact-sliding")>();
  compare_all_edges<core::D3Q13, number_of("fcc")>();
  compare_all_edges<core::D3Q13, number_of("fcc-shared")>();
  compare_all_edges<core::D3Q13, number_of("fcc-aa")>();
}

/// Tiles in the middle of large fluid regions have ways of their own through the kernels.
template <class Lattice, int k, class Format>
void compare_large_box(double tolerance) {
  const scene::Scene box = scene::channel(Lattice::D == 3 ? fluvia::Int3{38, 17, 18} : fluvia::Int3{75, 44, 1});
  compare<Spec<Lattice, k, 0, Format, false>>(box, tolerance);
}

/// Five steps that each round to 10 bits below populations of 0.05, where the GPU rounds a boundary's once more.
TEST(EmulatedKernels, AgreeWithTheCpuInHalfPrecision) {
  SKIP_UNDER_SANITIZERS();
  constexpr int pull = number_of("pull"), aa = number_of("aa"), esoteric_pull = number_of("esoteric-pull"),
                compact_pull = number_of("compact-pull"), compact_aa = number_of("compact-aa"),
                sliding = number_of("compact-sliding");
  compare_all_scenes<core::D2Q9, pull, 0, core::Fp16S>(5e-4);
  compare_all_scenes<core::D2Q9, aa, 0, core::Fp16S>(5e-4);
  compare_all_scenes<core::D2Q9, esoteric_pull, 0, core::Fp16C>(1e-3);
  compare_all_scenes<core::D2Q9, compact_aa, 0, core::Fp16S>(5e-4);
  compare_all_scenes<core::D2Q9, number_of("soa-push"), 0, core::Fp16S>(5e-4);
  compare_all_scenes<core::D3Q19, sliding, 0, core::Fp16S>(5e-4);
  compare_large_box<core::D2Q9, sliding, core::Fp16S>(5e-4);
  compare_large_box<core::D3Q19, compact_pull, core::Fp16S>(5e-4);
  compare_large_box<core::D3Q19, compact_aa, core::Fp16S>(5e-4);
  compare_large_box<core::D3Q19, aa, core::Fp16S>(5e-4);
}

/// Kernels convert by instructions and tricks of their own.
TEST(KernelFormats, HaveTheBitsOfCore) {
  core::for_each_type(core::Formats{}, []<class Format>(Format) {
    using Codec = fluvia::cuda::kernels::Codec<Format>;
    if constexpr (core::rounds<Format>) {
      for (Uint32 h = 0; h < 0x10000; ++h) {
        if (Format::encode(Format::decode(static_cast<Uint16>(h))) != h) continue;  // infinity, NaN
        ASSERT_EQ(core::detail::bits_of(Codec::decode(static_cast<Uint16>(h))),
                  core::detail::bits_of(Format::decode(static_cast<Uint16>(h))))
            << Format::name << ' ' << h;
      }
      // All signs and exponents, and all ways to round: those of a few bits of the mantissa, and ties.
      constexpr Uint32 step = 251;
      for (Uint32 bits = 0; bits < 0xffffffffu - step; bits += bits % 0x800000u < 0x10000u ? 1 : step) {
        const float x = core::detail::float_of(bits);
        const Uint32 expected = Format::encode(x);
        ASSERT_EQ(Codec::encode(x), expected) << Format::name << ' ' << x;
        ASSERT_EQ(Codec::encode_pair(x, -x), expected | (expected ^ 0x8000u) << 16) << Format::name << ' ' << x;
      }
    }
  });
}

/// Every addressing, and every way through its kernels; a unit a step instead of half of one.
template <class Lattice, class Format, int k, int edge = 0>
void compare_rounded() {
  constexpr bool flat = Lattice::D == 2, compact = core::schemes[k].is_compact();
  scene::Scene closed = core::schemes[k].half
                            ? scene::half_scenes()[0]
                            : scene::channel(flat ? fluvia::Int3{75, 44, 1} : fluvia::Int3{38, 17, 18});
  compare<Spec<Lattice, k, edge, Format, false, true>>(closed, 1e-3);
  closed.conditions.clear();
  compare<Spec<Lattice, k, edge, Format, false, true>>(closed, 1e-3);
  if constexpr (compact) {
    scene::Scene porous = scene::porous(flat ? fluvia::Int3{37, 21, 1} : fluvia::Int3{19, 9, 13});
    porous.conditions.clear();
    compare<Spec<Lattice, k, edge, Format, true, true>>(porous, 1e-3);
  }
}

TEST(EmulatedKernels, RoundByTheRandomBitsOfTheCpu) {
  SKIP_UNDER_SANITIZERS();
  compare_rounded<core::D2Q9, core::Fp16S, number_of("pull")>();
  compare_rounded<core::D2Q9, core::Fp16C, number_of("aa")>();
  compare_rounded<core::D2Q9, core::Fp16S, number_of("compact-aa")>();
  compare_rounded<core::D2Q9, core::Fp16C, number_of("compact-sliding")>();
  compare_rounded<core::D2Q9, core::Fp16S, number_of("soa-pull")>();
  compare_rounded<core::D2Q9, core::Fp16S, number_of("t2c"), 8>();
  compare_rounded<core::D2Q9, core::Fp16S, number_of("tgb"), 16>();
  compare_rounded<core::D2Q9, core::Fp16S, number_of("cm")>();
  compare_rounded<core::D2Q9, core::Fp16S, number_of("fia")>();
  compare_rounded<core::D3Q13, core::Fp16S, number_of("fcc-shared")>();
  compare_rounded<core::D3Q19, core::Fp16C, number_of("esoteric-pull")>();
  compare_rounded<core::D3Q19, core::Fp16S, number_of("compact-pull")>();
}

}  // namespace
