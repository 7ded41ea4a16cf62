#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# lockstack memory: the reference's patterns with the figures on which three public simulators
# agree, overrides that move them as they must, traces, and bad input.
# shellcheck disable=SC2016 source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"

figure() { # KEY WANTED OPTIONS...
  local key=$1 wanted=$2
  shift 2
  runs 0 "$lockstack" memory "$@" --json figure.json
  equal "$(json figure.json "$key")" "$wanted" "$key of memory $*"
}

figure max_latency 23 --pattern isolated-closed
figure max_latency 14 --pattern isolated-hit
figure max_latency 32 --pattern isolated-conflict
figure cycles 80019 --pattern stream-hit
figure cycles 82983 --pattern stream-row128
figure cycles 659990 --pattern distinct-rows
figure cycles 329994 --pattern distinct-rows --banks 2
figure max_latency 28 --pattern isolated-closed --set tRCD=14
figure max_latency 26 --pattern isolated-closed --set tCL=10 --set BL=6
figure timing.tRRD 1 --pattern distinct-rows --banks 16 --set tRRD=1
figure refreshes 15 --pattern stream-hit --refresh on
figure writes 20000 --reads 0
figure reads 20000 --reads 1

printf '# a row hit after a write of the same address\nW 3 7 1\n\nR 3 7 1   # comment\n' >trace
figure requests 2 --trace trace
equal "$(json figure.json cycles)" 39 'cycles of the trace: 1 + 9, 16 from write to read, 9 + 4'

# A near-bank unit: Table II's latencies, then neighbouring rows by turns with each number of row
# buffers.
figure max_latency 30 --near --pattern isolated-closed
figure max_latency 16 --near --pattern isolated-hit
figure max_latency 44 --near --pattern isolated-conflict --row-buffers 8
for k in 1 2 4 8; do
  figure row_hits "$((k > 1 ? 19998 : 0))" --near --row-buffers $k --pattern ping-pong --outstanding 1
  equal "$(json figure.json row_conflicts)" "$((k > 1 ? 0 : 19999))" "conflicts with $k row buffers"
done
figure row_hits 0 --near --set row_buffers=2 --pattern ping-pong --rows 4 --outstanding 1
figure cycles 40028 --near --pattern stream-hit # 1 + 14 + 14 + 1, and tCCD = 2 for each further one
figure cycles 20031 --near --pattern stream-hit --banks 4 \
  # one a cycle, but for the four (tRRD) before the second bank is open
printf 'W 3 8191 63\nR 3 8191 63\n' >trace
figure requests 2 --near --trace trace

runs 0 "$lockstack" memory --seed 5 --json a.json
runs 0 "$lockstack" memory --seed 5 --json b.json
equal "$(json a.json cycles)" "$(json b.json cycles)" 'the same seed twice'

refuses 2 'isolated-closed' "$lockstack" memory --pattern fast
refuses 2 "no timing 'tXX'" "$lockstack" memory --set tXX=1
refuses 2 'from 1 to 4096' "$lockstack" memory --set tRRD=0
refuses 2 'NAME=VALUE' "$lockstack" memory --set tRRD
refuses 2 'whole number' "$lockstack" memory --set tRRD=fast
refuses 2 'from 1' "$lockstack" memory --requests 0
refuses 2 '0 to 1' "$lockstack" memory --reads nan
refuses 2 '--set banks=17' "$lockstack" memory --banks 17
refuses 2 'does not use it' "$lockstack" memory --pattern stream-hit --rows 5
refuses 2 'does not use it' "$lockstack" memory --pattern isolated-hit --reads 0.5
refuses 2 'tREFI' "$lockstack" memory --refresh on --set tREFI=100
refuses 2 '1, 2, 4 or 8' "$lockstack" memory --near --row-buffers 3
refuses 2 'from 1 to 8' "$lockstack" memory --row-buffers 16
refuses 2 'row_buffers must be 1, 2, 4 or 8' "$lockstack" memory --near --set row_buffers=6
refuses 2 'at most 64' "$lockstack" memory --near --set banks=64
refuses 2 'power of two' "$lockstack" memory --near --set banks=3
refuses 2 'queue must be 1 to 64' "$lockstack" memory --near --set queue=65
refuses 2 'under way' "$lockstack" memory --near --set tCL=300
refuses 2 'from 0 to 12' "$lockstack" memory --near --set column_bits=13
refuses 2 "no timing 'column_bits'" "$lockstack" memory --set column_bits=6
refuses 2 'from 1 to 8192' "$lockstack" memory --near --rows 8193
printf 'R 0 8192 0\n' >bad
refuses 2 'bad:1: row 8192 should be from 0 to 8191' "$lockstack" memory --near --trace bad
printf 'R 0 0 64\n' >bad
refuses 2 'bad:1: column 64 should be from 0 to 63' "$lockstack" memory --near --trace bad
refuses 2 'absent' "$lockstack" memory --trace absent
refuses 2 'go together' "$lockstack" memory --pattern trace
printf 'R 0 1 2\nX 0 1 2\n' >bad
refuses 2 'bad:2:.*R or W' "$lockstack" memory --trace bad
printf 'R 16 1 2\n' >bad
refuses 2 'bad:1: bank 16 should be from 0 to 15' "$lockstack" memory --trace bad
: >bad
refuses 2 'no requests' "$lockstack" memory --trace bad
printf 'R 0 16384 0\n' >bad
refuses 2 'bad:1: row 16384 should be from 0 to 16383' "$lockstack" memory --trace bad
printf 'R 0 16383 127\nR 0 1 128 # an address\n' >bad
refuses 2 'bad:2: column 128 should be from 0 to 127' "$lockstack" memory --trace bad
runs 0 "$lockstack" memory --trace bad --row-requests 129
refuses 2 'bad:1: row 16383 should be from 0 to 99' "$lockstack" memory --trace bad --rows 100 --row-requests 129
refuses 2 'tRC 33 is shorter than tRAS . tRP, 25 . 9: tRC=34 would be right' "$lockstack" memory --set tRAS=25
runs 0 "$lockstack" memory --set tRAS=25 --set tRC=34 --requests 10
