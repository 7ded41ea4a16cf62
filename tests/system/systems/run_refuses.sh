# SPDX-License-Identifier: Apache-2.0
#
# Bad input to `run`: one clear line, exit code 2 (3 for the environment), nothing half-written.
source "$(dirname "$0")/../lib.sh"

refuses 2 'a SYSTEM is missing' "$lockstack" run
refuses 2 'a WORKLOAD is missing' "$lockstack" run nsu
refuses 2 "unknown system 'nus'" "$lockstack" run nus vadd
refuses 2 "unknown workload 'vad'" "$lockstack" run nsu vad
refuses 2 "workload.n: '0' should be a whole number from 1" "$lockstack" run nsu vadd --set workload.n=0
refuses 2 "no parameter 'm'" "$lockstack" run nsu vadd --set workload.m=1
refuses 2 "'workload.n' should be KEY=VALUE" "$lockstack" run nsu vadd --set workload.n
refuses 2 "unknown key 'gpu.smz'" "$lockstack" run nsu vadd --set gpu.smz=1
refuses 2 'gpu.sms: 129 is out of range; from 1 to 128' "$lockstack" run nsu vadd --set gpu.sms=129
refuses 2 'nsu.port_flits: 65 is out of range; from 0 to 64' "$lockstack" run nsu vadd --set nsu.port_flits=65
refuses 2 'nsu.merge_beats: 65 is out of range; from 0 to 64' "$lockstack" run nsu vadd --set nsu.merge_beats=65
refuses 2 'nsu.credit_batch: 1024 is out of range; from 0 to 1023' "$lockstack" run nsu vadd --set nsu.credit_batch=1024
refuses 2 "gpu.scheduler: 'rr' .*gto.*lrr" "$lockstack" run nsu vadd --set gpu.scheduler=rr
refuses 2 'xbar.bytes: 257 is out of range; from 1 to 256' "$lockstack" run nsu vadd --set xbar.bytes=257
refuses 2 'xbar.bytes: 0 is out of range; from 1 to 256' "$lockstack" run nsu vadd --set xbar.bytes=0
refuses 2 "l1i.ideal: 'maybe' is not false or true" "$lockstack" run nsu vadd --set l1i.ideal=maybe
refuses 2 'l1i.mshrs: 65 is out of range; from 1 to 64' "$lockstack" run nsu vadd --set l1i.mshrs=65
refuses 2 'a cache must have a power of two of sets' "$lockstack" run nsu vadd --set l1i.bytes=384
refuses 2 "'rlt' should be model, rtl or lockstep" "$lockstack" run nsu vadd --engine nsu=rlt
refuses 2 "no instance 'nsu\[8\]'" "$lockstack" run nsu vadd --engine 'nsu[8]=rtl'
refuses 2 "no instance 'gpu'" "$lockstack" run nsu vadd --engine gpu=rtl
refuses 2 "no instance 'nsu'" "$lockstack" run baseline vadd --engine nsu=rtl
refuses 2 'x.yaml: No such file' "$lockstack" run nsu vadd --config x.yaml
printf 'gpu:\n  sms: 64\n  smz: 64\n' >bad.yaml
refuses 2 "bad.yaml:3:8: unknown key 'gpu.smz'" "$lockstack" run nsu vadd --config bad.yaml
printf 'gpu:\n  sms: lots\n' >bad.yaml
refuses 2 "bad.yaml:2:8: .*'lots' is not a whole number" "$lockstack" run nsu vadd --config bad.yaml
printf 'gpu:\n  sms: [1\n' >bad.yaml
refuses 2 'bad.yaml:3:1: ' "$lockstack" run nsu vadd --config bad.yaml

# What 32-bit pointers cannot reach.
for system in baseline nsu mpu; do
  refuses 2 'ray.ptx: its pointers have 32 bits, and 8589934592 bytes more end above 4 GB' "$lockstack" run $system \
    ray \
    --set workload.width=4096 --set workload.height=4096 --set workload.depth=32
done

# A kernel of the user's own: broken, with an instruction that does not exist, and one that leaves
# its arrays.
ptx=$source/firmware/workloads/kernels/vadd/vadd.ptx
head -c 900 "$ptx" >cut.ptx
refuses 2 'cut.ptx:[0-9]+:[0-9]+: ' "$lockstack" run nsu vadd --ptx cut.ptx
sed 's/add\.f32/ad.f32/' "$ptx" >opcode.ptx
refuses 2 "opcode.ptx:[0-9]+:[0-9]+: .*'?ad'?" "$lockstack" run nsu vadd --ptx opcode.ptx
sed 's/mul\.wide\.u32\(.*\), 4;/mul.wide.u32\1, 4096;/' "$ptx" >bounds.ptx
for system in baseline nsu; do
  refuses 2 'vadd.*thread.*0x[0-9a-f]+' "$lockstack" run $system vadd --ptx bounds.ptx --set workload.n=4099
done
sed 's/mul\.wide\.u32\(.*\), 4;/mul.wide.u32\1, 2;/' "$ptx" >align.ptx
refuses 2 'vadd.*thread.*0x[0-9a-f]+' "$lockstack" run nsu vadd --ptx align.ptx --set workload.n=4099
sed 's/entry vadd(/entry addv(/' "$ptx" >name.ptx
refuses 2 'vadd' "$lockstack" run nsu vadd --ptx name.ptx

# Right addresses, wrong arithmetic: the run ends, the comparison with the host reference does not
# hold.
sed 's/add\.f32/sub.f32/' "$ptx" >wrong.ptx
runs 1 "$lockstack" run nsu vadd --ptx wrong.ptx --set workload.n=4099 --json wrong.json
matches "$out" 'WRONG RESULT: c\[0\] is' 'the report of a wrong result'
equal "$(json wrong.json result_ok)" false 'result_ok of a wrong kernel'

# A full disk.
refuses 3 'full' "$lockstack" run nsu vadd --set workload.n=33 --json /dev/full

refuses 2 'tREFI leaves no time' "$lockstack" run nsu vadd --set dram.tRCD=4096

# The watchdog: with a DRAM that takes 6 us to answer and a patience of 1 us, nothing moves for too
# long; it names who waits.
runs 1 "$lockstack" run nsu vadd --set workload.n=33 --set dram.tCL=4096 --set system.watchdog_us=1
matches "$err" 'deadlock: nothing has moved for 1 us' 'the watchdog'
matches "$err" 'SM 0 warp [0-9]+: block at line [0-9]+, target NSU [0-9]: granted, waits for OFLD_ACK' 'who waits'
matches "$err" 'stack [0-9] vault [0-9]+: 0 wait to enter, 0 queued, 1 responses owed' 'for what'
