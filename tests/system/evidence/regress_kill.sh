#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A regression is killed (kill -9) at random moments and goes on with --resume each time: in the
# end the database has the results of an undisturbed run, nothing ran twice after it was done, and
# no child outlives its parent to go on working.
#   regress_kill.sh [SUITE [KILLS [SECONDS [JOBS]]]]     by hand, on the release build:
#                                                         `regress_kill.sh nightly 10 3600`,
#                                                         moments within so many seconds of each
#                                                         start
# timeout: 600
root=$(cd "$(dirname "$0")/../../.." && pwd)
export LOCKSTACK=${LOCKSTACK:-$root/build/release/bin/lockstack} LOCKSTACK_SOURCE=${LOCKSTACK_SOURCE:-$root}
export LOCKSTACK_BUILD=${LOCKSTACK_BUILD:-$root/build/release}
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
[ -x "$build/tests/sql_get" ] || { echo "$build/tests/sql_get is missing: ./lockstack test builds it" >&2; exit 3; }

suite=${1:-quick.yaml} kills=${2:-10} seconds=${3:-1} jobs=${4:-2}
cat >quick.yaml <<'END'
help: quick jobs of some kinds, one that fails among them
limit: 60s
jobs:
  - check: {block: [fifo, arb_rr, sram_1r1w], cycles: 20000, seeds: 4}
  - check: {block: fifo, profile: nothing, seeds: 2}
  - memory: {requests: [2000, 3000], patterns: [random, stream-hit, ping-pong, distinct-rows], seeds: 2}
  - offload: {files: [firmware/workloads/kernels/vadd/vadd.ptx, firmware/workloads/kernels/saxpy/saxpy.ptx]}
END

# What must be equal: everything but when, how long and where, and what follows from that: rates,
# memory, what was in a cache, how far a search came in its time.
outcomes() {
  sql "$1" "SELECT key, outcome, exit_code, ifnull(signature, ''), ifnull(result, '')
    FROM job WHERE run = (SELECT max(id) FROM run) AND state = 'done' ORDER BY key" |
    sed -E 's/"cpu_seconds":\{[^}]*\},?//g; s/"([a-z_]*(seconds?|rss_bytes)|cached|inputs|new_inputs)":[^],}]*//g; s#[a-z]*\.db\.files/[^/"]*#FILES#g'
}
same() {
  outcomes "$1" >got
  outcomes "$2" >wanted
  checks=$((checks + 1))
  [ -s wanted ] && cmp -s got wanted || wrong "the results of $1 are not those of $2: $(diff got wanted | cut -c 1-200 |
    head -n 10)"
}
mine() { grep -lz "^LOCKSTACK_JOB=$here/$1" /proc/[0-9]*/environ 2>/dev/null; }

"$lockstack" regress "$suite" --jobs "$jobs" --db undisturbed.db >/dev/null 2>&1
equal "$(sql undisturbed.db 'SELECT state FROM run')" 'done' 'the undisturbed run'

# Each result's row is written once: a copy of what is done before every start is there afterwards,
# to the microsecond. A job that ended without a result (bad input) says nothing of what it read,
# and runs again.
done_rows() { sql killed.db "SELECT position, started, ended, seconds FROM job WHERE state = 'done' AND result LIKE '%content%' ORDER BY position"; }
resume=
for ((i = 0; i < kills; i++)); do
  before=
  [ -z "$resume" ] || before=$(done_rows)
  "$lockstack" regress "$suite" --jobs "$jobs" --db killed.db $resume >/dev/null 2>&1 &
  pid=$!
  sleep "$(awk -v r=$RANDOM -v s="$seconds" 'BEGIN {print s * r / 32768}')"
  kill -9 $pid 2>/dev/null
  wait $pid 2>/dev/null
  for ((t = 0; t < 100; t++)); do
    left=$(mine killed.db)
    [ -n "$left" ] || break
    sleep 0.1
  done
  equal "$left" '' 'children of the killed one, ten seconds later'
  [ -f killed.db ] || continue
  resume=--resume
  checks=$((checks + 1))
  [ -z "$(comm -23 <(sort <<<"$before") <(done_rows | sort))" ] || wrong "a result was lost or written again: $before"
done
"$lockstack" regress "$suite" --jobs "$jobs" --db killed.db --resume >/dev/null 2>&1
equal "$(sql killed.db 'SELECT count(*), max(state) FROM run')" '1|done' 'runs'
same killed.db undisturbed.db
equal "$(sql killed.db 'PRAGMA integrity_check')" ok 'the database'
