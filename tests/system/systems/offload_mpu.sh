#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# lockstack offload --rule mpu: locations, rows and shares for people and for programs; kernels
# that cannot be done are a line each and the others go on; bad PTX is refused with file, line,
# column after all other files.
# shellcheck disable=SC2016 source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
line() { # line REGEX WHAT: a line of $out
  checks=$((checks + 1))
  grep -qE -- "$1" <<<"$out" || wrong "$2: no line matches '$1'"
}
saxpy=$source/firmware/workloads/kernels/saxpy/saxpy.ptx

runs 0 "$lockstack" offload "$saxpy" --rule mpu --json a.json
line '^ +28  F     mad.lo.s32' 'an address far'
line '^ +41  N     fma.rn.f32' 'a value near'
line 'bra LBB0_2;   threads meet at line 44' 'the reconvergence point'
line '^  %f1 +B +\(N\) +2$' 'a parameter read near'
line 'registers, Algorithm 1 +23.5 +76.5 +0.0' 'the shares'
line 'registers, paper +32.5 +63.7 +3.8' "the paper's shares"
line 'rows a thread: near 4, far 8 ' 'the rows'
equal "$(json a.json schema)" lockstack.offload/1 'the schema'
equal "$(json a.json rule)" mpu 'the rule'
equal "$(json a.json policy)" annotated 'the policy'
equal "$(json a.json kernels.0.name)" saxpy 'the kernel'
equal "$(json a.json kernels.0.instructions.17.place)" N 'where an instruction runs'
equal "$(json a.json kernels.0.instructions.6.reconvergence)" 19 'where threads meet'
equal "$(json a.json kernels.0.registers.6.location)" B 'where a register is'
equal "$(json a.json kernels.0.registers.6.annotated)" N "Algorithm 1's location"
equal "$(json a.json kernels.0.rows.near)" 4 'rows of the near file'
equal "$(json a.json refused.#)" 0 'nothing refused'
for policy in annotated default near far; do
  runs 0 "$lockstack" offload "$source"/firmware/workloads/kernels/*/*.ptx --rule mpu --policy $policy
  line '^mean of [0-9]+ kernels$' 'the means'
done
runs 0 "$lockstack" offload "$source"/firmware/workloads/kernels/{saxpy/saxpy,fwt/fwt}.ptx --rule mpu --kernel fwt_modulate
line '^kernel fwt_modulate ' 'one kernel alone'
[[ $out != *saxpy* ]] || wrong 'another kernel is shown'

head='.version 8.0 .target sm_80 .address_size 64'
{
  echo "$head .visible .entry wide() { .reg .b128 %q<2>; .reg .b64 %d<3>;"
  echo 'mov.b128 %q1, {%d1, %d2}; }'
  echo '.visible .entry many() { .reg .u32 %r<300>; .reg .pred %p<300>;'
  for i in {0..299}; do echo "mov.u32 %r$i, %tid.x;"; done
  for i in {0..299}; do echo "setp.eq.u32 %p$i, %r$i, 0;"; done
  echo '} .visible .entry fits() { ret; }'
} >limits.ptx
runs 0 "$lockstack" offload limits.ptx "$saxpy" --rule mpu --json a.json
line '^limits.ptx: kernel wide, line 2: register %q1 has 128 bits, at most 64$' 'a register that is too wide'
line '^limits.ptx: kernel many, line 304: at least 300 registers of 32 bits and 1 predicate are needed, at most 256 in all$' 'too many'
line '^kernel fits ' 'the kernel after them'
line '^mean of 2 kernels \(the others could not be done\)$' 'the mean of the rest'
equal "$(json a.json refused.0.kernel)" wide 'the first refused'
equal "$(json a.json refused.1.line)" 304 'the line of the second'
equal "$(json a.json mean.kernels)" 2 'how many were done'

printf '%s .visible .entry bad() { adx.u32 %%r1; }' "$head" >bad.ptx
refuses 2 "bad.ptx:1:[0-9]+: unknown opcode 'adx'" "$lockstack" offload bad.ptx --rule mpu
runs 2 "$lockstack" offload bad.ptx "$saxpy" --rule mpu --json a.json
equal "$(json a.json refused.0.file)" bad.ptx 'the bad file'
equal "$(json a.json kernels.0.name)" saxpy 'the file after it'
echo "$head" >empty.ptx
refuses 2 'empty.ptx: no kernel' "$lockstack" offload empty.ptx --rule mpu
refuses 2 "no kernel 'vsub'" "$lockstack" offload "$saxpy" --rule mpu --kernel vsub
refuses 2 "'nearest' should be annotated, default, near or far" "$lockstack" offload "$saxpy" --rule mpu \
  --policy nearest
refuses 2 'policy goes with --rule mpu' "$lockstack" offload "$saxpy" --policy near
refuses 2 'one FILE.ptx' "$lockstack" offload "$saxpy" "$saxpy"
refuses 2 "'gpu' should be nsu, mpu or tom" "$lockstack" offload "$saxpy" --rule gpu
refuses 2 'a FILE.ptx is missing' "$lockstack" offload --rule mpu

# What the machine does not execute is said of each instruction, in both, and a launch says the
# same: a kernel each, of one instruction.
others=(
  'add.f16x2 %r2, %r1, %r1|'
  'atom.global.add.u32 %r2, [%d1], 1|'
  'red.global.add.u32 [%d1], 1|'
  'atom.shared.cas.b32 %r2, [sh], 1, 2|'
  'atom.global.max.noftz.f16x2 %r2, [%d1], %r1|atomic operation of this type'
  'bfi.b32 %r4, %r1, %r2, %r3, %r5|more than three source registers'
  'st.global.u32 [%d1+4], 7|'
  'mov.u32 %r2, %pm3|operand'
  'call f, ()|'
  'call absent, ()|a call of .absent., which nothing defines'
  'div.f16 %h1, %h2, %h2|operation or type'
  'shfl.sync.down.b32 %r2|%p1, %r1, 1, 31, -1|'
  'ld.global.v2.u32 {%r2, %r3}, [%d1]|'
  'mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%q1, %q2}, {%q3}, {%q3}, {%q1, %q2}|matrices'
)
{
  echo "$head .visible .func f() { ret; } .extern .func absent();"
  for i in "${!others[@]}"; do
    echo ".visible .entry k$i(.param .u64 a) { .reg .b64 %d<3>; .reg .b32 %r<8>; .reg .b16 %h<3>; .reg .pred %p<3>; .reg .f64 %q<5>; .shared .b32 sh[4];"
    echo 'ld.param.u64 %d1, [a]; ld.global.u32 %r1, [%d1]; mov.b32 %r2, %r1; mov.b32 %r3, %r1; mov.b32 %r5, %r1;'
    echo "${others[i]%|*};"
    echo 'st.global.u32 [%d1], %r2; ret; }'
  done
} >each.ptx
runs 0 "$lockstack" offload each.ptx --rule mpu --json each.json
refused=0
for i in "${!others[@]}"; do
  why=${others[i]##*|}
  printf 'module: each.ptx\nbuffers: {a: {type: u32, count: 64}}\nlaunches: [{kernel: k%s, grid: 1, block: 32, args: [a]}]\n' "$i" >k.yaml
  said=$(json each.json "kernels.$i.instructions.5.not_executed")
  if [ -n "$why" ]; then
    refused=$((refused + 1))
    matches "$said" "^$why\$" "why '${others[i]}' is not executed"
    equal "$(json each.json "kernels.$i.executes")" false "'${others[i]}' is executed"
    refuses 2 "kernel k$i: .* is not executed by the near-bank processor \\($why\\)" "$lockstack" run mpu k.yaml
  else
    equal "$said $(json each.json "kernels.$i.executes")" 'null true' "'${others[i]}' is executed"
    runs 0 "$lockstack" run mpu k.yaml
  fi
done
equal "$(grep -c 'NOT EXECUTED: ' <<<"$(runs 0 "$lockstack" offload each.ptx --rule mpu; echo "$out")")" $refused \
  'instructions that are not executed'

# A function that cannot be done is its kernel's refusal, in both in the same words; one that can
# is executed.
{
  echo "$head .func halves() { .reg .b16 %h<3>; div.f16 %h1, %h2, %h2; ret; } .func fine() { ret; }"
  for f in halves fine; do echo ".visible .entry k$f(.param .u64 a) { call $f, (); ret; }"; done
} >callee.ptx
runs 0 "$lockstack" offload callee.ptx --rule mpu --json callee.json
equal "$(json callee.json kernels.0.name) $(json callee.json kernels.0.executes)" 'kfine true' 'a kernel that calls'
why="kernel khalves: 'div.f16' is not executed by the near-bank processor (operation or type)"
matches "$(json callee.json refused.0.text)" "${why//[()]/.}" 'a kernel that calls what is not executed'
printf 'module: callee.ptx\nbuffers: {a: {type: u32, count: 64}}\nlaunches: [{kernel: khalves, grid: 1, block: 32, args: [a]}]\n' >k.yaml
refuses 2 "${why//[()]/.}" "$lockstack" run mpu k.yaml
