# SPDX-License-Identifier: Apache-2.0
#
# The GPU as a Tesla V100 is as fast as measurements of one say, which docs/v100.md names:
# bandwidth of streams within 10 %, latencies of L1, L2 and memory within 15 %, power of a stream
# within 15 %. Simulated, so the same on any machine. The MPU paper's workloads run on it, right;
# bad settings are refused.
# timeout: 600
# shellcheck source=tests/system/lib.sh
source "$(dirname "$0")/../lib.sh"

v100() { # WORKLOAD OPTION...
  runs 0 "$lockstack" run v100 "$@" --json v.json
  equal "$(json v.json result_ok)" true "results of $*"
}
within() { # VALUE LEAST MOST WHAT
  checks=$((checks + 1))
  awk -v x="$1" -v a="$2" -v b="$3" 'BEGIN {exit !(x != "" && a <= x && x <= b)}' || wrong "$4 is $1, not $2 to $3"
}
of() { # EXPRESSION OF $ns, $nj: a number
  awk -v ns="$(json v.json time_ns)" -v nj="$(json v.json energy.total_nj)" "BEGIN {printf \"%.4f\", $1}"
}

# Bandwidth as STREAM counts it, by what the kernel has to move: 790 to 830 GB/s were measured.
n=4194304
for workload in vadd axpy; do
  v100 $workload --set workload.n=$n
  within "$(of "12 * $n / ns")" 711 913 "bandwidth of $workload, GB/s"
done
within "$(of 'nj / ns')" 111 151 'power of axpy, a stream of few instructions, W; measured 124 to 138'

# Cycles a load, of two runs that differ in the number of loads.
cycles() { # LINES STEPS
  v100 chase --set workload.lines="$1" --set workload.steps="$2"
  cycles=$(json v.json cycles)
}
latency() { # LINES STEPS MORE-STEPS
  local first
  cycles "$1" "$2"
  first=$cycles
  cycles "$1" "$3"
  latency=$(awk "BEGIN {printf \"%.2f\", ($cycles - $first) / ($3 - $2)}")
}
latency 256 256 2304 # 32 KB, the second time round and later
within "$latency" 23.8 32.2 'latency of L1, measured 28'
equal "$(json v.json parts.gpu.counters.l1_misses)" 256 'lines that L1 did not have'
latency 4096 4096 8192 # 512 KB
within "$latency" 164 222 'latency of L2, measured 193'
within "$latency" 188 254 'latency of L2, measured 221'
equal "$(json v.json parts.gpu.counters.l2_misses)" 4096 'lines that L2 did not have'
latency 131072 500 2500 # 16 MB, each line once
within "$latency" 391 529 'latency of memory, measured 460'
equal "$(json v.json parts.gpu.counters.l2_misses)" 2500 'lines that L2 did not have, all different'

# What makes it: with one slice a stack it has a quarter of that bandwidth, with one unit of each
# kind an SM a kernel of many additions is slower.
v100 vadd --set workload.n=400000 --set l2.slices=1
within "$(of "12 * 400000 / ns")" 100 400 'bandwidth of four slices, GB/s'
small=(--set workload.width=150 --set workload.height=100)
v100 conv "${small[@]}"
own=$(json v.json cycles)
v100 conv "${small[@]}" --set gpu.partitions=false
within "$(json v.json cycles)" $((own + 1)) 1000000 'cycles with one unit of each kind'

# The twelve workloads, and those with atomics, divergence, double precision.
for workload in "blur ${small[*]}" "conv ${small[*]}" 'gemv --set workload.rows=130 --set workload.columns=257' hist \
  'kmeans --set workload.points=5000' knn \
  ttrans maxp 'nw --set workload.rows=130 --set workload.columns=103' "upsamp ${small[*]}" axpy pr \
    'bfs --set workload.nodes=3001' \
  'bprop --set workload.points=1003' 'lulesh --set workload.edge=4' 'chase --set workload.lines=77'; do
  # shellcheck disable=SC2086
  v100 $workload
done

refused() { # REGEX OPTION...
  local regex=$1
  shift
  refuses 2 "$regex" "$lockstack" run v100 vadd "$@"
}
refused 'l2.slices must be 1, 2, 4, 8 or 16 a stack' --set l2.slices=3
refused 'gpu.schedulers' --set gpu.schedulers=5
refused 'vault.row_lines must be 1, 2, 4, 8, 16 or 32' --set vault.row_lines=3
refused 'map.bit is for map.mode=fixed' --set map.bit=9
refused 'l2.slices is for one die that offloads nothing and has no pages at the host; 1 would be right' \
  --set paging.demand=true --set map.mode=pages
refused 'system.energy' --set system.energy=a100
refuses 2 'gpu.threads must be 32 to 1536 where blocks are offloaded' "$lockstack" run nsu vadd --set gpu.threads=2048 \
  --set offload.ratio=1
