#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# lockstack network with models: the reference's latencies and saturation, the same result twice,
# policies side by side.
# timeout: 900
# shellcheck disable=SC2016 source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"

# within SHARE GOT WANTED WHAT: a number near another
within() {
  checks=$((checks + 1))
  awk -v s="$1" -v a="$2" -v b="$3" 'BEGIN {d = a - b; if (d < 0) d = -d; exit !(a != "" && d <= s * b)}' ||
    wrong "$4 is $2, not within $1 of $3"
}

below() { # A B WHAT
  checks=$((checks + 1))
  awk -v a="$1" -v b="$2" 'BEGIN {exit !(a != "" && b != "" && a < b)}' || wrong "$3: $1 is not below $2"
}

latency() { # WANTED OPTIONS...: within 2 %
  local wanted=$1
  shift
  runs 0 "$lockstack" network "$@" --json point.json
  within 0.02 "$(json point.json latency.mean)" "$wanted" "latency of $*"
  equal "$(json point.json stable)" true "stable, $*"
}

# BookSim2's figures for the same network
latency 14.58 --topology hypercube:3 --rate 0.01 --cycles 60000
latency 15.09 --topology hypercube:3 --rate 0.3
latency 16.39 --topology hypercube:3 --rate 0.5
latency 37.01 --topology mesh:8x8 --rate 0.2 --cycles 6000
runs 0 "$lockstack" network --topology hypercube:3 --rate 0.3,0.7 --json sweep.json
within 0.03 "$(json sweep.json saturation)" 0.637 'saturation'
within 0.03 "$(json sweep.json stable_rate)" 0.637 'highest stable rate'
equal "$(json sweep.json points.0.stable) $(json sweep.json points.1.stable)" 'true false' 'stability below and above'

# Rings and tori (Dally and Towles, Principles and Practices of Interconnection Networks, chapter 5): a
# mean way has k/4 links for each dimension of k routers, or k/4 - 1/(4k) if k is odd; a router takes
# 5 cycles, the last one 7. Ring and torus cannot be stable beyond 8/k flits, what the links
# between two halves carry.
latency 27 --topology torus:8x8 --rate 0.01 --cycles 10000
within 0.02 "$(json point.json routers_passed)" 5 'routers on ways of torus:8x8'
latency 18.11 --topology ring:9 --rate 0.01 --cycles 60000
latency 21.57 --topology torus:5x7 --rate 0.01 --cycles 20000
latency 9.5 --topology ring:2 --rate 0.01 --cycles 100000
runs 0 "$lockstack" network --topology ring:16 --vcs 8 --rate 0.1,0.3 --cycles 3000 --json sweep.json
below "$(json sweep.json stable_rate)" 0.5 'stable rate of ring:16 and its bisection'
below 0.35 "$(json sweep.json stable_rate)" 'stable rate of ring:16 is not far below its bisection'

# A ring of a file, and full load on two VCs, which without its dateline would be a deadlock.
{
  printf 'routers: [a, b, c, d, e]\nlinks: [{a: a, b: b}, {a: b, b: c}, {a: c, b: d}, {a: d, b: e}, '
  printf '{a: e, b: a, dateline: true}]\nterminals: [{router: a}, {router: b}, {router: c}, {router: d}, {router: e}]\n'
} >ring.yaml
runs 0 "$lockstack" network --topology ring.yaml --rate 1 --packet 9 --depth 2 --cycles 20000 --json ring.json
runs 0 "$lockstack" network --topology torus:2x6 --rate 1 --packet 9 --depth 2 --classes 2 --cycles 20000 --json ring.json
matches "$(json ring.json params)" 'NumVCs=4,.*KeepVC=1' 'VCs that a ring needs'

# Three links between two routers share what goes over them: each carries a third, within a sixth.
{
  printf 'routers: [A, B]\nlinks: [{a: A, b: B}, {a: A, b: B}, {a: A, b: B}]\n'
  printf 'terminals: [{router: A, count: 4}, {router: B, count: 4}]\n'
} >parallel.yaml
runs 0 "$lockstack" network --topology parallel.yaml --rate 0.5 --cycles 10000 --json parallel.json
for link in 0 1 2 3 4 5; do
  within 0.167 "$(json parallel.json links.$link.flit_rate)" 0.333 "load of parallel link $link"
done

# The same inputs, the same result.
runs 0 "$lockstack" network --topology mesh:4x4 --rate 0.25 --packet 1-5 --vcs 4 --classes 2 --seed 7 --cycles 5000 \
  --json a.json
runs 0 "$lockstack" network --topology mesh:4x4 --rate 0.25 --packet 1-5 --vcs 4 --classes 2 --seed 7 --cycles 5000 \
  --json b.json
equal "$(grep -v cpu_second a.json)" "$(grep -v cpu_second b.json)" 'the same run twice'
runs 0 "$lockstack" network --topology mesh:4x4 --rate 0.25 --packet 1-5 --vcs 4 --classes 2 --seed 8 --cycles 5000 \
  --json b.json
checks=$((checks + 1))
[ "$(json a.json latency.mean)" != "$(json b.json latency.mean)" ] || wrong 'another seed gives the same latency'

# Every policy, stage count, topology and pattern runs.
for stages in 2 3; do runs 0 "$lockstack" network --topology mesh:4x4 --rate 0.1 --stages $stages --cycles 2000; done
runs 0 "$lockstack" network --topology hypercube:4 --pattern bitcomp --rate 0.1 --cycles 2000
runs 0 "$lockstack" network --topology mesh:4x4 --pattern transpose --rate 0.1 --cycles 2000
runs 0 "$lockstack" network --topology tree:3x2 --pattern hotspot --hotspot 2:0.5 --rate 0.05 --cycles 2000
runs 0 "$lockstack" network --topology "$source/harness/systems/network/examples/dumbbell.yaml" --rate 0.1 --cycles 2000
matches "$out" 'dumbbell.yaml: 6 routers, 8 terminals' 'a topology from a file'
runs 0 "$lockstack" network --topology tree --rate 0.1 --policy crit+tr+w --epoch 1000 --set Penalty=100 --cycles 2000

# Flits that wait for narrow links are stalls: links that carry traffic are not left at W/8, and
# the network keeps up.
runs 0 "$lockstack" network --topology tree --pattern tree-saturation --rate 0.14 --policy crit+tr+w --epoch 5000 \
  --set Penalty=200 \
  --warm-up 200000 --cycles 100000 --json widths.json
matches "$out" '2 VCs of 8 flits of 64 bits, output FIFOs of 8,' 'FIFOs beside the VC budget'
within 0.01 "$(json widths.json accepted)" 0.14 'accepted with link widths'

# On the tree at 90 % of what base accepts: crit is better on critical pairs, crit+tr for packets
# that are not divergent.
runs 0 "$lockstack" network --topology tree --pattern tree-saturation --rate 90% --epoch 5000 --cycles 60000 \
  --compare base,crit,crit+tr --json compare.json
equal "$(json compare.json policies.0.policy) $(json compare.json policies.2.policy)" 'base crit+tr' 'policies'
below "$(json compare.json policies.1.latency_critical.mean)" \
  "$(json compare.json policies.0.latency_critical.mean)" 'crit on critical pairs'
below "$(json compare.json policies.2.latency_critical.mean)" \
  "$(json compare.json policies.0.latency_critical.mean)" 'crit+tr on critical pairs'
below "$(json compare.json policies.2.latency_nondivergent.mean)" \
  "$(json compare.json policies.0.latency_nondivergent.mean)" \
  'crit+tr, not divergent'
matches "$(json compare.json policies.1.critical_paths.0.path)" '-> M0 ->' 'the hottest path'

# Pairs of another run.
runs 0 "$lockstack" network --topology tree --pattern tree-saturation --rate 0.14 --policy crit --epoch 5000 \
  --cycles 20000 --json crit.json
runs 0 "$lockstack" network --topology tree --pattern tree-saturation --rate 0.14 --cycles 20000 --critical crit.json \
  --json base.json
below 0 "$(json base.json latency_critical.packets)" 'packets by the critical pairs of another run'

# Ctrl-C reports what is known. Progress says that the run is going.
"$lockstack" network --topology mesh:8x8 --rate 0.2 --cycles 10000000 --json stopped.json >stopped.txt 2>stopped.err &
pid=$!
for _ in {1..300}; do
  ! grep -q router-cycles stopped.err || break
  sleep 0.1
done
kill -INT $pid
wait $pid
equal $? 3 'exit status when interrupted'
matches "$(cat stopped.txt)" 'latency +mean' 'the report when interrupted'
equal "$(json stopped.json interrupted)" true 'JSON when interrupted'

# Pictures.
runs 0 "$lockstack" network --topology hypercube:3 --rate 0.1,0.5,0.7 --cycles 3000 --out pictures
matches "$out" 'mean latency, cycles' 'the curve as text'
runs 0 "$lockstack" network --topology tree --rate 0.15 --compare base,crit --epoch 2000 --cycles 4000 --out pictures
for name in curve heat heat-load heat-base heat-crit heat-crit-load; do
  matches "$(head -c 4 "pictures/$name.png" 2>&1 | tail -c 3)" PNG "pictures/$name.png"
  matches "$(head -n 2 "pictures/$name.svg" 2>&1)" svg "pictures/$name.svg"
  equal "$(head -c 4 "pictures/$name.pdf" 2>&1)" %PDF "pictures/$name.pdf"
done
# The curve has the runs of the search: near to saturation they are close together. Each link is a
# row.
runs 0 "$lockstack" network --topology hypercube:3 --rate 0.1,0.5,0.7 --cycles 3000 --out pictures --json sweep.json
equal "$(head -n 1 pictures/curve.csv)" 'policy,offered,latency_mean,latency_p99,accepted,stable,run' \
  'the head of the curve'
checks=$((checks + 1))
awk -F, '$6 == 1 && $2 > low {low = $2} $6 == 0 && (!high || $2 < high) {high = $2} END {exit !(high > low && high - low < 0.02 * high)}' pictures/curve.csv ||
  wrong "stable and unstable loads are far apart: $(cat pictures/curve.csv)"
equal "$(wc -l <pictures/heat.csv)" 25 'a head and 24 links'
