// SPDX-License-Identifier: Apache-2.0
// Models of viscosity over the lanes of a vector.
#include "fluvia/base/error.hpp"
#include "fluvia/core/viscosity/registry.hpp"
#include "fluvia/cpu/physics/pack.hpp"
#include "fluvia/cpu/physics/physics.hpp"

namespace fluvia::cpu {
namespace {

template <class Model, class T>
void rates_of(T* values, const core::CollisionParameters<T>& parameters) {
  constexpr int width = Pack<T>::size;
#pragma omp simd
  for (int lane = 0; lane < width; ++lane) values[lane] = Model::omega(values[lane], parameters);
}

}  // namespace

template <class T>
LocalRates<T> local_rates(const std::string& viscosity) {
  LocalRates<T> rates = nullptr;
  bool found = false;
  core::for_each_type(core::Viscosities{}, [&]<class Model>(Model) {
    if (viscosity != Model::facts.name) return;
    found = true;
    if constexpr (Model::varies) rates = rates_of<Model, T>;
  });
  if (!found) throw Error(ExitCode::internal, "no model of viscosity '" + viscosity + "' is registered");
  return rates;
}

template LocalRates<float> local_rates(const std::string&);
template LocalRates<double> local_rates(const std::string&);

}  // namespace fluvia::cpu
