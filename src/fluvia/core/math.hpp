// SPDX-License-Identifier: Apache-2.0
// Square roots by the name that argument-dependent look-up completes for packs; NVRTC has no <cmath>.
#pragma once

#if !defined(__CUDACC_RTC__)
#include <cmath>
#else
namespace std {
using ::sqrt;
}
#endif
