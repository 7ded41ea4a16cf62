#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# timeout: 300
#
# lockstack reproduce nsu: figures of real runs, of the compiler and of counting, worked out again
# by hand; and the whole comparison of canned results: lists, largest values, relations, gains
# within 5 %.
# shellcheck disable=SC2016 source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"

# Traffic of targets: with two accesses the first is as good as any; 7/8 of them cross.
runs 0 "$lockstack" offload --targets 8 --json t.json
equal "$(json t.json targets.stacks)" 8 'stacks'
equal "$(json t.json targets.most_at)" 6 'accesses with most traffic'
equal "$(json t.json targets.traffic.1.first)" 0.875 'of two'
equal "$(json t.json 'targets.traffic.#')" 64 'rows'
refuses 2 '--targets: .*from 2 to 256' "$lockstack" offload --targets 1
refuses 2 '--targets goes with no file' "$lockstack" offload --targets 8 x.ptx
refuses 2 '--targets goes with no file' "$lockstack" offload --targets 8 --rule mpu

# Real runs: one of the best of five ratios against Algorithm 1's, one of a machine's values, one
# of the compiler, one of no run at all
runs 0 "$lockstack" reproduce nsu --scale small --set workload.n=20000 --workloads vadd \
  --figures nsu-06,nsu-14,nsu-22,nsu-28,nsu-31 --json r.json --draw p
equal "$(json r.json 'runs.#')" 10 'runs: the GPU alone, five ratios, two policies, compiler, targets'
cycles() { # CONFIGURATION
  local i
  for i in {0..9}; do [ "$(json r.json "runs.$i.configuration")" != "$1" ] || json r.json "runs.$i.cycles"; done
}
best=$(for c in 0.2 0.4 0.6 0.8 naive; do cycles $c; done | sort -n | head -n 1)
per_cent() { awk -v a="$1" -v b="$2" -v c="$3" 'BEGIN { v = 100 * (a / b - 1) - c; exit !(v < 1e-4 && v > -1e-4) }'; }
equal "$(json r.json figures.0.id),$(json r.json figures.1.id)" nsu-31,nsu-28 'the order of groups'
equal "$(json r.json figures.2.id),$(json r.json figures.3.id)" nsu-06,nsu-14 'and of the others'
runs 0 per_cent "$(cycles base)" "$(cycles naive)" "$(json r.json figures.2.ours)"
runs 0 per_cent "$best" "$(cycles dyn)" "$(json r.json figures.3.ours)"
equal "$(json r.json figures.0.ours)" 4 "vadd's block"
equal "$(json r.json figures.4.ours)" 2.84375 'KB: 300 and 64 entries of 8 bytes'
[ -s p/nsu-naive.png ] || wrong 'no picture of Fig. 7'
equal "$(awk 'length > 100' <<<"$out" | wc -l)" 0 'number of lines wider than 100 columns'

# The same figures from rows, by no run at all; what no row tells is made; bad rows are told before
# anything is run
three() { "$lockstack" reproduce nsu --scale small --set workload.n=20000 --workloads vadd \
  --figures nsu-06,nsu-14,nsu-22 --rows kept/nsu.csv "$@"; }
runs 0 three --resume --json s.json
equal "$(grep -c ',nsu vadd ' kept/nsu.csv)" 7 'rows of runs with NSUs, stored ones'
runs 0 three --out none --json k.json
matches "$out" '8 of 8 runs done \(8 of them earlier\), 0 failed' 'runs that have rows'
matches "$out" '8 of the results are rows of kept/nsu.csv, made by [0-9a-z]+' 'whose rows'
[ ! -e none ] || wrong 'something was run although all have rows'
equal "$(json k.json figures)" "$(json s.json figures)" 'figures of rows'
matches "$(json k.json runs.0.state) $(json k.json runs.0.commit)" '^earlier [0-9a-z]+' 'a run that has a row'
echo 'abc,1' >>kept/nsu.csv
refuses 2 'kept/nsu.csv:12: should be a row of 17 columns' "$lockstack" reproduce nsu --workloads vadd --out none \
  --rows kept/nsu.csv
refuses 2 'SYSTEM or ID is missing' "$lockstack" reproduce --rows kept/nsu.csv
sed -i '/^abc,1$/d; /nsu vadd .*ratio=0.4/d' kept/nsu.csv
runs 0 three --out none --no-runs --json n.json
matches "$out" '7 of 8 runs done \(7 of them earlier\), 0 failed' 'nothing is made of what has no row'
[ ! -e none ] || wrong 'something was run with --no-runs'
# A picture has the workloads that its table is of.
runs 0 "$lockstack" reproduce nupim --out none --rows "$source/docs/figures/nupim.csv" --no-runs --figures tracking \
  --draw q
matches "$(cat q/nupim-tracking.svg)" '>btree<' 'a workload of the table'
if grep -q '>h3d<' q/nupim-tracking.svg; then wrong 'h3d is drawn, which the table is not of'; fi
refuses 2 '--no-runs takes what is there: --rows FILE or --resume' "$lockstack" reproduce nsu --no-runs

# The whole comparison, canned. Cycles by configuration, the same for all workloads but kmn, whose
# are halved where it matters.
runs 0 "$lockstack" reproduce nsu-28 --workloads vadd --out one
identity=$(json one/nsu-vadd-targets-full.json identity)
content=$(json one/nsu-vadd-targets-full.json result.content)                 # files that are as they were
mkdir stored
simulated() { # CYCLES NJ
  printf '{"cycles": %s, "result_ok": true, "lockstep": {"divergences": 0}, "energy": {"total_nj": %s}, ' "$1" "$2"
  printf '"settings": {"offload": {"pending_packets": 300, "ready_packets": 64}}, "parts": {"gpu": {"part": "gpu", "counters": {'
  printf '"stall_exec": 10, "stall_dependency": 50, "stall_idle": 40, "l2_hits": 45, "l2_misses": 55, '
  printf '"sent_bytes": {"READ": 500}, "got_bytes": {"INVAL": 10, "DATA": 490}}}, '
  printf '"nsu": {"part": "nsu", "counters": {"warp_cycles": 221, "warp_slots": 1000, "icache_lines": 237, "icache_room": 1000}}}}'
}
compiled() { # COUNT...: a kernel with blocks of so many instructions
  local blocks
  blocks=$(printf ', {"count": %s, "sent": [1], "returned": []}' "$@")
  printf '{"kernels": [{"blocks": [%s]}]}' "${blocks#, }"
}
runs 0 "$lockstack" reproduce nsu --dry-run
while read -r command; do
  workload=$(sed -nE 's/.*(run [a-z]+|kernels)[ /]([a-z]+).*/\2/p' <<<"$command")
  case $command in
    *--targets*) name=targets workload=bprop result='{"targets": {"most_percent": 14.5}}' ;;
    *' offload '*)
      name=compiler
      case $workload in
        bprop) result=$(compiled 29 23) ;; bfs) result=$(compiled 1 1 3) ;; bicg) result=$(compiled 4 4) ;; fwt) \
          result=$(compiled 16 4) ;;
        stn) result=$(compiled 15) ;; stcl) result=$(compiled 3 9 1 1) ;; vadd) result=$(compiled 4) ;; *) \
          result=$(compiled 3) ;;
      esac ;;
    *gpu.sms=72*) name=more result=$(simulated 990 1000) ;;                   # + 1.01 %: below 3 %
    *baseline*gpu.sms=128*) name=twice result=$(simulated 900 1000) ;;
    *gpu.sms=128*) name=twice-cache result=$(simulated 800 1000) ;;           # + 12.5 % for 11.6 %
    *ratio=0.15*) name=0.15 result=$(simulated 1000 1000) ;;
    *ratio=0.2*) name=0.2 result=$(simulated 1050 1000) ;;
    *ratio=0.4*) name=0.4 result=$(simulated 1100 1000) ;;
    *ratio=0.6*) name=0.6 result=$(simulated 1200 1000) ;;
    *ratio=0.8*) name=0.8 result=$(simulated 1500 1000) ;;
    *ratio=1*) name=naive result=$(simulated 2000 1000) ;;                    # - 50 % for - 52 %
    *clocks.nsu*) name=175MHz result=$(simulated 950 1000) ;;                 # + 5.26 % for 14.1 %: 0.923
    *dynamic_cache*) name=cache result=$(simulated 840 914) ;;                # + 19.05 % for 17.9 %, 8.6 % less energy
    *dynamic*) name=dyn result=$(simulated 870 925) ;;                        # + 14.94 % for 14.9 %
    *) name=base result=$(simulated 1000 1000) ;;
  esac
  arguments=$(printf ', "%s"' $command)
  printf '{"schema": "lockstack.reproduce.run/1", "identity": %s, "arguments": [%s], "result": %s}\n' "$identity" \
    "${arguments#, }" \
    "{\"content\": $content, ${result#\{}" \
    >"stored/nsu-$workload-$name-full.json"
done <<<"$out"
runs 0 "$lockstack" reproduce nsu --resume --out stored --json all.json
matches "$err" '^$' 'standard error: nothing is run'
equal "$(json all.json complete)" true 'whether it is the whole comparison'
for line in 'nsu-36: FWT, .* = 16 4 instructions; ours 16 4' '\*nsu-37: BFS, .* = 1 1 16 instructions; ours 1 1 3' \
  'nsu-28: .* <= 15 %; ours 14.50' \
  'nsu-05: all but KMN \(each\), .* < 3 %; ours 1.01' '\*nsu-04: KMN, .* = 25.7 %; ours 1.01' \
    'nsu-08: all \(each\), .* < 0 %; ours -50.00' \
  '\*nsu-09: KMN, .* = 63.6 %; ours -4.76' 'nsu-11: BPROP BICG STN STCL \(each\), .* < 0 %; ours -4.76' \
  '\*nsu-14: VADD, .* = -9 %; ours 20.69' 'nsu-41: STN, .* = 45 %; ours 45.00' \
    '\*nsu-26: all \(max\), .* = 1.42 %; ours 1.01'; do
  matches "$(tr -s ' \n' ' ' <<<"$out")" "$line" 'a line of the report'
done
matches "$out" ' mean +14\.94 +19\.05 +5\.26 +12\.50' 'the means of the dynamic ratio'
matches "$out" 'mean / paper +1\.000 +1\.010 +\*0\.923 +1\.008' 'their quotients'
matches "$(tr -s ' \n' ' ' <<<"$out")" '23 of 41 figures within 20 % of the paper.s .speed-ups as quotients, within 5 %.' 'the sum'
equal "$(awk 'length > 100' <<<"$out" | wc -l)" 0 'number of lines wider than 100 columns'
equal "$(json all.json 'figures.#')" 41 'figures'
matches "$(json all.json columns.0.column)" '72 SMs' 'a column of nothing published'
