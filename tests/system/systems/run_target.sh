# SPDX-License-Identifier: Apache-2.0
#
# offload.target: which of a block's accesses say to which stack's NSU it goes. All of bprop's
# large blocks begin with a load from one array of 68 bytes. timeout: 600
source "$(dirname "$0")/../lib.sh"

run() { # TARGET RATIO
  runs 0 "$lockstack" run nsu bprop --set workload.points=4000 --set "offload.target=$1" --set "offload.ratio=$2" \
    --json "$1.json"
  equal "$(json "$1.json" result_ok) $(json "$1.json" settings.offload.target)" "true $1" "bprop, target $1, ratio $2"
}
cycles() { json "$1.json" cycles; }
looks() { json "$1.json" parts.gpu.counters.target_looks; }

for target in first first_miss most; do run $target 0.2; done
[ "$(cycles most)" -lt "$(($(cycles first) / 2))" ] || wrong "most: $(cycles most) cycles, first: $(cycles first)"
[ "$(cycles first_miss)" -lt "$(($(cycles first) * 3 / 4))" ] ||
  wrong "first_miss: $(cycles first_miss) cycles, first: $(cycles first)"
equal "$(looks first) $(looks most)" '0 0' 'only first_miss looks into L1'
[ "$(looks first_miss)" -gt 0 ] || wrong 'first_miss has not looked into L1'

# The same blocks go, whatever the target.
equal "$(json most.json blocks_offloaded)" "$(json first.json blocks_offloaded)" 'blocks offloaded with most and first'

# In lockstep, and with the smallest buffer, which a block without a target may fill.
for target in first_miss most; do
  runs 0 "$lockstack" run nsu kmn --set workload.points=500 --set offload.target=$target --set offload.ratio=0.7 \
    --set offload.pending_packets=256 \
    --engine 'nsu[0]=lockstep' --engine 'credits[0]=lockstep' --json a.json
  equal "$(json a.json result_ok) $(json a.json lockstep.divergences)" 'true 0' "kmn, target $target"
done

refuses 2 "offload.target: 'last' .*first.*first_miss.*most" "$lockstack" run nsu vadd --set offload.target=last
