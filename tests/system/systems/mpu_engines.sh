# SPDX-License-Identifier: Apache-2.0
# timeout: 900
#
# The same run on a small MPU with LSU-Extensions and routers as models, as RTL and in lockstep,
# all or some: the same cycles and figures, the same memory, nothing diverges. What does diverge:
# mpu_diverges.sh.
source "$(dirname "$0")/../lib.sh"

small=(--set mpu.cubes_x=2 --set mpu.cubes_y=1 --set mpu.cores_x=2 --set mpu.cores_y=1)
run_with() { # FILE WORKLOAD SETTINGS... -- ENGINES...
  local file=$1 workload=$2 set=() what=--set
  shift 2
  for word in "$@"; do
    if [ "$word" = -- ]; then what=--engine; else set+=("$what" "$word"); fi
  done
  runs 0 "$lockstack" run mpu "$workload" "${small[@]}" "${set[@]}" --json "$file"
  equal "$(json "$file" result_ok)" true "$workload with $*"
  equal "$(json "$file" lockstep.divergences)" 0 "divergences of $workload with $*"
}
same() { # FILE MODEL'S: everything but time, memory and engines
  local key
  for key in cycles warp_instructions near_instructions global.remote_transfers tsv.beats tsv.busy_cycles \
    dram.row_hits dram.reads network.request_flits \
    network.link_flits_between_processors; do
    equal "$(json "$1" $key)" "$(json "$2" $key)" "$key of $1 against models"
  done
}

n=workload.n=4001
run_with model.json pr $n -- lsu_ext=model
run_with rtl.json pr $n -- 'lsu_ext[*]=rtl'
run_with lockstep.json pr $n -- lsu_ext=lockstep router=lockstep
run_with mixed.json pr $n -- 'lsu_ext[0-3,7]=lockstep' 'lsu_ext[9]=rtl' 'router[1]=rtl' 'router[2]=lockstep'
for file in rtl lockstep mixed; do same $file.json model.json; done
equal "$(json model.json lockstep.cycles)" 0 'cycles compared of models'
for unit in 0 5 15; do
  checks=$((checks + 1))
  [ "$(json lockstep.json lockstep.instances.$unit.cycles)" -ge "$(json model.json cycles)" ] ||
    wrong "lsu_ext[$unit] was not compared all the time"
done
equal "$(json lockstep.json lockstep.instances.16.name)" 'router[0]' 'instances: routers come behind'
equal "$(json mixed.json lockstep.instances.4.cycles)" 0 'lsu_ext[4] is not in lockstep'
equal "$(json mixed.json engines.lsu_ext\[9\])" rtl 'engine of lsu_ext[9]'
equal "$(json mixed.json engines.router\[2\])" lockstep 'engine of router[2]'
checks=$((checks + 1))
[ "$(json model.json network.requests)" -gt 0 ] || wrong 'nothing crossed the network'

# Shared memory, stores under masks, bytes, registers moved; and no shared memory near the banks.
for case in "nw workload.rows=19 workload.columns=33" "hist workload.n=3001 workload.blocks=5" \
  "ttrans workload.nx=9 workload.ny=7 workload.nz=5" \
  "axpy workload.n=701 mpu.policy=near" "axpy workload.n=701 l1i.ideal=false l1i.copies=false" \
  "maxp workload.width=19 workload.height=9 workload.channels=2 smem.near=false"; do
  read -ra words <<<"$case"
  run_with model.json "${words[@]}"
  run_with lockstep.json "${words[@]}" -- lsu_ext=lockstep
  same lockstep.json model.json
done

refuses 2 \
  'no instance .lsu_ext\[16\].; lsu_ext, or lsu_ext\[0\] to lsu_ext\[15\] would be right' \
  "$lockstack" run mpu axpy "${small[@]}" --engine 'lsu_ext[16]=rtl'
refuses 2 \
  'no instance .nsu.; lsu_ext\[0\] to lsu_ext\[15\] or router\[0\] to router\[3\] would be right' \
  "$lockstack" run mpu axpy "${small[@]}" --engine nsu=rtl
