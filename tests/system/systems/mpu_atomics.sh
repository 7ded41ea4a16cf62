#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 600
#
# Atomics near the banks: launch files on the MPU, all of it on the base die too, hold and leave
# what the GPU leaves; histograms, a counter of the grid, a lock between blocks; LSU-Extensions in
# lockstep beside the atomic units; what is counted, and keys that are wrong.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"

small=(--set mpu.cubes_x=2 --set mpu.cubes_y=1 --set mpu.cores_x=2 --set mpu.cores_y=1)
histogram=$source/docs/example/launch/histogram_atomic.yaml
for where in mpu 'mpu --set mpu.ponb=true' 'mpu --set smem.near=false' \
  'mpu --set mpu.atomic_queue=1 --set dram.queue=8' 'mpu --set mpu.policy=near' \
  baseline; do
  # shellcheck disable=SC2086
  runs 0 "$lockstack" run $where "$histogram"
  matches "$out" 'Result is right: all comparisons hold' "the histogram: $where"
done
runs 0 "$lockstack" run mpu "$source/docs/example/launch/histogram.yaml" # without atomics: the same bins

# One kernel that does all of it to words that its threads share, in order-independent ways;
# results of the GPU are wanted bit for bit.
op() { # op KIND OPERATION OFFSET OPERAND
  echo "$1.global.$2 [%d3+$3], $4;"
}
{
  echo '.version 8.0 .target sm_80 .address_size 64'
  echo '.visible .entry all(.param .u64 a) { .reg .b64 %d<9>; .reg .b32 %r<12>; .reg .f32 %f<3>; .reg .f64 %g<3>; ld.param.u64 %d1, [a];'
  echo 'mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mad.lo.u32 %r4, %r2, %r3, %r1; and.b32 %r5, %r4, 7;'
  echo 'mul.wide.u32 %d3, %r5, 128; add.u64 %d3, %d3, %d1;'
  echo 'cvt.u64.u32 %d4, %r4; cvt.rn.f32.u32 %f1, %r4; cvt.rn.f64.u32 %g1, %r4; not.b32 %r6, %r4; not.b64 %d5, %d4; sub.s32 %r7, 40, %r4;'
  op red add.u32 0 %r4; op red add.s32 4 %r7; op red add.u64 8 %d5; op red add.f32 16 %f1; op red add.f64 24 %g1; op \
    red min.u32 32 %r6; op red min.s32 36 %r7
  op red max.u32 40 %r4; op red max.s32 44 %r7; op red min.u64 48 %d5; op red max.s64 56 %d4; op red and.b32 64 %r6; \
    op red or.b32 68 %r4
  op red xor.b32 72 %r4; op red xor.b64 80 %d4; op red inc.u32 88 17; op red dec.u32 92 23; op red min.s64 96 %d5; op \
    red max.u64 104 %d5
  echo 'ret; }'
  # Every thread draws a number; the numbers' own words are set once each.
  echo '.visible .entry draw(.param .u64 n, .param .u64 a) { .reg .b64 %d<5>; .reg .b32 %r<5>; ld.param.u64 %d1, [n]; ld.param.u64 %d2, [a];'
  echo 'atom.global.add.u32 %r1, [%d1], 1; mul.wide.u32 %d3, %r1, 4; add.u64 %d3, %d2, %d3; red.global.add.u32 [%d3], 1; ret; }'
  # A lock of all threads of all blocks: what it guards are a load and a store.
  echo '.visible .entry lock(.param .u64 l, .param .u64 n) { .reg .b64 %d<3>; .reg .b32 %r<5>; .reg .pred %p<4>; ld.param.u64 %d1, [l]; ld.param.u64 %d2, [n];'
  echo 'mov.u32 %r4, 0; AGAIN: atom.global.cas.b32 %r1, [%d1], 0, 1; setp.ne.u32 %p1, %r1, 0; @%p1 bra NEXT; ld.volatile.global.u32 %r2, [%d2];'
  echo 'add.u32 %r2, %r2, 1; st.volatile.global.u32 [%d2], %r2; membar.gl; atom.global.exch.b32 %r3, [%d1], 0; mov.u32 %r4, 1;'
  echo 'NEXT: setp.eq.u32 %p2, %r4, 0; @%p2 bra AGAIN; ret; }'
} >a.ptx
cat >a.yaml <<'E2'
module: a.ptx
buffers:
  words: {type: u32, count: 256, fill: {random: [0, 1000], seed: 3}}
  drawn: {type: u32, count: 1}
  numbers: {type: u32, count: 3000}
  ones: {type: u32, count: 3000, fill: 1}
  lock: {type: u32, count: 1}
  number: {type: u32, count: 1}
launches:
  - {kernel: all, grid: 9, block: 100, args: [words]}
  - {kernel: draw, grid: 30, block: 100, args: [drawn, numbers]}
  - {kernel: lock, grid: 7, block: 40, args: [lock, number]}
dump: {words: words.bin}
compare:
  - {buffer: drawn, values: [3000]}
  - {buffer: numbers, with: ones}
  - {buffer: lock, values: [0]}
  - {buffer: number, values: [280]}
E2
runs 0 "$lockstack" run baseline a.yaml
mv words.bin want.bin
for where in mpu 'mpu --set mpu.ponb=true' 'mpu --set tsv.duplex=false --set tsv.beats=1' \
  'mpu --set mpu.atomic_queue=8 --set mpu.atomic_latency=7'; do
  # shellcheck disable=SC2086
  runs 0 "$lockstack" run $where a.yaml "${small[@]}"
  checks=$((checks + 1))
  cmp -s words.bin want.bin || wrong "$where: other words than the GPU's"
done

# The LSU-Extension does not see them: beside them it is what it is.
runs 0 "$lockstack" run mpu a.yaml "${small[@]}" --json model.json
runs 0 "$lockstack" run mpu a.yaml "${small[@]}" --engine 'lsu_ext[*]=lockstep' --json lockstep.json
equal "$(json lockstep.json lockstep.divergences)" 0 'divergences'
for key in cycles warp_instructions atomics.instructions atomics.operations tsv.uses_up.atomics; do
  equal "$(json lockstep.json $key)" "$(json model.json $key)" "$key"
done
checks=$((checks + 1))
[ "$(json model.json atomics.near)" -gt 0 ] && [ "$(json model.json atomics.remote)" -gt 0 ] ||
  wrong 'atomics near and in other cores'

refuses 2 'mpu.atomic_queue' "$lockstack" run mpu a.yaml --set mpu.atomic_queue=9
refuses 2 'mpu.atomic_latency' "$lockstack" run mpu a.yaml --set mpu.atomic_latency=0
sed 's/add.u32 \[%d3+0\]/add.u32 [%d3+2]/' a.ptx >b.ptx
misaligned="b.ptx:[0-9]+: kernel all: .*'red.global.add.u32' of thread .* is not aligned"
refuses 2 "$misaligned" "$lockstack" run mpu a.yaml --ptx b.ptx
