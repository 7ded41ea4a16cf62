# SPDX-License-Identifier: Apache-2.0
# timeout: 900
#
# The same run with the memory network's routers as models, as RTL and in lockstep: the same
# cycles, the same memory, nothing diverges; and RTL with a planted bug does, with a replay file
# that shows it in the router alone.
source "$(dirname "$0")/../lib.sh"

small=(--set workload.n=20011 --set gpu.sms=8 --set offload.ratio=1 --set nsu.lanes=2)
for engine in model rtl lockstep; do
  runs 0 "$lockstack" run nsu vadd "${small[@]}" --engine router=$engine --json $engine.json
  matches "$out" 'Result is right' "the report with router=$engine"
  equal "$(json $engine.json lockstep.divergences)" 0 "divergences with router=$engine"
  equal "$(json $engine.json engines.router\[7\])" $engine 'engine of router[7]'
done
runs 0 "$lockstack" run nsu vadd "${small[@]}" --engine 'router[3]=rtl' --engine 'router[0,5-6]=lockstep' \
  --engine nsu=rtl --json mixed.json
for engine in rtl lockstep mixed; do
  for key in cycles warp_instructions blocks_offloaded traffic_bytes.memory_network.RDF_RESP dram.row_hits; do
    equal "$(json $engine.json $key)" "$(json model.json $key)" "$key with $engine against models"
  done
done
for k in 16 17 18 19 20 21 22 23; do
  equal "$(json lockstep.json lockstep.instances.$k.name)" "router[$((k - 16))]" "instance $k"
  checks=$((checks + 1))
  [ "$(json lockstep.json lockstep.instances.$k.cycles)" -gt 1000 ] || wrong "router[$((k - 16))] was not compared"
done
equal "$(json mixed.json lockstep.instances.19.cycles)" 0 'router[3] is not in lockstep'

# Credits of the highest VC are lost: sooner or later an output waits for one that the model has.
mkdir rtl_new
sed "s/cr_valid_q && cr_ok ?/cr_valid_q \&\& cr_ok \&\& 32'(cr_vc_q) != V - 1 ?/" \
  "$source/rtl/router/router_output.sv" >rtl_new/router_output.sv
checks=$((checks + 1))
! cmp -s rtl_new/router_output.sv "$source/rtl/router/router_output.sv" || wrong 'the planted bug no longer fits'
runs 1 "$lockstack" run nsu vadd "${small[@]}" --rtl rtl_new --engine 'router[2]=lockstep' --out out --json bug.json
matches "$out" 'router\[2\] first differs in its cycle [0-9]+' 'the report of a divergence'
equal "$(json bug.json lockstep.divergences)" 1 'divergences'
equal "$(json bug.json cycles)" "$(json model.json cycles)" 'the model goes on'
replay=$(json bug.json lockstep.instances.18.first.replay)
runs 1 "$lockstack" replay "$replay" --json replay.json
equal "$(json replay.json outcome)" DIVERGED 'outcome of the replay'
matches "$(json bug.json lockstep.instances.18.first.what)" "$(json replay.json failure.port)" 'the port of the replay'
checks=$((checks + 1))
[ "$(json replay.json cycles)" -lt "$(json bug.json lockstep.instances.18.first.cycle)" ] ||
  wrong 'the replay is not smaller than the run'

refuses 2 'no instance .router\[8\].; router, or router\[0\] to router\[7\] would be right' "$lockstack" run nsu vadd \
  --engine 'router[8]=rtl'
