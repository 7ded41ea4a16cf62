#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 600
#
# Constants at addresses in registers: kernels that look them up, by generic addresses too, leave
# on the MPU, all of it on the base die too, what they leave on the GPU; LSU-Extensions in lockstep
# with their traffic; ideal ones take none; what is refused.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"

small=(--set mpu.cubes_x=2 --set mpu.cubes_y=1 --set mpu.cores_x=2 --set mpu.cores_y=1)
{
  echo '.version 8.0'
  echo '.target sm_80'
  echo '.address_size 64'
  echo ".const .align 4 .u32 table[256] = {$(seq -s, 7 11 2812)};"
  cat <<'E2'
.const .align 8 .b8 bytes[16] = {1, 255, 3, 254, 5, 253, 7, 252, 9, 251, 11, 250, 13, 249, 15, 248};
// Each word of `data` is looked up: by its low byte, then by the warp's number, the same for all; bytes with their signs.
.visible .entry look(.param .u64 data)
{
  .reg .pred %p<2>; .reg .b32 %r<20>; .reg .b64 %d<20>;
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mad.lo.u32 %r4, %r2, %r3, %r1;
  ld.param.u64 %d1, [data];
  mul.wide.u32 %d2, %r4, 4;
  add.s64 %d1, %d1, %d2;
  ld.global.u32 %r5, [%d1];
  and.b32 %r6, %r5, 255;
  mul.wide.u32 %d3, %r6, 4;
  mov.u64 %d4, table;
  add.s64 %d5, %d4, %d3;
  ld.const.u32 %r7, [%d5];
  shr.u32 %r8, %r1, 5;
  mul.wide.u32 %d6, %r8, 8;
  add.s64 %d6, %d4, %d6;
  ld.const.v2.u32 {%r9, %r10}, [%d6+16];
  and.b32 %r11, %r5, 15;
  cvt.u64.u32 %d7, %r11;
  mov.u64 %d8, bytes;
  add.s64 %d7, %d7, %d8;
  ld.const.s8 %r12, [%d7];
  ld.const.u64 %d9, [%d8+8];
  cvt.u32.u64 %r13, %d9;
  ld.const.u32 %r16, [table+40];
  add.u32 %r7, %r7, %r9;
  mad.lo.u32 %r7, %r10, 3, %r7;
  mad.lo.u32 %r7, %r12, 5, %r7;
  xor.b32 %r7, %r7, %r13;
  add.u32 %r7, %r7, %r16;
  st.global.u32 [%d1], %r7;
  ret;
}
// By generic addresses: every third thread reads its own word instead.
.visible .entry either(.param .u64 data)
{
  .reg .pred %p<2>; .reg .b32 %r<20>; .reg .b64 %d<20>;
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mad.lo.u32 %r4, %r2, %r3, %r1;
  ld.param.u64 %d1, [data];
  mul.wide.u32 %d2, %r4, 4;
  add.s64 %d1, %d1, %d2;
  mov.u64 %d4, table;
  cvta.const.u64 %d4, %d4;
  and.b32 %r5, %r4, 127;
  mul.wide.u32 %d3, %r5, 8;
  add.s64 %d4, %d4, %d3;
  rem.u32 %r6, %r4, 3;
  setp.eq.u32 %p1, %r6, 0;
  selp.b64 %d5, %d1, %d4, %p1;
  ld.u32 %r7, [%d5];
  add.u32 %r7, %r7, 9;
  st.global.u32 [%d1], %r7;
  ret;
}
E2
} >c.ptx
for name in both look; do
  cat >$name.yaml <<E2
module: c.ptx
buffers:
  data: {type: u32, count: 1000, fill: {random: [0, 1000000], seed: 5}}
launches:
  - {kernel: look, grid: 10, block: 100, args: [data]}
  - {kernel: either, grid: 10, block: 100, args: [data]}
dump: {data: data.bin}
E2
done
sed -i '/either/d' look.yaml

# run_as NAME LAUNCHES WHERE...: the dump, and the report, by name
run_as() {
  local name=$1 launches=$2
  shift 2
  runs 0 "$lockstack" run "$@" "$launches.yaml" --json "$name.json"
  mv data.bin "$name.data"
}
alike() { # NAME OF
  checks=$((checks + 1))
  cmp -s "$1.data" "$2.data" || wrong "$1 leaves something else in memory than $2"
}
run_as gpu both baseline
run_as gpu_look look baseline
run_as own both mpu "${small[@]}"
alike own gpu
for settings in 'mpu.ponb=true' 'mpu.policy=near' 'mpu.policy=far' 'mpu.unit_bytes=32' 'l1i.ideal=false'; do
  run_as other both mpu "${small[@]}" --set "$settings"
  alike other gpu
done
run_as ideal look mpu "${small[@]}" --set constant.ideal=true
alike ideal gpu_look
run_as real look mpu "${small[@]}"
alike real gpu_look

less() {
  checks=$((checks + 1))
  (($1 < $2)) || wrong "$3: $1 is not less than $2"
}
warps=40 # of the launch, in 10 blocks
less "$(json ideal.json cycles)" "$(json real.json cycles)" 'cycles with ideal constants'
less "$(json ideal.json dram.reads)" "$(json real.json dram.reads)" 'reads of DRAM with ideal constants'
equal "$(json ideal.json global.accesses)" $((2 * warps)) 'accesses with ideal constants'
equal "$(json real.json global.accesses)" \
  $((7 * warps)) 'accesses with constants in DRAM: five more, two of them of one vector'
equal "$(json real.json dram.writes)" "$(json ideal.json dram.writes)" 'writes to DRAM'

# In lockstep: nothing differs, and nothing diverges.
run_as lockstep both mpu "${small[@]}" --engine 'lsu_ext[*]=lockstep' --engine 'router[*]=lockstep'
alike lockstep gpu
equal "$(json lockstep.json lockstep.divergences)" 0 'divergences'
for key in cycles tsv.beats dram.reads dram.writes global.accesses; do
  equal "$(json lockstep.json $key)" "$(json own.json $key)" "$key in lockstep"; done
less 0 "$(json lockstep.json lockstep.cycles)" 'cycles compared'

# What is refused.
refuses 2 'c.ptx:[0-9]+: kernel either: .* is a generic address outside of global memory' "$lockstack" run mpu \
  "${small[@]}" both.yaml --set constant.ideal=true
sed 's/\[%d6+16\]/[%d6+1016]/' c.ptx >bounds.ptx
sed 's/c\.ptx/bounds.ptx/' both.yaml >bounds.yaml
sed 's/\[%d8+8\]/[%d8+12]/' c.ptx >misaligned.ptx
sed 's/c\.ptx/misaligned.ptx/' both.yaml >misaligned.yaml
sed 's/  ld\.u32 %r7, \[%d5\];/  st.u32 [%d5], %r4;/' c.ptx >stores.ptx
sed 's/c\.ptx/stores.ptx/' both.yaml >stores.yaml
fault="of thread .* is out of bounds or misaligned"
refuses 2 "bounds.ptx:[0-9]+: kernel look: block .* 'ld.const.v2.u32' $fault" "$lockstack" run mpu "${small[@]}" \
  bounds.yaml
refuses 2 "misaligned.ptx:[0-9]+: kernel look: block .* 'ld.const.u64' $fault" "$lockstack" run mpu "${small[@]}" \
  misaligned.yaml
refuses 2 "stores.ptx:[0-9]+: kernel either: block .* is of constant memory, which is not written" "$lockstack" run \
  mpu "${small[@]}" stores.yaml
refuses 2 "constant.ideal: 'maybe' is not false or true" "$lockstack" run mpu look.yaml --set constant.ideal=maybe
