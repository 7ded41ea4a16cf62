#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# lockstack sweep: what its table, CSV and JSON say is what single runs say; a killed one loses no
# finished run; all that is wrong is said before the first run.
# timeout: 300
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"

# Against runs by hand: each point, each seed.
runs 0 "$lockstack" sweep memory --pattern random --requests 2000 --over outstanding=1..4*2 --over tRRD=4,8 --seeds 2 \
  --metric cycles,row_hits \
  --csv a.csv --json a.json --plot a.svg
equal "$(wc -l <a.csv)" 13 'rows: a head, three by two points, two seeds each'
equal "$(head -n 1 a.csv)" 'outstanding,tRRD,seed,state,cycles,row_hits' 'the head'
equal "$(json a.json points.5.settings.outstanding) $(json a.json points.5.settings.tRRD)" '4 8' 'the last point'
for seed in 1 2; do
  runs 0 "$lockstack" memory --pattern random --requests 2000 --outstanding 4 --set tRRD=8 --seed $seed --json one.json
  equal "$(json a.json points.5.runs.$((seed - 1)).values.cycles)" "$(json one.json cycles).0" "cycles with seed $seed"
  equal "$(sed -n "$((11 + seed))p" a.csv)" "4,8,$seed,run,$(json one.json cycles),$(json one.json row_hits)" \
    "the row of seed $seed"
done
matches "$(json a.json points.5.metrics.cycles.least) $(json a.json points.5.metrics.cycles.most)" '^[0-9.]+ [0-9.]+$' \
  'least and most'
checks=$((checks + 1))
awk -v a="$(json a.json points.5.runs.0.values.cycles)" -v b="$(json a.json points.5.runs.1.values.cycles)" \
  -v m="$(json a.json points.5.metrics.cycles.mean)" \
  'BEGIN {exit !(m == (a + b) / 2)}' || wrong 'the mean is not the mean of both seeds'
equal "$(grep -c '</svg>' a.svg)" 1 'the picture'
equal "$(grep -c 'cycles of all requests' a.svg)" 1 'its axis'

# An argument, a key of the configuration and a flag of run; counters of parts.
runs 0 "$lockstack" sweep run vadd --over system=nsu,baseline --over gpu.sms=4..8*2 --set workload.n=2000 \
  --metric cycles,ipc,gpu:load_lines.1 --json r.json
runs 0 "$lockstack" run baseline vadd --set gpu.sms=8 --set workload.n=2000 --json one.json
equal "$(json r.json points.3.runs.0.values.cycles)" "$(json one.json cycles).0" 'cycles of the baseline with 8 SMs'
equal "$(json r.json points.3.runs.0.values.gpu:load_lines.1 2>/dev/null ||
  sed -n 's/.*"gpu:load_lines.1": \([0-9]*\).*/\1/p' r.json | tail -n 1)" \
  "$(json one.json parts.gpu.counters.load_lines.1)" 'a counter with a label'
runs 0 "$lockstack" sweep memory --over near=false,true --pattern stream-hit --requests 500 --json f.json
equal "$(json f.json points.1.runs.0.command)" 'memory --pattern stream-hit --requests 500 --near' 'a flag'

# Over what it takes, a network is marked; a curve is drawn as PDF.
runs 0 "$lockstack" sweep network --topology hypercube:2 --cycles 1000 --over rate=.2,.9 --seeds 2 --plot n.pdf \
  --json n.json
matches "$out" ' \.9 .*\*' 'a load that it cannot take'
equal "$(json n.json points.0.runs.0.stable) $(json n.json points.1.runs.0.stable)" 'true false' 'stable'
equal "$(head -c 4 n.pdf)" %PDF 'the picture'

# Again: nothing runs; more values: those alone.
runs 0 "$lockstack" sweep memory --pattern random --requests 2000 --over outstanding=1..4*2 --over tRRD=4,8 --seeds 3 \
  --metric cycles --resume --json b.json
equal "$(json b.json runs.earlier) $(json b.json runs.run)" '12 6' 'runs of earlier, and new ones'
equal "$(json b.json points.5.runs.1.values.cycles)" "$(json a.json points.5.runs.1.values.cycles)" 'a value of earlier'

# kill -9 while it runs: what was finished is not run again.
sweep=("$lockstack" sweep memory --requests 400000 --over outstanding=1..40 --jobs 1 --db killed.db)
"${sweep[@]}" >/dev/null 2>&1 &
pid=$!
for _ in {1..200}; do
  [ "$(sql killed.db "SELECT count(*) > 3 FROM job WHERE state = 'done'" 2>/dev/null)" != 1 ] || break
  sleep 0.05
done
kill -9 $pid
wait $pid 2>/dev/null
finished=$(sql killed.db "SELECT count(*) FROM job WHERE state = 'done'")
runs 0 "${sweep[@]}" --resume --json k.json
equal "$(json k.json runs.earlier)" "$finished" 'runs that the killed one had finished'
checks=$((checks + 1))
[ "$finished" -gt 3 ] && [ "$finished" -lt 40 ] || wrong "it was killed after $finished of 40 runs"

# A run that fails costs its own point alone: exit status 1, its command.
mkdir bad
cp "$source/rtl/router/router.sv" bad/
printf '`error\n' >>bad/router.sv
runs 1 "$lockstack" sweep network --topology hypercube:1 --cycles 200 --over engine=router=model,router=rtl --rtl bad \
  --json w.json
equal "$(json w.json runs.failed) $(json w.json points.0.runs.0.state)" '1 run' 'failed and good runs'
matches "$out" 'FAILED: .*lockstack network .*router=rtl' 'the command of the failed one'

# Ctrl-C: what is known, and the way on.
"$lockstack" sweep memory --requests 2000000 --over outstanding=1..40 --jobs 1 --db stopped.db \
  --json s.json >stopped.txt 2>stopped.err &
pid=$!
sleep 1
kill -INT $pid
wait $pid
equal $? 3 'exit status when interrupted'
matches "$(cat stopped.err)" '--resume goes on' 'what is said then'
equal "$(json s.json interrupted)" true 'JSON when interrupted'

runs 0 "$lockstack" sweep run nsu vadd --over nsu.lanes=4,8 --dry-run --json d.json
equal "$(json d.json commands.1)" 'run nsu vadd --set nsu.lanes=8' 'the second command'
runs 0 "$lockstack" sweep run nsu vadd --metrics --json l.json
matches "$out" 'gpu:l2_hits' 'counters that can be read'
runs 0 "$lockstack" memory --dry-run --json m.json
equal "$(json m.json results)" 1 'results of a memory'
runs 0 "$lockstack" network --rate .1,.2 --dry-run --json m.json
equal "$(json m.json results)" 2 'results of two rates'
runs 0 "$lockstack" network --closed --topology tree --dry-run --json m.json
equal "$(json m.json schema)" 'lockstack.network_closed/1' 'a closed loop'
runs 0 "$lockstack" run nsu vadd --dry-run --json m.json
equal "$(json m.json cycles) $(json m.json dry_run)" '0 true' 'a run that was only checked'

rm -rf lockstack-out
refuses 2 "unknown key 'gpu.smss'.*did you mean gpu.sms\?" "$lockstack" sweep run nsu vadd --over gpu.smss=3,4
refuses 2 'from 1 to 128' "$lockstack" sweep run nsu vadd --over gpu.sms=64,4000
refuses 2 "no parameter 'Foo'" "$lockstack" sweep network --over Foo=1,2
refuses 2 "'' is an empty list" "$lockstack" sweep memory --over banks=
refuses 2 "'' should be a value" "$lockstack" sweep memory --over banks=1,,2
refuses 2 "'2' is there twice" "$lockstack" sweep memory --over banks=1..4,2
refuses 2 'lesser to the greater' "$lockstack" sweep memory --over banks=4..1
refuses 2 'should go up' "$lockstack" sweep memory --over banks=1..4/0
refuses 2 'given twice' "$lockstack" sweep memory --over banks=1,2 --over banks=4
refuses 2 'given as an option, too' "$lockstack" sweep memory --banks 2 --over banks=4,8
refuses 2 'should be true or false' "$lockstack" sweep memory --over near=yes,no
refuses 2 'KEY=VALUES' "$lockstack" sweep memory --over banks
refuses 2 'own key would be right' "$lockstack" sweep memory --over set=tRRD=1
refuses 2 'leave one out' "$lockstack" sweep memory --over seed=1,2 --seeds 3
refuses 2 'nothing is swept over' "$lockstack" sweep memory
refuses 2 '159984 runs are too many' "$lockstack" sweep memory --over banks=1..16 --seeds 9999
refuses 2 'did you mean cycles\?' "$lockstack" sweep memory --seeds 2 --metric cyclse
refuses 2 'did you mean gpu:l2_hits\?' "$lockstack" sweep run nsu vadd --seeds 2 --metric gpu:l2_hist
refuses 2 "no metric 'latency'" "$lockstack" sweep network --closed --topology tree --seeds 2 --metric latency
refuses 2 'cycles is there twice' "$lockstack" sweep memory --seeds 2 --metric cycles,cycles
refuses 2 '.svg, .pdf or .png' "$lockstack" sweep memory --seeds 2 --plot a.gif
refuses 2 '32 curves are too many' "$lockstack" sweep memory --over banks=1..32 --over outstanding=1..40 --plot a.svg
refuses 2 'no such folder' "$lockstack" sweep memory --seeds 2 --csv no/a.csv
refuses 2 'did you mean memory\?' "$lockstack" sweep memroy --seeds 2
refuses 2 'run, network or memory' "$lockstack" sweep
refuses 2 'unknown workload' "$lockstack" sweep run nsu --over workload=vadd,vad
refuses 2 'argument too many' "$lockstack" sweep run nsu vadd --over system=nsu,tom
refuses 2 'did you mean --over\?' "$lockstack" sweep memory --ovr banks=1
refuses 2 'has 2 results' "$lockstack" sweep network --compare base,crit --seeds 2
refuses 2 'local or slurm' "$lockstack" sweep memory --seeds 2 --queue cloud
equal "$(ls -d lockstack-out 2>/dev/null)" '' 'nothing ran'
