#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# published.sh SRC: the schemes of papers lie in folders called `published`, one in each room. Of the other files of SRC/fluvia
# only those below may include what is there, so that whoever changes the schemes that people run meets them here alone.
set -euo pipefail
hooks='core/scheme/registry.hpp
cpu/cpu_solver_compact.cpp
cpu/cpu_solver_dense.cpp
cpu/cpu_solver_step.hpp
cuda/kernels/arguments.hpp
cuda/layout/layout.cpp
solver/plan/plan.cpp'
cd "$1/fluvia"
found=$(grep -rlE '^#include "fluvia/[^"]*published/' . | sed 's#^\./##' | grep -v '\(^\|/\)published/' | LC_ALL=C sort)
if ! diff <(echo "$hooks") <(echo "$found"); then
  echo "published.sh: < may include files of published/ but does not, > does but may not" >&2
  exit 1
fi
