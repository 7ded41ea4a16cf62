#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A regression's outcomes, buckets, reports, and running again what failed.
# timeout: 300
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"

regress() { "$lockstack" regress "$@"; }

printf '2 40400000 40400000 0 41100001\n' >wrong.txt                    # 3 * 3 is 41100000
cat >mixed.yaml <<'END'
help: one of each outcome
limit: 60s
jobs:
  - check: {block: [fifo, arb_rr], cycles: 500, seeds: 2}
  - check: {block: fp_fma, vectors: wrong.txt, no-wave: true}
  - check: {block: fifo, profile: nothing, seeds: [1, 2]}
  - memory: {requests: 100000000000, limit: 1s}
END
sed -i "s|wrong.txt|$here/wrong.txt|" mixed.yaml

runs 1 regress mixed.yaml --db a.db --jobs 2 --json a.json --junit a.xml
matches "$out" '8 of 8 jobs done, 4 PASS, 1 FAIL, 2 BAD_INPUT, 1 TIMEOUT' 'the summary'
matches "$out" 'lockstack check fp_fma --vectors .*wrong.txt --no-wave' 'a command to reproduce'
equal "$(json a.json counts.TIMEOUT)" 1 'jobs over their time'
equal "$(json a.json buckets.#)" 3 'buckets: two jobs fail the same way'
equal "$(json a.json buckets.0.count)" 2 'the greatest bucket is the first'
matches "$(json a.json buckets.0.signature)" '^check fifo: BAD_INPUT .*nothing' 'its signature'
equal "$(json a.json failures.#)" 4 'failures'
equal "$(sql a.db "SELECT count(*) FROM job WHERE state = 'done' AND ended >= started AND node IS NOT NULL")" 8 'rows'
equal "$(sql a.db "SELECT state FROM run")" 'done' 'the state of the run'
equal "$(sql a.db "SELECT result FROM job WHERE key LIKE 'check arb_rr%' LIMIT 1" |
  json - schema)" lockstack.check/1 'the document of a job'
matches "$(cat a.xml)" 'tests="8" failures="1" errors="3" skipped="0"' 'JUnit'
matches "$(cat a.xml)" '<error type="TIMEOUT" message="memory: TIMEOUT time over">' 'JUnit of a failure'
equal "$(ls -d a.db*)" $'a.db\na.db.lock' 'no folder where no job left a file'

# The command that reproduces a failure fails the same way.
key=$(json a.json failures.0.key)
# shellcheck disable=SC2086
runs 1 "$lockstack" $key --out .

# What failed again: a run of its own, the same outcomes; then the fault is mended and nothing is
# left.
runs 1 regress mixed.yaml --db a.db --jobs 2 --only failed --json b.json
matches "$out" 'run 2: 4 of 4 jobs done, 1 FAIL, 2 BAD_INPUT, 1 TIMEOUT' 'the summary'
equal "$(sql a.db 'SELECT group_concat(key) FROM (SELECT key FROM job WHERE run = 2 ORDER BY key)')" \
  "$(sql a.db "SELECT group_concat(key) FROM (SELECT key FROM job WHERE run = 1 AND outcome <> 'PASS' ORDER BY key)")" \
    'what ran again'
printf 'jobs:\n  - check: {block: fp_fma, vectors: %s, no-wave: true}\n' "$here/wrong.txt" >mended.yaml
runs 1 regress mended.yaml --db a.db
printf '2 40400000 40400000 0 41100000\n' >wrong.txt
runs 0 regress mended.yaml --db a.db --only failed
runs 0 regress mended.yaml --db a.db --only failed --json c.json --junit c.xml
matches "$out" 'nothing failed in run 4' 'a run without failures'
equal "$(json c.json run) $(json c.json counts.PASS) $(json c.json counts.FAIL)" '4 1 0' 'what the JSON of it says'
matches "$(cat c.xml)" '<testsuite name="[^"]*" tests="0" failures="0" errors="0" skipped="0" time="0.000">' \
  'JUnit of no job'
equal "$(grep -c testcase c.xml) $(tail -n 1 c.xml)" '0 </testsuites>' 'JUnit of no job, to its end'
runs 0 regress mended.yaml --db a.db --only failed --dry-run --json d.json
equal "$out $(json d.json commands.#)" ' 0' 'jobs that would run again: none'
runs 0 regress mixed.yaml --db a.db --only failed --dry-run --json d.json
equal "$(json d.json commands.#) $(sql a.db 'SELECT count(*) FROM run')" '4 4' \
  'jobs that would run again, and nothing ran'
cp mixed.yaml kept.yaml && echo '  - memory: {requests: 77}' >>mixed.yaml
runs 0 regress mixed.yaml --db a.db --only failed --dry-run
equal "$(wc -l <<<"$out") $(grep -c 'requests 77' <<<"$out")" '5 1' 'a job that is new in the suite'
mv kept.yaml mixed.yaml
runs 0 regress mixed.yaml --db a.db --resume --dry-run
equal "$(wc -l <<<"$out") $(grep -c 'wrong.txt\|profile nothing\|requests 1000' <<<"$out")" '4 4' \
  'jobs that are left: those that ended without a result'
runs 0 regress mixed.yaml --db fresh.db --resume --dry-run
equal "$(wc -l <<<"$out") $(ls fresh.db 2>&1 |
  grep -c 'No such')" '8 1' 'jobs that are left of a run that there is not, and no database is made'
refuses 2 'nowhere.db: no such database' regress mixed.yaml --db nowhere.db --only failed --dry-run

# An installed copy's first regression in a new folder makes the folder of its database; one that
# --db names must be there.
mkdir -p copy/bin copy/share new && cp "$lockstack" copy/bin/lockstack && ln -s "$source" copy/share/lockstack
printf 'jobs:\n  - list:\n' >new/list.yaml
cd new || exit 3
runs 0 ../copy/bin/lockstack regress list.yaml --dry-run
equal "$(ls)" list.yaml 'what --dry-run made'
runs 0 ../copy/bin/lockstack regress list.yaml
equal "$(sql lockstack-out/lockstack.db "SELECT state FROM run")" 'done' 'its run'
runs 0 ../copy/bin/lockstack regress list.yaml --only failed --junit none.xml
runs 0 ../copy/bin/lockstack report
refuses 2 'elsewhere/: no such folder|elsewhere/a.db: no such folder' ../copy/bin/lockstack regress list.yaml \
  --db elsewhere/a.db
cd ..

# A run that is done stays as it is.
runs 0 regress mended.yaml --db a.db --resume
equal "$(sql a.db 'SELECT max(id) FROM run')" 4 'runs'

# Seeds are derived from the suite's, the same each time; --seed takes others.
runs 0 regress mixed.yaml --dry-run; first=$out
runs 0 regress mixed.yaml --dry-run; equal "$out" "$first" 'the jobs'
runs 0 regress mixed.yaml --dry-run --seed 7
[ "$out" != "$first" ] || wrong 'another seed makes the same jobs'

# Blocks that a device cannot hold (harness/lockstep/dut/refused.txt), or that have no proof, are left out.
cat >has.yaml <<'END'
jobs:
  - check: {blocks: [router, fifo, sram_1r1w], has: icarus, dut: icarus}
  - prove: {blocks: [nsu, fifo], has: proof}
END
runs 0 regress has.yaml --dry-run
jobs=$(grep -o '[a-z]* [a-z_0-9]* --dut\|prove .*' <<<"$out" | tr '\n' ',')
equal "$jobs" 'check fifo --dut,check sram_1r1w --dut,prove fifo,' 'jobs of blocks that have it'

# A job that a signal ends; what it started ends with it.
printf 'jobs:\n  - memory: {requests: 100000000000}\n' >long.yaml
"$lockstack" regress long.yaml --db k.db --json k.json >/dev/null 2>&1 &
parent=$!
until outer=$(pgrep -P "$(pgrep -P $parent)" -f "requests 100000000000") &&
  child=$(pgrep -P "$outer"); do sleep 0.2; done
kill -SEGV "$child"
wait $parent
equal "$(json k.json failures.0.outcome) $(json k.json failures.0.exit_code)" 'KILLED 139' 'a crash'
matches "$(json k.json buckets.0.signature)" '^memory: KILLED Segmentation fault' 'its signature'

# Exit status 0 without a result is no verdict.
printf 'jobs:\n  - list: {argument: --help}\n  - list:\n' >help.yaml
runs 1 regress help.yaml --db help.db --json help.json
equal "$(json help.json counts.PASS) $(json help.json counts.INFRA)" '1 1' 'a job that only shows its help'
matches "$(json help.json buckets.0.signature)" '^list.*: INFRA .*exit status N, but there is no result' 'its signature'

# Ctrl-C: no child is left, and --resume finishes what was not done, under its first number.
printf 'jobs:\n  - check: {block: fifo, cycles: 500}\n  - memory: {requests: 100000000000, limit: 3s}\n' >stop.yaml
runs 3 timeout --foreground --preserve-status -s INT 1.5 "$lockstack" regress stop.yaml --db s.db --jobs 1 --json s.json
matches "$err" 'interrupted with 1 of 2 jobs done; --resume goes on' 'what it says'
equal "$(json s.json state) $(sql s.db 'SELECT state FROM run')" 'stopped stopped' 'the state'
equal "$(grep -lz "^LOCKSTACK_JOB=$here/" /proc/[0-9]*/environ 2>/dev/null)" '' 'children left'
runs 0 regress stop.yaml --db s.db --only failed --dry-run
equal "$(wc -l <<<"$out") $(grep -c 'requests 100000000000' <<<"$out")" '1 1' 'a job that never ran has not passed'
runs 1 regress stop.yaml --db s.db --resume --json s.json
matches "$out" 'run 1: 2 of 2 jobs done, 1 PASS, 1 TIMEOUT' 'the rest'

# Crashes of a model and of a stimulus: a bucket for each function, whatever the seed and the cycle.
# shellcheck source=tests/system/crash_block.sh
. "$source/tests/system/crash_block.sh"
cp -r own two && sed -i 's/"segv"/"none"/' two/accum.c && sed -i 's/fault("stimulus")/fault("segv")/' two/accum_stim.c
cp -r two three && sed -i 's/(cycle == 77) fault("segv")/(cycle == 0) fault("none")/; s/fault("init")/fault("segv")/' \
  three/accum_stim.c
cat >crash.yaml <<EOF2
jobs:
  - check: {argument: [$here/own, $here/two, $here/three], set: Bits=5, no-wave: true, seed: [1, 2], shrink-seconds: 1}
EOF2
export CRASH=segv
runs 1 regress crash.yaml --db crash.db --jobs 2 --json crash.json
equal "$(json crash.json counts.FAIL) $(json crash.json buckets.#)" '6 3' 'crashes and their buckets'
signatures=$(for k in 0 1 2; do json crash.json buckets.$k.count; json crash.json buckets.$k.signature; done)
for signature in 'MODEL_CRASH accum_step: SIGSEGV' 'STIM_CRASH accum_stim.next: SIGSEGV' \
  'STIM_CRASH accum_stim.init: SIGSEGV'; do
  matches "$signatures" "2"$'\n'"[^"$'\n'"]*$signature" 'a bucket of crashes'
done
