#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Grids whose blocks wait for each other, by launch files and both interfaces of CUDA: the barrier
# of cooperative groups, acquire and release, too many blocks. cooperative.cu, by clang.
# timeout: 300
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
ptx=$source/tests/system/programs/cooperative.ptx

cat >relay.yaml <<END
module: $ptx
buffers:
  a: {type: u32, count: 768, fill: iota}
  b: {type: u32, count: 768}
  came: {type: u32, count: 8}
  want: {type: u32, count: 8, fill: {values: [1, 1, 1, 1, 1, 1, 1, 1]}}
launches: [{kernel: relay, grid: [4, 2], block: 96, cooperative: true, args: [a, b, came, 5]}]
compare:
  - {buffer: came, with: want}
  - {buffer: b, values: [293, 294, 295]}
  - {buffer: b, first: 480, values: [5, 6, 7]}
END
cat >hands.yaml <<END
module: $ptx
buffers: {value: {type: u32, count: 9, fill: {iota: [10, 0]}}, flag: {type: u32, count: 8}, got: {type: u32, count: 8}}
launches: [{kernel: hands, grid: 8, block: 32, cooperative: true, args: [value, flag, got]}]
compare: [{buffer: got, values: [10, 11, 12, 13, 14, 15, 16, 17]}]
END
# Of relay each of 8 blocks comes to 5 barriers, with two fences each.
for system in baseline nsu tom near nupim v100; do
  runs 0 "$lockstack" run $system relay.yaml --json a.json
  equal "$(json a.json parts.gpu.counters.l1_acquires)" 80 "acquires on $system"
  runs 0 "$lockstack" run $system hands.yaml
done
for where in mpu 'mpu --set mpu.ponb=true'; do
  # shellcheck disable=SC2086
  for file in relay hands; do runs 0 "$lockstack" run $where $file.yaml; done
done
runs 0 "$lockstack" run nsu relay.yaml --set offload.ratio=1 --engine 'nsu[*]=lockstep' --json a.json
equal "$(json a.json lockstep.divergences)" 0 'divergences'

# Without the acquire it is the old line that is read, which is allowed then.
sed 's/ld.acquire/ld.relaxed/' "$ptx" >relaxed.ptx
sed 's|^module: .*|module: relaxed.ptx|' hands.yaml >relaxed.yaml
runs 1 "$lockstack" run baseline relaxed.yaml

# A grid that is none finds no barrier.
sed -e 's/, cooperative: true//' -e 's/values: \[1, 1, 1, 1, 1, 1, 1, 1\]/values: [0, 0, 0, 0, 0, 0, 0, 0]/' \
  -e '/buffer: b/d' relay.yaml >plain.yaml
runs 0 "$lockstack" run baseline plain.yaml

# Too many blocks for the cores, and a key of another kind
sed 's/grid: \[4, 2\]/grid: [4096, 1024]/' relay.yaml >large.yaml
refuses 2 'kernel relay: 4194304 blocks are to wait for each other, but 64 cores hold [0-9]+ each at once' \
  "$lockstack" run baseline large.yaml
sed 's/cooperative: true/cooperative: maybe/' relay.yaml >kind.yaml
refuses 2 'kind.yaml:7:[0-9]+: cooperative: true or false would be right' "$lockstack" run baseline kind.yaml
sed 's/launches: .*/launches: [{cooperative: true, launches: [{kernel: relay, grid: 1, block: 32, args: [a, b, came, 1]}]}]/' relay.yaml >group.yaml
refuses 2 'group.yaml:7:[0-9]+: a group has launches and repeat alone' "$lockstack" run baseline group.yaml

for system in baseline nsu mpu tom; do
  for api in driver runtime; do
    # a launch was refused
    runs 1 "$lockstack" exec --system $system --report r.txt -- "$build/tests/exec_cooperative" $api
    equal "$out" 'all have waited for each other' "by the $api API on $system"
    matches "$err" '^lockstack: kernel relay: 1048576 blocks are to wait for each other' \
      "too many by the $api API on $system"
  done
done
