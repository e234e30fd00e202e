#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The kernel headers are read by host compilers and by NVRTC, which has no standard library: no headers of its own except
# <cmath> behind core/math.hpp, nothing of std but sqrt, no exceptions, no virtual calls, no allocation.
#   freestanding.sh FOLDER                 complains about each line of FOLDER that breaks these rules
#   freestanding.sh --refuse-each FOLDER   complains about each header of FOLDER that breaks none (test of this test)
set -euo pipefail

# Prints file:line: text of what is wrong in the given header.
violations() {
  local file=$1 include='^[[:space:]]*#[[:space:]]*include[[:space:]]*'
  local code
  code=$(sed 's://.*$::' "$file" | grep -n '' || true)
  {
    grep -E "^[0-9]+:${include#^}" <<<"$code" | grep -vE '"fluvia/core/[a-z0-9_/]+\.hpp"' |
      { if [[ $file == */math.hpp ]]; then grep -v '<cmath>'; else cat; fi; }
    sed 's/std::sqrt//g; s/namespace std//' <<<"$code" | grep -E '\bstd::'
    grep -E '\b(throw|try|catch|virtual|typeid|dynamic_cast|thread_local|new|delete|malloc|free)\b' <<<"$code"
  } | sed "s|^|$file:|" || true
}

refuse_each=false
if [[ ${1:-} == --refuse-each ]]; then
  refuse_each=true
  shift
fi
folder=${1:?usage: freestanding.sh [--refuse-each] FOLDER}
mapfile -t headers < <(find "$folder" -name '*.hpp' | sort)
if ((${#headers[@]} == 0)); then
  echo "freestanding: no header in $folder" >&2
  exit 1
fi

failures=0
for header in "${headers[@]}"; do
  found=$(violations "$header")
  if $refuse_each; then
    if [[ -z $found ]]; then
      echo "$header: breaks a rule, but the check does not see it" >&2
      failures=$((failures + 1))
    fi
  elif [[ -n $found ]]; then
    echo "$found" >&2
    failures=$((failures + 1))
  fi
done
if ((failures)); then
  echo "freestanding: $failures of ${#headers[@]} headers; see CONTRIBUTING.md, 'Kernel headers'" >&2
  exit 1
fi
echo "freestanding: ${#headers[@]} headers, as they should be"
