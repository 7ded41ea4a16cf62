# SPDX-License-Identifier: Apache-2.0
# timeout: 600
#
# Every workload, at odd and tiny sizes, on the baseline, with every block offloaded, and with
# some: memory is right each time.
source "$(dirname "$0")/../lib.sh"

cases=(
  "vadd n=4099" "vadd n=1" "vadd n=33 block=1" "vadd n=1000 block=1000"
  "saxpy n=4099 block=96" "saxpy n=31"
  "sp vectors=7 n=501" "sp vectors=3 n=0" "sp vectors=2 n=100 log2block=8" "sp vectors=1 n=65 log2block=0"
  "kmn points=301 features=9 clusters=3" "kmn points=1 features=1 clusters=1" "kmn points=40 features=0 clusters=2"
  "bicg rows=37 columns=61" "bicg rows=1 columns=1"
  "csr rows=301 columns=77 most=9" "csr rows=40 columns=3 most=0" "csr rows=1 columns=1"
  "stn nx=37 ny=9 nz=5" "stn nx=3 ny=3 nz=3" "stn nx=66 ny=5 nz=3" "stn nx=1025 ny=4 nz=3"
  "fwt log2n=9 log2kernel=4" "fwt log2n=2" "fwt log2n=3 log2kernel=0" "fwt log2n=12 block=160" "fwt log2n=15"
  "bfs nodes=3001 block=96" "bfs nodes=1" "bfs nodes=300 edges=2" "bfs nodes=40 edges=33"
  "minife nx=5 ny=9 nz=7 iterations=3" "minife nx=1 ny=1 nz=1 iterations=1" "minife nx=33 ny=1 nz=2 block=96"
  "stcl points=301 dims=5 candidates=5" "stcl points=1 dims=0" \
    "stcl points=40 dims=300 centres=64 candidates=2 block=33"
  "bprop points=1000" "bprop points=1"
  "axpy n=5003 block=96 blocks=7" "axpy n=1"
  "pr n=5003 log2block=6 blocks=5" "pr n=1" "pr n=70 log2block=0 blocks=40"
  "gemv rows=37 columns=301 log2block=6" "gemv rows=1 columns=1 log2block=0"
  "ttrans nx=67 ny=5 nz=35" "ttrans nx=1 ny=1 nz=1" "ttrans nx=33 ny=40 nz=2 order=0" "ttrans nx=9 ny=33 nz=34 order=1"
  "ttrans nx=35 ny=2 nz=37 order=2" "ttrans nx=40 ny=3 nz=34 order=4" "ttrans nx=3 ny=65 nz=2 order=5"
  "hist n=5003 blocks=5" "hist n=3" "hist n=70003 blocks=1 levels=1" "hist n=70002 blocks=2 levels=3"
  "nw rows=37 columns=50" "nw rows=1 columns=1 pairs=1" "nw rows=5 columns=49 pairs=3 penalty=0" \
    "nw rows=65 columns=16 penalty=3"
  "blur width=1 height=1" "blur width=301 height=5" "blur width=65 height=7 block=33" "blur width=3 height=9 block=1"
  "conv width=1 height=1 inputs=1 outputs=1" "conv width=301 height=3 inputs=2 outputs=5" \
    "conv width=20 height=3 inputs=0 outputs=2"
  "conv width=33 height=7 inputs=3 outputs=9 block=7" "conv width=9 height=1 inputs=5 outputs=3 block=1"
  "kmeans points=301 features=9 clusters=17" "kmeans points=1 features=1 clusters=1" \
    "kmeans points=40 features=0 clusters=2"
  "kmeans points=40 features=3 clusters=0" "kmeans points=100 features=130 clusters=9 block=33"
  "knn records=4099 nearest=37" "knn records=1" "knn records=600 nearest=1024 block=33 blocks=2"
  "maxp width=37 height=9 channels=3" "maxp width=1 height=1 channels=1" \
    "maxp width=9 height=8 channels=300 window=2 stride=3"
  "maxp width=31 height=17 channels=5 window=3 block=33" "maxp width=11 height=10 channels=2 window=20 stride=1"
  "sp32 vectors=7 n=501" "sp32 vectors=3 n=0" "sp32 vectors=2 n=100 log2block=5" "sp32 vectors=1 n=65 log2block=0"
  "fwt32 log2n=9 log2kernel=4" "fwt32 log2n=2" "fwt32 log2n=12 block=160" "fwt32 log2n=15"
  "km points=301 features=9 clusters=3" "km points=1 features=1 clusters=1" \
    "km points=40 features=0 clusters=2 block=33"
  "rd n=5003 blocks=5" "rd n=1" "rd n=257" "rd n=70001 blocks=300" "bp points=1000" "bp points=1"
  "lib paths=301 steps=3 rates=9 block=96" "lib paths=1 steps=0 rates=1" "lib paths=77 steps=5 rates=3 options=0" \
    "lib paths=33 steps=20 rates=13"
  "ray width=65 height=49 depth=5" "ray width=1 height=1" "ray width=17 height=9 spheres=0" \
    "ray width=33 height=7 depth=0"
  "cfd cells=1" "cfd cells=97 block=33" "cfd cells=1000 iterations=1" "cfd cells=6 iterations=5 block=512" \
    "cfd cells=1000 iterations=1 window=80"
  "hw points=1 side=1 frames=1 template=0 search=0" "hw points=3 side=9 template=2 search=3 block=1" \
    "hw points=2 template=1 search=0 side=5"
  "hw points=2 side=40 frames=12 template=3 search=5 block=33" \
    "hw points=5 side=64 template=9 search=4 move=0 block=500"
  "bfs32 nodes=3001 block=96" "bfs32 nodes=1" "bfs32 nodes=300 edges=2" "bfs32 nodes=40 edges=33"
  "nn records=4099 places=3" "nn records=1 nearest=3" "nn records=600 block=33 nearest=1024"
  "pf columns=3001 rows=33" "pf columns=1 rows=2" "pf columns=40 rows=9 height=3 rounds=2" \
    "pf columns=257 rows=130 height=127"
  "h3d side=37 layers=5 steps=3" "h3d side=1 layers=1" "h3d side=65 layers=1 steps=2" "h3d side=5 layers=9"
  "srad rows=37 columns=29 iterations=3" "srad rows=1 columns=2" "srad rows=700 columns=3 iterations=1" \
    "srad rows=3 columns=173 iterations=2"
  "btree keys=3001 finds=37 ranges=21 span=300" "btree keys=1 finds=1 ranges=1"
  "btree keys=40000 finds=9 ranges=5 batches=2" "btree keys=257 finds=300 ranges=1 span=1"
  "sc points=301 dims=5 candidates=5" "sc points=1 dims=0" "sc points=40 dims=300 centres=64 candidates=2 block=33"
  "lulesh edge=3 steps=3 log2block=5" "lulesh edge=1 log2block=0" "lulesh edge=5 steps=3 log2block=6"
  "upsamp width=150 height=3" "upsamp width=1 height=1" "upsamp width=65 height=9 block=33" \
    "upsamp width=5 height=4 block=1"
)
for case in "${cases[@]}"; do
  read -r workload rest <<<"$case"
  set=()
  for parameter in $rest; do set+=(--set "workload.$parameter"); done
  runs 0 "$lockstack" run baseline "$workload" "${set[@]}" --json b.json
  for ratio in 1 0.5; do
    fresh=()
    [ $ratio != 1 ] || fresh=(--fresh) # the baseline as a rival is simulated here, and known in the next run
    runs 0 "$lockstack" run nsu "$workload" "${set[@]}" "${fresh[@]}" --set offload.ratio=$ratio --json $ratio.json
    equal "$(json $ratio.json result_ok)" true "$case, ratio $ratio"
    equal "$(json $ratio.json baseline_cycles)" "$(json b.json cycles)" "baseline of $case"
  done
  equal "$(json 1.json blocks_kept)" 0 "blocks kept by ratio 1, $case"
done
runs 0 "$lockstack" run nsu vadd --set workload.n=4099 --set offload.ratio=1 --json a.json
equal "$(json a.json blocks_offloaded)" 129 "warps of 4099 elements with an offload block each"
runs 0 "$lockstack" run nsu vadd --set workload.n=4099 --set offload.ratio=0 --json a.json
equal "$(json a.json blocks_offloaded)" 0 "blocks offloaded at ratio 0"
runs 0 "$lockstack" run nsu vadd --set workload.n=4099 --seed 2 --json b.json
runs 0 "$lockstack" run nsu vadd --set workload.n=4099 --seed 2 --json c.json
equal "$(json b.json cycles)" "$(json c.json cycles)" "cycles of the same seed"
for topology in hypercube:1 mesh:2x2 full:4 tree:3 ring:8; do
  runs 0 "$lockstack" run nsu saxpy --set workload.n=4099 --set network.topology=$topology --set offload.ratio=1 \
    --json d.json
done

# A grid of more blocks than a row of it has
runs 0 "$lockstack" run baseline nn --set workload.records=70001 --set workload.block=1 --set workload.places=1 \
  --json g.json
equal "$(json g.json result_ok)" true 'nn in blocks of one thread'

# Arguments follow the module, whichever pointers the workload's own has.
for pair in 'sp sp32' 'sp32 sp' 'kmn km' 'km kmn'; do
  read -r workload other <<<"$pair"
  runs 0 "$lockstack" run nsu "$workload" --ptx "$source/firmware/workloads/kernels/$other/$other.ptx" --json g.json
  equal "$(json g.json result_ok)" true "$workload by the kernel of $other"
done

# --full starts from the workload's large size, --set has the last word in any order, and what has
# no large size keeps its default.
for order in '--full --set workload.n=33' '--set workload.n=33 --full'; do
  read -ra set <<<"$order"
  runs 0 "$lockstack" run baseline saxpy "${set[@]}" --json f.json
  equal "$(json f.json parameters.n)" 33 "n of '$order'"
  equal "$(json f.json parameters.block)" 256 "block of '$order'"
done
