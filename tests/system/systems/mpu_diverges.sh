# SPDX-License-Identifier: Apache-2.0
# timeout: 900
# label: soak
#
# LSU-Extensions of a planted bug in an MPU: lockstep sees it, and leaves a replay file that shows
# it in the unit alone.
source "$(dirname "$0")/../lib.sh"

small=(--set mpu.cubes_x=2 --set mpu.cubes_y=1 --set mpu.cores_x=2 --set mpu.cores_y=1)
# A credit of register writes never comes back: lsu_ext differs, the model goes on.
mkdir rtl_new
sed "s/w_take_i && w_valid_o, s_take_i/1'b0, s_take_i/" "$source/rtl/lsu/lsu_rx.sv" >rtl_new/lsu_rx.sv
checks=$((checks + 1))
! cmp -s rtl_new/lsu_rx.sv "$source/rtl/lsu/lsu_rx.sv" || wrong 'the planted bug no longer fits'
runs 0 "$lockstack" run mpu axpy "${small[@]}" --set workload.n=701 --json model.json
runs 1 "$lockstack" run mpu axpy "${small[@]}" --set workload.n=701 --rtl rtl_new --engine 'lsu_ext[2]=lockstep' \
  --out out --json bug.json
matches "$out" 'lsu_ext\[2\] first differs in its cycle [0-9]+' 'the report of a divergence'
equal "$(json bug.json lockstep.divergences)" 1 'divergences'
equal "$(json bug.json lockstep.instances.2.divergences)" 1 'divergences of lsu_ext[2]'
equal "$(json bug.json result_ok)" true 'the model goes on and the result is right'
for key in cycles warp_instructions near_instructions dram.row_hits; do
  equal "$(json bug.json $key)" "$(json model.json $key)" "$key"; done
replay=$(json bug.json lockstep.instances.2.first.replay)
runs 1 "$lockstack" replay "$replay" --json replay.json
equal "$(json replay.json outcome)" DIVERGED 'outcome of the replay'
matches "$(json bug.json lockstep.instances.2.first.what)" "$(json replay.json failure.port)" 'the port of the replay'
checks=$((checks + 1))
[ "$(json replay.json cycles)" -lt "$(json bug.json lockstep.instances.2.first.cycle)" ] ||
  wrong 'the replay is not smaller than the run'
