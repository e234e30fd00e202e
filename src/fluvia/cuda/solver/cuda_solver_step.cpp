// SPDX-License-Identifier: Apache-2.0
// CudaSolver: steps, of all nodes at once or border and interior side by side.
#include <array>
#include <utility>

#include "fluvia/cuda/solver/cuda_solver.hpp"

namespace fluvia::cuda {

template <class T>
void CudaSolver<T>::use_keys(int steps, int at) {
  if (!on_.specification.stochastic) return;
  if (!keys_.have(time_step_, steps)) {
    if (border_.messages() != nullptr) on_.channel.stream.wait(border_.messages()->stepped);  // which read those there
    keys_.upload(on_.channel.stream, time_step_);
  }
  physics_.rounding.key = keys_.of(time_step_ + at);
}

template <class T>
void CudaSolver<T>::carry_out(const Program& program, const FlowView<T>& flow, const Stream& stream) {
  // Those that exchange, or are streamed, wait for copies of others.
  const bool is_alone = border_.messages() == nullptr && flow_.streamed() == nullptr;
  for (const Launch& launch : program) {
    std::array<ArgumentView, 3> views{ArgumentView(launch.geometry), ArgumentView(flow.physics),
                                      ArgumentView(launch.more)};
    if (!launch.takes_physics) views[1] = views[2];
    const std::size_t count = 1 + (launch.takes_physics ? 1 : 0) + (launch.more.bytes() > 0 ? 1 : 0);
    LaunchShape shape = launch.shape;
    shape.early = is_alone;
    clock_.time(on_.device, on_.channel.stream, launch.part, [&] {
      on_.kernels.get(launch.kernel, flow.update).launch_with(stream, shape, std::span(views).first(count));
    });
  }
}

template <class T>
Program CudaSolver<T>::boundaries_of(const FlowView<T>& flow, int steps) const {
  Program program;
  if (steps == 1) append_boundaries(*on_.layout, flow.addresses(), boundaries_.tiles(), program);
  return program;
}

template <class T>
Program CudaSolver<T>::share_of(const FlowView<T>& flow, int steps, StepShare share) const {
  Program program;
  if (steps == 1)
    on_.layout->append_step(flow.addresses(), share, program);
  else
    on_.layout->append_pass(flow.addresses(), share, program);
  return program;
}

template <class T>
void CudaSolver<T>::queue_exchange(StepShare share) {
  if (!border_.has_exchanged()) return;
  clock_.time(on_.device, on_.channel.stream, &StepTimes::step,
              [&] { border_.swap_mirrored(on_.channel.stream, share, flow_.updates() + 1); });
}

template <class T>
void CudaSolver<T>::queue_pass(int steps) {
  const FlowView<T> flow = now();
  const Stream& stream = on_.channel.stream;
  carry_out(boundaries_of(flow, steps), flow, stream);
  if (bodies_)
    clock_.time(on_.device, stream, &StepTimes::step, [&] { bodies_->queue_meeting(flow, boundaries_.supply()); });
  carry_out(share_of(flow, steps, StepShare::all), flow, stream);
  queue_exchange(StepShare::all);
  if (scalars_) scalars_->queue_completion(stream);
}

template <class T>
void CudaSolver<T>::queue_residence(int steps) {
  const StreamedPopulations& streamed = *flow_.streamed();
  const Stream& stream = on_.channel.stream;
  streamed.streaming().evict();
  streamed.fetch(flow_.offset_of(flow_.updates()));
  border_.unpack_all(stream, flow_.updates());
  const FlowView<T> flow = now();
  carry_out(boundaries_of(flow, steps), flow, stream);
  for (const StepShare share : {StepShare::border, StepShare::interior})
    carry_out(share_of(flow, steps, share), flow, stream);
  queue_exchange(StepShare::all);
  for (const Crossing crossing : {Crossing::halos, Crossing::levels})
    border_.pack_leaving(stream, flow_.updates() + 1, crossing);
  streamed.write_back(flow_.offset_of(flow_.updates() + 1));
}

template <class T>
void CudaSolver<T>::step(std::int64_t count) {
  on_.device.make_current();
  const Stream& stream = on_.channel.stream;
  const int steps = on_.layout->steps_per_pass();
  while (count > 0) {
    if (const int recorded = recorded_steps(count); recorded > 0) {
      use_keys(recorded, 0);
      if (!graph_)
        graph_.emplace(on_.device, stream, [&] {
          for (int k = 0; k < graph_passes; ++k) {
            use_keys(steps, steps - 1);  // populations are rounded by the last step of a pass
            queue_pass(steps);
            count_passes(1);
          }
          count_passes(-graph_passes);
        });
      graph_->launch(stream);
      count_passes(graph_passes);
      count -= recorded;
    } else {
      const int next = next_steps(count);
      use_keys(next, next - 1);
      queue_pass(next);
      step_interior(next);
      count -= next;
    }
  }
  stream.synchronize();
}

template <class T>
std::optional<StepTimes> CudaSolver<T>::time_parts(std::int64_t count) {
  on_.device.make_current();
  StepTimes times;
  for (std::int64_t k = 0; k < count; ++k) {
    use_keys(1, 0);
    clock_.start();
    queue_pass(1);
    on_.channel.stream.synchronize();
    clock_.stop(count, times);
    step_interior(1);
  }
  return times;
}

/// Border and interior are stepped side by side: no node of the one touches what one of the other does, nor what
/// messages bring. So the interior waits for the border's last step alone, and what arrives is unpacked beside it. Only
/// conditions, which know neither border nor interior, hold both up; a pass completes them by itself. They are queued
/// with the longer of both, which then follows them without waiting for another stream.
template <class T>
void CudaSolver<T>::step_border(int steps) {
  on_.device.make_current();
  use_keys(steps, steps - 1);
  if (flow_.streamed() != nullptr) return queue_residence(steps);
  if (border_.messages() == nullptr) return queue_pass(steps);
  const FlowView<T> flow = now();
  const Stream& stream = on_.channel.stream;
  auto& border = *border_.messages();
  const Program boundaries = boundaries_of(flow, steps), interior = share_of(flow, steps, StepShare::interior);
  border.is_beside = !interior.empty();
  const bool are_with_interior = border.is_beside && !boundaries.empty();
  if (are_with_interior) {
    stream.wait(border.unpacked);
    carry_out(boundaries, flow, stream);
  }
  border.ready.record(stream);
  border.stream.wait(border.ready);
  if (!are_with_interior) carry_out(boundaries, flow, border.stream);
  stream.wait(border.stepped);  // the last time
  // Border and interior keep the same numbers of nodes that both step in a pass, if what arrived is there for both.
  const bool completes = steps > 1 || on_.layout->completes_in_step();
  if (completes && flow_.kept().bytes(condition_numbers) > 0) stream.wait(border.unpacked);
  carry_out(share_of(flow, steps, StepShare::border), flow, border.stream);
  border_.swap_mirrored(border.stream, StepShare::border, flow.update + 1);  // before messages take them
  border.stepped.record(border.stream);
  carry_out(interior, flow, stream);
  // Other pairs may have one end in the border; and where a flow begins, memory goes with the first step.
  if (border_.has_exchanged() || scalars_ || flow.placed) stream.wait(border.stepped);
  if (border_.has_exchanged()) queue_exchange(StepShare::interior);
  if (!scalars_) return;
  scalars_->queue_completion(stream);
  border.ready.record(stream);  // what messages take may lie at surfaces
  border.stream.wait(border.ready);
}

/// The interior was queued with the border, to run while messages are waited for.
template <class T>
void CudaSolver<T>::step_interior(int steps) {
  boundaries_.forget_values_ahead();
  flow_.count_updates(1);
  if (scalars_) scalars_->mark_changed();
  time_step_ += steps;
  if (scalars_) scalars_->set_step(time_step_);
  if (bodies_) bodies_->finish_step(now(), time_step_);
}

template <class T>
void CudaSolver<T>::queue_pack(Crossing crossing) {
  on_.device.make_current();
  if (flow_.streamed() != nullptr) {  // they were packed while it was resident, but for what only now has come
    if (crossing == Crossing::levels) border_.forward_arrived(border_.messages()->stream);
    return;
  }
  const std::int64_t uncounted = crossing == Crossing::halos ? 1 : 0;  // steps
  border_.pack_leaving(border_.messages()->stream, flow_.updates() + uncounted, crossing);
}

template <class T>
void CudaSolver<T>::queue_unpack(Crossing crossing) {
  if (flow_.streamed() != nullptr) return;  // the next residence begins with it
  on_.device.make_current();
  border_.unpack_arriving(border_.messages()->stream, flow_.updates(), crossing);
}

template <class T>
bool CudaSolver<T>::pack_into(std::size_t neighbour, CuDevicePointer address) {
  if (flow_.streamed() != nullptr && on_.block.neighbours[neighbour].link == ExchangeLink::copy) return false;
  border_.pack_into(neighbour, address);
  return true;
}

/// Places and kernels repeat every second time, so what was recorded at an even one fits at every even one.
template <class T>
int CudaSolver<T>::recorded_steps(std::int64_t wanted) const {
  const int steps = graph_passes * on_.layout->steps_per_pass();
  constexpr std::uint64_t most = most_graph_nodes + most_graph_nodes / 32;  // blocks may exceed the mean (cut_tiles)
  const bool is_small = on_.nodes.nodes_of(on_.block.tiles.first, on_.block.tiles.count()) <= most;
  return is_small && !(scalars_ && scalars_->change_in_time()) && !bodies_ && flow_.streamed() == nullptr &&
                 !flow_.is_placed() && flow_.updates() % 2 == 0 && wanted >= steps
             ? steps
             : 0;
}

template <class T>
void CudaSolver<T>::finish() const {
  on_.device.make_current();
  if (border_.messages() != nullptr) border_.messages()->stream.synchronize();
  on_.channel.stream.synchronize();
  if (flow_.streamed() != nullptr) flow_.streamed()->streaming().downloads().synchronize();
}

template class CudaSolver<float>;
template class CudaSolver<double>;

}  // namespace fluvia::cuda
