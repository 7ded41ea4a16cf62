#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 600
#
# Local memory in DRAM: kernels that sort in it, recurse with it and reach it by generic addresses
# leave on the MPU, all of it on the base die too, what they leave on the GPU, whose local memory
# is ideal; LSU-Extensions in lockstep with its traffic; what is counted, and what is refused.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"

small=(--set mpu.cubes_x=2 --set mpu.cubes_y=1 --set mpu.cores_x=2 --set mpu.cores_y=1)
cat >l.ptx <<'E2'
.version 8.0
.target sm_80
.address_size 64
.func (.param .u32 sum) down(.param .u32 n)
{
  .local .align 8 .b8 frame[16];
  .param .u32 a, r;
  .reg .pred %p<2>; .reg .b32 %r<6>; .reg .b64 %d<2>;
  ld.param.u32 %r1, [n];
  st.local.u32 [frame+4], %r1;
  cvt.u64.u32 %d1, %r1;
  st.local.u64 [frame+8], %d1;
  mov.u32 %r2, 0;
  setp.eq.u32 %p1, %r1, 0;
  @%p1 bra OUT;
  sub.u32 %r3, %r1, 1;
  st.param.u32 [a], %r3;
  call (r), down, (a);
  ld.param.u32 %r2, [r];
OUT:
  ld.local.u32 %r4, [frame+4];
  ld.local.u32 %r5, [frame+8];
  add.u32 %r2, %r2, %r4;
  mad.lo.u32 %r2, %r5, 256, %r2;
  st.param.u32 [sum], %r2;
  ret;
}
.visible .entry sums(.param .u64 out)
{
  .param .u32 a, r;
  .reg .b32 %r<8>; .reg .b64 %d<4>;
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mad.lo.u32 %r4, %r2, %r3, %r1;
  and.b32 %r5, %r4, 15;
  st.param.u32 [a], %r5;
  call (r), down, (a);
  ld.param.u32 %r6, [r];
  ld.param.u64 %d1, [out];
  mul.wide.u32 %d2, %r4, 4;
  add.s64 %d1, %d1, %d2;
  st.global.u32 [%d1], %r6;
  ret;
}
// Each thread's eight words of `data`, sorted by insertion in its own memory, then half of them through generic addresses.
.visible .entry sort(.param .u64 data)
{
  .local .align 8 .b8 own[32];
  .reg .pred %p<6>; .reg .b32 %r<20>; .reg .b64 %d<16>;
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mad.lo.u32 %r4, %r2, %r3, %r1;
  ld.param.u64 %d1, [data];
  mul.wide.u32 %d2, %r4, 32;
  add.s64 %d1, %d1, %d2;
  ld.global.v2.u64 {%d3, %d4}, [%d1];
  ld.global.v2.u64 {%d5, %d6}, [%d1+16];
  st.local.u64 [own], %d3;
  st.local.u64 [own+8], %d4;
  st.local.v2.u64 [own+16], {%d5, %d6};
  mov.u64 %d7, own;
  mov.u32 %r5, 1;
NEXT:
  mul.wide.u32 %d8, %r5, 4;
  add.s64 %d8, %d8, %d7;
  ld.local.u32 %r6, [%d8];
  mov.u32 %r7, %r5;
BACK:
  ld.local.u32 %r8, [%d8+-4];
  setp.le.u32 %p1, %r8, %r6;
  @%p1 bra HERE;
  st.local.u32 [%d8], %r8;
  add.s64 %d8, %d8, -4;
  sub.u32 %r7, %r7, 1;
  setp.ne.u32 %p2, %r7, 0;
  @%p2 bra BACK;
HERE:
  st.local.u32 [%d8], %r6;
  add.u32 %r5, %r5, 1;
  setp.lt.u32 %p3, %r5, 8;
  @%p3 bra NEXT;
  cvta.local.u64 %d9, %d7;
  and.b32 %r9, %r4, 1;
  setp.eq.u32 %p4, %r9, 0;
  selp.b64 %d10, %d9, %d1, %p4;
  ld.local.v4.u32 {%r10, %r11, %r12, %r13}, [own];
  st.global.v4.u32 [%d1], {%r10, %r11, %r12, %r13};
  ld.local.v2.u64 {%d11, %d12}, [own+16];
  st.global.v2.u64 [%d1+16], {%d11, %d12};
  ld.u32 %r14, [%d10];
  st.u64 [%d10+8], %d12;
  ld.u32 %r15, [%d10+12];
  add.u32 %r15, %r15, %r14;
  st.global.u32 [%d1+4], %r15;
  ret;
}
E2
sed 's/^ .*cvta\.local.*/  mov.u64 %d9, %d1;/' l.ptx >plain.ptx # no generic address of local memory
for module in l plain; do
  cat >$module.yaml <<E2
module: $module.ptx
buffers:
  data: {type: u32, count: 3200, fill: {random: [0, 1000000], seed: 5}}
  sums: {type: u32, count: 400}
launches:
  - {kernel: sort, grid: 4, block: 100, args: [data]}
  - {kernel: sums, grid: 4, block: 100, args: [sums]}
dump: {data: data.bin, sums: sums.bin}
E2
done

# run_as NAME MODULE WHERE...: the dumps, and the report, by name
run_as() {
  local name=$1 module=$2
  shift 2
  runs 0 "$lockstack" run "$@" "$module.yaml" --json "$name.json"
  mv data.bin "$name.data"
  mv sums.bin "$name.sums"
}
alike() { # NAME OF
  checks=$((checks + 1))
  cmp -s "$1.data" "$2.data" && cmp -s "$1.sums" "$2.sums" || wrong "$1 leaves something else in memory than $2"
}
run_as gpu l baseline
run_as gpu_plain plain baseline
run_as own l mpu "${small[@]}"
alike own gpu
for settings in 'mpu.ponb=true' 'mpu.policy=near' 'mpu.policy=far' 'mpu.unit_bytes=32' 'mpu.warps=16' 'tsv.beats=1' \
  'l1i.ideal=false'; do
  run_as other l mpu "${small[@]}" --set "$settings"
  alike other gpu
done
run_as ideal plain mpu "${small[@]}" --set local.ideal=true
alike ideal gpu_plain
run_as real plain mpu "${small[@]}"
alike real gpu_plain

less() {
  checks=$((checks + 1))
  (($1 < $2)) || wrong "$3: $1 is not less than $2"
}
less "$(json ideal.json cycles)" "$(json real.json cycles)" 'cycles with ideal local memory'
less "$(json ideal.json dram.writes)" "$(json real.json dram.writes)" 'writes to DRAM with ideal local memory'
equal "$(json ideal.json local | tr -d ' \n')" '{"loads":{},"stores":{}}' 'accesses of ideal local memory'
for fate in offloaded partial_mask; do less 0 "$(json own.json local.loads.$fate)" "loads of local memory: $fate"; done
less 0 "$(json own.json local.stores.offloaded)" 'stores that are offloaded'
equal "$(json own.json network.requests)" "$(json own.json global.remote_transfers)" \
  'requests to other cores: none is for local memory'

# In lockstep: nothing differs, and nothing diverges.
run_as lockstep l mpu "${small[@]}" --engine 'lsu_ext[*]=lockstep' --engine 'router[*]=lockstep'
alike lockstep gpu
equal "$(json lockstep.json lockstep.divergences)" 0 'divergences'
for key in cycles tsv.beats dram.reads dram.writes local.loads.offloaded; do
  equal "$(json lockstep.json $key)" "$(json own.json $key)" "$key in lockstep"; done
less 0 "$(json lockstep.json lockstep.cycles)" 'cycles compared'

# What is refused.
refuses 2 'l.ptx:[0-9]+: kernel sort: .* is a generic address outside of global memory' "$lockstack" run mpu \
  "${small[@]}" l.yaml --set local.ideal=true
sed 's/ld\.local\.v4\.u32\(.*\)\[own\]/ld.local.v4.u32\1[own+20]/' l.ptx >bounds.ptx
sed 's/l\.ptx/bounds.ptx/' l.yaml >bounds.yaml
bounds="bounds.ptx:[0-9]+: kernel sort: block .* 'ld.local.v4.u32' of thread .* is out of bounds or misaligned"
refuses 2 "$bounds" "$lockstack" run mpu "${small[@]}" bounds.yaml
sed 's/own\[32\]/own[600000]/' l.ptx >large.ptx
sed 's/l\.ptx/large.ptx/' l.yaml >large.yaml
refuses 2 'kernel sort: 600000 bytes of local memory a thread take the last [0-9]+ MB of memory, and not so much' \
  "$lockstack" run mpu "${small[@]}" large.yaml
refuses 2 "local.ideal: 'maybe' is not false or true" "$lockstack" run mpu l.yaml --set local.ideal=maybe
