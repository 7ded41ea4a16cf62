# SPDX-License-Identifier: Apache-2.0
# timeout: 300
#
# The same run with the NSUs as models, as RTL and in lockstep: the same cycles, the same memory,
# nothing diverges.
source "$(dirname "$0")/../lib.sh"

small=(--set workload.n=20011 --set gpu.sms=8 --set offload.ratio=1)
for engine in model rtl lockstep; do
  runs 0 "$lockstack" run nsu vadd "${small[@]}" --engine nsu=$engine --json $engine.json
  matches "$out" 'Result is right' "the report with nsu=$engine"
  equal "$(json $engine.json result_ok)" true "result_ok with nsu=$engine"
  equal "$(json $engine.json lockstep.divergences)" 0 "divergences with nsu=$engine"
done
runs 0 "$lockstack" run nsu vadd "${small[@]}" --engine 'nsu[1,4-6]=rtl' --engine 'nsu[2]=lockstep' --json mixed.json
for engine in rtl lockstep mixed; do
  for key in cycles warp_instructions blocks_offloaded traffic_bytes.memory_network.RDF_RESP dram.row_hits; do
    equal "$(json $engine.json $key)" "$(json model.json $key)" "$key with $engine against models"
  done
done
for k in 0 1 2 3 4 5 6 7; do
  equal "$(json lockstep.json lockstep.instances.$((k + 8)).divergences)" 0 "divergences of nsu[$k]"
  checks=$((checks + 1))
  [ "$(json lockstep.json lockstep.instances.$((k + 8)).cycles)" -gt 0 ] || wrong "nsu[$k] was not compared"
  equal "$(json model.json lockstep.instances.$((k + 8)).cycles)" 0 "lockstep cycles of nsu[$k] as model"
done
equal "$(json mixed.json lockstep.instances.10.cycles)" "$(json mixed.json lockstep.cycles)" \
  "only nsu[2] is in lockstep"

# What lockstep did not compare is said: outputs of a run without constants, and of an engine that
# is not in lockstep all
equal "$(json mixed.json lockstep.instances.10.never_compared)" probe_cmiss_addr 'what vadd never shows of an NSU'
equal "$(json model.json lockstep.instances.10.never_compared)" '' 'a model alone'
runs 0 "$lockstack" run nsu vadd "${small[@]}" --engine 'nsu[*]=lockstep'
matches "$out" $'\n  nsu\\[0\\] to nsu\\[3\\], never compared: probe_cmiss_addr\n' 'the outputs in the report'
matches "$out" $'\n  nsu\\[4\\], never compared: out_class, out_phit, ' 'an NSU that gets nothing'
runs 0 "$lockstack" run nsu vadd "${small[@]}" --engine 'nsu[*]=rtl'
matches "$out" $'\n  not compared: no instance in lockstep had a cycle\n' 'RTL alone'
equal "$(json mixed.json engines.nsu\[5\])" rtl "engine of nsu[5]"
