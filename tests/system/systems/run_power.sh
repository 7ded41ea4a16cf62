#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# run --power: power of one instance's gates under the traffic of a kernel, of a small block
# (ofld_ratio). What is counted is the same each time, windows are the run, and the rest of the run
# is as without; gates with a fault have no power. Bad input.
# timeout: 300
# shellcheck source=tests/system/lib.sh
. "$(dirname "$0")/../lib.sh"
command -v sta >/dev/null || skip 'opensta is not installed'

system=(run nsu vadd --set workload.n=20000 --set offload.policy=dynamic --set ratio.epoch_cycles=100)
near() { equal "$(awk "BEGIN { d = ($1) / ($2) - 1; print (d < 1e-6 && d > -1e-6) ? \"near\" : \"$1 is not $2\" }")" \
  near "$3"; }

# Of cells of no process, loads; the rest of the run is as it is with the RTL in lockstep
runs 0 "$lockstack" "${system[@]}" --engine ratio=lockstep --json plain.json
equal "$(json plain.json power 2>/dev/null)" '' 'power that nobody asked for'
runs 0 "$lockstack" "${system[@]}" --power 'ratio[0]' --json ge.json
for key in cycles baseline_cycles time_ns warp_instructions lockstep.cycles dram.reads blocks_offloaded \
  engines.ratio\[0\]; do
  equal "$(json ge.json "$key")" "$(json plain.json "$key")" "$key with --power"
done
equal "$(json ge.json power.power.all) $(json ge.json power.joules) $(json ge.json power.cells)" 'null null ge' \
  'cells of no process'
equal "$(json ge.json power.params)" 'EpochCycles=100,Init=2,StepInit=3,StepMin=1,StepMax=3,Window=4,MoveBy=0' \
  'parameters that the system gives it'
cycles=$(json ge.json power.activity.cycles)
equal "$cycles $(json ge.json power.activity.in_reset)" "$(json ge.json lockstep.cycles) 2" 'cycles that were counted'
matches "$out" "unit loads in the run's $cycles cycles" 'loads of the run'
matches "$out" $'\n  clk_i +2.000 +50.0 %' 'the clock'
matches "$out" $'\n  cycle_q\\[0\\] +1.000 ' 'bit 0 of the number of the cycle'

# Of cells that leak 1 nW each, in joules
sed 's/^    area : /    cell_leakage_power : 1; area : /' "$source/synth/cells/ge.lib" >leaks.lib
runs 0 "$lockstack" "${system[@]}" --power 'ratio[0]' --liberty leaks.lib --draw pictures --json a.json
runs 0 "$lockstack" "${system[@]}" --power ratio --liberty leaks.lib --power-clock 20 --draw again --json b.json
matches "$out" "J in the run's $cycles cycles" 'energy of the run'
equal "$(cut -d, -f1,2 pictures/power.csv)" "$(cut -d, -f1,2 again/power.csv)" 'windows of the same run'
equal "$(json a.json power.activity.toggles_per_cycle)" "$(json b.json power.activity.toggles_per_cycle)" \
  'toggles of the same run'
equal "$(json a.json power.activity.windows.7.toggles_per_cycle)" \
  "$(json b.json power.activity.windows.7.toggles_per_cycle)" 'toggles of the same window'
near "1000 / 700" "$(json a.json power.period_ns)" 'the period of the SMs'\'' clock'
equal "$(json b.json power.period_ns)" 20.0 'the period of --power-clock'
near "$(json a.json power.power.all.leakage)" "1e-9 * $(json a.json power.power.cells)" 'leakage'
near "20 * $(json b.json power.power.all.switching)" "$(json a.json \
  power.period_ns) * $(json a.json power.power.all.switching)" 'switching at another period'
near "$(json a.json power.joules)" "$cycles * $(json a.json power.power.joules_per_cycle)" 'energy of the run'
equal "$(json a.json power.work.counter) $(json a.json power.work.count)" \
  "epochs $((cycles / 100))" 'what the system counts of it'
near "$(json a.json power.joules)" "$((cycles / 100)) * $(json a.json power.work.joules)" 'energy of an epoch'
matches "$out" "J for each of its $((cycles / 100)) epochs" 'energy of an epoch'
near "$(awk -F, -v period="$(json a.json power.period_ns)" \
  'NR > 1 { sum += $2 * $3 * period * 1e-9 } END { printf "%.9g", sum }' pictures/power.csv)" \
  "$(json a.json power.joules)" 'the energy of all windows'
equal "$(awk -F, 'NR > 1 { sum += $2 } END { print sum }' pictures/power.csv)" "$cycles" 'cycles of all windows'
[ "$(json a.json power.activity.windows.#)" -le 100 ] || wrong 'too many windows'
for file in power.svg power.png power_parts.svg; do [ -s pictures/$file ] || wrong "no picture $file"; done

# One bit of one gate is wrong: a divergence as of --engine, and no power
mkdir same && cp "$source/rtl/offload/ofld_ratio.sv" same/
printf 'mutate -list 1 -seed 2 -o fault.ys\nscript fault.ys\n' >fault
runs 1 env LOCKSTACK_NETLIST_FAULT="$here/fault" "$lockstack" "${system[@]}" --rtl same --power 'ratio[0]' --json f.json
equal "$(json f.json power) $(json f.json lockstep.divergences) $(json f.json cycles)" \
  "null 1 $(json plain.json cycles)" 'gates that are wrong'
matches "$out" 'No power of ratio\[0\]: its gates do not do what its model does' 'what is said of them'
at=lockstep.instances.$(for ((i = 0; ; i++)); do [ "$(json f.json lockstep.instances.$i.name)" != 'ratio[0]' ] ||
  { echo $i; break; }; done).first
equal "$(json f.json $at.what) $(json f.json $at.failure.port)" 'DIVERGED epoch_end epoch_end' \
  'the failure, on the gates again'
runs 1 env LOCKSTACK_NETLIST_FAULT="$here/fault" "$lockstack" replay "$(json f.json $at.replay)" --json g.json
equal "$(json g.json same) $(json g.json dut)" 'true netlist' 'its replay'

# What is wrong
refuses 2 "--power: no instance 'nosuch'; ratio\[0\] to ratio\[0\] or .* would be right" "$lockstack" "${system[@]}" \
  --power nosuch
refuses 2 "--power: no instance 'nsu\[8\]'" "$lockstack" "${system[@]}" --power 'nsu[8]'
refuses 2 "--power: no instance 'gpu'" "$lockstack" "${system[@]}" --power gpu
refuses 2 '--power: nsu are 8 instances; one alone would be right, such as nsu\[0\]' "$lockstack" "${system[@]}" \
  --power nsu
refuses 2 '--power: nsu\[2-3\] are 2 instances' "$lockstack" "${system[@]}" --power 'nsu[2-3]'
refuses 2 "--power: 'ratio=rtl' should be an instance" "$lockstack" "${system[@]}" --power ratio=rtl
refuses 2 '--power: ratio is firmware by --engine' "$lockstack" "${system[@]}" --power ratio --engine ratio=firmware
refuses 2 'are of --power; --power INSTANCE besides' "$lockstack" "${system[@]}" --liberty leaks.lib
refuses 2 '--power-clock 0: a period above 0' "$lockstack" "${system[@]}" --power ratio --power-clock 0
echo '}' >>leaks.lib
refuses 2 'leaks.lib:[0-9]+: text behind the end of the library' "$lockstack" "${system[@]}" --power ratio \
  --liberty leaks.lib
