#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Instructions with membermasks, on every system: what halves, tiles, a last warp of 13 threads and
# threads that stay find out, worked out by hand from the PTX ISA; threads that wait for others on
# another path; and what PTX leaves undefined, in one line.
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
ptx=$source/tests/system/programs/membermasks.ptx

of() { for ((i = 0; i < $1; i++)); do printf '%s, ' "$2"; done; } # N VALUE
# 45 threads: a warp of 32 and one of 13; words of threads that are not there stay 0. Lanes 0, 3,
#    6, .. of a half; a tile has lane 9 or not; sums of the
# lanes of a tile, the last one's are 8 to 12; whether all of a half are below 16.
cat >groups.yaml <<END
module: $ptx
buffers: {y: {type: u32, count: 256}}
launches: [{kernel: groups, grid: 1, block: 45, args: [y]}]
compare:
  - {buffer: y, values: [$(of 16 0x9249)$(of 16 0x49240000)$(of 13 0x1249)$(of 19 0)]}
  - {buffer: y, first: 64, values: [$(of 8 2)$(of 8 1)$(of 16 2)$(of 8 2)$(of 5 1)$(of 19 0)]}
  - {buffer: y, first: 128, values: [$(of 8 28)$(of 8 92)$(of 8 156)$(of 8 220)$(of 8 28)$(of 5 50)$(of 19 0)]}
  - {buffer: y, first: 192, values: [$(of 16 1)$(of 16 2)$(of 13 1)$(of 19 0)]}
END
# Lanes 3, 7, 11, .. leave.
four() { for ((k = 0; k < $1; k++)); do of 3 "$2"; of 1 7; done; }
cat >leavers.yaml <<END
module: $ptx
buffers: {y: {type: u32, count: 64}}
launches: [{kernel: leavers, grid: 1, block: 45, args: [y]}]
compare: [{buffer: y, values: [$(four 8 0x77777777)$(four 3 0x1777)$(of 1 0x1777)$(of 19 0)]}]
END
# Each has what its partner has published.
cat >exchange.yaml <<END
module: $ptx
buffers: {y: {type: u32, count: 64}}
launches: [{kernel: exchange, grid: 1, block: 64, args: [y]}]
compare:
  - {buffer: y, values: [$(for i in {0..15}; do printf '%s, ' $((i + 516)); done)$(for i in {0..15}; do printf '%s, ' $((i + 1000)); done)]}
  - {buffer: y, first: 32, values: [$(for i in {0..15}; do printf '%s, ' $((i + 548)); done)$(for i in {0..15}; do printf '%s, ' $((i + 1032)); done)]}
END
for system in baseline nsu mpu tom nupim near; do
  for name in groups leavers exchange; do runs 0 "$lockstack" run $system $name.yaml; done
  printf 'module: %s\nlaunches: [{kernel: outside, grid: 1, block: 32, args: []}]\n' "$ptx" >bad.yaml
  refuses 2 'membermasks.ptx:101: kernel outside: .* has lane 8, which is not in its own membermask 0x000000ff; PTX leaves' "$lockstack" run $system bad.yaml
  sed -i s/outside/stuck/ bad.yaml
  refuses 2 'kernel stuck: .*is deadlocked: its lanes 0x[0f]{8} wait for lanes 0x[0f]{8} of their membermask' \
    "$lockstack" run $system bad.yaml
done
