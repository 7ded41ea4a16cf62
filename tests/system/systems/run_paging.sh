# SPDX-License-Identifier: Apache-2.0
#
# Pages that come from the host at their first access, while blocks are offloaded: results are
# right, and pages wait for writes of NSUs to their stack. timeout: 600
source "$(dirname "$0")/../lib.sh"

counter() { json a.json "parts.gpu.counters.$1"; }

# Each page comes once, whatever is offloaded, with NSUs in lockstep, with tiny queues, and as fast
# as nothing.
for run in 'baseline vadd' 'nsu vadd --set offload.ratio=0.4' \
  'nsu vadd --set offload.ratio=1 --engine nsu[0]=lockstep' \
  'nsu vadd --set offload.ratio=1 --set xbar.in_queue=1 --set gpu.link_queue=1 --set l1.mshrs=1 --set l2.mshrs=1' \
  'nsu vadd --set offload.ratio=1 --set paging.latency=1 --set paging.interval=1'; do
  read -ra words <<<"$run"
  runs 0 "$lockstack" run "${words[@]}" --set workload.n=20011 --set paging.demand=true --json a.json
  equal "$(json a.json result_ok) $(json a.json lockstep.divergences) $(counter pages_in)" 'true 0 60' \
    "$run: right, 3 arrays of 20 pages"
  [ "$(counter page_wait_cycles)" -gt "$((60 * 33))" ] || wrong "$run: pages are there before their lines were sent"
done

# Under load: pages stall, for as long as NSUs write to their stacks, and no cycle without NSUs.
runs 0 "$lockstack" run nsu stn --set workload.nz=8 --set offload.ratio=1 --set paging.demand=true --json a.json
equal "$(json a.json result_ok)" true 'stn with pages that come'
[ "$(counter page_stall_cycles)" -gt 0 ] || wrong 'no page has waited for a write of an NSU'
runs 0 "$lockstack" run nsu stn --set workload.nz=8 --set offload.ratio=0 --set paging.demand=true --json a.json
equal "$(json a.json result_ok) $(counter page_stall_cycles)" 'true 0' 'stn without blocks'

# Indirect accesses, atomics, several launches, dynamic decisions.
for run in 'nsu bfs --set workload.nodes=3000 --set offload.ratio=0.6' 'nsu hist --set offload.ratio=1' \
  'nsu kmn --set workload.points=500 --set offload.policy=dynamic_cache --set ratio.epoch_cycles=1000'; do
  read -ra words <<<"$run"
  runs 0 "$lockstack" run "${words[@]}" --set paging.demand=true --set paging.latency=700 --set paging.interval=10 \
    --json a.json
  equal "$(json a.json result_ok)" true "$run"
done

refuses 2 'paging.latency' "$lockstack" run nsu vadd --set paging.latency=0
