// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cuda/solver/block/block_boundaries.hpp"

#include "fluvia/core/boundary/registry.hpp"
#include "fluvia/cuda/solver/block/live_copy.hpp"
#include "fluvia/solver/links/corner_flow.hpp"

namespace fluvia::cuda {

template <class T>
BlockBoundaries<T>::BlockBoundaries(const BlockKernels& on, const PreparedCase& prepared, const KeptArrays<T>& kept,
                                    DeviceArrays& arrays)
    : on_(on),
      surfaces_(prepared.setup.surfaces),
      carried_(prepared.setup.carried),
      corners_(prepared.setup.corners),
      surface_states_(on.device, prepared.surface_bytes(), "the state of surfaces") {
  const Stream& stream = on.channel.stream;
  const BoundaryArrays& given = prepared.boundaries;
  update_copy(on.device, stream, given.records, {}, "boundary records", records_);
  update_copy(on.device, stream, given.tiles, {}, "boundary tiles", tiles_);
  update_copy(on.device, stream, given.first_records, {}, "boundary nodes", first_records_);
  surface_states_.upload(stream, surfaces_.data(), surface_states_.bytes());
  if (!prepared.setup.changing.empty()) {
    host_records_ = given.records;
    changing_ = ProfileRecords(prepared.setup.changing, given.links);
  }
  known_.records = records_.template data<kernels::BoundaryRecord>();
  known_.surfaces = surface_states_.template data<core::SurfaceState>();
  known_.tiles = tiles_.template data<kernels::BoundaryTile>();
  known_.first_records = first_records_.template data<kernels::Uint32>();
  known_.fit_points = arrays.give(given.fits.points, "points of openings");
  known_.fit_coefficients = arrays.give(given.fits.template coefficients_as<T>(), "fits of openings");
  known_.tile_count = static_cast<std::uint32_t>(given.tiles.size());
  stages_.memory_size = kept.numbers(condition_numbers);
  stages_.memory = kept.after_steps(condition_numbers);
  if (const auto steps = static_cast<std::size_t>(on.specification.steps_per_pass);
      steps > 1 && on.specification.changes) {
    stage_records_ = DeviceBuffer(on.device, steps * prepared.changing_bytes(), "boundary records of a pass");
    stage_surfaces_ = DeviceBuffer(on.device, steps * prepared.surface_bytes(), "the state of surfaces in a pass");
  }
  forget_values_ahead();
  if (prepared.walls.first.empty()) return;
  correction_ = prepared.walls.supply;
  correction_value_ = DeviceBuffer(on.device, sizeof(float), "what walls give");
  update_copy(on.device, stream, prepared.walls.first, {}, "blocks of walls", wall_blocks_);
  update_copy(on.device, stream, prepared.walls.words, {}, "distances of walls", wall_words_);
  walls_ = {wall_blocks_.template data<core::Uint32>(), wall_words_.template data<core::Uint32>(),
            correction_value_.template data<float>()};
  apply(WallMass{0});
}

template <class T>
void BlockBoundaries<T>::forget_values_ahead() {
  stages_.records = known_.records;
  stages_.surfaces = known_.surfaces;
  stages_.next_records = stages_.next_surfaces = 0;
}

template <class T>
double BlockBoundaries<T>::set(const BoundaryValue& boundary) {
  put(boundary);
  const core::SurfaceState& state = surfaces_[boundary.surface];
  surface_states_.upload(on_.channel.stream, &state, sizeof(state), boundary.surface * sizeof(state));
  return boundary.value;
}

template <class T>
double BlockBoundaries<T>::set(const ProfileTime& profile) {
  if (changing_.empty()) return 0;
  changing_.set_time(profile.time, host_records_, carried_);
  records_.upload(on_.channel.stream, host_records_.data(), records_.bytes());
  return static_cast<double>(changing_.size());
}

template <class T>
void BlockBoundaries<T>::set_values_ahead(std::span<const BoundaryValues> values) {
  on_.device.make_current();
  if (values.size() == 1) {
    for (const BoundaryValue& value : values[0].values) set(value);
    set(ProfileTime{values[0].profile_time});
    return;
  }
  const Stream& stream = on_.channel.stream;
  for (std::size_t k = 0; k < values.size(); ++k) {
    for (const BoundaryValue& value : values[k].values) put(value);
    stage_surfaces_.upload(stream, surfaces_.data(), surface_states_.bytes(), k * surface_states_.bytes());
    if (changing_.empty()) continue;
    changing_.set_time(values[k].profile_time, host_records_, carried_);
    stage_records_.upload(stream, host_records_.data(), records_.bytes(), k * records_.bytes());
  }
  surface_states_.upload(stream, surfaces_.data(), surface_states_.bytes());
  stages_.surfaces = stage_surfaces_.template data<core::SurfaceState>();
  stages_.next_surfaces = static_cast<core::Uint32>(surfaces_.size());
  if (changing_.empty()) return;
  records_.upload(stream, host_records_.data(), records_.bytes());
  stages_.records = stage_records_.template data<kernels::BoundaryRecord>();
  stages_.next_records = static_cast<core::Uint32>(host_records_.size());
}

template <class T>
double BlockBoundaries<T>::set(const WallMass& walls) {
  WallMassCorrection all = correction_;
  all.weight += weight_of_bodies_;
  const double given = all.set(walls.mass);
  correction_.per_weight = all.per_weight;
  if (correction_value_.bytes() > 0)
    correction_value_.upload(on_.channel.stream, &correction_.per_weight, sizeof(float));
  return given;
}

template <class T>
BlockSolver::SurfaceMotion BlockBoundaries<T>::motion_of(int surface) const {
  return {carried_[surface], surfaces_[surface].scale, corner_flow(corners_, surface, surfaces_)};
}

template <class T>
void BlockBoundaries<T>::copy_to(const Copy& copy, kernels::Physics<T>& physics) const {
  const Stream& stream = on_.channel.stream;
  copy.surface_states.copy_from(stream, surface_states_, copy.surface_states.bytes());
  copy.records.copy_from(stream, records_, copy.records.bytes());
  physics.boundaries.surfaces = copy.surface_states.template data<core::SurfaceState>();
  if (copy.records.bytes() > 0) physics.boundaries.records = copy.records.template data<kernels::BoundaryRecord>();
}

template class BlockBoundaries<float>;
template class BlockBoundaries<double>;

}  // namespace fluvia::cuda
