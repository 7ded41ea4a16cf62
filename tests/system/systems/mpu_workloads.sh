# SPDX-License-Identifier: Apache-2.0
# timeout: 600
#
# Every workload of the MPU paper, Table I on a small MPU, at odd sizes, varying one thing at a
# time from the paper's: four policies, all logic on the base die, shared memory on the base die,
# row-buffers, networks. Memory is right each time, and what should differ does.
source "$(dirname "$0")/../lib.sh"

small=(mpu.cubes_x=1 mpu.cubes_y=1 mpu.cores_x=2 mpu.cores_y=2)
cases=(
  "axpy n=3001 block=96" "gemv rows=37 columns=61" "pr n=5003 log2block=6 blocks=9"
  "ttrans nx=17 ny=9 nz=11 order=4" "hist n=7001 levels=100 blocks=6"
  "nw rows=40 columns=33 pairs=2" "blur width=67 height=19" "conv width=33 height=9 inputs=2 outputs=3 block=64"
  "kmeans points=301 features=5 clusters=3 block=96"
  "knn records=2003 nearest=3 blocks=5" "maxp width=29 height=17 channels=3 window=3 stride=2" \
    "upsamp width=37 height=11 block=64"
  "blur_tiles tiles=7 blocks=3" "conv_tiles tiles=5" "ttrans_tiles tiles=9 blocks=4" "upsamp_tiles tiles=3" \
    "maxp_planes n=1003 block=64 blocks=7"
  "gemv_segments rows=21 segments=3 blocks=2"
  "hist_words n=5003 blocks=7" "kmeans_resident points=1001 blocks=3" "nw_rows pairs=37 blocks=5"
)
variations=("" "mpu.policy=default" "mpu.policy=near" "mpu.policy=far" "mpu.ponb=true" "smem.near=false" \
  "dram.row_buffers=1" "dram.row_buffers=2"
  "mpu.core_bytes=4096" "mpu.blocks_to=address" "mpu.unit_bytes=32")

# run_case NAME.json SETTINGS...: the workload of $case
run_case() {
  local file=$1 workload parameters parameter set=()
  shift
  read -r workload parameters <<<"$case"
  for parameter in $parameters; do set+=(--set "workload.$parameter"); done
  for parameter in "$@"; do [ -z "$parameter" ] || set+=(--set "$parameter"); done
  for parameter in "${small[@]}"; do [[ " $*" == *" ${parameter%=*}="* ]] || set+=(--set "$parameter"); done
  runs 0 "$lockstack" run mpu "$workload" "${set[@]}" --json "$file"
  equal "$(json "$file" result_ok)" true "$case with $*"
}

for case in "${cases[@]}"; do
  for variation in "${variations[@]}"; do run_case "${case%% *}$variation.json" "$variation"; done
done
less() {
  checks=$((checks + 1))
  (($1 < $2)) || wrong "$3: $1 is not less than $2"
}
for workload in axpy kmeans; do
  less "$(json ${workload}mpu.policy=far.json near_instructions)" \
    "$(json $workload.json near_instructions)" "$workload: near instructions when all are far"
  less "$(json $workload.json near_instructions)" "$(json ${workload}mpu.policy=near.json near_instructions)" \
    "$workload: the same when all are near"
done
equal "$(json axpympu.ponb=true.json global.offloaded)" 0 'offloaded accesses with all logic on the base die'
less 0 "$(json axpy.json global.offloaded)" 'offloaded accesses'
less "$(json hist.json cycles)" "$(json histsmem.near=false.json cycles)" 'cycles of hist with shared memory near, far'
equal "$(json blur.json warp_instructions)" "$(json blurdram.row_buffers=1.json warp_instructions)" \
  'instructions with one row-buffer'
equal "$(json axpy.json tsv.up.RDR)" "$(json axpydram.row_buffers=1.json tsv.up.RDR)" 'beats of data'
# By reason: beats by use are all beats, fates of accesses are all accesses; without near-bank
# units there is one fate and no row that is taken back down.
total() { awk "BEGIN{print 0$(for key in "${@:2}"; do printf '+%s' "$(json "$1" "$key" | tr -d '{}\n ' |
  sed 's/"[a-z_]*"://g; s/,/+/g')"; done)}"; }
for file in blur.json kmeans.json nwmpu.policy=near.json upsampmpu.ponb=true.json; do
  equal "$(total $file tsv.uses_down tsv.uses_up)" "$(json $file tsv.beats)" "$file: beats by use"
  equal "$(total $file global.loads global.stores)" "$(json $file global.accesses)" "$file: accesses by fate"
done
equal "$(json blurmpu.ponb=true.json global.loads.base_die)" \
  "$(($(json blur.json global.accesses) - $(total blur.json global.stores)))" 'loads of PonB'
case="ttrans_tiles tiles=32 blocks=32" # whole rounds of the cores, by both maps
for map in "" "mpu.core_bytes=4096 mpu.blocks_to=address dram.turn_bits=0"; do
  run_case local.json $map
  equal "$(json local.json global.offloaded_share) $(json local.json network.requests)" '1.0 0' \
    "accesses that are offloaded, and requests, in tiles ($map)"
done

case="axpy n=32768" # arrays of four rows a unit: x and y share banks
for buffers in 1 4; do run_case buffers$buffers.json dram.row_buffers=$buffers; done
less "$(json buffers4.json dram.row_conflicts)" "$(json buffers1.json dram.row_conflicts)" \
  'row conflicts with four row-buffers, one'
less "$(json buffers4.json cycles)" "$(json buffers1.json cycles)" 'cycles of the same'

# Other machines: one core, processors in a row, the smallest of everything; the same memory.
case="pr n=2003 log2block=5 blocks=11"
run_case wide.json mpu.cubes_x=4 network.cube_interval=1 network.depth=8
run_case narrow.json mpu.cubes_x=4 network.cube_interval=8 network.depth=8
less "$(json wide.json cycles)" "$(json narrow.json cycles)" 'cycles with wide links between processors, narrow'
run_case batch.json mpu.batches=false mpu.blocks=2
run_case one.json mpu.cores_x=1 mpu.cores_y=1
equal "$(json one.json network.requests)" 0 'requests to itself'
run_case row.json mpu.cubes_x=4 mpu.cores_x=1 mpu.cores_y=1
less 0 "$(json row.json network.link_flits_between_processors)" 'flits between processors'
equal "$(json row.json network.link_flits_on_chip)" 0 'flits on chips of one core'
run_case least.json mpu.warps=1 mpu.blocks=1 mpu.exe_queue=1 tsv.beats=1 \
  dram.queue=8 dram.column_bits=0 dram.turn_bits=0 dram.banks=1 dram.row_buffers=1 network.vcs=1 network.depth=1 \
  mpu.collect_latency=0 mpu.alu_latency=1
run_case most.json mpu.warps=16 dram.queue=64 dram.row_buffers=8 \
  network.vcs=4 network.depth=64 network.mesh_latency=60 network.cube_latency=60 mpu.blocks=64 \
  dram.refresh=false
less "$(json most.json dram.refreshes)" 1 'refreshes when they are off'
for case in "axpy n=1" "pr n=1 log2block=0" "gemv rows=1 columns=1 log2block=0" "nw rows=1 columns=1 pairs=1" \
  "knn records=1 nearest=1" "hist n=1 levels=1"; do
  run_case least.json
done

# Instruction caches: the same memory; each core reads its own copy, or all read one; a cache of
# one line has to ask again and again.
case="hist n=7001 levels=100 blocks=6"
run_case own.json l1i.ideal=false
run_case once.json l1i.ideal=false l1i.copies=false
run_case line.json l1i.ideal=false l1i.bytes=128 l1i.ways=1 l1i.mshrs=1
fetched=$(($(json own.json l1i.hits) + $(json own.json l1i.misses) + $(json own.json l1i.merges)))
equal "$fetched" "$(json own.json warp_instructions)" 'instructions that were looked up'
equal "$(json hist.json l1i.misses)" 0 'misses of ideal instruction caches'
equal "$(json own.json tsv.uses_up.fetches)" "$((20 * $(json own.json l1i.misses)))" \
  'beats up: four transfers of five a miss'
equal "$(json own.json network.requests)" "$(json hist.json network.requests)" \
  'requests to other cores with a copy of the instructions in each'
less "$(json own.json network.requests)" "$(json once.json network.requests)" 'the same, with one for all'
less "$(json own.json l1i.misses)" "$(json line.json l1i.misses)" 'misses of 128 KB, of a line'
less "$(json hist.json cycles)" "$(json own.json cycles)" 'cycles with ideal instruction caches'

# Energy: every beat of 64 bits at 4.53 pJ a bit, every transfer of DRAM at 0.15 nJ (MPU paper,
# Table II)
round() { awk "BEGIN{printf \"%.5g\", $1}"; }
equal "$(round "$(json axpy.json energy.components.tsv.nj)")" \
  "$(round "$(json axpy.json tsv.beats) * 0.28992")" 'energy of the TSVs'
transfers=$(($(json axpy.json dram.reads) + $(json axpy.json dram.writes)))
equal "$(round "$(json axpy.json energy.events.4.nj)")" "$(round "$transfers * 0.15")" 'energy of DRAM transfers'
