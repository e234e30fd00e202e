// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/core/viscosity/carreau_yasuda.hpp"
#include "fluvia/core/viscosity/casson.hpp"
#include "fluvia/core/viscosity/power_law.hpp"
#include "fluvia/core/viscosity/smagorinsky.hpp"

namespace fluvia::core {
/// Every model of viscosity; add one here and nowhere else. The first is that of cases that name none.
using Viscosities = TypeList<Newtonian, Smagorinsky, CarreauYasuda, Casson, PowerLaw>;
}  // namespace fluvia::core
