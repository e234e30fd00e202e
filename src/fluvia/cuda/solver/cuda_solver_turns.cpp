// SPDX-License-Identifier: Apache-2.0
// CudaSolver: parts of a domain that take turns on the GPU, which their populations visit (turns.hpp).
#include "fluvia/cuda/solver/cuda_solver_impl.hpp"

namespace fluvia::cuda {

/// What arrives from other parts lies in `arriving` while the populations are away, and is not part of them.
template <class T>
void CudaSolver<T>::unpack_arrivals() const {
  if (!border_) return;
  launch_crossings(channel_.stream, KernelKind::unpack_crossings, updates_, border_->arrives,
                   static_cast<const void*>(border_->arriving.data()), memory_at(updates_));
  border_->unpacked.record(channel_.stream);
}

/// The reverse, where somebody has changed the flow between steps.
template <class T>
void CudaSolver<T>::keep_arrivals() const {
  if (!border_) return;
  launch_crossings(channel_.stream, KernelKind::pack_crossings, updates_, border_->arrives, border_->arriving.data(),
                   static_cast<const T*>(memory_at(updates_)));
}

/// A turn: all of a step, border and interior, while the populations are on the GPU. Messages follow when all parts had
/// their turn, between buffers that stay.
template <class T>
void CudaSolver<T>::queue_turn() const {
  visiting_->turns().make_room();
  visiting_->come(offset_of(updates_));
  select(0);
  unpack_arrivals();
  const StepAddresses at = addresses(now());
  program_.clear();
  append_boundaries(*layout_, at, physics_.boundaries.tile_count, program_);
  layout_->append_step(at, StepShare::border, program_);
  layout_->append_step(at, StepShare::interior, program_);
  for (const Launch& launch : program_) execute(launch);
  if (border_)
    launch_crossings(channel_.stream, KernelKind::pack_crossings, updates_ + 1, border_->leaves,
                     border_->leaving.data(), static_cast<const T*>(memory_at(updates_ + 1)));
  visiting_->go_back(offset_of(updates_ + 1));
  select(parts_.size());
}

template <class T>
void CudaSolver<T>::begin_visit() const {
  visiting_->turns().welcome(*this);
  visiting_->come(offset_of(updates_));
  unpack_arrivals();
}

template <class T>
void CudaSolver<T>::end_visit() const {
  if (!part_is_changed_) return visiting_->end_visit();
  keep_arrivals();
  visiting_->go_back(offset_of(updates_));
}

template class CudaSolver<float>;
template class CudaSolver<double>;

}  // namespace fluvia::cuda
