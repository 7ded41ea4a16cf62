#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Kernels that take memory and give it back, on each GPU by launch files, and by a program that
# says how much there is; what finds no room, what is given back twice. heap.cu, by clang.
# timeout: 300
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
ptx=$source/tests/system/programs/heap.ptx

# Thread i has i % 4 + 1 nodes, of i, i + 1 and so on.
cat >lists.yaml <<END
module: $ptx
buffers: {lists: {type: u64, count: 600}, made: {type: u32, count: 600}, sums: {type: u32, count: 600}, again: {type: u32, count: 600}}
launches:
  - {kernel: make, grid: 5, block: 128, args: [lists, made, 600, 100]}
  - {kernel: sum, grid: 5, block: 128, args: [lists, sums, 600, 100]}
  - {kernel: give, grid: 5, block: 128, args: [lists, sums, 600, 0]}
  - {kernel: make, grid: 5, block: 128, args: [lists, again, 600, 11000]}
compare:
  - {buffer: made, values: [1, 2, 3, 4, 1, 2]}
  - {buffer: made, first: 596, values: [1, 2, 3, 4]}
  - {buffer: sums, values: [0, 3, 9, 18, 4, 11]}
  - {buffer: sums, first: 596, values: [596, 1195, 1797, 2402]}
END
for system in baseline nsu tom near nupim v100; do runs 0 "$lockstack" run $system lists.yaml; done
# 600 * 2.5 nodes of 11,016 bytes are more than 8 MB.
sed '$a dump: {again: again.raw}' lists.yaml >dump.yaml
runs 0 "$lockstack" run baseline dump.yaml
equal "$(od -An -v -tu4 again.raw | awk '{for (i = 1; i <= NF; i++) n += $i} END {print n}')" \
  $((8388608 / 11024)) 'nodes that found room'

# What is given back twice is a fault, with its line.
sed 's/sums, 600, 0\]}/sums, 600, 1]}\n  - {kernel: give, grid: 5, block: 128, args: [lists, sums, 600, 1]}/' \
  lists.yaml >twice.yaml
refuses 2 "heap.ptx:[0-9]+: kernel give: thread .* free of 0x[0-9a-f]+, which malloc has not given, or which was given back" \
  "$lockstack" run baseline twice.yaml
refuses 2 "is not executed by the near-bank processor \(a call of " "$lockstack" run mpu lists.yaml

runs 0 "$lockstack" exec --system baseline --report r.txt -- "$build/tests/exec_heap" "$ptx"
equal "$out" 'the heap held' 'a program that says how much there is'
runs 0 "$lockstack" exec --system mpu --report r.txt -- "$build/tests/exec_heap" "$ptx" none
equal "$out" 'there is no heap' 'where kernels take none'
