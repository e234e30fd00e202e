// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cli/application.hpp"

int main(int argc, char** argv) {
  return fluvia::run_application(argc, argv);
}
