#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Times a cold configure and build of this tree (no compiler cache), and the build after a change
# in one C file. Prints "cold SECONDS" and "again SECONDS".

set -eu
source=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export CCACHE_DISABLE=1

git -C "$source" ls-files -z | (cd "$source" && xargs -0 cp --parents -t "$work")
now() { date +%s.%N; }
since() { awk -v a="$1" -v b="$(now)" 'BEGIN { printf "%.1f\n", b - a }'; }

cd "$work"
start=$(now)
{ cmake --preset release && cmake --build --preset release; } >"$work/log" 2>&1 ||
  { tail -n 15 "$work/log" >&2; exit 1; }
echo "cold $(since "$start")"

echo '/* changed */' >>cmodel/sim/packet/packet.c
start=$(now)
cmake --build --preset release >"$work/log" 2>&1 || { tail -n 15 "$work/log" >&2; exit 1; }
echo "again $(since "$start")"
