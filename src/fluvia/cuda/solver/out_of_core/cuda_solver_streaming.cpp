// SPDX-License-Identifier: Apache-2.0
// CudaSolver: parts of a domain that are streamed through the GPU, which their populations visit (block_streaming.hpp).
#include "fluvia/cuda/solver/cuda_solver_impl.hpp"

namespace fluvia::cuda {

/// What arrives from other parts lies in `arriving` while the populations are away, and is not part of them.
template <class T>
void CudaSolver<T>::unpack_arrivals() const {
  if (!border_) return;
  carry_messages(channel_.stream, KernelKind::unpack_messages, updates_, border_->arrives);
  border_->unpacked.record(channel_.stream);
}

/// The reverse, where somebody has changed the flow between steps.
template <class T>
void CudaSolver<T>::keep_arrivals() const {
  if (!border_) return;
  carry_messages(channel_.stream, KernelKind::pack_messages, updates_, border_->arrives);
}

/// A residence: all of a step or a pass, border and interior, while the populations are on the GPU. Messages follow
/// when all blocks have been resident, between buffers that stay.
template <class T>
void CudaSolver<T>::queue_residence(int steps) const {
  streamed_->streaming().evict();
  streamed_->fetch(offset_of(updates_));
  unpack_arrivals();
  const StepAddresses at = addresses(now());
  program_.clear();
  if (steps == 1) append_boundaries(*layout_, at, physics_.boundaries.tile_count, program_);
  for (const StepShare share : {StepShare::border, StepShare::interior}) append_share(at, steps, share, program_);
  for (const Launch& launch : program_) execute(launch);
  if (border_) carry_messages(channel_.stream, KernelKind::pack_messages, updates_ + 1, border_->leaves);
  streamed_->write_back(offset_of(updates_ + 1));
}

template <class T>
void CudaSolver<T>::bring() const {
  if (is_here_) return;
  streamed_->streaming().admit(*this);
  streamed_->fetch(offset_of(updates_));
  unpack_arrivals();
  is_here_ = true;
}

template <class T>
void CudaSolver<T>::put_back() const {
  if (!is_here_ || !streamed_) return;
  if (is_changed_) {
    keep_arrivals();
    streamed_->write_back(offset_of(updates_));
  } else {
    streamed_->release();
  }
  is_here_ = is_changed_ = false;
}

template class CudaSolver<float>;
template class CudaSolver<double>;

}  // namespace fluvia::cuda
