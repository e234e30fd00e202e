// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cpu/physics_kernels.hpp"

namespace fluvia::cpu {
template bool find_physics_of<core::D3Q27, double>(const std::string&, const std::string&, bool, bool,
                                                   PhysicsKernels<double>&);
}
