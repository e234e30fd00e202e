// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cpu/scalars/carried_scalars.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace fluvia::cpu {

template <class T>
CarriedScalars<T>::CarriedScalars(const Problem& problem, const std::vector<ScalarMethod>& methods,
                                  std::vector<std::uint32_t> storage, std::uint64_t groups, int threads)
    : methods_(methods),
      storage_(std::move(storage)),
      size_(groups * group_lanes),
      nodes_(problem.geometry.nodes),
      time_step_(problem.units.time_step) {
  for (std::size_t k = 0; k < methods_.size(); ++k) {
    fields_.emplace_back(problem, k);
    transports_.push_back(make_scalar_transport<T>(problem, methods_[k], fields_[k], {storage_, size_}, threads));
    acts_ = acts_ || methods_[k].expansion != 0;
  }
  for (std::size_t axis = 0; axis < 3; ++axis)
    gravity_[axis] =
        static_cast<T>(problem.units.acceleration(problem.settings.physics.gravity[static_cast<int>(axis)]));
  initialise();
}

template <class T>
void CarriedScalars<T>::initialise() {
  set_step(0);
  for (std::size_t k = 0; k < transports_.size(); ++k)
    transports_[k]->initialise(nodes_, fields_[k], velocity_.empty() ? nullptr : velocity_.data());
  velocity_ = {};
}

template <class T>
void CarriedScalars<T>::append_solid_arrays(std::vector<NodeArray>& arrays) const {
  for (std::size_t k = 0; k < transports_.size(); ++k)
    if (!methods_[k].solids.empty()) append_solid_array(methods_[k], transports_[k]->solid_nodes(), arrays);
}

template <class T>
std::pair<std::size_t, std::uint64_t> CarriedScalars<T>::place_of(std::size_t row) const {
  if (row < transports_.size()) return {row, 0};
  std::size_t behind = row - transports_.size(), scalar = 0;
  while (methods_[scalar].solids.empty() || behind-- > 0) ++scalar;
  return {scalar, nodes_.fluid_nodes};
}

template <class T>
bool CarriedScalars<T>::is_finite(std::uint64_t node) const {
  return std::all_of(transports_.begin(), transports_.end(),
                     [&](const auto& transport) { return std::isfinite(transport->excess(storage_[node])); });
}

template <class T>
double CarriedScalars<T>::value(std::size_t scalar, std::uint64_t node) const {
  return methods_[scalar].reference + static_cast<double>(transports_[scalar]->excess(storage_[node]));
}

template <class T>
void CarriedScalars<T>::set_surface(std::size_t scalar, int surface, double value) {
  transports_[scalar]->set_surface(surface, value);
}

template <class T>
void CarriedScalars<T>::set_step(std::int64_t step) {
  const double time = time_step_ * static_cast<double>(step);
  for (std::size_t k = 0; k < transports_.size(); ++k) {
    fields_[k].set_time(time);
    transports_[k]->set_time(time, nodes_, fields_[k]);
  }
}

template class CarriedScalars<float>;
template class CarriedScalars<double>;

}  // namespace fluvia::cpu
