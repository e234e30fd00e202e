// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cli/application.hpp"

namespace fluvia {
int run_application(int, char**) { return 0; }
}  // namespace fluvia
