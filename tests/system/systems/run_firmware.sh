# SPDX-License-Identifier: Apache-2.0
# timeout: 600
#
# The offload ratio by firmware of the controller: in no time it decides as model and RTL of the
# block do, whatever the search's parameters are; in its real time the run is right, and what
# becomes of cycles and ratios is said, whether the core that executes it is model, RTL or both; a
# fault in that core's RTL is found; a firmware of one's own runs, and one that is broken, never
# answers or is no image ends the run with a line.
source "$(dirname "$0")/../lib.sh"

dynamic=(--set offload.policy=dynamic --set ratio.epoch_cycles=1000)
zero=(--set ratio.firmware_time=zero)
small=(--set workload.n=200003 --set gpu.sms=16 --set offload.policy=dynamic --set ratio.epoch_cycles=500)
ratios() { json "$1" parts.gpu.tables.epochs | grep -o '"ratio": *[0-9]*' | grep -o '[0-9]*$' | tr '\n' ' '; }

for engine in model rtl firmware; do
  runs 0 "$lockstack" run nsu vadd "${dynamic[@]}" "${zero[@]}" --engine ratio=$engine --json $engine.json
  equal "$(json $engine.json result_ok)" true "result_ok, $engine"
  equal "$(json $engine.json cycles)" "$(json model.json cycles)" "cycles, $engine"
  equal "$(json $engine.json parts.gpu.tables.epochs)" "$(json model.json parts.gpu.tables.epochs)" "epochs, $engine"
  equal "$(json $engine.json parts.gpu.tables.blocks)" "$(json model.json parts.gpu.tables.blocks)" "blocks, $engine"
  equal "$(json $engine.json engines.ratio\[0\])" $engine 'the engine'
done
equal "$(json model.json parts.gpu.tables.decisions)" '[]' 'decisions of firmware, where there is none'
equal "$(json firmware.json parts.gpu.tables.decisions.30.epoch)" 31 'the epoch before the 31st decision'
equal "$(json firmware.json parts.gpu.tables.decisions.30.ratio)" \
  "$(json model.json parts.gpu.tables.epochs.31.ratio)" 'what was decided, and the next ratio'
equal "$(json firmware.json parts.gpu.tables.decisions.30.cycles)" 0 'its time'
equal "$(json firmware.json lockstep.cycles)" 0 'cycles in lockstep'

# Parameters other than the paper's.
own=(--set ratio.init=0.5 --set ratio.step_init=0.3 --set ratio.step_min=0.1 --set ratio.step_max=0.4 \
  --set ratio.window=7)
for engine in model firmware; do
  runs 0 "$lockstack" run nsu vadd "${small[@]}" "${zero[@]}" "${own[@]}" --engine ratio=$engine --json own_$engine.json
  runs 0 "$lockstack" run nsu vadd "${small[@]}" "${zero[@]}" --set ratio.move_by=unit --engine ratio=$engine \
    --json unit_$engine.json
done
for what in own unit; do
  equal "$(json ${what}_firmware.json parts.gpu.tables.epochs)" \
    "$(json ${what}_model.json parts.gpu.tables.epochs)" "epochs, $what"
done

# With the score, whose retries are counted in epochs.
for engine in model firmware; do
  runs 0 "$lockstack" run nsu stn --set workload.nx=128 --set workload.ny=64 --set workload.nz=16 \
    --set ratio.epoch_cycles=500 "${zero[@]}" \
    --set offload.policy=dynamic_cache --engine ratio=$engine --json score_$engine.json
done
equal "$(json score_firmware.json parts.gpu.tables.blocks)" "$(json score_model.json parts.gpu.tables.blocks)" \
  'blocks, with the score'
equal "$(json score_firmware.json cycles)" "$(json score_model.json cycles)" 'cycles, with the score'

# Its real time.
runs 0 "$lockstack" run nsu vadd "${dynamic[@]}" --engine ratio=firmware --json real.json
matches "$out" 'Result is right' 'the report, in real time'
matches "$out" 'firmware decisions +[0-9]+ of firmware on the offload ratio' 'the report, of its decisions'
matches "$out" 'firmware wait +[0-9,]+ cycles, of the SMs. clock' 'the report, of their time'
echo "vadd: $(json model.json cycles) cycles with the block, $(json real.json cycles) with firmware in its time"
echo "block:    $(ratios model.json)"
echo "firmware: $(ratios real.json)"
checks=$((checks + 4))
[ "$(ratios model.json)" != "$(ratios real.json)" ] || wrong 'the ratios are the same although firmware takes time'
[ "$(json real.json parts.gpu.tables.decisions.3.cycles)" -gt 0 ] || wrong 'a decision took no time'
[ "$(json real.json parts.gpu.tables.decisions.3.cycles)" -lt 1000 ] || wrong 'a decision took an epoch'
[ "$(json real.json parts.gpu.tables.decisions.3.controller_instructions)" -gt 10 ] || wrong 'no instructions'

# The core that executes it, as its RTL and in lockstep: the same run, decision by decision, and no
# difference. It is there with firmware alone.
for core in rtl lockstep; do
  runs 0 "$lockstack" run nsu vadd "${dynamic[@]}" --engine rv_core=$core --engine ratio=firmware --json core_$core.json
  equal "$(json core_$core.json result_ok) $(json core_$core.json engines.rv_core\[0\])" "true $core" "the core, $core"
  equal "$(json core_$core.json cycles)" "$(json real.json cycles)" "cycles, the core $core"
  equal "$(json core_$core.json parts.gpu.tables)" "$(json real.json parts.gpu.tables)" "tables, the core $core"
done
equal "$(json real.json engines.rv_core\[0\])" model 'the core, where nothing is said of it'
equal "$(json core_lockstep.json lockstep.divergences)" 0 'divergences of the core'
equal "$(json core_lockstep.json lockstep.cycles)" "$(json real.json cycles)" 'cycles of the core in lockstep'
runs 0 "$lockstack" run nsu vadd "${dynamic[@]}" "${zero[@]}" --engine ratio=firmware --engine 'rv_core[0]=lockstep' \
  --json core_zero.json
equal "$(json core_zero.json cycles) $(json core_zero.json lockstep.divergences)" \
  "$(json model.json cycles) 0" 'the core in lockstep, in no time'
equal "$(json core_zero.json parts.gpu.tables.epochs)" "$(json model.json parts.gpu.tables.epochs)" \
  'epochs, the core in lockstep, in no time'
matches "$(json core_zero.json lockstep.cycles)" '^[1-9][0-9]{3,}$' 'its cycles, which take no time'
equal "$(grep -c rv_core model.json)" 0 'cores of a run without firmware'

# A core by whose RTL a number is less than itself: what lockstep sees is in the core alone, and
# the run goes on with the model.
mkdir -p wrong && sed 's/less_u = !sum\[32\];/less_u = !sum[32] || equal;/' \
  "$source/rtl/ctrl/rv_alu.sv" >wrong/rv_alu.sv
cmp -s "$source/rtl/ctrl/rv_alu.sv" wrong/rv_alu.sv && wrong 'no fault was planted'
runs 1 "$lockstack" run nsu vadd "${small[@]}" --engine ratio=firmware --engine rv_core=lockstep --rtl wrong --out out \
  --json wrong.json
matches "$out" 'rv_core\[0\] first differs in its cycle [0-9]+' 'the report of a wrong core'
equal "$(json wrong.json lockstep.divergences) $(json wrong.json result_ok)" '1 true' 'a wrong core'
equal "$(json wrong.json lockstep.instances.9.name)" 'rv_core[0]' \
  'the instance behind the ratio and eight managers of buffers'
runs 1 "$lockstack" replay "$(json wrong.json lockstep.instances.9.first.replay)" --json replay.json
equal "$(json replay.json outcome) $(json replay.json block)" 'DIVERGED rv_core' 'the replay of a wrong core'

# A slower controller misses epochs.
runs 0 "$lockstack" run nsu vadd "${small[@]}" --set ratio.firmware_divider=3 --engine ratio=firmware --json slow.json
matches "$out" 'firmware missed +[0-9]+ epochs, that ended while' 'the report, of missed epochs'
equal "$(json slow.json result_ok)" true 'result_ok, of a slow controller'
checks=$((checks + 1))
[ "$(json slow.json parts.gpu.tables.decisions.2.missed)" -gt 0 ] ||
  wrong 'a controller that needs longer than an epoch has missed none'

# A firmware of one's own: the tree's as a file; then those that are broken.
words() { for w in "$@"; do printf "\\x${w:6:2}\\x${w:4:2}\\x${w:2:2}\\x${w:0:2}"; done; }
# shellcheck disable=SC2046
words $(grep -o '0x[0-9a-f]\{8\}' "$source/firmware/controller/ratio_image.def" | cut -c3-) >tree.bin
runs 0 "$lockstack" run nsu vadd "${small[@]}" --engine ratio=firmware --json tree.json
runs 0 "$lockstack" run nsu vadd "${small[@]}" --engine ratio=firmware --set ratio.firmware_image=tree.bin \
  --json file.json
equal "$(json file.json parts.gpu.tables)" "$(json tree.json parts.gpu.tables)" 'tables, image from a file'

words 0000006f >loop.bin
words 40000537 01500593 00b52623 >wild.bin
words 00000297 >odd.bin && printf x >>odd.bin
: >empty.bin
head -c 4100 /dev/zero >large.bin
firmware() { image=$1 && shift && "$lockstack" run nsu vadd "${small[@]}" --engine ratio=firmware \
  --set "ratio.firmware_image=$image" "$@"; }
refuses 1 'firmware of the offload ratio: 2000 cycles of the controller after epoch 1 its interrupt is not over; it is at pc 0x00000000' \
  firmware loop.bin --set ratio.firmware_limit=2000
refuses 1 '2000 cycles of the controller after its reset it does not sleep' firmware loop.bin \
  --set ratio.firmware_limit=2000 "${zero[@]}"
refuses 1 'trap at pc 0x00000008, mcause 7, mtval 0x4000000c: nothing can be stored there' firmware wild.bin
refuses 1 '50 cycles of the controller after epoch 1 its interrupt is not over' firmware tree.bin \
  --set ratio.firmware_limit=50
refuses 2 'ratio.firmware_image: odd.bin: 5 bytes; a multiple of 4 from 4 on would be right' firmware odd.bin
refuses 2 'ratio.firmware_image: empty.bin: 0 bytes' firmware empty.bin
refuses 2 'ratio.firmware_image: large.bin: it has more than the 4096 bytes' firmware large.bin
refuses 2 'ratio.firmware_image: none.bin: No such file' firmware none.bin
refuses 2 'ratio.firmware_divider: 0 is out of range; from 1 to 1000 would be right' firmware tree.bin \
  --set ratio.firmware_divider=0
refuses 2 "ratio.firmware_time: 'none' is not real or zero" firmware tree.bin --set ratio.firmware_time=none
refuses 2 'rv_core\[0\] executes firmware, and no ratio is that; --engine ratio=firmware besides would be right' \
  "$lockstack" run nsu vadd --set offload.policy=dynamic --engine rv_core=rtl
refuses 2 "no instance 'rv_core'" "$lockstack" run nsu vadd --engine rv_core=rtl
refuses 2 'no firmware does what rv_core does' "$lockstack" run nsu vadd --set offload.policy=dynamic \
  --engine rv_core=firmware
refuses 2 'no firmware does what nsu does; model, rtl or lockstep would be right' "$lockstack" run nsu vadd \
  --engine nsu=firmware
refuses 2 'no firmware does what router does' "$lockstack" run nsu vadd --engine 'router[2]=firmware'
refuses 2 'no firmware does what router does' "$lockstack" network --rate 0.1 --engine router=firmware
refuses 2 "no instance 'ratio'" "$lockstack" run nsu vadd --engine ratio=firmware
refuses 2 "'soft' should be model, rtl, lockstep or firmware" "$lockstack" run nsu vadd --set offload.policy=dynamic \
  --engine ratio=soft
