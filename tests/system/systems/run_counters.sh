# SPDX-License-Identifier: Apache-2.0
#
# What `run --json` says of stalls, caches, RDFs, blocks and NSUs: against counts by hand, and
# against each other where two parts count the same thing.
source "$(dirname "$0")/../lib.sh"

of() { json a.json "$1"; }
counter() { json a.json "parts.$1.counters.$2"; }
run() { runs 0 "$lockstack" run "$@" --json a.json; equal "$(of result_ok)" true "result of $*"; }

# Each slot issues or has a reason why not.
slots() {
  local sum=$(($(of warp_instructions) + $(counter gpu nsu_skipped) + $(of \
    stalls.exec_busy) + $(of stalls.dependency) + $(of stalls.warp_idle)))
  equal "$(of stalls.issue_slots)" $sum "issue slots of $1"
}

# Both ends of a path count what goes over it.
paths() {
  local blocks rdf credits
  blocks=$(of blocks_offloaded)
  equal "$(counter nsu blocks)" "$blocks" "$1: blocks that NSUs acknowledged"
  equal "$(counter gpu got_packets.OFLD_ACK)" "$blocks" "$1: acknowledgements"
  equal "$(of rdf.memory)" "$(counter gpu sent_packets.RDF)" "$1: RDFs over the links"
  rdf=$(counter gpu sent_packets.RDF_RESP)
  equal "$(($(of rdf.l1) + $(of rdf.l2)))" "$rdf" "$1: RDFs that caches answered"
  equal "$(of caches.l2.misses)" "$(counter gpu sent_packets.READ)" "$1: L2 misses"
  equal "$(($(of caches.l2.hits) + $(of caches.l2.misses) + $(of caches.l2.merges)))" \
    "$(($(of caches.l1.misses) + $(of caches.l1i.misses)))" \
    "$1: what L1s miss, L2 looks up"
  checks=$((checks + 1)) credits=$(of ndp.credit_packets)
  [ "$blocks" -lt 100 ] || [ $((10 * credits)) -le $((12 * blocks)) ] ||
    wrong "$1: $credits CREDIT packets for $blocks blocks"
}

# vadd of 4,099 elements: 129 warps, the last with three threads; each loads two lines and stores
# one, whole arrays from the start of a line.
warps=129
run nsu vadd --set workload.n=4099 --set offload.ratio=1
slots vadd
paths vadd
equal "$(of blocks_offloaded)" $warps 'blocks of vadd'
equal "$(of rdf.memory)" $((2 * warps)) 'RDFs of vadd'
equal "$(of rdf.l1) $(of rdf.l2) $(of caches.l1.misses)" '0 0 0' 'hits of vadd, which has none'
equal "$(of nsu.instructions)" $((6 * warps)) 'instructions of vadd on NSUs: BEG, two LD, FADD, ST, END'
equal "$(of caches.constant.hits) $(of caches.constant.misses)" '0 0' 'constants of vadd, which has none'
run nsu vadd --set workload.n=4099 --set offload.ratio=0
slots 'vadd, kept'
paths 'vadd, kept'
equal "$(of caches.l1.misses) $(of caches.l2.misses) $(of dram.reads)" \
  "$((2 * warps)) $((2 * warps)) $((2 * warps))" 'lines of vadd'
equal "$(of nsu.instructions) $(of ndp.credit_packets) $(of nsu.cycles_per_block) $(of ndp.cycles_per_block)" \
  '0 0 0.0 0.0' 'NSUs of vadd, kept'

# saxpy's factor is a constant of the NSU: one look-up a block that finds it; one that misses
# issues again. It has an instruction more.
run nsu saxpy --set workload.n=4099 --set offload.ratio=1
slots saxpy
paths saxpy
equal "$(of caches.constant.hits)" $warps 'constants of saxpy'
equal "$(of nsu.instructions)" $((7 * warps + $(of caches.constant.misses))) 'instructions of saxpy on NSUs'

# An instruction cache looks up each instruction that issues, those that are left to NSUs too. 22
# PTX instructions of vadd are in two lines.
fetches() {
  local all=$(($(of caches.l1i.hits) + $(of caches.l1i.misses) + $(of caches.l1i.merges)))
  equal $all $(($(of warp_instructions) + $(counter gpu nsu_skipped))) "fetches of $1"
}
equal "$(of caches.l1i.hits) $(of caches.l1i.misses) $(of caches.l1i.merges)" '0 0 0' \
  'fetches with ideal instruction caches'
for ratio in 0 1; do
  run nsu vadd --set workload.n=4099 --set offload.ratio=$ratio --set l1i.ideal=false --set gpu.sms=1
  slots "vadd at ratio $ratio with an instruction cache"
  paths "vadd at ratio $ratio with an instruction cache"
  fetches "vadd at ratio $ratio"
  equal "$(of caches.l1i.misses)" 2 "lines of vadd's instructions"
done
run nsu stn --set workload.nx=64 --set workload.ny=9 --set workload.nz=5 --set offload.ratio=0.5 --set l1i.ideal=false \
  --set l1i.bytes=128 \
  --set l1i.ways=1 --set l1i.mshrs=1
slots 'stn with one line of instruction cache'
paths 'stn with one line of instruction cache'
fetches stn

# Blocks that meet caches, several words and divergent loads; both schedulers.
for line in 'stn offload.ratio=1 workload.nx=64 workload.ny=20 workload.nz=12' \
  'csr offload.ratio=0.5 workload.rows=700 gpu.scheduler=lrr' \
  'kmn offload.ratio=0.7 workload.points=1000' \
    'fwt offload.ratio=0.3 workload.log2n=14 workload.log2kernel=9 gpu.schedulers=1'; do
  set=()
  for value in ${line#* }; do set+=(--set "$value"); done
  run nsu "${line%% *}" "${set[@]}"
  slots "$line"
  paths "$line"
done
checks=$((checks + 1))
[ "$(of blocks_offloaded)" -gt 0 ] || wrong 'fwt offloads nothing'

run baseline vadd --set workload.n=4099
slots baseline
equal "$(of caches.l1.misses)" $((2 * warps)) 'lines of the baseline'
runs 1 "$build/tests/json_get" a.json ndp
