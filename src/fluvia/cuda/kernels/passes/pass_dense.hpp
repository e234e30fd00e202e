// SPDX-License-Identifier: Apache-2.0
// Several time steps in one pass over memory, on a dense box with two copies that is read and written as Pull does it;
// docs/fused-steps.md; or over moments of populations, pass_moments.hpp. Besides the types of step.hpp, a Spec has
// steps: time steps of a pass; pass_width, pass_depth: size of the tile of columns that a block stores;
// pass_blocks: blocks of threads that shall fit on a multiprocessor; loads_early: whether a thread asks for its next
// node before the later stages, if it has registers to keep it; changes: whether surfaces get other values from stage
// to stage.
//
// Stateful boundary conditions act on nodes of a halo in several blocks. All of these compute the same numbers, so all
// may write them, each stage to elements of its own: numbers that a stage reads were written by its block at the stage
// before, or by nobody during the pass (docs/decisions/0036-conditions-in-passes.md).
#pragma once
#include "fluvia/cuda/kernels/boundary.hpp"
#include "fluvia/cuda/kernels/passes/pass_record.hpp"
#include "fluvia/cuda/kernels/passes/pass_shape.hpp"
#include "fluvia/cuda/kernels/step.hpp"

namespace fluvia::cuda::kernels {

/// Whether boundary conditions of this case keep numbers from step to step.
template <class Spec>
inline constexpr bool has_memory = core::remembers(Spec::conditions);

template <class Spec, class Record = PopulationRecord>
inline constexpr PassTile pass_tile{Spec::Lattice::D, Spec::steps + Record::stages_before, Spec::pass_width,
                                    Spec::pass_depth};

/// Parts of the march whose blocks need not know of each other: nodes that they write are not read in this pass.
struct PartsApart {
  static constexpr bool wait = false;
  /// The part of the march that the block takes.
  [[nodiscard]] __device__ __forceinline__ Uint32 part() const { return blockIdx.z; }
  /// Does nothing; called by all threads before the block writes, at least one barrier ahead.
  __device__ __forceinline__ void before_writing() const {}
};

/// One thread of a pass: it takes a column of nodes through all stages. `Record`: what nodes keep in memory.
template <class Spec, class Parts = PartsApart, class Record = PopulationRecord>
class PassColumn {
  using Lattice = typename Spec::Lattice;
  using T = Arithmetic<Spec>;
  using Stored = typename Spec::Format::Storage;
  using Word = typename Record::template Word<Spec>;
  using Storage = DenseStorage<Spec, 0>;
  using Populations = typename Storage::Populations;
  using Pull = core::Pull;
  static constexpr int Q = Lattice::Q, march_axis = Lattice::D - 1, words = Record::template words<Spec>;
  static constexpr int stages = Spec::steps + Record::stages_before;
  static constexpr bool keeps_populations = Record::stages_before == 0, three_back = keeps_populations || Spec::mirrors;
  static_assert(keeps_populations || core::follows_from_moments<typename Spec::Collision, typename Spec::Equilibrium>,
                "this collision leaves more than these moments");
  static_assert(keeps_populations || !Spec::force || !Spec::Viscosity::varies ||
                    !core::leaves_third_order<typename Spec::Collision>,
                "a rate that varies does not follow from what is left");
  static constexpr bool keeps_returned = Record::template keeps_returned<Spec>;
  static constexpr Uint32 cut_bits = (1u << Q) - 1;
  static constexpr PassTile tile = pass_tile<Spec, Record>;
  static constexpr int columns = tile.columns(), halo = tile.halo();

 public:
  __device__ __forceinline__ PassColumn(const DenseBox& box, const Physics<T>& physics, const PassArguments& pass,
                                        T* shared, const Parts& parts, const Record& record = {})
      : storage_{box}, physics_(physics), pass_(pass), parts_(parts), record_(record) {
    open(shared);
    planes_ = static_cast<int>(min(pass.planes, pass.end - first())) + 2 * halo;
  }

  /// Goes through all planes of the block; all threads of the block must call it.
  __device__ __forceinline__ void march() {
    const int rounds = planes_ + halo;
    look_ahead();
    for (round_ = 0; round_ < rounds; ++round_) {
      third_ = third_ == 2 ? 0 : third_ + 1;
      next_links();
      if constexpr (Spec::loads_early) {
        Fetched fetched;
        fetch(fetched);
        wait_for_others();
        if constexpr (!keeps_populations) __syncthreads();  // while what was asked for is on its way
        later_stages();
        first_stage(fetched);
      } else {
        if constexpr (!keeps_populations) __syncthreads();
        later_stages();
        Fetched fetched;
        fetch(fetched);
        wait_for_others();
        first_stage(fetched);
      }
      if constexpr (keeps_populations) __syncthreads();
    }
  }

 private:
  struct Fetched {
    Word stored[words];
    DenseNode node;
  };
  /// Populations of one column and stage: those that march ahead, from the last three planes, and so on.
  struct Own {
    T ahead[3], along[2], back[2];
  };

  /// Called in the first round, while populations that were asked for arrive. A pass of several steps writes rounds
  /// later.
  __device__ __forceinline__ void wait_for_others() const {
    if constexpr (Parts::wait) {
      if (round_ > 0) return;
      parts_.before_writing();
      if constexpr (stages == 1) __syncthreads();
    }
  }
  /// Opens the thread's column. Threads begin with the columns that are stored, row by row, so that warps take whole
  /// rows of memory.
  __device__ __forceinline__ void open(T* shared) {
    constexpr int width = Spec::pass_width, rows = tile.columns_y(), middle = width * rows;
    const int t = static_cast<int>(threadIdx.x), side = t - middle;
    const bool in_middle = t < middle;
    const int cy = in_middle ? t / width : side % rows, k = side / rows;
    const int cx = in_middle ? halo + t % width : k < halo ? k : width + k;
    column_values_ = shared + (cx + tile.columns_x() * cy);
    inset_ = t < columns ? min(cx, tile.columns_x() - 1 - cx) : -1;
    const DenseBox& box = storage_.box;
    const int x = static_cast<int>(blockIdx.x) * width + cx - halo, nx = static_cast<int>(box.size[0]);
    stores_ = x < nx;
    close(x, nx, 0);
    x_ = wrapped(x, nx);
    if constexpr (Lattice::D == 3) {
      const int y = static_cast<int>(blockIdx.y) * Spec::pass_depth + cy - halo, ny = static_cast<int>(box.size[1]);
      inset_ = min(inset_, min(cy, tile.columns_y() - 1 - cy));
      stores_ = stores_ && y < ny;
      close(y, ny, 1);
      y_ = wrapped(y, ny);
    }
  }
  /// Leaves out columns behind the end of the box. Around a periodic axis the halo has such columns, but they have no
  /// others behind them, wherever the tile ends: values computed from those are stored nowhere, but must not be kept by
  /// boundary conditions.
  __device__ __forceinline__ void close(int x, int n, int axis) {
    if ((pass_.ends >> axis & 1u) != 0 ? x < 0 || x >= n : x >= n + halo) inset_ = -1;
    if constexpr (has_memory<Spec>) inset_ = min(inset_, n + halo - 1 - x);
  }
  /// Coordinate in the box, which has as many nodes along each axis as a tile has around it.
  static __device__ __forceinline__ Uint32 wrapped(int x, int n) {
    return static_cast<Uint32>(x < 0 ? x + n : x >= n ? x - n : x);
  }
  /// The block's first plane, for which no register is kept: in 2D there is none left.
  [[nodiscard]] __device__ __forceinline__ Uint32 first() const { return pass_.first + parts_.part() * pass_.planes; }
  /// Position along the march of plane r, which counts from the halo before the block's first.
  [[nodiscard]] __device__ __forceinline__ Uint32 position(int r) const {
    return wrapped(static_cast<int>(anew(first())) - halo + r, static_cast<int>(storage_.box.size[march_axis]));
  }
  /// This column's node at a position along the march.
  [[nodiscard]] __device__ __forceinline__ DenseNode node_at(Uint32 position) const {
    const DenseBox& box = storage_.box;
    DenseNode node;
    Storage::around(node.x, anew(x_), box.size[0], 1);
    Storage::around(node.y, Lattice::D == 3 ? anew(y_) : position, box.size[1], box.pitch);
    Storage::around(node.z, Lattice::D == 3 ? position : 0, box.size[2], box.pitch * box.size[1]);
    return node;
  }
  /// DenseBox::segments of the segment of the column at `position`: the block of its words, or `none`.
  [[nodiscard]] __device__ __forceinline__ Uint32 block_at(Uint32 position) const {
    return Lattice::D == 3 ? storage_.segment(x_, y_, position) : storage_.segment(x_, position, 0);
  }
  [[nodiscard]] __device__ __forceinline__ Uint64 word_of(Uint32 block) const {
    return static_cast<Uint64>(block) * segment_nodes + x_ % segment_nodes;
  }

  /// Reads the words of the next planes. They are known before populations are asked for, since the addresses of these
  /// depend on them, and stay until the last stage has been there: a segment's number and its words are two loads that
  /// follow each other.
  __device__ __forceinline__ void look_ahead() {
    if (inset_ < 0) return;
    links_ahead_ = links_of(block_at(position(0)));
    block_ahead_ = block_at(position(1));
  }
  __device__ __forceinline__ void next_links() {
    core::unroll<2 * stages - 2>([&](auto k) { links_[2 * stages - 2 - k.i] = links_[2 * stages - 3 - k.i]; });
    links_[0] = links_ahead_;
    if (inset_ < 0 || round_ + 1 >= planes_) return;
    links_ahead_ = links_of(block_ahead_);
    if (round_ + 2 < planes_) block_ahead_ = block_at(position(round_ + 2));
  }
  [[nodiscard]] __device__ __forceinline__ Uint32 links_of(Uint32 block) const {
    return block != none ? storage_.box.words[word_of(block)] : 0;
  }

  __device__ __forceinline__ void fetch(Fetched& fetched) const {
    if (round_ >= planes_ || inset_ < 0 || (links_[0] & not_fluid_bit) != 0) return;
    const DenseBox& box = storage_.box;
    if constexpr (keeps_populations) {
      fetched.node = node_at(position(round_));
      fetch_arriving(box, fetched);
    } else {
      const Uint64 address = address_in(box.source[0], position(round_));
      core::unroll<words>(
          [&](auto k) { read_global(address + k.i * moment_group * sizeof(Word), fetched.stored[k.i]); });
    }
  }
  __device__ __forceinline__ void fetch_arriving(const DenseBox& box, Fetched& fetched) const {
    const auto arriving = [&](auto i) { read<Pull::read_from(0, i.i), i.i>(box, fetched.node, fetched.stored[i.i]); };
    if ((links_[0] & ~record_bit) == 0) {
      core::unroll<Q>(arriving);
      return;
    }
    arriving(core::Index<0>{});
    core::unroll<Q, 1>([&](auto i) {
      if ((links_[0] >> i.i & 1u) == 0)
        arriving(i);
      else
        read<Pull::read_cut(0, i.i), i.i>(box, fetched.node, fetched.stored[i.i]);
    });
  }
  template <core::Access access, int i>
  static __device__ __forceinline__ void read(const DenseBox& box, const DenseNode& node, Stored& value) {
    constexpr Offset<Lattice> d(access, i);
    const Uint32 element = node.x[1 + d.x] + (node.y[1 + d.y] + node.z[1 + d.z]);
    read_global(box.source[access.slot] + static_cast<Uint64>(element) * sizeof(Stored), value);
  }

  /// Takes the first stage, with numbers from memory: the first step, or moments rebuilt to populations.
  __device__ __forceinline__ void first_stage(Fetched& fetched) {
    if (round_ >= planes_) return;
    if constexpr (stages > 1) keep(own_[0]);
    if (inset_ < 0 || (links_[0] & not_fluid_bit) != 0) return;
    if constexpr (keeps_populations) {
      Populations p;
      core::unroll<Q>([&](auto i) { p.f[i.i] = Storage::Codec::decode(fetched.stored[i.i]); });
      finish_stage<0>(p, links_[0], fetched.node);
    } else {
      pass_on_rebuilt<0>(fetched.stored, physics_);
      if constexpr (keeps_returned)
        if ((links_[0] & cut_bits) != 0) pass_on_kept_returned();
    }
  }

  __device__ __forceinline__ void later_stages() {
    core::unroll<stages - 1>([&](auto k) { later_stage<stages - 1 - k.i>(); });
  }
  template <int s>
  __device__ __forceinline__ void later_stage() {
    const int r = round_ - 2 * s;
    if (r < s || r >= planes_ - s) return;
    if constexpr (s < stages - 1) keep(own_[s]);
    const Uint32 links = links_[2 * s];
    if (inset_ < s || (links & not_fluid_bit) != 0) return;
    Populations p;
    receive<s>(p.f, links);
    DenseNode node;
    if constexpr ((keeps_populations && s == stages - 1) || Spec::walls != core::WallRule::half_way || Spec::own_forces)
      node = node_at(position(r));
    finish_stage<s>(p, links, node);
  }
  /// Takes the populations that arrive at a node from the stage before.
  template <int s>
  __device__ __forceinline__ void receive(T (&f)[Q], Uint32 links) const {
    core::unroll<Q>([&](auto i) {
      constexpr int march = march_step<Lattice>(i.i), shift = tile.shift<Lattice>(i.i);
      if constexpr (stays_in_column<Lattice>(i.i))
        f[i.i] = own<march>(own_[s - 1], 1 + march);
      else
        f[i.i] = between<s - 1, i.i>(plane_of<s, march>(-march))[-shift];
    });
    if ((links & ~record_bit) == 0) return;
    core::unroll<Q, 1>([&](auto i) {
      constexpr int back = core::opposite(i.i), march = march_step<Lattice>(back);
      if ((links >> i.i & 1u) == 0) return;
      if constexpr (stays_in_column<Lattice>(back))
        f[i.i] = own<march>(own_[s - 1], 1);
      else
        f[i.i] = *between<s - 1, back>(plane_of<s, march>(0));
    });
    if constexpr (Spec::mirrors)
      if ((links & mirror_bit) != 0) reflect<s>(f);
  }
  /// Takes the populations that arrive over planes of symmetry: those that left the mirror image of the node beyond
  /// them, along the mirrored direction. That image is a neighbour, or this node.
  template <int s>
  __device__ __forceinline__ void reflect(T (&f)[Q]) const {
    const Uint32 at = position(round_ - 2 * s), mirrored = pass_.mirrored[word_of(block_at(at))];
    const Uint32 position[3] = {x_, Lattice::D == 3 ? y_ : at, at};
    Uint32 low = 0, high = 0;  // axes along which this is the first, or last, node, beside a plane
    core::unroll<Lattice::D>([&](auto axis) {
      constexpr int a = axis.i;
      if (position[a] == 0) low |= pass_.mirrors >> (2 * a) & 1u ? 1u << a : 0u;
      if (position[a] + 1 == storage_.box.size[a]) high |= pass_.mirrors >> (2 * a + 1) & 1u ? 1u << a : 0u;
    });
    core::unroll<Q, 1>([&](auto i) {
      if ((mirrored >> i.i & 1u) == 0) return;
      constexpr int d = i.i;  // NVRTC takes a captured parameter for no constant
      constexpr Uint32 from_low = axes_with<Lattice>(d, 1), from_high = axes_with<Lattice>(d, -1);
      const Uint32 axes = (low & from_low) | (high & from_high);
      core::unroll<1 << Lattice::D, 1>([&](auto k) {
        constexpr auto reflected = static_cast<Uint32>(k.i);
        if constexpr ((reflected & ~(from_low | from_high)) == 0) {
          constexpr int image = image_of<Lattice>(d, reflected), march = march_step<Lattice>(image);
          constexpr int plane = back_along<Lattice>(d, march_axis, reflected);
          constexpr int column = tile.column_shift(back_along<Lattice>(d, 0, reflected),
                                                   Lattice::D == 3 ? back_along<Lattice>(d, 1, reflected) : 0);
          if constexpr (!stays_in_column<Lattice>(image))
            if (axes == reflected) f[d] = between<s - 1, image>(plane_of<s, march>(plane))[column];
        }
      });
    });
  }
  /// Completes boundaries, collides, and passes populations on to the next stage or to memory.
  template <int s>
  __device__ __forceinline__ void finish_stage(Populations& p, Uint32 links, const DenseNode& node) {
    Physics<T> physics = physics_;
    // What follows from the rate is computed anew: registers that keep it from round to round are missing elsewhere.
    physics.parameters.omega = in_turn(physics.parameters.omega, round_);
    if constexpr (Spec::conditions != 0)
      if ((links & record_bit) != 0)
        complete_stage<s>(p, pass_.records[word_of(block_at(position(round_ - 2 * s)))], physics, node);
    p.links = 0;
    p.active = true;
    if constexpr (!keeps_populations) {
      finish_moments<s>(p, links, physics, node);
    } else if constexpr (s == stages - 1) {
      const auto collision =
          rounded<Spec>(node_collision<Spec>(storage_, physics), physics.rounding, [&](const auto&, Uint32) {
            const Uint32 at = position(round_ - 2 * s);
            return physics.rounding.first + core::box_index(x_, Lattice::D == 3 ? y_ : at, Lattice::D == 3 ? at : 0,
                                                            storage_.box.size[0], storage_.box.size[1]);
          });
      collision.collide(node, p);
      if (stores_) store(node, p);
    } else {
      node_collision<Spec>(storage_, physics).collide(node, p);
      pass_on<s>(p);
    }
  }
  /// Applies boundary conditions of a node, with the values of its surfaces at this stage. Only they change; `physics`
  /// is a copy.
  template <int s>
  __device__ __forceinline__ void complete_stage(Populations& p, Uint32 record, Physics<T>& physics,
                                                 const DenseNode& node) const {
    constexpr int step = s - Record::stages_before;
    [[maybe_unused]] const Stages<T>& steps = physics_.stages;
    T* after = nullptr;
    if constexpr (has_memory<Spec>) {
      if constexpr (step > 0) physics.memory = steps.memory + (step - 1) * steps.memory_size;
      after = step == Spec::steps - 1 ? physics_.memory_after : steps.memory + step * steps.memory_size;
    }
    if constexpr (Spec::changes) {
      physics.boundaries.records = steps.records + step * steps.next_records;
      physics.boundaries.surfaces = steps.surfaces + step * steps.next_surfaces;
    }
    Uint32 storage_index = none;
    if constexpr (Spec::own_forces) storage_index = storage_.template wall_storage_index<0>(node);
    apply_records<Spec>(p.f, record, physics, after, own_force<Spec>(physics, storage_index));
  }
  __device__ __forceinline__ void store(const DenseNode& node, const Populations& p) const {
    const Uint64 offset = static_cast<Uint64>(node.x[1] + (node.y[1] + node.z[1])) * sizeof(Stored);
    core::unroll<Q>([&](auto i) {
      constexpr core::Access access = Pull::write_to(0, i.i);
      write_global(storage_.box.target[access.slot] + offset, Storage::StepCodec::encode(p.f[i.i]));
    });
  }
  /// Collides a node whose moments are kept: these collide, and populations are rebuilt only for another stage.
  template <int s>
  __device__ __forceinline__ void finish_moments(Populations& p, Uint32 links, const Physics<T>& physics,
                                                 const DenseNode& node) {
    Number<Spec> moments[KeptMoments<Spec>::numbers];
    Uint32 storage_index = none;
    if constexpr (Spec::own_forces) storage_index = storage_.template wall_storage_index<0>(node);
    collide_to_moments<Spec>(p.f, physics, own_force<Spec>(physics, storage_index), moments);
    const bool returns = keeps_returned && (links & cut_bits) != 0;
    if constexpr (keeps_returned)
      if (returns) node_collision<Spec>(storage_, physics).collide(node, p);  // of which cut links are what is needed
    Word kept[words];
    KeptMoments<Spec>::encode(moments, random_bits<s>(physics.rounding), kept);
    if constexpr (s < stages - 1) {
      pass_on_rebuilt<s>(kept, physics);
      if constexpr (keeps_returned)
        if (returns)
          for_each_cut<Q>(links, [&](auto i) { hand_over<s, core::opposite(i.i)>(p.f[core::opposite(i.i)]); });
    } else if (stores_) {
      // The position, which is stored, needs no wrapping.
      const Uint64 address = address_in(storage_.box.target[0], first() - halo + (round_ - 2 * s));
      core::unroll<words>([&](auto k) { write_global(address + k.i * moment_group * sizeof(Word), kept[k.i]); });
      if constexpr (keeps_returned)
        if (returns)
          for_each_cut<Q>(links, [&](auto i) {
            write_global(returned_at<i.i>(record_.returned.target, position(round_ - 2 * s)), p.f[core::opposite(i.i)]);
          });
    }
  }
  /// Puts what walls returned in the pass before in place of what left towards them, which nobody else looks for.
  __device__ __forceinline__ void pass_on_kept_returned() {
    for_each_cut<Q>(links_[0], [&](auto i) {
      T f;
      read_global(returned_at<i.i>(record_.returned.source, position(round_)), f);
      hand_over<0, core::opposite(i.i)>(f);
    });
  }
  template <int i>
  [[nodiscard]] __device__ __forceinline__ Uint64 returned_at(Uint64 copy, Uint32 position) const {
    const Uint32 row = record_.returned.rows[word_of(block_at(position))];
    return Record::template place_of_returned<Spec>(record_.returned, copy, row, i);
  }
  /// Rebuilds what leaves this column's node in the plane of stage s, and passes it on.
  template <int s>
  __device__ __forceinline__ void pass_on_rebuilt(const Word (&kept)[words], const Physics<T>& physics) {
    Populations p;
    rebuild_leaving<Spec>(kept, rounded_node<s>(), physics.parameters, p.f);
    pass_on<s>(p);
  }
  /// The element of this column's node in the plane of stage s, if that asks for something random.
  template <int s>
  [[nodiscard]] __device__ __forceinline__ Uint32 rounded_node() const {
    if constexpr (!core::rounds<typename Spec::Format>) return none;
    return Record::in_domain(record_.box, element_at(position(round_ - 2 * s)));
  }
  /// Random bits of this node in the step of stage s; the keys of the steps of a pass follow each other.
  template <int s>
  [[nodiscard]] __device__ __forceinline__ Uint32 random_bits(RoundingArguments rounding) const {
    if constexpr (!core::rounds<typename Spec::Format>) return 0;
    rounding.key -= stages - 1 - s;
    return rounding_bits(rounding, rounded_node<s>());
  }
  /// Address of the moments of this column's node at a position along the march, in a copy.
  [[nodiscard]] __device__ __forceinline__ Uint64 address_in(Uint64 copy, Uint32 position) const {
    return copy + Record::template place<Spec>(element_at(position)) * sizeof(Word);
  }
  [[nodiscard]] __device__ __forceinline__ Uint32 element_at(Uint32 position) const {
    const DenseBox& box = storage_.box;
    return x_ + box.pitch * (Lattice::D == 3 ? y_ + box.size[1] * position : position);
  }
  template <int s>
  __device__ __forceinline__ void pass_on(const Populations& p) {
    core::unroll<Q>([&](auto i) { hand_over<s, i.i>(p.f[i.i]); });
  }
  /// Hands the population of direction i over to the next stage.
  template <int s, int i>
  __device__ __forceinline__ void hand_over(const T& f) {
    constexpr int march = march_step<Lattice>(i);
    if constexpr (!stays_in_column<Lattice>(i))
      *between<s, i>(plane_of<s, march>(0)) = f;
    else if constexpr (march > 0)
      own_[s].ahead[0] = f;
    else if constexpr (march < 0)
      own_[s].back[0] = f;
    else
      own_[s].along[0] = f;
  }
  static __device__ __forceinline__ void keep(Own& own) {
    own.ahead[2] = own.ahead[1];
    own.ahead[1] = own.ahead[0];
    own.along[1] = own.along[0];
    own.back[1] = own.back[0];
  }
  template <int march>
  static __device__ __forceinline__ T own(const Own& own, int age) {
    if constexpr (march > 0) return own.ahead[age];
    if constexpr (march < 0) return own.back[age];
    return own.along[age];
  }

  /// Number of the buffer that holds a plane of populations that march so: the plane `offset` from that of stage s.
  template <int s, int march>
  [[nodiscard]] __device__ __forceinline__ int plane_of(int offset) const {
    if constexpr (march > 0) return (round_ - 2 * s + offset) & 3;
    if constexpr (march < 0 && !three_back) return (round_ + offset) & 1;
    const int of = third_ + (s + offset + 3) % 3;  // -2 s = s among three
    return of >= 3 ? of - 3 : of;
  }
  /// This column's population of direction i after stage s, in one of the buffers.
  template <int s, int i>
  [[nodiscard]] __device__ __forceinline__ T* between(int plane) const {
    constexpr int march = march_step<Lattice>(i), count = leaving_before<Lattice>(Q, march);
    constexpr int first = s * values_between_stages<Lattice>(three_back) + first_plane<Lattice>(march);
    return column_values_ + (plane * count + leaving_before<Lattice>(i, march) + first) * columns;
  }

  const Storage storage_;
  const Physics<T>& physics_;
  const PassArguments& pass_;
  const Parts parts_;
  const Record record_;
  T* column_values_;  ///< the column's first value in shared memory
  int inset_, planes_, round_ = 0, third_ = 2;
  bool stores_;
  Uint32 x_, y_ = 0;
  Uint32 links_[2 * stages - 1] = {};            ///< words of the nodes of this round's plane and of those before it
  Uint32 links_ahead_ = 0, block_ahead_ = none;  ///< the word of the next plane, and the segment of the one after that
  Own own_[stages > 1 ? stages - 1 : 1];
};

/// Takes a pass: blocks of threads lie along x and y; blockIdx.z counts parts of the march.
template <class Spec>
__global__ void __launch_bounds__(pass_tile<Spec>.threads(), Spec::pass_blocks)
    pass_dense(const __grid_constant__ DenseBox box, const Physics<Arithmetic<Spec>> physics,
               const PassArguments pass) {
  begin_kernel();
  PassColumn<Spec>(box, physics, pass, shared_memory<Arithmetic<Spec>>(), PartsApart{}).march();
}

}  // namespace fluvia::cuda::kernels
