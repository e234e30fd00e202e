// SPDX-License-Identifier: Apache-2.0
// What a part of a domain sends to others of the scalars, and gets: behind the populations of the flow in the same
// messages.
#pragma once
#include <cstdint>
#include <vector>

#include "fluvia/cuda/layout/halo_population_arrays.hpp"
#include "fluvia/cuda/layout/scalars/scalar_arrays.hpp"

namespace fluvia::cuda {

/// Bytes of it by Block::neighbours, of which there are so many; `leaving`: what is sent, else what arrives.
std::vector<std::uint64_t> scalar_message_bytes(const std::vector<ScalarArrays>& scalars, std::size_t neighbours,
                                                bool leaving, std::uint64_t value_bytes);

/// Lists of it at the end of the messages of a flow, as kernels/scalars/exchange.hpp takes them. Throws Error(resource)
/// where numbers of a message lie too far apart in memory.
HaloPopulationArrays list_scalar_messages(const std::vector<ScalarArrays>& scalars,
                                          const std::vector<MessageRange>& messages, bool leaving,
                                          std::uint64_t value_bytes);

}  // namespace fluvia::cuda
