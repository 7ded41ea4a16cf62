#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 600
#
# lockstack reproduce on a small machine: ours beside the paper's from real runs, results that are
# taken again, a run that fails, Ctrl-C, pictures.
# shellcheck disable=SC2016 source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"

workloads=axpy,pr,hist_words figures=mpu-01,mpu-08,mpu-11,mpu-12
ask() { "$lockstack" reproduce mpu --scale small --set workload.n=20000 --workloads $workloads --figures $figures \
  "$@"; }

runs 0 ask --jobs 2 --json new.json --draw pictures
matches "$out" 'mean / paper' 'the table'
matches "$out" 'paper +1\.797' "the paper's figure"
matches "$out" "Not the paper's comparison" 'what the table says of a small machine'
equal "$(awk 'length > 100' <<<"$out" | wc -l)" 0 'number of lines wider than 100 columns'
equal "$(json new.json schema)" lockstack.reproduce/1 'the schema'
equal "$(json new.json complete)" false 'whether it is the whole comparison'
equal "$(json new.json 'runs.#')" 12 'runs: three workloads, three machines and the compiler'
equal "$(json new.json 'figures.#')" 4 'figures'

# The runs' own cycles, divided by hand.
cycles() { # WORKLOAD CONFIGURATION
  local i
  for i in {0..11}; do
    if [ "$(json new.json "runs.$i.workload") $(json new.json "runs.$i.configuration")" = "$1 $2" ]; then
      json new.json "runs.$i.cycles"; fi
  done
}
mean=0
for w in hist_words axpy pr; do
  ours=$(awk -v a="$(cycles $w default)" -v b="$(cycles $w base)" 'BEGIN { printf "%.6f", a / b }')
  equal "$(awk -v v="$(json new.json "figures.0.values.$w")" 'BEGIN { printf "%.6f", v }')" "$ours" "mpu-01 of $w"
  mean=$(awk -v m="$mean" -v v="$ours" 'BEGIN { printf "%.6f", m + v / 3 }')
done
near() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a - b < 1e-4 && b - a < 1e-4) }'; }
runs 0 near "$(json new.json figures.0.mean)" "$mean"
runs 0 near "$(json new.json figures.0.ratio)" "$(awk -v m="$mean" 'BEGIN { printf "%.6f", m / 1.797 }')"
for name in policy row-buffers row-misses registers; do
  [ -s "pictures/mpu-$name.png" ] || wrong "no picture pictures/mpu-$name.png"
  matches "$(cat "pictures/mpu-$name.svg")" 'axpy' "the picture of $name"
  matches "$(cat "pictures/mpu-$name.csv")" '^figure,column,workload,value,least,most' "the numbers of $name"
done

# Against another machine, which stays as it is: columns of which nothing is published, the orders
# of workloads, one against the other.
against=(--scale small --set workload.n=20000 --set tsv.duplex=true --workloads axpy,pr,hist_words --out rival)
runs 0 "$lockstack" reproduce mpu-22 "${against[@]}" --json rival.json --draw pictures
matches "$out" 'by speed-up: [a-z_]+ > [a-z_]+ > [a-z_]+' 'the order by speed-up'
matches "$out" 'by B/instr: axpy > pr > hist_words' 'the order by bytes an instruction'
matches "$out" 'rank correlation -?[01]\.[0-9]+ of 3 workloads' 'how far they agree'
equal "$(grep -c 'tsv.duplex' rival.json)" 3 'runs with a setting of one machine alone'
[ -s pictures/mpu-v100-against.png ] || wrong 'no picture of one column against the other'
matches "$(cat pictures/mpu-v100-against.svg)" 'axpy' 'the picture of it'

# Stored results are taken again, those of other arguments are not.
runs 0 ask --resume --json again.json
equal "$(grep -c '"state": "earlier"' again.json)" 12 'results taken again'
equal "$(json again.json figures)" "$(json new.json figures)" 'the figures from them'
matches "$out" '12 of them earlier' 'the report'
workloads=axpy figures=mpu-08
runs 0 ask --resume --set system.seed=2 --json other.json
matches "$err" '2 stored results are of another' 'what is said of the others'
equal "$(grep -c '"state": "run"' other.json)" 2 'runs made again'

# Only pr has a parameter log2block: the others' runs fail, it goes on.
workloads=axpy,pr,hist_words figures=mpu-08,mpu-12
runs 1 ask --set workload.log2block=7 --json failed.json
matches "$out" 'FAILED +lockstack run mpu hist_words .*--set workload.log2block=7' 'the command that failed'
matches "$out" "exit status 2: lockstack: --set: .*log2block" 'why'
matches "$out" 'mpu-08: 1 of 3 workloads have a value' 'the note'
equal "$(json failed.json figures.0.values.hist_words)" null 'the value of what failed'
matches "$(json failed.json figures.0.values.pr)" '^[0-9.]+$' "pr's value"
equal "$(grep -c '"state": "failed"' failed.json)" 4 'runs that failed'

# A signal to the command alone, not to the processes it started, ends those too.
"$lockstack" reproduce mpu-11 --workloads gemv_segments --out alone --json alone.json >alone.out 2>alone.err &
alone=$!
below() { pgrep -d , -P "$1"; } 2>/dev/null
for _ in {1..300}; do                                                      # each command has a parent of its own
  simulation=$(below "$(below "$(below "$(below $alone)")")") && break
  sleep 0.1
done
kill -TERM $alone
wait $alone
equal $? 3 'the exit status after a signal'
matches "$(cat alone.err)" 'interrupted' 'what is said then'
case $(ps -o stat= -p "$simulation") in
  '' | Z*) ;; # it has ended
  *) wrong 'the simulation goes on' ;;
esac

# Ctrl-C: what is known is reported.
runs 3 timeout --foreground --preserve-status -s INT 1 "$lockstack" reproduce mpu --out interrupted \
  --json interrupted.json
matches "$err" 'interrupted' 'what is said'
matches "$(cat interrupted.json)" '"state": "not run"' 'the runs left'
