#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A regression on a Slurm cluster: the local engine's results; a node that dies in the middle and a
# killed parent lose nothing.
# timeout: 300
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/system/slurm_cluster.sh
. "$source/tests/system/slurm_cluster.sh"

regress() { "$lockstack" regress suite.yaml "$@"; }
outcomes() {
  sql "$1" "SELECT key, outcome, exit_code, ifnull(signature, ''), ifnull(result, '')
    FROM job WHERE run = (SELECT max(id) FROM run) AND state = 'done' ORDER BY key" |
      sed -E 's/"[a-z_]*seconds?":[^],}]*//g'
}
same() {
  outcomes "$1" >got
  outcomes "$2" >wanted
  checks=$((checks + 1))
  [ -s wanted ] && cmp -s got wanted || wrong "the results of $1 are not those of $2: $(diff got wanted | cut -c 1-200 |
    head -n 10)"
}
# The cycles make some of the jobs take a second or two, so that a node dies with work on it.
cat >suite.yaml <<'END'
limit: 60s
jobs:
  - check: {block: [fifo, arb_rr], cycles: [5000, 6000], seeds: 2}
  - check: {block: fifo, profile: nothing}
  - check: {block: [fifo, sram_1r1w], cycles: 600000, seeds: 4}
END
runs 1 regress --db local.db
cluster_start 2

"$lockstack" regress suite.yaml --db slurm.db --engine slurm --json slurm.json >out 2>err &
parent=$!
busy() { name=$(squeue -h -t running -w n2 -o %j | head -n 1) && [ -n "$name" ]; }
cluster_wait 30 busy || wrong "nothing ran on n2: $(squeue) $(cat err)"
put_back=$(sbatch --parsable --hold --output=/dev/null --job-name="$name" --wrap=true)
cluster_kill n2
wait $parent
equal $? 1 'exit status: a job of the suite fails'
same slurm.db local.db
equal "$(sql slurm.db 'SELECT engine, state, count(*) FROM run')" 'slurm|done|1' 'the run'
matches "$(sql slurm.db "SELECT DISTINCT node FROM job")" 'n1' 'nodes'
equal "$(ls slurm.db.files 2>/dev/null)" '' 'files left'
equal "$put_back $(squeue -h -t pending -j "$put_back" -o %i 2>&1)" "$put_back " \
  'a task of its own that waits in the queue'

# The parent is killed; its tasks go on, and --resume finds them. (The job that was refused has no
# result, so nothing tells of what it was: --resume runs it again.)
cluster_node n2
"$lockstack" regress suite.yaml --db killed.db --engine slurm >/dev/null 2>&1 &
parent=$!
some_done() { [ "$(sql killed.db "SELECT count(*) > 2 FROM job WHERE state = 'done'" 2>/dev/null)" = 1 ]; }
cluster_wait 30 some_done || wrong 'no job was done'
kill -9 $parent
wait $parent 2>/dev/null
before=$(sql killed.db "SELECT position, started FROM job WHERE state = 'done' AND result IS NOT NULL ORDER BY position")
refuses 2 'is of --engine slurm' regress --db killed.db --resume
runs 1 regress --db killed.db --engine slurm --resume
equal "$(comm -23 <(sort <<<"$before") <(sql killed.db 'SELECT position, started FROM job' | sort))" '' 'results lost'
same killed.db local.db

# Ctrl-C takes the tasks out of the queue: its own. Of the node that died the controller may put
# one back much later: it finds nothing to do.
env --default-signal=INT "$lockstack" regress suite.yaml --db stopped.db --engine slurm >/dev/null 2>&1 &
parent=$!
has_begun() { [ "$(sql stopped.db "SELECT count(*) > 0 FROM job WHERE state <> 'waiting'" 2>/dev/null)" = 1 ]; }
cluster_wait 30 has_begun || wrong 'no job has begun'
kill -INT $parent
wait $parent
equal $? 3 'exit status: interrupted'
queue_empty() { ! squeue -h -t pending,configuring,running,suspended -o %j | grep -q stopped.db; }
cluster_wait 20 queue_empty || wrong "still there: $(squeue)"
SLURM_ARRAY_TASK_ID=1 refuses 2 'no job 1 in it' "$lockstack" regress --task "$PWD/slurm.db.files/gone" 0
equal "$(ls slurm.db.files 2>/dev/null)" '' 'files of a task that came late'
runs 1 regress --db stopped.db --engine slurm --resume
same stopped.db local.db

# The runs of figures go through the same queue.
figures() { "$lockstack" reproduce mpu-11 --workloads axpy --scale small "$@"; }
runs 0 figures --out here --json here.json
runs 0 figures --engine slurm --out there --json there.json
equal "$(json there.json figures)" "$(json here.json figures)" 'the figures of a cluster'
equal "$(sql there/queue.db "SELECT engine, state FROM run")" 'slurm|done' 'the queue'

# And those of a sweep.
points() { "$lockstack" sweep memory --requests 500 --over outstanding=1,8 --metric cycles "$@"; }
runs 0 points --db swept.db --csv here.csv
runs 0 points --db queued.db --csv there.csv --queue slurm
equal "$(cat there.csv)" "$(cat here.csv)" 'the sweep of a cluster'
equal "$(sql queued.db "SELECT engine, state FROM run")" 'slurm|done' 'the queue'

# No cluster.
cluster_stop
refuses 3 'sbatch is not there|squeue is not there' env PATH=/nowhere "$lockstack" regress suite.yaml --db none.db \
  --engine slurm
