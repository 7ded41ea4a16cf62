#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# What a regression refuses: suites, by file, line and column; options; databases. Each in one line.
# timeout: 300
# shellcheck disable=SC2016 source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"

regress() { "$lockstack" regress "$@"; }
bad() { # bad REGEX: the suite on standard input
  cat >bad.yaml
  refuses 2 "$1" regress bad.yaml --db never.db
}

# Suites
bad 'bad.yaml:3:[0-9]+: ' <<<$'jobs:\n  - check: {block: fifo\n  - check: ]'
bad 'bad.yaml:1: the file is empty' <<<''
bad 'bad.yaml:1:1: .jobs:. and a list' <<<'- check'
bad "bad.yaml:1:1: unknown key 'job'; a suite has help" <<<$'job:\n  - check: {}'
bad 'bad.yaml:2:3: jobs: a list expected' <<<$'jobs:\n  check: {}'
bad 'bad.yaml:2:5: an entry is one verb' <<<$'jobs:\n  - check: {block: fifo}\n    prove: {block: fifo}'
bad "bad.yaml:2:5: no verb 'chekc'; .lockstack --help. lists them" <<<$'jobs:\n  - chekc: {block: fifo}'
bad "bad.yaml:3:22: no block 'fifoo'; .lockstack list blocks. names them" \
  <<<$'jobs:\n  - check:\n      blocks: [fifo, fifoo]'
bad "bad.yaml:2:21: no family 'npu'" <<<$'jobs:\n  - check: {family: npu}'
bad 'family and blocks: give one of them' <<<$'jobs:\n  - check: {family: nsu, blocks: all}'
bad 'no block is left' <<<$'jobs:\n  - check: {block: fifo, except: fifo}'
bad 'no block is left' <<<$'jobs:\n  - check: {block: sram_1r1w, has: netlist}'
bad "bad.yaml:2:31: has: 'proof', 'parameters', or a device" <<<$'jobs:\n  - check: {blocks: all, has: gates}'
bad "check has no argument 'cycels'; .lockstack check --help. lists its options" \
  <<<$'jobs:\n  - check: {block: fifo, cycels: 5}'
bad "'cycles' is given above; a list would be right" <<<$'jobs:\n  - check: {cycles: 5, block: fifo, cycles: 6}'
bad "bad.yaml:2:26: power has no argument 'sdc'; .lockstack power --help. lists its options" \
  <<<$'jobs:\n  - power: {block: fifo, sdc: a.sdc}'
bad 'bad.yaml:2:33: --timing takes no value; true or false' <<<$'jobs:\n  - area: {block: fifo, timing: 3}'
bad '--no-wave takes no value; true or false' <<<$'jobs:\n  - check: {block: fifo, no-wave: 3}'
bad 'seeds: .many. should be a whole number' <<<$'jobs:\n  - check: {block: fifo, seeds: many}'
bad "'8' should be NAME=VALUE" <<<$'jobs:\n  - check: {block: fifo, sets: [Depth=7, 8]}'
bad "no block has a variant 'huge'" <<<$'jobs:\n  - check: {blocks: all, variants: huge}'
bad 'variants are of blocks' <<<$'jobs:\n  - memory: {variants: one}'
bad "no system 'gpu'" <<<$'jobs:\n  - run: {system: gpu, workload: vadd}'
bad "no workload 'vad'" <<<$'jobs:\n  - run: {system: nsu, workloads: [vadd, vad]}'
bad "no file 'none.ptx'" <<<$'jobs:\n  - offload: {file: none.ptx}'
bad 'limit: .soon. should be a time such as 90s' <<<$'limit: soon\njobs:\n  - list: {}'
bad 'over 100000 jobs' <<<$'jobs:\n  - memory: {seeds: 400, requests: [1, 2, 3, 4], patterns: [a, b, c, d, e, f, g, h], banks: [1, 2, 3, 4, 5, 6, 7, 8]}'
bad "'cycles' is an empty list" <<<$'jobs:\n  - check: {block: fifo, cycles: []}'
same='[1, 1, 1, 1, 1, 1, 1, 1, 1, 1]'
bad 'over 100000 jobs' <<<$'jobs:\n  - memory: {'"seed: $same, requests: $same, banks: $same, rows: $same, outstanding: $same, set: [default], reads: $same}"
bad 'include: .*none.yaml: No such file' <<<$'include: none.yaml'
bad 'bad.yaml:1:10: include: files include each other' <<<$'include: bad.yaml'
bad 'bad.yaml:1:7: jobs: the list is empty; an entry would be right' <<<$'jobs: []'
echo 'jobs: []' >none_in.yaml
bad 'none_in.yaml:1:7: jobs: the list is empty' <<<$'include: none_in.yaml\njobs:\n  - list: {}'
bad 'bad.yaml:1:10: include: the list is empty' <<<$'include: []\njobs:\n  - list: {}'
bad 'bad.yaml:3:5: the entry makes no job: none of its blocks has one of its variants' \
  <<<$'jobs:\n  - list: {}\n  - check: {block: arb_rr, variants: odd}'
refuses 2 "no suite 'nowhere'; .lockstack list suites. names them" regress nowhere
refuses 2 'none.yaml: No such file' regress none.yaml

# What may be there: an include by name or path, empty entries, jobs that come twice run once.
printf 'jobs:\n  - list:\n  - list: {argument: [blocks, blocks]}\n' >part.yaml
printf 'include: [part.yaml, ./part.yaml]\njobs:\n  - offload: {file: firmware/workloads/kernels/vadd/vadd.ptx}\n' >whole.yaml
runs 0 regress whole.yaml --dry-run --json jobs.json
equal "$(json jobs.json commands.#)" 3 'jobs'
equal "$(json jobs.json commands.1)" 'list blocks' 'a job'

# Options
refuses 2 'a SUITE is missing' regress
refuses 2 "'passed' should be failed" regress part.yaml --only passed
refuses 2 "'cloud' should be local or slurm" regress part.yaml --engine cloud
refuses 2 'give one of them' regress part.yaml --only failed --resume
refuses 2 "'0' should be a whole number from 1" regress part.yaml --jobs 0
refuses 2 'nowhere.*: no such folder' regress part.yaml --db nowhere/a.db
refuses 2 'has no run of .*part.yaml' regress part.yaml --db fresh.db --only failed
refuses 2 'nowhere/: no such folder' regress part.yaml --db a.db --junit nowhere/x.xml

# A run that cannot go on: the suite has changed, or its seed.
printf 'jobs:\n  - list:\n  - check: {block: fifo, cycles: 100, seeds: 1}\n' >part.yaml
runs 0 regress part.yaml --db a.db
sql a.db "UPDATE run SET state = 'running'"
refuses 2 'cannot go on: the suite, its seed or the list of blocks has changed' regress part.yaml --db a.db \
  --resume --seed 5
runs 0 regress part.yaml --db a.db --resume
equal "$(sql a.db 'SELECT state FROM run ORDER BY id DESC LIMIT 1')" 'done' \
  'a run that was killed after its last result'
sql a.db "UPDATE run SET tools = '{}', commit_id = 'abc'"
refuses 2 'cannot go on: it was made by another build of this program \(commit abc\)' regress part.yaml --db a.db \
  --resume
echo '# changed' >>part.yaml
refuses 2 'cannot go on: the suite' regress part.yaml --db a.db --resume

# Databases: another format, someone else's, damaged, no database at all, in use.
cp a.db b.db && sql b.db "UPDATE meta SET value = '2'"
refuses 2 'b.db: its format is 2, this program reads and writes 1' regress part.yaml --db b.db
rm -f c.db; : >c.db; sql c.db 'CREATE TABLE t(x)'
refuses 2 'c.db: an SQLite database, but not one of results' regress part.yaml --db c.db
head -c 20000 /dev/urandom >d.db
refuses 2 'd.db: not a database of results' regress part.yaml --db d.db
cp a.db e.db && printf 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx' |
  dd of=e.db bs=1 seek=8192 conv=notrunc 2>/dev/null
refuses 2 'e.db: the database is damaged' regress part.yaml --db e.db
printf 'jobs:\n  - memory: {requests: 100000000000}\n' >long.yaml
printf 'jobs:\n  - check: {block: fifo, profile: none}\n' >bad.yaml
"$lockstack" regress long.yaml --db a.db >/dev/null 2>&1 &
until [ "$(sql a.db "SELECT count(*) FROM job WHERE state = 'running'")" = 1 ]; do sleep 0.2; done
runs 1 regress bad.yaml --db a.d                                         # whose name the other one's begins with
refuses 3 "a.db: another regression \\(process $(pgrep -P $!)\\) is writing to it" regress part.yaml --db a.db
equal "$(sql a.db "SELECT count(*) FROM job WHERE state = 'running'")" 1 'jobs of the other one, still running'
kill -9 $!
wait $! 2>/dev/null

# The disk is full: nothing is lost that was done, and nothing is claimed that was not written.
runs 3 bash -c 'trap "" XFSZ; ulimit -f 0; "$0" regress part.yaml --db full.db 2>&1' "$lockstack"
matches "$out" 'full.db.*: (the disk is full|cannot write|disk I/O error)' 'the error line'
printf 'jobs:\n  - check: {block: fifo, cycles: 100, seeds: 300}\n' >many.yaml
runs 3 bash -c 'trap "" XFSZ; ulimit -f 180; "$0" regress many.yaml --db grow.db 2>&1' "$lockstack"
matches "$out" 'grow.db: (the disk is full|disk I/O error)' 'the error line'
done=$(sql grow.db "SELECT count(*) FROM job WHERE state = 'done'")
checks=$((checks + 1))
if [ "$done" -eq 0 ] || [ "$done" -eq 300 ]; then wrong "$done jobs were done before the disk was full"; fi
equal "$(sql grow.db 'PRAGMA integrity_check')" ok 'the database'
runs 0 regress many.yaml --db grow.db --resume
matches "$out" '300 of 300 jobs done, 300 PASS' 'the rest'
