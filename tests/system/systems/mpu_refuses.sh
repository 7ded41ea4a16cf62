# SPDX-License-Identifier: Apache-2.0
#
# Bad input to `run mpu`: one clear line, exit code 2.
source "$(dirname "$0")/../lib.sh"

small=(--set mpu.cubes_x=1 --set mpu.cubes_y=1 --set mpu.cores_x=2 --set mpu.cores_y=2)
axpy=("$lockstack" run mpu axpy "${small[@]}" --set workload.n=4099)

# The machine.
refuses 2 'mpu.policy: .nearest. is not annotated, default, near or far' "${axpy[@]}" --set mpu.policy=nearest
refuses 2 'mpu.warps: 17 is out of range; from 1 to 16' "${axpy[@]}" --set mpu.warps=17
refuses 2 "unknown key 'gpu.sms'; .lockstack run mpu --print-config. lists them" "${axpy[@]}" --set gpu.sms=8
refuses 2 'cores of a processor: powers of two' "$lockstack" run mpu axpy --set mpu.cores_x=3
refuses 2 'processors: powers of two, at most 8 in all' "$lockstack" run mpu axpy --set mpu.cubes_x=8 \
  --set mpu.cubes_y=2
refuses 2 'register files: multiples of 128 bytes' "${axpy[@]}" --set rf.near_bytes=1000
refuses 2 "addresses of a near-bank unit: a power of two from 32 to 1024 bytes would be right" "${axpy[@]}" \
  --set mpu.unit_bytes=96
refuses 2 "addresses of a core: a power of two from those of its four near-bank units to 65536" "${axpy[@]}" \
  --set mpu.core_bytes=256
refuses 2 'mpu.blocks_to: .far. is not address or number' "${axpy[@]}" --set mpu.blocks_to=far
refuses 2 'mpu.batches' "${axpy[@]}" --set mpu.batches=2
refuses 2 'turn_bits must be 0 to column_bits' "${axpy[@]}" --set dram.turn_bits=7
refuses 2 'network.cube_interval: 9 is out of range; from 1 to 8' "${axpy[@]}" --set network.cube_interval=9
refuses 2 'too narrow for so many flits' "${axpy[@]}" --set network.cube_interval=8 --set network.depth=64
refuses 2 "l1i.mshrs: 33 is out of range; from 1 to 32" "${axpy[@]}" --set l1i.mshrs=33
refuses 2 'instruction cache: lines of 128 bytes in 1 to 32 ways of a power of two of sets would be right' \
  "${axpy[@]}" --set l1i.bytes=1536
runs 0 "$lockstack" run "$source/harness/systems/examples/mpu_own.yaml" axpy "${small[@]}" --set workload.n=4099
refuses 2 'row_buffers must be 1, 2, 4 or 8' "${axpy[@]}" --set dram.row_buffers=3
refuses 2 'tREFI leaves no time' "${axpy[@]}" --set dram.tRFC=60000
printf 'mpu:\n  warps: 8\n  policy: neer\n' >bad.yaml
refuses 2 "bad.yaml:3:11: mpu.policy: 'neer' is not annotated" "${axpy[@]}" --config bad.yaml
runs 0 "$lockstack" run mpu --print-config
printf '%s\n' "$out" >printed.yaml
runs 0 "$lockstack" run printed.yaml --print-config
equal "$out" "$(cat printed.yaml)" 'a printed configuration, read and printed'
for key in policy ponb; do matches "$out" "$key:" 'the printed configuration'; done
runs 0 "$lockstack" list systems
matches "$out" '  mpu +MPU paper' 'the list of systems'

# Kernels that the machine cannot hold.
refuses 2 'kernel axpy: a block of 8 warps with [0-9]+ near-bank registers a thread needs .* which has 2' "${axpy[@]}" \
  --set rf.near_bytes=256
refuses 2 'kernel axpy: a block of 8 warps with [0-9]+ far-bank registers a thread needs .* which has 4' "${axpy[@]}" \
  --set rf.far_bytes=512
refuses 2 'kernel axpy: a block of 8 warps is more than the 4 of a core; with mpu.warps=2 it has 8' "${axpy[@]}" \
  --set mpu.warps=1
refuses 2 'kernel hist: a block needs [0-9]+ bytes of shared memory, more than the 256 of a core' "$lockstack" run mpu \
  hist "${small[@]}" --set smem.bytes=256

# CUDA's largest block is twice what a core holds, unless it has more warp slots.
cat >large.ptx <<'E2'
.version 8.0
.target sm_80
.address_size 64
.visible .entry large(.param .u64 a)
{
  .shared .u32 last;
  .reg .pred %p; .reg .b32 %r<4>; .reg .b64 %d<3>;
  mov.u32 %r1, %tid.x;
  setp.eq.u32 %p, %r1, 1023;
  @%p st.shared.u32 [last], %r1;
  bar.sync 0;
  ld.shared.u32 %r2, [last];
  add.u32 %r2, %r2, %r1;
  sub.u32 %r2, %r2, 1023;
  ld.param.u64 %d1, [a];
  mul.wide.u32 %d2, %r1, 4;
  add.s64 %d1, %d1, %d2;
  st.global.u32 [%d1], %r2;
  ret;
}
E2
cat >large.yaml <<'E2'
module: large.ptx
buffers:
  a: {type: u32, count: 1024}
  want: {type: u32, count: 1024, fill: iota}
launches:
  - {kernel: large, grid: 1, block: 1024, args: [a]}
compare:
  - {buffer: a, with: want}
E2
refuses 2 'kernel large: a block of 32 warps is more than the 16 of a core; with mpu.warps=8 it has 32' "$lockstack" \
  run mpu large.yaml
runs 0 "$lockstack" run mpu large.yaml --set mpu.warps=8

# Kernels that do something wrong.
ptx=$source/firmware/workloads/kernels/axpy/axpy.ptx
sed 's/mul\.wide\.u32\(.*\), 4;/mul.wide.u32\1, 1048576;/' "$ptx" >bounds.ptx
refuses 2 'bounds.ptx:[0-9]+: kernel axpy: block .* thread .*0x[0-9a-f]+ is out of bounds' "${axpy[@]}" --ptx bounds.ptx
sed 's/mul\.wide\.u32\(.*\), 4;/mul.wide.u32\1, 2;/' "$ptx" >align.ptx
refuses 2 'align.ptx:[0-9]+: kernel axpy: block .* thread .*0x[0-9a-f]+ is not aligned' "${axpy[@]}" --ptx align.ptx
for to in "%rd80+65536:is outside of the block's shared memory" '%rd80+2:is not aligned'; do
  sed "s/st\.shared\.u32 *\t*\[%rd80\]/st.shared.u32 [${to%%:*}]/" "$source/firmware/workloads/kernels/hist/hist.ptx" >shared.ptx
  for near in true false; do
    refuses 2 "shared.ptx:76: kernel hist: block .* thread .*${to#*:}" "$lockstack" run mpu hist "${small[@]}" \
      --ptx shared.ptx --set smem.near=$near
  done
done
sed 's/fma\.rn\.f32/fmb.rn.f32/' "$ptx" >opcode.ptx
refuses 2 "opcode.ptx:[0-9]+:[0-9]+: unknown opcode 'fmb'" "${axpy[@]}" --ptx opcode.ptx
sed 's/entry axpy(/entry xapy(/' "$ptx" >name.ptx
refuses 2 'no kernel axpy in name.ptx' "${axpy[@]}" --ptx name.ptx
refuses 2 'no_such: No such file' "${axpy[@]}" --rtl no_such

# Right addresses, wrong arithmetic.
sed 's/fma\.rn\.f32.*/sub.f32 %f4, %f2, %f3;/' "$ptx" >wrong.ptx
runs 1 "${axpy[@]}" --ptx wrong.ptx --json wrong.json
matches "$out" 'WRONG RESULT: ' 'the report of a wrong result'
equal "$(json wrong.json result_ok)" false 'result_ok of a wrong kernel'

# The watchdog: rows that take 4 us to open and a patience of 1 us.
runs 1 "${axpy[@]}" --set dram.refresh=false --set dram.tRCD=4096 --set system.watchdog_us=1
matches "$err" 'deadlock: nothing has moved for 1 us' 'the watchdog'
matches "$err" 'core 0 subcore 0 warp 0: waits at' 'who waits'
