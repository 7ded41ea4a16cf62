#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Threads of a warp that wait for each other make progress (independent thread scheduling), unless
# ITS is off; a loop without end is found, with kernel, line and warps; what shared memory holds that
# nobody has written, and who reads it.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
ptx=$source/tests/system/programs/turns.ptx

launch() { # KERNEL [COMPARISON]: KERNEL.yaml
  printf 'module: %s\nbuffers: {x: {type: u32, count: 64}, y: {type: u32, count: 64}}\n' "$ptx"
  printf 'launches: [{kernel: %s, grid: 1, block: 64, args: [x, y]}]\n' "$1"
  [ $# = 1 ] || printf 'compare: [{buffer: y, %s}]\n' "$2"
}
of() { for ((i = 0; i < $1; i++)); do printf '%s, ' "$2"; done; } # N VALUE
launch lock "values: [$(of 64 64)]" >lock.yaml
launch pairs "values: [$(for ((k = 100; k < 164; k += 2)); do of 2 $k; done)]" >pairs.yaml
launch slow "values: [20000, $(of 31 0)$(of 32 20000)]" >slow.yaml
launch unwritten "values: [0, 0, 3, 2]" >unwritten.yaml
for kernel in flag forever; do launch $kernel >$kernel.yaml; done

loop='is in an endless loop at .*: each round is as the last one'
for system in baseline mpu tom; do
  its=gpu.its=false line='SM 0 warp 0: of thread'
  [ $system != mpu ] || its=mpu.its=false line='core 0 subcore 0 warp 0: of thread'
  for kernel in lock pairs slow; do runs 0 "$lockstack" run $system $kernel.yaml; done
  runs 2 "$lockstack" run $system lock.yaml --set $its
  matches "$err" "turns.ptx:22: kernel lock: .*tid 0,0,0\) $loop.* 2 of 2 warps go round, 0 wait at a barrier:" 'no ITS'
  matches "$err" "$line.* goes round at .*turns.ptx:22, .* threads 0xfffffffe" 'the warps'
  runs 2 "$lockstack" run $system flag.yaml
  matches "$err" "turns.ptx:75: kernel flag: .*$loop" 'a flag'
  [ $system != tom ] || continue # its SMs are those of baseline
  runs 2 "$lockstack" run $system forever.yaml
  matches "$err" "turns.ptx:88: kernel forever: .*1 of 2 warps go round, 1 wait at a barrier:" 'a barrier'

  runs 1 "$lockstack" run $system unwritten.yaml
  first=$(grep -o 'got [0-9]*' <<<"$out")
  runs 1 "$lockstack" run $system unwritten.yaml --set system.uninitialised=2
  matches "$first" 'got [1-9]' 'another seed'
  [ "$first" != "$(grep -o 'got [0-9]*' <<<"$out")" ] || wrong "$system: two seeds, the same memory"
  runs 0 "$lockstack" run $system unwritten.yaml --set system.uninitialised=0
  refuses 2 'turns.ptx:143: kernel unwritten: .*ctaid 0,0,0.*tid 0,0,0.*address 0x4.* no thread of the block has written' \
    "$lockstack" run $system unwritten.yaml --check-uninitialised
done
# What ends is not called endless, however short the patience.
runs 0 "$lockstack" run baseline slow.yaml --set system.watchdog_us=1
