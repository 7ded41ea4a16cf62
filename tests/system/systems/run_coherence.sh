# SPDX-License-Identifier: Apache-2.0
# timeout: 300
#
# Near-data units overwrite lines that the GPU has just cached, and the GPU's next loads are stored
# back (coherence.cu): a stale copy anywhere makes the result wrong. Also arrays that several
# launches rewrite while L2 still holds them (fwt).
source "$(dirname "$0")/../lib.sh"

ptx=$source/tests/system/programs/coherence.ptx
for case in "1 n=4096" "0.5 n=4099" "0.3 n=20011 block=1000" "1 n=777 block=96" "0.7 n=9000 block=512"; do
  read -r ratio rest <<<"$case"
  set=()
  for parameter in $rest; do set+=(--set "workload.$parameter"); done
  for seed in 1 2; do
    runs 0 "$lockstack" run nsu vadd --ptx "$ptx" "${set[@]}" --seed $seed --set gpu.sms=8 \
      --set offload.ratio="$ratio" --json a.json
    equal "$(json a.json result_ok)" true "coherence, $case, seed $seed"
    checks=$((checks + 1))
    [ "$(json a.json traffic_bytes.memory_to_gpu.INVAL)" -gt 0 ] || wrong "no invalidation was sent: $case"
    [ "$(json a.json blocks_offloaded)" -gt 0 ] || wrong "no block was offloaded: $case"
  done
done
for ratio in 0.2 0.5 0.8; do
  runs 0 "$lockstack" run nsu fwt --set workload.log2n=13 --set gpu.sms=8 --set offload.ratio=$ratio
done

# Lines on their way to a cache when an invalidation comes for them (killed_fill.cu): neither cache
# keeps them. Results do not show it, since what an SM reads next is not older than the answer that
# the invalidation met.
for seed in 1 2; do
  runs 0 "$lockstack" run nsu vadd --ptx "$source/tests/system/programs/killed_fill.ptx" --set workload.n=4099 --seed $seed \
    --set gpu.sms=8 \
    --set offload.ratio=0.5 --json a.json
  equal "$(json a.json result_ok)" true "killed fills, seed $seed"
  for cache in l1 l2; do
    checks=$((checks + 1))
    [ "$(json a.json fills_killed.$cache)" -gt 0 ] ||
      wrong "no invalidation met a line on its way to $cache, seed $seed"
  done
done

# Requests stand in long queues before one miss register, and packets of offloaded blocks pass
# them: of another warp behind a barrier (coherence.cu), of the same thread (overtaken.cu).
queues='xbar.in_queue=64 xbar.out_queue=1 gpu.link_queue=1 l1.mshrs=64 l2.mshrs=1 l2.merges=1'
for kernel in coherence overtaken; do
  for case in "0.3 n=20011" "0.5 n=9000" "0.7 n=9000"; do
    set=(--set offload.ratio="${case%% *}" --set workload."${case#* }" --set gpu.sms=16)
    for value in $queues; do set+=(--set "$value"); done
    runs 0 "$lockstack" run nsu vadd --ptx "$source/tests/system/programs/$kernel.ptx" "${set[@]}" --json a.json
    equal "$(json a.json result_ok)" true "$kernel with long queues, $case"
    checks=$((checks + 1))
    [ "$(json a.json blocks_offloaded)" -gt 0 ] || wrong "no block was offloaded: $case"
  done
done
