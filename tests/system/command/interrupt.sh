#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Ctrl-C and TERM end long work cleanly: exit status 3, one line, the JSON of what is known so far,
# and no word that says that all held.
# timeout: 200
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"

# A recording that takes longer to play than this test waits: idle cycles need no line.
printf '%s\n' 'lockstack-replay 1' 'block nsu' 'params -' 'seed 1' 'profile none' 'outcome DIVERGED' 'port err' \
  'commit -' \
  'cycles 16000000' >long.replay
printf 'end crc32=%s\n' "$(gzip -c <long.replay | tail -c 8 | head -c 4 | od -An -tx4 | tr -d ' ')" >>long.replay
printf 'jobs:\n  - memory: {requests: 100000000000, seeds: 3}\n' >long.yaml

# What each verb is asked to do, and what its JSON has to know then. A verb that is in neither list
# is one that this test forgot.
declare -A long=(
  [run]='nsu vadd --set workload.n=40000000'
  [check]='fifo --cycles 100000000000'
  [mutate]='fifo --count 4000 --no-proofs --cycles 100000000'
  [faults]='fifo --count 1000000 --cycles 2000000'
  [cover]='fifo --cycles 100000000000'
  [power]='fifo --cycles 100000000000'
  [replay]='long.replay'
  [prove]='all'
  [rules]='all --no-proofs'
  [area]='--out area'
  [memory]='--requests 100000000000'
  [network]='--cycles 60000000'
  [reproduce]='mpu --out reproduced --jobs 1'
  [bench]='vault --samples 64'
  [sweep]='memory --requests 100000000000 --over outstanding=1,2 --db swept.db'
  [regress]='long.yaml --db long.db --junit long.xml'
)
# fuzz builds with clang first; test would run this very test: both pass an interrupt on
# (verb_fuzz.c, verb_test.c). exec needs a program: system.exec ends one; serve is one's other end:
# system.embed.
quick=' list draw new offload report fuzz test exec serve '
for verb in $("$lockstack" --help | awk '/^  [a-z]/ { print $1 }'); do
  [[ -n ${long[$verb]-} || $quick == *" $verb "* ]] || wrong "the verb '$verb' is not looked at"
done

# interrupted SIGNAL SECONDS VERB
interrupted() {
  local signal=$1 seconds=$2 verb=$3 file=$3-$1.json
  # shellcheck disable=SC2086
  runs 3 timeout -k 20 --foreground --preserve-status -s "$signal" "$seconds" "$lockstack" "$verb" ${long[$verb]} \
    --json "$file"
  matches "$err" 'interrupted' "what $verb says"
  checks=$((checks + 1))
  [[ ! $out$err =~ (PASS|[0-9]\ hold|reached|all\ held|(^|[^a-z])ok($|[^a-z])) ]] ||
    wrong "$verb says ${BASH_REMATCH[0]} of unfinished work: $out"
  equal "$(json "$file" interrupted)" true "what the JSON of $verb says of it"
  checks=$((checks + 1))
  ! grep -q '"outcome": "PASS"\|"held": true' "$file" || wrong "the JSON of $verb says PASS: $(cat "$file")"
}

for verb in check cover faults power; do "$lockstack" $verb fifo --cycles 100 >/dev/null 2>&1; done    # builds
"$lockstack" check nsu --cycles 100 >/dev/null 2>&1
for verb in "${!long[@]}"; do
  [ "$verb" = test ] || interrupted INT 1 "$verb"
done
for verb in check prove regress; do interrupted TERM 0.7 $verb; done

matches "$(json check-INT.json cycles)" '^[1-9][0-9]*$' 'the cycles done so far'
equal "$(json check-INT.json outcome) $(json replay-INT.json outcome)" 'INTERRUPTED INTERRUPTED' 'outcomes'
matches "$(json memory-INT.json requests)" '^[1-9][0-9]*$' 'the requests done so far'
equal "$(json bench-INT.json figures.0.bench)" vault 'the figure measured so far'
equal "$(json prove-INT.json held)" false 'whether all is proved'
equal "$(json regress-INT.json state)" stopped 'the state of the regression'
matches "$(cat long.xml)" 'errors="1".*<error type="INTERRUPTED" message="0 of 3 jobs done"' 'JUnit of a regression'

# In the second run of a check, which then has not passed, though the first one has: while cycles
# run, and while the object of RTL that nobody has built before is built.
second() {
  rm -f second.json
  "$lockstack" check router_crit --cycles "$1" "${@:2}" --json second.json >second.out 2>second.err &
  pid=$!
  until grep -q 'again with' second.out || ! kill -0 $pid 2>/dev/null; do sleep 0.02; done
  sleep 0.05
  kill -INT $pid
  wait $pid
  equal "$?" 3 'the exit status of a check that is interrupted in its second run'
  equal "$(json second.json outcome) $(json second.json again.0.outcome)" 'INTERRUPTED INTERRUPTED' 'its outcomes'
  matches "$(cat second.err)" 'lockstack: interrupted after [0-9]+ of [0-9]+ cycles$' 'what it says'
}
second 4000000
mkdir other
{ cat "$source/rtl/router/router_crit.sv"; echo "// made at $EPOCHREALTIME"; } >other/router_crit.sv
second 100000 --rtl other
