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
launch kept "values: [$(of 64 20000)]" >kept.yaml
launch nested "values: [20000, $(of 63 0)]" >nested.yaml
for kernel in flag forever counts added; do launch $kernel >$kernel.yaml; done

loop='is in an endless loop at .*: each round is as the last one'
for system in baseline mpu tom; do
  its=gpu.its=false line='SM 0 warp 0: of thread'
  [ $system != mpu ] || its=mpu.its=false line='core 0 subcore 0 warp 0: of thread'
  for kernel in lock pairs slow kept added nested; do runs 0 "$lockstack" run $system $kernel.yaml; done
  runs 2 "$lockstack" run $system lock.yaml --set $its
  matches "$err" "turns.ptx:22: kernel lock: .*tid 0,0,0\) $loop.* 2 of 2 warps go round, 0 wait at a barrier:" 'no ITS'
  matches "$err" "$line.* goes round at .*turns.ptx:22, .* threads 0xfffffffe" 'the warps'
  runs 2 "$lockstack" run $system flag.yaml
  matches "$err" "turns.ptx:75: kernel flag: .*$loop" 'a flag'
  runs 2 "$lockstack" run $system counts.yaml
  matches "$err" "turns.ptx:164: kernel counts: .*$loop" 'a loop that counts for nobody'
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
for kernel in kept added nested; do runs 0 "$lockstack" run baseline $kernel.yaml --set system.watchdog_us=1; done

# The same of a program that brings its own kernels. Its eight warps want one lock at once: those that
# wait do not keep its owner from the SM.
takes=("$build/tests/exec_vadd" 256 1 "$ptx" take)
for system in baseline 'baseline --set gpu.scheduler=lrr' mpu; do
  runs 0 "$lockstack" exec --system $system --report r.txt -- "${takes[@]}"
  equal "$out" 'sums are right' "a lock of a program on $system"
done
runs 1 "$lockstack" exec --set gpu.its=false -- "${takes[@]}"
matches "$err" "of the program:258: kernel take: .*$loop" 'a program without ITS'
runs 1 "$lockstack" exec --check-uninitialised -- "$build/tests/exec_vadd" 100 1 "$ptx" lazy
matches "$err" "kernel lazy: .* no thread of the block has written" 'a program that reads what nobody wrote'
