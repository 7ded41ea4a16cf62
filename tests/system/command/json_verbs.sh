#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# JSON that no other test of this folder asks for: of `test` (with a ctest of our own: the real one
# would run this very test), of `bench` with a goal that is a greatest value, of `cover` with
# misses and with waivers, of `offload` with registers that a block takes and gives.
# timeout: 300
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"

mkdir tools
cat >tools/ctest <<'END'
#!/bin/sh
echo ' 1/3 Test  #7: unit.first ......................   Passed    0.01 sec'
echo ' 2/3 Test #12: unit.second .....................***Failed    0.01 sec'
echo ' 3/3 Test #13: unit.third ......................***Skipped   0.01 sec'
echo '66% tests passed, 1 tests failed out of 3'
exit 8
END
chmod +x tools/ctest
runs 1 env PATH="$here/tools:$PATH" "$lockstack" test unit --json test.json
equal "$(json test.json suite) $(json test.json passed) $(json test.json failed)" 'unit 2 1' 'what is counted'
equal "$(json test.json failures.0)" unit.second 'the test that failed'
[[ $out != *slowest* ]] || wrong "of three tests: $out"

# The table of the slowest: test i takes 7 i modulo 25 s and a half
cat >tools/ctest <<'END'
#!/bin/sh
for i in $(seq 25); do
  printf '%2d/25 Test #%d: unit.t%d ......   Passed  %d.50 sec\n' $i $i $i $((i * 7 % 25))
done
echo '100% tests passed, 0 tests failed out of 25'
END
runs 0 env PATH="$here/tools:$PATH" "$lockstack" test unit
table=$(sed -n '/^the slowest 20 of 25 tests:$/,/^$/p' <<<"$out" | sed '1d;$d')
equal "$(wc -l <<<"$table")|$(head -2 <<<"$table")|$(tail -1 <<<"$table")" \
  $'20|    24.5 s  unit.t7\n    23.5 s  unit.t14|     5.5 s  unit.t15' 'the slowest'

# Whether the goal is reached is the machine's matter.
"$lockstack" bench model --samples 1 --json bench.json >/dev/null 2>bench.err
matches $? '^[01]$' "the exit status of bench: $(cat bench.err)"
matches "$(json bench.json figures.0.at_most)" '^[1-9]' 'the goal'
LOCKSTACK_TOOL_SECONDS=1 refuses 3 'bench: lockstack run is not at its end after 1 s' "$lockstack" bench run --samples 1

# As few cycles as miss lines and bits; then some of these are waived, and what is not there.
runs 1 "$lockstack" cover fifo --cycles 2 --runs 1 --profile empty --json misses.json
matches "$(json misses.json misses.0.kind)" '^(line|toggle|functional)$' 'a miss'
awk -F '"' '/"kind"/ { kind = $4 } /"file"/ { file = $4 } /"line"/ { sub(/[^0-9]*/, "", $3); line = $3 + 0 }
            /"name"/ && kind != "functional" && !seen[kind]++ { print kind, file (kind == "line" ? ":" line : "") ":" $4, "we leave it" }
            END { print "toggle", file ":no_such", "it is not there" }' misses.json >waive
runs 1 "$lockstack" cover fifo --cycles 2 --runs 1 --profile empty --waivers waive --json waivers.json
equal "$(json waivers.json waivers.0.reason)" 'we leave it' 'why it is waived'
matches "$(json waivers.json stale.0.pattern)" 'no_such' 'a stale waiver'

runs 0 "$lockstack" offload "$source/firmware/workloads/kernels/gemv/gemv.ptx" --json gemv.json
runs 0 "$lockstack" offload "$source/firmware/workloads/kernels/bicg/bicg.ptx" --json bicg.json
matches "$(cat gemv.json bicg.json)" '"nsu_register"' 'registers that are sent or returned'
