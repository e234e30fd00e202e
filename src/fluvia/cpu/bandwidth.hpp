// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>

namespace fluvia {

/// Copy bandwidth of this machine in bytes per second (read plus written), with non-temporal stores so that nothing is
/// read before it is overwritten: the roofline of every scheme that reads and writes each population once. Best of
/// several copies of an array of `bytes`.
double measure_copy_bandwidth(int threads, std::size_t bytes);

}  // namespace fluvia
